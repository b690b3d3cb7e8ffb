// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/patch.hpp"

#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

struct Collector {
  const BodyOverMesh& body;
  PatchContact& contact;
  PairManifold& manifold;
  FacingFeature& facing;
  const SupportFeature& feature;
  double tolerance;
  double deepest;

  Collector(const BodyOverMesh& b, PatchContact& c, FacingFeature& f, PairManifold& m)
      : body(b), contact(c), manifold(m), facing(f), feature(f.feature) {
    supportFeature(body.core, transposeTimes(body.rotation, -contact.normal), kFlushCosine,
                   facing.feature);
    for (int i = 0; i < feature.count; ++i) {
      facing.corners[i] = body.rotation * feature.vertices[i];
      const Vec3 p1 = cornerPoint(i);
      facing.feet[i] = p1 + contact.normal * depthOf(p1);
    }
    if (feature.count > 2) facing.normal = body.rotation * feature.normal;
    tolerance = kEdgeTolerance * body.size;
    deepest = -2.0 * (body.reach() + body.size);
    contact.supportDepth = depthOf(body.farthest(-contact.normal));
  }

  /// The body's surface at a corner of its core, towards the patch.
  [[nodiscard]] Vec3 cornerPoint(int i) const {
    return facing.corners[i] - contact.normal * body.core.radius;
  }

  /// Depth along the contact normal of a point of the body below the patch's plane.
  [[nodiscard]] double depthOf(const Vec3& p1) const {
    return -dot(contact.facing, p1 - contact.point) / dot(contact.facing, contact.normal);
  }

  [[nodiscard]] bool isKnown(Feature f1, Feature f2) const {
    for (int i = 0; i < manifold.count; ++i) {
      if (manifold.points[i].feature1 == f1 && manifold.points[i].feature2 == f2) return true;
    }
    return false;
  }

  /// A point of the body's surface that lies over the patch.
  void add(const Vec3& p1, Feature f1, Feature f2) {
    double depth = depthOf(p1);
    if (absOf(depth - contact.supportDepth) <= kSameDepth * body.size) {
      depth = contact.supportDepth;
      contact.anchored = true;
    }
    if (depth < -body.reach() || isKnown(f1, f2)) return;
    if (manifold.count == PairManifold::kMaxPoints) reduceManifold(manifold);
    deepest = maxOf(deepest, depth);
    manifold.add(p1 + contact.normal * (0.5 * depth), depth, f1, f2);
  }

  /// The point of the body's face on the line along the normal through q.
  [[nodiscard]] Vec3 onFace(const Vec3& q) const {
    const double s = dot(facing.normal, facing.corners[0] - q) / dot(facing.normal, contact.normal);
    return q + contact.normal * s;
  }
};

/// One triangle of the patch with its outline in the working frame.
struct Outline {
  const BodyOverMesh& body;
  std::uint32_t index;
  const MeshData::Triangle& triangle;
  EdgeKind valley;  // The kind of edge that is a valley seen from the body's side.
  Vec3 corner[3];
  Vec3 outward[3];  // Unit, in the plane, away from the triangle at the edge from corner k to k+1.

  Outline(const BodyOverMesh& b, std::uint32_t t, const Vec3& facing)
      : body(b), index(t), triangle(b.mesh.triangles[t]) {
    for (int k = 0; k < 3; ++k) corner[k] = body.corner(t, k);
    const bool front = dot(facing, triangle.normal) > 0.0;
    valley = front ? EdgeKind::Concave : EdgeKind::Convex;
    for (int k = 0; k < 3; ++k) {
      const Vec3 side = normalized(cross(corner[(k + 1) % 3] - corner[k], facing));
      outward[k] = front ? side : -side;
    }
  }

  /// True if a point lies over the triangle, or beyond a valley's edge and below the surface where
  /// neither side of the valley is under it: there the contact belongs to both sides.
  [[nodiscard]] bool contains(const Vec3& p, double depth, double tolerance) const {
    for (int k = 0; k < 3; ++k) {
      const Vec3 from = p - corner[k];
      if (dot(outward[k], from) <= tolerance) continue;
      if (triangle.kind[k] != valley || depth <= 0.0) return false;
      const Vec3 edge = corner[(k + 1) % 3] - corner[k];
      const Vec3 otherNormal = body.mesh.triangles[triangle.neighbor[k]].normal;
      // Away from the neighbour at the common edge, in the neighbour's plane.
      if (dot(cross(otherNormal, edge), from) < 0.0) return false;
    }
    return true;
  }
};

