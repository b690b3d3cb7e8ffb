// SPDX-License-Identifier: MIT
#include "narrow_phase/weld/weld.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <abut/shapes/point_cloud_shape.hpp>

#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "narrow_phase/tolerances.hpp"
#include "narrow_phase/weld/weld_outline.hpp"
#include "narrow_phase/weld/weld_seam.hpp"
#include "shapes/compound_data.hpp"
#include "shapes/convex_core.hpp"
#include "shapes/mesh_data.hpp"
#include "shapes/point_cloud_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// Normals of one plane, computed in different ways, differ by rounding; sine of the angle.
constexpr double kSameNormal = 1e-11;
/// Planes within this times the size of the pair are one plane.
constexpr double kSamePlane = 1e-11;
/// Slack, times the size, of a first look at where a contact is.
constexpr double kSamePlace = 1e-6;
/// Points closer than this times the size are one point.
constexpr double kSamePoint = 1e-10;

double patchSupport(const MeshData& mesh, std::uint32_t triangle, const Vec3& n) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const std::uint32_t v : mesh.cornersOfPatch(mesh.triangles[triangle].patch)) {
    largest = maxOf(largest, dot(n, mesh.vertices[v]));
  }
  return largest;
}

/// Scale of a pair's coordinates [m].
double sizeOf(const PairQuery& query) {
  const double r1 = query.shape1.boundingRadius(), r2 = query.shape2.boundingRadius();
  return (isFinite(r1) ? r1 : 0.0) + (isFinite(r2) ? r2 : 0.0);
}

/// Plane of object 2's surface at the deepest point: n . x = offset.
double planeOf(const PartManifold& m) {
  // position is amid the witness points, p2 = position + depth/2 n.
  return dot(m.normal, m.points[0].position) + 0.5 * m.points[0].depth;
}

auto keyOf(const PartManifold& m) {
  return std::tuple(m.subShape1, m.subShape2, m.normal.x, m.normal.y, m.normal.z, m.points[0].depth,
                    m.points[0].position.x, m.points[0].position.y, m.points[0].position.z);
}

bool isSame(const PairPoint& a, const PairPoint& b, double tolerance) {
  if (a.feature1 == b.feature1 && a.feature2 == b.feature2 &&
      norm(a.position - b.position) <= 1e3 * tolerance) {
    return true;
  }
  return norm(a.position - b.position) <= tolerance;
}

/// Adds the points of `from` that `into` has not; makes room by reduction.
void mergePoints(const PartManifold& from, double tolerance, PairManifold& into) {
  for (int i = 0; i < from.count; ++i) {
    bool known = false;
    for (int k = 0; k < into.count && !known; ++k) {
      known = isSame(from.points[i], into.points[k], tolerance);
    }
    if (known) continue;
    if (into.count == PairManifold::kMaxPoints) reduceManifold(into);
    into.points[into.count++] = from.points[i];
  }
}

/// Finds contacts that may be flush with one: by a number that is nearly the same for those of one
/// plane and differs where normals or planes do.
class FlushIndex {
public:
  FlushIndex(std::span<const PartManifold> all, double size) : count_(all.size()) {
    if (count_ < kFew || !(size > 0.0)) return;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Vec3& n = all[i].normal;
      const double mark = 0.61 * n.x + 0.53 * n.y + 0.59 * n.z + 0.37 * (planeOf(all[i]) / size);
      marks_.push(mark);
      sorted_.push({mark, i});
    }
    std::sort(sorted_.items().begin(), sorted_.items().end());
  }
  /// Calls visit(k) for a superset of those flush with i that come after it, ascending.
  template <typename Visit>
  void forLater(std::uint32_t i, Visit visit) {
    if (sorted_.size() == 0) {
      for (std::uint32_t k = i + 1; k < count_; ++k) visit(k);
      return;
    }
    // More than tolerances of normal and plane make of the sum, with what rounding adds.
    constexpr double kReach = 4.0 * (kSameNormal + kSamePlane);
    const std::span<const Entry> all = sorted_.items();
    const double mark = marks_.items()[i];
    near_.resize(0);
    for (auto at = std::lower_bound(all.begin(), all.end(), Entry{mark - kReach, 0});
         at != all.end() && at->first <= mark + kReach; ++at) {
      if (at->second > i) near_.push(at->second);
    }
    std::sort(near_.items().begin(), near_.items().end());
    const std::size_t count = near_.size();  // What is visited may move the list.
    for (std::size_t k = 0; k < count; ++k) visit(near_.items()[k]);
  }

