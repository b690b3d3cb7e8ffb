// SPDX-License-Identifier: MIT
#include <string>

#include "joints/coupling_range.hpp"
#include "joints/joint_table.hpp"

namespace abut::inline v0_1 {
namespace {

Status impossible(const std::string& what) {
  return Status::failure(StatusCode::BadData, what);
}

}  // namespace

Status checkRestored(const BodyTable& bodies, JointTable& table) {
  ObjectId last = kNoObject;
  for (JointRecord& r : table.joints) {
    const ObjectId id = r.description.id;
    if (id <= last || id >= table.nextJoint) return impossible("its joints are out of order");
    last = id;
    const Status status = checkJoint(r.description, bodies);
    if (!status) return status;
    const JointWork& work = r.work;
    bool sound = true;
    for (const double v : {work.motors, work.dampers, work.springs, work.limits, work.friction}) {
      sound = sound && isFinite(v);
    }
    if (!sound) return impossible("joint " + std::to_string(id) + ": its work is impossible");
    for (const auto* list : {&r.memory.force, &r.memory.position, &r.memory.rotor}) {
      for (const double v : *list) {
        if (!isFinite(v))
          return impossible("joint " + std::to_string(id) + ": its state is impossible");
      }
    }
  }
  table.deriveAll(bodies);
  last = kNoObject;
  for (const CouplingRecord& r : table.couplings) {
    const CouplingDescription& d = r.description;
    const std::size_t j1 = table.find(d.joint1), j2 = table.find(d.joint2);
    const std::size_t count = table.joints.size();
    if (d.id <= last || d.id >= table.nextCoupling || j1 == count || j2 == count ||
        table.joints[j1].model.rowOfAxis(d.axis1) < 0 ||
        table.joints[j2].model.rowOfAxis(d.axis2) < 0 || !isRatio(d.ratio) || !isOffset(d.offset) ||
        (j1 == j2 && d.axis1 == d.axis2) || !isFinite(r.force)) {
      return impossible("coupling " + std::to_string(d.id) + " is impossible");
    }
    last = d.id;
  }
  return {};
}

}  // namespace abut::inline v0_1
