// SPDX-License-Identifier: MIT
#include "io/export/tessellate.hpp"

#include <cmath>

namespace abut::inline v0_1::io {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kSegments = 32;
constexpr double kPlaneHalf = 10.0;  ///< [m]

std::array<float, 3> toFloat(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}
Vec3 minus(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Unit vector; z for one without a direction.
Vec3 unit(const Vec3& v) {
  const double length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  if (!(length > 0.0)) return {0, 0, 1};
  return {v.x / length, v.y / length, v.z / length};
}

std::uint32_t add(DrawMesh& mesh, const Vec3& position, const Vec3& normal) {
  mesh.positions.push_back(toFloat(position));
  mesh.normals.push_back(toFloat(unit(normal)));
  return static_cast<std::uint32_t>(mesh.positions.size() - 1);
}

void addTriangle(DrawMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 normal = cross(minus(b, a), minus(c, a));
  for (const Vec3& p : {a, b, c}) mesh.indices.push_back(add(mesh, p, normal));
}

void addQuad(DrawMesh& mesh, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  addTriangle(mesh, a, b, c);
  addTriangle(mesh, a, c, d);
}

/// A point of a profile that is turned about z: radius, height, and the normal in that half-plane.
struct ProfilePoint {
  double r, z, nr, nz;
};

/// Surface of revolution; the profile runs from the bottom to the top.
void revolve(DrawMesh& mesh, const std::vector<ProfilePoint>& profile, int segments) {
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (int s = 0; s <= segments; ++s) {
    const double angle = 2.0 * kPi * s / segments, c = std::cos(angle), sn = std::sin(angle);
    for (const ProfilePoint& p : profile)
      add(mesh, {p.r * c, p.r * sn, p.z}, {p.nr * c, p.nr * sn, p.nz});
  }
  const auto count = static_cast<std::uint32_t>(profile.size());
  for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(segments); ++s) {
    for (std::uint32_t i = 0; i + 1 < count; ++i) {
      const std::uint32_t a = first + s * count + i, b = a + count;
      // Rings that shrink to a point give one triangle instead of two.
      if (profile[i].r > 0.0) mesh.indices.insert(mesh.indices.end(), {a, b, b + 1});
      if (profile[i + 1].r > 0.0) mesh.indices.insert(mesh.indices.end(), {a, b + 1, a + 1});
    }
  }
}

void addBall(DrawMesh& mesh, const Vec3& center, double radius, double halfLength, int segments) {
  DrawMesh ball;
  std::vector<ProfilePoint> profile;
  const int half = segments / 4;
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i <= half; ++i) {
      const double angle = (side < 0 ? i - half : i) * 0.5 * kPi / half;
      const bool pole = side < 0 ? i == 0 : i == half;
      const double c = pole ? 0.0 : std::cos(angle), s = std::sin(angle);
      if (side > 0 && i == 0 && halfLength == 0.0) continue;  // One equator is enough.
      profile.push_back({radius * c, radius * s + side * halfLength, c, s});
    }
  }
  revolve(ball, profile, segments);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const auto& p : ball.positions)
    mesh.positions.push_back(toFloat({center.x + p[0], center.y + p[1], center.z + p[2]}));
  mesh.normals.insert(mesh.normals.end(), ball.normals.begin(), ball.normals.end());
  for (const std::uint32_t i : ball.indices) mesh.indices.push_back(first + i);
}

void addBox(DrawMesh& mesh, const Vec3& size) {
  const double x = 0.5 * size.x, y = 0.5 * size.y, z = 0.5 * size.z;
  addQuad(mesh, {-x, -y, -z}, {-x, y, -z}, {x, y, -z}, {x, -y, -z});
  addQuad(mesh, {-x, -y, z}, {x, -y, z}, {x, y, z}, {-x, y, z});
  addQuad(mesh, {-x, -y, -z}, {x, -y, -z}, {x, -y, z}, {-x, -y, z});
  addQuad(mesh, {-x, y, -z}, {-x, y, z}, {x, y, z}, {x, y, -z});
  addQuad(mesh, {-x, -y, -z}, {-x, -y, z}, {-x, y, z}, {-x, y, -z});
  addQuad(mesh, {x, -y, -z}, {x, y, -z}, {x, y, z}, {x, -y, z});
}

void addDisc(DrawMesh& mesh, double radius, double z, double facing) {
  revolve(mesh,
          facing > 0.0 ? std::vector<ProfilePoint>{{radius, z, 0, 1}, {0, z, 0, 1}}
                       : std::vector<ProfilePoint>{{0, z, 0, -1}, {radius, z, 0, -1}},
          kSegments);
}

void addPlane(DrawMesh& mesh, const Vec3& normal, double offset) {
  // Two axes across the normal, from the world axis farthest from it.
  const Vec3 other = std::fabs(normal.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 u = unit(cross(other, normal)), v = cross(normal, u);
  const auto at = [&](double a, double b) {
    return Vec3{normal.x * offset + u.x * a + v.x * b, normal.y * offset + u.y * a + v.y * b,
                normal.z * offset + u.z * a + v.z * b};
  };
  addQuad(mesh, at(-kPlaneHalf, -kPlaneHalf), at(kPlaneHalf, -kPlaneHalf),
          at(kPlaneHalf, kPlaneHalf), at(-kPlaneHalf, kPlaneHalf));
}

}  // namespace

DrawMesh tessellate(const ShapeRecord& shape) {
  DrawMesh mesh;
  const double r = shape.size.x, half = 0.5 * shape.size.y;
  if (!shape.triangles.empty()) {
    for (const auto& t : shape.triangles) {
      addTriangle(mesh, shape.vertices[t[0]], shape.vertices[t[1]], shape.vertices[t[2]]);
    }
  } else if (shape.type == ShapeType::Sphere) {
    addBall(mesh, {}, r, 0.0, kSegments);
  } else if (shape.type == ShapeType::Box) {
    addBox(mesh, shape.size);
  } else if (shape.type == ShapeType::Capsule) {
    addBall(mesh, {}, r, half, kSegments);
  } else if (shape.type == ShapeType::Cylinder) {
    revolve(mesh, {{r, -half, 1, 0}, {r, half, 1, 0}}, kSegments);
    addDisc(mesh, r, -half, -1);
    addDisc(mesh, r, half, 1);
  } else if (shape.type == ShapeType::Cone) {
    revolve(mesh, {{r, -half, 2 * half, r}, {0, half, 2 * half, r}}, kSegments);
    addDisc(mesh, r, -half, -1);
  } else if (shape.type == ShapeType::Plane) {
    addPlane(mesh, shape.size, shape.offset);
  } else if (shape.type == ShapeType::PointCloud) {
    for (const Vec3& center : shape.vertices) addBall(mesh, center, r, 0.0, 8);
  }
  return mesh;
}

}  // namespace abut::inline v0_1::io
