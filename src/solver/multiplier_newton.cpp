// SPDX-License-Identifier: MIT
#include "solver/multiplier_newton.hpp"

#include <algorithm>
#include <utility>

#include "solver/skyline.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kFixed = 0xffffffffu;
constexpr int kMaxNewtonSteps = 30;
constexpr int kMaxHalvings = 12;
/// The gradient counts as zero below this part of the impulses that make it up.
constexpr double kGradientTolerance = 1e-15;
/// Least part of the predicted decrease that a step must bring.
constexpr double kArmijo = 1e-4;

/// Mass matrix of a body: 6 x 6, two 3 x 3 blocks; locked axes carry a 1 and no lever.
struct BodyBlock {
  Vec3 mass;
  Mat3 inertia;
  Vec3 freeLinear, freeAngular;  // 1 or 0 for each axis.
};

bool isZeroRow(const Mat3& m, int i) {
  const double* x = &m.x.x;
  return x[i] == 0.0 && x[3 + i] == 0.0 && x[6 + i] == 0.0;
}

bool isMobile(const BodyMobility& m) {
  return m.inverseMass.x > 0.0 || m.inverseMass.y > 0.0 || m.inverseMass.z > 0.0 ||
         m.inverseInertia.x.x > 0.0 || m.inverseInertia.y.y > 0.0 || m.inverseInertia.z.z > 0.0;
}

BodyBlock blockOf(const BodyMobility& m) {
  BodyBlock block;
  const auto massAlong = [](double inv) { return inv > 0.0 ? 1.0 / inv : 1.0; };
  block.mass = {massAlong(m.inverseMass.x), massAlong(m.inverseMass.y), massAlong(m.inverseMass.z)};
  block.freeLinear = {m.inverseMass.x > 0.0 ? 1.0 : 0.0, m.inverseMass.y > 0.0 ? 1.0 : 0.0,
                      m.inverseMass.z > 0.0 ? 1.0 : 0.0};
  Mat3 filled = m.inverseInertia;
  double angular[3];
  for (int i = 0; i < 3; ++i) {
    const bool locked = isZeroRow(m.inverseInertia, i);
    angular[i] = locked ? 0.0 : 1.0;
    if (locked) (&filled.x.x)[4 * i] = 1.0;
  }
  block.freeAngular = {angular[0], angular[1], angular[2]};
  block.inertia = inverse(filled);
  return block;
}

/// Symmetric derivative of the projection on the cone.
struct ConeDerivative {
  double nn = 0.0, nt1 = 0.0, nt2 = 0.0, t11 = 0.0, t12 = 0.0, t22 = 0.0;
};

ConeDerivative coneDerivative(const Vec3& z, double friction) {
  const double t = std::sqrt(z.y * z.y + z.z * z.z);
  if (t <= friction * z.x && friction > 0.0) return {1.0, 0.0, 0.0, 1.0, 0.0, 1.0};
  if (friction * t <= -z.x) return {};
  const double n = 1.0 / (1.0 + friction * friction);
  const double lambda = (z.x + friction * t) * n;
  if (!(lambda > 0.0)) return {};
  if (!(t > 0.0)) return {n, 0.0, 0.0, 0.0, 0.0, 0.0};
  const double d1 = z.y / t, d2 = z.z / t, turn = friction * lambda / t, f = friction * n;
  return {n,
          f * d1,
          f * d2,
          friction * f * d1 * d1 + turn * (1.0 - d1 * d1),
          (friction * f - turn) * d1 * d2,
          friction * f * d2 * d2 + turn * (1.0 - d2 * d2)};
}

}  // namespace

struct MultiplierNewton::Scratch {
  std::vector<BodyBlock> blocks;     // Of mobile bodies, in band order.
  std::vector<std::uint32_t> place;  // Of each body; kFixed for the others.
  std::vector<std::uint32_t> bodyAt;
  std::vector<std::uint32_t> firstColumn;
  SkylineMatrix matrix;
  std::vector<double> gradient, step;
  std::vector<BodyVelocity> velocities, trial;
  std::vector<Vec3> z, slide;
  std::vector<double> rho;

  /// Six numbers of a contact's row for one side: axis and lever, without locked axes.
  void row(const PreparedContact::Side& side, const Vec3& axis, int i, double sign,
           double (&out)[6]) const {
    const BodyBlock& block = blocks[place[side.body]];
    const Vec3 a = scaled(axis, block.freeLinear) * sign;
    const Vec3 b = scaled(side.lever[i], block.freeAngular) * sign;
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
    out[3] = b.x;
    out[4] = b.y;
    out[5] = b.z;
  }

  double evaluate(std::span<const PreparedContact> contacts, std::span<const BodyVelocity> free,
                  std::span<const BodyVelocity> v, std::span<const Vec3> r, bool withGradient,
                  double& scale);
  void assemble(std::span<const PreparedContact> contacts);
  void addPair(const PreparedContact& c, const ConeDerivative& d, double rhoC);
};

