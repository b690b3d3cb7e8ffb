// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/dynamics/material.hpp>
#include <abut/events/tracked_pair.hpp>

#include "dynamics/body_table.hpp"
#include "dynamics/own_materials.hpp"

namespace abut::inline v0_1 {

class World;

/// A world's bodies as a function of time and a state vector.
struct MovingBodies {
  static constexpr std::size_t kStatesPerBody = 13;

  BodyTable bodies;
  OwnMaterials materials;
  Vec3 gravity;
  double startTime = 0.0;
  std::vector<std::uint32_t> dynamic;  ///< Indices of the bodies that have states.
  std::vector<Vec3> startPosition;     ///< Of all bodies, for the kinematic ones.
  std::vector<Quat> startOrientation;
  std::vector<TrackedObject> objects;  ///< Bodies with shapes, by id; poses as of the last place().
  std::vector<std::uint32_t> bodyOf;   ///< Of each object.

  explicit MovingBodies(const World& world);

  [[nodiscard]] std::size_t numStates() const { return kStatesPerBody * dynamic.size(); }
  void getState(std::span<double> y) const;
  /// Puts everything where (time, y) has it. Fails with NonFinite, naming the body; what was placed
  /// by then stays placed.
  Status place(double time, std::span<const double> y);

  /// Velocity of a point of a body at a place, surface velocity included.
  [[nodiscard]] Vec3 surfaceVelocity(std::size_t body, const Vec3& at) const;
  [[nodiscard]] PairMaterial materialBetween(std::size_t body1, std::uint64_t subShape1,
                                             std::size_t body2, std::uint64_t subShape2) const;
  /// E* of the two materials [Pa].
  [[nodiscard]] double modulusBetween(std::size_t body1, std::uint64_t subShape1, std::size_t body2,
                                      std::uint64_t subShape2) const;
  /// The object of a body; precondition: it has a shape.
  [[nodiscard]] const TrackedObject& objectOf(std::size_t body) const;
};

}  // namespace abut::inline v0_1
