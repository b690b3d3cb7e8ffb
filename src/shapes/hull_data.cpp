// SPDX-License-Identifier: MIT
#include "shapes/hull_data.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "shapes/support_features.hpp"

namespace abut::inline v0_1 {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNone = 0xffffffffu;

/// Vertices are taken in blocks, so that their heights fit on the stack.
constexpr std::uint32_t kBlock = 256;
/// Up to so many a scan is as fast as a tree.
constexpr std::uint32_t kScanned = 192;
/// Vertices of a leaf of the tree.
constexpr std::uint32_t kGroup = 32;

#ifdef __SSE2__

// The same products, sums and comparisons two or four at a time: the width cannot change the
// result. Heights that are NaN never count; if all are, the answer is 0 in every width.

std::uint32_t supportSse2(const double* x, const double* y, const double* z, std::uint32_t count,
                          const Vec3& d, double* heights, double& height) {
  const __m128d dx = _mm_set1_pd(d.x), dy = _mm_set1_pd(d.y), dz = _mm_set1_pd(d.z);
  __m128d top = _mm_set1_pd(-kInfinity);
  for (std::size_t i = 0; i < count; i += 2) {
    const __m128d h = _mm_add_pd(
        _mm_add_pd(_mm_mul_pd(_mm_loadu_pd(x + i), dx), _mm_mul_pd(_mm_loadu_pd(y + i), dy)),
        _mm_mul_pd(_mm_loadu_pd(z + i), dz));
    _mm_store_pd(heights + i, h);
    top = _mm_max_pd(h, top);
  }
  top = _mm_max_pd(top, _mm_shuffle_pd(top, top, 1));
  height = _mm_cvtsd_f64(top);
  for (std::uint32_t i = 0; i < count; i += 2) {
    const int mask = _mm_movemask_pd(_mm_cmpeq_pd(_mm_load_pd(heights + i), top));
    if (mask != 0) return i + ((mask & 1) != 0 ? 0 : 1);
  }
  return 0;
}

__attribute__((target("avx2"))) std::uint32_t supportAvx2(const double* x, const double* y,
                                                          const double* z, std::uint32_t count,
                                                          const Vec3& d, double* heights,
                                                          double& height) {
  const __m256d dx = _mm256_set1_pd(d.x), dy = _mm256_set1_pd(d.y), dz = _mm256_set1_pd(d.z);
  __m256d top = _mm256_set1_pd(-kInfinity);
  for (std::size_t i = 0; i < count; i += 4) {
    const __m256d h = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_loadu_pd(x + i), dx),
                                                  _mm256_mul_pd(_mm256_loadu_pd(y + i), dy)),
                                    _mm256_mul_pd(_mm256_loadu_pd(z + i), dz));
    _mm256_store_pd(heights + i, h);
    top = _mm256_max_pd(h, top);
  }
  top = _mm256_max_pd(top, _mm256_permute2f128_pd(top, top, 1));
  top = _mm256_max_pd(top, _mm256_shuffle_pd(top, top, 5));
  height = _mm256_cvtsd_f64(top);
  // All of 64 at once: a branch at the place of the answer could not be predicted.
  for (std::uint32_t first = 0; first < count; first += 64) {
    const std::uint32_t end = count - first < 64 ? count : first + 64;
    std::uint64_t mask = 0;
    for (std::uint32_t i = first; i < end; i += 4) {
      const int equal =
          _mm256_movemask_pd(_mm256_cmp_pd(_mm256_load_pd(heights + i), top, _CMP_EQ_OQ));
      mask |= static_cast<std::uint64_t>(equal) << (i - first);
    }
    if (mask != 0) return first + static_cast<std::uint32_t>(std::countr_zero(mask));
  }
  return 0;
}

/// The same of so few that all heights stay in registers.
template <int kPacks>
__attribute__((target("avx2"))) std::uint32_t supportOfPacks(const double* x, const double* y,
                                                             const double* z, const Vec3& d) {
  const __m256d dx = _mm256_set1_pd(d.x), dy = _mm256_set1_pd(d.y), dz = _mm256_set1_pd(d.z);
  __m256d heights[kPacks], top = _mm256_set1_pd(-kInfinity);
  for (int i = 0; i < kPacks; ++i) {
    heights[i] = _mm256_add_pd(_mm256_add_pd(_mm256_mul_pd(_mm256_loadu_pd(x + 4 * i), dx),
                                             _mm256_mul_pd(_mm256_loadu_pd(y + 4 * i), dy)),
                               _mm256_mul_pd(_mm256_loadu_pd(z + 4 * i), dz));
    top = _mm256_max_pd(heights[i], top);
  }
  top = _mm256_max_pd(top, _mm256_permute2f128_pd(top, top, 1));
  top = _mm256_max_pd(top, _mm256_shuffle_pd(top, top, 5));
  unsigned mask = 0;
  for (int i = 0; i < kPacks; ++i) {
    const int equal = _mm256_movemask_pd(_mm256_cmp_pd(heights[i], top, _CMP_EQ_OQ));
    mask |= static_cast<unsigned>(equal) << (4 * i);
  }
  return mask != 0 ? static_cast<std::uint32_t>(std::countr_zero(mask)) : 0;
}

