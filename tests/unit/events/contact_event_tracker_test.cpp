// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include <abut/events/contact_event_tracker.hpp>
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/generator.hpp"

namespace abut {
namespace {

constexpr double kZEps = 1e-8;

/// Balls of radius 0.5 above the floor z = 0; ball i has id i + 2, the floor id 1.
struct Scene {
  PlaneShape floor{Eigen::Vector3d(0, 0, 1)};
  SphereShape ball{0.5};
  std::vector<TrackedObject> objects;

  explicit Scene(const std::vector<Eigen::Vector3d>& balls) {
    objects.push_back({{&floor, {}, 1}, false});
    for (std::size_t i = 0; i < balls.size(); ++i) {
      objects.push_back({{&ball, {{}, toVec3(balls[i])}, i + 2}, true});
    }
  }
  /// One ball with this gap to the floor.
  explicit Scene(double gap) : Scene({Eigen::Vector3d(0, 0, 0.5 + gap)}) {}
  void setGap(double gap) { objects[1].placed.pose.translation.z = 0.5 + gap; }
};

/// Counts what it is asked; the closing speed tells which contact it was.
struct CountingSource final : ContactResponseSource {
  int asked = 0;
  Status respond(const TrackedPair&, ContactResponse& response) override {
    response.closingSpeed = ++asked;
    return {};
  }
};

TEST(ContactEventTracker, ContactAtInitialisationNeedsAnOverlapOfZEps) {
  const auto contactAt = [](double gap) {
    Scene scene(gap);
    ContactEventTracker tracker;
    tracker.initialize(scene.objects, 0.0).orThrow();
    return tracker.findContact(1, 2) != nullptr;
  };
  EXPECT_FALSE(contactAt(1e-3));
  EXPECT_FALSE(contactAt(0.0));
  EXPECT_FALSE(contactAt(-1e-14));
  EXPECT_FALSE(contactAt(-0.99 * kZEps));
  EXPECT_TRUE(contactAt(-1.01 * kZEps));
}

TEST(ContactEventTracker, RootIsNeverZeroAfterInitialisation) {
  for (const double gap : {1e-3, 0.0, -1e-14, -kZEps, -2 * kZEps, -1e-3}) {
    Scene scene(gap);
    ContactEventTracker tracker;
    tracker.initialize(scene.objects, 0.0).orThrow();
    EXPECT_GE(std::fabs(tracker.getRoots()[0]), 0.99 * kZEps) << gap;
  }
}

TEST(ContactEventTracker, ContactAppearsBelowTwiceZEpsAndEndsAboveZero) {
  Scene scene(1e-3);
  ContactEventTracker tracker;
  std::vector<ContactChange> changes;
  tracker.initialize(scene.objects, 0.0).orThrow();

  scene.setGap(-1.9 * kZEps);
  tracker.updateRoots(scene.objects).orThrow();
  EXPECT_GT(tracker.getRoots()[0], 0.0);  // Not yet.
  scene.setGap(-2.1 * kZEps);
  tracker.updateRoots(scene.objects).orThrow();
  EXPECT_LT(tracker.getRoots()[0], 0.0);
  EXPECT_TRUE(tracker.getContacts().empty()) << "flags change at events alone";
  tracker.handleEvent(scene.objects, 1.0, changes).orThrow();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_TRUE(changes[0].begins);
  ASSERT_NE(tracker.findContact(2, 1), nullptr);
  EXPECT_EQ(tracker.findContact(2, 1)->response.beginTime, 1.0);
  EXPECT_EQ(tracker.getRoots()[0], tracker.findContact(1, 2)->distanceOrg);

  scene.setGap(-1e-10);
  tracker.updateRoots(scene.objects).orThrow();
  EXPECT_LT(tracker.getRoots()[0], 0.0);  // Still.
  scene.setGap(1e-10);
  tracker.updateRoots(scene.objects).orThrow();
  EXPECT_GT(tracker.getRoots()[0], 0.0);
  tracker.handleEvent(scene.objects, 2.0, changes).orThrow();
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_FALSE(changes[0].begins);
  EXPECT_TRUE(tracker.getContacts().empty());
  EXPECT_NEAR(tracker.getRoots()[0], 2 * kZEps, 0.1 * kZEps);
}

/// Steps a gap through time, handling every sign change; returns how often it toggled.
template <typename Gap>
int toggles(ContactEventTracker& tracker, Scene& scene, Gap gap, int steps, double dt) {
  scene.setGap(gap(0.0));
  tracker.initialize(scene.objects, 0.0).orThrow();
  int count = 0;
  std::vector<ContactChange> changes;
  for (int i = 1; i <= steps; ++i) {
    const double before = tracker.getRoots()[0];
    scene.setGap(gap(i * dt));
    tracker.updateRoots(scene.objects).orThrow();
    if ((tracker.getRoots()[0] > 0.0) == (before > 0.0)) continue;
    tracker.handleEvent(scene.objects, i * dt, changes).orThrow();
    count += static_cast<int>(changes.size());
  }
  return count;
}

TEST(ContactEventTracker, NoiseBelowZEpsNeverToggles) {
  // Between -zEps and zEps a pair without contact has z > 0, wherever the noise begins.
  test::Generator random(4);
  Scene scene(0.0);
  ContactEventTracker tracker;
  const auto noise = [&random](double) { return random.range(-kZEps, kZEps); };
  EXPECT_EQ(toggles(tracker, scene, noise, 5000, 1e-3), 0);
  // In contact at a depth of zEps, the same noise never lets go.
  const auto pressed = [&random](double t) {
    return t == 0.0 ? -3 * kZEps : random.range(-2 * kZEps, 0.0);
  };
  EXPECT_EQ(toggles(tracker, scene, pressed, 5000, 1e-3), 0);
}

TEST(ContactEventTracker, GrazingSineTogglesOnceOnAndOnceOffEachPeriod) {
  // The gap touches -2.5 zEps at its lowest: on below -2 zEps, off above 0. 50 periods of 1 s.
  Scene scene(0.0);
  ContactEventTracker tracker;
  const auto sine = [](double t) {
    return 1e-3 - (1e-3 + 2.5 * kZEps) * std::sin(2 * M_PI * (t + 0.01));
  };
  EXPECT_EQ(toggles(tracker, scene, sine, 500000, 1e-4), 100);
  // One that stays above -2 zEps toggles never.
  const auto higher = [](double t) {
    return 1e-3 - (1e-3 + 1.5 * kZEps) * std::sin(2 * M_PI * (t + 0.01));
  };
  EXPECT_EQ(toggles(tracker, scene, higher, 50000, 1e-4), 0);
}

TEST(ContactEventTracker, WatchedPairsAreOrderedByDistanceThenPair) {
  // Balls 2 and 3 are level, ball 4 is higher; the balls are 3 m apart.
  Scene scene({{0, 0, 0.7}, {3, 0, 0.7}, {6, 0, 0.8}});
  ContactEventOptions options;
  options.closeDistance = 1.0;
  ContactEventTracker tracker(options);
  tracker.initialize(scene.objects, 0.0).orThrow();
  const std::span<const PairKey> keys = tracker.getClosestPairs();
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0].pair, (ObjectPair{1, 2}));
  EXPECT_EQ(keys[1].pair, (ObjectPair{1, 3}));
  EXPECT_EQ(keys[2].pair, (ObjectPair{1, 4}));
  EXPECT_EQ(keys[0].distanceWithHysteresis, keys[1].distanceWithHysteresis);
  EXPECT_NEAR(tracker.getRoots()[2], 0.3 + 2 * kZEps, 1e-15);
  EXPECT_EQ(tracker.getRoots()[3], 1.0);  // Filled up with the close distance.
  EXPECT_EQ(tracker.getRoots().size(), options.nzMax);
}

