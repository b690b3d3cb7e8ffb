// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "hybrid/moving_bodies.hpp"

namespace abut::inline v0_1 {

/// Motion of all bodies over a short time, from where they are: constant accelerations.
class Flight {
public:
  explicit Flight(const MovingBodies& world)
      : linear(world.bodies.size()), angular(world.bodies.size()), world_(world) {}

  std::vector<Vec3> linear, angular;  ///< Accelerations of all bodies, world [m/s^2, rad/s^2].

  /// Where body i is after a time, and how it moves.
  void at(std::size_t i, double time, Vec3& position, Quat& orientation, BodyVelocity& v) const;
  /// The body's shape after a time.
  [[nodiscard]] PlacedShape shapeAt(std::size_t i, double time) const;

  /// What the surface of body i may move beyond its centre in a second, by turning [m/s], within
  /// the next `time`.
  [[nodiscard]] double turningSpeed(std::size_t i, double time) const;
  /// How far the surface of body i may get within a time [m].
  [[nodiscard]] double reach(std::size_t i, double time) const;

private:
  const MovingBodies& world_;
};

struct FirstTouch {
  bool found = false;
  double time = 0.0;  ///< [s] from now.
};

/// First time within `span` at which two bodies touch and approach faster than `slowest` [m/s];
/// pairs that touch now without doing so are passed over until they have parted. `queries` counts.
/// Fails with NotConverged if it cannot be located.
Status findFirstTouch(const Flight& flight, const MovingBodies& world, std::size_t body1,
                      std::size_t body2, double span, double slowest, FirstTouch& result,
                      long& queries);

}  // namespace abut::inline v0_1
