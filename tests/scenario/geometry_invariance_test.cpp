// SPDX-License-Identifier: MIT
// What must not matter: where the scene is, how large it is, which object is named first; and what
// must not break: coincident poses, extreme shapes.
#include <cmath>

#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace abut::test {
namespace {

using Kind = Specimen::Kind;

constexpr int kKinds = 6;

Specimen scaled(const Specimen& s, double factor) {
  Specimen result = s;
  result.radius *= factor;
  result.height *= factor;
  result.half *= factor;
  for (Vector& p : result.points) p *= factor;
  return result;
}

/// A random pair of the given kinds, overlapping for odd rounds.
bool drawPair(Generator& random, int round, Body& a, Body& b) {
  a = Body(randomSpecimen(random, static_cast<Kind>(round % kKinds), 0.25, 1.0, 16),
           random.rotation(), {0.0, 0.0, 0.0});
  b = Body(randomSpecimen(random, static_cast<Kind>(round / kKinds % kKinds), 0.25, 1.0, 16),
           random.rotation(), {0.0, 0.0, 0.0});
  const double gap = round / (kKinds * kKinds) % 2 == 0 ? -0.05 : 0.05;
  return placeAtGap(a, b, random.direction(), gap);
}

TEST(Invariance, PowersOfTwoScaleToTheBit) {
  Generator random(21);
  for (int i = 0; i < 2 * kKinds * kKinds; ++i) {
    Body a, b;
    if (!drawPair(random, i, a, b)) continue;
    DistanceResult one, other;
    ASSERT_TRUE(distance(a.placed(1), b.placed(2), one));
    for (const double factor : {0x1p-9, 0x1p9}) {
      const Body c(scaled(a.specimen, factor), a.rotation, factor * a.position);
      const Body d(scaled(b.specimen, factor), b.rotation, factor * b.position);
      ASSERT_TRUE(distance(c.placed(1), d.placed(2), other));
      EXPECT_EQ(other.distance, factor * one.distance) << describe(a, b);
      EXPECT_EQ(other.normal, one.normal) << describe(a, b);
    }
  }
}

TEST(Invariance, SizesFromAMillimetreToAKilometreAreJudgedAlike) {
  Generator random(22);
  for (int i = 0; i < 2 * kKinds * kKinds; ++i) {
    Body a, b;
    if (!drawPair(random, i, a, b)) continue;
    for (const double factor : {1e-3, 1e-2, 10.0, 1e3}) {
      const Body c(scaled(a.specimen, factor), a.rotation, factor * a.position);
      const Body d(scaled(b.specimen, factor), b.rotation, factor * b.position);
      EXPECT_EQ(judge(c, d).message, "") << describe(c, d);
    }
  }
}

/// Rounds to a multiple of 2^-20, so that a translation by a dyadic offset below 2^30 is exact.
Vector dyadic(const Vector& v) {
  return (v * 0x1p20).array().round().matrix() * 0x1p-20;
}

TEST(Invariance, DyadicOffsetsGiveTheSameBits) {
  Generator random(23);
  const Vector offset(1024.0, -2048.5, 512.25);
  for (int i = 0; i < 2 * kKinds * kKinds; ++i) {
    Body a, b;
    if (!drawPair(random, i, a, b)) continue;
    a.position = dyadic(a.position);
    b.position = dyadic(b.position);
    Body c = a, d = b;
    c.position += offset;
    d.position += offset;
    DistanceResult here, there;
    ASSERT_TRUE(distance(a.placed(1), b.placed(2), here));
    ASSERT_TRUE(distance(c.placed(1), d.placed(2), there));
    EXPECT_EQ(here.distance, there.distance) << describe(a, b);
    EXPECT_EQ(here.normal, there.normal) << describe(a, b);
    EXPECT_EQ(here.feature1, there.feature1);
    CollisionResult near, far;
    ASSERT_TRUE(collide(a.placed(1), b.placed(2), CollisionOption::fullContacts(), near));
    ASSERT_TRUE(collide(c.placed(1), d.placed(2), CollisionOption::fullContacts(), far));
    ASSERT_EQ(near.numContacts(), far.numContacts()) << describe(a, b);
    for (std::size_t k = 0; k < near.numContacts(); ++k) {
      const ContactPoint &p = near.getContact(k), &q = far.getContact(k);
      EXPECT_EQ(p.depth, q.depth);
      EXPECT_EQ(p.normal, q.normal);
      EXPECT_EQ(p.feature1, q.feature1);
      // A position is rounded to the far place: 1e-12 for kilometres.
      EXPECT_LE((q.position - offset - p.position).norm(), 1e-12);
    }
  }
}

TEST(Invariance, AKilometreAwayTheContactsAreTheSame) {
  Generator random(24);
  const Vector offset(1000.0, -777.7, 333.3);
  for (int i = 0; i < 2 * kKinds * kKinds; ++i) {
    Body a, b;
    if (!drawPair(random, i, a, b)) continue;
    Body c = a, d = b;
    c.position += offset;
    d.position += offset;
    CollisionResult near, far;
    ASSERT_TRUE(collide(a.placed(1), b.placed(2), CollisionOption::fullContacts(), near));
    ASSERT_TRUE(collide(c.placed(1), d.placed(2), CollisionOption::fullContacts(), far));
    ASSERT_EQ(near.numContacts(), far.numContacts()) << describe(a, b);
    // Two positions near 1e3 m are each rounded by 1.1e-13.
    EXPECT_NEAR(near.penetrationDepth(), far.penetrationDepth(), 1e-12);
  }
}

TEST(Invariance, WithoutIdsTheMirrorImageIsExactToo) {
  Generator random(25);
  for (int i = 0; i < 4 * kKinds * kKinds; ++i) {
    Body a, b;
    if (!drawPair(random, i, a, b)) continue;
    DistanceResult one, other;
    ASSERT_TRUE(distance(a.placed(), b.placed(), one));
    ASSERT_TRUE(distance(b.placed(), a.placed(), other));
    EXPECT_TRUE(isMirrored(one, other)) << describe(a, b);
    CollisionResult there, back;
    ASSERT_TRUE(collide(a.placed(), b.placed(), CollisionOption::fullContacts(), there));
    ASSERT_TRUE(collide(b.placed(), a.placed(), CollisionOption::fullContacts(), back));
    EXPECT_TRUE(isMirrored(there, back)) << describe(a, b);
  }
}

TEST(Invariance, CoincidentPosesHaveAFiniteDepthAndNormal) {
  Generator random(26);
  for (int i = 0; i < kKinds * kKinds; ++i) {
    for (const Matrix& rotation : {Matrix(Matrix::Identity()), random.rotation()}) {
      const Specimen s1 = randomSpecimen(random, static_cast<Kind>(i % kKinds), 0.5, 0.5001, 12);
      const Specimen s2 = randomSpecimen(random, static_cast<Kind>(i / kKinds), 0.5, 0.5001, 12);
      const Body a(s1, rotation, {1.0, 2.0, 3.0});
      EXPECT_EQ(judge(a, Body(s2, rotation, a.position)).message, "")
          << describe(a, Body(s2, rotation, a.position));
      EXPECT_EQ(judge(a, a).message, "") << describe(a, a);
    }
  }
}

/// A needle, a disc and a block of each kind that has proportions.
std::vector<Specimen> extremes(double thin) {
  std::vector<Specimen> result;
  for (const Vector& half :
       {Vector(thin, thin, 1.0), Vector(1.0, 1.0, thin), Vector(thin, 1.0, 1.0)}) {
    result.push_back(Specimen::box(half));
    result.push_back(Specimen::hull(Specimen::box(half).corners()));
  }
  for (const auto& [radius, height] : {std::pair(thin, 1.0), std::pair(1.0, thin)}) {
    result.push_back(Specimen::capsule(radius, height));
    result.push_back(Specimen::cylinder(radius, height));
    result.push_back(Specimen::cone(radius, height));
  }
  result.push_back(Specimen::sphere(thin));
  return result;
}

TEST(Invariance, ExtremeProportionsAreJudgedLikeAnyOther) {
  Generator random(27);
  for (const double thin : {1e-3, 1e-5}) {
    for (const Specimen& s1 : extremes(thin)) {
      for (const Specimen& s2 : extremes(thin)) {
        Body a(s1, random.rotation(), {0.0, 0.0, 0.0}), b(s2, random.rotation(), {0.0, 0.0, 0.0});
        const double gap = random.below(2) == 0 ? -0.2 * thin : 0.2 * thin;
        if (!placeAtGap(a, b, random.direction(), gap)) continue;
        EXPECT_EQ(judge(a, b).message, "") << "thin " << thin << "\n" << describe(a, b);
      }
    }
  }
}

}  // namespace
}  // namespace abut::test
