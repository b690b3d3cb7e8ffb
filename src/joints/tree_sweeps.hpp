// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/solver/contact_solver.hpp>

#include "core/crew.hpp"
#include "joints/mean_step.hpp"
#include "math/float4.hpp"
#include "solver/one_contact.hpp"

namespace abut::inline v0_1 {

/// How the velocity of something that pushes one way follows from the bodies of mechanisms.
struct IslandRow {
  static constexpr std::uint32_t kNoRow = 0xffffffffu;

  /// Along normal and tangents.
  struct Side {
    std::uint32_t mechanism = kWorldBody, body = kWorldBody;
    Vec6 rate[3];
  };
  Side side[2];
  Vec3 given;  ///< Velocity of what no mechanism holds.
  int directions = 3;
  /// Of a couple, whose second and third directions are turns: the row of the contact whose normal
  /// impulse limits it. Its first direction is none.
  std::uint32_t limitedBy = kNoRow;
  Vec3 axis[3];  ///< Of a contact: normal and tangents,
  Vec3 arm[2];   ///< and where it is from the centres of its bodies [m].
};

/// Sweeps over the contacts and limits of an island whose mechanisms are single nodes: an impulse
/// on a body moves all bodies of its mechanism at once, by what the eliminated joints let it. A
/// sweep costs as much as there are rows and bodies to a mechanism; nothing grows with the square
/// of the rows.
///
/// Rows of the same two bodies are relaxed together, as a group. Mechanisms are gathered in
/// clusters of those that touch, of a size that stays near the processor; groups within a cluster,
/// or between the same two, are swept one after the other, as a batch. Batches are coloured so that
/// those of a colour share no cluster, and are swept colour by colour: threads share a colour out,
/// and no bit depends on it. Sweeps are carried on by momentum; the measure of convergence is the
/// change of the impulses in a sweep, each by its own response.
///
/// What bodies of a mechanism make of each other's velocities is kept in single precision: it is
/// what a sweep reads most of, and sweeps end far above what that rounds. Impulses are summed in
/// double precision, and the velocities that they lead to are computed from them anew.
class TreeSweeps {
public:
  /// Bodies of a mechanism up to which it may be a node.
  static constexpr std::size_t kMostBodies = 64;

  /// Takes the response of the mechanisms by their last MeanStep::linearise(); `softness` is added
  /// to each row's response to itself. All outlive what follows. False if a response is too large
  /// for what it is kept in. `isNew`, by mechanism, where rows were added since the last call: all
  /// others have moved on by little and keep their response as long as rows push the same bodies.
  /// Empty: none does.
  bool begin(std::span<const IslandRow> rows, std::span<MeanStep> steps,
             std::span<const double> softness, std::span<const std::uint8_t> isNew, Crew& crew);
  /// The same for the contacts among those rows, by the response that is known already.
  void restrictTo(std::span<const IslandRow> rows, Crew& crew);
  /// Impulses for which velocities keep the bounds. `present` are those with the present impulses.
  SolverReport solve(std::span<const Vec3> present, std::span<const double> bounds,
                     std::span<const double> friction, const SolverOptions& options,
                     std::span<Vec3> impulses, Crew& crew);

private:
  /// A body of a mechanism: the node, and the place among those of its bodies that rows push.
  struct Place {
    std::uint32_t node = kWorldBody, body = 0;

