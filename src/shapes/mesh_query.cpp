// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/math/convert.hpp>

#include "shapes/mesh_data.hpp"
#include "shapes/tolerances.hpp"
#include "shapes/unit_ray.hpp"

namespace abut::inline v0_1 {
namespace {

Vec3 onSegment(const Vec3& a, const Vec3& b, double along, double length) {
  return a + (b - a) * (along / length);
}

}  // namespace

TrianglePoint closestOnTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, bc = c - b;
  const Vec3 pa = p - a, pb = p - b, pc = p - c;
  // Projections on the edges, from both ends of each.
  const double abFromA = dot(pa, ab), abFromB = -dot(pb, ab);
  const double acFromA = dot(pa, ac), acFromC = -dot(pc, ac);
  const double bcFromB = dot(pb, bc), bcFromC = -dot(pc, bc);
  if (abFromA <= 0.0 && acFromA <= 0.0) return {a, 4};
  if (abFromB <= 0.0 && bcFromB <= 0.0) return {b, 5};
  if (acFromC <= 0.0 && bcFromC <= 0.0) return {c, 6};
  const Vec3 n = cross(ab, ac);
  // Positive on the inner side of each edge: n . ((edge) x (p - start)).
  const double insideAb = dot(n, cross(ab, pa));
  const double insideBc = dot(n, cross(bc, pb));
  const double insideCa = dot(n, cross(pa, ac));
  if (insideAb <= 0.0 && abFromA > 0.0 && abFromB > 0.0) {
    return {onSegment(a, b, abFromA, abFromA + abFromB), 1};
  }
  if (insideBc <= 0.0 && bcFromB > 0.0 && bcFromC > 0.0) {
    return {onSegment(b, c, bcFromB, bcFromB + bcFromC), 2};
  }
  if (insideCa <= 0.0 && acFromA > 0.0 && acFromC > 0.0) {
    return {onSegment(a, c, acFromA, acFromA + acFromC), 3};
  }
  return {p - n * (dot(n, pa) / squaredNorm(n)), 0};
}

Vec3 pseudonormal(const MeshData& mesh, std::uint32_t triangle, int region) {
  const MeshData::Triangle& t = mesh.triangles[triangle];
  if (region >= 4) return mesh.vertexNormals[t.vertex[region - 4]];
  if (region == 0) return t.normal;
  const std::uint32_t neighbor = t.neighbor[region - 1];
  return neighbor == MeshData::kNone ? t.normal : t.normal + mesh.triangles[neighbor].normal;
}

MeshNearest nearestOnMesh(const MeshData& mesh, const Vec3& p) {
  MeshNearest nearest;
  double best = std::numeric_limits<double>::infinity();
  mesh.bvh.minimize(
      best, [&](const Bounds& box) { return squaredDistance(box, p) * kBoundSlack; },
      [&](std::uint32_t t) {
        const TrianglePoint q =
            closestOnTriangle(p, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
        const double d = squaredNorm(p - q.point);
        if (d > best || (d == best && t > nearest.triangle)) return;
        best = d;
        nearest.triangle = t;
        nearest.region = q.region;
        nearest.point = q.point;
      });
  const Vec3 outward = pseudonormal(mesh, nearest.triangle, nearest.region);
  const double distance = std::sqrt(best);
  nearest.distance = dot(p - nearest.point, outward) < 0.0 ? -distance : distance;
  return nearest;
}

bool isMeshWithin(const MeshData& mesh, const Vec3& p, double distance, const Vec3* viewer,
                  std::uint32_t* last) {
  if (!(distance > 0.0)) return false;
  const double limit = distance * distance;
  const auto isNear = [&](std::uint32_t t) {
    if (viewer != nullptr && dot(mesh.triangles[t].normal, *viewer - mesh.corner(t, 0)) < 0.0) {
      return false;
    }
    const TrianglePoint q =
        closestOnTriangle(p, mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
    return squaredNorm(p - q.point) < limit;
  };
  if (last != nullptr && *last != MeshData::kNone && isNear(*last)) return true;
  double best = limit;
  bool found = false;
  mesh.bvh.minimize(
      best, [&](const Bounds& box) { return squaredDistance(box, p) * kBoundSlack; },
      [&](std::uint32_t t) {
        if (found || !isNear(t)) return;
        found = true;
        best = -1.0;  // Ends the search: no lower bound is below it.
        if (last != nullptr) *last = t;
      });
  return found;
}

bool raycastMesh(const MeshData& mesh, const Ray& ray, RayHit& hit) {
  UnitRay r;
  if (!toUnitRay(ray, r)) return false;
  const Vec3 &o = r.origin, &d = r.direction;
  const double pad = kRayPad * (norm(o) + mesh.radius);
  double best = r.maxDistance;
  std::uint32_t found = MeshData::kNone;
  mesh.bvh.minimize(
      best, [&](const Bounds& box) { return rayEntry(box, o, d, pad, best); },
      [&](std::uint32_t t) {
        const Vec3 a = mesh.corner(t, 0) - o, b = mesh.corner(t, 1) - o, c = mesh.corner(t, 2) - o;
        // Volumes of the tetrahedra (o, o + d, edge). Exchanging an edge's ends negates them
        // exactly, so a ray through a common edge cannot slip between two triangles.
        const double u = dot(d, cross(a, b)), v = dot(d, cross(b, c)), w = dot(d, cross(c, a));
        const bool front = u >= 0.0 && v >= 0.0 && w >= 0.0;
        const bool back = u <= 0.0 && v <= 0.0 && w <= 0.0;
        if (front == back) return;  // Outside, or in the triangle's own plane.
        const Vec3 n = mesh.triangles[t].normal;
        const double slope = dot(n, d);
        if (slope == 0.0) return;
        const double distance = dot(n, a) / slope;
        if (!(distance >= 0.0) || distance > best || (distance == best && t > found)) return;
        best = distance;
        found = t;
      });
  if (found == MeshData::kNone) return false;
  const Vec3 n = mesh.triangles[found].normal;
  if (!writeHit(r, best, o + d * best, dot(n, d) > 0.0 ? -n : n, hit)) return false;
  hit.subShape = found;
  return true;
}

Aabb meshAabb(const MeshData& mesh) {
  const Bounds& box = mesh.bvh.getBounds();
  return {toEigen(box.min), toEigen(box.max)};
}

}  // namespace abut::inline v0_1
