// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/body_table.hpp"
#include "solver/impact_sequence.hpp"
#include "solver/link_order.hpp"
#include "solver/manifold_row.hpp"

namespace abut::inline v0_1 {

/// Blows in small islands of the real-time scheme, one after the other.
///
/// All contacts at once, as they are solved, throw every ball of a cradle. So where bodies that
/// bounce touch each other in single points, blows are first made in order: of those that close in
/// the step the fastest, and what ties with it. Their outcome obeys the law of contact with the
/// velocities at which contacts part as bounds, and without friction is the only one that does. So
/// these bounds are all that the solve is given.
class PassedBlows {
public:
  /// Islands of a step, by index of rows and bodies; `start` are velocities at its beginning.
  struct Scene {
    const BodyTable& bodies;
    std::span<ManifoldRow> rows;
    const LinkOrder& order;
    std::span<const BodyVelocity> start;
    double dt;       ///< [s]
    double slowest;  ///< Approach slower than this does not bounce [m/s].
  };
  void run(const Scene& scene);

private:
  [[nodiscard]] bool isPassedOn(const Scene& s, std::span<const std::uint32_t> rows) const;
  void gather(const Scene& s, std::span<const std::uint32_t> rows);
  bool strike(const Scene& s);

  /// The point of a row.
  struct Point {
    std::uint32_t row = 0;
    double gap = 0.0;  ///< [m]
    bool isStruck = false;
  };
  std::vector<std::uint32_t> members_;  // Bodies by index, ascending.
  std::vector<BodyMobility> mobility_;
  std::vector<BodyVelocity> velocities_;
  std::vector<Point> points_;
  std::vector<SolverContact> contacts_;
  std::vector<PreparedContact> prepared_;
  std::vector<double> restitution_, speed_;
  std::vector<std::uint32_t> tied_;
  ImpactGroup group_;
};

}  // namespace abut::inline v0_1