/// True if a triangle has nothing of the patch's outline.
bool isPlainInside(const MeshData& mesh, std::uint32_t t) {
  const MeshData::Triangle& triangle = mesh.triangles[t];
  for (int k = 0; k < 3; ++k) {
    if (triangle.kind[k] != EdgeKind::Flat) return false;
    if (mesh.vertexKinds[triangle.vertex[k]] == VertexKind::Corner) return false;
  }
  return true;
}

/// False if no corner of the body is over the triangle, by boxes.
bool mayHoldFoot(const Collector& out, std::uint32_t t) {
  const Vec3 a = out.body.corner(t, 0), b = out.body.corner(t, 1), c = out.body.corner(t, 2);
  const Bounds box = grown({minOf(minOf(a, b), c), maxOf(maxOf(a, b), c)}, 2.0 * out.tolerance);
  for (int i = 0; i < out.feature.count; ++i) {
    if (overlaps(box, {out.facing.feet[i], out.facing.feet[i]})) return true;
  }
  return false;
}

void addBodyCorners(const Outline& outline, Collector& out) {
  const Feature face{
      Feature::Kind::Face,
      out.body.mesh.patchTriangles[out.body.mesh.patches[outline.triangle.patch].first]};
  for (int i = 0; i < out.feature.count; ++i) {
    const Vec3 p1 = out.cornerPoint(i);
    if (!outline.contains(p1, out.depthOf(p1), out.tolerance)) continue;
    out.add(p1, {Feature::Kind::Vertex, out.feature.vertexIds[i]}, face);
  }
}

/// Crossings of an outline edge with the edges of the body's feature, seen along the normal.
void addCrossings(const Outline& outline, int k, Collector& out) {
  const Vec3 &e0 = outline.corner[k], &e1 = outline.corner[(k + 1) % 3], &n = out.contact.normal;
  const Vec3 along = e1 - e0;
  const Feature edge{Feature::Kind::Edge, outline.triangle.edge[k]};
  const int count = out.feature.count;
  for (int i = 0; i < (count == 2 ? 1 : count); ++i) {
    const Vec3 &v0 = out.facing.corners[i], &v1 = out.facing.corners[(i + 1) % count];
    const double b0 = dot(n, cross(along, v0 - e0)), b1 = dot(n, cross(along, v1 - e0));
    if ((b0 < 0.0) == (b1 < 0.0)) continue;
    const Vec3 w = v1 - v0;
    const double a0 = dot(n, cross(w, e0 - v0)), a1 = dot(n, cross(w, e1 - v0));
    if ((a0 < 0.0) == (a1 < 0.0)) continue;
    const Vec3 p1 = (v0 + w * (b0 / (b0 - b1))) - n * out.body.core.radius;
    out.add(p1, {Feature::Kind::Edge, out.feature.edgeIds[i]}, edge);
  }
}

/// Crossings of an outline edge with the rim of a cap.
void addRimCrossings(const Outline& outline, int k, Collector& out) {
  const Vec3 center = out.body.rotation * out.feature.discCenter;
  const Vec3 &n = out.contact.normal, &e0 = outline.corner[k];
  // Seen along the normal the rim is a circle within 1 - cos(1 degree).
  const auto flat = [&](const Vec3& v) { return v - n * dot(n, v); };
  const Vec3 along = flat(outline.corner[(k + 1) % 3] - e0), from = flat(e0 - center);
  const double a = squaredNorm(along), b = dot(along, from);
  const double c = squaredNorm(from) - out.feature.discRadius * out.feature.discRadius;
  const double root = b * b - a * c;
  if (!(root > 0.0)) return;
  const double s = std::sqrt(root);
  for (int side = 0; side < 2; ++side) {
    const double t = ((side == 0 ? -s : s) - b) / a;
    if (t < 0.0 || t > 1.0) continue;
    const Vec3 q = e0 + (outline.corner[(k + 1) % 3] - e0) * t;
    // The rim's two crossings with one edge are told apart by the side of entry and exit.
    const Feature rim{Feature::Kind::Edge, 2 * out.feature.feature.index + (side == 0 ? 0u : 1u)};
    out.add(out.onFace(q), rim, {Feature::Kind::Edge, outline.triangle.edge[k]});
  }
}

