// SPDX-License-Identifier: MIT
#include "joints/mean_step.hpp"

#include "joints/cayley.hpp"
#include "joints/positive_part.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNoEdge = 0xffffffffu;
constexpr double kEpsilon = 2.2204460492503131e-16;

/// Ways shorter than this are as good as dt times the rate [rad]: their ratio is 1 up to a twelfth
/// of the square, and known to rounding over the way only.
constexpr double kShortWay = 1e-5;
constexpr double kMostArc = 2.0;

/// No bound on the speeds that rounding is taken of.
constexpr double kAnySpeed = 1e300;

constexpr Placement kWorldPlacement{};

/// Whether the sum of two symmetric matrices is positive definite.
bool outweighs(const Mat3& a, const Mat3& b) {
  const Mat3 m = a + b;
  const double minor = m.x.x * m.y.y - m.x.y * m.x.y;
  return m.x.x > 0.0 && minor > 0.0 && dot(m.z, cross(m.x, m.y)) > 0.0;
}

}  // namespace

void MeanStep::begin(Mechanism& mechanism, const MotionSetting& setting) {
  m_ = &mechanism;
  setting_ = setting;
  inverse_share_ = setting.kind == MotionKind::Mean ? 1.0 / setting.share : 1.0;
  makeGraph();
  of_.resize(m_->bodies.size());
  for (std::size_t i = 0; i < of_.size(); ++i) startBody(i);
  joints_.resize(m_->joints.size());
  startRows();
  is_start_ = true;
  is_evaluated_ = false;
  is_shared_ = false;
  is_rigid_ = setting.followsDrivers && isRigid();
}

void MeanStep::makeGraph() {
  const auto n = static_cast<std::uint32_t>(m_->bodies.size());
  graph_.numBodies = n;
  graph_.numNodes = n;
  graph_.edges.clear();
  graph_.isLocked.assign(n, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const MechanismBody& b = m_->bodies[i];
    graph_.isLocked[i] = !b.isMobile || b.locks != 0 ? 1 : 0;
  }
  const auto connect = [this](std::uint32_t body) {
    if (body == kWorldBody || !m_->bodies[body].isMobile) return kNoEdge;
    graph_.edges.push_back({graph_.numNodes, body});
    return static_cast<std::uint32_t>(graph_.edges.size() - 1);
  };
  edges_of_.clear();
  for (const MechanismJoint& j : m_->joints) {
    const std::uint32_t first = connect(j.body1), second = connect(j.body2);
    edges_of_.push_back({first, second});
    ++graph_.numNodes;
  }
  couplings_.resize(m_->couplings.size());
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    CouplingWork& work = couplings_[c];
    work.numBodies = 0;
    const MechanismJoint& j1 = m_->joints[m_->couplings[c].joint1];
    const MechanismJoint& j2 = m_->joints[m_->couplings[c].joint2];
    for (const std::uint32_t b : {j1.body1, j1.body2, j2.body1, j2.body2}) {
      bool known = b == kWorldBody;
      for (int k = 0; k < work.numBodies; ++k) known = known || work.body[k] == b;
      if (known) continue;
      work.edge[work.numBodies] = connect(b);
      work.body[work.numBodies++] = b;
    }
    ++graph_.numNodes;
  }
  elimination_.prepare(graph_);
  change_.resize(graph_.numNodes);
  right_.resize(graph_.numNodes);
}

void MeanStep::startRows() {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    joints_[i].moment = {};
    joints_[i].work = 0.0;
    for (std::size_t r = 0; r < kJointRows; ++r) {
      RowWork& row = joints_[i].rows[r];
      row = {};
      if (setting_.kind == MotionKind::Mean)
        row.impulse = m_->joints[i].memory.force[r] * setting_.dt;
      row.next = m_->joints[i].memory.position[r];
    }
  }
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    couplings_[c].row = {};
    if (setting_.kind == MotionKind::Mean)
      couplings_[c].row.impulse = m_->couplings[c].force * setting_.dt;
  }
}

double MeanStep::rateOf(const Vec6& rate, std::uint32_t body) const {
  return body == kWorldBody ? 0.0 : dot(rate, of_[body].mean);
}

