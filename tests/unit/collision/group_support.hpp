// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include <abut/broad_phase/brute_force_broad_phase.hpp>
#include <abut/collision/collision_group.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "support/assembly.hpp"
#include "support/generator.hpp"

namespace abut::test {

inline std::shared_ptr<const Shape> ball(double radius = 0.5) {
  return std::make_shared<SphereShape>(radius);
}
inline std::shared_ptr<const Shape> cube(double half = 0.5) {
  return std::make_shared<BoxShape>(Eigen::Vector3d(half, half, half));
}
inline std::shared_ptr<const Shape> floorPlane() {
  return std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1));
}

inline Eigen::Isometry3d at(double x, double y, double z) {
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
  transform.translation() = Eigen::Vector3d(x, y, z);
  return transform;
}

inline CollisionGroup bruteForceGroup() {
  return CollisionGroup(std::make_unique<BruteForceBroadPhase>());
}

/// Samples of all eleven shapes, the common ones several times.
inline std::vector<std::shared_ptr<const Shape>> sampleShapes() {
  std::vector<std::shared_ptr<const Shape>> shapes{
      ball(0.3),
      ball(0.8),
      cube(0.4),
      std::make_shared<BoxShape>(Eigen::Vector3d(0.1, 0.9, 0.5)),
      std::make_shared<CapsuleShape>(0.2, 1.0),
  };
  for (int type = 0; type < kNumShapeTypes; ++type) {
    shapes.push_back(sampleOf(static_cast<ShapeType>(type)).shape);
  }
  return shapes;
}

/// Two planes are left out by a group.
inline bool isUnbounded(const CollisionObject& a, const CollisionObject& b) {
  const ShapeType types[2] = {a.getShape().getType(), b.getShape().getType()};
  return types[0] == ShapeType::Plane && types[1] == ShapeType::Plane;
}

/// Bodies of all shapes, close enough that about half of them touch something.
inline std::vector<CollisionObject> randomObjects(Generator& random, std::size_t count) {
  // Made once: hulls and meshes take time.
  static const std::vector<std::shared_ptr<const Shape>> shapes = sampleShapes();
  const double side = std::cbrt(static_cast<double>(count));
  std::vector<CollisionObject> objects;
  for (std::size_t i = 0; i < count; ++i) {
    Eigen::Isometry3d transform = at(0, 0, 0);
    const Eigen::Vector3d axis = random.direction();
    transform.linear() = Eigen::AngleAxisd(random.range(-3.0, 3.0), axis).toRotationMatrix();
    const double x = random.range(-side, side);
    const double y = random.range(-side, side);
    const double z = random.range(-side, side);
    transform.translation() = Eigen::Vector3d(x, y, z);
    const int kind = random.below(static_cast<int>(shapes.size()));
    objects.emplace_back(shapes[static_cast<std::size_t>(kind)], transform, 7 * i + 3);
  }
  return objects;
}

inline void shuffle(Generator& random, std::vector<CollisionObject>& objects) {
  for (std::size_t i = objects.size(); i > 1; --i) {
    std::swap(objects[i - 1], objects[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
  }
}

/// Everything a result says, as bits.
inline std::vector<std::uint64_t> bitsOf(const CollisionResult& result) {
  std::vector<std::uint64_t> bits;
  const auto put = [&](double value) {
    std::uint64_t word;
    std::memcpy(&word, &value, sizeof word);
    bits.push_back(word);
  };
  bits.push_back(result.isCollision());
  for (const ContactManifold& manifold : result.getManifolds()) {
    bits.push_back(manifold.getObject1());
    bits.push_back(manifold.getObject2());
    bits.push_back(manifold.getSubShape1());
    bits.push_back(manifold.getSubShape2());
    bits.push_back(static_cast<std::uint64_t>(manifold.getStatus()));
    bits.push_back(static_cast<std::uint64_t>(manifold.getType()));
    for (const ContactPoint& point : manifold.getContacts()) {
      for (int i = 0; i < 3; ++i) put(point.position[i]);
      for (int i = 0; i < 3; ++i) put(point.normal[i]);
      put(point.depth);
      bits.push_back(static_cast<std::uint64_t>(point.feature1.kind) << 32 | point.feature1.index);
      bits.push_back(static_cast<std::uint64_t>(point.feature2.kind) << 32 | point.feature2.index);
    }
  }
  return bits;
}

}  // namespace abut::test
