// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "unit/broad_phase/support.hpp"

namespace abut {
namespace {

using test::boxAt;
using test::kInfinity;
using test::kNan;

template <typename T>
class AnyBroadPhase : public testing::Test {
protected:
  T broad_phase_;

  std::vector<ObjectPair> pairs() {
    std::vector<ObjectPair> result;
    broad_phase_.computePotentialPairs(result);
    return result;
  }
};
using Implementations = testing::Types<BruteForceBroadPhase, BvhBroadPhase>;
TYPED_TEST_SUITE(AnyBroadPhase, Implementations);

const Aabb kUnit({0, 0, 0}, {1, 1, 1});

Aabb unitAt(double x) {
  return {{x, 0, 0}, {x + 1, 1, 1}};
}

TYPED_TEST(AnyBroadPhase, EmptyHasNoPairsAndAnswersQueries) {
  EXPECT_EQ(this->broad_phase_.size(), 0u);
  EXPECT_TRUE(this->pairs().empty());
  std::vector<ObjectId> ids{7};
  EXPECT_TRUE(this->broad_phase_.overlap(Aabb::infinite(), ids));
  EXPECT_TRUE(ids.empty());
}

TYPED_TEST(AnyBroadPhase, TouchingBoxesArePairsAndOneUlpApartAreNot) {
  ASSERT_TRUE(this->broad_phase_.add(1, unitAt(0)));
  ASSERT_TRUE(this->broad_phase_.add(2, unitAt(1)));
  ASSERT_TRUE(this->broad_phase_.add(3, unitAt(-std::nextafter(1.0, 2.0))));
  const std::vector<ObjectPair> expected{{1, 2}};
  EXPECT_EQ(this->pairs(), expected);
}

TYPED_TEST(AnyBroadPhase, PairsAreSortedByIdWhateverTheOrderOfInsertion) {
  for (ObjectId id :
       {0xffffffffffffffffu, std::uint64_t{5}, std::uint64_t{9}, std::uint64_t{1} << 40}) {
    ASSERT_TRUE(this->broad_phase_.add(id, kUnit));
  }
  const ObjectId a = 5, b = 9, c = std::uint64_t{1} << 40, d = 0xffffffffffffffffu;
  const std::vector<ObjectPair> expected{{a, b}, {a, c}, {a, d}, {b, c}, {b, d}, {c, d}};
  EXPECT_EQ(this->pairs(), expected);
}

TYPED_TEST(AnyBroadPhase, PlanesPairWithWhatTheyReach) {
  const Aabb below({-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, 0.0});
  ASSERT_TRUE(this->broad_phase_.add(1, below));
  ASSERT_TRUE(this->broad_phase_.add(2, kUnit));
  ASSERT_TRUE(this->broad_phase_.add(3, boxAt({0, 0, 5}, {1, 1, 1})));
  ASSERT_TRUE(this->broad_phase_.add(4, Aabb::infinite()));
  const std::vector<ObjectPair> expected{{1, 2}, {1, 4}, {2, 4}, {3, 4}};
  EXPECT_EQ(this->pairs(), expected);
}

TYPED_TEST(AnyBroadPhase, UpdateMovesAndRemoveForgets) {
  ASSERT_TRUE(this->broad_phase_.add(1, unitAt(0)));
  ASSERT_TRUE(this->broad_phase_.add(2, unitAt(5)));
  EXPECT_TRUE(this->pairs().empty());
  ASSERT_TRUE(this->broad_phase_.update(2, unitAt(0.5)));
  EXPECT_EQ(this->pairs().size(), 1u);
  Aabb box;
  ASSERT_TRUE(this->broad_phase_.getBox(2, box));
  EXPECT_EQ(box.min_.x(), 0.5);
  ASSERT_TRUE(this->broad_phase_.remove(1));
  EXPECT_TRUE(this->pairs().empty());
  EXPECT_FALSE(this->broad_phase_.contains(1));
  EXPECT_EQ(this->broad_phase_.size(), 1u);
  ASSERT_TRUE(this->broad_phase_.add(1, unitAt(0)));
  EXPECT_EQ(this->pairs().size(), 1u);
  this->broad_phase_.clear();
  EXPECT_EQ(this->broad_phase_.size(), 0u);
  EXPECT_TRUE(this->pairs().empty());
}

TYPED_TEST(AnyBroadPhase, BadInputIsRefusedAndChangesNothing) {
  ASSERT_TRUE(this->broad_phase_.add(1, kUnit));
  ASSERT_TRUE(this->broad_phase_.add(2, kUnit));
  const auto before = this->pairs();
  BroadPhase& bp = this->broad_phase_;
  EXPECT_EQ(bp.add(kNoObject, kUnit).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(bp.add(1, kUnit).getCode(), StatusCode::DuplicateObject);
  EXPECT_EQ(bp.add(1, kUnit).getObject(), 1u);
  EXPECT_EQ(bp.update(3, kUnit).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(bp.update(kNoObject, kUnit).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(bp.remove(3).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(bp.remove(kNoObject).getCode(), StatusCode::UnknownObject);
  Aabb box;
  EXPECT_EQ(bp.getBox(3, box).getCode(), StatusCode::UnknownObject);
  const struct {
    Aabb box;
    StatusCode code;
  } bad[] = {
      {{{0, 0, kNan}, {1, 1, 1}}, StatusCode::NonFinite},
      {{{0, 0, 0}, {1, kNan, 1}}, StatusCode::NonFinite},
      {{{0, 2, 0}, {1, 1, 1}}, StatusCode::OutOfRange},
      {{{kInfinity, 0, 0}, {kInfinity, 1, 1}}, StatusCode::NonFinite},
      {{{-kInfinity, 0, 0}, {-kInfinity, 1, 1}}, StatusCode::NonFinite},
      {Aabb::empty(), StatusCode::NonFinite},
  };
  for (const auto& entry : bad) {
    EXPECT_EQ(bp.add(3, entry.box).getCode(), entry.code);
    EXPECT_EQ(bp.update(1, entry.box).getCode(), entry.code);
    std::vector<ObjectId> ids{42};
    EXPECT_EQ(bp.overlap(entry.box, ids).getCode(), entry.code);
    EXPECT_EQ(bp.sweep(entry.box, {1, 0, 0}, ids).getCode(), entry.code);
    EXPECT_EQ(ids, std::vector<ObjectId>{42});
  }
  EXPECT_EQ(bp.size(), 2u);
  EXPECT_EQ(this->pairs(), before);
}

TYPED_TEST(AnyBroadPhase, BadRaysAreRefused) {
  std::vector<RayCandidate> hits;
  const BroadPhase& bp = this->broad_phase_;
  EXPECT_EQ(bp.raycast({0, 0, 0}, {0, 0, 0}, 1.0, hits).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(bp.raycast({0, 0, 0}, {1, kNan, 0}, 1.0, hits).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(bp.raycast({kInfinity, 0, 0}, {1, 0, 0}, 1.0, hits).getCode(), StatusCode::NonFinite);
  EXPECT_EQ(bp.raycast({0, 0, 0}, {1, 0, 0}, -1.0, hits).getCode(), StatusCode::OutOfRange);
  EXPECT_EQ(bp.raycast({0, 0, 0}, {1, 0, 0}, kNan, hits).getCode(), StatusCode::OutOfRange);
}

TYPED_TEST(AnyBroadPhase, RayCandidatesComeInOrderOfEntry) {
  ASSERT_TRUE(this->broad_phase_.add(1, unitAt(4)));
  ASSERT_TRUE(this->broad_phase_.add(2, unitAt(2)));
  ASSERT_TRUE(this->broad_phase_.add(3, unitAt(-3)));
  ASSERT_TRUE(this->broad_phase_.add(4, boxAt({3, 5, 0}, {1, 1, 1})));
  ASSERT_TRUE(this->broad_phase_.add(5, unitAt(2)));
  std::vector<RayCandidate> hits;
  for (bool prepared : {false, true}) {
    if (prepared) this->broad_phase_.prepare();
    ASSERT_TRUE(this->broad_phase_.raycast({0, 0.5, 0.5}, {2, 0, 0}, kInfinity, hits));
    ASSERT_EQ(hits.size(), 3u);
    EXPECT_EQ(hits[0].id, 2u);  // Equal entries: by id.
    EXPECT_EQ(hits[1].id, 5u);
    EXPECT_EQ(hits[2].id, 1u);
    // Entries at x = 2 and x = 4, in steps of 2; never late.
    EXPECT_NEAR(hits[0].entry, 1.0, 4e-15);
    EXPECT_LE(hits[0].entry, 1.0);
    EXPECT_NEAR(hits[2].entry, 2.0, 8e-15);
    ASSERT_TRUE(this->broad_phase_.raycast({0, 0.5, 0.5}, {2, 0, 0}, 1.5, hits));
    EXPECT_EQ(hits.size(), 2u);
    // A ray along the boundary touches; one that starts inside enters at 0.
    ASSERT_TRUE(this->broad_phase_.raycast({0, 1, 1}, {1, 0, 0}, 100.0, hits));
    EXPECT_EQ(hits.size(), 3u);
    ASSERT_TRUE(this->broad_phase_.raycast({4.5, 0.5, 0.5}, {0, 0, 1}, 1.0, hits));
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_EQ(hits[0].entry, 0.0);
  }
}

TYPED_TEST(AnyBroadPhase, SweepFindsWhatTheBoxPassesAndOverlapWhatItMeets) {
  ASSERT_TRUE(this->broad_phase_.add(1, unitAt(10)));
  ASSERT_TRUE(this->broad_phase_.add(2, unitAt(3)));
  ASSERT_TRUE(this->broad_phase_.add(3, unitAt(20)));
  std::vector<ObjectId> ids;
  for (bool prepared : {false, true}) {
    if (prepared) this->broad_phase_.prepare();
    ASSERT_TRUE(this->broad_phase_.sweep(kUnit, {15, 0, 0}, ids));
    EXPECT_EQ(ids, (std::vector<ObjectId>{1, 2}));
    ASSERT_TRUE(this->broad_phase_.sweep(kUnit, {0, 0, 0}, ids));
    EXPECT_TRUE(ids.empty());
    ASSERT_TRUE(this->broad_phase_.overlap(Aabb({3.5, 0, 0}, {10, 1, 1}), ids));
    EXPECT_EQ(ids, (std::vector<ObjectId>{1, 2}));
  }
}

}  // namespace
}  // namespace abut
