// SPDX-License-Identifier: MIT
//
// Bodies of a step: where they begin, what locks leave of their velocities, where they end.
#include "joints/cayley.hpp"
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {

/// A step leaves a body that is locked about some axes a little of a spin about them, which counts
/// as energy and not as motion. What is hit begins without it: locks take it away, by moments about
/// locked axes alone. A drive that stalls goes on along the axes that it holds.
void MeanStep::stopAtLocks(MechanismBody& b) {
  const std::uint8_t locks = b.locks;
  const Mat3 r = toMatrix(b.orientation);
  const Mat3 inertia = (r * b.inertia) * transpose(r);
  const double before = kineticEnergy(b);
  const Vec3 along = linearPart(b.carried), about = angularPart(b.carried);
  Vec3 momentum = inertia * b.spin - inertia * about;
  Mat3 matrix = inertia;
  Vec3* const columns[] = {&matrix.x, &matrix.y, &matrix.z};
  double* const parts[] = {&momentum.x, &momentum.y, &momentum.z};
  double* const linear[] = {&b.velocity.x, &b.velocity.y, &b.velocity.z};
  for (int k = 0; k < 3; ++k) {
    if ((locks >> k & 1) != 0) *linear[k] = (&along.x)[k];
    if ((locks >> (3 + k) & 1) == 0) continue;
    *parts[k] = (&about.x)[k];
    for (Vec3* column : columns) (k == 0 ? column->x : k == 1 ? column->y : column->z) = 0.0;
    *columns[k] = {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
  }
  if ((locks >> 3) != 0) b.spin = inverse(matrix) * momentum;
  b.excess += kineticEnergy(b) - before;
}

void MeanStep::startBody(std::size_t i) {
  MechanismBody& b = m_->bodies[i];
  if (setting_.kind == MotionKind::Impact && b.isMobile && b.locks != 0) stopAtLocks(b);
  BodyWork& w = of_[i];
  w.rotation = toMatrix(b.orientation);
  w.spin = transposeTimes(w.rotation, b.spin);
  w.start = toVec6(b.velocity, b.spin);
  w.mean = w.start;
  w.pushed = 0.0;
  if (!b.isMobile) {
    w.nextPosition = b.position;
    w.nextOrientation = b.orientation;
    if (setting_.kind == MotionKind::Mean) {
      w.nextPosition = b.nextPosition;
      w.nextOrientation = b.nextOrientation;
      w.mean = toVec6((w.nextPosition - b.position) / setting_.dt,
                      cayleyBetween(b.orientation, w.nextOrientation) / setting_.dt);
    }
    w.next = toMatrix(w.nextOrientation);
    w.middle = {(b.position + w.nextPosition) * 0.5, (w.rotation + w.next) * 0.5};
    w.inverseInertia = {{}, {}, {}};
    return;
  }
  const Mat3 turned = w.rotation * inverse(b.inertia);
  w.inverseInertia = turned * transpose(w.rotation);
  w.gyration = std::sqrt((b.inertia.x.x + b.inertia.y.y + b.inertia.z.z) / (3.0 * b.mass));
  if (setting_.kind == MotionKind::Mean && !setting_.isHeldUp) {
    w.mean = toVec6(b.velocity + b.force * (setting_.share * setting_.dt / b.mass), b.spin);
  }
  if (setting_.kind == MotionKind::Gaps) w.mean = w.start = Vec6{};
  const auto body = static_cast<std::uint32_t>(i);
  const bool isGaps = setting_.kind == MotionKind::Gaps;
  w.mean = isGaps ? unlocked(body, w.mean) : withCarried(body, w.mean);
  w.nextOrientation = b.orientation;
  w.nextPosition = b.position;
}

/// Freedom that is locked in the world takes no part.
Vec6 MeanStep::unlocked(std::uint32_t body, const Vec6& v) const {
  const std::uint8_t locks = m_->bodies[body].locks;
  if (locks == 0) return v;
  double e[6];
  for (int i = 0; i < 6; ++i) e[i] = (locks >> i & 1) != 0 ? 0.0 : v[i];
  return makeVec6(e[0], e[1], e[2], e[3], e[4], e[5]);
}

/// A velocity whose part along locked axes is what a drive goes on with there; of all others zero.
Vec6 MeanStep::withCarried(std::uint32_t body, const Vec6& v) const {
  const MechanismBody& b = m_->bodies[body];
  if (b.locks == 0) return v;
  double e[6];
  for (int i = 0; i < 6; ++i) e[i] = (b.locks >> i & 1) != 0 ? b.carried[i] : v[i];
  return makeVec6(e[0], e[1], e[2], e[3], e[4], e[5]);
}

/// Where a body is at the end and in the middle, by its mean velocity.
void MeanStep::placeBody(std::size_t i) {
  const MechanismBody& b = m_->bodies[i];
  BodyWork& w = of_[i];
  w.stiffness = {{}, {}, {}};
  if (!b.isMobile) return;
  if (setting_.kind == MotionKind::Mean) {
    w.nextPosition = b.position + linearPart(w.mean) * setting_.dt;
    w.nextOrientation = normalized(cayley(angularPart(w.mean) * setting_.dt) * b.orientation);
  } else if (setting_.kind == MotionKind::Gaps) {
    w.nextPosition = b.position;
    w.nextOrientation = b.orientation;
    w.rotation = toMatrix(b.orientation);
  }
  w.next = toMatrix(w.nextOrientation);
  w.middle = {(b.position + w.nextPosition) * 0.5, (w.rotation + w.next) * 0.5};
}

}  // namespace abut::inline v0_1