/// n M^-1 n of a row's rate on a body that nothing else holds.
double MeanStep::responseOf(const Vec6& rate, std::uint32_t body) const {
  if (body == kWorldBody || !m_->bodies[body].isMobile) return 0.0;
  const Vec6 free = unlocked(body, rate);
  const Vec3 n = linearPart(free), a = angularPart(free);
  return (squaredNorm(n) / m_->bodies[body].mass + dot(a, of_[body].inverseInertia * a)) /
         inverse_share_;
}

/// Rates, gaps and laws of a joint at the present velocities.
void MeanStep::evaluate(std::size_t i) {
  MechanismJoint& joint = m_->joints[i];
  JointWorkspace& work = joints_[i];
  const JointModel& model = *joint.model;
  const auto middle = [&](std::uint32_t b) {
    return b == kWorldBody ? kWorldPlacement : of_[b].middle;
  };
  const auto end = [&](std::uint32_t b) {
    return b == kWorldBody ? kWorldPlacement : Placement{of_[b].nextPosition, of_[b].next};
  };
  RowPositions next;
  rowPositions(model, end(joint.body1), end(joint.body2), next);
  rowGaps(model, end(joint.body1), end(joint.body2), work.gaps);
  double stretch = 0.0;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    if (model.rows[r].kind == RowKind::Stretch) stretch = joint.memory.position[r] + next[r];
  }
  rowRates(model, middle(joint.body1), middle(joint.body2), stretch, work.rates);
  for (std::size_t r = 0; r < kJointRows; ++r) {
    RowWork& row = work.rows[r];
    const bool turns = isTurnKind(model.rows[r].kind);
    row.next = turns ? unwound(next[r], joint.memory.position[r]) : next[r];
    const Vec6 &j1 = work.rates.j1.row[r], &j2 = work.rates.j2.row[r];
    row.rate = rateOf(j1, joint.body1) + rateOf(j2, joint.body2);
    if (!(setting_.isOfHeap && row.response > 0.0)) {
      row.response = responseOf(j1, joint.body1) + responseOf(j2, joint.body2);
    }
    if (is_start_) row.startRate = row.rate;
    const double way = setting_.dt * row.rate;
    row.arc = turns && absOf(way) > kShortWay ? (row.next - joint.memory.position[r]) / way : 1.0;
    // Where swings turn an axis more than its rate does, its forces are not to grow with that.
    if (!(row.arc > 1.0 / kMostArc && row.arc < kMostArc)) row.arc = 1.0;
  }
  const TwistRows twist = sprungTwistOf(joint);
  const bool hasSpring = twist.isThere && setting_.kind == MotionKind::Mean;
  if (hasSpring) fadeTwist(joint, twist, setting_.dt, work);
  for (std::size_t r = 0; r < kJointRows; ++r) settleRow(joint, work, r);
  if (hasSpring) balanceTwist(joint, twist, work);
}

/// What a row asks of Newton's method.
void MeanStep::settleRow(const MechanismJoint& joint, JointWorkspace& work, std::size_t r) {
  RowWork& row = work.rows[r];
  const RowKind kind = joint.model->rows[r].kind;
  row.gain = row.right = 0.0;
  if (kind == RowKind::None || !(row.response > 0.0)) {
    row.impulse = 0.0;
    if (isAxisKind(kind)) work.laws[r] = {};
    return;
  }
  if (!isAxisKind(kind)) {
    row.gain = regularOf(row.response, false);
    row.right = -row.rate;
    if (setting_.followsDrivers && !is_rigid_) row.right += row.startRate - shiftOf(joint, work, r);
    if (setting_.kind == MotionKind::Mean) row.right = -work.gaps[r] / setting_.dt;
    if (setting_.kind == MotionKind::Gaps) row.right = -work.gaps[r];
    return;
  }
  if (setting_.kind == MotionKind::Gaps) return;
  AxisLaw& law = work.laws[r];
  law = setting_.kind == MotionKind::Mean ? lawOf(joint, work, r) : impactLawOf(joint, work, r);
  row.point = meet(law, row.rate, row.impulse, row.response);
  if (row.point.isHeld) {
    row.gain = regularOf(row.response, true);
    row.right = row.point.rate - row.rate;
  } else if (row.point.slope > 0.0) {
    row.gain = 1.0 / row.point.slope;
    row.right = (row.point.impulse - row.impulse) * row.gain - (row.rate - row.point.rate);
  } else {
    row.impulse = row.point.impulse;
  }
}

