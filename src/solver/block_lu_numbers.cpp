// SPDX-License-Identifier: MIT
//
// Numbers of BlockLu: factorisation and solution on the fronts that its pattern gave.
#include <algorithm>

#include "solver/block_lu.hpp"
#include "solver/dense_front.hpp"

namespace abut::inline v0_1 {
namespace {

/// Rows that one part of a shared copy takes, and how many doubles are worth sharing.
constexpr std::size_t kCopiedRows = 64, kWorthSharing = 40000;

/// f(begin, end) for parts of the rows of a matrix, in a crew if there are many.
template <class F>
void forRows(Crew& crew, std::size_t rows, std::size_t columns, F&& f) {
  if (rows * columns < kWorthSharing) return f(std::size_t{0}, rows);
  shareChunks(crew, rows, kCopiedRows, f);
}

}  // namespace

/// Fills the front's matrix with its own entries and what its children left.
void BlockLu::assemble(const Front& front, Crew& crew) {
  double* const work = work_.data() + front.work;
  forRows(crew, front.size, front.stride, [&](std::size_t begin, std::size_t end) {
    std::fill_n(work + begin * front.stride, (end - begin) * front.stride, 0.0);
  });
  for (std::uint32_t k = front.firstPart; k < front.endPart; ++k) {
    const Part& part = parts_[k];
    const double* from = entries_.data() + part.block;
    double* to = work + part.row * front.stride + part.column;
    for (std::uint32_t i = 0; i < part.rows; ++i) {
      for (std::uint32_t j = 0; j < part.columns; ++j) {
        to[i * front.stride + j] = from[i * part.columns + j];
      }
    }
  }
  for (std::uint32_t c = front.firstChild; c < front.endChild; ++c) {
    const Front& child = fronts_[children_[c]];
    const std::size_t rest = child.size - child.numPivots;
    const double* from = left_.data() + child.left;
    const std::uint32_t* at = child_places_.data() + child.child;
    forRows(crew, rest, rest, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        double* row = work + at[i] * front.stride;
        for (std::size_t j = 0; j < rest; ++j) row[at[j]] += from[i * rest + j];
      }
    });
  }
}

bool BlockLu::eliminateFront(const Front& front, Crew& crew) {
  assemble(front, crew);
  double* const work = work_.data() + front.work;
  const std::size_t pivots = front.numPivots, rest = front.size - pivots;
  const std::span<std::uint32_t> rowAt(exchanged_.data() + front.firstPivot, pivots);
  if (!eliminate(work, front.size, pivots, front.stride, rowAt, crew)) return false;
  std::copy_n(work, pivots * front.stride, factors_.begin() + front.upper);
  forRows(crew, rest, front.size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double* row = work + (pivots + i) * front.stride;
      std::copy_n(row, pivots, factors_.begin() + front.lower + i * pivots);
      std::copy_n(row + pivots, rest, left_.begin() + front.left + i * rest);
    }
  });
  return true;
}

/// Branches side by side, then what joins them front by front, each shared out.
bool BlockLu::eliminateAll(Crew& crew) {
  crew.share(static_cast<std::uint32_t>(sharing_.branches.size()), [&](std::uint32_t i) {
    Crew alone;
    bool sound = true;
    for (std::uint32_t f = sharing_.branches[i].first; f < sharing_.branches[i].end && sound; ++f) {
      sound = eliminateFront(fronts_[f], alone);
    }
    sharing_.sound[i] = sound ? 1 : 0;
  });
  bool sound = std::find(sharing_.sound.begin(), sharing_.sound.end(), 0) == sharing_.sound.end();
  for (const std::uint32_t f : sharing_.top) sound = sound && eliminateFront(fronts_[f], crew);
  return sound;
}

bool BlockLu::factorise(TaskRunner* tasks) {
  bool sound = true;
  TaskRunner* const helpers =
      sharing_.top.empty() && sharing_.branches.size() < 2 ? nullptr : tasks;
  Crew::run(helpers, [&](Crew& crew) { sound = eliminateAll(crew); });
  return sound;
}

void BlockLu::solve(std::span<double> x) {
  for (std::size_t i = 0; i < unknowns_; ++i) solving_.permuted[i] = x[place_[i]];
  for (const Front& front : fronts_) {
    double* own = solving_.permuted.data() + front.firstPivot;
    const std::uint32_t* rowAt = exchanged_.data() + front.firstPivot;
    for (std::uint32_t i = 0; i < front.numPivots; ++i) solving_.gathered[i] = own[rowAt[i]];
    for (std::uint32_t i = 0; i < front.numPivots; ++i) {
      const double* row = factors_.data() + front.upper + i * front.stride;
      own[i] = solving_.gathered[i] - interleavedDot(row, own, i);
    }
    const std::uint32_t* rows = rows_.data() + front.rows;
    const double* lower = factors_.data() + front.lower;
    for (std::uint32_t i = 0; i < front.size - front.numPivots; ++i) {
      solving_.permuted[rows[i]] -=
          interleavedDot(lower + std::size_t{i} * front.numPivots, own, front.numPivots);
    }
  }
  for (auto it = fronts_.rbegin(); it != fronts_.rend(); ++it) {
    const Front& front = *it;
    double* own = solving_.permuted.data() + front.firstPivot;
    const std::uint32_t rest = front.size - front.numPivots;
    const std::uint32_t* rows = rows_.data() + front.rows;
    for (std::uint32_t i = 0; i < rest; ++i) solving_.gathered[i] = solving_.permuted[rows[i]];
    for (std::uint32_t i = front.numPivots; i-- > 0;) {
      const double* row = factors_.data() + front.upper + i * front.stride;
      const double outer = interleavedDot(row + front.numPivots, solving_.gathered.data(), rest);
      const double inner = interleavedDot(row + i + 1, own + i + 1, front.numPivots - i - 1);
      own[i] = ((own[i] - outer) - inner) / row[i];
    }
  }
  for (std::size_t i = 0; i < unknowns_; ++i) x[place_[i]] = solving_.permuted[i];
}

}  // namespace abut::inline v0_1
