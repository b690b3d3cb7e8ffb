// SPDX-License-Identifier: MIT
//
// What a program calls its bodies and keeps with them.
#include <string>

#include <abut/world/world_bodies.hpp>

#include "world/change.hpp"

namespace abut::inline v0_1 {
namespace {

const BodyLabel& labelOf(const WorldState& s, const char* call, ObjectId id) {
  if (s.bodies.find(id) == s.bodies.size()) BodyCall{call, id}.unknown().orThrow();
  return s.labels.get(id);
}

}  // namespace

ObjectId WorldBodies::find(std::string_view name) const {
  return state_->labels.find(name);
}

const std::string& WorldBodies::name(ObjectId id) const {
  return labelOf(*state_, "name", id).name;
}

std::uint64_t WorldBodies::userData(ObjectId id) const {
  return labelOf(*state_, "userData", id).userData;
}

Status WorldBodies::setName(ObjectId id, std::string_view name) {
  WorldState& s = *state_;
  return changeBody(s, "setName", id, [&](const BodyCall& /*call*/, std::size_t /*i*/) -> Status {
    s.labels.set(id, {std::string(name), s.labels.get(id).userData});
    return {};
  });
}

Status WorldBodies::setUserData(ObjectId id, std::uint64_t data) {
  WorldState& s = *state_;
  return changeBody(s, "setUserData", id,
                    [&](const BodyCall& /*call*/, std::size_t /*i*/) -> Status {
                      s.labels.set(id, {s.labels.get(id).name, data});
                      return {};
                    });
}

}  // namespace abut::inline v0_1
