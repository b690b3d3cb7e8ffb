// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include <abut/shapes/point_cloud_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "narrow_phase/dispatch/pair_table.hpp"
#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/composite.hpp"
#include "shapes/compound_data.hpp"
#include "shapes/point_cloud_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// The children of a compound, or the balls of a point cloud as children.
class Children {
public:
  explicit Children(const Shape& shape) {
    if (shape.getType() == ShapeType::Compound) {
      compound_ = &static_cast<const CompoundShape&>(shape).getCompound();
    } else {
      cloud_ = &static_cast<const PointCloudShape&>(shape).getCloud();
    }
  }

  [[nodiscard]] const Bvh& tree() const { return compound_ ? compound_->bvh : cloud_->bvh; }
  [[nodiscard]] double ballRadius() const { return cloud_ ? cloud_->radius : kMinShapeSize; }
  /// `ball` stands for every ball of a cloud.
  [[nodiscard]] const Shape& shape(std::uint32_t i, const Shape& ball) const {
    return compound_ ? *compound_->children[i].shape : ball;
  }
  [[nodiscard]] Pose pose(std::uint32_t i, const Pose& parent) const {
    if (compound_) return compose(parent, compound_->children[i].pose);
    return {parent.rotation, apply(parent, cloud_->points[i])};
  }
  /// Calls visit(i) for children that reach below the tree's boxes without end, down to a box.
  template <typename Visit>
  void forEachFieldOver(const Bounds& box, Visit visit) const {
    if (compound_ == nullptr) return;
    for (std::size_t k = 0; k < compound_->fields.size(); ++k) {
      if (overlaps(compound_->fieldBoxes[k], box)) visit(compound_->fields[k]);
    }
  }
  /// Sub-shape of the whole for a sub-shape of child i.
  [[nodiscard]] std::uint64_t subShape(std::uint32_t i, std::uint64_t part) const {
    return compound_ ? (static_cast<std::uint64_t>(i) << 32u) | part : i;
  }

private:
  const CompoundData* compound_ = nullptr;
  const PointCloudData* cloud_ = nullptr;
};

/// The query of object 1 with a child of object 2, in the order and frame of pair functions.
struct ChildPair {
  PairQuery query;
  bool swapped;
  Vec3 origin;  // Of the child's query in the parent's frame.
};

/// The result refers to the child's pose.
ChildPair childPair(const PairQuery& parent, const Shape& child, const Pose& pose) {
  const bool swapped = child.getType() < parent.shape1.getType();
  if (!swapped) {
    return {{parent.shape1,
             child,
             parent.pose1,
             {pose.rotation, pose.translation},
             parent.margin,
             parent.enableContact},
            false,
            {}};
  }
  return {{child,
           parent.shape1,
           {pose.rotation, {}},
           {parent.pose1.rotation, parent.pose1.translation - pose.translation},
           parent.margin,
           parent.enableContact},
          true,
          pose.translation};
}

/// Translates manifolds of a child's query into those of the parent's.
class ChildSink final : public ManifoldCollector {
public:
  ChildSink(const Children& children, std::uint32_t index, const ChildPair& pair,
            ManifoldSink& parent)
      : children_(children), index_(index), pair_(pair), parent_(parent) {}

  void take(PairManifold& m) override {
    if (pair_.swapped) {
      m.normal = -m.normal;
      std::swap(m.subShape1, m.subShape2);
      for (int i = 0; i < m.count; ++i) {
        m.points[i].position += pair_.origin;
        std::swap(m.points[i].feature1, m.points[i].feature2);
      }
    }
    m.subShape2 = children_.subShape(index_, m.subShape2);
    parent_.add(m);
  }
  void markCollision() override { parent_.markCollision(); }

private:
  const Children& children_;
  std::uint32_t index_;
  const ChildPair& pair_;
  ManifoldSink& parent_;
};

/// Object 1's box in the frame of object 2, widened.
Bounds boxInFrame2(const PairQuery& query, double by) {
  return grown(boundsIn(query.shape1, relative(query.pose2, query.pose1)), by);
}

double sizeOf(const PairQuery& query) {
  const double r1 = query.shape1.boundingRadius();
  return query.shape2.boundingRadius() + (isFinite(r1) ? r1 : 0.0);
}

void toParent(const Children& children, std::uint32_t i, const ChildPair& pair, PairGap& gap) {
  if (pair.swapped) {
    gap.normal = -gap.normal;
    std::swap(gap.p1, gap.p2);
    std::swap(gap.feature1, gap.feature2);
    std::swap(gap.subShape1, gap.subShape2);
    gap.p1 += pair.origin;
    gap.p2 += pair.origin;
  }
  gap.subShape2 = children.subShape(i, gap.subShape2);
}

}  // namespace

void collideChildren(const PairQuery& query, ManifoldSink& sink) {
  const Children children(query.shape2);
  const SphereShape ball(children.ballRadius());
  const double slack = 2.0 * kTouchTolerance * sizeOf(query);
  ScratchList<std::uint32_t> found;
  const Bounds box = boxInFrame2(query, query.margin + slack);
  children.tree().forEachOverlap(box, [&](std::uint32_t i) { found.push(i); });
  children.forEachFieldOver(box, [&](std::uint32_t i) { found.push(i); });
  std::sort(found.items().begin(), found.items().end());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::uint32_t i = found.items()[k];
    if (k > 0 && i == found.items()[k - 1]) continue;
    const Shape& child = children.shape(i, ball);
    const Pose pose = children.pose(i, query.pose2);
    const ChildPair pair = childPair(query, child, pose);
    ChildSink collector(children, i, pair, sink);
    ManifoldSink inner(collector);
    pairFunctions(pair.query.shape1.getType(), pair.query.shape2.getType())
        .collide(pair.query, inner);
  }
}

void gapChildren(const PairQuery& query, PairGap& result) {
  const Children children(query.shape2);
  const SphereShape ball(children.ballRadius());
  const Bounds box = boxInFrame2(query, 2.0 * kTouchTolerance * sizeOf(query));
  double best = std::numeric_limits<double>::infinity();
  std::uint32_t found = 0;
  const auto visit = [&](std::uint32_t i) {
    const Shape& child = children.shape(i, ball);
    const Pose pose = children.pose(i, query.pose2);
    const ChildPair pair = childPair(query, child, pose);
    PairGap gap;
    pairFunctions(pair.query.shape1.getType(), pair.query.shape2.getType())
        .distance(pair.query, gap);
    if (gap.gap > best || (gap.gap == best && i > found)) return;
    best = gap.gap;
    found = i;
    result = gap;
    toParent(children, i, pair, result);
  };
  children.forEachFieldOver(box, visit);
  children.tree().minimize(
      best,
      [&](const Bounds& node) {
        // Inside, no child can be deeper than the boxes overlap; that bound is not worth its cost.
        const double apart = distanceOf(node, box);
        return apart > 0.0 ? apart : -std::numeric_limits<double>::infinity();
      },
      visit);
}

}  // namespace abut::inline v0_1