/// The rates of two axes together.
void MeanStep::evaluate(MechanismCoupling& c, CouplingWork& work) {
  const MechanismJoint &j1 = m_->joints[c.joint1], &j2 = m_->joints[c.joint2];
  const JointWorkspace &w1 = joints_[c.joint1], &w2 = joints_[c.joint2];
  RowWork& row = work.row;
  row.rate = row.response = 0.0;
  for (int k = 0; k < work.numBodies; ++k) {
    Vec6 sum{};
    if (work.body[k] == j1.body1) sum = sum - w1.rates.j1.row[c.row1] * c.ratio;
    if (work.body[k] == j1.body2) sum = sum - w1.rates.j2.row[c.row1] * c.ratio;
    if (work.body[k] == j2.body1) sum = sum + w2.rates.j1.row[c.row2];
    if (work.body[k] == j2.body2) sum = sum + w2.rates.j2.row[c.row2];
    work.rates[k] = sum;
    row.rate += rateOf(sum, work.body[k]);
    row.response += responseOf(sum, work.body[k]);
  }
  const double s1 = w1.rows[static_cast<std::size_t>(c.row1)].next;
  const double s2 = w2.rows[static_cast<std::size_t>(c.row2)].next;
  const double gap = (s2 - c.ratio * s1) - c.offset;
  row.gain = regularOf(row.response, false);
  row.right = -row.rate;
  if (setting_.followsDrivers) {
    if (is_start_) row.startRate = row.rate;
    const double shift = shiftOf(j2, w2, static_cast<std::size_t>(c.row2)) -
                         c.ratio * shiftOf(j1, w1, static_cast<std::size_t>(c.row1));
    row.right += row.startRate - shift;
  }
  if (setting_.kind == MotionKind::Mean) row.right = -gap / setting_.dt;
  if (setting_.kind == MotionKind::Gaps) row.right = -gap;
  if (!(row.response > 0.0)) row.gain = row.right = row.impulse = 0.0;
}

/// A force l at an arm r of a body that turns changes its moment: dt/2 ((r l) 1 - r l^T), of which
/// the symmetric part is taken.
void MeanStep::addStiffness(const MechanismJoint& joint, const JointWorkspace& work) {
  Vec3 push;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    push += linearPart(work.rates.j2.row[r]) * work.rows[r].impulse;
  }
  const auto add = [&](std::uint32_t body, const Vec3& arm, const Vec3& l) {
    if (body == kWorldBody || !m_->bodies[body].isMobile) return;
    BodyWork& w = of_[body];
    const Vec3 r = w.next * arm;
    const double along = dot(r, l);
    Mat3 k = (outer(r, l) + outer(l, r)) * -0.5;
    k.x.x += along;
    k.y.y += along;
    k.z.z += along;
    w.stiffness = w.stiffness + k * (0.5 * setting_.dt);
    w.pushed = maxOf(w.pushed, norm(l) / m_->bodies[body].mass);
  };
  add(joint.body1, joint.model->arm1, -push);
  add(joint.body2, joint.model->arm2, push);
}

void MeanStep::assembleBodies() {
  for (std::uint32_t i = 0; i < of_.size(); ++i) {
    const MechanismBody& b = m_->bodies[i];
    BodyWork& w = of_[i];
    Mat6& block = elimination_.diagonal(i);
    if (!b.isMobile) {
      for (int k = 0; k < 6; ++k) block.row[k].part[k >> 1][k & 1] = 1.0;
      continue;
    }
    Mat3 half = w.rotation;
    if (setting_.kind == MotionKind::Mean) {
      half = toMatrix(cayley(angularPart(w.mean) * (0.5 * setting_.dt))) * w.rotation;
    }
    Mat3 inertia = (half * b.inertia) * transpose(half) * inverse_share_;
    if (setting_.kind == MotionKind::Mean) {
      const bool asItIs = setting_.isOfHeap && outweighs(inertia * 0.5, w.stiffness);
      inertia = inertia + (asItIs ? w.stiffness : positivePart(w.stiffness));
    }
    w.block = inertia;
    const Vec3 rows[3] = {inertia.x, inertia.y, inertia.z};
    const double m = b.mass * inverse_share_;
    block.row[0] = makeVec6(m, 0.0, 0.0, 0.0, 0.0, 0.0);
    block.row[1] = makeVec6(0.0, m, 0.0, 0.0, 0.0, 0.0);
    block.row[2] = makeVec6(0.0, 0.0, m, 0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) block.row[3 + k] = toVec6(Vec3{}, rows[k]);
    if (b.locks == 0) continue;
    for (int k = 0; k < 6; ++k) {
      const bool isLocked = (b.locks >> k & 1) != 0;
      block.row[k] = isLocked ? Vec6{} : unlocked(i, block.row[k]);
      if (isLocked) block.row[k].part[k >> 1][k & 1] = 1.0;
    }
  }
}