const bool kHasAvx2 = __builtin_cpu_supports("avx2");

/// Vertex of a block farthest along d, and its height; `count` is a multiple of 4.
std::uint32_t supportOfBlock(const double* x, const double* y, const double* z, std::uint32_t count,
                             const Vec3& d, double* heights, double& height) {
  return kHasAvx2 ? supportAvx2(x, y, z, count, d, heights, height)
                  : supportSse2(x, y, z, count, d, heights, height);
}

#else

std::uint32_t supportOfBlock(const double* x, const double* y, const double* z, std::uint32_t count,
                             const Vec3& d, double* heights, double& height) {
  double top[4] = {-kInfinity, -kInfinity, -kInfinity, -kInfinity};
  for (std::uint32_t i = 0; i < count; i += 4) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      heights[i + k] = (x[i + k] * d.x + y[i + k] * d.y) + z[i + k] * d.z;
      top[k] = maxOf(top[k], heights[i + k]);
    }
  }
  height = maxOf(maxOf(top[0], top[1]), maxOf(top[2], top[3]));
  for (std::uint32_t i = 0; i < count; ++i) {
    if (heights[i] == height) return i;
  }
  return 0;
}

#endif

/// Height of the corner of a box that is farthest along d. The products and sums are those of a
/// vertex's height, and rounding keeps the order of numbers: no vertex inside comes out higher.
double topOf(const HullData::Grouping::Node& node, const Vec3& d) {
  return ((d.x < 0.0 ? node.min.x : node.max.x) * d.x +
          (d.y < 0.0 ? node.min.y : node.max.y) * d.y) +
         (d.z < 0.0 ? node.min.z : node.max.z) * d.z;
}

/// Branch and bound; boxes as high as the best are entered, too, for smaller indices of equals.
std::uint32_t supportInGroups(const HullData::Grouping& g, const Vec3& d) {
  struct Entry {
    std::uint32_t node;
    double top;
  };
  constexpr int kDeepest = 64;  // Halves of less than 2^32 vertices.
  alignas(32) double heights[kGroup];
  Entry stack[kDeepest];
  int size = 0;
  stack[size++] = {0, topOf(g.nodes[0], d)};
  std::uint32_t best = 0;
  double bestHeight = -kInfinity;
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.top < bestHeight) continue;
    const HullData::Grouping::Node& node = g.nodes[entry.node];
    if (node.count == 0) {
      const Entry left{entry.node + 1, topOf(g.nodes[entry.node + 1], d)};
      const Entry right{node.right, topOf(g.nodes[node.right], d)};
      const bool leftFirst = left.top >= right.top;
      stack[size++] = leftFirst ? right : left;
      stack[size++] = leftFirst ? left : right;
      continue;
    }
    double height;
    const std::uint32_t i =
        node.first + supportOfBlock(g.x.data() + node.first, g.y.data() + node.first,
                                    g.z.data() + node.first, node.count, d, heights, height);
    if (height < bestHeight || (height == bestHeight && g.ids[i] > best)) continue;
    bestHeight = height;
    best = g.ids[i];
  }
  return best;
}

/// Appends the node of ids and those below it.
void addNode(const HullData& hull, std::span<std::uint32_t> ids, HullData::Grouping& g) {
  HullData::Grouping::Node node;
  node.min = node.max = hull.vertex(ids[0]);
  for (const std::uint32_t i : ids) {
    node.min = minOf(node.min, hull.vertex(i));
    node.max = maxOf(node.max, hull.vertex(i));
  }
  const std::size_t index = g.nodes.size();
  g.nodes.push_back(node);
  if (ids.size() <= kGroup) {
    std::sort(ids.begin(), ids.end());
    g.nodes[index].first = static_cast<std::uint32_t>(g.ids.size());
    const auto add = [&](std::uint32_t i) {
      g.ids.push_back(i);
      g.x.push_back(hull.x[i]);
      g.y.push_back(hull.y[i]);
      g.z.push_back(hull.z[i]);
    };
    for (const std::uint32_t i : ids) add(i);
    while (g.ids.size() % 4 != 0) add(ids[0]);
    g.nodes[index].count = static_cast<std::uint32_t>(g.ids.size()) - g.nodes[index].first;
    return;
  }
  const Vec3 extent = node.max - node.min;
  const std::vector<double>& along = extent.x >= extent.y && extent.x >= extent.z ? hull.x
                                     : extent.y >= extent.z                       ? hull.y
                                                                                  : hull.z;
  std::sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
    return along[a] != along[b] ? along[a] < along[b] : a < b;
  });
  addNode(hull, ids.first(ids.size() / 2), g);
  g.nodes[index].right = static_cast<std::uint32_t>(g.nodes.size());
  addNode(hull, ids.subspan(ids.size() / 2), g);
}

}  // namespace

