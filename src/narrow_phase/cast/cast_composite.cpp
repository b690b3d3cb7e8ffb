// SPDX-License-Identifier: MIT
#include "narrow_phase/cast/cast_composite.hpp"

#include <abut/shapes/compound_shape.hpp>

#include "narrow_phase/cast/sweep.hpp"
#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "narrow_phase/dispatch/pair_table.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "shapes/compound_data.hpp"
#include "shapes/mesh_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// Turn within one stretch of the motion [rad]: boxes are swept along straight lines, which a
/// larger turn would make too wide to tell anything apart.
constexpr double kTurnPerStretch = 0.5;
constexpr double kMaxStretches = 256.0;

/// The first impact so far. Nothing later than `limit` matters.
struct Search {
  const MovingPair& pair;
  double begin, limit;   ///< The stretch that is searched, cut off at the first hit.
  double radius1 = 0.0;  ///< Of object 1 about its origin [m].
  Impact first;
  double undecided =
      2.0;  ///< Smallest fraction up to which an undecided part is known to be apart.
};

/// Calls visit(leaf) for the leaves of a shape, nearest boxes first; lower(bounds) as for
/// Bvh::minimize, in the object's frame.
template <typename Lower, typename Visit>
void forEachLeaf(const Shape& shape, const double& limit, Lower lower, Visit visit) {
  if (shape.getType() != ShapeType::Compound) {
    visit(leafOf(shape, {}, 0));
    return;
  }
  const CompoundData& compound = static_cast<const CompoundShape&>(shape).getCompound();
  compound.bvh.minimize(limit, lower, [&](std::uint32_t i) {
    const CompoundShape::Child& child = compound.children[i];
    visit(leafOf(*child.shape, child.pose, static_cast<std::uint64_t>(i) << 32));
  });
}

/// Features of triangles and hulls have numbers of their own; in results they are the mesh's.
void numberInMesh(const Leaf& leaf, std::uint64_t subShape, Feature& feature) {
  if (leaf.hull != nullptr) feature = leaf.hull->toMesh(feature);
  if (leaf.mesh == nullptr) return;
  const auto item = static_cast<std::uint32_t>(subShape);
  const MeshData::Triangle& triangle = leaf.mesh->triangles[item];
  if (feature.kind == Feature::Kind::Vertex) feature.index = triangle.vertex[feature.index];
  if (feature.kind == Feature::Kind::Edge) feature.index = triangle.edge[feature.index];
  if (feature.kind == Feature::Kind::Face) feature.index = faceOf(*leaf.mesh, item);
}

void castItems(Search& search, const Leaf& leaf1, std::uint32_t item1, const Leaf& leaf2,
               std::uint32_t item2, double entry) {
  Impact impact;
  impact.iterations = search.first.iterations;
  castParts(search.pair, partOf(leaf1, item1), partOf(leaf2, item2), entry, search.limit, impact);
  search.first.iterations = impact.iterations;
  if (impact.undecided) search.undecided = minOf(search.undecided, impact.fraction);
  if (!impact.hit) return;
  const PairGap &gap = impact.gap, &best = search.first.gap;
  const bool tie = search.first.hit && impact.fraction == search.first.fraction;
  if (tie && (best.subShape1 != gap.subShape1 ? best.subShape1 < gap.subShape1
                                              : best.subShape2 <= gap.subShape2)) {
    return;
  }
  search.first = impact;
  search.limit = impact.fraction;
  numberInMesh(leaf1, gap.subShape1, search.first.gap.feature1);
  numberInMesh(leaf2, gap.subShape2, search.first.gap.feature2);
}

/// Part `item1` of leaf 1 against all of leaf 2.
void castAtLeaf(Search& search, const FrameSweep& sweep, const Leaf& leaf1, std::uint32_t item1,
                const Leaf& leaf2) {
  const BoxSweep box(sweep, boundsOf(leaf1, item1));
  if (leaf2.shape->getType() == ShapeType::Plane) {
    const MovingPart plane = partOf(leaf2, 0);
    const double entry = box.earliest(plane.planeNormal, plane.planeOffset, search.limit);
    if (entry <= search.limit) castItems(search, leaf1, item1, leaf2, 0, entry);
    return;
  }
  const MovingPart part1 = partOf(leaf1, item1);
  const auto cast = [&](std::uint32_t item2) {
    double entry = box.earliest(boundsOf(leaf2, item2), search.limit);
    if (entry > search.limit) return;
    if (leaf2.mesh != nullptr && leaf1.cloud == nullptr) {
      const Vec3& normal = leaf2.mesh->triangles[item2].normal;
      const double offset = dot(normal, leaf2.mesh->corner(item2, 0));
      entry = maxOf(entry, earliestAtSheet(sweep, part1.core, normal, offset, search.limit));
    }
    if (entry <= search.limit) castItems(search, leaf1, item1, leaf2, item2, entry);
  };
  if (leaf2.bvh == nullptr) {
    cast(0);
  } else {
    leaf2.bvh->minimize(
        search.limit, [&](const Bounds& b) { return box.earliest(b, search.limit); }, cast);
  }
}

/// No part of a box of leaf 1 reaches leaf 2 before this fraction.
double earliestAtLeaf(const Search& search, const FrameSweep& sweep, const Bounds& bounds1,
                      const Leaf& leaf2) {
  const BoxSweep box(sweep, bounds1);
  if (leaf2.shape->getType() != ShapeType::Plane) {
    return box.earliest(leaf2.bounds, search.limit);
  }
  const MovingPart plane = partOf(leaf2, 0);
  return box.earliest(plane.planeNormal, plane.planeOffset, search.limit);
}

