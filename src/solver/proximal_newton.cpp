// SPDX-License-Identifier: MIT
#include "solver/proximal_newton.hpp"

#include <algorithm>
#include <utility>

#include "solver/allowance.hpp"
#include "solver/skyline.hpp"

namespace abut {
namespace {

constexpr std::uint32_t kFixed = 0xffffffffu;
constexpr int kMaxNewtonSteps = 20;
constexpr int kMaxHalvings = 12;
/// Least share of the defect that a step must take away, for a step of full length.
constexpr double kArmijo = 1e-4;
/// Steps that do not lessen the defect are taken this far, and this often, to leave a kink.
constexpr double kForcedLength = 0.3;
constexpr int kMaxForced = 2;
/// The squared defect counts as zero below this part of the squares of the terms it is made of, and
/// as near enough below the second where no step lessens it any more.
constexpr double kZero = 1e-32, kNearlyZero = 1e-28;

/// Mass matrix of a body: 6 x 6, two 3 x 3 blocks; locked axes carry a 1 and no lever.
struct BodyBlock {
  Vec3 mass;
  Mat3 inertia;
  Vec3 freeLinear, freeAngular;  // 1 or 0 for each axis.
  BodyMobility mobility;
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
  block.mobility = m;
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

/// A contact's six rows for one body.
struct BodyRows {
  std::uint32_t place;
  double row[6][6];
};

}  // namespace

struct ProximalNewton::Scratch {
  std::vector<BodyBlock> blocks;     // Of mobile bodies, in band order.
  std::vector<std::uint32_t> place;  // Of each body; kFixed for the others.
  std::vector<std::uint32_t> bodyAt;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::vector<std::uint32_t> order, newPlace, first, firstColumn;
  BandOrder bandOrder;
  SkylineMatrix matrix;
  std::vector<double> defect, trialDefect, step;
  std::vector<BodyVelocity> velocities, trial;
  std::vector<Vec3> z, trialZ;  // Of the contacts, then of the couples.
  std::vector<double> rho;      // Likewise.

  std::span<const PreparedContact> contacts;
  std::span<const PreparedCouple> couples;
  std::span<const BodyVelocity> free;
  std::span<const Vec3> center;

