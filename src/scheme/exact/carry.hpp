// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheme/exact/exact_step.hpp"

namespace abut::inline v0_1 {

/// Drivers that accelerate carry along what they press on, before impacts.
///
/// A driver moves with one velocity through a step and with another through the next. Between two
/// steps of a motion that is smooth this is no blow but the acceleration a = change / dt at that
/// time: what lies on the driver goes on with it, and the contact's force has m a in it. With
/// impulses P of the step's forces for drivers as they were, and P' for drivers as they are now, P'
/// - P acts at the beginning: it brings the bodies to where contacts move as they did before the
/// change. P' obeys the law of contact; where contacts would open, close, begin or cease to slide
/// by the change, and where P' - P is so large that it must be a blow, the island is left to
/// impacts and forces.
class CarryStage {
public:
  /// Takes the velocities at the beginning, and writes those with which the step goes on.
  void run(ExactStep& s);
  /// What limited drives have to supply for it.
  void react(LimitedDrivers& drivers) const;
  /// What passed between bodies, and the work of drivers through each contact.
  void book(const StepInput& in, const StepMotion& motion, ExactContacts& contacts,
            StepBooks& books) const;

private:
  struct Carried {
    std::uint32_t body = 0;
    BodyVelocity before;
  };
  struct Push {
    std::uint32_t contact = 0;
    bool stops = false;  // It stopped what approached, before that was carried.
    Exchange exchange;
  };

  void begin(StepMotion& motion);
  void findDrivers(const ExactStep& s);
  [[nodiscard]] bool isCarried(const ExactStep& s, const Island& island) const;
  bool stop(ExactStep& s, const Island& island);
  void pose(ExactStep& s, const Island& island);
  bool solve(ExactStep& s, const Island& island, const std::vector<BodyVelocity>& from);
  bool findPush(ExactStep& s, const Island& island);
  void push(ExactStep& s, const Island& island);
  void add(ExactStep& s, const Island& island, std::span<const Vec3> impulses,
           std::span<const Vec3> couples, bool stops);

  std::vector<std::uint32_t> drivers_;  // That accelerate.
  std::vector<Carried> bodies_;
  std::vector<Push> pushes_;
  std::vector<BodyVelocity> stopped_;  // By body, between the two kinds of pushes.
  // Scratch: by local body, drivers as they were and as they are; by local contact.
  std::vector<BodyVelocity> free_, turned_;
  std::vector<Vec3> impulses_, couples_, stops_, stop_couples_;
  std::vector<std::uint8_t> open_, sliding_;
};

}  // namespace abut::inline v0_1
