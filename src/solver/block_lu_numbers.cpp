// SPDX-License-Identifier: MIT
//
// Numbers of BlockLu: factorisation and solution on the fronts that its pattern gave.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "math/vec3.hpp"
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

/// The power of two whose square is nearest to 1/x from below, or next to that; x > 0 and normal.
double inverseRootScale(double x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  constexpr int kBias = 1023, kMantissa = 52;
  const int exponent = static_cast<int>(bits >> kMantissa) - kBias;
  const int half = exponent >= 0 ? exponent / 2 : -((1 - exponent) / 2);
  bits = static_cast<std::uint64_t>(kBias - half) << kMantissa;
  double scale = 0.0;
  std::memcpy(&scale, &bits, sizeof scale);
  return scale;
}

}  // namespace

/// Scales of the unknowns, by the largest entries of their rows in the blocks on the diagonal;
/// false if there is none, or one that is not finite.
bool BlockLu::findScales() {
  std::vector<double>& scale = rough_.scale;
  scale.resize(unknowns_);
  constexpr double kLeast = 1e-300, kMost = 1e300;
  for (std::uint32_t node = 0; node < sizes_.size(); ++node) {
    const std::uint32_t size = sizes_[node], first = first_unknown_[place_of_[node]];
    for (std::uint32_t k = 0; k < size; ++k) {
      const double* row = entries_.data() + diagonal_[node] + std::size_t{k} * size;
      double largest = absOf(row[k]);
      for (std::uint32_t m = 0; m < size; ++m) largest = maxOf(largest, absOf(row[m]));
      if (!(largest >= kLeast) || !(largest <= kMost)) return false;
      scale[first + k] = inverseRootScale(largest);
    }
  }
  return true;
}

/// Fills the front's matrix with its own entries and what its children left.
template <class Real>
void BlockLu::assemble(const Front& front, Numbers<Real>& numbers, Crew& crew) {
  Real* const work = numbers.work.data() + front.work;
  forRows(crew, front.size, front.stride, [&](std::size_t begin, std::size_t end) {
    std::fill_n(work + begin * front.stride, (end - begin) * front.stride, Real{0});
  });
  const auto scalesFrom = [&](std::uint32_t local) {
    const std::uint32_t place = local < front.numPivots
                                    ? front.firstPivot + local
                                    : rows_[front.rows + (local - front.numPivots)];
    return numbers.scale.data() + place;
  };
  for (std::uint32_t k = front.firstPart; k < front.endPart; ++k) {
    const Part& part = parts_[k];
    const double* from = entries_.data() + part.block;
    Real* to = work + part.row * front.stride + part.column;
    if constexpr (std::is_same_v<Real, Rough>) {
      const double *ofRow = scalesFrom(part.row), *ofColumn = scalesFrom(part.column);
      for (std::uint32_t i = 0; i < part.rows; ++i) {
        for (std::uint32_t j = 0; j < part.columns; ++j) {
          to[i * front.stride + j] =
              static_cast<Real>((from[i * part.columns + j] * ofRow[i]) * ofColumn[j]);
        }
      }
    } else {
      for (std::uint32_t i = 0; i < part.rows; ++i) {
        for (std::uint32_t j = 0; j < part.columns; ++j) {
          to[i * front.stride + j] = from[i * part.columns + j];
        }
      }
    }
  }
  for (std::uint32_t c = front.firstChild; c < front.endChild; ++c) {
    const Front& child = fronts_[children_[c]];
    const std::size_t rest = child.size - child.numPivots;
    const Real* from = numbers.left.data() + child.left;
    const std::uint32_t* at = child_places_.data() + child.child;
    forRows(crew, rest, rest, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Real* row = work + at[i] * front.stride;
        for (std::size_t j = 0; j < rest; ++j) row[at[j]] += from[i * rest + j];
      }
    });
  }
}

template <class Real>
bool BlockLu::eliminateFront(const Front& front, Numbers<Real>& numbers, Crew& crew) {
  assemble(front, numbers, crew);
  Real* const work = numbers.work.data() + front.work;
  const std::size_t pivots = front.numPivots, rest = front.size - pivots;
  const std::span<std::uint32_t> rowAt(exchanged_.data() + front.firstPivot, pivots);
  if (!eliminate(work, front.size, pivots, front.stride, rowAt, crew)) return false;
  std::copy_n(work, pivots * front.stride, numbers.factors.begin() + front.upper);
  forRows(crew, rest, front.size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Real* row = work + (pivots + i) * front.stride;
      std::copy_n(row, pivots, numbers.factors.begin() + front.lower + i * pivots);
      std::copy_n(row + pivots, rest, numbers.left.begin() + front.left + i * rest);
    }
  });
  return true;
}

