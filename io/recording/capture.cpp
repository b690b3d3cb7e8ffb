// SPDX-License-Identifier: MIT
#include <algorithm>

#include <abut/math/convert.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/recording/frame.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Index of an id among bodies sorted by id, or the number of bodies.
std::size_t indexOf(std::span<const BodyRecord> bodies, ObjectId id) {
  const auto place =
      std::lower_bound(bodies.begin(), bodies.end(), id,
                       [](const BodyRecord& body, ObjectId wanted) { return body.id < wanted; });
  if (place == bodies.end() || place->id != id) return bodies.size();
  return static_cast<std::size_t>(place - bodies.begin());
}

}  // namespace

BodyFrame captureBody(const World& world, ObjectId id) {
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  BodyFrame out;
  out.position = toVec3(motion.centerOfMass);
  out.orientation = motion.orientation;
  out.linearVelocity = toVec3(motion.linearVelocity);
  out.angularVelocity = toVec3(motion.angularVelocity);
  out.asleep = world.isAsleep(id);
  return out;
}

namespace {

/// A frame of a joint in the centre frame of its body, or in the world.
void placeFrame(const World& world, ObjectId body, const Pose& frame, Vec3& position,
                Quat& orientation) {
  position = frame.translation;
  orientation = quaternionOf(frame.rotation);
  if (body == kNoObject) return;
  MassProperties mass;
  world.getMass(body, mass).orThrow();
  const Vec3 center = toVec3(mass.center);
  position = {position.x - center.x, position.y - center.y, position.z - center.z};
}

bool turns(JointType type, int axis) {
  if (type == JointType::SixAxis || type == JointType::Gimbal) return axis >= 3;
  return type != JointType::Slider && type != JointType::Tether;
}

}  // namespace

void captureJoints(const World& world, std::vector<JointFrame>& joints) {
  joints.clear();
  for (const ObjectId id : world.getJointIds()) {
    JointDescription d;
    JointState state;
    world.getJoint(id, d).orThrow();
    world.getJointState(id, state).orThrow();
    const int axes = std::max(1, numJointAxes(d.type));
    for (int a = 0; a < axes; ++a) {
      const auto at = static_cast<std::size_t>(a);
      JointFrame& out = joints.emplace_back();
      out.joint = id;
      out.axis = static_cast<std::uint32_t>(a);
      out.position = state.position[at];
      out.rate = state.rate[at];
      out.driveForce = state.driveForce[at];
      out.driveWork = state.stepWork.motors;
      out.force = toVec3(state.force);
      out.torque = toVec3(state.torque);
    }
  }
}

std::vector<JointRecord> describeJoints(const World& world) {
  std::vector<JointRecord> records;
  for (const ObjectId id : world.getJointIds()) {
    JointDescription d;
    world.getJoint(id, d).orThrow();
    JointRecord& r = records.emplace_back();
    r.id = id;
    r.name = concat("joint ", id);
    r.type = d.type;
    r.body1 = d.body1;
    r.body2 = d.body2;
    placeFrame(world, d.body1, d.frame1, r.position1, r.orientation1);
    placeFrame(world, d.body2, d.frame2, r.position2, r.orientation2);
    for (int a = 0; a < numJointAxes(d.type); ++a) {
      const JointAxis& axis = d.axes[static_cast<std::size_t>(a)];
      r.axes.push_back({turns(d.type, a), axis.limits.lower, axis.limits.upper, axis.drive.mode});
    }
  }
  return records;
}

const char* toText(EventKind kind) {
  switch (kind) {
    case EventKind::Begin:
      return "begin";
    case EventKind::End:
      return "end";
    case EventKind::Impact:
      return "impact";
    case EventKind::ForceVanishes:
      return "force vanishes";
    case EventKind::ForceReturns:
      return "force returns";
    case EventKind::Stick:
      return "stick";
    case EventKind::Slip:
      return "slip";
  }
  return "?";
}

void captureEvents(const World& world, std::vector<EventFrame>& events) {
  captureEvents(world.getEvents(), world.getTime(), events);
}

void captureEvents(std::span<const ContactEvent> events, double time,
                   std::vector<EventFrame>& frames) {
  for (const ContactEvent& e : events) {
    if (e.kind == ContactEvent::Kind::Persist) continue;
    EventFrame out;
    const bool begins = e.kind == ContactEvent::Kind::Begin;
    out.kind = begins ? EventKind::Begin : EventKind::End;
    out.object1 = e.object1;
    out.object2 = e.object2;
    out.time = begins ? e.since : time;
    out.impulse = toVec3(e.impulse);
    out.normalImpulse = e.normalImpulse;
    frames.push_back(out);
  }
}

void nameIslands(std::span<const BodyRecord> bodies, Frame& frame) {
  for (const ContactFrame& c : frame.contacts) {
    for (const ObjectId id : {c.object1, c.object2}) {
      const std::size_t i = indexOf(bodies, id);
      if (i < bodies.size() && bodies[i].type == BodyType::Dynamic)
        frame.bodies[i].island = c.island;
    }
  }
}

void captureFrame(const World& world, std::span<const BodyRecord> bodies, std::uint64_t step,
                  Frame& frame) {
  frame.step = step;
  frame.time = world.getTime();
  frame.bodies.clear();
  for (const BodyRecord& body : bodies) frame.bodies.push_back(captureBody(world, body.id));
  frame.contacts.assign(world.getContacts().begin(), world.getContacts().end());
  nameIslands(bodies, frame);
  frame.drivers.assign(world.getDrivers().begin(), world.getDrivers().end());
  captureJoints(world, frame.joints);
  frame.stepEnergy = world.getStepLedger();
  frame.totalEnergy = world.getLedger();
  frame.report = world.getReport();
  frame.hash = world.hash();
}

}  // namespace abut::inline v0_1::io
