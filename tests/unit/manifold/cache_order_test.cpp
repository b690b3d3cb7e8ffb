// SPDX-License-Identifier: MIT
#include <algorithm>

#include <gtest/gtest.h>

#include <abut/manifold/contact_manifold_cache.hpp>

#include "cache_test_support.hpp"
#include "manifold/selection.hpp"

namespace abut {
namespace {

using test::Random;

std::vector<ContactManifold> randomScene(Random& random, ObjectId numObjects) {
  std::vector<ContactManifold> raw;
  for (ObjectId a = 1; a <= numObjects; ++a) {
    for (ObjectId b = a + 1; b <= numObjects; ++b) {
      if (random.unit() < 0.5) continue;
      std::vector<ContactPoint> points;
      const std::uint64_t count = 1 + random.bits() % 4;
      for (std::uint32_t i = 0; i < count; ++i) {
        const double x = random.unit(), y = random.unit(), depth = random.unit() * 0.01;
        points.push_back(test::rawPoint(x, y, depth, i));
      }
      raw.push_back(test::rawManifold(a, b, points));
    }
  }
  return raw;
}

TEST(ContactManifoldCache, OutputDoesNotDependOnInputOrder) {
  constexpr std::uint64_t kSeed = 20261115;
  Random random(kSeed);
  const auto poses = test::posesAtOrigin(12);
  for (int scene = 0; scene < 50; ++scene) {
    ContactManifoldCache straight, shuffled;
    for (int step = 0; step < 4; ++step) {
      std::vector<ContactManifold> raw = randomScene(random, 12);
      EXPECT_TRUE(straight.update(raw, poses).status);
      test::shuffle(random, raw);
      for (ContactManifold& m : raw) {
        std::vector<ContactPoint> points(m.getContacts().begin(), m.getContacts().end());
        test::shuffle(random, points);
        m.clear();
        for (const ContactPoint& p : points) m.addContact(p);
      }
      EXPECT_TRUE(shuffled.update(raw, poses).status);
      ASSERT_EQ(test::hashOf(straight), test::hashOf(shuffled)) << "seed " << kSeed;
    }
  }
}

TEST(ContactManifoldCache, ContactsAreSortedByPairThenDepthThenPosition) {
  Random random(7);
  ContactManifoldCache cache;
  EXPECT_TRUE(cache.update(randomScene(random, 10), test::posesAtOrigin(10)).status);
  const auto contacts = cache.getContacts();
  ASSERT_GT(contacts.size(), 20u);
  for (std::size_t i = 1; i < contacts.size(); ++i) {
    const PersistentContact &a = contacts[i - 1], &b = contacts[i];
    ASSERT_LE(a.pair, b.pair);
    if (a.pair != b.pair) continue;
    ASSERT_GE(a.contact.depth, b.contact.depth);
    if (a.contact.depth == b.contact.depth) {
      ASSERT_LE(a.contact.position.x(), b.contact.position.x());
    }
  }
}

TEST(ContactManifoldCache, PointsOfOneKeyAreUnique) {
  ContactManifoldCache cache;
  std::vector<ContactPoint> points = test::square(1, 0.01);
  points[3] = test::rawPoint(-1 + 5e-5, -1, 0.02, 3);  // Nearer to point 0 than the threshold.
  const std::vector<ContactManifold> raw = {test::rawManifold(1, 2, points)};
  EXPECT_TRUE(cache.update(raw, test::posesAtOrigin(2)).status);
  ASSERT_EQ(cache.getContacts().size(), 3u);
  EXPECT_EQ(cache.getContacts()[0].contact.depth, 0.02);  // The deeper of the two stays.
}

TEST(ContactManifoldCache, TinyBodiesKeepTheirCorners) {
  ContactManifoldCache cache;  // Corners 2e-5 m apart, far below positionThreshold.
  const std::vector<ContactManifold> raw = {test::rawManifold(1, 2, test::square(1e-5, 1e-8))};
  EXPECT_TRUE(cache.update(raw, test::posesAtOrigin(2)).status);
  EXPECT_EQ(cache.getContacts().size(), 4u);
}

TEST(ContactManifoldCache, ManifoldsOfOnePairWithDifferentNormalsStayApart) {
  ContactManifoldCache cache;
  const std::vector<ContactManifold> raw = {
      test::rawManifold(1, 2, {test::rawPoint(0, 0, 0.01, 0, {1, 0, 0})}),
      test::rawManifold(1, 2, {test::rawPoint(0, 0, 0.02, 0, {0, 0, 1})})};
  EXPECT_EQ(cache.update(raw, test::posesAtOrigin(2)).pairsAdded, 2u);
  ASSERT_EQ(cache.getContacts().size(), 2u);
  EXPECT_EQ(cache.getContacts()[0].contact.depth, 0.02);  // Sorted within the pair, by depth.
}

TEST(ContactManifoldCache, AccumulatesSinglePointsIntoASpreadManifold) {
  ContactManifoldCacheOptions options;
  options.accumulate = true;
  ContactManifoldCache cache(options);
  const auto poses = test::posesAtOrigin(2);
  const double corners[5][2] = {{-1, -1}, {1, 1}, {-1, 1}, {1, -1}, {0.1, 0}};
  for (std::uint32_t i = 0; i < 5; ++i) {
    const double depth = i == 4 ? 0.011 : 0.01;
    const std::vector<ContactManifold> raw = {
        test::rawManifold(1, 2, {test::rawPoint(corners[i][0], corners[i][1], depth, i)})};
    EXPECT_TRUE(cache.update(raw, poses).status);
    EXPECT_EQ(cache.getContacts().size(), i < 4 ? i + 1 : 4u);
  }
  // The fifth is the deepest, so it stays; three of the four corners are left.
  EXPECT_EQ(cache.getContacts()[0].contact.depth, 0.011);
}

TEST(ContactManifoldCache, FewerPointsPerPairKeepTheDeepestAndTheWidest) {
  std::vector<ContactPoint> points = test::square(1, 0.01);
  points[2].depth = 0.02;
  const std::vector<ContactManifold> raw = {test::rawManifold(1, 2, points)};
  for (std::size_t most = 1; most <= 3; ++most) {
    ContactManifoldCacheOptions options;
    options.maxPointsPerPair = most;
    ContactManifoldCache cache(options);
    EXPECT_TRUE(cache.update(raw, test::posesAtOrigin(2)).status);
    ASSERT_EQ(cache.getContacts().size(), most);
    EXPECT_EQ(cache.getContacts()[0].contact.depth, 0.02);
    if (most == 2) {  // The opposite corner is the farthest.
      EXPECT_EQ(cache.getContacts()[1].contact.position, Eigen::Vector3d(-1, -1, 0));
    }
  }
}

/// Largest area of four candidates that include the given one, by trying all.
double largestArea(const std::vector<Candidate>& c, std::uint32_t included) {
  double best = 0.0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    for (std::size_t j = i + 1; j < c.size(); ++j) {
      for (std::size_t k = j + 1; k < c.size(); ++k) {
        const Vec3 p[4] = {c[included].position, c[i].position, c[j].position, c[k].position};
        best = std::max(best, spannedArea(p, {0, 0, 1}));
      }
    }
  }
  return best;
}

TEST(Selection, KeepsTheDeepestAndAtLeast99PercentOfTheLargestArea) {
  constexpr std::uint64_t kSeed = 99;
  Random random(kSeed);
  for (const std::size_t n : {5u, 8u, 12u, 16u, 24u, 40u}) {
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<Candidate> c;
      for (std::size_t i = 0; i < n; ++i) {
        const double x = random.unit(), y = random.unit(), depth = random.unit();
        c.push_back({{x, y, 0.0}, depth});
      }
      std::uint32_t deepest = 0;
      for (std::uint32_t i = 0; i < n; ++i) deepest = c[i].depth > c[deepest].depth ? i : deepest;
      std::array<std::uint32_t, 4> chosen{};
      ASSERT_EQ(selectPoints(c, {0, 0, 1}, 4, 0.0, chosen), 4);
      EXPECT_NE(std::find(chosen.begin(), chosen.end(), deepest), chosen.end());
      const Vec3 p[4] = {c[chosen[0]].position, c[chosen[1]].position, c[chosen[2]].position,
                         c[chosen[3]].position};
      ASSERT_GE(spannedArea(p, {0, 0, 1}), 0.99 * largestArea(c, deepest))
          << "n " << n << " seed " << kSeed << " trial " << trial;
    }
  }
}

TEST(Selection, DepthsWithinEpsilonCountAsEqualSoTheChoiceDoesNotFlicker) {
  std::array<std::uint32_t, 4> chosen{};
  std::vector<Candidate> c = {{{0, 0, 0}, 0.01}, {{1, 0, 0}, 0.01 + 1e-12}, {{0, 1, 0}, 0.005}};
  EXPECT_EQ(selectPoints(c, {0, 0, 1}, 1, 1e-9, chosen), 1);
  EXPECT_EQ(chosen[0], 0u);
  EXPECT_EQ(selectPoints(c, {0, 0, 1}, 1, 0.0, chosen), 1);
  EXPECT_EQ(chosen[0], 1u);
}

}  // namespace
}  // namespace abut
