// SPDX-License-Identifier: MIT
#include <limits>

#include <gtest/gtest.h>

#include <abut/manifold/contact_manifold_cache.hpp>

#include "cache_test_support.hpp"

namespace abut {
namespace {

using test::posesAtOrigin;
using test::rawManifold;
using test::rawPoint;
using test::square;

std::vector<ObjectPose> lifted(double z) {
  std::vector<ObjectPose> poses = posesAtOrigin(2);
  poses[0].pose.translation.z = z;  // Object 1 is on top: the normal points from 2 to 1.
  return poses;
}

TEST(ContactManifoldCache, DisabledPassesRawContactsThroughUnchanged) {
  ContactManifoldCacheOptions options;
  options.enabled = false;
  ContactManifoldCache cache(options);
  const std::vector<ContactManifold> raw = {rawManifold(7, 3, square(1, -0.5)),
                                            rawManifold(1, 2, {rawPoint(0, 0, 0.1, 9)})};
  const CacheReport report = cache.update(raw, {});
  EXPECT_TRUE(report.status);
  ASSERT_EQ(cache.getContacts().size(), 5u);
  EXPECT_EQ(cache.getContacts()[0].pair.first, 7u);
  EXPECT_EQ(cache.getContacts()[0].contact.depth, -0.5);
  EXPECT_EQ(cache.getContacts()[4].contact.feature1.index, 9u);
  EXPECT_TRUE(cache.getManifolds().empty());
}

TEST(ContactManifoldCache, MatchedPointsKeepIdAndImpulsesAndGrowOlder) {
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.01))};
  EXPECT_EQ(cache.update(raw, posesAtOrigin(2)).pointsAdded, 4u);
  const std::uint64_t id = cache.getContacts()[0].id;
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(cache.setImpulse(i, 2.0 + static_cast<double>(i), {0.3, 0, 0}, 0.5));
  }
  const CacheReport report = cache.update(raw, posesAtOrigin(2));
  EXPECT_EQ(report.pointsMatched, 4u);
  EXPECT_EQ(report.pointsByFeature, 4u);
  EXPECT_EQ(report.pairsMatched, 1u);
  const PersistentContact& c = cache.getContacts()[0];
  EXPECT_EQ(c.id, id);
  EXPECT_EQ(c.age, 1u);
  EXPECT_EQ(c.normalImpulse, 2.0);
  EXPECT_EQ(c.tangentImpulse, Eigen::Vector3d(0.3, 0, 0));
}

TEST(ContactManifoldCache, IdsWithinAPairAreDifferent) {
  ContactManifoldCache cache;
  std::vector<ContactPoint> points = square(1, 0.01);
  for (ContactPoint& p : points) p.feature1 = p.feature2 = {};  // Nothing to tell them apart by.
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, points)};
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(2)).status);
  ASSERT_EQ(cache.getContacts().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(cache.getContacts()[i].id, cache.getContacts()[j].id);
    }
  }
}

TEST(ContactManifoldCache, MatchesByDistanceWhereFeaturesChanged) {
  ContactManifoldCache cache;
  std::vector<ContactManifold> raw = {rawManifold(1, 2, {rawPoint(0, 0, 0.01, 0)})};
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(2)).status);
  ASSERT_TRUE(cache.setImpulse(0, 5.0, {0, 0, 0}, 0.5));
  raw[0] = rawManifold(1, 2, {rawPoint(0.9e-4, 0, 0.01, 1)});  // Nearer than positionThreshold.
  CacheReport report = cache.update(raw, posesAtOrigin(2));
  EXPECT_EQ(report.pointsMatched, 1u);
  EXPECT_EQ(report.pointsByFeature, 0u);
  EXPECT_EQ(cache.getContacts()[0].normalImpulse, 5.0);
  raw[0] = rawManifold(1, 2, {rawPoint(3e-4, 0, 0.01, 2)});  // Farther.
  report = cache.update(raw, posesAtOrigin(2));
  EXPECT_EQ(report.pointsMatched, 0u);
  EXPECT_EQ(report.pointsReplaced, 1u);
  EXPECT_EQ(cache.getContacts()[0].normalImpulse, 0.0);
}

