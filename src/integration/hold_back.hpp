// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/core/status.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "collision/course.hpp"
#include "collision/detector.hpp"
#include "dynamics/contact_lookup.hpp"
#include "dynamics/step_input.hpp"
#include "dynamics/step_motion.hpp"

namespace abut {

/// An angular velocity that keeps its components in a body that a stage turns without dynamics, so
/// that the body's energy is what it was.
inline Vec3 turnedWith(const Quat& from, const Quat& to, const Vec3& w) {
  return toMatrix(to) * transposeTimes(toMatrix(from), w);
}

/// The last guard of a step: no body passes through another.
///
/// A body whose way, as the step made it, leads through another is held where it first touches it,
/// or, if the step solved a contact of the two, where they would overlap by more than a share of
/// their widths. What is held by a body that drives others is taken along with it; of two dynamic
/// bodies neither goes on. Velocities stay, the next step sees the contact.
///
/// Bodies are looked at that go farther than a share of their own least half width, or that
/// something comes upon by so much: all others cost a comparison. Planes are not crossed.
/// Allocates only while the number of bodies or contacts passes its previous maximum.
class HoldBack {
public:
  /// Forgets the last step.
  void begin();
  /// Notes a body's orientation before a stage turns it without dynamics.
  void keepSpin(const StepMotion& motion, std::size_t body);
  /// Changes the new places of bodies that would pass through others. Fails as the kernels of the
  /// shapes do.
  Status run(const StepInput& in, Detector& detector, const ContactLookup& contacts,
             StepMotion& motion);
  /// Of a part of a world: whether run() would leave all own bodies where they are. Says no where
  /// a body's way leads out of the region that this rank knows all bodies of. Changes nothing.
  Status isFree(const StepInput& in, Detector& detector, const ContactLookup& contacts,
                StepMotion& motion, const Aabb& region, bool& free);
  /// A body and its orientation before a stage turned it.
  struct Spin {
    std::uint32_t body = 0;
    Quat orientation;
  };
  [[nodiscard]] std::span<const Spin> getSpins() const { return spins_; }
  void addSpin(const Spin& spin) { spins_.push_back(spin); }
  /// Turns the angular velocities of bodies that were turned since keepSpin().
  void turnSpins(StepMotion& motion);
  /// Bodies that were held back and that no contact of the step holds.
  [[nodiscard]] std::span<const std::uint32_t> getLoose() const { return loose_; }

private:
  /// What run() looks at, and what it changes.
  struct Scene {
    const StepInput& in;
    Detector& detector;
    const ContactLookup& contacts;
    StepMotion& motion;
  };
  /// A body's motion in a part of the step, and the orientation at its beginning.
  struct Leg {
    Course course;
    Quat start;
    double from = 0.0;  ///< Fraction of the step at which it begins.
  };
  /// What ends a body's way.
  struct Obstacle {
    std::size_t body = 0;
    double fraction = 1.0;  ///< Of the way up to it.
    Course course;          ///< Of the other body.
  };
  struct Place {
    Vec3 position;
    Quat orientation;
  };
  static Leg lastLeg(const Scene& s, std::size_t i);
  static Course courseFrom(const Scene& s, std::size_t j, double from);
  bool findGuarded(const Scene& s);
  static Aabb boxOf(const Scene& s, std::size_t i, const Leg& leg);
  Status findObstacle(Scene& s, std::size_t i, const Leg& leg, Obstacle& first);
  Status freeWay(const Scene& s, std::size_t i, const Leg& leg, std::size_t j, const Course& course,
                 double& fraction);
  void hold(Scene& s, std::size_t i, const Leg& leg, const Obstacle& at);
  void holdOther(Scene& s, std::size_t j, double time);
  void note(const Scene& s, std::size_t body);

  std::vector<double> motion_;           // By body: how far a point of it goes at most [m].
  std::vector<std::uint8_t> guarded_;    // By body.
  std::vector<std::size_t> carried_by_;  // By body: the driver that takes it along, plus one.
  std::vector<Place> made_;              // By body: where the step put it.
  std::vector<std::uint8_t> noted_;      // By body, once a body is noted.
  std::vector<Spin> spins_;
  std::vector<std::uint32_t> loose_;
  CollisionResult scratch_;
  std::vector<ObjectId> near_;
};

}  // namespace abut
