// SPDX-License-Identifier: MIT
#include "joints/hidden_motion.hpp"

#include <cmath>

namespace abut::inline v0_1 {
namespace {

/// Rows that others leave less of than this part say nothing of their own, and motions that they
/// leave less of are none.
constexpr double kNothingLeft = 1e-9;
/// Accelerations by forces that differ by less than this part are one: gravity's.
constexpr double kSameForce = 1e-13;

double sizeOf(const Vec6& a) {
  return std::sqrt(dot(a, a));
}

bool isMobile(const Mechanism& m, std::uint32_t body) {
  return body != kWorldBody && m.bodies[body].isMobile;
}

Vec6 unitOf(int i) {
  Vec6 e{};
  e.part[i >> 1][i & 1] = 1.0;
  return e;
}

}  // namespace

double kineticEnergy(const Mechanism& m) {
  double sum = 0.0;
  for (const MechanismBody& b : m.bodies) sum += kineticEnergy(b);
  for (const MechanismJoint& j : m.joints) sum += energyOf(j).armatures;
  return sum;
}

double HiddenMotion::product(const Mechanism& m, const Motion& a, const Motion& b) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    const MechanismBody& body = m.bodies[i];
    if (!body.isMobile) continue;
    const Mat3 r = toMatrix(body.orientation);
    const Vec3 w1 = transposeTimes(r, angularPart(a[i])), w2 = transposeTimes(r, angularPart(b[i]));
    sum += body.mass * dot(linearPart(a[i]), linearPart(b[i])) + dot(w1, body.inertia * w2);
  }
  return sum;
}

/// Of a twist about the centre of mass, with its angular part times the radius.
void HiddenMotion::addRow(Vec6 row) {
  const double size = sizeOf(row);
  for (int pass = 0; pass < 2; ++pass) {
    for (const Vec6& other : rows_) row = row - other * dot(other, row);
  }
  const double left = sizeOf(row);
  if (left > kNothingLeft * size) rows_.push_back(row * (1.0 / left));
}

/// What joints to the world, or to bodies that move as prescribed, leave of rigid motions.
void HiddenMotion::addAnchors(const Mechanism& m) {
  is_anchored_ = false;
  bool isPlain = m.couplings.empty();
  for (const MechanismBody& b : m.bodies) {
    if (!b.isMobile) continue;
    is_anchored_ = is_anchored_ || b.locks != 0;
    isPlain = isPlain && b.locks == 0;
  }
  const auto placement = [&m](std::uint32_t b) {
    return b == kWorldBody ? Placement{} : placementOf(m.bodies[b]);
  };
  JointRates rates;
  for (const MechanismJoint& j : m.joints) {
    if (isMobile(m, j.body1) && isMobile(m, j.body2)) continue;
    is_anchored_ = true;
    rowRates(*j.model, placement(j.body1), placement(j.body2), 0.0, rates);
    for (const std::uint32_t b : {j.body1, j.body2}) {
      if (!isMobile(m, b)) continue;
      const Vec3 arm = m.bodies[b].position - center_;
      for (int r = 0; r < j.model->numRows; ++r) {
        const JointRow& row = j.model->rows[static_cast<std::size_t>(r)];
        const Vec6& rate = b == j.body1 ? rates.j1.row[r] : rates.j2.row[r];
        const Vec3 n = linearPart(rate);
        if (isAxisKind(row.kind)) {
          isPlain = isPlain && !((*j.axes)[row.axis].armature > 0.0);
          continue;
        }
        addRow(toVec6(n, (angularPart(rate) + cross(arm, n)) / radius_));
      }
    }
  }
  if (!is_anchored_) return;
  Vec3 force;
  const MechanismBody* first = nullptr;
  for (const MechanismBody& b : m.bodies) {
    if (!b.isMobile) continue;
    if (first == nullptr) first = &b;
    const Vec3 own = b.force / b.mass, other = first->force / first->mass;
    isPlain = isPlain && b.torque == Vec3{} && norm(own - other) <= kSameForce * norm(own);
    force += b.force;
  }
  const double size = norm(force);
  // Gravity leaves turns about itself, and ways across.
  if (isPlain && size > 0.0) {
    const Vec3 down = force / size;
    addRow(toVec6(down, Vec3{}));
    const Vec3 across = anyPerpendicular(down);
    addRow(toVec6(Vec3{}, across));
    addRow(toVec6(Vec3{}, cross(down, across)));
  }
  for (int i = 0; i < 6 && !isPlain; ++i) addRow(unitOf(i));
}