bool isUnderFace(const Collector& out, const Vec3& q) {
  const Vec3& n = out.contact.normal;
  if (out.feature.isDisc) {
    const Vec3 from = out.onFace(q) - out.body.rotation * out.feature.discCenter;
    return norm(from) <= out.feature.discRadius + out.tolerance;
  }
  for (int i = 0; i < out.feature.count; ++i) {
    const Vec3 edge = out.facing.corners[(i + 1) % out.feature.count] - out.facing.corners[i];
    // Counter-clockwise seen from outside the body, that is against the normal.
    const double inside = -dot(n, cross(edge, q - out.facing.corners[i]));
    if (inside < -out.tolerance * norm(edge)) return false;
  }
  return true;
}

void addPatchCorners(const Outline& outline, Collector& out) {
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t v = outline.triangle.vertex[k];
    if (out.body.mesh.vertexKinds[v] != VertexKind::Corner) continue;
    if (!isUnderFace(out, outline.corner[k])) continue;
    out.add(out.onFace(outline.corner[k]), out.feature.feature, {Feature::Kind::Vertex, v});
  }
}

/// The body's farthest point, where none of its corners is as deep (a rim between its anchored
/// points, a bevel beside the face).
void addFarthest(std::span<const std::uint32_t> triangles, Collector& out) {
  if (out.contact.anchored) return;
  const Vec3 p1 = out.body.farthest(-out.contact.normal);
  for (const std::uint32_t t : triangles) {
    const Outline outline(out.body, t, out.contact.facing);
    if (!outline.contains(p1, out.contact.supportDepth, out.tolerance)) continue;
    const std::uint32_t face =
        out.body.mesh.patchTriangles[out.body.mesh.patches[outline.triangle.patch].first];
    out.add(p1, out.feature.feature, {Feature::Kind::Face, face});
    return;
  }
}

}  // namespace

void collectPatch(const BodyOverMesh& body, std::span<const std::uint32_t> triangles,
                  PatchContact& contact, FacingFeature& scratch, PairManifold& manifold) {
  contact.anchored = false;
  manifold.count = 0;
  manifold.normal = contact.normal;
  Collector out(body, contact, scratch, manifold);
  for (const std::uint32_t t : triangles) {
    if (isPlainInside(body.mesh, t) && !mayHoldFoot(out, t)) continue;
    const Outline outline(body, t, contact.facing);
    addBodyCorners(outline, out);
    if (out.feature.count < 2) continue;
    for (int k = 0; k < 3; ++k) {
      if (outline.triangle.kind[k] == EdgeKind::Flat) continue;
      if (out.feature.isDisc) {
        addRimCrossings(outline, k, out);
      } else {
        addCrossings(outline, k, out);
      }
    }
    if (out.feature.count > 2) addPatchCorners(outline, out);
  }
  addFarthest(triangles, out);
  manifold.status = statusOfGap(-out.deepest, body.size);
  manifold.type = ContactType::Point;
  if (manifold.count > 1) manifold.type = ContactType::Edge;
  if (manifold.count > 2 && out.feature.count > 2) manifold.type = ContactType::Face;
}

void pushWithin(const BodyOverMesh& body, std::uint32_t t, const Bounds& own,
                ScratchList<Vec3>& points) {
  constexpr int kMaxCorners = 9;  // Each of six planes adds one to three at most.
  Vec3 polygon[kMaxCorners], next[kMaxCorners];
  int count = 3;
  for (int k = 0; k < 3; ++k) polygon[k] = transposeTimes(body.rotation, body.corner(t, k));
  const auto clip = [&](auto height) {
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      const Vec3 &p = polygon[i], &q = polygon[i + 1 == count ? 0 : i + 1];
      const double hp = height(p), hq = height(q);
      if (hp >= 0.0) next[kept++] = p;
      if ((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0)) {
        next[kept++] = p + (q - p) * (hp / (hp - hq));
      }
    }
    count = kept;
    for (int i = 0; i < count; ++i) polygon[i] = next[i];
  };
  clip([&](const Vec3& p) { return p.x - own.min.x; });
  clip([&](const Vec3& p) { return own.max.x - p.x; });
  clip([&](const Vec3& p) { return p.y - own.min.y; });
  clip([&](const Vec3& p) { return own.max.y - p.y; });
  clip([&](const Vec3& p) { return p.z - own.min.z; });
  clip([&](const Vec3& p) { return own.max.z - p.z; });
  for (int i = 0; i < count; ++i) points.push(body.rotation * polygon[i]);
}

}  // namespace abut::inline v0_1
