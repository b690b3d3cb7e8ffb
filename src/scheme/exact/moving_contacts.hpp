// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/dynamics/mobility.hpp>
#include <abut/narrow_phase/collision_result.hpp>
#include <abut/solver/contact_solver.hpp>

#include "math/pose.hpp"

namespace abut::inline v0_1 {

struct ExactStep;
struct Island;
struct LocalProblem;
struct StepContact;

/// A contact at one end of a leg.
struct MovedPlace {
  Vec3 normal;       ///< Unit, world, from body 2 to body 1.
  Vec3 arm1, arm2;   ///< From the centres of mass to the surfaces [m].
  double gap = 0.0;  ///< [m]; negative: overlap.
};

/// A contact that moves within the step: impulses act half where it is at the beginning of a leg
/// and half where it is at its end. World frame, on body 1.
struct MovingContact {
  SolverContact startRow;  ///< As impacts met it, at the start of the step.
  Vec3 startSlip;          ///< Then [m/s].

  // Over the whole step.
  Vec3 impulse, couple;   ///< [N s, N m s]
  Vec3 moment1, moment2;  ///< Of both about the centres of the bodies [N m s].
  double normalWork = 0.0, frictionWork = 0.0;
  double excess = 0.0;  ///< Work on the mean velocities beyond that on those of both ends [J].

  // Of the present leg.
  MovedPlace start, end;
  Vec3 legSlip;  ///< At its start.
  Vec3 startImpulse, endImpulse, startCouple, endCouple;
  Vec3 guess, coupleGuess;  ///< What its passes began with.
};

/// How a body goes through the step.
struct MovingBody {
  Vec3 position;  ///< At the end of the leg [m].
  Quat orientation;
  BodyVelocity velocity;
  BodyVelocity mean;  ///< Over the leg: what impulses do their work on.

  Vec3 startPosition;  ///< Of the leg.
  Quat startOrientation;
  BodyVelocity startVelocity;

  Vec3 way, turn;  ///< Over the whole step: mean velocities times time [m, rad].
};

/// Contacts whose place or normal changes while the step goes on: those of turntables, rolling rims
/// and tops, of balls on balls. The law of contact holds for the velocities at the end of a leg
/// with the geometry of the end; impulses act half on the geometry of the start and half on that of
/// the end; bodies move by the mean of their velocities, rotations by that in the body's frame
/// (rotateByMean). This is symmetric in time, so of second order, and the work of every impulse is
/// known exactly.
///
/// The end is found by passes: predict poses, collide again there, solve again from the last
/// answer. What an impulse at the start does otherwise than one at the end is carried over from the
/// pass before, as known velocity. A step is one leg; an island whose passes do not settle goes
/// through it in two halves, these again in two where they must; one that does not settle at all
/// keeps the answer with the geometry of the start.
class MovingContacts {
public:
  /// Whether an island may be followed although contacts of it seem to close: nothing of it
  /// strikes, and it is small.
  static bool mayWait(const ExactStep& step, const Island& island);
  /// Before the islands of a step.
  void begin(std::size_t contacts, std::size_t bodies);
  /// Follows an island from the answer that the step has for the geometry of the start. True if it
  /// settled: then its contacts and bodies are marked, and the step has the answer of the end.
  bool follow(ExactStep& step, const Island& island);

  [[nodiscard]] bool isMoving(std::size_t contact) const { return is_moving_[contact] != 0; }
  [[nodiscard]] bool movesBody(std::size_t body) const { return moves_body_[body] != 0; }
  [[nodiscard]] const MovingContact& at(std::size_t contact) const { return contacts_[contact]; }
  [[nodiscard]] const MovingBody& ofBody(std::size_t body) const { return bodies_[body]; }

private:
  /// Impulse and its moment on a body.
  struct Push {
    Vec3 impulse, moment;
  };
  /// The step as one leg, while it is made in halves.
  struct Whole {
    std::vector<MovingBody> bodies;       // By local body.
    std::vector<MovingContact> contacts;  // By local contact.
    std::vector<SolverContact> rows;
    std::vector<Vec3> impulses, couples;
    SolverReport report;
  };

