// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/under_face.hpp"

#include <algorithm>

#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

/// Of points that come one by one, those farthest in eight directions across a normal.
class Outermost {
public:
  struct Point {
    std::uint32_t corner = MeshData::kNone, triangle = 0;
    Vec3 place;
    double depth = 0.0;
  };
  Outermost(const Vec3& normal, const Vec3& across) : u_(across), v_(cross(normal, across)) {}

  void offer(const Point& p) {
    const double x = dot(u_, p.place), y = dot(v_, p.place);
    const double along[8] = {x, x + y, y, y - x, -x, -x - y, -y, x - y};
    for (int i = 0; i < 8; ++i) {
      if (best_[i].corner != MeshData::kNone && !(along[i] > along_[i])) continue;
      along_[i] = along[i];
      best_[i] = p;
    }
  }
  /// Each point once; false if one of a lower number has it.
  bool get(int i, Point& p) const {
    p = best_[i];
    bool isNew = p.corner != MeshData::kNone;
    for (int k = 0; k < i; ++k) isNew = isNew && best_[k].corner != p.corner;
    return isNew;
  }

private:
  Vec3 u_, v_;
  Point best_[8];
  double along_[8] = {};
};

}  // namespace

std::uint32_t collectUnderFace(const BodyOverMesh& body, std::span<const std::uint32_t> triangles,
                               const Vec3& normal, double deepest, PairManifold& m) {
  const double touch = kTouchTolerance * body.size;
  const bool isCurved = body.mesh.hull == nullptr && body.mesh.pieces.empty();
  if (!body.mesh.solid || !isCurved || !(deepest > touch)) return MeshData::kNone;
  const Vec3& n = normal;
  SupportFeature face;
  supportFeature(body.core, transposeTimes(body.rotation, -n), kFlushCosine, face);
  if (face.count < 3) return MeshData::kNone;
  Vec3 rim[SupportFeature::kMaxVertices], middle{};
  for (int i = 0; i < face.count; ++i) middle += rim[i] = body.rotation * face.vertices[i];
  middle = middle / face.count;
  const auto isOverFace = [&](const Vec3& p) {
    for (int i = 0; i < face.count; ++i) {
      const Vec3 side = cross(rim[(i + 1) % face.count] - rim[i], n);
      if (dot(side, p - rim[i]) * dot(side, middle - rim[i]) < 0.0) return false;
    }
    return true;
  };
  const double height = dot(n, body.farthest(-n));
  Outermost outermost(n, normalized(rim[1] - rim[0]));
  for (const std::uint32_t t : triangles) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = body.corner(t, k);
      const double depth = dot(n, p) - height;
      if (depth > touch && depth <= deepest && isOverFace(p))
        outermost.offer({body.mesh.triangles[t].vertex[k], t, p, depth});
    }
  }
  m.normal = n;
  m.status = QueryStatus::Penetrating;
  m.type = ContactType::Face;
  std::uint32_t triangle = MeshData::kNone;
  Outermost::Point p;
  for (int i = 0; i < 8; ++i) {
    if (!outermost.get(i, p)) continue;
    triangle = std::min(triangle, p.triangle);
    m.add(p.place - n * (0.5 * p.depth), p.depth, face.feature, {Feature::Kind::Vertex, p.corner});
  }
  return triangle;
}

}  // namespace abut::inline v0_1