  void setRow(const PreparedContact::Side& side, const Vec3 (&axis)[3], double sign, int count,
              BodyRows& rows) const;
  void subtract(const BodyRows& rows, const Vec3& values, int firstRow,
                std::vector<double>& d) const;
  double evaluate(std::span<const BodyVelocity> v, std::vector<double>& d,
                  std::vector<Vec3>& zs) const;
  double termsSquared() const;
  void assemble();
  void addBlock(const BodyRows& a, const BodyRows& b, const AllowanceDerivative& allowance,
                double rhoForce, double rhoCouple, int numRows);
  void move(double length);
};

ProximalNewton::ProximalNewton() : scratch_(std::make_unique<Scratch>()) {}
ProximalNewton::~ProximalNewton() = default;

void ProximalNewton::begin(std::span<const BodyMobility> bodies,
                           std::span<const PreparedContact> contacts) {
  Scratch& s = *scratch_;
  s.place.assign(bodies.size(), kFixed);
  s.bodyAt.clear();
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    if (!isMobile(bodies[b])) continue;
    s.place[b] = static_cast<std::uint32_t>(s.bodyAt.size());
    s.bodyAt.push_back(b);
  }
  s.edges.clear();
  for (const PreparedContact& c : contacts) {
    const std::uint32_t a = s.place[c.side1.body], b = s.place[c.side2.body];
    if (a != kFixed && b != kFixed && a != b) s.edges.emplace_back(a, b);
  }
  s.bandOrder.find(static_cast<std::uint32_t>(s.bodyAt.size()), s.edges, s.order);
  s.newPlace.resize(s.order.size());
  for (std::uint32_t i = 0; i < s.order.size(); ++i) {
    s.newPlace[s.order[i]] = i;
    s.order[i] = s.bodyAt[s.order[i]];
  }
  s.bodyAt = s.order;
  s.blocks.clear();
  for (std::uint32_t i = 0; i < s.bodyAt.size(); ++i) {
    s.place[s.bodyAt[i]] = i;
    s.blocks.push_back(blockOf(bodies[s.bodyAt[i]]));
  }
  s.first.resize(s.bodyAt.size());
  for (std::uint32_t i = 0; i < s.first.size(); ++i) s.first[i] = i;
  for (const auto& [a, b] : s.edges) {
    const std::uint32_t low = std::min(s.newPlace[a], s.newPlace[b]);
    const std::uint32_t high = std::max(s.newPlace[a], s.newPlace[b]);
    s.first[high] = std::min(s.first[high], low);
  }
  s.firstColumn.resize(6 * s.first.size());
  for (std::uint32_t i = 0; i < s.firstColumn.size(); ++i) s.firstColumn[i] = 6 * s.first[i / 6];
  s.step.resize(6 * s.first.size());
}

double ProximalNewton::stepCost() const {
  double sum = 0.0;
  const std::vector<std::uint32_t>& first = scratch_->firstColumn;
  for (std::uint32_t i = 0; i < first.size(); ++i) {
    const double length = i - first[i] + 1.0;
    sum += length * length;
  }
  return sum;
}

/// Rows of one body: the contact's three, and with count = 6 the turning about its axes.
void ProximalNewton::Scratch::setRow(const PreparedContact::Side& side, const Vec3 (&axis)[3],
                                     double sign, int count, BodyRows& rows) const {
  rows.place = place[side.body];
  if (rows.place == kFixed) return;
  const BodyBlock& block = blocks[rows.place];
  for (int i = 0; i < count; ++i) {
    const Vec3 a = i < 3 ? scaled(axis[i], block.freeLinear) * sign : Vec3{};
    const Vec3 b = scaled(i < 3 ? side.lever[i] : axis[i - 3], block.freeAngular) * sign;
    double* out = rows.row[i];
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
    out[3] = b.x;
    out[4] = b.y;
    out[5] = b.z;
  }
}

void ProximalNewton::Scratch::subtract(const BodyRows& rows, const Vec3& values, int firstRow,
                                       std::vector<double>& d) const {
  if (rows.place == kFixed) return;
  const auto& r = rows.row;
  for (int m = 0; m < 6; ++m) {
    d[6 * rows.place + static_cast<std::uint32_t>(m)] -=
        (r[firstRow][m] * values.x + r[firstRow + 1][m] * values.y) + r[firstRow + 2][m] * values.z;
  }
}

/// The defect of the equation at v, and its square in the norm of the inverse masses.
double ProximalNewton::Scratch::evaluate(std::span<const BodyVelocity> v, std::vector<double>& d,
                                         std::vector<Vec3>& zs) const {
  d.resize(6 * blocks.size());
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const std::uint32_t b = bodyAt[i];
    const Vec3 p = scaled(blocks[i].mass, v[b].linear - free[b].linear);
    const Vec3 l = blocks[i].inertia * (v[b].angular - free[b].angular);
    const double values[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
    for (std::uint32_t k = 0; k < 6; ++k) d[6 * i + k] = values[k];
  }
  std::size_t next = 0;
  BodyRows rows;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    const bool turns = next < couples.size() && couples[next].contact == k;
    const std::size_t at = contacts.size() + next;
    if (turns) ++next;
    if (!(c.block.a > 0.0)) continue;
    zs[k] = center[k] - relativeVelocity(c, v) * rho[k];
    if (turns) zs[at] = center[at] - relativeTurning(couples[next - 1], v) * rho[at];
    if (!(zs[k].x > 0.0)) continue;
    const Vec3 push = allowedImpulse(zs[k], c.friction);
    const Vec3 couple = turns ? limitCouple(couples[next - 1], zs[at], zs[k].x) : Vec3{};
    for (int side = 0; side < 2; ++side) {
      setRow(side == 0 ? c.side1 : c.side2, c.axis, side == 0 ? 1.0 : -1.0, turns ? 6 : 3, rows);
      subtract(rows, push, 0, d);
      if (turns) subtract(rows, couple, 3, d);
    }
  }
  double square = 0.0;
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const double* x = d.data() + 6 * i;
    const Vec3 p = {x[0], x[1], x[2]}, l = {x[3], x[4], x[5]};
    square += dot(p, scaled(blocks[i].mobility.inverseMass, p)) +
              dot(l, blocks[i].mobility.inverseInertia * l);
  }
  return square;
}

/// What the defect is a difference of, in the same norm.
double ProximalNewton::Scratch::termsSquared() const {
  double sum = 0.0;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    if (!(c.block.a > 0.0)) continue;
    const double term = (norm(z[k]) + norm(center[k])) + rho[k] * speedAt(c, velocities);
    sum += c.block.a * (term * term);
  }
  return sum;
}

/// Adds rows(a)^T D rows(b) for the bodies a and b of a contact.
void ProximalNewton::Scratch::addBlock(const BodyRows& a, const BodyRows& b,
                                       const AllowanceDerivative& allowance, double rhoForce,
                                       double rhoCouple, int numRows) {
  double right[6][6];  // D rows(b).
  const DiskDerivative &slide = allowance.slide, &roll = allowance.roll;
  for (int n = 0; n < 6; ++n) {
    const double normal = rhoForce * b.row[0][n];
    const double x = rhoForce * b.row[1][n], y = rhoForce * b.row[2][n];
    right[0][n] = normal;
    right[1][n] = slide.byNormal1 * normal + (slide.d11 * x + slide.d12 * y);
    right[2][n] = slide.byNormal2 * normal + (slide.d12 * x + slide.d22 * y);
    if (numRows == 3) continue;
    const double s = rhoCouple * b.row[3][n];
    const double p = rhoCouple * b.row[4][n], q = rhoCouple * b.row[5][n];
    right[3][n] = allowance.spinByNormal * normal + allowance.spin * s;
    right[4][n] = roll.byNormal1 * normal + (roll.d11 * p + roll.d12 * q);
    right[5][n] = roll.byNormal2 * normal + (roll.d12 * p + roll.d22 * q);
  }
  for (std::uint32_t m = 0; m < 6; ++m) {
    for (std::uint32_t n = 0; n < 6; ++n) {
      double sum = 0.0;
      for (int i = 0; i < numRows; ++i) sum += a.row[i][m] * right[i][n];
      matrix.at(6 * a.place + m, 6 * b.place + n) += sum;
    }
  }
}

