// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/link_order.hpp"
#include "solver/row_solver.hpp"

namespace abut {

/// Where a manifold row comes from.
struct RowSource {
  static constexpr std::uint32_t kNoManifold = 0xffffffffu;  ///< Of a fast pair: not in the cache.
  std::uint32_t manifold = 0;                                ///< Of the cache.
  std::uint32_t contact[ManifoldRow::kMaxPoints] = {};       ///< Of the cache, for each point.
  double restitution = 0.0;
};

/// Buffers of the real-time scheme.
struct RowBuffers {
  std::vector<ManifoldRow> storage;
  std::span<ManifoldRow> rows;  ///< Those of this step.
  std::size_t ordinary = 0;     ///< So many of them, the first, are of the cache, sorted by pair.
  std::vector<RowSource> sources;
  std::vector<std::uint32_t> rowOf;  ///< Of each manifold of the cache.
  std::vector<Link> links;
  std::vector<std::uint32_t> islandOf;  ///< Of each row.
  std::vector<BodyVelocity> pushed;     ///< Before free rotation.
  RowSolver solver;
  RowOutcome outcome;
};

}  // namespace abut
