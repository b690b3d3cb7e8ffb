// SPDX-License-Identifier: MIT
#include "world/change.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <abut/math/convert.hpp>

namespace abut::inline v0_1 {

Status BodyCall::refuse(StatusCode code, const std::string& what) const {
  return Status::failure(
      code, std::string("World::") + name + ": body " + std::to_string(id) + ": " + what, id);
}

Status BodyCall::unknown() const {
  return Status::failure(StatusCode::UnknownObject,
                         std::string("World::") + name + ": no body " + std::to_string(id), id);
}

Status BodyCall::requireVector(const char* what, const Vec3& v, double most) const {
  for (const double x : {v.x, v.y, v.z}) {
    if (absOf(x) <= most) continue;
    return refuse(
        isFinite(x) ? StatusCode::OutOfRange : StatusCode::NonFinite,
        std::string(what) + ": expected numbers up to " + toText(most) + ", got " + toText(x));
  }
  return {};
}

Status BodyCall::requireDynamic(const BodyFacts& facts) const {
  if (facts.type == BodyType::Dynamic) return {};
  return refuse(StatusCode::OutOfRange, "only a dynamic body has this; make it one by setType()");
}

PartChange partChangeOf(const char* call, const BodyFacts* facts) {
  constexpr std::array<std::string_view, 5> kHere{"applyForce", "applyForceAt", "setGravity",
                                                  "setJointDrive", "addBody"};
  constexpr std::array<std::string_view, 2> kOfMotion{"setVelocity", "setPath"};
  constexpr std::array<std::string_view, 3> kRefused{"restore", "setName", "setUserData"};
  constexpr std::array<std::string_view, 7> kWhole{"setType",       "excludePair", "includePair",
                                                   "addJoint",      "removeJoint", "addCoupling",
                                                   "removeCoupling"};
  const auto isIn = [&](const auto& list) {
    return std::find(list.begin(), list.end(), std::string_view(call)) != list.end();
  };
  if (isIn(kHere)) return PartChange::Here;
  if (isIn(kRefused)) return PartChange::Refused;
  if (isIn(kWhole)) return PartChange::Whole;
  // All ranks have what is not dynamic.
  const bool isOnAll = facts != nullptr && facts->type != BodyType::Dynamic;
  return isOnAll && isIn(kOfMotion) ? PartChange::Here : PartChange::Body;
}

Status refusePart(const char* call) {
  return Status::failure(
      StatusCode::Locked,
      std::string("World::") + call +
          ": this world is a part of one that is divided among ranks; names and "
          "user data are given before, and DistributedWorld::restore() restores");
}

double heldEnergy(const WorldState& s, std::size_t body) {
  const BodyFacts& f = s.bodies.facts[body];
  if (f.type != BodyType::Dynamic) return 0.0;
  const double weight = f.mass * f.gravityScale;
  return s.bodies.kineticEnergy(body) -
         dot(toVec3(s.options.gravity) * weight, s.bodies.position[body]);
}

BookedChange::BookedChange(WorldState& s, std::size_t body)
    : s_(s), body_(body), before_(heldEnergy(s, body)) {}

BookedChange::~BookedChange() {
  if (s_.steps > 0) s_.total.forces += heldEnergy(s_, body_) - before_;
}

Status wakeUp(WorldState& s, std::size_t body, const Pose* pose) {
  const ObjectId id = s.bodies.ids[body];
  Sleepers::Around around{body, pose == nullptr ? Pose{} : *pose};
  const Status status = s.wake({&id, 1}, {&around, pose == nullptr ? 0u : 1u});
  if (status) s.bodies.rest[body].still = 0.0;
  return status;
}

}  // namespace abut::inline v0_1