void MeanStep::assembleRows() {
  const auto n = static_cast<std::uint32_t>(of_.size());
  const auto setDiagonal = [this](std::uint32_t node, int r, double gain) {
    elimination_.diagonal(node).row[r].part[r >> 1][r & 1] = gain > 0.0 ? -gain : -1.0;
  };
  for (std::uint32_t i = 0; i < joints_.size(); ++i) {
    const JointWorkspace& work = joints_[i];
    for (int r = 0; r < kJointRows; ++r) {
      setDiagonal(n + i, r, work.rows[static_cast<std::size_t>(r)].gain);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t edge = edges_of_[i][side];
      if (edge == kNoEdge) continue;
      Mat6 j = side == 0 ? work.rates.j1 : work.rates.j2;
      for (int r = 0; r < kJointRows; ++r) {
        const bool isOn = work.rows[static_cast<std::size_t>(r)].gain > 0.0;
        j.row[r] = isOn ? unlocked(graph_.edges[edge].body, j.row[r]) : Vec6{};
      }
      elimination_.setEdge(edge, j);
    }
  }
  for (std::uint32_t c = 0; c < couplings_.size(); ++c) {
    const CouplingWork& work = couplings_[c];
    const auto node = n + static_cast<std::uint32_t>(joints_.size()) + c;
    setDiagonal(node, 0, work.row.gain);
    for (int r = 1; r < kJointRows; ++r) setDiagonal(node, r, 0.0);
    for (int k = 0; k < work.numBodies; ++k) {
      if (work.edge[k] == kNoEdge) continue;
      Mat6 j{};
      if (work.row.gain > 0.0) j.row[0] = unlocked(work.body[k], work.rates[k]);
      elimination_.setEdge(work.edge[k], j);
    }
  }
}

void MeanStep::addImpulses(std::uint32_t body, const Mat6& rates, const JointWorkspace& work) {
  if (body == kWorldBody || !m_->bodies[body].isMobile) return;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    right_[body] = right_[body] + rates.row[r] * (work.rows[r].impulse + work.rows[r].limit);
  }
}

void MeanStep::addMoment(std::uint32_t body, const Vec3& moment) {
  if (body == kWorldBody || !m_->bodies[body].isMobile || moment == Vec3{}) return;
  right_[body] = right_[body] + toVec6(Vec3{}, moment);
}

/// Minus what momentum and rows miss.
void MeanStep::setRight() {
  const double dt = setting_.kind == MotionKind::Mean ? setting_.dt : 0.0;
  for (std::size_t i = 0; i < of_.size(); ++i) {
    right_[i] = Vec6{};
    const MechanismBody& b = m_->bodies[i];
    if (!b.isMobile || setting_.kind == MotionKind::Gaps) continue;
    const BodyWork& w = of_[i];
    const Vec3 linear =
        (linearPart(w.mean) - linearPart(w.start)) * (b.mass * inverse_share_) - b.force * dt;
    const Vec3 local = transposeTimes(w.rotation, angularPart(w.mean));
    const Vec3 spin = w.spin + (local - w.spin) * inverse_share_;
    const Vec3 angular =
        (w.next * (b.inertia * spin) - w.rotation * (b.inertia * w.spin)) - b.torque * dt;
    right_[i] = toVec6(-linear, -angular);
  }
  const std::size_t n = of_.size();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointWorkspace& work = joints_[i];
    if (setting_.kind != MotionKind::Gaps) {
      addImpulses(m_->joints[i].body1, work.rates.j1, work);
      addImpulses(m_->joints[i].body2, work.rates.j2, work);
      addMoment(m_->joints[i].body1, -work.moment);
      addMoment(m_->joints[i].body2, work.moment);
    }
    const auto& r = work.rows;
    right_[n + i] =
        makeVec6(r[0].right, r[1].right, r[2].right, r[3].right, r[4].right, r[5].right);
  }
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    const CouplingWork& work = couplings_[c];
    right_[n + joints_.size() + c] = makeVec6(work.row.right, 0.0, 0.0, 0.0, 0.0, 0.0);
    if (setting_.kind == MotionKind::Gaps) continue;
    for (int k = 0; k < work.numBodies; ++k) {
      if (work.edge[k] == kNoEdge) continue;
      right_[work.body[k]] = right_[work.body[k]] + work.rates[k] * work.row.impulse;
    }
  }
  for (std::uint32_t i = 0; i < of_.size(); ++i) {
    const std::uint8_t locks = m_->bodies[i].locks;
    if (locks != 0) of_[i].onLocks = lockedPart(locks, right_[i]);
    right_[i] = unlocked(i, right_[i]);
  }
}

