// SPDX-License-Identifier: MIT
#include "math/exact_sum.hpp"
#include "solver/manifold_solver_visit.hpp"

namespace abut::inline v0_1 {
namespace {

/// Slots that a thread takes at once.
constexpr std::size_t kSumGrain = 256;

}  // namespace

bool ManifoldSolver::isWorkBelow(double limit) {
  constexpr double kBeyondRounding = 1e-9;  // Of a sum of kMostSlots, by far.
  constexpr std::size_t kMostSlots = 500000;
  if (spread_.ranks != nullptr || slots_.size() > kMostSlots || !couples_.empty()) return false;
  const std::size_t parts = (slots_.size() + kSumGrain - 1) / kSumGrain;
  works_.rough.resize(parts);
  shareChunks(*crew_, slots_.size(), kSumGrain, [&](std::size_t begin, std::size_t end) {
    Pack4d sum = splat(0.0), size = splat(0.0);
    for (std::size_t i = begin; i < end; ++i) {
      visit(slots_[i], [&](const auto& batch) {
        const Pack4d of = batch.work(bodies_->now.data());  // Lanes without a row do none.
        sum += of;
        size += absOf(of);
      });
    }
    works_.rough[begin / kSumGrain] = {(sum[0] + sum[1]) + (sum[2] + sum[3]),
                                       (size[0] + size[1]) + (size[2] + size[3])};
  });
  double sum = 0.0, size = 0.0;
  for (const RoughWork& part : works_.rough) {
    sum += part.sum;
    size += part.size;
  }
  return sum + kBeyondRounding * size < limit;
}

double ManifoldSolver::work() {
  const std::size_t parts = (slots_.size() + kSumGrain - 1) / kSumGrain;
  if (works_.exact.size() < parts + 1) works_.exact.resize(parts + 1);
  works_.exact[parts].clear();
  shareChunks(*crew_, slots_.size(), kSumGrain, [&](std::size_t begin, std::size_t end) {
    ExactSum& part = works_.exact[begin / kSumGrain];
    part.clear();
    for (std::size_t i = begin; i < end; ++i) {
      visit(slots_[i], [&](const auto& batch) {
        const Pack4d of = batch.work(bodies_->now.data());
        for (int lane = 0; lane < 4; ++lane) {
          if ((slots_[i].used >> (8 * lane) & 0x80u) == 0) continue;
          if (!isForeign(4 * i + static_cast<std::size_t>(lane))) part.add(of[lane]);
        }
      });
    }
  });
  ExactSum& sum = works_.exact[parts];
  for (std::size_t i = 0; i < parts; ++i) sum.merge(works_.exact[i]);
  for (std::size_t i = 0; i < couples_.size(); ++i) {
    if (isForeign(4 * slots_.size() + i)) continue;
    const PreparedCouple& c = couples_[i].prepared;
    const Vec3 w = velocityOf(c.body1).angular - velocityOf(c.body2).angular;
    sum.add(dot(couples_[i].value, alongAxes(c, w)));
  }
  if (spread_.ranks != nullptr) {
    ExactSum* const sums[] = {&sum};
    addOverRanks(spread_.ranks->getHalo().comm, sums);
  }
  return sum.value();
}

void ManifoldSolver::shrink(double keep) {
  forAll([keep](auto& batch, std::size_t) { batch.shrink(keep); });
  for (Couple& couple : couples_) couple.value = couple.value * keep;
}

void ManifoldSolver::store(std::span<ManifoldRow> rows) {
  forAll([rows](const auto& batch, std::size_t) { batch.store(rows); });
  for (const Couple& couple : couples_) {
    const PreparedCouple& c = couple.prepared;
    const Vec3& m = couple.value;
    rows[c.contact].resistingImpulse = (c.axis[0] * m.x + c.axis[1] * m.y) + c.axis[2] * m.z;
  }
}

}  // namespace abut::inline v0_1
