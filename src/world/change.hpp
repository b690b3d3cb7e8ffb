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

/// Refuses calls that would make the parts of a world that is divided among ranks differ. Those
/// that set motion are for bodies that all ranks have: pass the body's facts, null where there is
/// none.
[[nodiscard]] Status mayChangePart(const WorldState& s, const char* call, const BodyFacts* facts);

/// Makes a change between steps, in the library's floating-point environment. Refused while a step
/// is being made. `change` looks at everything, and has all the memory that it needs, before it
/// changes the first thing: where memory runs out the answer is OutOfMemory.
template <typename Change>
Status changeWorld(WorldState& s, const char* call, Change change) try {
  const FloatEnvironment environment;
  Status locked = s.mayChange(call);
  if (locked && s.ranks != nullptr) locked = mayChangePart(s, call, nullptr);
  return locked ? change() : locked;
} catch (...) {
  return statusOfException();
}

/// The same of one body: `change` takes the call and the body's index.
template <typename Change>
Status changeBody(WorldState& s, const char* name, ObjectId id, Change change) {
  return changeWorld(s, name, [&]() -> Status {
    const BodyCall call{name, id};
    const std::size_t i = s.bodies.find(id);
    if (i == s.bodies.size()) return call.unknown();
    if (s.ranks != nullptr) {
      Status fits = mayChangePart(s, name, &s.bodies.facts[i]);
      if (!fits) return fits;
    }
    return change(call, i);
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