    friend bool operator==(const Place&, const Place&) = default;
  };
  /// Rows between the same bodies.
  struct Group {
    std::uint32_t first = 0, count = 0;
    Place at[2];
  };
  /// Groups between the same clusters, in sweep order.
  struct Batch {
    std::uint32_t first = 0, end = 0;
    std::uint32_t cluster[2] = {};
  };
  /// A group on its way to its batch.
  struct Sorted {
    std::uint32_t cluster[2] = {};
    std::uint32_t group = 0;
  };
  /// A mechanism, and those of its bodies that rows push: others need not be known meanwhile.
  struct Node {
    std::vector<std::uint32_t> bodies;  ///< Ascending.
    std::vector<std::uint32_t> place;   ///< By body: its place among them, or kWorldBody.
    std::vector<std::uint32_t> known;   ///< The bodies that `response` is of.
    std::vector<Float4> response;       ///< By body that is pushed, and how.
    std::size_t velocity = 0;           ///< First of now_.
    std::size_t width = 0;              ///< Of the velocities of all of them, in fours.
  };
  /// A row in the order of the sweep.
  struct Work {
    std::uint32_t row = 0;
    std::uint32_t directions = 3;
    std::uint32_t limitedBy = IslandRow::kNoRow;  ///< Place in this order.
    const IslandRow* source = nullptr;
    Vec3 axis[3], arm[2];  ///< Those of the source, next to what a sweep reads with them.
    ContactBlock block;
    double friction = 0.0, alpha = 0.0;
    double part = 1.0;  ///< Of a change that is made.
    Vec3 constant;      ///< Velocity at the beginning, less its bound.
    Vec3 value, direction;
    Vec3 last;  ///< Change that the last visit asked for.
    double change = 0.0, size = 0.0;
  };

  void findNodes();
  /// Room for the response of a mechanism.
  struct Between {
    std::vector<Mat6> exact;
    SingleInverse single;
  };

  bool readResponse(std::uint32_t node, Between& between);
  void findGroups();
  // The order of the sweep (tree_colours.cpp).
  void order();
  void findNeighbours();
  void findClusters();
  void findBatches();
  void colourBatches();
  void placeRows();
  void prepareAll(Crew& crew);
  void prepare(const Group& group, Work& work);
  [[nodiscard]] Place placeOf(const IslandRow::Side& side) const {
    if (side.mechanism == kWorldBody) return {};
    return {side.mechanism, nodes_[side.mechanism].place[side.body]};
  }
  [[nodiscard]] Vec6 velocityAt(const Place& place) const;
  [[nodiscard]] Vec6 answer(const Place& pushed, std::uint32_t body, const Vec6& impulse) const;
  [[nodiscard]] static Vec3 velocityOf(const Work& work, const Vec6 (&v)[2], const bool (&has)[2]);
  [[nodiscard]] Vec3 solveCouple(Work& work, const Vec3& u, const Vec3& start) const;
  void relax(const Group& group, double beta);
  bool relaxRow(Work& work, double beta, const Vec6 (&v)[2], const bool (&has)[2],
                Vec6 (&push)[2]) const;
  void push(const Place& place, const Vec6& impulse);
  void sweep(double beta, Crew& crew);
  void carryOn(double beta, Crew& crew);
  void sumUp(Crew& crew, double& change, double& size);

  std::span<const IslandRow> rows_;
  std::span<const double> softness_;
  std::span<MeanStep> steps_;
  std::vector<Node> nodes_;
  std::vector<Group> groups_, unsorted_;
  std::vector<std::uint32_t> neighbour_start_, neighbours_;  ///< Of each mechanism.
  std::vector<std::uint32_t> cluster_of_, queue_;            ///< By mechanism.
  std::vector<std::uint64_t> colours_;                       ///< By cluster: those of its batches.
  std::vector<Sorted> sorted_;
  std::vector<Batch> batches_, unsorted_batches_;
  std::vector<std::uint32_t> colour_of_;   ///< By batch, unsorted.
  std::vector<std::uint32_t> colour_end_;  ///< By colour: the end of its batches.
  std::vector<std::uint32_t> work_of_;     ///< By row.
  std::vector<Work> works_;
  std::vector<Float4> now_, was_, way_;  ///< Changes of the velocities of bodies that rows push.
  std::vector<Between> between_;
  std::vector<double> changes_, sizes_;
  std::vector<std::uint8_t> fits_;  ///< By node.
};

}  // namespace abut::inline v0_1
