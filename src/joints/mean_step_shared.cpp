// SPDX-License-Identifier: MIT
//
// Rows that hold the same thing twice: two hinges of a door, a loop of hinges in a plane. What such
// rows bear against each other moves nothing, so that momenta and gaps say nothing of it; rounding
// of gaps, over the little that rows give way, would add to it from one iteration to the next, and
// from step to step.
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {
namespace {

/// What held rows give way, in parts of their own response: four orders above rounding, and taken
/// out by the next iteration.
constexpr double kRegular = 1e-12;
/// A row that has no more left than this many times what it is regularised by holds what others do.
constexpr double kLittleLeft = 300.0;
/// Such mechanisms are regularised so many times as much: it is to be far above rounding of the
/// rows' own response, by which what they bear against each other is told from all else. Axes that
/// friction or a motor holds give way sooner than what joints lock, and bear less of it.
constexpr double kMoreRegular = 1e2, kMoreOfAxes = 1e5;
/// What rows ask for against each other is taken away so often: by five digits each time, and of
/// axes by the three that they give way sooner.
constexpr int kConflictPasses = 2, kConflictPassesOfAxes = 4;

}  // namespace

/// Where a row is among the nodes.
struct MeanStep::Held {
  std::size_t node = 0;
  int row = 0;
  bool isAxis = false;

  [[nodiscard]] double of(const std::vector<Vec6>& nodes) const { return nodes[node][row]; }
  void set(std::vector<Vec6>& nodes, double value) const {
    nodes[node].part[row >> 1][row & 1] = value;
  }
};

/// Calls visit(place, row) for the rows that give way by nothing but what they are regularised
/// by.
template <class Visit>
void MeanStep::forHeldRows(Visit visit) {
  const std::size_t n = of_.size();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    for (std::size_t r = 0; r < kJointRows; ++r) {
      RowWork& row = joints_[i].rows[r];
      const bool isAxis = isAxisKind(m_->joints[i].model->rows[r].kind);
      if (!(row.gain > 0.0) || (isAxis && !row.point.isHeld)) continue;
      visit(Held{n + i, static_cast<int>(r), isAxis}, row);
    }
  }
  for (std::size_t c = 0; c < couplings_.size(); ++c) {
    if (!(couplings_[c].row.gain > 0.0)) continue;
    visit(Held{n + joints_.size() + c, 0, false}, couplings_[c].row);
  }
}

/// Whether there are loops, by way of what does not move too, or locks, or couplings: else nothing
/// can be held twice, however light what bears a load is beside it.
bool MeanStep::mayShareRows() const {
  std::size_t mobile = 0;
  bool isAnchored = false, isLocked = false;
  for (const MechanismBody& b : m_->bodies) {
    mobile += b.isMobile ? 1u : 0u;
    isLocked = isLocked || (b.isMobile && b.locks != 0);
  }
  for (const MechanismJoint& j : m_->joints) {
    for (const std::uint32_t b : {j.body1, j.body2}) {
      isAnchored = isAnchored || b == kWorldBody || !m_->bodies[b].isMobile;
    }
  }
  const std::size_t ofTree = isAnchored ? mobile : mobile - 1;
  return isLocked || !m_->couplings.empty() || m_->joints.size() > ofTree;
}

bool MeanStep::hasSharedRows() {
  if (!mayShareRows()) return false;
  bool any = false;
  forHeldRows([&](const Held& at, RowWork& row) {
    const double left = elimination_.pivot(static_cast<std::uint32_t>(at.node), at.row);
    any = any || left < kLittleLeft * row.gain;
  });
  return any;
}

/// After the first factors of a step that show it: all over again with more to give way.
bool MeanStep::factoriseShared() {
  is_shared_ = true;
  forHeldRows(
      [this](const Held& at, RowWork& row) { row.gain = regularOf(row.response, at.isAxis); });
  elimination_.clear();
  assembleBodies();
  assembleRows();
  return elimination_.factorise();
}

/// What a row that gives way by nothing gives way.
double MeanStep::regularOf(double response, bool isAxis) const {
  const double more = isAxis ? kMoreOfAxes : kMoreRegular;
  return (is_shared_ ? more * kRegular : kRegular) * response;
}

/// (A + D)^-1 of numbers in `shared_`, by row, up to the sign: A is what impulses of rows make of
/// their rates. Along what moves nothing A is zero.
void MeanStep::solveShared() {
  for (std::size_t i = 0; i < of_.size(); ++i) shared_[i] = Vec6{};
  elimination_.solve(shared_);
}

/// Impulses without what moves nothing: of all that do the same to the bodies the least ones, by
/// what each row gives way. What that changes of the others, the iteration to come corrects.
void MeanStep::dropTension() {
  shared_.assign(graph_.numNodes, Vec6{});
  forHeldRows([&](const Held& at, RowWork& row) { at.set(shared_, row.gain * row.impulse); });
  solveShared();
  forHeldRows([&](const Held& at, RowWork& row) { row.impulse += at.of(shared_); });
}

/// What joints lock without that by which they contradict each other: rounding, or frames that do
/// not fit exactly. Or what axes are held at without that by which they contradict joints, which
/// have their way.
void MeanStep::dropConflict(bool ofAxes) {
  shared_.assign(graph_.numNodes, Vec6{});
  forHeldRows([&](const Held& at, RowWork&) {
    if (at.isAxis == ofAxes) at.set(shared_, at.of(right_));
  });
  solveShared();
  forHeldRows([&](const Held& at, RowWork& row) {
    if (at.isAxis == ofAxes) at.set(right_, at.of(right_) + row.gain * at.of(shared_));
  });
}

void MeanStep::shareRows() {
  if (setting_.kind != MotionKind::Gaps) {
    dropTension();
    setRight();
  }
  bool anyAxes = false;
  forHeldRows([&](const Held& at, RowWork&) { anyAxes = anyAxes || at.isAxis; });
  for (int i = 0; i < kConflictPassesOfAxes && anyAxes; ++i) dropConflict(true);
  for (int i = 0; i < kConflictPasses; ++i) dropConflict(false);
}

}  // namespace abut::inline v0_1
