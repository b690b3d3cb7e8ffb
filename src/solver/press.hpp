// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "solver/skyline.hpp"

namespace abut::inline v0_1 {

/// Whether contacts ask for what no motion of the bodies can give.
struct PressReport {
  bool found = false;
  double speed = 0.0;       ///< Greatest velocity at which a contact closes all the same [m/s].
  std::uint32_t worst = 0;  ///< Where.
};

/// Recognises bodies that cannot give way: jaws that close on one, a plate that drives it into the
/// ground, walls nearer to each other than it is thick.
///
/// Contacts demand J v + w >= b of the velocities v of the bodies that move, w being what those do
/// that do not. By Farkas' lemma either some v obeys, or there are numbers l >= 0, not all zero,
/// with J^T l = 0 and l (b - w) > 0: forces that balance on every body, with which the driven ones
/// do work for ever. What has to give way many times as fast as it is driven is pressed too, as
/// between faces that lean by a millionth: the balance need not be better than that a body which is
/// no faster cannot make up for it. The least squares of what is missing, l = max(0, b - w - J v)
/// with |l| as small as v can make it, are such numbers: the gradient of |l|^2 / 2 is -J^T l. They
/// are unique, and masses play no part. Contacts whose bounds are lowered by l can be obeyed, and
/// no smaller change of the bounds makes it so. What gives way stays slow, if need be at the cost
/// of some more that is missing.
class PressFinder {
public:
  /// Whether it is worth looking: false if it is plain that some velocities obey all bounds.
  static bool mayBePress(const ContactProblem& problem, std::span<const BodyVelocity> velocities);

  /// `velocities` count for bodies that do not move, and along and about locked axes.
  PressReport find(const ContactProblem& problem, std::span<const BodyVelocity> velocities);

  /// Of each contact of a press, the velocity at which it closes beyond its bound [m/s]. Valid
  /// until the next call.
  [[nodiscard]] std::span<const double> getClosing() const { return closing_; }
  /// Impulse for each velocity of closing [kg]: that which the lightest contact alone would need to
  /// be stopped. Impulses of that size times l balance on every body.
  [[nodiscard]] double getSqueeze() const { return squeeze_; }

private:
  /// A contact's row: its normal velocity is base + row1 y1 - row2 y2.
  struct Row {
    std::uint32_t body1 = 0, body2 = 0;  ///< Among bodies that move, or kNone.
    double row1[6], row2[6];
    double base = 0.0, bound = 0.0;
  };

  void makeRows(const ContactProblem& problem, std::span<const BodyVelocity> velocities);
  void orderBodies();
  bool minimise();
  bool stepDown(double slope);
  void residuals(std::span<const double> y, std::vector<double>& left) const;
  double slopeAt(double share);
  bool search();
  double nextRound(double speed);
  [[nodiscard]] double speedScale() const;
  [[nodiscard]] double fastest() const;
  bool factorise();

  std::vector<std::uint32_t> place_of_, order_, rank_, first_;
  std::vector<double> radius_;  ///< Of each body: turns count by the speed at that distance.
  std::vector<Row> rows_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  BandOrder band_;
  SkylineMatrix matrix_;
  std::vector<double> y_, start_, step_, trial_, gradient_, closing_, kept_, left_, step_left_;
  std::uint32_t num_bodies_ = 0;
  double squeeze_ = 0.0;
  double stay_ = 0.0;  ///< Weight of staying near start_.
};

}  // namespace abut::inline v0_1