private:
  using Entry = std::pair<double, std::uint32_t>;
  static constexpr std::size_t kFew = 100;  ///< So many are looked through sooner.

  std::size_t count_;
  ScratchList<double> marks_;
  ScratchList<Entry> sorted_;
  ScratchList<std::uint32_t> near_;
};

}  // namespace

double partSupport(const Shape& shape, const Pose& pose, std::uint64_t subShape, const Vec3& n) {
  const double base = dot(n, pose.translation);
  const Vec3 local = transposeTimes(pose.rotation, n);
  const auto part = static_cast<std::uint32_t>(subShape);
  SolidBody body;
  if (findBody(shape, part, body)) {
    return base + dot(local, support(body.core, local)) + body.core.radius;
  }
  if (const MeshData* mesh = meshOf(shape)) return base + patchSupport(*mesh, part, local);
  if (shape.getType() == ShapeType::PointCloud) {
    const PointCloudData& cloud = static_cast<const PointCloudShape&>(shape).getCloud();
    return base + dot(local, cloud.points[part]) + cloud.radius;
  }
  if (shape.getType() == ShapeType::Compound) {
    const CompoundData& compound = static_cast<const CompoundShape&>(shape).getCompound();
    const CompoundShape::Child& child = compound.children[subShape >> 32u];
    return partSupport(*child.shape, compose(pose, child.pose), part, n);
  }
  return std::numeric_limits<double>::infinity();
}

void ContactSet::take(PairManifold& m) {
  if (m.count > static_cast<int>(ContactManifold::kMaxContacts)) {
    keepOutline(m, kSamePoint * sizeOf(query_));
  }
  reduceManifold(m);
  PartManifold part;
  part.normal = m.normal;
  part.type = m.type;
  part.status = m.status;
  part.subShape1 = m.subShape1;
  part.subShape2 = m.subShape2;
  part.count = m.count;
  part.dropped = false;
  for (int i = 0; i < m.count; ++i) part.points[i] = m.points[i];
  manifolds_.push(part);
}

bool ContactSet::settles(const PartManifold& by, const PartManifold& contact) const {
  const double tolerance = kSamePlane * sizeOf(query_);
  const double plane2 = planeOf(by), plane1 = plane2 - by.points[0].depth;
  const Vec3& n = by.normal;
  // The contact's own place first: it costs nothing.
  const double middle = dot(n, contact.points[0].position);
  const double slack = kSamePlace * sizeOf(query_) + absOf(contact.points[0].depth);
  if (middle > plane2 + slack || middle < plane1 - slack) return false;
  if (partSupport(query_.shape2, query_.pose2, contact.subShape2, n) > plane2 + tolerance) {
    return false;
  }
  return -partSupport(query_.shape1, query_.pose1, contact.subShape1, -n) >= plane1 - tolerance;
}

void ContactSet::bridgeSeams() {
  const double tolerance = kSamePlane * sizeOf(query_);
  const std::size_t count = manifolds_.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = i + 1; k < count; ++k) {
      const PartManifold a = manifolds_.items()[i], b = manifolds_.items()[k];
      if (a.dropped || b.dropped) continue;
      if (norm(cross(a.normal, b.normal)) <= kSameNormal) continue;
      PairManifold bridge;
      if (!bridgeSeam(query_, a, b, tolerance, bridge)) continue;
      take(bridge);
      manifolds_.items()[i].dropped = manifolds_.items()[k].dropped = true;
    }
  }
}

/// In the order of depth: moving by the settling contact's depth parts the settled one, so that is
/// never deeper but for rounding. What is dropped settles nothing, so something always stays.
void ContactSet::dropSettled() {
  const std::span<PartManifold> all = manifolds_.items();
  for (PartManifold& contact : all) {
    if (contact.dropped) continue;
    for (const PartManifold& by : all) {
      if (by.dropped || &by == &contact || norm(cross(by.normal, contact.normal)) <= kSameNormal)
        continue;
      if (!settles(by, contact) || settles(contact, by)) continue;
      contact.dropped = true;
      break;
    }
  }
}

