// SPDX-License-Identifier: MIT
#include <limits>

#include "narrow_phase/convex/convex_gap.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "shapes/compound_data.hpp"

// Solids made of convex bodies. A closed convex mesh is its hull: apart and overlapping, the gap,
// normal and points are those of the convex pair, and only the features get the mesh's names. A
// closed mesh with valleys is its pieces; what they say of one contact is welded (weld/).

namespace abut::inline v0_1 {
namespace {

ConvexCore hullCore(const HullData& hull) {
  ConvexCore core;
  core.kind = ConvexCore::Kind::Hull;
  core.hull = &hull;
  return core;
}

std::size_t numBodies(const Shape& shape) {
  const std::size_t count = piecesOf(shape).size();
  return count == 0 ? 1 : count;
}

Bounds boxOf(const Shape& shape, const ConvexCore& core, std::size_t piece) {
  const std::span<const MeshPiece> pieces = piecesOf(shape);
  return pieces.empty() ? boundsOf(core, {}) : pieces[piece].box;
}

/// Box of a box under a pose.
Bounds boxUnder(const Pose& pose, const Mat3& spread, const Bounds& box) {
  const Vec3 middle = apply(pose, (box.min + box.max) * 0.5);
  const Vec3 half = spread * ((box.max - box.min) * 0.5);
  return {middle - half, middle + half};
}

/// Calls visit(body1, body2, lower bound of their gap) for every pair.
template <typename Visit>
void forEachPair(const PairQuery& query, Visit visit) {
  const std::size_t count1 = numBodies(query.shape1), count2 = numBodies(query.shape2);
  if (count1 == 1 && count2 == 1) {
    visit(bodyOf(query.shape1), bodyOf(query.shape2), 0.0);
    return;
  }
  const Pose to1 = relative(query.pose1, query.pose2);
  const Mat3 spread = absOf(to1.rotation);
  const double slack =
      4.0 * kTouchTolerance * (query.shape1.boundingRadius() + query.shape2.boundingRadius());
  for (std::size_t k = 0; k < count2; ++k) {
    const SolidBody body2 = bodyOf(query.shape2, k);
    const Bounds box2 = boxUnder(to1, spread, boxOf(query.shape2, body2.core, k));
    for (std::size_t i = 0; i < count1; ++i) {
      const SolidBody body1 = bodyOf(query.shape1, i);
      visit(body1, body2, distanceOf(boxOf(query.shape1, body1.core, i), box2) - slack);
    }
  }
}

}  // namespace

const MeshHull* hullOf(const Shape& shape) {
  return shape.getType() == ShapeType::Mesh
             ? static_cast<const MeshShape&>(shape).getMesh().hull.get()
             : nullptr;
}

std::span<const MeshPiece> piecesOf(const Shape& shape) {
  if (shape.getType() != ShapeType::Mesh) return {};
  return static_cast<const MeshShape&>(shape).getMesh().pieces;
}

SolidBody bodyOf(const Shape& shape, std::size_t piece) {
  if (const MeshHull* hull = hullOf(shape)) return {hullCore(hull->hull), hull, 0};
  const std::span<const MeshPiece> pieces = piecesOf(shape);
  if (pieces.empty()) return {coreOf(shape), nullptr, 0};
  const MeshHull& solid = pieces[piece].solid;
  return {hullCore(solid.hull), &solid,
          static_cast<std::uint32_t>(meshOf(shape)->triangles.size() + piece)};
}

bool findBody(const Shape& shape, std::uint32_t part, SolidBody& result) {
  if (isOneBody(shape)) {
    result = bodyOf(shape);
    return true;
  }
  const std::span<const MeshPiece> pieces = piecesOf(shape);
  if (pieces.empty() || part < meshOf(shape)->triangles.size()) return false;
  result = bodyOf(shape, part - meshOf(shape)->triangles.size());
  return true;
}

std::uint64_t shownPart(const Shape& shape, std::uint64_t part) {
  if (shape.getType() == ShapeType::Compound) {
    const CompoundData& compound = static_cast<const CompoundShape&>(shape).getCompound();
    const std::uint64_t child = part >> 32u;
    return (child << 32u) |
           shownPart(*compound.children[static_cast<std::size_t>(child)].shape, part & 0xffffffffu);
  }
  const std::span<const MeshPiece> pieces = piecesOf(shape);
  if (pieces.empty() || part < meshOf(shape)->triangles.size()) return part;
  return pieces[static_cast<std::size_t>(part) - meshOf(shape)->triangles.size()].triangle;
}

void collideSolids(const PairQuery& query, ManifoldSink& sink) {
  forEachPair(query, [&](const SolidBody& body1, const SolidBody& body2, double bound) {
    if (bound > query.margin) return;
    PairGap gap;
    convexGap(body1.core, query.pose1, body2.core, query.pose2, gap, query.margin);
    if (gap.gap > query.margin && gap.status != QueryStatus::Touching) return;
    if (!query.enableContact) {
      sink.markCollision();
      return;
    }
    PairManifold m;
    convexManifold(body1.core, query.pose1, body2.core, query.pose2, gap, query.margin, m);
    m.subShape1 = body1.part;
    m.subShape2 = body2.part;
    for (int i = 0; i < m.count; ++i) {
      m.points[i].feature1 = body1.toShape(m.points[i].feature1);
      m.points[i].feature2 = body2.toShape(m.points[i].feature2);
    }
    sink.add(m);
  });
}

void gapSolids(const PairQuery& query, PairGap& result) {
  double best = std::numeric_limits<double>::infinity();
  forEachPair(query, [&](const SolidBody& body1, const SolidBody& body2, double bound) {
    if (bound > best) return;
    PairGap gap;
    convexGap(body1.core, query.pose1, body2.core, query.pose2, gap);
    if (gap.gap >= best) return;
    best = gap.gap;
    result = gap;
    result.feature1 = body1.toShape(gap.feature1);
    result.feature2 = body2.toShape(gap.feature2);
    result.subShape1 = shownPart(query.shape1, body1.part);
    result.subShape2 = shownPart(query.shape2, body2.part);
  });
}

}  // namespace abut::inline v0_1
