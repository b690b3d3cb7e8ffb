// SPDX-License-Identifier: MIT
//
// Displacements that close joints; and what impulses on bodies make of each other's velocities, by
// which contacts are swept.
#include "joints/mean_step.hpp"

namespace abut::inline v0_1 {

/// Rates and gaps of a joint where bodies are: all that displacements ask for.
void MeanStep::evaluateGaps(std::size_t i) {
  const MechanismJoint& joint = m_->joints[i];
  JointWorkspace& work = joints_[i];
  const auto at = [&](std::uint32_t b) { return b == kWorldBody ? Placement{} : of_[b].middle; };
  rowGaps(*joint.model, at(joint.body1), at(joint.body2), work.gaps);
  rowRates(*joint.model, at(joint.body1), at(joint.body2), 0.0, work.rates);
  for (std::size_t r = 0; r < kJointRows; ++r) {
    RowWork& row = work.rows[r];
    const RowKind kind = joint.model->rows[r].kind;
    row.gain = row.right = 0.0;
    if (kind == RowKind::None || isAxisKind(kind)) continue;
    row.response = responseOf(work.rates.j1.row[r], joint.body1) +
                   responseOf(work.rates.j2.row[r], joint.body2);
    settleRow(joint, work, r);
  }
}

double MeanStep::lookAgain() {
  for (std::size_t i = 0; i < of_.size(); ++i) placeBody(i);
  double most = 0.0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const MechanismJoint& joint = m_->joints[i];
    JointWorkspace& work = joints_[i];
    const auto at = [&](std::uint32_t b) { return b == kWorldBody ? Placement{} : of_[b].middle; };
    rowGaps(*joint.model, at(joint.body1), at(joint.body2), work.gaps);
    Vec6& right = right_[of_.size() + i];
    right = Vec6{};
    for (std::size_t r = 0; r < kJointRows; ++r) {
      most = maxOf(most, absOf(work.gaps[r]));
      if (work.rows[r].gain > 0.0) right.part[r >> 1][r & 1] = -work.gaps[r];
    }
  }
  return most;
}

bool MeanStep::respondSingly(SingleInverse& between) {
  for (const MechanismBody& b : m_->bodies) {
    if (!b.isMobile || b.locks != 0) return false;
  }
  return elimination_.invertSingly(between);
}

void MeanStep::respond(std::vector<Mat6>& between) {
  elimination_.invert(between);
  // What moves as prescribed, or is locked, does not answer.
  const std::size_t n = of_.size();
  for (std::uint32_t i = 0; i < n; ++i) {
    const MechanismBody& b = m_->bodies[i];
    if (b.isMobile && b.locks == 0) continue;
    for (std::size_t j = 0; j < n; ++j) {
      Mat6 &to = between[j * n + i], &from = between[i * n + j];
      for (int r = 0; r < 6; ++r) {
        to.row[r] = free(i, to.row[r]);
        const bool isOff = !b.isMobile || (b.locks >> r & 1) != 0;
        if (isOff) from.row[r] = Vec6{};
      }
    }
  }
}

}  // namespace abut::inline v0_1
