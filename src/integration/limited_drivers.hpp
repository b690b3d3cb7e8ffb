// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/body_table.hpp"
#include "math/exact_sum.hpp"

namespace abut::inline v0_1 {

/// Kinematic bodies whose drives have limits, in a step.
///
/// The law of a drive along an axis: the body moves as prescribed, v = target, with any impulse
/// |p| <= limit dt; or it does not, and p is the limit, towards the target. p is what its own mass
/// and the contacts ask for together. The step is first made with all of them as prescribed; where
/// p would be beyond the limit, it is made again with the body free along that axis under the
/// limit, until every axis obeys. An axis that is overtaken by its target is held again.
class LimitedDrivers {
public:
  /// Finds them and writes how they are to move in the step. A body that is behind its path catches
  /// up no faster than it can brake with half its limit.
  void begin(BodyTable& bodies, double dt, std::span<BodyVelocity> velocities);
  [[nodiscard]] bool empty() const { return drivers_.empty(); }

  /// Of a solution: what contacts did to a body [N s, N m s].
  void addReaction(std::uint32_t body, const Vec3& impulse, const Vec3& moment);
  /// In a press the contact closes all the same: the drive meets what does not give way.
  void addPress(std::uint32_t body, const Vec3& impulse, const Vec3& moment);
  /// Adds what contacts on other ranks did, which have the same drivers. All ranks call it.
  void addOverRanks(Communicator& communicator);
  /// Whether the step has to be made again; then bodies that stall are dynamic, with what acts on
  /// them in `bodies` and how they begin in `velocities`. `after` are the solution's velocities.
  bool judge(BodyTable& bodies, std::span<const BodyVelocity> after,
             std::span<BodyVelocity> velocities);
  /// They are kinematic again. Idempotent.
  void release(BodyTable& bodies);
  [[nodiscard]] bool isStalled(std::uint32_t body) const;

private:
  enum class Mode : std::uint8_t { Held, Forward, Backward };
  static constexpr int kAxes = 6;  ///< Along x, y, z, and about them.

  struct Driver {
    std::uint32_t body = 0;
    BodyVelocity target, own;  ///< How it is to move; how it moved.
    std::array<double, kAxes> limit{};
    std::array<ExactSum, kAxes> reaction, pressed;  ///< Whatever the order of contacts.
    std::array<Mode, kAxes> mode{};
    bool isFree = false;  ///< Made dynamic for now.
    double gravityScale = 1.0;
    Vec3 force, torque;  ///< As given.
  };

  Driver* find(std::uint32_t body);
  static bool chooseModes(const BodyTable& bodies, std::span<const BodyVelocity> after,
                          Driver& driver);
  static void setFree(BodyTable& bodies, Driver& driver, std::span<BodyVelocity> velocities);

  std::vector<Driver> drivers_;  ///< Ascending bodies.
  int rounds_ = 0;
};

}  // namespace abut::inline v0_1
