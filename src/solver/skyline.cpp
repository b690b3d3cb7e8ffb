// SPDX-License-Identifier: MIT
#include "solver/skyline.hpp"

#include <algorithm>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

namespace {

/// Sum of a[k] b[k], in four interleaved parts.
double dotOf(const double* a, const double* b, std::uint32_t count) {
  double part[4] = {0.0, 0.0, 0.0, 0.0};
  std::uint32_t k = 0;
  for (; k + 4 <= count; k += 4) {
    for (std::uint32_t i = 0; i < 4; ++i) part[i] += a[k + i] * b[k + i];
  }
  for (; k < count; ++k) part[0] += a[k] * b[k];
  return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace

void SkylineMatrix::reset(std::span<const std::uint32_t> firstColumn) {
  first_.assign(firstColumn.begin(), firstColumn.end());
  start_.resize(first_.size());
  std::size_t size = 0;
  for (std::uint32_t i = 0; i < first_.size(); ++i) {
    start_[i] = size;
    size += i - first_[i] + 1;
  }
  lower_.assign(size, 0.0);
  upper_.assign(size, 0.0);
}

bool SkylineMatrix::factorise() {
  const std::uint32_t n = static_cast<std::uint32_t>(first_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    double* rowI = lower_.data() + start_[i];
    double* columnI = upper_.data() + start_[i];
    for (std::uint32_t j = first_[i]; j < i; ++j) {
      const double* rowJ = lower_.data() + start_[j];
      const double* columnJ = upper_.data() + start_[j];
      const std::uint32_t begin = std::max(first_[i], first_[j]), count = j - begin;
      const std::uint32_t atI = begin - first_[i], atJ = begin - first_[j], here = j - first_[i];
      const double pivot = rowJ[j - first_[j]];
      columnI[here] -= dotOf(columnI + atI, rowJ + atJ, count);
      rowI[here] = (rowI[here] - dotOf(rowI + atI, columnJ + atJ, count)) / pivot;
    }
    const std::uint32_t length = i - first_[i];
    rowI[length] -= dotOf(rowI, columnI, length);
    if (!isFinite(rowI[length]) || rowI[length] == 0.0) return false;
  }
  return true;
}

void SkylineMatrix::solve(std::span<double> x) const {
  const std::uint32_t n = static_cast<std::uint32_t>(first_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    x[i] -= dotOf(lower_.data() + start_[i], x.data() + first_[i], i - first_[i]);
  }
  for (std::uint32_t i = n; i-- > 0;) {
    const double* column = upper_.data() + start_[i];
    x[i] /= lower_[start_[i] + (i - first_[i])];
    for (std::uint32_t k = first_[i]; k < i; ++k) x[k] -= column[k - first_[i]] * x[i];
  }
}

void BandOrder::find(std::uint32_t numNodes,
                     std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
                     std::vector<std::uint32_t>& order) {
  start_.assign(numNodes + 1, 0);
  for (const auto& [a, b] : edges) {
    ++start_[a + 1];
    ++start_[b + 1];
  }
  for (std::uint32_t i = 0; i < numNodes; ++i) start_[i + 1] += start_[i];
  neighbours_.resize(start_[numNodes]);
  degree_.assign(numNodes, 0);
  for (const auto& [a, b] : edges) {
    neighbours_[start_[a] + degree_[a]++] = b;
    neighbours_[start_[b] + degree_[b]++] = a;
  }
  for (std::uint32_t i = 0; i < numNodes; ++i) {
    const auto first = neighbours_.begin() + start_[i], last = first + degree_[i];
    std::sort(first, last);
    degree_[i] = static_cast<std::uint32_t>(std::unique(first, last) - first);
  }
  const auto fewer = [this](std::uint32_t a, std::uint32_t b) {
    return degree_[a] != degree_[b] ? degree_[a] < degree_[b] : a < b;
  };
  starts_.resize(numNodes);
  for (std::uint32_t i = 0; i < numNodes; ++i) starts_[i] = i;
  std::sort(starts_.begin(), starts_.end(), fewer);
  seen_.assign(numNodes, 0);
  order.clear();
  for (const std::uint32_t start : starts_) {
    if (seen_[start] != 0) continue;
    seen_[start] = 1;
    order.push_back(start);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
      const std::uint32_t node = order[next];
      const auto first = neighbours_.begin() + start_[node], last = first + degree_[node];
      std::sort(first, last, fewer);
      for (auto it = first; it != last; ++it) {
        if (seen_[*it] != 0) continue;
        seen_[*it] = 1;
        order.push_back(*it);
      }
    }
  }
  std::reverse(order.begin(), order.end());
}

}  // namespace abut::inline v0_1
