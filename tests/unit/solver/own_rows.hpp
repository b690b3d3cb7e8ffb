// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "solver/manifold_row.hpp"

namespace abut::test {

/// Rows with the points that are theirs, room for four each: a copy has its own.
class OwnRows {
public:
  OwnRows() = default;
  OwnRows(const OwnRows& other) : rows(other.rows), points_(other.points_) { bind(); }
  OwnRows& operator=(const OwnRows& other) {
    rows = other.rows;
    points_ = other.points_;
    bind();
    return *this;
  }
  ~OwnRows() = default;

  std::vector<ManifoldRow> rows;

  /// A row without points at the end, with room for them.
  ManifoldRow& add() {
    rows.emplace_back();
    points_.emplace_back();
    bind();
    return rows.back();
  }

private:
  void bind() {
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].points = points_[i].data();
  }

  std::vector<std::array<RowPoint, ManifoldRow::kMaxPoints>> points_;
};

}  // namespace abut::test