TEST(ContactEventTracker, ContactsComeFirstAndTheClosestFillWhatIsLeft) {
  // Balls 3 and 5 overlap the floor; of 2 and 4 the closer one gets the third place.
  Scene scene({{0, 0, 0.9}, {3, 0, 0.4}, {6, 0, 0.8}, {9, 0, 0.45}});
  ContactEventOptions options;
  options.nzMax = 3;
  options.closeDistance = std::numeric_limits<double>::infinity();
  ContactEventTracker tracker(options);
  tracker.initialize(scene.objects, 0.0).orThrow();
  ASSERT_EQ(tracker.getContacts().size(), 2u);
  EXPECT_NEAR(tracker.getRoots()[0], -0.1, 1e-15);
  EXPECT_NEAR(tracker.getRoots()[1], -0.05, 1e-15);
  ASSERT_EQ(tracker.getNearPairs().size(), 1u);
  EXPECT_EQ(tracker.getNearPairs()[0].pair, (ObjectPair{1, 4}));
  EXPECT_NEAR(tracker.getRoots()[2], 0.3 + 2 * kZEps, 1e-15);
  const std::array<double, 2> aggregate = tracker.getAggregateRoots();
  EXPECT_EQ(aggregate[0], tracker.getRoots()[1]);
  EXPECT_EQ(aggregate[1], tracker.getRoots()[2]);
}