void ProximalNewton::Scratch::assemble() {
  matrix.reset(firstColumn);
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const double mass[3] = {blocks[i].mass.x, blocks[i].mass.y, blocks[i].mass.z};
    const double* inertia = &blocks[i].inertia.x.x;
    for (std::uint32_t k = 0; k < 3; ++k) {
      matrix.at(6 * i + k, 6 * i + k) += mass[k];
      for (std::uint32_t m = 0; m < 3; ++m) {
        matrix.at(6 * i + 3 + k, 6 * i + 3 + m) += inertia[3 * m + k];
      }
    }
  }
  std::size_t next = 0;
  BodyRows rows[2];
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = contacts[k];
    const bool turns = next < couples.size() && couples[next].contact == k;
    const std::size_t at = contacts.size() + next;
    if (turns) ++next;
    if (!(c.block.a > 0.0) || !(z[k].x > 0.0)) continue;
    AllowanceDerivative allowance(z[k], c.friction);
    if (turns) allowance.addCouple(couples[next - 1], z[at], z[k].x);
    const int numRows = turns ? 6 : 3;
    setRow(c.side1, c.axis, 1.0, numRows, rows[0]);
    setRow(c.side2, c.axis, -1.0, numRows, rows[1]);
    for (const BodyRows& a : rows) {
      for (const BodyRows& b : rows) {
        if (a.place == kFixed || b.place == kFixed) continue;
        addBlock(a, b, allowance, rho[k], turns ? rho[at] : 0.0, numRows);
      }
    }
  }
}

/// Sets the trial velocities a part of the step ahead.
void ProximalNewton::Scratch::move(double length) {
  trial.assign(velocities.begin(), velocities.end());
  for (std::uint32_t i = 0; i < blocks.size(); ++i) {
    const double* d = step.data() + 6 * i;
    BodyVelocity& v = trial[bodyAt[i]];
    v.linear += Vec3{d[0], d[1], d[2]} * length;
    v.angular += Vec3{d[3], d[4], d[5]} * length;
  }
}

ProximalNewton::Result ProximalNewton::advance(std::span<const PreparedContact> contacts,
                                               std::span<const PreparedCouple> couples,
                                               std::span<const BodyVelocity> free,
                                               std::span<const BodyVelocity> now, double kappa,
                                               std::span<Vec3> impulses) {
  Scratch& s = *scratch_;
  Result result;
  s.contacts = contacts;
  s.couples = couples;
  s.free = free;
  s.center = impulses;
  s.velocities.assign(now.begin(), now.end());
  s.z.assign(impulses.size(), Vec3{});
  s.trialZ.assign(impulses.size(), Vec3{});
  s.rho.assign(impulses.size(), 0.0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (contacts[k].block.a > 0.0) s.rho[k] = kappa / contacts[k].block.a;
  }
  for (std::size_t k = 0; k < couples.size(); ++k) {
    if (couples[k].response > 0.0) s.rho[contacts.size() + k] = kappa / couples[k].response;
  }
  double square = s.evaluate(s.velocities, s.defect, s.z);
  for (int forced = 0; result.newtonSteps < kMaxNewtonSteps;) {
    const double terms = s.termsSquared();
    if (!isFinite(square)) return result;
    result.solved = square <= kZero * terms;
    if (result.solved) break;
    s.assemble();
    if (!s.matrix.factorise()) return result;
    for (std::size_t i = 0; i < s.step.size(); ++i) s.step[i] = -s.defect[i];
    s.matrix.solve(s.step);
    ++result.newtonSteps;
    double length = 1.0, trialSquare = 0.0;
    bool accepted = false;
    for (int halving = 0; halving < kMaxHalvings && !accepted; ++halving) {
      s.move(length);
      trialSquare = s.evaluate(s.trial, s.trialDefect, s.trialZ);
      const double least = 1.0 - kArmijo * length;
      accepted = trialSquare < least * least * square;
      if (!accepted) length *= 0.5;
    }
    if (!accepted) {
      result.solved = square <= kNearlyZero * terms;
      if (result.solved) break;
      if (++forced > kMaxForced) return result;
      s.move(kForcedLength);
      trialSquare = s.evaluate(s.trial, s.trialDefect, s.trialZ);
    }
    s.velocities.swap(s.trial);
    s.defect.swap(s.trialDefect);
    s.z.swap(s.trialZ);
    square = trialSquare;
  }
  if (!result.solved) return result;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (contacts[k].block.a > 0.0) impulses[k] = allowedImpulse(s.z[k], contacts[k].friction);
  }
  for (std::size_t k = 0; k < couples.size(); ++k) {
    impulses[contacts.size() + k] =
        limitCouple(couples[k], s.z[contacts.size() + k], impulses[couples[k].contact].x);
  }
  return result;
}

}  // namespace abut