MultiplierNewton::MultiplierNewton() : scratch_(std::make_unique<Scratch>()) {}
MultiplierNewton::~MultiplierNewton() = default;

void MultiplierNewton::begin(std::span<const BodyMobility> bodies,
                             std::span<const PreparedContact> contacts) {
  Scratch& s = *scratch_;
  s.place.assign(bodies.size(), kFixed);
  s.bodyAt.clear();
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    if (!isMobile(bodies[b])) continue;
    s.place[b] = static_cast<std::uint32_t>(s.bodyAt.size());
    s.bodyAt.push_back(b);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const PreparedContact& c : contacts) {
    const std::uint32_t a = s.place[c.side1.body], b = s.place[c.side2.body];
    if (a != kFixed && b != kFixed && a != b) edges.emplace_back(a, b);
  }
  std::vector<std::uint32_t> order;
  bandOrder(static_cast<std::uint32_t>(s.bodyAt.size()), edges, order);
  std::vector<std::uint32_t> newPlace(order.size()), bodyAt(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    newPlace[order[i]] = i;
    bodyAt[i] = s.bodyAt[order[i]];
  }
  s.bodyAt = bodyAt;
  s.blocks.clear();
  for (std::uint32_t i = 0; i < bodyAt.size(); ++i) {
    s.place[bodyAt[i]] = i;
    s.blocks.push_back(blockOf(bodies[bodyAt[i]]));
  }
  std::vector<std::uint32_t> first(bodyAt.size());
  for (std::uint32_t i = 0; i < first.size(); ++i) first[i] = i;
  for (const auto& [a, b] : edges) {
    const std::uint32_t low = std::min(newPlace[a], newPlace[b]);
    const std::uint32_t high = std::max(newPlace[a], newPlace[b]);
    first[high] = std::min(first[high], low);
  }
  s.firstColumn.resize(6 * first.size());
  for (std::uint32_t i = 0; i < s.firstColumn.size(); ++i) s.firstColumn[i] = 6 * first[i / 6];
  s.gradient.resize(6 * first.size());
  s.step.resize(6 * first.size());
  s.z.resize(contacts.size());
  s.slide.resize(contacts.size());
  s.rho.resize(contacts.size());
}

/// phi(v); with the gradient, and in `scale` the size of the terms it is made of.
double MultiplierNewton::Scratch::evaluate(std::span<const PreparedContact> contacts,
                                           std::span<const BodyVelocity> free,
                                           std::span<const BodyVelocity> v, std::span<const Vec3> r,
                                           bool withGradient, double& scale) {
  double phi = 0.0;
  if (withGradient) std::fill(gradient.begin(), gradient.end(), 0.0);
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const std::uint32_t b = bodyAt[i];
    const Vec3 dv = v[b].linear - free[b].linear, dw = v[b].angular - free[b].angular;
    const Vec3 p = scaled(blocks[i].mass, dv), l = blocks[i].inertia * dw;
    phi += 0.5 * (dot(p, dv) + dot(l, dw));
    if (!withGradient) continue;
    const double values[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
    for (int k = 0; k < 6; ++k) gradient[6 * i + k] = values[k];
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    const Vec3 zk = r[k] - (relativeVelocity(c, v) + slide[k]) * rho[k];
    const Vec3 projected = projectOnCone(zk, c.friction);
    phi += 0.5 * squaredNorm(projected) / rho[k];
    if (!withGradient) continue;
    z[k] = zk;
    scale = maxOf(scale, norm(projected));
    const double values[3] = {projected.x, projected.y, projected.z};
    for (int side = 0; side < 2; ++side) {
      const PreparedContact::Side& body = side == 0 ? c.side1 : c.side2;
      if (place[body.body] == kFixed) continue;
      for (int i = 0; i < 3; ++i) {
        double entries[6];
        row(body, c.axis[i], i, side == 0 ? 1.0 : -1.0, entries);
        for (int m = 0; m < 6; ++m) gradient[6 * place[body.body] + m] -= entries[m] * values[i];
      }
    }
  }
  return phi;
}

