// SPDX-License-Identifier: MIT
#include "solver/skyline.hpp"

#include <algorithm>

#include "math/vec3.hpp"

namespace abut {

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

void bandOrder(std::uint32_t numNodes,
               std::span<const std::pair<std::uint32_t, std::uint32_t>> edges,
               std::vector<std::uint32_t>& order) {
  std::vector<std::vector<std::uint32_t>> neighbours(numNodes);
  for (const auto& [a, b] : edges) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  for (auto& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  const auto fewer = [&](std::uint32_t a, std::uint32_t b) {
    return neighbours[a].size() != neighbours[b].size()
               ? neighbours[a].size() < neighbours[b].size()
               : a < b;
  };
  std::vector<std::uint32_t> starts(numNodes);
  for (std::uint32_t i = 0; i < numNodes; ++i) starts[i] = i;
  std::sort(starts.begin(), starts.end(), fewer);
  std::vector<bool> seen(numNodes, false);
  order.clear();
  for (const std::uint32_t start : starts) {
    if (seen[start]) continue;
    seen[start] = true;
    order.push_back(start);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
      std::vector<std::uint32_t>& list = neighbours[order[next]];
      std::sort(list.begin(), list.end(), fewer);
      for (const std::uint32_t node : list) {
        if (seen[node]) continue;
        seen[node] = true;
        order.push_back(node);
      }
    }
  }
  std::reverse(order.begin(), order.end());
}

}  // namespace abut