TEST(ContactManifoldCache, DistanceAloneDoesNotMatchAcrossATurnedNormal) {
  ContactManifoldCache cache;
  std::vector<ContactManifold> raw = {rawManifold(1, 2, {rawPoint(0, 0, 0.0, 0)})};
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(2)).status);
  raw[0] = rawManifold(1, 2, {rawPoint(0, 0, 0.0, 1, {1, 0, 0})});
  EXPECT_EQ(cache.update(raw, posesAtOrigin(2)).pointsMatched, 0u);
}

TEST(ContactManifoldCache, TangentialImpulseIsReprojectedAndClampedToTheCone) {
  ContactManifoldCache cache;
  std::vector<ContactManifold> raw = {rawManifold(1, 2, {rawPoint(0, 0, 0.0, 0)})};
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(2)).status);
  ASSERT_TRUE(cache.setImpulse(0, 1.0, {0.4, 0, 0}, 0.3));  // Outside its cone of 0.3.
  // Tilted by the angle whose sine is 0.1: within the 10 degrees of normalThreshold.
  const double c = std::sqrt(1.0 - 0.01);
  raw[0] = rawManifold(1, 2, {rawPoint(0, 0, 0.0, 0, {0.1, 0, c})});
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(2)).status);
  const PersistentContact& contact = cache.getContacts()[0];
  EXPECT_NEAR(contact.tangentImpulse.dot(contact.contact.normal), 0.0, 1e-16);
  EXPECT_NEAR(contact.tangentImpulse.norm(), 0.3, 1e-15);
  EXPECT_EQ(contact.normalImpulse, 1.0);
}

TEST(ContactManifoldCache, ImpulsesAreDroppedWhenTheNormalTurned) {
  ContactManifoldCache cache;
  std::vector<ContactManifold> raw = {rawManifold(1, 2, {rawPoint(0, 0, 0.0, 0)})};
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(2)).status);
  ASSERT_TRUE(cache.setImpulse(0, 1.0, {0, 0, 0}, 0.3));
  raw[0] = rawManifold(1, 2, {rawPoint(0, 0, 0.0, 0, {0.6, 0, 0.8})});
  const CacheReport report = cache.update(raw, posesAtOrigin(2));
  EXPECT_EQ(report.impulsesDropped, 1u);
  EXPECT_EQ(report.pointsMatched, 1u);  // By feature: it is the same point, with a new direction.
  EXPECT_EQ(cache.getContacts()[0].normalImpulse, 0.0);
}

TEST(ContactManifoldCache, UnseenPairIsEmittedOnlyWhileItStillIsAContact) {
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.005))};
  EXPECT_TRUE(cache.update(raw, lifted(0.0)).status);
  EXPECT_TRUE(cache.update({}, lifted(0.003)).status);
  ASSERT_EQ(cache.getContacts().size(), 4u);
  EXPECT_NEAR(cache.getContacts()[0].contact.depth, 0.002, 1e-17);  // 5 mm deep, lifted by 3 mm.
  EXPECT_TRUE(cache.update({}, lifted(0.010)).status);
  EXPECT_EQ(cache.getContacts().size(), 0u);
  EXPECT_EQ(cache.getManifolds().size(), 1u);  // Remembered, not emitted.
  ASSERT_EQ(cache.getEndedPairs().size(), 1u);
  EXPECT_EQ(cache.getEndedPairs()[0], (ObjectPair{1, 2}));
}

TEST(ContactManifoldCache, PointThatSlidAwayIsNoContactThoughStillDeep) {
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.005))};
  EXPECT_TRUE(cache.update(raw, lifted(0.0)).status);
  std::vector<ObjectPose> poses = lifted(0.0);
  poses[0].pose.translation.x = 0.01;
  EXPECT_TRUE(cache.update({}, poses).status);
  EXPECT_EQ(cache.getContacts().size(), 0u);
}

TEST(ContactManifoldCache, LiteralEmissionKeepsUnseenPointsUnchangedUntilTheirTimeIsOver) {
  ContactManifoldCacheOptions options;
  options.emitUnseen = true;
  ContactManifoldCache cache(options);
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.005))};
  EXPECT_TRUE(cache.update(raw, lifted(0.0)).status);
  for (std::size_t i = 1; i <= options.maxSeparationFrames; ++i) {
    EXPECT_TRUE(cache.update({}, lifted(0.01 * static_cast<double>(i))).status);
    ASSERT_EQ(cache.getContacts().size(), 4u);
    EXPECT_EQ(cache.getContacts()[0].contact.depth, 0.005);
    EXPECT_EQ(cache.getManifolds()[0].framesSinceSeen, i);
  }
  EXPECT_EQ(cache.update({}, lifted(0.05)).pairsDropped, 1u);
  EXPECT_EQ(cache.getContacts().size(), 0u);
}