void castLeaves(Search& search, const Leaf& leaf1, const Leaf& leaf2) {
  const FrameSweep sweep =
      sweepOf(search.pair, leaf1.local, leaf2.local, search.radius1, search.begin, search.limit);
  if (leaf1.bvh == nullptr) {
    castAtLeaf(search, sweep, leaf1, 0, leaf2);
    return;
  }
  leaf1.bvh->minimize(
      search.limit,
      [&](const Bounds& bounds) { return earliestAtLeaf(search, sweep, bounds, leaf2); },
      [&](std::uint32_t item1) { castAtLeaf(search, sweep, leaf1, item1, leaf2); });
}

void castStretch(Search& search, const Shape& shape1, const Shape& shape2) {
  const FrameSweep objects =
      sweepOf(search.pair, {}, {}, search.radius1, search.begin, search.limit);
  const Leaf whole2 = leafOf(shape2, {}, 0);
  forEachLeaf(
      shape1, search.limit,
      [&](const Bounds& bounds1) { return earliestAtLeaf(search, objects, bounds1, whole2); },
      [&](const Leaf& leaf1) {
        const FrameSweep sweep =
            sweepOf(search.pair, leaf1.local, {}, search.radius1, search.begin, search.limit);
        const BoxSweep box(sweep, leaf1.bounds);
        forEachLeaf(
            shape2, search.limit,
            [&](const Bounds& bounds2) { return box.earliest(bounds2, search.limit); },
            [&](const Leaf& leaf2) { castLeaves(search, leaf1, leaf2); });
      });
}

/// Exchanges the objects of a cast; the frame moves with the other one then.
MovingPair mirrored(const MovingPair& pair) {
  return {pair.rotation2, pair.rotation1, pair.angular2,
          pair.angular1,  -pair.offset,   -pair.approach};
}

/// Notes that there is a contact, without looking at it.
class Witness final : public ManifoldCollector {
public:
  void take(PairManifold& manifold) override { touched = touched || manifold.count > 0; }
  void markCollision() override { touched = true; }

  bool touched = false;
};

bool overlapsAtStart(const MovingPair& pair, const Shape& shape1, const Shape& shape2,
                     Impact& impact) {
  const PairFunctions& functions = pairFunctions(shape1.getType(), shape2.getType());
  PairQuery query{shape1, shape2, {pair.rotation1, {}}, {pair.rotation2, pair.offset}, 0.0, false};
  // Yes or no is decided by boxes where the shapes are far apart; a distance is not.
  Witness witness;
  ManifoldSink sink(witness);
  functions.collide(query, sink);
  if (!witness.touched) return false;
  query.enableContact = true;
  functions.distance(query, impact.gap);
  ++impact.iterations;
  if (impact.gap.gap > 0.0 && impact.gap.status != QueryStatus::Touching) return false;
  impact.hit = true;
  impact.fraction = 0.0;
  return true;
}

/// First contact of objects that are apart at the start. Object 1 is no plane.
void castApart(const MovingPair& pair, const Shape& shape1, const Shape& shape2, Impact& impact) {
  Search search{pair, 0.0, 1.0, shape1.boundingRadius(), impact};
  const double turn = norm(pair.angular1) + norm(pair.angular2);
  const double count = std::floor(clampTo(turn / kTurnPerStretch, 0.0, kMaxStretches - 1.0)) + 1.0;
  for (double i = 0.0; i < count; i += 1.0) {
    search.begin = i / count;
    search.limit = i + 1.0 < count ? (i + 1.0) / count : 1.0;
    castStretch(search, shape1, shape2);
    if (search.first.hit || search.undecided <= search.limit) break;
  }
  impact = search.first;
  if (search.undecided < impact.fraction) {
    impact.hit = false;
    impact.undecided = true;
    impact.fraction = search.undecided;
  }
}

/// Several parts touch at once where faces meet, some at an edge or corner whose normal could be
/// anything. The distance of the whole shapes knows which edges are inside of a surface.
void takeNormalOfWhole(const MovingPair& pair, const Shape& shape1, const Shape& shape2,
                       Impact& impact) {
  const double t = impact.fraction;
  const Mat3 rotation1 = rotationAt(pair.rotation1, pair.angular1, t);
  const Mat3 rotation2 = rotationAt(pair.rotation2, pair.angular2, t);
  const PairQuery query{
      shape1, shape2, {rotation1, {}}, {rotation2, pair.offset - pair.approach * t}, 0.0, true};
  PairGap gap;
  pairFunctions(shape1.getType(), shape2.getType()).distance(query, gap);
  ++impact.iterations;
  if (gap.status == QueryStatus::Touching) impact.gap = gap;
}

}  // namespace

void castComposite(const MovingPair& pair, const Shape& shape1, const Shape& shape2,
                   Impact& impact) {
  impact = {};
  if (overlapsAtStart(pair, shape1, shape2, impact)) return;
  if (shape1.getType() != ShapeType::Plane) {
    castApart(pair, shape1, shape2, impact);
  } else {
    // Parts are cast at planes, not planes at parts.
    castApart(mirrored(pair), shape2, shape1, impact);
    if (impact.hit) {
      impact.gap = exchanged(impact.gap, pair.offset - pair.approach * impact.fraction);
    }
  }
  if (impact.hit) takeNormalOfWhole(pair, shape1, shape2, impact);
}

}  // namespace abut::inline v0_1