void HiddenMotion::addMotion(const Mechanism& m, const Vec6& twist) {
  if (motions_.size() == count_) motions_.emplace_back();
  Motion& motion = motions_[count_];
  motion.assign(m.bodies.size(), Vec6{});
  const Vec3 v = linearPart(twist), w = angularPart(twist) / radius_;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    const MechanismBody& b = m.bodies[i];
    if (b.isMobile) motion[i] = toVec6(v + cross(w, b.position - center_), w);
  }
  const double size = product(m, motion, motion);
  const auto subtract = [&motion](const Motion& other, double share) {
    for (std::size_t i = 0; i < motion.size(); ++i) motion[i] = motion[i] - other[i] * share;
  };
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t k = 0; k < count_; ++k) {
      subtract(motions_[k], product(m, motions_[k], motion));
    }
  }
  const double left = product(m, motion, motion);
  if (!(left > kNothingLeft * size)) return;
  for (Vec6& v6 : motion) v6 = v6 * (1.0 / std::sqrt(left));
  ++count_;
}

/// The rigid part of the velocities that momenta hold.
void HiddenMotion::findRigid(const Mechanism& m) {
  rows_.clear();
  count_ = 0;
  double mass = 0.0, moment = 0.0;
  center_ = {};
  for (const MechanismBody& b : m.bodies) {
    if (!b.isMobile) continue;
    mass += b.mass;
    center_ += b.position * b.mass;
  }
  center_ = center_ / mass;
  for (const MechanismBody& b : m.bodies) {
    if (!b.isMobile) continue;
    moment += b.mass * squaredNorm(b.position - center_) +
              ((b.inertia.x.x + b.inertia.y.y) + b.inertia.z.z);
  }
  radius_ = std::sqrt(moment / mass);
  addAnchors(m);
  // What is left of each direction once rows, and the ones before it, are taken out.
  const std::size_t held = rows_.size();
  for (int i = 0; i < 6 && rows_.size() < 6; ++i) {
    const std::size_t before = rows_.size();
    addRow(unitOf(i));
    if (rows_.size() > before) addMotion(m, rows_.back());
  }
  rows_.resize(held);
  rigid_.assign(m.bodies.size(), Vec6{});
  for (std::size_t k = 0; k < count_; ++k) {
    const double share = product(m, motions_[k], start_);
    for (std::size_t i = 0; i < rigid_.size(); ++i) {
      rigid_[i] = rigid_[i] + motions_[k][i] * share;
    }
  }
}

bool HiddenMotion::giveBack(Mechanism& m, double energy, double most) {
  start_.clear();
  for (const MechanismBody& b : m.bodies) start_.push_back(toVec6(b.velocity, b.spin));
  findRigid(m);
  for (std::size_t i = 0; i < start_.size(); ++i) start_[i] = start_[i] - rigid_[i];
  double within = 0.5 * product(m, start_, start_);
  for (const MechanismJoint& j : m.joints) within += energyOf(j).armatures;
  if (!(energy <= most * within)) return false;
  const double factor = std::sqrt(1.0 + energy / within);
  for (std::size_t i = 0; i < start_.size(); ++i) {
    MechanismBody& b = m.bodies[i];
    if (!b.isMobile) continue;
    const Vec6 v = rigid_[i] + start_[i] * factor;
    b.velocity = linearPart(v);
    b.spin = angularPart(v);
  }
  for (MechanismJoint& j : m.joints) {
    for (double& rate : j.memory.rotor) rate *= factor;
  }
  return true;
}

}  // namespace abut::inline v0_1
