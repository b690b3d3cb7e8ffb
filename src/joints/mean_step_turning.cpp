// SPDX-License-Identifier: MIT
//
// Newton's method with its true matrix. That which is eliminated is symmetric: it leaves out that
// the ends of arms and axes turn with the bodies, and spinning bodies with their momenta. Bodies
// that turn fast in a step are an iteration that hardly comes nearer then. What is left out is
// known, and small beside the rest: it is added by a few products.
#include "joints/cayley.hpp"
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {
namespace {

/// Of a solution, over what the symmetric matrix gives: an iteration squares errors no better.
constexpr double kExactEnough = 1e-3;
/// Below this length a direction is none.
constexpr double kNoLength = 1e-6;

/// v x as a matrix.
Mat3 crossOf(const Vec3& v) {
  return {{0.0, v.z, -v.y}, {-v.z, 0.0, v.x}, {v.y, -v.x, 0.0}};
}

const Vec3& column(const Mat3& m, int i) {
  return i == 0 ? m.x : (i == 1 ? m.y : m.z);
}

/// Of the direction of a vector, by that of the vector.
Vec3 turnOfDirection(const Vec3& v, const Vec3& change) {
  const double length = norm(v);
  if (!(length > kNoLength)) return {};
  const Vec3 n = v / length;
  return (change - n * dot(n, change)) / length;
}

}  // namespace

/// How the turn at the end changes with dt times the mean spin t: (1 + t/2 x) / (1 + t^2 / 4).
Vec3 MeanStep::turnBy(std::uint32_t body, const Vec3& spin) const {
  const Vec3 t = angularPart(of_[body].mean) * setting_.dt;
  return (spin + cross(t, spin) * 0.5) * (setting_.dt / (1.0 + 0.25 * squaredNorm(t)));
}

/// What the symmetric matrix leaves out, after factorise().
void MeanStep::findMissing(TurningWork& missing) const {
  missing.bodies.resize(of_.size());
  missing.joints.resize(joints_.size());
  for (std::size_t i = 0; i < of_.size(); ++i) {
    const MechanismBody& b = m_->bodies[i];
    TurningWork::OfBody& out = missing.bodies[i];
    out = {};
    if (!b.isMobile) continue;
    const BodyWork& w = of_[i];
    const Vec3 local = transposeTimes(w.rotation, angularPart(w.mean));
    const Vec3 spin = w.spin + (local - w.spin) * inverse_share_;
    const Mat3 whole = (w.next * b.inertia) * transpose(w.rotation) * inverse_share_;
    out.bySpin = whole + w.block * -1.0;
    out.byTurn = crossOf(w.next * (b.inertia * spin)) * -1.0;
  }
  for (std::uint32_t i = 0; i < joints_.size(); ++i) findMissing(i, missing);
}

void MeanStep::findMissing(std::uint32_t i, TurningWork& missing) const {
  const MechanismJoint& joint = m_->joints[i];
  const JointWorkspace& work = joints_[i];
  TurningWork::OfJoint& out = missing.joints[i];
  const auto end = [&](std::uint32_t b) {
    return b == kWorldBody ? Placement{} : Placement{of_[b].nextPosition, of_[b].next};
  };
  const auto middle = [&](std::uint32_t b) {
    return b == kWorldBody ? Placement{} : of_[b].middle;
  };
  const Placement end1 = end(joint.body1), end2 = end(joint.body2);
  out = {};
  out.end1 = end1.rotation * joint.model->frame1;
  out.end2 = end2.rotation * joint.model->frame2;
  out.middle1 = middle(joint.body1).rotation * joint.model->frame1;
  out.middle2 = middle(joint.body2).rotation * joint.model->frame2;
  JointRates rates;
  rowRates(*joint.model, end1, end2, 0.0, rates);
  Vec3 push;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    push += linearPart(work.rates.j2.row[r]) * work.rows[r].impulse;
  }
  const auto isMobile = [this](std::uint32_t b) {
    return b != kWorldBody && m_->bodies[b].isMobile;
  };
  if (isMobile(joint.body1)) {
    turnArm(joint.body1, joint.model->arm1, -push, missing.bodies[joint.body1].byTurn);
  }
  if (isMobile(joint.body2)) {
    turnArm(joint.body2, joint.model->arm2, push, missing.bodies[joint.body2].byTurn);
  }
  for (std::size_t r = 0; r < kJointRows; ++r) {
    const RowKind kind = joint.model->rows[r].kind;
    const bool isHeld = !isAxisKind(kind) || work.rows[r].point.isHeld;
    if (!(work.rows[r].gain > 0.0) || !isHeld || kind == RowKind::Stretch) continue;
    out.j1.row[r] = endRate(joint.body1, rates.j1.row[r]) - work.rates.j1.row[r];
    out.j2.row[r] = endRate(joint.body2, rates.j2.row[r]) - work.rates.j2.row[r];
  }
}

/// A force l at the arm of a body turns with it: half of it, since half of the arm is that at the
/// end.
void MeanStep::turnArm(std::uint32_t body, const Vec3& arm, const Vec3& l, Mat3& by) const {
  const Vec3 r = of_[body].next * arm, half = l * 0.5;
  const double along = dot(r, half);
  by = by + outer(r, half) * -1.0;
  by.x.x += along;
  by.y.y += along;
  by.z.z += along;
}

