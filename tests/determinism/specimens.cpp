// SPDX-License-Identifier: MIT
#include "specimens.hpp"

#include <array>
#include <string>

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

#include "digest.hpp"
#include "random_pose.hpp"

namespace golden {
namespace {

using namespace abut;
using Shapes = std::vector<std::shared_ptr<const Shape>>;
using Points = std::vector<Eigen::Vector3d>;

const Points kOctahedron = {{1., 0., 0.},  {-1., 0., 0.}, {0., 1., 0.},
                            {0., -1., 0.}, {0., 0., 1.},  {0., 0., -1.}};
const std::array<MeshShape::Triangle, 8> kOctahedronFaces = {
    {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}}};

Points randomPoints(Generator& random, int count, double scale) {
  Points points;
  for (int i = 0; i < count; ++i) points.push_back(random.vector(scale));
  return points;
}

/// A cube with half side 1/2, its corners also as points on its faces' diagonals: coplanar points.
Points cubePoints() {
  Points points;
  for (int i = 0; i < 8; ++i) {
    points.push_back({i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5});
  }
  points.push_back({0.0, 0.0, 0.5});
  points.push_back({0.5, 0.25, 0.25});
  return points;
}

void addConvex(Generator& random, Shapes& shapes) {
  shapes.push_back(std::make_shared<SphereShape>(0.5));
  shapes.push_back(std::make_shared<SphereShape>(0.37));
  shapes.push_back(std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)));
  shapes.push_back(std::make_shared<BoxShape>(Eigen::Vector3d(0.31, 0.72, 0.17)));
  shapes.push_back(std::make_shared<CapsuleShape>(0.25, 1.0));
  shapes.push_back(std::make_shared<CapsuleShape>(0.33, 0.41));
  shapes.push_back(std::make_shared<CylinderShape>(0.5, 1.0));
  shapes.push_back(std::make_shared<CylinderShape>(0.23, 1.3));
  shapes.push_back(std::make_shared<ConeShape>(0.5, 1.0));
  shapes.push_back(std::make_shared<ConeShape>(0.61, 0.7));
  shapes.push_back(std::make_shared<ConvexShape>(cubePoints()));
  shapes.push_back(std::make_shared<ConvexShape>(randomPoints(random, 40, 0.6)));
  shapes.push_back(std::make_shared<PlaneShape>(Eigen::Vector3d(0.0, 0.0, 1.0)));
  shapes.push_back(std::make_shared<PlaneShape>(Eigen::Vector3d(0.3, -0.2, 0.7), 0.11));
}

void addComposite(Generator& random, Shapes& shapes) {
  shapes.push_back(std::make_shared<MeshShape>(kOctahedron, kOctahedronFaces));
  // A sheet of triangles, open, wavy.
  Points sheet;
  std::vector<MeshShape::Triangle> faces;
  for (std::uint32_t j = 0; j < 5; ++j) {
    for (std::uint32_t i = 0; i < 5; ++i) {
      sheet.push_back({i * 0.5 - 1.0, j * 0.5 - 1.0, random.symmetric() * 0.1});
      const std::uint32_t at = j * 5 + i;
      if (i == 4 || j == 4) continue;
      faces.push_back({at, at + 1, at + 6});
      faces.push_back({at, at + 6, at + 5});
    }
  }
  shapes.push_back(std::make_shared<MeshShape>(sheet, faces));
  shapes.push_back(
      std::make_shared<HeightFieldShape>(4, 3, 0.5, 0.5, std::vector<double>(12, 0.0)));
  std::vector<double> heights;
  for (int i = 0; i < 30; ++i) heights.push_back(random.symmetric() * 0.2);
  shapes.push_back(std::make_shared<HeightFieldShape>(6, 5, 0.37, 0.41, heights));
  shapes.push_back(std::make_shared<PointCloudShape>(kOctahedron, 0.25));
  shapes.push_back(std::make_shared<PointCloudShape>(randomPoints(random, 25, 0.8), 0.07));
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.25, 0.25, 0.5));
  const auto ball = std::make_shared<SphereShape>(0.3);
  Pose left, right;
  left.translation = {-0.5, 0.0, 0.0};
  right.translation = {0.5, 0.0, 0.0};
  shapes.push_back(std::make_shared<CompoundShape>(
      std::vector<CompoundShape::Child>{{box, left}, {box, right}}));
  const Pose first = randomPose(random, 0.4);
  const Pose second = randomPose(random, 0.4);
  shapes.push_back(std::make_shared<CompoundShape>(
      std::vector<CompoundShape::Child>{{box, first}, {ball, second}, {shapes[10], left}}));
}

}  // namespace

const Shapes& specimens() {
  static const Shapes kShapes = [] {
    Generator random(21);
    Shapes shapes;
    addConvex(random, shapes);
    addComposite(random, shapes);
    return shapes;
  }();
  return kShapes;
}

std::string nameOf(std::size_t specimen) {
  return std::string(toString(specimens()[specimen]->getType())) + (specimen % 2 == 0 ? "1" : "2");
}

}  // namespace golden
