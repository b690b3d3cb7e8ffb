// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "collision/blow_node.hpp"
#include "scheme/exact/blow_support.hpp"
#include "scheme/step_contact.hpp"
#include "solver/impact_sequence.hpp"

namespace abut::inline v0_1 {

/// Gaps below this [m] pass a blow on.
inline constexpr double kTouchingGap = 1e-9;

/// A contact that is not there yet when it is looked at is predicted again, so often.
inline constexpr int kMaxBlowLooks = 6;

/// A contact of an island while its blows are made.
struct BlowRow {
  double gap = 0.0;   ///< [m]
  double pull = 0.0;  ///< Acceleration along the normal [m/s^2].
  /// Until then [s] it is known to be open, and closes then, unless a blow takes a body of it off
  /// its course before.
  double late = 0.0;
  bool isExpected = false;  ///< It is not known to close at `late`: it is looked at then.
  /// Its bodies meet in one point, wherever they do: a row is one meeting, of one direction. The
  /// next along another is another row's.
  bool isRound = false;
  bool isOver = false;   ///< Its meeting does not happen, or is over.
  double near = 0.0;     ///< A round one that is open by more [m] when expected does not happen.
  double slowest = 0.0;  ///< Slower approach [m/s] is no blow.
  bool takesPart = false;
  bool rests = false;    ///< It bounced to rest in this step, and rests.
  bool isSpent = false;  ///< It is only stopped, and rests if it is pulled.
  bool open = false;     ///< Was apart since its last blow.
  int looks = 0;         ///< At its geometry.
  int bounces = 0;
};

/// Where contacts are while bodies move.
class BlowGeometry {
public:
  /// Takes normal, arms and gap of a contact at its bodies' displacements since the beginning of
  /// the step; leaves them where it has no better.
  virtual void look(std::uint32_t contact, std::span<const BodyVelocity> ways, SolverContact& row,
                    double& gap) = 0;
  /// The same for a contact whose bodies will not meet when they would have: it is one of those
  /// that close when they are predicted to.
  virtual void leaveCourse(std::uint32_t contact, std::span<const BodyVelocity> ways,
                           SolverContact& row, double& gap) = 0;

  /// Takes a contact that is expected where its bodies are.
  virtual void meet(std::uint32_t contact, std::span<const BodyVelocity> ways, SolverContact& row,
                    double& gap) = 0;
  /// Whether bodies that were thrown back meet again along the same direction.
  virtual bool isSame(std::uint32_t contact, std::span<const BodyVelocity> ways,
                      const SolverContact& row) = 0;

protected:
  ~BlowGeometry() = default;
};

/// The blows of an island within a step, in the order of their times.
///
/// Bodies move freely between blows. A contact that closes is looked at where its bodies are then,
/// and thrown back with the speed of then; what the blow sets in motion may close further contacts
/// within the step. Contacts that are closed at one time are thrown back as ImpactSequence does:
/// the fastest first, those that tie together. A contact that bounced often, or closes slower than
/// a blow is, rests: from then on its bodies are carried (BlowSupport) until a blow parts them.
///
/// Fill the public vectors, then run(). Allocates only while sizes pass their previous maximum.
class Blows {
public:
  std::vector<BlowRow> rows;            ///< One for each contact.
  std::vector<double> restitution;      ///< Of each contact.
  std::vector<SolverContact> contacts;  ///< Without bounds.
  std::vector<Vec3> acceleration;       ///< Of each body until something comes to rest [m/s^2].
  std::vector<Vec3> freeAcceleration;   ///< Of each body if nothing carried it [m/s^2].
  /// Of each contact: sum of impulse times the time at which it acts [N s^2].
  std::vector<Vec3> delayed;
  /// Of each contact: work of its impulses on what accelerations added until then [J]; filled only
  /// where something came to rest.
  std::vector<LateWork> delayedWork;
  std::vector<BodyVelocity>
      gained;                      ///< Of each body: what accelerations added until the last blow.
  std::vector<double> firstBlow;   ///< Of each body: its time [s]; the end of the step if none.
  std::vector<BlowNode> nodes;     ///< Blows of each body that answers them, in order of time.
  std::vector<BodyVelocity> ends;  ///< Displacements of bodies that fly on to the end [m, rad].
  std::vector<PreparedContact> prepared;

  struct Report {
    double time = 0.0;    ///< Of the last blow [s].
    bool gaveUp = false;  ///< After a fixed number for each contact.
    bool rested = false;  ///< Something came to rest.
    RestitutionWork work;
  };

  /// `impulses` grow by what was exchanged. `velocities` are on entry those before the step, on
  /// return those at the time of the last event; where bodies are then is in getWays().
  Report run(std::span<const BodyMobility> mobility, double dt, BlowGeometry& geometry,
             std::span<Vec3> impulses, std::span<BodyVelocity> velocities);

  /// Displacements of bodies from the beginning of the step to the last event [m, rad].
  [[nodiscard]] std::span<const BodyVelocity> getWays() const { return ways_; }

private:
  [[nodiscard]] double untilNext(double most) const;
  [[nodiscard]] BodyVelocity wayAfter(std::size_t b, double by,
                                      std::span<const BodyVelocity> velocities) const;
  [[nodiscard]] double pullOf(std::size_t k) const;
  void advance(double by, std::span<BodyVelocity> velocities);
  void lookAgain(std::span<const BodyMobility> mobility, BlowGeometry& geometry,
                 std::span<const Vec3> impulses, std::span<const BodyVelocity> velocities);
  void prepareAgain(std::span<const BodyMobility> mobility,
                    std::span<const BodyVelocity> velocities, std::size_t k);
  void lookAtRound(std::uint32_t k, BlowGeometry& geometry, std::span<const Vec3> impulses);
  void leaveCourses(std::span<const BodyMobility> mobility, double time, BlowGeometry& geometry,
                    std::span<const BodyVelocity> velocities);
  void meetExpected(std::span<const BodyMobility> mobility, double time, BlowGeometry& geometry,
                    std::span<const BodyVelocity> velocities);
  void findGroup(double time);
  void settle();
  void restAfterBlow();
  void noteBlows(double time, std::span<const Vec3> exchanged, std::span<Vec3> impulses);
  void carry(std::span<const BodyMobility> mobility, double time,
             std::span<const BodyVelocity> velocities);

  ImpactGroup group_;
  BlowSupport support_;
  bool has_rested_ = false;          // Something came to rest in this run.
  bool has_changed_ = false;         // What carries what may have changed since carry().
  std::vector<BodyVelocity> rates_;  // Acceleration of each body at present.
  std::vector<BodyVelocity> carried_;
  std::vector<std::uint32_t> touching_;
  std::vector<std::uint32_t> tied_;
  std::vector<double> speed_;         // Of each contact along its normal [m/s].
  std::vector<BodyVelocity> ways_;    // Of each body since the beginning [m, rad].
  std::vector<std::uint8_t> struck_;  // By body: in the last blow.
};

}  // namespace abut::inline v0_1