/// A rate at the end of the step, as one of mean velocities.
Vec6 MeanStep::endRate(std::uint32_t body, const Vec6& rate) const {
  if (body == kWorldBody) return rate;
  const Vec3 t = angularPart(of_[body].mean) * setting_.dt, a = angularPart(rate);
  const double part = 1.0 / (1.0 + 0.25 * squaredNorm(t));
  return toVec6(linearPart(rate), (a + cross(a, t) * 0.5) * part);
}

/// How the moment of a joint's rows on body 2 changes where bodies turn.
Vec3 MeanStep::momentByTurns(std::uint32_t i, const TurningWork::OfJoint& at, const Vec3& turn1,
                             const Vec3& turn2) const {
  const JointModel& model = *m_->joints[i].model;
  const Vec3 half1 = turn1 * 0.5, half2 = turn2 * 0.5;
  Vec3 sum;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    const double impulse = joints_[i].rows[r].impulse;
    const JointRow& row = model.rows[r];
    if (impulse == 0.0 || row.kind == RowKind::Point) continue;
    if (row.kind == RowKind::Dot) {
      const Vec3 a = cross(half1, column(at.end1, row.a)), b = cross(half2, column(at.end2, row.b));
      sum += (cross(b, column(at.middle1, row.a)) + cross(column(at.middle2, row.b), a)) * impulse;
    }
    if (row.kind == RowKind::TurnIn1) {
      const Vec3 change = cross(half1, column(at.end1, row.a));
      sum += turnOfDirection(column(at.middle1, row.a), change) * impulse;
    }
    if (row.kind == RowKind::TurnIn2) {
      const Vec3 change = cross(half2, column(at.end2, row.b));
      sum += turnOfDirection(column(at.middle2, row.b), change) * impulse;
    }
    if (row.kind != RowKind::Swing && row.kind != RowKind::Twist) continue;
    const Vec3 z1 = cross(half1, at.end1.z), z2 = cross(half2, at.end2.z);
    if (row.kind == RowKind::Swing) {
      const Vec3 change = cross(z1, at.middle2.z) + cross(at.middle1.z, z2);
      sum += turnOfDirection(cross(at.middle1.z, at.middle2.z), change) * impulse;
    } else {
      // (z1 + z2) / (1 + z1 z2), which is 2 s / s^2 of the sum s.
      const Vec3 s = at.middle1.z + at.middle2.z, change = z1 + z2;
      const double square = squaredNorm(s);
      if (!(square > kNoLength)) continue;
      sum += (change - s * (2.0 * dot(s, change) / square)) * (2.0 * impulse / square);
    }
  }
  return sum;
}

/// Minus what is left out, times velocities of the bodies, by node.
void MeanStep::multiplyMissing(std::span<const Vec6> x, TurningWork& missing) const {
  std::vector<Vec6>& out = missing.product;
  out.assign(graph_.numNodes, Vec6{});
  const std::size_t n = of_.size();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!m_->bodies[i].isMobile) continue;
    const TurningWork::OfBody& b = missing.bodies[i];
    const Vec3 w = angularPart(x[i]);
    out[i] = toVec6(Vec3{}, -(b.bySpin * w + b.byTurn * turnBy(i, w)));
  }
  for (std::uint32_t i = 0; i < joints_.size(); ++i) {
    const TurningWork::OfJoint& off = missing.joints[i];
    const std::uint32_t body[2] = {m_->joints[i].body1, m_->joints[i].body2};
    Vec3 turn[2];
    Vec6 sum{};
    for (int s = 0; s < 2; ++s) {
      if (body[s] == kWorldBody || !m_->bodies[body[s]].isMobile) continue;
      turn[s] = turnBy(body[s], angularPart(x[body[s]]));
      sum = minusProduct(sum, s == 0 ? off.j1 : off.j2, x[body[s]]);
    }
    out[n + i] = sum;
    const Vec6 moment = toVec6(Vec3{}, momentByTurns(i, off, turn[0], turn[1]));
    for (int s = 0; s < 2; ++s) {
      if (body[s] == kWorldBody || !m_->bodies[body[s]].isMobile) continue;
      out[body[s]] = s == 0 ? out[body[s]] - moment : out[body[s]] + moment;
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) out[i] = unlocked(i, out[i]);
}

void MeanStep::predictTurning(std::span<const Vec6> pushes, TurningWork& work) {
  predict(pushes);
  // Rows that hold the same thing twice must not be asked for what they cannot both have.
  if (setting_.kind != MotionKind::Mean || is_shared_) return;
  findMissing(work);
  const std::size_t n = of_.size();
  work.weights.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const MechanismBody& b = m_->bodies[i];
    const double inertia = (b.inertia.x.x + b.inertia.y.y + b.inertia.z.z) / 3.0;
    const Vec3 one{1.0, 1.0, 1.0};
    work.weights[i] = b.isMobile ? toVec6(one * b.mass, one * inertia) : Vec6{};
  }
  work.velocities.assign(change_.begin(), change_.begin() + static_cast<std::ptrdiff_t>(n));
  const auto multiply = [&](const std::vector<Vec6>& v, std::vector<Vec6>& out) {
    multiplyMissing(v, work);
    elimination_.solve(work.product);
    out.resize(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = work.product[i] * -1.0;
  };
  const int count = work.krylov.solve(work.weights, kExactEnough, work.velocities, multiply);
  if (count <= 0) return;
  // All nodes by these velocities: one product more.
  multiplyMissing(work.velocities, work);
  elimination_.solve(work.product);
  for (std::size_t i = 0; i < change_.size(); ++i) change_[i] = change_[i] + work.product[i];
}

}  // namespace abut::inline v0_1
