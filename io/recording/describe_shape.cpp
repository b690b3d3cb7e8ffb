// SPDX-License-Identifier: MIT
#include <abut/abut.hpp>

#include "io/core/rotation.hpp"
#include "io/recording/frame.hpp"

namespace abut::inline v0_1::io {
namespace {

void copyHull(const ConvexShape& hull, ShapeRecord& out) {
  for (std::size_t i = 0; i < hull.numVertices(); ++i)
    out.vertices.push_back(toVec3(hull.getVertex(i)));
  for (std::size_t f = 0; f < hull.numFaces(); ++f) {
    const std::span<const std::uint32_t> face = hull.getFace(f);
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      out.triangles.push_back({face[0], face[k], face[k + 1]});
  }
}

void copyMesh(const MeshShape& mesh, ShapeRecord& out) {
  for (std::size_t i = 0; i < mesh.numVertices(); ++i)
    out.vertices.push_back(toVec3(mesh.getVertex(i)));
  for (std::size_t i = 0; i < mesh.numTriangles(); ++i)
    out.triangles.push_back(mesh.getTriangle(i));
}

void copyHeightField(const HeightFieldShape& field, ShapeRecord& out) {
  const std::size_t nx = field.getNumX(), ny = field.getNumY();
  const double x0 = -0.5 * field.getSpacingX() * static_cast<double>(nx - 1);
  const double y0 = -0.5 * field.getSpacingY() * static_cast<double>(ny - 1);
  for (std::size_t j = 0; j < ny; ++j) {
    for (std::size_t i = 0; i < nx; ++i) {
      out.vertices.push_back({x0 + field.getSpacingX() * static_cast<double>(i),
                              y0 + field.getSpacingY() * static_cast<double>(j),
                              field.getHeight(i, j)});
    }
  }
  const auto at = [nx](std::size_t i, std::size_t j) {
    return static_cast<std::uint32_t>(j * nx + i);
  };
  for (std::size_t j = 0; j + 1 < ny; ++j) {
    for (std::size_t i = 0; i + 1 < nx; ++i) {
      out.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      out.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
}

/// Everything but compounds.
void fillSimple(const Shape& shape, ShapeRecord& out) {
  switch (shape.getType()) {
    case ShapeType::Sphere:
      out.size.x = static_cast<const SphereShape&>(shape).getRadius();
      break;
    case ShapeType::Box: {
      const Vec3 h = toVec3(static_cast<const BoxShape&>(shape).getHalfExtents());
      out.size = {2.0 * h.x, 2.0 * h.y, 2.0 * h.z};
      break;
    }
    case ShapeType::Capsule: {
      const auto& s = static_cast<const CapsuleShape&>(shape);
      out.size = {s.getRadius(), s.getLength(), 0.0};
      break;
    }
    case ShapeType::Cylinder: {
      const auto& s = static_cast<const CylinderShape&>(shape);
      out.size = {s.getRadius(), s.getHeight(), 0.0};
      break;
    }
    case ShapeType::Cone: {
      const auto& s = static_cast<const ConeShape&>(shape);
      out.size = {s.getRadius(), s.getHeight(), 0.0};
      break;
    }
    case ShapeType::Plane: {
      const auto& s = static_cast<const PlaneShape&>(shape);
      out.size = toVec3(s.getNormal());
      out.offset = s.getOffset();
      break;
    }
    case ShapeType::PointCloud: {
      const auto& s = static_cast<const PointCloudShape&>(shape);
      out.size.x = s.getRadius();
      for (std::size_t i = 0; i < s.numPoints(); ++i) out.vertices.push_back(toVec3(s.getPoint(i)));
      break;
    }
    case ShapeType::Convex:
      copyHull(static_cast<const ConvexShape&>(shape), out);
      break;
    case ShapeType::Mesh:
      copyMesh(static_cast<const MeshShape&>(shape), out);
      break;
    case ShapeType::HeightField:
      copyHeightField(static_cast<const HeightFieldShape&>(shape), out);
      break;
    case ShapeType::Compound:
      break;
  }
}

}  // namespace

void describeShape(const Shape& shape, const Pose& pose, const std::string& material,
                   std::vector<ShapeRecord>& records) {
  if (shape.getType() == ShapeType::Compound) {
    const auto& compound = static_cast<const CompoundShape&>(shape);
    for (std::size_t i = 0; i < compound.numChildren(); ++i) {
      const CompoundShape::Child& child = compound.getChild(i);
      describeShape(*child.shape, compose(pose, child.pose), material, records);
    }
    return;
  }
  ShapeRecord record;
  record.type = shape.getType();
  record.position = pose.translation;
  record.orientation = quaternionOf(pose.rotation);
  record.material = material;
  fillSimple(shape, record);
  records.push_back(std::move(record));
}

}  // namespace abut::inline v0_1::io
