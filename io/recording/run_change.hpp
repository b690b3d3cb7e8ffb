// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include <abut/core/object_id.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/math/types.hpp>

/// What somebody who watches a run changes on its way. A recording holds these with their steps, so
/// that the run can be made again. World frame and SI units unless a field says otherwise.
namespace abut::inline v0_1::io {

struct GravityChange {
  Vec3 gravity;  ///< [m/s^2]

  friend bool operator==(const GravityChange&, const GravityChange&) = default;
};

/// Friction of a material from now on. Pairs of materials whose values were given as pairs keep
/// them; with all others it is the geometric mean, as ever.
struct FrictionChange {
  MaterialId material = 0;
  double friction = 0.0;  ///< Coulomb's coefficient, >= 0.

  friend bool operator==(const FrictionChange&, const FrictionChange&) = default;
};

/// A spring with a damper from a point of a dynamic body to a place, until it is let go of or
/// another pull takes its place. The force in a step is
///   stiffness * (target - p) - damping * v,  cut at maxForce,
/// with p and v of the point at the beginning of the step. It is booked under `forces`.
struct PullChange {
  ObjectId body = kNoObject;
  Vec3 point;              ///< In the body's centre frame (see BodyRecord) [m].
  Vec3 target;             ///< [m]
  double stiffness = 0.0;  ///< [N/m], >= 0
  double damping = 0.0;    ///< [N s/m], >= 0
  double maxForce = 0.0;   ///< [N], >= 0

  friend bool operator==(const PullChange&, const PullChange&) = default;
};

struct ReleaseChange {
  friend bool operator==(const ReleaseChange&, const ReleaseChange&) = default;
};

using RunChange = std::variant<GravityChange, FrictionChange, PullChange, ReleaseChange>;

/// A change, and after how many steps it was made.
struct ChangeRecord {
  std::uint64_t step = 0;
  RunChange change;

  friend bool operator==(const ChangeRecord&, const ChangeRecord&) = default;
};

/// As bytes, least significant first: step u64, kind u8 (0 gravity, 1 friction, 2 pull, 3 release),
/// then the fields in the order of their structs. decodeChange() throws InputError for anything
/// that is not exactly one change.
[[nodiscard]] std::string encode(const ChangeRecord& record);
[[nodiscard]] ChangeRecord decodeChange(std::string_view bytes);

}  // namespace abut::inline v0_1::io