void MultiplierNewton::Scratch::addPair(const PreparedContact& c, const ConeDerivative& d,
                                        double rhoC) {
  const double dp[3][3] = {{d.nn, d.nt1, d.nt2}, {d.nt1, d.t11, d.t12}, {d.nt2, d.t12, d.t22}};
  double rows[2][3][6];
  const PreparedContact::Side* sides[2] = {&c.side1, &c.side2};
  for (int a = 0; a < 2; ++a) {
    if (place[sides[a]->body] == kFixed) continue;
    for (int i = 0; i < 3; ++i) row(*sides[a], c.axis[i], i, a == 0 ? 1.0 : -1.0, rows[a][i]);
  }
  for (int a = 0; a < 2; ++a) {
    if (place[sides[a]->body] == kFixed) continue;
    for (int b = 0; b < 2; ++b) {
      if (place[sides[b]->body] == kFixed) continue;
      const std::uint32_t rowAt = 6 * place[sides[a]->body], columnAt = 6 * place[sides[b]->body];
      if (columnAt > rowAt) continue;
      for (std::uint32_t m = 0; m < 6; ++m) {
        double left[3];
        for (int j = 0; j < 3; ++j) {
          left[j] = rhoC * ((rows[a][0][m] * dp[0][j] + rows[a][1][m] * dp[1][j]) +
                            rows[a][2][m] * dp[2][j]);
        }
        const std::uint32_t last = rowAt == columnAt ? m : 5;
        for (std::uint32_t n = 0; n <= last; ++n) {
          matrix.at(rowAt + m, columnAt + n) +=
              (left[0] * rows[b][0][n] + left[1] * rows[b][1][n]) + left[2] * rows[b][2][n];
        }
      }
    }
  }
}

void MultiplierNewton::Scratch::assemble(std::span<const PreparedContact> contacts) {
  matrix.reset(firstColumn);
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const double mass[3] = {blocks[i].mass.x, blocks[i].mass.y, blocks[i].mass.z};
    const double* inertia = &blocks[i].inertia.x.x;
    for (std::uint32_t k = 0; k < 3; ++k) {
      matrix.at(6 * i + k, 6 * i + k) += mass[k];
      for (std::uint32_t m = 0; m <= k; ++m) {
        matrix.at(6 * i + 3 + k, 6 * i + 3 + m) += inertia[3 * m + k];
      }
    }
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!(contacts[k].block.a > 0.0)) continue;
    addPair(contacts[k], coneDerivative(z[k], contacts[k].friction), rho[k]);
  }
}

MultiplierNewton::Result MultiplierNewton::advance(std::span<const PreparedContact> contacts,
                                                   std::span<const BodyVelocity> free,
                                                   std::span<const BodyVelocity> now, double kappa,
                                                   std::span<Vec3> impulses) {
  Scratch& s = *scratch_;
  Result result;
  s.velocities.assign(now.begin(), now.end());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    s.rho[k] = kappa / c.block.a;
    const Vec3 u = relativeVelocity(c, now);
    s.slide[k] = {c.friction * std::sqrt(u.y * u.y + u.z * u.z), 0.0, 0.0};
  }
  double scale = 0.0;
  double phi = s.evaluate(contacts, free, s.velocities, impulses, true, scale);
  for (int iteration = 0; iteration < kMaxNewtonSteps; ++iteration) {
    double largest = 0.0;
    for (const double g : s.gradient) largest = maxOf(largest, absOf(g));
    if (!isFinite(largest)) {
      result.finite = false;
      return result;
    }
    if (largest <= kGradientTolerance * scale) break;
    s.assemble(contacts);
    if (!s.matrix.factorise()) break;
    for (std::size_t i = 0; i < s.step.size(); ++i) s.step[i] = -s.gradient[i];
    s.matrix.solve(s.step);
    ++result.newtonSteps;
    double slope = 0.0;
    for (std::size_t i = 0; i < s.step.size(); ++i) slope += s.step[i] * s.gradient[i];
    if (!(slope < 0.0)) break;
    double length = 1.0;
    bool accepted = false;
    for (int halving = 0; halving < kMaxHalvings && !accepted; ++halving) {
      s.trial.assign(s.velocities.begin(), s.velocities.end());
      for (std::uint32_t i = 0; i < s.blocks.size(); ++i) {
        const double* d = s.step.data() + 6 * i;
        BodyVelocity& v = s.trial[s.bodyAt[i]];
        v.linear += Vec3{d[0], d[1], d[2]} * length;
        v.angular += Vec3{d[3], d[4], d[5]} * length;
      }
      const double trialPhi = s.evaluate(contacts, free, s.trial, impulses, false, scale);
      accepted = trialPhi <= phi + kArmijo * length * slope;
      if (!accepted) length *= 0.5;
    }
    // Near the minimum phi is flat to rounding and no decrease can be seen: trust the full step.
    if (!accepted && -slope <= 1e-12 * absOf(phi)) {
      for (std::uint32_t i = 0; i < s.blocks.size(); ++i) {
        const double* d = s.step.data() + 6 * i;
        BodyVelocity& v = s.velocities[s.bodyAt[i]];
        v.linear += Vec3{d[0], d[1], d[2]};
        v.angular += Vec3{d[3], d[4], d[5]};
      }
      phi = s.evaluate(contacts, free, s.velocities, impulses, true, scale);
      break;
    }
    if (!accepted) break;
    s.velocities.swap(s.trial);
    phi = s.evaluate(contacts, free, s.velocities, impulses, true, scale);
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (contacts[k].block.a > 0.0) impulses[k] = projectOnCone(s.z[k], contacts[k].friction);
  }
  return result;
}

}  // namespace abut
