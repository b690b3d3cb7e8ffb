// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/way_out.hpp"

#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/mesh/composite.hpp"

namespace abut::inline v0_1 {
namespace {

/// Of more ways out than this an even choice is tried: fine meshes have many alike.
constexpr std::size_t kMaxWays = 64;

}  // namespace

void gapToTriangle(const BodyOverMesh& body, std::uint32_t t, PairGap& gap) {
  const Vec3 a = body.corner(t, 0), b = body.corner(t, 1), c = body.corner(t, 2);
  if (body.core.kind != ConvexCore::Kind::Point) {
    convexGap(body.core, {body.rotation, {}}, triangleCore(a, b, c), {}, gap);
    gap.status = statusOfGap(gap.gap, body.size);
    return;
  }
  const TrianglePoint q = closestOnTriangle({}, a, b, c);
  const double distance = norm(q.point);
  const double r = body.core.radius;
  // A centre on the surface itself has no direction of its own.
  const bool known = distance > kTouchTolerance * body.size;
  gap.normal =
      known ? q.point * (-1.0 / distance) : normalized(pseudonormal(body.mesh, t, q.region));
  gap.gap = known ? distance - r : -r;
  gap.p1 = gap.normal * -r;
  gap.p2 = gap.p1 - gap.normal * gap.gap;
  const auto region = static_cast<std::uint32_t>(q.region);
  gap.feature1 = {Feature::Kind::Vertex, 0};
  gap.feature2 = {Feature::Kind::Face, 0};
  if (region >= 4) gap.feature2 = {Feature::Kind::Vertex, region - 4};
  if (region >= 1 && region <= 3) gap.feature2 = {Feature::Kind::Edge, region - 1};
  gap.status = statusOfGap(gap.gap, body.size);
}

WayOut findWayOut(const BodyOverMesh& body, std::span<const std::uint32_t> triangles) {
  WayOut result;
  const double touch = kTouchTolerance * body.size;
  ScratchList<RawGap> raw;
  std::uint32_t lastPatch = MeshData::kNone;
  for (const std::uint32_t t : triangles) {
    const Vec3 n = body.mesh.triangles[t].normal, a = body.corner(t, 0);
    if (dot(n, body.farthest(-n) - a) > touch || dot(n, body.farthest(n) - a) < -touch) continue;
    PairGap gap;
    gapToTriangle(body, t, gap);
    if (gap.gap > touch) continue;
    const bool front = !body.hasInside || dot(gap.normal, n) >= 0.0;
    raw.push({t, front ? gap.normal : n, gap.feature1, gap.feature2});
    const std::uint32_t patch = body.mesh.triangles[t].patch;
    if (patch == lastPatch || dot(n, body.center - a) < 0.0) continue;
    lastPatch = patch;
    raw.push({t, n, {}, {Feature::Kind::Face, 0}});
  }
  const Bounds own = grown(boundsOf(body.core, {}), touch);
  ScratchList<Vec3> inside;
  std::uint32_t last = MeshData::kNone;
  const std::span<const RawGap> ways = raw.items();
  for (const RawGap& r : ways) {
    if (r.triangle != last) pushWithin(body, r.triangle, own, inside);
    last = r.triangle;
  }
  const std::size_t stride = ways.size() / kMaxWays + 1;
  for (std::size_t i = 0; i < ways.size(); i += stride) {
    const RawGap& r = ways[i];
    const double bottom = dot(r.normal, body.farthest(-r.normal));
    double top = bottom;
    for (const Vec3& p : inside.items()) top = maxOf(top, dot(r.normal, p));
    // No point of the body itself is higher than this.
    top = minOf(top, dot(r.normal, body.farthest(r.normal)));
    if (top - bottom >= result.depth) continue;
    result.depth = top - bottom;
    result.gap = r;
  }
  result.isKnown = true;
  return result;
}

}  // namespace abut::inline v0_1