TEST(ContactManifoldCache, PairThatReappearsInTimeIsReused) {
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.005))};
  EXPECT_TRUE(cache.update(raw, lifted(0.0)).status);
  ASSERT_TRUE(cache.setImpulse(0, 3.0, {0, 0, 0}, 0.5));
  EXPECT_TRUE(cache.update({}, lifted(0.1)).status);
  const CacheReport report = cache.update(raw, lifted(0.0));
  EXPECT_EQ(report.pairsMatched, 1u);
  EXPECT_EQ(cache.getManifolds()[0].framesSinceSeen, 0u);
  double sum = 0.0;
  for (const PersistentContact& c : cache.getContacts()) sum += c.normalImpulse;
  EXPECT_EQ(sum, 3.0);
}

TEST(ContactManifoldCache, BadRawPointsAreRejectedAndCounted) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {
      rawManifold(1, 2,
                  {rawPoint(0, 0, 0.01, 0), rawPoint(1, 0, 0.01, 1, {0, 0, 0}),
                   rawPoint(kNan, 0, 0.01, 2), rawPoint(0, 1, -0.01, 3)}),
      rawManifold(1, 3, {rawPoint(0, 0, kNan, 0)}),
      rawManifold(2, 3, {rawPoint(0, 0, 0.1, 0, {kNan, 0, 1})})};
  const CacheReport report = cache.update(raw, posesAtOrigin(3));
  EXPECT_TRUE(report.status);
  EXPECT_EQ(report.pointsRejected, 5u);
  EXPECT_EQ(cache.getContacts().size(), 1u);
  EXPECT_EQ(cache.getManifolds().size(), 1u);
}

TEST(ContactManifoldCache, NegativeDepthIsAcceptedWithPermission) {
  ContactManifoldCacheOptions options;
  options.allowNegativeDepth = true;
  ContactManifoldCache cache(options);
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, -0.01))};
  EXPECT_EQ(cache.update(raw, posesAtOrigin(2)).pointsRejected, 0u);
  EXPECT_EQ(cache.getContacts().size(), 4u);
}

