// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "joints/mean_step.hpp"
#include "solver/one_contact.hpp"

namespace abut {

/// How the velocity of something that pushes one way follows from the bodies of mechanisms.
struct IslandRow {
  /// Along normal and tangents.
  struct Side {
    std::uint32_t mechanism = kWorldBody, body = kWorldBody;
    Vec6 rate[3];
  };
  Side side[2];
  Vec3 given;  ///< Velocity of what no mechanism holds.
  int directions = 3;
};

/// Sweeps over the contacts and limits of an island whose mechanisms are single nodes: an impulse
/// on a body moves all bodies of its mechanism at once, by what the eliminated joints let it. A
/// sweep costs as much as there are rows and bodies to a mechanism; nothing grows with the square
/// of the rows.
///
/// Rows of the same two bodies are relaxed together. Sweeps are carried on by momentum; the measure
/// of convergence is the change of the impulses in a sweep, each by its own response.
class TreeSweeps {
public:
  /// Bodies of a mechanism up to which it may be a node.
  static constexpr std::size_t kMostBodies = 64;

  /// Takes the response of the mechanisms by their last MeanStep::linearise(); `softness` is added
  /// to each row's response to itself. All outlive what follows.
  void begin(std::span<const IslandRow> rows, std::span<MeanStep> steps,
             std::span<const double> softness);
  /// Impulses for which velocities keep the bounds. `present` are those with the present impulses,
  /// at the velocities that the steps predict.
  SolverReport solve(std::span<const Vec3> present, std::span<const double> bounds,
                     std::span<const double> friction, const SolverOptions& options,
                     std::span<Vec3> impulses);

private:
  /// Rows between the same bodies.
  struct Group {
    std::uint32_t first = 0, count = 0;
    std::uint32_t body[2] = {};  ///< Places among the bodies that rows push; kWorldBody: none.
    std::uint32_t node[2] = {};  ///< Mechanisms.
  };
  /// A mechanism, and those of its bodies that rows push: others need not be known meanwhile.
  struct Node {
    std::uint32_t first = 0;            ///< Place of the first of them among all nodes'.
    std::vector<std::uint32_t> bodies;  ///< Ascending.
    std::vector<std::uint32_t> place;   ///< By body: place among all nodes', or kWorldBody.
    std::vector<Mat6> response;         ///< By body that is pushed, then body that answers.
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(bodies.size()); }
  };

  void findNodes();
  void findGroups();
  [[nodiscard]] std::uint32_t placeOf(const IslandRow::Side& side) const {
    return nodes_[side.mechanism].place[side.body];
  }
  void prepare(std::uint32_t row);
  [[nodiscard]] const Mat6& between(std::uint32_t node, std::uint32_t pushed,
                                    std::uint32_t answers) const;
  void relax(const Group& group, double beta, std::span<const double> friction);
  void push(std::uint32_t node, std::uint32_t body, const Vec6& impulse);
  void carryOn(double beta);

  std::span<const IslandRow> rows_;
  std::vector<Node> nodes_;
  std::vector<Group> groups_;
  std::vector<ContactBlock> block_;
  std::vector<Vec3> constant_;  ///< Velocity of a row where no body moves, less its bound.
  std::vector<Vec3> value_, direction_;
  std::vector<double> alpha_, change_, size_;
  std::vector<Vec6> now_, was_, way_;  ///< Velocities of the bodies that rows push.
  std::vector<Mat6> between_;          ///< Of all bodies of a mechanism.
  std::span<const double> softness_;
  std::span<MeanStep> steps_;
};

}  // namespace abut
