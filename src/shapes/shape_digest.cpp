// SPDX-License-Identifier: MIT
#include "shapes/shape_digest.hpp"

#include <abut/math/convert.hpp>
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

#include "core/fnv.hpp"

namespace abut::inline v0_1 {
namespace {

struct Digest : Fnv {
  using Fnv::add;
  void add(const Eigen::Vector3d& v) {
    add(v.x());
    add(v.y());
    add(v.z());
  }
  void add(const Pose& pose) {
    add(toEigen(pose.rotation.x));
    add(toEigen(pose.rotation.y));
    add(toEigen(pose.rotation.z));
    add(toEigen(pose.translation));
  }
  void addCount(std::size_t n) { add(static_cast<std::uint64_t>(n)); }

  void addHull(const ConvexShape& hull) {
    for (std::size_t i = 0; i < hull.numVertices(); ++i) add(hull.getVertex(i));
  }
  void addMesh(const MeshShape& mesh);
  void addField(const HeightFieldShape& field);
  void addCloud(const PointCloudShape& cloud);
  void addCompound(const CompoundShape& compound);
  void addShape(const Shape& shape);
};

void Digest::addMesh(const MeshShape& mesh) {
  addCount(mesh.numVertices());
  for (std::size_t i = 0; i < mesh.numVertices(); ++i) add(mesh.getVertex(i));
  for (std::size_t i = 0; i < mesh.numTriangles(); ++i) {
    for (const std::uint32_t corner : mesh.getTriangle(i)) add(std::uint64_t{corner});
  }
}

void Digest::addField(const HeightFieldShape& field) {
  addCount(field.getNumX());
  addCount(field.getNumY());
  add(field.getSpacingX());
  add(field.getSpacingY());
  for (std::size_t j = 0; j < field.getNumY(); ++j) {
    for (std::size_t i = 0; i < field.getNumX(); ++i) add(field.getHeight(i, j));
  }
}

void Digest::addCloud(const PointCloudShape& cloud) {
  add(cloud.getRadius());
  for (std::size_t i = 0; i < cloud.numPoints(); ++i) add(cloud.getPoint(i));
}

void Digest::addCompound(const CompoundShape& compound) {
  addCount(compound.numChildren());
  for (std::size_t i = 0; i < compound.numChildren(); ++i) {
    add(compound.getChild(i).pose);
    addShape(*compound.getChild(i).shape);
  }
}

void Digest::addShape(const Shape& shape) {
  addCount(static_cast<std::size_t>(shape.getType()));
  switch (shape.getType()) {
    case ShapeType::Sphere:
      return add(static_cast<const SphereShape&>(shape).getRadius());
    case ShapeType::Box:
      return add(static_cast<const BoxShape&>(shape).getHalfExtents());
    case ShapeType::Capsule:
      add(static_cast<const CapsuleShape&>(shape).getRadius());
      return add(static_cast<const CapsuleShape&>(shape).getLength());
    case ShapeType::Cylinder:
      add(static_cast<const CylinderShape&>(shape).getRadius());
      return add(static_cast<const CylinderShape&>(shape).getHeight());
    case ShapeType::Cone:
      add(static_cast<const ConeShape&>(shape).getRadius());
      return add(static_cast<const ConeShape&>(shape).getHeight());
    case ShapeType::Convex:
      return addHull(static_cast<const ConvexShape&>(shape));
    case ShapeType::Plane:
      add(static_cast<const PlaneShape&>(shape).getNormal());
      return add(static_cast<const PlaneShape&>(shape).getOffset());
    case ShapeType::Mesh:
      return addMesh(static_cast<const MeshShape&>(shape));
    case ShapeType::HeightField:
      return addField(static_cast<const HeightFieldShape&>(shape));
    case ShapeType::PointCloud:
      return addCloud(static_cast<const PointCloudShape&>(shape));
    case ShapeType::Compound:
      return addCompound(static_cast<const CompoundShape&>(shape));
  }
}

}  // namespace

std::uint64_t digestOf(const Shape& shape) {
  Digest digest;
  digest.addShape(shape);
  return digest.value;
}

}  // namespace abut::inline v0_1