void MeanStep::evaluate() {
  for (std::size_t i = 0; i < of_.size(); ++i) placeBody(i);
  const bool isGaps = setting_.kind == MotionKind::Gaps && couplings_.empty();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (isGaps) {
      evaluateGaps(i);
    } else {
      evaluate(i);
    }
  }
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    evaluate(m_->couplings[c], couplings_[c]);
  }
  is_start_ = false;
  setRight();
  is_evaluated_ = true;
}

bool MeanStep::factorise() {
  for (std::size_t i = 0; i < joints_.size() && setting_.kind == MotionKind::Mean; ++i) {
    addStiffness(m_->joints[i], joints_[i]);
  }
  elimination_.clear();
  assembleBodies();
  assembleRows();
  is_factorised_ = elimination_.factorise();
  if (is_factorised_ && !is_shared_ && hasSharedRows()) is_factorised_ = factoriseShared();
  if (is_factorised_ && is_shared_) shareRows();
  return is_factorised_;
}

/// Size of a change of a body's velocity over what rounding makes of its parts, which counts up to
/// a speed.
double MeanStep::sizeOf(std::size_t i, const Vec6& change, double most) const {
  if (!m_->bodies[i].isMobile) return 0.0;
  const BodyWork& w = of_[i];
  const double perStep =
      setting_.kind == MotionKind::Mean && setting_.dt != 0.0 ? 1.0 / absOf(setting_.dt) : 0.0;
  const double linear = norm(linearPart(w.mean)) + norm(w.nextPosition) * perStep + w.pushed;
  const double angular = norm(angularPart(w.mean)) + perStep + linear / w.gyration;
  const double dv = norm(linearPart(change)), dw = norm(angularPart(change));
  double size = 0.0;
  if (dv > 0.0) size = maxOf(size, dv / (kEpsilon * minOf(linear, most)));
  if (dw > 0.0) size = maxOf(size, dw / (kEpsilon * minOf(angular, most / w.gyration)));
  return size;
}

void MeanStep::predict(std::span<const Vec6> pushes) {
  pushed_.assign(pushes.begin(), pushes.end());
  change_ = right_;
  for (std::uint32_t i = 0; i < pushes.size(); ++i) {
    if (m_->bodies[i].isMobile) change_[i] = change_[i] + unlocked(i, pushes[i]);
  }
  elimination_.solve(change_);
}

void MeanStep::answer(std::span<const Vec6> pushes, std::vector<Vec6>& velocities) const {
  velocities.assign(graph_.numNodes, Vec6{});
  if (!is_factorised_) return;
  for (std::uint32_t i = 0; i < pushes.size(); ++i) velocities[i] = free(i, pushes[i]);
  elimination_.solve(velocities);
}

double MeanStep::turnOfChange() const {
  double most = 0.0;
  for (std::size_t i = 0; i < of_.size(); ++i)
    most = maxOf(most, squaredNorm(angularPart(change_[i])));
  return std::sqrt(most) * absOf(setting_.dt);
}

double MeanStep::advance() {
  is_evaluated_ = false;
  double size = 0.0;
  const std::size_t n = of_.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (!m_->bodies[i].isMobile) continue;
    of_[i].mean = of_[i].mean + change_[i];
    size = maxOf(size, sizeOf(i, change_[i], kAnySpeed));
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    for (std::size_t r = 0; r < kJointRows; ++r) {
      RowWork& row = joints_[i].rows[r];
      if (row.gain > 0.0) row.impulse -= change_[n + i][static_cast<int>(r)];
    }
  }
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    RowWork& row = couplings_[c].row;
    if (row.gain > 0.0) row.impulse -= change_[n + joints_.size() + c][0];
  }
  return size;
}

}  // namespace abut::inline v0_1