  void start(const ExactStep& s, const Island& island, const LocalProblem& local);
  bool followLeg(ExactStep& s, const Island& island, double h, int halvings);
  bool makePasses(ExactStep& s, const Island& island, double h, bool mayHalve);
  void predict(const ExactStep& s, const Island& island, double h);
  bool moveBodies(const ExactStep& s, const Island& island, const LocalProblem& local, double h);
  bool moveBody(const ExactStep& s, std::uint32_t body, const Push& push, double h);
  void placeAtEnd(const ExactStep& s, const Island& island);
  [[nodiscard]] double reachAtEnd(const ExactStep& s, const StepContact& c) const;
  [[nodiscard]] bool isDeepest(const ExactStep& s, std::span<const std::uint32_t> contacts,
                               std::uint32_t index, bool ofPair, double tie) const;
  [[nodiscard]] std::size_t findSame(const ExactStep& s, std::uint32_t index, bool isLowest,
                                     double tie) const;
  [[nodiscard]] std::size_t findNearest(const Vec3& expected, double reach) const;
  [[nodiscard]] std::size_t findOnRim(double depth) const;
  [[nodiscard]] bool isLeftOut(const ExactStep& s, std::uint32_t index, std::size_t nearest,
                               double near) const;
  [[nodiscard]] bool isEdgeOfSeam(const ExactStep& s, std::uint32_t index, std::size_t point) const;
  void matchPoints(const ExactStep& s, std::span<const std::uint32_t> contacts);
  void take(const ExactStep& s, std::uint32_t index, std::size_t point);
  void carryAlong(const StepContact& c, const ContactPoint& from, MovingContact& m) const;
  void makeRows(const ExactStep& s, const Island& island, LocalProblem& local, double h);
  void makeRow(const StepContact& c, const MovingContact& m, double h, SolverContact& row) const;
  void carryOver(const MovingContact& m, const SolverContact& row, const Quat& backTurn,
                 LocalProblem& local) const;
  [[nodiscard]] Quat turnOfFrame(const StepContact& c, const MovingContact& m, const Vec3& normal,
                                 double h) const;
  void takeAnswer(const ExactStep& s, const Island& island, const LocalProblem& local);
  [[nodiscard]] double changeOf(const ExactStep& s, const LocalProblem& local) const;
  void endLeg(const ExactStep& s, const Island& island, const LocalProblem& local, double h);
  [[nodiscard]] bool passedBy(const ExactStep& s, const Island& island) const;
  [[nodiscard]] bool goesFar(const ExactStep& s, const Island& island) const;
  void bookLeg(const StepContact& c, MovingContact& m) const;
  void publish(ExactStep& s, const Island& island, double scale);

  void extrapolate(ExactStep& s, const Island& island);
  bool makeHalves(ExactStep& s, const Island& island);
  [[nodiscard]] bool isSmooth(const ExactStep& s, const Island& island) const;
  void describe(const ExactStep& s, const Island& island, std::vector<std::uint8_t>& kinds) const;
  void keepWhole(const ExactStep& s, const Island& island);
  void goBackToWhole(ExactStep& s, const Island& island);

  std::vector<std::uint8_t> is_moving_, moves_body_;
  std::vector<MovingContact> contacts_;
  std::vector<MovingBody> bodies_;

  // Scratch.
  Whole whole_;
  std::vector<std::uint8_t> kinds_, kinds_of_half_;  // By contact.
  SolverReport report_;                              // Of the last pass.
  double speed_ = 0.0;              // Of the island: what changes are compared with [m/s].
  Vec3 driver_spin_;                // Of the island's one driver that turns [rad/s].
  bool closed_ = false;             // A contact that waited closed.
  double leg_ = 0.0;                // Length of the last leg [s].
  std::vector<Push> pushes_;        // By local body.
  std::vector<BodyVelocity> last_;  // By local body: end velocities of the last pass.
  std::vector<Quat> back_turns_;    // By local contact: from the frame of the end to the start's.
  CollisionResult found_;
  std::vector<const ContactPoint*> points_;   // Of found_, all.
  std::vector<std::uint8_t> used_, matched_;  // By point found, by contact of a pair.
};

}  // namespace abut::inline v0_1