/// Branches side by side, then what joins them front by front, each shared out.
template <class Real>
bool BlockLu::eliminateAll(Numbers<Real>& numbers, Crew& crew) {
  crew.share(static_cast<std::uint32_t>(sharing_.branches.size()), [&](std::uint32_t i) {
    Crew alone;
    bool sound = true;
    for (std::uint32_t f = sharing_.branches[i].first; f < sharing_.branches[i].end && sound; ++f) {
      sound = eliminateFront(fronts_[f], numbers, alone);
    }
    sharing_.sound[i] = sound ? 1 : 0;
  });
  bool sound = std::find(sharing_.sound.begin(), sharing_.sound.end(), 0) == sharing_.sound.end();
  for (const std::uint32_t f : sharing_.top) {
    sound = sound && eliminateFront(fronts_[f], numbers, crew);
  }
  return sound;
}

template <class Real>
bool BlockLu::factoriseAs(Numbers<Real>& numbers, TaskRunner* tasks) {
  numbers.factors.resize(room_.factors);
  numbers.work.resize(room_.work);
  numbers.left.resize(room_.left);
  numbers.permuted.resize(unknowns_);
  numbers.gathered.resize(unknowns_);
  bool sound = true;
  TaskRunner* const helpers =
      sharing_.top.empty() && sharing_.branches.size() < 2 ? nullptr : tasks;
  Crew::run(helpers, [&](Crew& crew) { sound = eliminateAll(numbers, crew); });
  return sound;
}

bool BlockLu::factorise(TaskRunner* tasks, bool rough) {
  is_rough_ = rough;
  if (!rough) return factoriseAs(full_, tasks);
  return findScales() && factoriseAs(rough_, tasks);
}

/// Solves for the permuted unknowns, in place.
template <class Real>
void BlockLu::substitute(Numbers<Real>& numbers) const {
  Real* const permuted = numbers.permuted.data();
  Real* const gathered = numbers.gathered.data();
  for (const Front& front : fronts_) {
    Real* own = permuted + front.firstPivot;
    const std::uint32_t* rowAt = exchanged_.data() + front.firstPivot;
    for (std::uint32_t i = 0; i < front.numPivots; ++i) gathered[i] = own[rowAt[i]];
    for (std::uint32_t i = 0; i < front.numPivots; ++i) {
      const Real* row = numbers.factors.data() + front.upper + i * front.stride;
      own[i] = gathered[i] - interleavedDot(row, own, i);
    }
    const std::uint32_t* rows = rows_.data() + front.rows;
    const Real* lower = numbers.factors.data() + front.lower;
    for (std::uint32_t i = 0; i < front.size - front.numPivots; ++i) {
      permuted[rows[i]] -=
          interleavedDot(lower + std::size_t{i} * front.numPivots, own, front.numPivots);
    }
  }
  for (auto it = fronts_.rbegin(); it != fronts_.rend(); ++it) {
    const Front& front = *it;
    Real* own = permuted + front.firstPivot;
    const std::uint32_t rest = front.size - front.numPivots;
    const std::uint32_t* rows = rows_.data() + front.rows;
    for (std::uint32_t i = 0; i < rest; ++i) gathered[i] = permuted[rows[i]];
    for (std::uint32_t i = front.numPivots; i-- > 0;) {
      const Real* row = numbers.factors.data() + front.upper + i * front.stride;
      const Real outer = interleavedDot(row + front.numPivots, gathered, rest);
      const Real inner = interleavedDot(row + i + 1, own + i + 1, front.numPivots - i - 1);
      own[i] = ((own[i] - outer) - inner) / row[i];
    }
  }
}

void BlockLu::solve(std::span<double> x) {
  if (!is_rough_) {
    for (std::size_t i = 0; i < unknowns_; ++i) full_.permuted[i] = x[place_[i]];
    substitute(full_);
    for (std::size_t i = 0; i < unknowns_; ++i) x[place_[i]] = full_.permuted[i];
    return;
  }
  const std::vector<double>& scale = rough_.scale;
  // By the largest, so that no size leaves the range of single precision.
  double largest = 0.0;
  for (std::size_t i = 0; i < unknowns_; ++i) {
    largest = maxOf(largest, absOf(x[place_[i]] * scale[i]));
  }
  if (!(largest > 0.0)) return;
  for (std::size_t i = 0; i < unknowns_; ++i) {
    rough_.permuted[i] = static_cast<Rough>((x[place_[i]] * scale[i]) / largest);
  }
  substitute(rough_);
  for (std::size_t i = 0; i < unknowns_; ++i) {
    x[place_[i]] = (static_cast<double>(rough_.permuted[i]) * scale[i]) * largest;
  }
}

}  // namespace abut::inline v0_1
