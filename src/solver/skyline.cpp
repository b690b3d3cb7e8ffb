// SPDX-License-Identifier: MIT
#include "solver/skyline.hpp"

#include <algorithm>
#include <cmath>

namespace abut {

void SkylineMatrix::reset(std::span<const std::uint32_t> firstColumn) {
  first_.assign(firstColumn.begin(), firstColumn.end());
  start_.resize(first_.size());
  std::size_t size = 0;
  for (std::uint32_t i = 0; i < first_.size(); ++i) {
    start_[i] = size;
    size += i - first_[i] + 1;
  }
  values_.assign(size, 0.0);
}

bool SkylineMatrix::factorise() {
  const std::uint32_t n = static_cast<std::uint32_t>(first_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    double* rowI = values_.data() + start_[i];
    for (std::uint32_t j = first_[i]; j <= i; ++j) {
      const double* rowJ = values_.data() + start_[j];
      const std::uint32_t begin = std::max(first_[i], first_[j]);
      double sum = rowI[j - first_[i]];
      for (std::uint32_t k = begin; k < j; ++k) sum -= rowI[k - first_[i]] * rowJ[k - first_[j]];
      if (j < i) {
        rowI[j - first_[i]] = sum / rowJ[j - first_[j]];
      } else {
        if (!(sum > 0.0)) return false;
        rowI[j - first_[i]] = std::sqrt(sum);
      }
    }
  }
  return true;
}

void SkylineMatrix::solve(std::span<double> x) const {
  const std::uint32_t n = static_cast<std::uint32_t>(first_.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const double* row = values_.data() + start_[i];
    double sum = x[i];
    for (std::uint32_t k = first_[i]; k < i; ++k) sum -= row[k - first_[i]] * x[k];
    x[i] = sum / row[i - first_[i]];
  }
  for (std::uint32_t i = n; i-- > 0;) {
    const double* row = values_.data() + start_[i];
    x[i] /= row[i - first_[i]];
    for (std::uint32_t k = first_[i]; k < i; ++k) x[k] -= row[k - first_[i]] * x[i];
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
