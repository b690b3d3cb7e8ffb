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
#include "integration/guarded_path.hpp"
#include "integration/pair_way.hpp"

namespace abut::inline v0_1 {

/// An angular velocity that keeps its components in a body that a stage turns without dynamics, so
/// that the body's energy is what it was.
inline Vec3 turnedWith(const Quat& from, const Quat& to, const Vec3& w) {
  return toMatrix(to) * transposeTimes(toMatrix(from), w);
}

/// The last guard of a step: no body passes through another.
///
/// Bodies go their ways, as the step made them, all at once. When two first touch, or, if the step
/// solved a contact of theirs, when they overlap by more than a share of their widths, they cease
/// to turn; if that is not enough they stay where they are. What a body that drives others runs
/// upon is taken along with it. This is done in the order of time, so that what stays is in the way
/// of what comes later, and each body is stopped at most once. Velocities stay, the next step sees
/// the contact.
///
/// Bodies are looked at that go farther than a share of their own least half width, or that
/// something comes upon by so much: all others cost a comparison.
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
  static constexpr std::uint32_t kNone = 0xffffffffu;
  /// A body that was held back, and how far from where the step had put it [m].
  struct Lift {
    std::uint32_t body = 0;
    Vec3 by;
    std::uint32_t carrier = kNone;  ///< The body that drives others and took it along.
  };
  [[nodiscard]] std::span<const Lift> getLifts() const { return work_.lifts; }
  void addLift(const Lift& lift) { work_.lifts.push_back(lift); }
  /// Whether a body was taken along with one that drives others.
  [[nodiscard]] bool hasCarried() const;
  /// Whether all bodies awake go no farther than their boxes reach.
  [[nodiscard]] static bool stayNear(const StepInput& in, const Detector& detector,
                                     const StepMotion& motion);
  /// Bodies that were held back and that no contact of the step holds.
  [[nodiscard]] std::span<const std::uint32_t> getLoose() const { return loose_; }
  void addLoose(std::uint32_t body) { loose_.push_back(body); }

private:
  /// What run() looks at, and what it changes.
  struct Scene {
    const StepInput& in;
    Detector& detector;
    const ContactLookup& contacts;
    StepMotion& motion;
  };
  /// A body that may be stopped, or that may stop one.
  struct Guarded {
    std::uint32_t body = 0;
    std::uint32_t firstPair = kNone;
    std::uint32_t carrier = kNone;  ///< Who takes it along.
    bool canStop = false;
    bool isChanged = false;
    GuardedPath path;
  };
  struct Pair {
    std::uint32_t guarded[2] = {kNone, kNone};
    std::uint32_t next[2] = {kNone, kNone};  ///< Of the pairs of each.
    std::uint32_t version = 0;               ///< Of what is known of it.
    bool isOver = false;                     ///< It is not looked at any more.
    bool turningEnded = false;
  };
  struct Event {
    double time;
    std::uint32_t pair, version;
  };
  struct Work {
    RoomList<Pair> pairs;
    std::vector<Event> events;  ///< A heap.
    std::vector<double> times;
    std::vector<std::uint32_t> surprised;
    std::vector<Lift> lifts;
    PairWay way;
  };
  /// Orders a heap: first what comes first.
  static bool isLater(const Event& a, const Event& b) {
    return a.time != b.time ? a.time > b.time : a.pair > b.pair;
  }
  static GuardedPath pathOf(const Scene& s, std::size_t i);
  bool findGuarded(const Scene& s);
  static Aabb boxOf(const Scene& s, std::size_t i, const Course& course);
  std::uint32_t take(const Scene& s, std::size_t body);
  bool hasPair(std::uint32_t a, std::uint32_t b) const;
  bool addPair(const Scene& s, std::uint32_t a, std::size_t body);
  Status addPairs(Scene& s, std::uint32_t a, const Course& course);
  void addSurprised(const Scene& s);
  Status gather(Scene& s);
  Status foresee(const Scene& s, std::uint32_t pair, double now);
  Status foreseeAll(const Scene& s, std::uint32_t guarded, double now);
  Status answer(Scene& s, std::uint32_t pair, double time);
  Status runInto(Scene& s, Pair& pair, double time, bool& changed);
  Status carry(Scene& s, std::uint32_t guarded, std::uint32_t by, double time);
  void place(Scene& s);
  void note(const Scene& s, std::size_t body);

  std::vector<double> motion_;         // By body: how far a point of it goes at most [m].
  std::vector<std::uint8_t> guarded_;  // By body.
  std::vector<std::uint32_t> slot_;    // By body: its index among those taken.
  RoomList<Guarded> taken_;
  std::vector<std::uint8_t> noted_;  // By body, once a body is noted.
  std::vector<Spin> spins_;
  std::vector<std::uint32_t> loose_;
  CollisionResult scratch_;
  std::vector<ObjectId> near_;
  Work work_;
};

}  // namespace abut::inline v0_1
