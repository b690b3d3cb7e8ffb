// SPDX-License-Identifier: MIT
#include "shapes/bvh.hpp"

#include <algorithm>
#include <limits>

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kLeafSize = 4;
constexpr int kNumBins = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Bounds emptyBounds() {
  return {{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
}

double component(const Vec3& v, int axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}

/// Twice the centre: no rounding matters, it only sorts.
Vec3 middle(const Bounds& b) {
  return b.min + b.max;
}

double halfArea(const Bounds& b) {
  const Vec3 s = b.max - b.min;
  return (s.x * s.y + s.y * s.z) + s.z * s.x;
}

struct Split {
  int axis = -1;
  int bin = 0;  // Items in bins <= bin go left.
  double cost = kInfinity;
};

int binOf(double value, double min, double scale) {
  const double b = (value - min) * scale;
  return b >= kNumBins - 1 ? kNumBins - 1 : static_cast<int>(b);
}

/// Scale that spreads an extent over the bins; 0 if it has none.
double binScale(double extent) {
  const double scale = kNumBins / extent;
  return extent > 0.0 && isFinite(scale) ? scale : 0.0;
}

/// Best of kNumBins - 1 planes along one axis by the surface-area heuristic.
void trySplits(std::span<const Bounds> boxes, std::span<const std::uint32_t> items,
               const Bounds& centers, int axis, Split& best) {
  const double min = component(centers.min, axis);
  const double scale = binScale(component(centers.max, axis) - min);
  if (scale == 0.0) return;
  Bounds bins[kNumBins];
  std::uint32_t counts[kNumBins] = {};
  for (Bounds& bin : bins) bin = emptyBounds();
  for (const std::uint32_t item : items) {
    const int bin = binOf(component(middle(boxes[item]), axis), min, scale);
    bins[bin] = merged(bins[bin], boxes[item]);
    ++counts[bin];
  }
  double rightCost[kNumBins];
  Bounds sum = emptyBounds();
  std::uint32_t count = 0;
  for (int i = kNumBins - 1; i > 0; --i) {
    sum = merged(sum, bins[i]);
    count += counts[i];
    rightCost[i] = count == 0 ? 0.0 : count * halfArea(sum);
  }
  sum = emptyBounds();
  count = 0;
  for (int i = 0; i + 1 < kNumBins; ++i) {
    sum = merged(sum, bins[i]);
    count += counts[i];
    if (count == 0 || count == items.size()) continue;
    const double cost = count * halfArea(sum) + rightCost[i + 1];
    if (cost < best.cost) best = {axis, i, cost};
  }
}

}  // namespace

Bvh::Bvh(std::span<const Bounds> boxes) {
  items_.resize(boxes.size());
  for (std::uint32_t i = 0; i < items_.size(); ++i) items_[i] = i;
  nodes_.reserve(boxes.size());
  std::vector<std::uint32_t> scratch(boxes.size());
  build(boxes, 0, static_cast<std::uint32_t>(boxes.size()), 0, scratch);
}

std::uint32_t Bvh::build(std::span<const Bounds> boxes, std::uint32_t first, std::uint32_t count,
                         int depth, std::vector<std::uint32_t>& scratch) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  const std::span<std::uint32_t> items(items_.data() + first, count);
  Bounds bounds = emptyBounds(), centers = emptyBounds();
  for (const std::uint32_t item : items) {
    bounds = merged(bounds, boxes[item]);
    centers = merged(centers, {middle(boxes[item]), middle(boxes[item])});
  }
  nodes_[index].bounds = bounds;
  if (count <= kLeafSize) {
    nodes_[index].first = first;
    nodes_[index].count = count;
    return index;
  }
  Split split;
  if (depth < kMaxSahDepth) {
    for (int axis = 0; axis < 3; ++axis) trySplits(boxes, items, centers, axis, split);
  }
  std::uint32_t left = count / 2;  // Equal centres, or too deep: halves in the order at hand.
  if (split.axis >= 0) {
    const double min = component(centers.min, split.axis);
    const double scale = binScale(component(centers.max, split.axis) - min);
    std::uint32_t lower = 0, upper = 0;
    for (const std::uint32_t item : items) {  // Stable, so items stay sorted by index.
      if (binOf(component(middle(boxes[item]), split.axis), min, scale) <= split.bin) {
        items[lower++] = item;
      } else {
        scratch[upper++] = item;
      }
    }
    std::copy(scratch.begin(), scratch.begin() + upper, items.begin() + lower);
    left = lower;
  }
  build(boxes, first, left, depth + 1, scratch);
  const std::uint32_t right = build(boxes, first + left, count - left, depth + 1, scratch);
  nodes_[index].first = right;
  return index;
}

double rayEntry(const Bounds& box, const Vec3& origin, const Vec3& direction, double pad,
                double limit) {
  // Quotients carry a relative error of a few ulp; `pad` takes care of what cancels.
  constexpr double kShrink = 1.0 - 1e-15, kGrow = 1.0 + 1e-15;
  const double miss = kInfinity;
  double enter = 0.0, leave = limit;
  for (int axis = 0; axis < 3; ++axis) {
    const double o = component(origin, axis), d = component(direction, axis);
    const double lower = component(box.min, axis) - pad - o;
    const double upper = component(box.max, axis) + pad - o;
    if (d == 0.0) {
      if (lower > 0.0 || upper < 0.0) return miss;
      continue;
    }
    const double a = lower / d, b = upper / d;
    enter = maxOf(enter, minOf(a, b) * kShrink);
    leave = minOf(leave, maxOf(a, b) * kGrow);
    if (enter > leave) return miss;
  }
  return enter;
}

}  // namespace abut::inline v0_1
