// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>

#include "core/guard.hpp"
#include "world/world_access.hpp"

namespace abut::inline v0_1 {

/// A call of a World and the body that it is about: what it says when it refuses.
struct BodyCall {
  const char* name;
  ObjectId id;

  [[nodiscard]] Status refuse(StatusCode code, const std::string& what) const;
  [[nodiscard]] Status unknown() const;
  /// Refuses numbers that are not finite or beyond `most` in magnitude.
  [[nodiscard]] Status requireVector(const char* what, const Vec3& v, double most) const;
  [[nodiscard]] Status requireDynamic(const BodyFacts& facts) const;
};

/// How a call changes a world that is divided among ranks: each rank by itself what it has, all of
/// them one body, all of them the world as a whole; or not at all.
enum class PartChange : std::uint8_t { Here, Body, Whole, Refused };
/// Of a call that is about a body pass its facts, null where it is not here.
[[nodiscard]] PartChange partChangeOf(const char* call, const BodyFacts* facts);
[[nodiscard]] Status refusePart(const char* call);

/// Makes a change between steps, in the library's floating-point environment. Refused while a step
/// is being made. `change` looks at everything, and has all the memory that it needs, before it
/// changes the first thing: where memory runs out the answer is OutOfMemory.
template <typename Change>
Status changeWorld(WorldState& s, const char* call, Change change) try {
  const FloatEnvironment environment;
  Status locked = s.mayChange(call);
  if (!locked) return locked;
  if (s.ranks == nullptr) return change();
  switch (partChangeOf(call, nullptr)) {
    case PartChange::Refused:
      return refusePart(call);
    case PartChange::Whole:
      return s.ranks->changeWhole(s, change);
    default:
      return change();
  }
} catch (...) {
  return statusOfException();
}

/// The same of one body: `change` takes the call and the body's index.
template <typename Change>
Status changeBody(WorldState& s, const char* name, ObjectId id, Change change) {
  return changeWorld(s, name, [&]() -> Status {
    const BodyCall call{name, id};
    const std::size_t i = s.bodies.find(id);
    const bool isHere = i < s.bodies.size();
    if (s.ranks != nullptr &&
        partChangeOf(name, isHere ? &s.bodies.facts[i] : nullptr) == PartChange::Body) {
      return s.ranks->changeBody(s, name, id,
                                 [&](std::size_t body) -> Status { return change(call, body); });
    }
    return isHere ? change(call, i) : call.unknown();
  });
}

/// Kinetic energy of a body and that in the world's gravity [J].
[[nodiscard]] double heldEnergy(const WorldState& s, std::size_t body);

/// Books what a call adds to the energy of a body, from here to the end of its scope. Books begin
/// with the first step.
class BookedChange {
public:
  BookedChange(WorldState& s, std::size_t body);
  ~BookedChange();
  BookedChange(const BookedChange&) = delete;
  BookedChange& operator=(const BookedChange&) = delete;

private:
  WorldState& s_;
  std::size_t body_;
  double before_;
};

/// Wakes a body, all that are asleep with it, and those that rest on it; and those that touch it at
/// a pose of its shape, if one is given. Where it fails or throws, nothing has changed.
Status wakeUp(WorldState& s, std::size_t body, const Pose* pose = nullptr);

}  // namespace abut::inline v0_1
