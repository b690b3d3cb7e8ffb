// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <abut/dynamics/mobility.hpp>

#include "math/block6.hpp"
#include "math/pose.hpp"
#include "math/vec3.hpp"
#include "solver/manifold_row.hpp"
#include "solver/skyline.hpp"

namespace abut::inline v0_1 {

/// Newton's method for the velocities of a whole island, for what sweeps do not solve: what is
/// tall, stiff, or of unequal masses.
///
/// Contacts give way by a compliance c that remembers. With u the relative velocity of a point, or
/// of the points' centre, and the impulses of last time as reference,
///   normal   p = max(0, reference - (u - bound) / c)
///   slide    t = reference - u / c, no longer than friction times the sum of p
///   twist    the same for the turn about the normal, with the points' mean squared radius,
/// so that an island that rests with its references gives way nowhere. The limits of friction are
/// those of the last iterate: then the problem is the minimum of a convex energy, its matrix is
/// symmetric and positive definite, and a search along each step makes progress from everywhere.
///
/// Unknowns in an order that keeps neighbours close, blocks of six: cost by bodies times the square
/// of that width. Buffers are reused. All sums run in an order given by the island alone.
class RestNewton {
public:
  /// Takes an island: rows by index, and its bodies that can move. False if it has what the method
  /// does not know (rolling or spinning resistance; nothing that can go along some axis), or if one
  /// elimination costs more than `mostWork` products of blocks for each body. Along axes that are
  /// locked bodies count as very heavy; what comes of that is no part of the error.
  bool prepare(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
               std::span<const std::uint32_t> members, std::span<const BodyMobility> mobility,
               double mostWork);
  /// Solves the island that was prepared. `free` are velocities without impulses, of all bodies;
  /// impulses of the rows are the reference, and on success the answer. False, with the rows
  /// unchanged, if `maxSteps` steps leave momenta open by more than `tolerance` of what contacts
  /// give. With `holds` friction has no limits until the rest is solved: the references are none
  /// then, and limits by them would let everything slide at first.
  bool solve(std::span<ManifoldRow> rows, std::span<const std::uint32_t> order,
             std::span<const BodyVelocity> free, double compliance, double tolerance, int maxSteps,
             bool holds);
  /// Steps of the last solve().
  [[nodiscard]] int getSteps() const { return steps_; }
  /// Momenta that it left open, relative to what contacts give.
  [[nodiscard]] double getError() const { return error_; }
  /// Greatest change of an impulse that holds from its reference to the answer [N s]; times the
  /// compliance it is the speed by which contacts gave way.
  [[nodiscard]] double computeChange() const;

private:
  static Vec6 momentumOf(const Vec3& mass, const Mat3& inertia, const Vec6& v) {
    return toVec6(scaled(mass, linearPart(v)), inertia * angularPart(v));
  }

  struct Row {
    int place1, place2;  ///< Of the bodies among the unknowns; -1: its velocity is given.
    int count;
    bool twists;
    Vec3 normal, arm1, arm2;  ///< From the bodies to the points' centre.
    Vec3 lever[ManifoldRow::kMaxPoints];
    double radius[ManifoldRow::kMaxPoints], bound[ManifoldRow::kMaxPoints];
    double friction, spread;         ///< Mean square of the radii.
    Vec3 givenLinear, givenAngular;  ///< Part of the relative motion that is given.
    double reference[ManifoldRow::kMaxPoints], twistReference;
    Vec3 slideReference;
    double slideLimit, twistLimit;
    double impulse[ManifoldRow::kMaxPoints], twist;
    Vec3 slide;
    bool clipped;  ///< Friction was at a limit.
  };
  struct Body {
    Vec3 mass, inverseMass;
    Mat3 inertia, inverseInertia;
  };
  struct Slope;
  bool findOrder(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
                 std::span<const std::uint32_t> members, double mostWork);
  void start(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
             std::span<const BodyVelocity> free);
  void addSlope(const Row& row, const Slope& slope);
  void evaluate(const std::vector<Vec6>& velocities, double stiffness, bool withSlopes);
  bool updateLimits();
  void liftLimits();
  bool factorise();
  void solveFactors(std::vector<Vec6>& x) const;
  void search(double stiffness);
  [[nodiscard]] double computeError() const;

  int steps_ = 0;
  double error_ = 0.0;
  std::vector<int> place_;
  std::vector<std::uint32_t> body_at_, nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  BandOrder band_order_;
  std::vector<int> first_;  ///< First place that a row of blocks reaches.
  std::vector<std::size_t> start_;
  std::vector<Body> bodies_;
  std::vector<Row> rows_;
  /// Blocks (j, i) for first_[i] <= j < i, then D^-1 times them; D's factors.
  std::vector<Mat6> upper_, diagonal_, work_;
  std::vector<Factors6> factors_;
  std::vector<Vec6> free_, velocities_, trial_, residual_, step_;
};

}  // namespace abut::inline v0_1
