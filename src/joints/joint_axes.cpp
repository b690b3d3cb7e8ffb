// SPDX-License-Identifier: MIT
#include "joints/joint_table.hpp"

namespace abut::inline v0_1 {

void readAxes(const BodyTable& bodies, const JointRecord& joint, JointState& state) {
  const JointDescription& d = joint.description;
  Placement place[2];
  Vec6 velocity[2] = {};
  const ObjectId ids[2] = {d.body1, d.body2};
  for (int k = 0; k < 2; ++k) {
    if (ids[k] == kNoObject) continue;
    const std::size_t b = bodies.indexOf(ids[k]);
    place[k] = {bodies.position[b], toMatrix(bodies.orientation[b])};
    velocity[k] = toVec6(bodies.velocity[b].linear, bodies.velocity[b].angular);
  }
  double stretch = 0.0;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    if (joint.model.rows[r].kind == RowKind::Stretch) stretch = 2.0 * joint.memory.position[r];
  }
  JointRates rates;
  RowPositions positions;
  rowRates(joint.model, place[0], place[1], stretch, rates);
  rowPositions(joint.model, place[0], place[1], positions);
  for (int r = 0; r < joint.model.numRows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const JointRow& row = joint.model.rows[at];
    if (!isAxisKind(row.kind)) continue;
    const double known = joint.memory.position[at];
    state.position[row.axis] = isTurnKind(row.kind) ? unwound(positions[at], known) : positions[at];
    state.rate[row.axis] = dot(rates.j1.row[r], velocity[0]) + dot(rates.j2.row[r], velocity[1]);
  }
}

}  // namespace abut::inline v0_1