TEST(ContactEventTracker, MoreContactsThanNzMaxIsAnErrorThatChangesNothing) {
  Scene scene({{0, 0, 0.6}, {3, 0, 0.6}});
  ContactEventOptions options;
  options.nzMax = 1;
  ContactEventTracker tracker(options);
  tracker.initialize(scene.objects, 0.0).orThrow();
  const double z = tracker.getRoots()[0];
  scene.objects[1].placed.pose.translation.z = 0.4;
  scene.objects[2].placed.pose.translation.z = 0.4;
  std::vector<ContactChange> changes;
  const Status status = tracker.handleEvent(scene.objects, 2.5, changes);
  EXPECT_EQ(status.getCode(), StatusCode::LimitExceeded);
  for (const char* part : {"t = 2.5 s", "2 pairs in contact", "nzMax is 1", "pair 1/3", "raise"}) {
    EXPECT_NE(status.getMessage().find(part), std::string::npos) << status.getMessage();
  }
  EXPECT_TRUE(tracker.getContacts().empty());
  EXPECT_TRUE(tracker.getLastContacts().empty());
  EXPECT_EQ(tracker.getRoots()[0], z);
}

TEST(ContactEventTracker, ContinuingContactsKeepTheirResponseAndNewOnesAreAsked) {
  Scene scene({{0, 0, 0.4}, {3, 0, 0.6}});
  ContactEventTracker tracker;
  CountingSource source;
  tracker.initialize(scene.objects, 0.0, &source).orThrow();
  ASSERT_EQ(source.asked, 1);
  scene.objects[2].placed.pose.translation.z = 0.45;
  std::vector<ContactChange> changes;
  tracker.handleEvent(scene.objects, 1.0, changes, &source).orThrow();
  EXPECT_EQ(source.asked, 2);
  EXPECT_EQ(tracker.findContact(1, 2)->response.closingSpeed, 1.0);
  EXPECT_EQ(tracker.findContact(1, 2)->response.beginTime, 0.0);
  EXPECT_EQ(tracker.findContact(1, 3)->response.closingSpeed, 2.0);
  ASSERT_EQ(tracker.getLastContacts().size(), 2u);
  EXPECT_EQ(tracker.getLastContacts()[1].response.closingSpeed, 2.0);
  // A contact that ended and comes back is new.
  scene.objects[1].placed.pose.translation.z = 0.6;
  tracker.handleEvent(scene.objects, 2.0, changes, &source).orThrow();
  ASSERT_EQ(tracker.getLastContacts().size(), 1u);
  scene.objects[1].placed.pose.translation.z = 0.4;
  tracker.handleEvent(scene.objects, 3.0, changes, &source).orThrow();
  EXPECT_EQ(tracker.findContact(1, 2)->response.closingSpeed, 3.0);
}

TEST(ContactEventTracker, ValuesFollowWithoutChangingThePairs) {
  Scene scene({{0, 0, 0.4}, {3, 0, 0.6}, {6, 0, 5.0}});
  ContactEventTracker tracker;
  tracker.initialize(scene.objects, 0.0).orThrow();
  ASSERT_EQ(tracker.getNearPairs().size(), 1u);
  scene.objects[1].placed.pose.translation.z = 0.7;
  scene.objects[2].placed.pose.translation.z = 0.3;
  scene.objects[3].placed.pose.translation.z = 0.6;
  tracker.updateValues(scene.objects).orThrow();
  ASSERT_EQ(tracker.getContacts().size(), 1u);
  EXPECT_NEAR(tracker.getContacts()[0].distanceOrg, 0.2, 1e-15);
  EXPECT_NEAR(tracker.getContacts()[0].closest.point2.z(), 0.2, 1e-15);
  ASSERT_EQ(tracker.getNearPairs().size(), 1u);
  EXPECT_EQ(tracker.getNearPairs()[0].pair, (ObjectPair{1, 3}));
  EXPECT_NEAR(tracker.getNearPairs()[0].closest.point2.z(), -0.2, 1e-15);
  tracker.updateRoots(scene.objects).orThrow();
  EXPECT_EQ(tracker.getNearPairs().size(), 2u);  // The ball that came down is watched now.
}

TEST(ContactEventTracker, RootsAreContinuousAlsoWhereBoxesBeginToOverlap) {
  // Two cubes of half width 0.5 turned by 45 degrees about z approach corner on: the boxes overlap
  // long before the cubes touch. A step of 1e-4 m may move no entry of z by more.
  BoxShape cube({0.5, 0.5, 0.5});
  const Pose turned = poseFromRollPitchYaw({0, 0, 0}, 0.1, 0.2, 0.785);
  std::vector<TrackedObject> objects;
  for (ObjectId id = 1; id <= 3; ++id) objects.push_back({{&cube, turned, id}, true});
  objects[2].placed.pose.translation = {0, -4, 0};
  ContactEventOptions options;
  options.nzMax = 4;
  options.closeDistance = 0.7;
  ContactEventTracker tracker(options);
  const double step = 1e-4;
  std::vector<double> before;
  for (int i = 0; i < 30000; ++i) {
    objects[1].placed.pose.translation = {3.0 - step * i, 0.3 - step * i, 0.4};
    if (i == 0) tracker.initialize(objects, 0.0).orThrow();
    tracker.updateRoots(objects).orThrow();
    const std::span<const double> z = tracker.getRoots();
    for (std::size_t k = 0; k < before.size(); ++k) {
      ASSERT_LE(std::fabs(z[k] - before[k]), 1.5 * step) << "step " << i << " entry " << k;
    }
    before.assign(z.begin(), z.end());
  }
}