TEST(ContactManifoldCache, RejectedUpdateChangesNothing) {
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.01))};
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(2)).status);
  const std::uint64_t before = test::hashOf(cache);
  const std::vector<ContactManifold> self = {rawManifold(2, 2, square(1, 0.01))};
  EXPECT_EQ(cache.update(self, posesAtOrigin(2)).status.getCode(), StatusCode::SelfPair);
  const std::vector<ContactManifold> unknown = {rawManifold(1, 9, square(1, 0.01))};
  const CacheReport report = cache.update(unknown, posesAtOrigin(2));
  EXPECT_EQ(report.status.getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(report.status.getObject(), 9u);
  std::vector<ObjectPose> unsorted = posesAtOrigin(2);
  std::swap(unsorted[0], unsorted[1]);
  EXPECT_EQ(cache.update(raw, unsorted).status.getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(test::hashOf(cache), before);
  EXPECT_EQ(cache.setImpulse(4, 1, {0, 0, 0}, 0).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(cache.setImpulse(0, -1, {0, 0, 0}, 0).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(cache.setImpulse(0, std::numeric_limits<double>::infinity(), {0, 0, 0}, 0).getCode(),
            StatusCode::NonFinite);
  EXPECT_EQ(test::hashOf(cache), before);
}

TEST(ContactManifoldCache, InvalidOptionsAreRefusedByName) {
  ContactManifoldCacheOptions options;
  options.maxPointsPerPair = 5;
  EXPECT_THROW(ContactManifoldCache{options}, Error);
  ContactManifoldCache cache;
  options.maxPointsPerPair = 4;
  options.positionThreshold = -1.0;
  const Status status = cache.setOptions(options);
  EXPECT_EQ(status.getCode(), StatusCode::OutOfRange);
  EXPECT_NE(status.getMessage().find("positionThreshold"), std::string::npos);
  EXPECT_NE(status.getMessage().find("-1"), std::string::npos);
  EXPECT_EQ(cache.getOptions().positionThreshold, ContactManifoldCacheOptions{}.positionThreshold);
}

TEST(ContactManifoldCache, MaxPairsKeepsTheDeepestAndSaysHowManyWereLeftOut) {
  ContactManifoldCacheOptions options;
  options.maxPairs = 2;
  const std::vector<ContactManifold> raw = {
      rawManifold(1, 2, {rawPoint(0, 0, 0.01, 0)}), rawManifold(1, 3, {rawPoint(0, 0, 0.03, 0)}),
      rawManifold(1, 4, {rawPoint(0, 0, 0.02, 0)}), rawManifold(2, 3, {rawPoint(0, 0, 0.01, 0)})};
  std::vector<ContactManifold> reversed(raw.rbegin(), raw.rend());
  for (const auto& order : {raw, reversed}) {
    ContactManifoldCache cache(options);
    const CacheReport report = cache.update(order, posesAtOrigin(4));
    EXPECT_EQ(report.status.getCode(), StatusCode::LimitExceeded);
    EXPECT_NE(report.status.getMessage().find("4 manifolds"), std::string::npos);
    EXPECT_EQ(report.pairsOverLimit, 2u);
    ASSERT_EQ(cache.getManifolds().size(), 2u);
    EXPECT_EQ(cache.getManifolds()[0].key.pair, (ObjectPair{1, 3}));
    EXPECT_EQ(cache.getManifolds()[1].key.pair, (ObjectPair{1, 4}));
  }
}

TEST(ContactManifoldCache, ForgettingAnObjectLeavesNothingOfItsPairs) {
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.01)),
                                            rawManifold(1, 3, square(1, 0.01)),
                                            rawManifold(2, 3, square(1, 0.01))};
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(3)).status);
  for (std::size_t i = 0; i < 12; ++i) ASSERT_TRUE(cache.setImpulse(i, 1.0, {0, 0, 0}, 0.5));
  EXPECT_EQ(cache.forgetObject(2), 2u);
  EXPECT_EQ(cache.getContacts().size(), 4u);
  EXPECT_EQ(cache.getContacts()[0].manifold, 0u);
  // The same id used again starts without impulses, as in a world built afresh.
  EXPECT_TRUE(cache.update(raw, posesAtOrigin(3)).status);
  EXPECT_EQ(cache.getBegunPairs().size(), 2u);
  for (const PersistentContact& c : cache.getContacts()) {
    EXPECT_EQ(c.normalImpulse, c.pair == ObjectPair({1, 3}) ? 1.0 : 0.0);
    EXPECT_EQ(c.age, c.pair == ObjectPair({1, 3}) ? 1u : 0u);
  }
  EXPECT_EQ(cache.forgetPair({1, 3}), 1u);
  EXPECT_EQ(cache.forgetPair({1, 3}), 0u);
}

TEST(ContactManifoldCache, AfterForgettingTheNextUpdateEqualsAFreshCache) {
  const std::vector<ContactManifold> raw = {rawManifold(1, 2, square(1, 0.01))};
  ContactManifoldCache used, fresh;
  EXPECT_TRUE(used.update(raw, posesAtOrigin(2)).status);
  ASSERT_TRUE(used.setImpulse(0, 9.0, {1, 0, 0}, 0.5));
  EXPECT_EQ(used.forgetObject(1), 1u);
  EXPECT_TRUE(used.update(raw, posesAtOrigin(2)).status);
  EXPECT_TRUE(fresh.update(raw, posesAtOrigin(2)).status);
  EXPECT_EQ(test::hashOf(used), test::hashOf(fresh));
}

TEST(ContactManifoldCache, ManifoldsGivenInTheOtherOrderOfObjectsAreTheSame) {
  ContactManifold forward = rawManifold(1, 2, {rawPoint(0, 0, 0.01, 3)});
  ContactPoint p = rawPoint(0, 0, 0.01, 3, {0, 0, -1});
  std::swap(p.feature1, p.feature2);
  ContactManifold backward = rawManifold(2, 1, {p});
  ContactManifoldCache a, b;
  EXPECT_TRUE(a.update(std::span(&forward, 1), posesAtOrigin(2)).status);
  EXPECT_TRUE(b.update(std::span(&backward, 1), posesAtOrigin(2)).status);
  EXPECT_EQ(test::hashOf(a), test::hashOf(b));
}

}  // namespace
}  // namespace abut
