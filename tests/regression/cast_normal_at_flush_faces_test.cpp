// SPDX-License-Identifier: MIT
// Symptom: timeOfImpact() of a cube-shaped mesh turning while it lands flat on another mesh or a
// height field reported a sideways normal.
// Cause: where faces meet, many pairs of triangles touch at the same fraction; the first by number
// won, and a side triangle that touches at its corner has no normal of its own.
// Mechanism: the hit's normal and witness points are now those of distance() between the whole
// shapes at the moment of impact, which knows what edges and corners are inside of a surface.
#include <gtest/gtest.h>

#include <abut/narrow_phase/cast.hpp>

#include "support/assembly.hpp"

namespace abut::test {
namespace {

TEST(CastNormalAtFlushFaces, ATurningMeshLandsWithTheFloorsNormal) {
  const Assembly cube = sampleOf(ShapeType::Mesh);
  for (const ShapeType type : {ShapeType::Mesh, ShapeType::HeightField, ShapeType::Compound}) {
    const Assembly floor = sampleOf(type);
    const PlacedAssembly below{&floor};
    PlacedAssembly above{&cube};
    above.rotation = Eigen::AngleAxisd(0.3, Vector::UnitZ()).toRotationMatrix();
    above.position = Vector(0.11, 0.07, floor.top + 0.5 + 0.7);
    CastResult result;
    const Motion falling{{0.0, 0.0, -2.8}, {0.0, 0.0, 2.0}};
    ASSERT_TRUE(timeOfImpact(above.placed(1), falling, below.placed(2), {}, result));
    ASSERT_TRUE(result.hit);
    EXPECT_NEAR(result.fraction, 0.25, 1e-12);
    EXPECT_NEAR(result.normal.z(), 1.0, 1e-12) << toString(type);
  }
}

}  // namespace
}  // namespace abut::test
