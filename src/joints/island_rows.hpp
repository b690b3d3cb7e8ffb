// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <abut/dynamics/mobility.hpp>
#include <abut/solver/contact_solver.hpp>

#include "joints/tree_sweeps.hpp"

namespace abut::inline v0_1 {

/// A contact of a body that joints hold, or of one that such a body touches.
struct JointedContact {
  /// Where a side is: a body of a mechanism, or something that moves as given.
  struct Side {
    std::uint32_t mechanism = kWorldBody, body = kWorldBody;
    Vec3 arm;            ///< From the centre of mass [m].
    BodyVelocity given;  ///< Of what is not in a mechanism.
  };
  Side side1, side2;
  Vec3 normal, tangent1, tangent2, offset;  ///< As in SolverContact.
  double friction = 0.0, restitution = 0.0;
  double gap = 0.0;  ///< Negative: overlap [m].
  /// Displacement that takes a share of the overlap out [m]; 0 if there is nothing to correct.
  double correction = 0.0;
  bool isCrushed = false;  ///< Overlap so deep that it is to be taken out whatever it costs.
  Vec3 impulse;            ///< Along normal and tangents [N s]: the last step's, then this one's.
  Vec3 impact;             ///< Of the impact at the beginning of the step.
  /// Relative velocities that the two do their work on, along normal and tangents [m/s].
  Vec3 meanVelocity, impactVelocity;
  /// Arms of the couples that resist spinning about the normal and rolling across it [m].
  double spinning = 0.0, rolling = 0.0;
  /// These couples about normal and tangents, as the impulses [N m s], and the relative turning
  /// that they do their work on [rad/s].
  Vec3 couple, impactCouple, meanTurning, impactTurning;
};

/// Components of a vector along normal and tangents.
[[nodiscard]] inline Vec3 inFrame(const JointedContact& c, const Vec3& v) {
  return {dot(c.normal, v), dot(c.tangent1, v), dot(c.tangent2, v)};
}

/// An end of the way of a joint's axis that something may come to in the step.
struct LimitRow {
  std::uint32_t mechanism = 0, joint = 0;
  std::uint8_t row = 0;
  bool isUpper = false;
  double bound = 0.0;  ///< Least rate, away from the end.
};

/// A couple of a contact: against spinning, or against rolling.
struct CoupleRow {
  std::uint32_t contact = 0;
  bool isSpin = false;
};

/// What pushes one way only in an island, contacts and ends of joints' ways, on the response of the
/// mechanisms that are pushed: u = W p + q. A limit is a contact without friction whose velocity is
/// the rate of its axis. A couple is the friction of a contact whose normal impulse is that of
/// another, in the last solution, and whose coefficient is the couple's arm. Rows are those of
/// contacts, then of couples, then of limits.
class IslandRows {
public:
  std::vector<CoupleRow> couples;
  std::vector<LimitRow> limits;
  std::vector<Vec3> impulses;  ///< Of all rows.
  std::vector<double> bounds;  ///< Least normal velocities at the end of the step.

  /// Contacts of mechanisms that these steps are of, and who shares the work; all outlive what
  /// follows.
  void begin(std::span<const JointedContact> contacts, std::span<MeanStep> steps, Crew& crew);
  [[nodiscard]] std::size_t size() const { return firstLimit() + limits.size(); }
  /// Rows before those of couples and limits.
  [[nodiscard]] std::size_t firstCouple() const { return contacts_.size(); }
  [[nodiscard]] std::size_t firstLimit() const { return contacts_.size() + couples.size(); }
  /// About normal and tangents of its contact, by impulses (or other numbers) of all rows.
  [[nodiscard]] Vec3 coupleOf(std::size_t couple, std::span<const Vec3> ofRows) const;
  /// Adds a limit that is not there yet, with an impulse to begin with.
  bool addLimit(const LimitRow& limit, double impulse);
  void dropLimits();
  /// Takes the rates of the last MeanStep::linearise(); finds anew which rows share a mechanism
  /// where rows were added.
  void refresh();
  /// The matrix W for velocities v0 + (v - v0) / share, of mean velocities v; or, where sweeps will
  /// do and rows are many, what they ask for (see TreeSweeps), which takes share to be 1;
  /// `isAgain`: what mechanisms make of impulses is known well enough, but for those that have new
  /// limits or were forgotten.
  void buildMatrix(double share, bool sweeps, bool isAgain = false);
  /// What a mechanism makes of impulses is to be found anew by the next buildMatrix().
  void forgetResponse(std::uint32_t mechanism) { has_new_[mechanism] = is_any_new_ = 1; }
  [[nodiscard]] bool isResponseForgotten() const { return is_any_new_ != 0; }
  /// Whether the last buildMatrix() was for sweeps; then, with limits dropped and without friction,
  /// what contacts make of displacements is taken from it.
  [[nodiscard]] bool isForSweeps() const { return sweeps_; }
  void restrictToDisplacements();
  /// Velocities of all rows at the mean velocities that the steps predict (or have).
  void velocities(bool isPredicted, std::vector<Vec3>& out) const;
  /// Impulses for which velocities, those given being with the present impulses, keep the bounds.
  SolverReport solve(std::span<const Vec3> present, const SolverOptions& options,
                     ContactSolver& solver);
  /// Velocity of what is not in a mechanism, in that of a contact.
  [[nodiscard]] const Vec3& givenOf(std::size_t contact) const { return rows_[contact].given; }
  /// Impulses on the bodies of each mechanism.
  void pushes(bool withLimits, std::vector<std::vector<Vec6>>& out) const;
  /// The same without friction.
  bool isFrictionless = false;

private:
  using Row = IslandRow;
  using Side = IslandRow::Side;

  void forgetLimits();
  void findPatterns();
  [[nodiscard]] bool isFewBodies() const;
  void addMechanism(std::uint32_t mechanism);
  [[nodiscard]] double freeResponse(const Row& row) const;
  [[nodiscard]] std::size_t blockOf(std::uint32_t row, std::uint32_t column) const;
  void setLimit(std::size_t k);
  void addCouple(std::uint32_t contact, bool isSpin);
  [[nodiscard]] double frictionOf(std::uint32_t row) const;

  std::span<const JointedContact> contacts_;
  std::span<MeanStep> steps_;
  Crew* crew_ = nullptr;
  std::vector<Row> rows_;
  bool is_known_ = false;                            ///< The pattern.
  std::vector<std::vector<std::uint32_t>> rows_of_;  ///< Of each mechanism.
  std::vector<std::uint32_t> row_start_, column_;
  std::vector<std::array<double, 9>> block_;
  std::vector<Vec3> free_, solved_;
  std::vector<double> friction_, softness_;
  std::vector<std::uint8_t> has_new_;  ///< By mechanism, since buildMatrix(): new limits.
  std::uint8_t is_any_new_ = 0;
  std::vector<std::vector<std::uint8_t>> is_there_;  ///< By mechanism, joint, row and end.
  std::vector<BlockElimination::Reach> reaches_;     ///< Of the rows of a mechanism.
  bool sweeps_ = false;
  TreeSweeps trees_;
};

}  // namespace abut::inline v0_1
