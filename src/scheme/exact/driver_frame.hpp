// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "integration/hold_back.hpp"
#include "ledger/step_books.hpp"
#include "scheme/exact/exact_step.hpp"

namespace abut::inline v0_1 {

/// A velocity from which an island is seen so that no driver that it touches comes nearer.
struct DriverFrame {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  Vec3 velocity;                 ///< [m/s]
  bool isFree = true;            ///< False if there is none, as between the jaws of a press.
  std::uint32_t driver = kNone;  ///< The one that comes fastest.
  Vec3 arm;                      ///< Where it presses, from its centre of mass [m].

  /// Books that drivers gave the island an impulse [N s] at that velocity.
  void book(const Vec3& impulse, StepBooks& books) const;
};

/// Finds the frames of islands.
///
/// Where a driver comes along the normal of a contact, the frame goes with it; along the contact it
/// does not, since what slides is not taken along. By a contact that carries a load the frame keeps
/// the distance of a driver that recedes too, so that what lies on an even lift sees what it would
/// at rest. Of contacts of several drivers all must be met, by projections on the one that is met
/// least; so the order of contacts does not matter.
class DriverFrames {
public:
  /// Takes the bodies that the guard had drivers take along, which no contact may tell of.
  void begin(const ExactStep& s, const HoldBack& guard);
  /// Begins an island of these bodies.
  void restart(const ExactStep& s, std::span<const std::uint32_t> members);
  /// Takes a contact of it.
  void add(const ExactStep& s, const StepContact& contact);
  [[nodiscard]] DriverFrame find() const;

private:
  /// The frame has at least the speed `least` along the normal.
  struct Demand {
    Vec3 normal;
    double speed = 0.0, least = 0.0;  ///< Of the driver, and less where there is a gap [m/s].
    bool isLoaded = false;
    std::uint32_t driver = 0;
    Vec3 arm;
  };
  void project(bool onlyLoaded, Vec3& velocity) const;
  [[nodiscard]] bool isMet(const Vec3& velocity) const;

  std::vector<Demand> demands_;
  std::vector<std::uint32_t> carrier_;  // By body; empty if there is none.
  double least_ = 0.0;                  // Speed that is none [m/s].
};

}  // namespace abut::inline v0_1
