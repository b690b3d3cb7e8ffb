// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <abut/shapes/feature.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

// Numbering of a box's features, as BoxShape's header states it.

/// The sign that bit i of sign bits stands for. By table: signs are hard to predict.
inline constexpr double kSigns[2] = {-1.0, 1.0};
inline double signOf(std::uint32_t bits, std::uint32_t i) {
  return kSigns[(bits >> i) & 1u];
}

/// Vertex by its sign bits: x = 1, y = 2, z = 4.
inline Vec3 boxVertex(const Vec3& half, std::uint32_t bits) {
  return {half.x * signOf(bits, 0), half.y * signOf(bits, 1), half.z * signOf(bits, 2)};
}

/// Edge along `axis` through a vertex: axis * 4 + the signs of the two other axes, lower axis
/// first.
constexpr std::uint32_t boxEdge(std::uint32_t axis, std::uint32_t vertex) {
  const std::uint32_t low = axis == 0 ? 1u : 0u, high = axis == 2 ? 1u : 2u;
  return axis * 4u + ((vertex >> low) & 1u) + 2u * ((vertex >> high) & 1u);
}

/// Face across `axis` on the side of a vertex.
constexpr std::uint32_t boxFace(std::uint32_t axis, std::uint32_t vertex) {
  return 2u * axis + ((vertex >> axis) & 1u);
}

/// Regions of space around a box, by table: which of them a point lies in is hard to predict.
struct BoxRegions {
  std::uint8_t kind[8];
  std::uint8_t index[8][8];

  constexpr BoxRegions() : kind(), index() {
    using Kind = Feature::Kind;
    constexpr Kind kKinds[8] = {Kind::None, Kind::Face, Kind::Face, Kind::Edge,
                                Kind::Face, Kind::Edge, Kind::Edge, Kind::Vertex};
    constexpr std::uint32_t kAxis[8] = {0, 0, 1, 2, 2, 1, 0, 0};
    for (std::uint32_t beyond = 0; beyond < 8; ++beyond) {
      kind[beyond] = static_cast<std::uint8_t>(kKinds[beyond]);
      for (std::uint32_t vertex = 0; vertex < 8; ++vertex) {
        const std::uint32_t i = kKinds[beyond] == Kind::Face   ? boxFace(kAxis[beyond], vertex)
                                : kKinds[beyond] == Kind::Edge ? boxEdge(kAxis[beyond], vertex)
                                                               : vertex;
        index[beyond][vertex] = static_cast<std::uint8_t>(i);
      }
    }
  }
};
inline constexpr BoxRegions kBoxRegions;

/// The feature in whose region a point lies that is beyond the box along the axes in `beyond` (bits
/// as for vertices, at least one set), on the side of a vertex.
inline Feature boxRegion(std::uint32_t beyond, std::uint32_t vertex) {
  return {static_cast<Feature::Kind>(kBoxRegions.kind[beyond]), kBoxRegions.index[beyond][vertex]};
}

/// Sign bits of a vector: those of the vertex farthest along it (zero counts as positive).
inline std::uint32_t signBits(const Vec3& d) {
  return (d.x < 0.0 ? 0u : 1u) | (d.y < 0.0 ? 0u : 2u) | (d.z < 0.0 ? 0u : 4u);
}

}  // namespace abut::inline v0_1
