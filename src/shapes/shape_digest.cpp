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

namespace abut {
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

  void addRound(const Shape& shape);
  void addComposite(const Shape& shape);
  void addShape(const Shape& shape);
};

void Digest::addRound(const Shape& shape) {
  switch (shape.getType()) {
    case ShapeType::Sphere:
      add(static_cast<const SphereShape&>(shape).getRadius());
      break;
    case ShapeType::Capsule:
      add(static_cast<const CapsuleShape&>(shape).getRadius());
      add(static_cast<const CapsuleShape&>(shape).getLength());
      break;
    case ShapeType::Cylinder:
      add(static_cast<const CylinderShape&>(shape).getRadius());
      add(static_cast<const CylinderShape&>(shape).getHeight());
      break;
    case ShapeType::Cone:
      add(static_cast<const ConeShape&>(shape).getRadius());
      add(static_cast<const ConeShape&>(shape).getHeight());
      break;
    default:
      break;
  }
}

void Digest::addComposite(const Shape& shape) {
  if (shape.getType() == ShapeType::Mesh) {
    const auto& mesh = static_cast<const MeshShape&>(shape);
    addCount(mesh.numVertices());
    for (std::size_t i = 0; i < mesh.numVertices(); ++i) add(mesh.getVertex(i));
    for (std::size_t i = 0; i < mesh.numTriangles(); ++i) {
      for (const std::uint32_t corner : mesh.getTriangle(i)) add(std::uint64_t{corner});
    }
  } else if (shape.getType() == ShapeType::HeightField) {
    const auto& field = static_cast<const HeightFieldShape&>(shape);
    addCount(field.getNumX());
    addCount(field.getNumY());
    add(field.getSpacingX());
    add(field.getSpacingY());
    for (std::size_t j = 0; j < field.getNumY(); ++j) {
      for (std::size_t i = 0; i < field.getNumX(); ++i) add(field.getHeight(i, j));
    }
  } else if (shape.getType() == ShapeType::PointCloud) {
    const auto& cloud = static_cast<const PointCloudShape&>(shape);
    add(cloud.getRadius());
    for (std::size_t i = 0; i < cloud.numPoints(); ++i) add(cloud.getPoint(i));
  } else if (shape.getType() == ShapeType::Compound) {
    const auto& compound = static_cast<const CompoundShape&>(shape);
    addCount(compound.numChildren());
    for (std::size_t i = 0; i < compound.numChildren(); ++i) {
      add(compound.getChild(i).pose);
      addShape(*compound.getChild(i).shape);
    }
  }
}

void Digest::addShape(const Shape& shape) {
  addCount(static_cast<std::size_t>(shape.getType()));
  if (shape.getType() == ShapeType::Box) {
    add(static_cast<const BoxShape&>(shape).getHalfExtents());
  } else if (shape.getType() == ShapeType::Plane) {
    add(static_cast<const PlaneShape&>(shape).getNormal());
    add(static_cast<const PlaneShape&>(shape).getOffset());
  } else if (shape.getType() == ShapeType::Convex) {
    const auto& hull = static_cast<const ConvexShape&>(shape);
    for (std::size_t i = 0; i < hull.numVertices(); ++i) add(hull.getVertex(i));
  } else {
    addRound(shape);
    addComposite(shape);
  }
}

}  // namespace

std::uint64_t digestOf(const Shape& shape) {
  Digest digest;
  digest.addShape(shape);
  return digest.value;
}

}  // namespace abut
