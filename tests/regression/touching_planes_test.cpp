// SPDX-License-Identifier: MIT
// Symptom: two opposed half-spaces that touch were reported apart, or not, by the last bit.
// Cause: the size that touching is measured against was the part of the translation along the
// normal, which is nothing but rounding when they touch.
// Mechanism: the rounding of that product grows with the whole translation, so this is the size.
#include <gtest/gtest.h>

#include <abut/shapes/plane_shape.hpp>

#include "support/specimen.hpp"

namespace abut::test {
namespace {

TEST(TouchingPlanes, OpposedHalfSpacesThatTouchAreTouchingInEveryFrame) {
  const PlaneShape plane(Vector(0.0, 0.0, 1.0));
  const Matrix upsideDown = Vector(1.0, -1.0, -1.0).asDiagonal();
  constexpr std::uint64_t kSeed = 5;
  SCOPED_TRACE(kSeed);
  Generator random(kSeed);
  for (int i = 0; i < 100; ++i) {
    const Matrix frame = random.rotation();
    const Vector origin = 3.0 * random.direction();
    const Vector aside = frame * Vector(0.11, 0.07, 0.0);
    DistanceResult result;
    ASSERT_TRUE(distance(place(plane, frame * upsideDown, origin + aside, 1),
                         place(plane, frame, origin, 2), result));
    EXPECT_EQ(result.status, QueryStatus::Touching) << result.distance;
  }
}

}  // namespace
}  // namespace abut::test
