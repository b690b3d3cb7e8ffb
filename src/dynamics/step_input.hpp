// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>

#include <abut/core/tasks.hpp>
#include <abut/dynamics/material.hpp>

#include "core/stage_room.hpp"
#include "dynamics/body_table.hpp"
#include "dynamics/division.hpp"

namespace abut::inline v0_1 {

class ProblemObserver;

/// What every stage of a step reads and none changes. World frame.
struct StepInput {
  const BodyTable& bodies;  ///< As the step finds them.
  const MaterialTable& materials;
  double time = 0.0;      ///< At the beginning [s].
  double dt = 0.0;        ///< [s]
  double lastStep = 0.0;  ///< Length of the step before [s]; 0 if there was none.
  Vec3 gravity;           ///< [m/s^2]
  // Of WorldOptions.
  double detectionMargin = 0.0;  ///< [m]
  double correctionShare = 0.0;
  double correctionSlop = 0.0;  ///< [m]
  double baumgarte = 0.0;
  bool speculative = true;
  bool extrapolates = false;
  bool recycles = false;  ///< Contacts of pairs that hardly moved may be those of an earlier step.
  TaskRunner* tasks = nullptr;  ///< Who does the work; null: the caller.
  StageRoom* room = nullptr;    ///< Memory for what ends with a stage; null: each has its own.
  ProblemObserver* problems = nullptr;
  std::span<const ObjectPair> apart;  ///< Pairs that joints keep from touching, sorted.
  Division* division = nullptr;       ///< Null for a world that is whole: not a part on a rank.

  [[nodiscard]] bool keepsApart(const ObjectPair& pair) const {
    return !apart.empty() && std::binary_search(apart.begin(), apart.end(), pair);
  }

  [[nodiscard]] Halo* halo() const { return division != nullptr ? &division->halo : nullptr; }
  /// Whether a body, or a contact of two bodies, is counted here and not on another rank.
  [[nodiscard]] bool counts(std::size_t body) const {
    return division == nullptr || division->isMine(body);
  }
  [[nodiscard]] bool counts(std::uint32_t body1, std::uint32_t body2) const {
    return division == nullptr || division->counts(body1, body2);
  }

  /// What gravity adds to a velocity in the step [m/s].
  [[nodiscard]] double fall() const { return norm(gravity) * dt; }
  /// This step's length over the last one's; 0 for the first.
  [[nodiscard]] double rescale() const { return lastStep > 0.0 ? dt / lastStep : 0.0; }
  /// Acceleration of a body by the forces of the step, without contacts [m/s^2].
  [[nodiscard]] Vec3 freeAcceleration(std::uint32_t body) const {
    const BodyFacts& f = bodies.facts[body];
    const Vec3 weight = gravity * (f.mass * f.gravityScale);
    return scaled(bodies.mobility[body].inverseMass, weight + bodies.force[body]);
  }
  /// Overlap that is left alone between two bodies [m]: less for those that are not much larger.
  [[nodiscard]] double slopOf(std::uint32_t body1, std::uint32_t body2) const {
    constexpr double kShareOfSize = 1e-3;
    const double size = minOf(bodies.facts[body1].shape->boundingRadius(),
                              bodies.facts[body2].shape->boundingRadius());
    return minOf(correctionSlop, kShareOfSize * size);
  }
  /// Whether a body moves others by a motion of its own or of its surface.
  [[nodiscard]] bool isDriven(std::size_t body, const BodyVelocity& start) const {
    const BodyFacts& f = bodies.facts[body];
    if (f.surfaceVelocity != Vec3{}) return true;
    return f.type == BodyType::Kinematic &&
           (f.drive->isLimited || start.linear != Vec3{} || start.angular != Vec3{});
  }
};

}  // namespace abut::inline v0_1