void groupVertices(HullData& hull) {
  hull.grouping = {};
  if (hull.numVertices <= kScanned) return;
  std::vector<std::uint32_t> ids(hull.numVertices);
  for (std::uint32_t i = 0; i < hull.numVertices; ++i) ids[i] = i;
  addNode(hull, ids, hull.grouping);
}

namespace {

[[gnu::noinline]] std::uint32_t supportOfMany(const HullData& hull, const Vec3& d) {
  if (!hull.grouping.nodes.empty() && isFinite(d)) return supportInGroups(hull.grouping, d);
  alignas(32) double heights[kBlock];
  const std::uint32_t count = static_cast<std::uint32_t>(hull.x.size());
  const double *x = hull.x.data(), *y = hull.y.data(), *z = hull.z.data();
  double height;
  if (count <= kBlock) return supportOfBlock(x, y, z, count, d, heights, height);
  std::uint32_t best = 0;
  double bestHeight = -kInfinity;
  for (std::uint32_t first = 0; first < count; first += kBlock) {
    const std::uint32_t size = count - first < kBlock ? count - first : kBlock;
    const std::uint32_t i =
        supportOfBlock(x + first, y + first, z + first, size, d, heights, height);
    if (!(height > bestHeight)) continue;
    bestHeight = height;
    best = first + i;
  }
  return best;
}

}  // namespace

std::uint32_t supportVertex(const HullData& hull, const Vec3& d) {
#ifdef __SSE2__
  const double *x = hull.x.data(), *y = hull.y.data(), *z = hull.z.data();
  if (kHasAvx2) {
    switch (hull.x.size()) {
      case 4:
        return supportOfPacks<1>(x, y, z, d);
      case 8:
        return supportOfPacks<2>(x, y, z, d);
      case 12:
        return supportOfPacks<3>(x, y, z, d);
      case 16:
        return supportOfPacks<4>(x, y, z, d);
      default:
        break;
    }
  }
#endif
  return supportOfMany(hull, d);
}

namespace {

void setFace(const HullData& hull, std::uint32_t index, SupportFeature& result) {
  const HullData::Face& face = hull.faces[index];
  // More corners than there is room for: an even choice among them, which keeps the polygon inside
  // the face.
  const std::uint32_t room = SupportFeature::kMaxVertices;
  const std::uint32_t count = face.numCorners < room ? face.numCorners : room;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t corner =
        face.firstCorner + static_cast<std::uint32_t>(std::uint64_t{i} * face.numCorners / count);
    result.vertexIds[i] = hull.corners[corner];
    result.vertices[i] = hull.vertex(hull.corners[corner]);
    result.edgeIds[i] = hull.cornerEdges[corner];
  }
  result.count = static_cast<int>(count);
  result.normal = face.normal;
  result.feature = {Feature::Kind::Face, index};
}

}  // namespace

void supportFeatureHull(const HullData& hull, const Vec3& d, double cosTolerance,
                        SupportFeature& result) {
  result.isDisc = false;
  const std::uint32_t top = supportVertex(hull, d);
  const Vec3 p = hull.vertex(top);
  // Of the faces and edges at the farthest vertex those closest to right angles with d.
  double bestFacing = cosTolerance, leastDrop = 1.0 - cosTolerance * cosTolerance;
  std::uint32_t bestFace = kNone, bestEdge = kNone;
  for (std::uint32_t k = hull.vertexEdgeStart[top]; k < hull.vertexEdgeStart[top + 1]; ++k) {
    const HullData::Edge& edge = hull.edges[hull.vertexEdges[k]];
    // Every face at the vertex has an edge that leaves the vertex along it.
    const std::uint32_t face = edge.vertex1 == top ? edge.face1 : edge.face2;
    const double facing = dot(hull.faces[face].normal, d);
    if (facing > bestFacing) {
      bestFacing = facing;
      bestFace = face;
    }
    const Vec3 along = hull.vertex(edge.vertex1 == top ? edge.vertex2 : edge.vertex1) - p;
    const double drop = dot(along, d), length2 = squaredNorm(along);
    if (!(drop * drop <= leastDrop * length2)) continue;
    leastDrop = drop * drop / length2;
    bestEdge = hull.vertexEdges[k];
  }
  if (bestFace != kNone) {
    setFace(hull, bestFace, result);
  } else if (bestEdge != kNone) {
    const HullData::Edge& edge = hull.edges[bestEdge];
    result.count = 2;
    result.vertices[0] = hull.vertex(edge.vertex1);
    result.vertices[1] = hull.vertex(edge.vertex2);
    result.vertexIds[0] = edge.vertex1;
    result.vertexIds[1] = edge.vertex2;
    result.edgeIds[0] = result.edgeIds[1] = bestEdge;
    result.feature = {Feature::Kind::Edge, bestEdge};
  } else {
    result.count = 1;
    result.vertices[0] = p;
    result.vertexIds[0] = top;
    result.feature = {Feature::Kind::Vertex, top};
  }
}

}  // namespace abut::inline v0_1