void ContactSet::mergeFlush() {
  const std::span<PartManifold> all = manifolds_.items();
  const double size = sizeOf(query_);
  FlushIndex index(all, size);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].dropped) continue;
    PairManifold merged;
    bool any = false;
    double deepest = all[i].points[0].depth;
    index.forLater(static_cast<std::uint32_t>(i), [&](std::uint32_t k) {
      if (all[k].dropped || dot(all[i].normal, all[k].normal) <= 0.0) return;
      if (norm(cross(all[i].normal, all[k].normal)) > kSameNormal) return;
      if (absOf(planeOf(all[i]) - planeOf(all[k])) > kSamePlane * size) return;
      if (!any) {
        merged.normal = all[i].normal;
        mergePoints(all[i], kSamePoint * size, merged);
        any = true;
      }
      mergePoints(all[k], kSamePoint * size, merged);
      if (all[k].points[0].depth > deepest) {
        deepest = all[k].points[0].depth;
        all[i].status = all[k].status;
      }
      all[k].dropped = true;
    });
    if (!any) continue;
    keepOutline(merged, kSamePoint * size);
    reduceManifold(merged);
    all[i].count = merged.count;
    for (int p = 0; p < merged.count; ++p) all[i].points[p] = merged.points[p];
    all[i].type = typeOfSpread(merged, kSamePoint * size);
  }
}

void ContactSet::removeDropped() {
  const std::span<PartManifold> all = manifolds_.items();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].dropped) all[kept++] = all[i];
  }
  manifolds_.resize(kept);
}

void ContactSet::weld() {
  if (manifolds_.size() < 2) return;
  const bool isCompound = query_.shape1.getType() == ShapeType::Compound ||
                          query_.shape2.getType() == ShapeType::Compound;
  // A convex body on one mesh has been sorted out by patches already.
  const bool mesh1 = meshOf(query_.shape1) != nullptr, mesh2 = meshOf(query_.shape2) != nullptr;
  if (!((isOneBody(query_.shape1) && mesh2) || (mesh1 && isOneBody(query_.shape2)))) {
    sort(true);
    dropSettled();
  }
  if (isCompound && manifolds_.size() > 1) {
    sort(false);
    bridgeSeams();
    sort(true);
    dropSettled();
  }
  sort(false);
  mergeFlush();
  removeDropped();
}

void ContactSet::sort(bool deepestFirst) {
  removeDropped();
  const std::span<PartManifold> all = manifolds_.items();
  std::sort(all.begin(), all.end(), [&](const PartManifold& a, const PartManifold& b) {
    if (deepestFirst && a.points[0].depth != b.points[0].depth) {
      return a.points[0].depth > b.points[0].depth;
    }
    return keyOf(a) < keyOf(b);
  });
}

void ContactSet::emit(ManifoldSink& sink) {
  if (collision_) sink.markCollision();
  for (const PartManifold& part : manifolds_.items()) {
    PairManifold m;
    m.normal = part.normal;
    m.type = part.type;
    m.status = part.status;
    m.subShape1 = shownPart(query_.shape1, part.subShape1);
    m.subShape2 = shownPart(query_.shape2, part.subShape2);
    m.count = part.count;
    for (int i = 0; i < part.count; ++i) m.points[i] = part.points[i];
    sink.add(m);
  }
}

bool ContactSet::deepest(PairGap& result) {
  const PartManifold* best = nullptr;
  for (const PartManifold& part : manifolds_.items()) {
    if (best == nullptr || part.points[0].depth > best->points[0].depth) best = &part;
  }
  if (best == nullptr) return false;
  const PairPoint& p = best->points[0];
  result.gap = -p.depth;
  result.normal = best->normal;
  result.p1 = p.position - best->normal * (0.5 * p.depth);
  result.p2 = p.position + best->normal * (0.5 * p.depth);
  result.feature1 = p.feature1;
  result.feature2 = p.feature2;
  result.subShape1 = shownPart(query_.shape1, best->subShape1);
  result.subShape2 = shownPart(query_.shape2, best->subShape2);
  result.status = best->status;
  return true;
}

}  // namespace abut::inline v0_1
