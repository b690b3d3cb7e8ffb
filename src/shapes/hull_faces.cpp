// SPDX-License-Identifier: MIT
#include "shapes/hull_faces.hpp"

#include <algorithm>
#include <utility>

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

/// The boundary of a group of triangles as one loop; empty if it is not a single loop.
std::vector<std::uint32_t> loopOf(std::span<const HullTriangle> triangles,
                                  std::span<const std::uint32_t> group,
                                  std::span<const std::uint32_t> members) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
  for (const std::uint32_t t : members) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (group[triangles[t].neighbors[k]] == group[t]) continue;
      steps.emplace_back(triangles[t].corners[k], triangles[t].corners[(k + 1) % 3]);
    }
  }
  std::sort(steps.begin(), steps.end());
  std::vector<std::uint32_t> loop;
  if (steps.empty()) return loop;
  std::uint32_t at = steps[0].first;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    loop.push_back(at);
    const auto step = std::lower_bound(steps.begin(), steps.end(), std::pair{at, 0u});
    if (step == steps.end() || step->first != at) return {};
    at = step->second;
    if (at == steps[0].first && i + 1 != steps.size()) return {};
  }
  if (at != steps[0].first) return {};
  return loop;
}

}  // namespace

std::vector<std::uint32_t> groupCoplanar(std::span<const Vec3> points,
                                         std::span<const HullTriangle> triangles,
                                         double tolerance) {
  std::vector<std::pair<double, std::uint32_t>> bySize;
  std::vector<Vec3> normals;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    const auto& c = triangles[t].corners;
    normals.push_back(cross(points[c[1]] - points[c[0]], points[c[2]] - points[c[0]]));
    bySize.emplace_back(-squaredNorm(normals.back()), t);
  }
  std::sort(bySize.begin(), bySize.end());
  std::vector<std::uint32_t> group(triangles.size(), kNone);
  std::vector<std::uint32_t> queue;
  std::uint32_t numGroups = 0;
  for (const auto& [size, seed] : bySize) {
    if (group[seed] != kNone) continue;
    const Vec3 origin = points[triangles[seed].corners[0]];
    const double length = norm(normals[seed]);
    const Vec3 n = length > 0.0 ? normals[seed] * (1.0 / length) : Vec3{};
    queue.assign(1, seed);
    group[seed] = numGroups;
    for (std::size_t i = 0; i < queue.size() && length > 0.0; ++i) {
      for (const std::uint32_t t : triangles[queue[i]].neighbors) {
        if (group[t] != kNone) continue;
        bool isFlat = true;
        for (const std::uint32_t v : triangles[t].corners) {
          isFlat = isFlat && absOf(dot(n, points[v] - origin)) <= tolerance;
        }
        if (!isFlat) continue;
        group[t] = numGroups;
        queue.push_back(t);
      }
    }
    ++numGroups;
  }
  return group;
}

std::vector<std::uint32_t> cornersOf(std::size_t numPoints, std::span<const HullTriangle> triangles,
                                     std::span<const std::uint32_t> group) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const std::uint32_t v : triangles[t].corners) uses.emplace_back(v, group[t]);
  }
  std::sort(uses.begin(), uses.end());
  uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
  std::vector<std::uint32_t> counts(numPoints, 0), result;
  for (const auto& use : uses) ++counts[use.first];
  for (std::uint32_t v = 0; v < numPoints; ++v) {
    if (counts[v] >= 3) result.push_back(v);
  }
  return result;
}

Polygons facesOf(std::span<const HullTriangle> triangles, std::span<const std::uint32_t> group) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> byGroup;
  for (std::uint32_t t = 0; t < triangles.size(); ++t) byGroup.emplace_back(group[t], t);
  std::sort(byGroup.begin(), byGroup.end());
  Polygons faces;
  std::vector<std::uint32_t> members;
  for (std::size_t i = 0; i < byGroup.size();) {
    members.clear();
    const std::uint32_t g = byGroup[i].first;
    for (; i < byGroup.size() && byGroup[i].first == g; ++i) members.push_back(byGroup[i].second);
    std::vector<std::uint32_t> loop = loopOf(triangles, group, members);
    if (loop.size() < 3) return {};
    faces.push_back(std::move(loop));
  }
  for (auto& loop : faces) {
    std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

std::vector<std::uint32_t> ungrouped(std::size_t count) {
  std::vector<std::uint32_t> group(count);
  for (std::uint32_t t = 0; t < count; ++t) group[t] = t;
  return group;
}

}  // namespace abut::inline v0_1
