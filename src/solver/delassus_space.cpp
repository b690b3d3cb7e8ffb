// SPDX-License-Identifier: MIT
#include "solver/delassus_space.hpp"

#include <algorithm>

namespace abut::inline v0_1 {

void DelassusSpace::begin(const DelassusProblem& problem) {
  problem_ = problem;
  const std::size_t count = problem.friction.size();
  contacts.assign(count, {});
  couples.clear();
  blocks_.assign(count, {});
  for (std::size_t i = 0; i < count; ++i) {
    ContactBlock& b = blocks_[i];
    for (std::uint32_t k = problem.rowStart[i]; k < problem.rowStart[i + 1]; ++k) {
      if (problem.column[k] != i) continue;
      const double* w = problem.block[k].data();
      b.a = w[0];
      b.b1 = 0.5 * (w[1] + w[3]);
      b.b2 = 0.5 * (w[2] + w[6]);
      b.t11 = w[4];
      b.t12 = 0.5 * (w[5] + w[7]);
      b.t22 = w[8];
    }
    finishBlock(b);
    contacts[i] = {problem.friction[i], b.a, ((b.a + b.t11) + b.t22) / 3.0};
  }
  findCouples();
}

void DelassusSpace::prepare() {
  const std::uint32_t count = static_cast<std::uint32_t>(contacts.size());
  edges_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t k = problem_.rowStart[i]; k < problem_.rowStart[i + 1]; ++k) {
      if (problem_.column[k] != i) edges_.emplace_back(i, problem_.column[k]);
    }
  }
  sizes_.assign(count, 3);
  lu_.analyse(sizes_, edges_);
  block_at_.resize(problem_.column.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t k = problem_.rowStart[i]; k < problem_.rowStart[i + 1]; ++k) {
      block_at_[k] = lu_.blockAt(i, problem_.column[k]);
    }
  }
}

Vec3 DelassusSpace::velocityOf(std::size_t i, std::span<const Vec3> r) const {
  Vec3 sum;
  for (std::uint32_t k = problem_.rowStart[i]; k < problem_.rowStart[i + 1]; ++k) {
    const double* w = problem_.block[k].data();
    const Vec3& p = r[problem_.column[k]];
    sum += Vec3{(w[0] * p.x + w[1] * p.y) + w[2] * p.z, (w[3] * p.x + w[4] * p.y) + w[5] * p.z,
                (w[6] * p.x + w[7] * p.y) + w[8] * p.z};
  }
  return sum + problem_.free[i];
}

void DelassusSpace::stateOf(std::span<const Vec3> r, std::vector<double>& s) {
  s.resize(3 * contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 u = velocityOf(i, r);
    s[3 * i] = u.x;
    s[3 * i + 1] = u.y;
    s[3 * i + 2] = u.z;
  }
}

void DelassusSpace::velocitiesAt(std::span<const double> s, std::span<Vec3> u) const {
  changesAt(s, u);
}

void DelassusSpace::changesAt(std::span<const double> ds, std::span<Vec3> du) const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    du[i] = {ds[3 * i], ds[3 * i + 1], ds[3 * i + 2]};
  }
}

/// W r + q - u.
void DelassusSpace::defectOf(std::span<const double> s, std::span<const Vec3> r,
                             std::vector<double>& d) const {
  d.resize(3 * contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 u = velocityOf(i, r);
    d[3 * i] = u.x - s[3 * i];
    d[3 * i + 1] = u.y - s[3 * i + 1];
    d[3 * i + 2] = u.z - s[3 * i + 2];
  }
}

void DelassusSpace::addImpulses(std::span<const Vec3> r, std::vector<double>& d) const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 u = velocityOf(i, r) - problem_.free[i];
    d[3 * i] += u.x;
    d[3 * i + 1] += u.y;
    d[3 * i + 2] += u.z;
  }
}

double DelassusSpace::squareOf(std::span<const double> d) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!(contacts[i].response > 0.0)) continue;
    const Vec3 u = {d[3 * i], d[3 * i + 1], d[3 * i + 2]};
    sum += squaredNorm(u) / contacts[i].response;
  }
  return sum;
}

void DelassusSpace::speedsAt(std::span<const double>, std::span<const Vec3> r,
                             std::span<double> speeds) const {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    double sum = norm(problem_.free[i]);
    for (std::uint32_t k = problem_.rowStart[i]; k < problem_.rowStart[i + 1]; ++k) {
      double square = 0.0;
      for (const double w : problem_.block[k]) square += w * w;
      sum += std::sqrt(square) * norm(r[problem_.column[k]]);
    }
    speeds[i] = sum;
  }
}

bool DelassusSpace::factorise(std::span<const ContactGain> gains) {
  lu_.clear();
  double* entries = lu_.entries();
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    for (std::uint32_t k = problem_.rowStart[i]; k < problem_.rowStart[i + 1]; ++k) {
      const ContactGain& g = gains[problem_.column[k]];
      const double* w = problem_.block[k].data();
      double* to = entries + block_at_[k];
      for (std::size_t m = 0; m < 3; ++m) {
        const double* row = w + 3 * m;
        to[3 * m] += (row[0] * g.normal + row[1] * g.slide.byNormal1) + row[2] * g.slide.byNormal2;
        to[3 * m + 1] += row[1] * g.slide.d11 + row[2] * g.slide.d12;
        to[3 * m + 2] += row[1] * g.slide.d12 + row[2] * g.slide.d22;
      }
    }
    double* own = entries + lu_.blockAt(i, i);
    for (std::size_t m = 0; m < 3; ++m) own[4 * m] += 1.0;
  }
  return lu_.factorise(tasks);
}

void DelassusSpace::apply(std::span<const ContactGain> gains, std::span<const double> x,
                          std::vector<double>& out) const {
  scratch_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    scratch_[i] = gainTimes(gains[i], Vec3{x[3 * i], x[3 * i + 1], x[3 * i + 2]});
  }
  out.assign(x.begin(), x.end());
  addImpulses(scratch_, out);
}

}  // namespace abut::inline v0_1
