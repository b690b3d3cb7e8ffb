// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include <abut/narrow_phase/contact.hpp>
#include <abut/shapes/shape.hpp>

#include "core/assert.hpp"
#include "math/pose.hpp"

namespace abut::inline v0_1 {

class ManifoldSink;

/// Touching means |signed distance| <= this, times the size of the pair.
inline constexpr double kTouchTolerance = 1e-12;

/// Rigid placement whose rotation is kept elsewhere, by the caller of the query: copying nine
/// numbers would cost as much as the simplest pairs.
struct PlaceView {
  const Mat3& rotation;
  Vec3 translation;

  operator Pose() const { return {rotation, translation}; }  // NOLINT: stands for a Pose.
};

/// One pair as the pair functions see it. The dispatcher has put the shape with the smaller
/// ShapeType first (equal types: the smaller id first), so that each pair is computed in one order
/// only and swapping is exact. The frame is the world's, moved so that object 1's origin is 0:
/// pose1.translation is exactly zero and results do not depend on where the scene is.
struct PairQuery {
  const Shape& shape1;
  const Shape& shape2;
  PlaceView pose1;
  PlaceView pose2;
  double margin;       ///< Report gaps up to this [m].
  bool enableContact;  ///< False: only yes or no is wanted.
};

/// A raw contact, in the frame of the PairQuery.
struct PairPoint {
  Vec3 position;  ///< Midpoint of the witness points [m].
  double depth;   ///< Along the manifold's normal [m].
  Feature feature1;
  Feature feature2;
};

/// Raw contacts that share a normal, before reduction to four.
struct PairManifold {
  static constexpr int kMaxPoints = 64;

  Vec3 normal;  ///< Unit, from object 2 to object 1.
  ContactType type = ContactType::Unknown;
  QueryStatus status = QueryStatus::Separated;
  std::uint64_t subShape1 = 0;
  std::uint64_t subShape2 = 0;
  int count = 0;
  union {
    PairPoint points[kMaxPoints];  ///< The first `count` exist.
  };

  /// Creates no points: clearing all of them would cost more than most queries.
  PairManifold() {}  // NOLINT
  PairManifold(const PairManifold&) = default;
  PairManifold& operator=(const PairManifold&) = default;

  void add(const Vec3& position, double depth, Feature feature1, Feature feature2) {
    ABUT_CHECK(count < kMaxPoints);  // 32 clipped against 32; who may have more reduces before.
    std::construct_at(&points[count], PairPoint{position, depth, feature1, feature2});
    ++count;
  }
};

/// Signed distance in the frame of the PairQuery. p1 - p2 = gap * normal.
struct PairGap {
  double gap = 0.0;  ///< [m]; negative: overlap.
  Vec3 normal;       ///< Unit, from object 2 to object 1.
  Vec3 p1;           ///< Witness on object 1 [m].
  Vec3 p2;           ///< Witness on object 2 [m].
  Feature feature1;
  Feature feature2;
  std::uint64_t subShape1 = 0;
  std::uint64_t subShape2 = 0;
  QueryStatus status = QueryStatus::Separated;
};

/// Status for a signed gap between shapes of the given size [m].
inline QueryStatus statusOfGap(double gap, double size) {
  static_assert(static_cast<int>(QueryStatus::Separated) == 0 &&
                static_cast<int>(QueryStatus::Touching) == 1 &&
                static_cast<int>(QueryStatus::Penetrating) == 2);
  const double tolerance = kTouchTolerance * size;
  const int notApart = gap > tolerance ? 0 : 1, deeper = gap < -tolerance ? 1 : 0;
  return static_cast<QueryStatus>(notApart + deeper);
}

/// collide() for one pair of shape types: hands every manifold with a gap of at most the margin to
/// the sink. distance() for one pair of types.
using CollideFunction = void (*)(const PairQuery& query, ManifoldSink& sink);
using DistanceFunction = void (*)(const PairQuery& query, PairGap& result);

}  // namespace abut::inline v0_1
