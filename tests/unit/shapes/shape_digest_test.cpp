// SPDX-License-Identifier: MIT
#include "shapes/shape_digest.hpp"

#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

namespace abut {
namespace {

using ShapePtr = std::shared_ptr<const Shape>;

std::vector<Eigen::Vector3d> corners(double s) {
  return {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0, 0, s}};
}

/// One of each type, of a size. A type that is forgotten here fails the test that counts them.
std::vector<ShapePtr> specimens(double s) {
  const auto sphere = std::make_shared<SphereShape>(s);
  return {
      sphere,
      std::make_shared<BoxShape>(Eigen::Vector3d(1.0, 1.0, s)),
      std::make_shared<CapsuleShape>(1.0, s),
      std::make_shared<CylinderShape>(1.0, s),
      std::make_shared<ConeShape>(1.0, s),
      std::make_shared<ConvexShape>(corners(s)),
      std::make_shared<PlaneShape>(Eigen::Vector3d(0.0, 0.0, 1.0), s),
      std::make_shared<MeshShape>(
          corners(s), std::vector<MeshShape::Triangle>{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}),
      std::make_shared<HeightFieldShape>(2, 2, 1.0, 1.0, std::vector<double>{0, 0, 0, s}),
      std::make_shared<PointCloudShape>(corners(s), 0.1),
      std::make_shared<CompoundShape>(std::vector<CompoundShape::Child>{{sphere, {}}})};
}

TEST(ShapeDigest, TwoSizesOfEveryTypeDiffer) {
  std::set<std::uint64_t> digests;
  std::set<ShapeType> types;
  for (const double size : {0.75, 1.25}) {
    for (const ShapePtr& shape : specimens(size)) {
      types.insert(shape->getType());
      EXPECT_TRUE(digests.insert(digestOf(*shape)).second) << toString(shape->getType());
    }
  }
  EXPECT_EQ(types.size(), std::size_t{kNumShapeTypes});
}

}  // namespace
}  // namespace abut