TEST(ContactEventTracker, WitnessPointsMoveNoFasterThanCurvatureAllows) {
  // A ball of radius 0.5 circles a fixed one at a gap g from 0.2 to -0.01: the witness on the fixed
  // ball moves by r/(2 r + g) of the centre's path, under 0.52 of it.
  SphereShape ball(0.5);
  std::vector<TrackedObject> objects{{{&ball, {}, 1}, false}, {{&ball, {}, 2}, true}};
  ContactEventTracker tracker;
  Eigen::Vector3d before(0, 0, 0), center(0, 0, 0);
  for (int i = 0; i <= 2000; ++i) {
    const double a = 1e-3 * i, r = 1.2 - 0.21 * i / 2000.0;
    const Eigen::Vector3d at(r * std::cos(a), r * std::sin(a), 0.0);
    objects[1].placed.pose.translation = toVec3(at);
    if (i == 0) tracker.initialize(objects, 0.0).orThrow();
    tracker.updateValues(objects).orThrow();
    const Eigen::Vector3d witness = tracker.getNearPairs()[0].closest.point1;
    if (i > 0) {
      EXPECT_LE((witness - before).norm(), 0.52 * (at - center).norm());
    }
    before = witness;
    center = at;
  }
}

TEST(ContactEventTracker, HysteresisMayScaleWithSize) {
  ContactEventOptions options;
  options.zEpsRelative = 1e-6;
  Scene scene(-4e-7);  // Less than zEps = 1e-8 + 1e-6 * 0.5.
  ContactEventTracker tracker(options);
  tracker.initialize(scene.objects, 0.0).orThrow();
  EXPECT_TRUE(tracker.getContacts().empty());
  EXPECT_DOUBLE_EQ(tracker.zEpsOf({1, 2}), 5.1e-7);
}

TEST(ContactEventTracker, FixedIgnoredAndPlanePairsAreLeftOut) {
  Scene scene({{0, 0, 0.4}, {0.5, 0, 0.4}});
  PlaneShape wall(Eigen::Vector3d(1, 0, 0));
  scene.objects.push_back({{&wall, {}, 9}, true});
  scene.objects[2].canMove = false;  // Ball 3 and the floor are fixed now.
  ContactEventTracker tracker;
  tracker.ignorePair(3, 2).orThrow();
  tracker.ignorePair(9, 2).orThrow();
  EXPECT_EQ(tracker.ignorePair(2, 2).getCode(), StatusCode::SelfPair);
  EXPECT_EQ(tracker.ignorePair(0, 2).getCode(), StatusCode::OutOfRange);
  tracker.initialize(scene.objects, 0.0).orThrow();
  ASSERT_EQ(tracker.getContacts().size(), 1u);
  EXPECT_EQ(tracker.getContacts()[0].pair, (ObjectPair{1, 2}));
  ASSERT_EQ(tracker.getNearPairs().size(), 1u);  // Ball 3 touches the wall, at distance 0.
  EXPECT_EQ(tracker.getNearPairs()[0].pair, (ObjectPair{3, 9}));
}

TEST(ContactEventTracker, BadInputIsRefusedWithTheRemedy) {
  const auto refuses = [](const ContactEventOptions& o) {
    try {
      ContactEventTracker tracker(o);
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refuses({0.0, 0.0, 10, 0.0}));
  EXPECT_TRUE(refuses({1e-8, -1.0, 10, 0.0}));
  EXPECT_TRUE(refuses({1e-8, 0.0, 0, 0.0}));
  EXPECT_TRUE(refuses({1e-8, 0.0, 10, std::nan("")}));
  Scene scene(0.1);
  ContactEventTracker tracker;
  std::vector<TrackedObject> wrong{scene.objects[1], scene.objects[0]};
  EXPECT_EQ(tracker.initialize(wrong, 0.0).getCode(), StatusCode::OutOfRange);
  tracker.initialize(scene.objects, 0.0).orThrow();
  wrong.resize(1);
  EXPECT_EQ(tracker.updateRoots(wrong).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(tracker.updateValues(wrong).getCode(), StatusCode::UnknownObject);
}

}  // namespace
}  // namespace abut
