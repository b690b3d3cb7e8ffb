// SPDX-License-Identifier: MIT
#include "joints/joint_table.hpp"

#include <algorithm>
#include <string>

#include "core/guard.hpp"
#include "joints/coupling_range.hpp"

namespace abut::inline v0_1 {
namespace {

/// Frames farther apart than this are taken for a mistake, not for rounding [m, or rad].
constexpr double kFarthestApart = 1e-3;

/// Of the second of three hinges that carry one another [rad]: at a right angle the others are one.
constexpr double kMostTilt = 1.5;

template <typename Records>
std::size_t findIn(const Records& records, ObjectId id) {
  const auto at =
      std::lower_bound(records.begin(), records.end(), id,
                       [](const auto& r, ObjectId wanted) { return r.description.id < wanted; });
  if (at == records.end() || at->description.id != id) return records.size();
  return static_cast<std::size_t>(at - records.begin());
}

/// For one more.
template <typename Records>
void makeRoom(Records& records) {
  if (records.size() == records.capacity()) records.reserve(2 * records.size() + 4);
}

template <typename Records, typename Record>
void insertInto(Records& records, Record&& record) {
  const auto at =
      std::lower_bound(records.begin(), records.end(), record.description.id,
                       [](const auto& r, ObjectId id) { return r.description.id < id; });
  records.insert(at, std::forward<Record>(record));
}

Placement placementIn(const BodyTable& bodies, ObjectId id) {
  if (id == kNoObject) return {};
  const std::size_t i = bodies.indexOf(id);
  return {bodies.position[i], toMatrix(bodies.orientation[i])};
}

Vec3 centerIn(const BodyTable& bodies, ObjectId id) {
  return id == kNoObject ? Vec3{} : bodies.facts[bodies.indexOf(id)].center;
}

Pose poseIn(const BodyTable& bodies, ObjectId id) {
  return id == kNoObject ? Pose{} : bodies.poseOf(bodies.indexOf(id));
}

JointModel modelOf(const JointDescription& d, const BodyTable& bodies) {
  return makeJointModel(d, centerIn(bodies, d.body1), centerIn(bodies, d.body2));
}

void setMemory(JointRecord& record, const BodyTable& bodies) {
  const JointDescription& d = record.description;
  rowPositions(record.model, placementIn(bodies, d.body1), placementIn(bodies, d.body2),
               record.memory.position);
  const auto velocityIn = [&](ObjectId id) {
    if (id == kNoObject) return Vec6{};
    const BodyVelocity& v = bodies.velocity[bodies.indexOf(id)];
    return toVec6(v.linear, v.angular);
  };
  JointRates rates;
  double stretch = 0.0;
  for (std::size_t r = 0; r < kJointRows; ++r) {
    if (record.model.rows[r].kind == RowKind::Stretch) stretch = 2.0 * record.memory.position[r];
  }
  rowRates(record.model, placementIn(bodies, d.body1), placementIn(bodies, d.body2), stretch,
           rates);
  for (int r = 0; r < record.model.numRows; ++r) {
    const JointRow& row = record.model.rows[static_cast<std::size_t>(r)];
    if (!isAxisKind(row.kind) || !(d.axes[row.axis].armature > 0.0)) continue;
    record.memory.rotor[static_cast<std::size_t>(r)] =
        dot(rates.j1.row[r], velocityIn(d.body1)) + dot(rates.j2.row[r], velocityIn(d.body2));
  }
}

}  // namespace

std::size_t JointTable::find(ObjectId id) const {
  return findIn(joints, id);
}

ObjectId JointTable::findHeldByOnly(ObjectId body, const BodyTable& bodies) const {
  for (const End& end : endsAt(body)) {
    const JointDescription& d = joints[find(end.joint)].description;
    const ObjectId other = d.body1 == body ? d.body2 : d.body1;
    const bool isHeld =
        other != kNoObject && bodies.facts[bodies.indexOf(other)].type == BodyType::Dynamic;
    if (!isHeld) return d.id;
  }
  return kNoObject;
}

std::size_t JointTable::findCoupling(ObjectId id) const {
  return findIn(couplings, id);
}

JointDescription resolved(const JointDescription& description, const BodyTable& bodies) {
  JointDescription d = description;
  if (d.placement == JointPlacement::InWorld) {
    const Pose world = d.frame1;
    d.frame1 = relative(poseIn(bodies, d.body1), world);
    d.frame2 = relative(poseIn(bodies, d.body2), world);
    d.placement = JointPlacement::InBodies;
  }
  if (d.type == JointType::Distance && d.length == 0.0) {
    const Vec3 p1 = apply(poseIn(bodies, d.body1), d.frame1.translation);
    const Vec3 p2 = apply(poseIn(bodies, d.body2), d.frame2.translation);
    d.length = norm(p2 - p1);
  }
  if (d.type == JointType::Gimbal && !d.axes[3].locked && !d.axes[4].locked && !d.axes[5].locked) {
    JointLimits& tilt = d.axes[4].limits;
    tilt.lower = clampTo(tilt.lower, -kMostTilt, kMostTilt);
    tilt.upper = clampTo(tilt.upper, -kMostTilt, kMostTilt);
  }
  return d;
}

Status JointTable::add(const JointDescription& description, const BodyTable& bodies, ObjectId& id) {
  const ObjectId given = description.id == kNoObject ? nextJoint : description.id;
  JointDescription asked = description;
  asked.id = given;
  if (const Status known = checkNewId("World::addJoint", given); !known) return known;
  if (find(given) < joints.size()) {
    return Status::failure(StatusCode::DuplicateObject,
                           "World::addJoint: there is a joint " + std::to_string(given) +
                               "; give another id, or kNoObject for the next free one",
                           given);
  }
  const Status status = checkJoint(asked, bodies);
  if (!status) return status;
  JointRecord record;
  record.description = resolved(asked, bodies);
  record.model = modelOf(record.description, bodies);
  RowPositions gaps;
  rowGaps(record.model, placementIn(bodies, asked.body1), placementIn(bodies, asked.body2), gaps);
  for (const double gap : gaps) {
    if (absOf(gap) <= kFarthestApart) continue;
    return Status::failure(
        StatusCode::OutOfRange,
        "World::addJoint: joint " + std::to_string(given) + ": its frames are apart by " +
            toText(absOf(gap)) + " m (or rad) where the bodies are, more than " +
            toText(kFarthestApart) + "; put the bodies where the joint holds them, and close loops",
        given);
  }
  setMemory(record, bodies);
  makeRoom(joints);
  apart_.reserve(joints.capacity());
  ends_.reserve(2 * joints.capacity());
  insertInto(joints, record);  // From here on nothing fails.
  if (given >= nextJoint) nextJoint = given + 1;
  addPairs(record.description);
  id = given;
  return {};
}

Status JointTable::addCoupling(const CouplingDescription& description, ObjectId& id) {
  CouplingRecord record;
  record.description = description;
  CouplingDescription& d = record.description;
  d.id = description.id == kNoObject ? nextCoupling : description.id;
  if (const Status known = checkNewId("World::addCoupling", d.id); !known) return known;
  const std::string name = "World::addCoupling: coupling " + std::to_string(d.id) + ": ";
  if (findCoupling(d.id) < couplings.size()) {
    return Status::failure(StatusCode::DuplicateObject, name + "there is one with this id", d.id);
  }
  double position[2] = {};
  for (int k = 0; k < 2; ++k) {
    const ObjectId joint = k == 0 ? d.joint1 : d.joint2;
    const int axis = k == 0 ? d.axis1 : d.axis2;
    const std::size_t i = find(joint);
    if (i == joints.size()) {
      return Status::failure(StatusCode::UnknownObject, name + "no joint " + std::to_string(joint),
                             joint);
    }
    const int row = axis < 0 ? -1 : joints[i].model.rowOfAxis(axis);
    if (row < 0) {
      return Status::failure(
          StatusCode::OutOfRange,
          name + "joint " + std::to_string(joint) + " has no free axis " + std::to_string(axis),
          joint);
    }
    position[k] = joints[i].memory.position[static_cast<std::size_t>(row)];
  }
  if (d.joint1 == d.joint2 && d.axis1 == d.axis2) {
    return Status::failure(StatusCode::SelfPair, name + "both axes are the same", d.joint1);
  }
  if (!isRatio(d.ratio) || !isOffset(d.offset)) {
    return Status::failure(
        isFinite(d.ratio) && isFinite(d.offset) ? StatusCode::OutOfRange : StatusCode::NonFinite,
        name + "expected a ratio from " + toText(kLeastCoupled) + " to " + toText(kMostCoupled) +
            ", of either sign, and an offset up to that, got " + toText(d.ratio) + " and " +
            toText(d.offset),
        d.id);
  }
  if (d.offsetFromNow) d.offset = position[1] - d.ratio * position[0];
  d.offsetFromNow = false;
  makeRoom(couplings);
  id = d.id;
  if (d.id >= nextCoupling) nextCoupling = d.id + 1;
  insertInto(couplings, record);
  return {};
}

Status JointTable::setDrive(ObjectId id, int axis, const JointDrive& drive) {
  const std::size_t i = find(id);
  if (i == joints.size()) {
    return Status::failure(StatusCode::UnknownObject,
                           "World::setJointDrive: no joint " + std::to_string(id), id);
  }
  if (axis < 0 || joints[i].model.rowOfAxis(axis) < 0) {
    return Status::failure(StatusCode::OutOfRange,
                           "World::setJointDrive: joint " + std::to_string(id) +
                               " has no free axis " + std::to_string(axis),
                           id);
  }
  const Status status = checkDrive(drive, "World::setJointDrive", id);
  if (!status) return status;
  joints[i].description.axes[static_cast<std::size_t>(axis)].drive = drive;
  return {};
}

/// Joints whose descriptions are told to go, and their couplings. It does not fail.
template <typename Goes>
void JointTable::removeIf(Goes goes) {
  const auto isGone = [&](ObjectId joint) {
    const std::size_t at = find(joint);  // A part of a world may not have it.
    return at < joints.size() && goes(joints[at].description);
  };
  std::erase_if(couplings, [&](const CouplingRecord& c) {
    return isGone(c.description.joint1) || isGone(c.description.joint2);
  });
  const auto before = joints.size();
  std::erase_if(joints, [&](const JointRecord& j) { return goes(j.description); });
  if (joints.size() < before) derivePairs();
}

void JointTable::remove(std::size_t joint) {
  const ObjectId id = joints[joint].description.id;
  removeIf([id](const JointDescription& d) { return d.id == id; });
}

void JointTable::removeBroken(std::span<const JointEvent> events) {
  if (events.empty()) return;
  removeIf([&](const JointDescription& d) {
    const auto at = std::lower_bound(events.begin(), events.end(), d.id,
                                     [](const JointEvent& e, ObjectId id) { return e.joint < id; });
    return at != events.end() && at->joint == d.id;
  });
}

void JointTable::removeOf(std::span<const ObjectId> bodies) {
  const auto isOne = [&](ObjectId id) {
    return std::binary_search(bodies.begin(), bodies.end(), id);
  };
  removeIf([&](const JointDescription& d) { return isOne(d.body1) || isOne(d.body2); });
}

void JointTable::refresh(ObjectId body) {
  for (const End& end : endsAt(body)) {
    const std::size_t at = find(end.joint);
    if (at < joints.size()) joints[at].isFresh = true;
  }
}

std::span<const JointTable::End> JointTable::endsAt(ObjectId body) const {
  const auto first = std::lower_bound(ends_.begin(), ends_.end(), End{body, 0});
  auto last = first;
  while (last != ends_.end() && last->body == body) ++last;
  return std::span(ends_).subspan(static_cast<std::size_t>(first - ends_.begin()),
                                  static_cast<std::size_t>(last - first));
}

/// Of a joint that was added; there is room.
void JointTable::addPairs(const JointDescription& d) {
  for (const ObjectId body : {d.body1, d.body2}) {
    if (body == kNoObject) continue;
    const End end{body, d.id};
    ends_.insert(std::lower_bound(ends_.begin(), ends_.end(), end), end);
  }
  if (d.collide || d.body1 == kNoObject || d.body2 == kNoObject) return;
  const ObjectPair pair = ObjectPair::of(d.body1, d.body2);
  apart_.insert(std::lower_bound(apart_.begin(), apart_.end(), pair), pair);
}

void JointTable::derivePairs() {
  apart_.clear();
  ends_.clear();
  for (const JointRecord& j : joints) {
    const JointDescription& d = j.description;
    if (d.body1 != kNoObject) ends_.push_back({d.body1, d.id});
    if (d.body2 != kNoObject) ends_.push_back({d.body2, d.id});
    if (d.collide || d.body1 == kNoObject || d.body2 == kNoObject) continue;
    apart_.push_back(ObjectPair::of(d.body1, d.body2));
  }
  std::sort(apart_.begin(), apart_.end());
  std::sort(ends_.begin(), ends_.end());
}

void JointTable::deriveAll(const BodyTable& bodies) {
  for (JointRecord& j : joints) j.model = modelOf(j.description, bodies);
  derivePairs();
}

}  // namespace abut::inline v0_1
