// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/solver/contact_problem.hpp>

namespace abut::inline v0_1 {

/// How a contact's impulse may change while its velocity stays what it is.
enum class ShareFreedom : std::uint8_t {
  None,    ///< It opens, or nothing can give way.
  Fixed,   ///< As None; for callers that share nothing where one is.
  Size,    ///< It slides, or has no friction: the direction stays.
  Inside,  ///< It sticks: anything inside its cone.
};

/// How rigid bodies share a load among more contacts than they need is not determined: a table's
/// four legs, the corners of a box. Of all impulses that move the bodies alike this takes those of
/// the least sum of squares, as equal springs at the contacts would share it, so that what is
/// symmetric is shared evenly, whatever came before. Keeps its buffers.
class EvenShares {
public:
  /// The contacts are all between the same two bodies, or between one body (then written as the
  /// first) and several that nothing moves; the force and the torque that these exchange
  /// stay what they are up to rounding. Returns whether impulses changed; they do not where the law
  /// would not hold, or by less than the last few digits.
  bool share(std::span<const SolverContact> contacts, std::span<const ShareFreedom> freedoms,
             std::span<Vec3> impulses);

private:
  using Wrench = std::array<double, 6>;  // Force and torque.
  /// A force of size one that a contact can put on the bodies.
  struct Direction {
    std::size_t contact = 0;
    Wrench wrench{};
    Vec3 own;  ///< Along the contact's axes.
    double size = 0.0;
  };
  class Elimination;

  void list(std::span<const SolverContact> contacts, std::span<const ShareFreedom> freedoms,
            std::span<const Vec3> impulses);
  [[nodiscard]] std::array<Wrench, 6> products() const;
  [[nodiscard]] Wrench together() const;
  void raise(const Wrench& by);

  std::vector<Direction> directions_;
  std::vector<Vec3> shared_;
};

}  // namespace abut::inline v0_1
