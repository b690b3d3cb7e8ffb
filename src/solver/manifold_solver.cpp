// SPDX-License-Identifier: MIT
#include "solver/manifold_solver.hpp"

namespace abut {
namespace {

/// Sweeps for which a batch without impulses is left out.
constexpr int kPassOver = 3;

double sumLanes(const Pack4d& a) {
  return (a.low[0] + a.low[1]) + (a.high[0] + a.high[1]);
}

}  // namespace

template <class Action>
void ManifoldSolver::forAll(Action action) {
  for (const Slot& slot : slots_) {
    switch (slot.points) {
      case 1:
        action(batches1_[slot.index]);
        break;
      case 2:
        action(batches2_[slot.index]);
        break;
      case 3:
        action(batches3_[slot.index]);
        break;
      default:
        action(batches4_[slot.index]);
        break;
    }
  }
}

template <class Action>
void ManifoldSolver::forAll(Action action) const {
  const_cast<ManifoldSolver*>(this)->forAll([&](const auto& batch) { action(batch); });
}

void ManifoldSolver::setBodies(std::span<const BodyMobility> mobility,
                               std::span<const BodyVelocity> velocities) {
  mobility_ = mobility;
  bodies_.resize(velocities.size() + 1);
  previous_.resize(bodies_.size());
  direction_.assign(bodies_.size(), BatchBody{});
  for (std::size_t i = 0; i < velocities.size(); ++i) bodies_[i] = toBatchBody(velocities[i]);
  bodies_.back() = toBatchBody({});
}

template <int K>
void ManifoldSolver::addBatch(std::span<const ManifoldRow> rows, const std::uint32_t* first,
                              int count) {
  const auto add = [&](auto& batches) {
    slots_.push_back({K, static_cast<std::uint32_t>(batches.size()), 0});
    batches.emplace_back().prepare(rows, first, count, mobility_,
                                   static_cast<std::uint32_t>(bodies_.size() - 1));
  };
  if constexpr (K == 1) add(batches1_);
  if constexpr (K == 2) add(batches2_);
  if constexpr (K == 3) add(batches3_);
  if constexpr (K == 4) add(batches4_);
}

void ManifoldSolver::begin(std::span<const ManifoldRow> rows,
                           std::span<const std::uint32_t> order) {
  slots_.clear();
  batches1_.clear();
  batches2_.clear();
  batches3_.clear();
  batches4_.clear();
  for (std::size_t first = 0; first < order.size();) {
    const ManifoldRow& lead = rows[order[first]];
    std::size_t used = 1;
    while (used < 4 && first + used < order.size() && lead.colour != ManifoldRow::kLastColour &&
           rows[order[first + used]].colour == lead.colour &&
           rows[order[first + used]].count == lead.count) {
      ++used;
    }
    const std::uint32_t* lanes = order.data() + first;
    switch (lead.count) {
      case 1:
        addBatch<1>(rows, lanes, static_cast<int>(used));
        break;
      case 2:
        addBatch<2>(rows, lanes, static_cast<int>(used));
        break;
      case 3:
        addBatch<3>(rows, lanes, static_cast<int>(used));
        break;
      default:
        addBatch<4>(rows, lanes, static_cast<int>(used));
        break;
    }
    first += used;
  }
}

/// Velocities follow the impulses along the direction; the direction takes up what the last sweep
/// changed.
void ManifoldSolver::accelerate(std::span<const std::uint32_t> members, double beta) {
  for (const std::uint32_t i : members) {
    BatchBody &now = bodies_[i], &was = previous_[i], &along = direction_[i];
    const BatchBody change = {now.linearXy - was.linearXy, now.linearZ - was.linearZ,
                              now.angularXy - was.angularXy, now.angularZ - was.angularZ};
    if (beta != 0.0) {
      now.linearXy += along.linearXy * beta;
      now.linearZ += along.linearZ * beta;
      now.angularXy += along.angularXy * beta;
      now.angularZ += along.angularZ * beta;
    }
    along = {along.linearXy * beta + change.linearXy, along.linearZ * beta + change.linearZ,
             along.angularXy * beta + change.angularXy, along.angularZ * beta + change.angularZ};
    was = now;
  }
}

/// Visits every batch, or all but those that have not pushed yet, which have their turn now and
/// then.
SweepSums ManifoldSolver::sweep(double beta, bool all) {
  SweepSums sums;
  for (Slot& slot : slots_) {
    if (!all && slot.passOver > 0) {
      --slot.passOver;
      continue;
    }
    bool pushes = true;
    const auto visit = [&](auto& batch) { pushes = batch.sweep(bodies_.data(), beta, sums); };
    switch (slot.points) {
      case 1:
        visit(batches1_[slot.index]);
        break;
      case 2:
        visit(batches2_[slot.index]);
        break;
      case 3:
        visit(batches3_[slot.index]);
        break;
      default:
        visit(batches4_[slot.index]);
        break;
    }
    slot.passOver = pushes ? 0 : kPassOver;
  }
  return sums;
}

SolverReport ManifoldSolver::solve(const SolverOptions& options,
                                   std::span<const std::uint32_t> members) {
  SolverReport report;
  report.stage = SolverStage::Sweeps;
  report.converged = false;
  forAll([this](const auto& batch) { batch.warmStart(bodies_.data()); });
  for (const std::uint32_t i : members) {
    previous_[i] = bodies_[i];
    direction_[i] = BatchBody{};
  }
  double beta = 0.0, last = 0.0;
  bool whole = true;  // Whether this sweep visits all: only such a one may be the last.
  for (int i = 0; i < options.maxSweeps; ++i) {
    const bool complete = whole || i + 1 == options.maxSweeps;
    const SweepSums sums = sweep(beta, complete);
    whole = false;
    ++report.sweeps;
    const double change = sumLanes(sums.change), size = sumLanes(sums.size);
    report.error = size > 0.0 ? std::sqrt(change / size) : 0.0;
    if (change <= options.tolerance * options.tolerance * size) {
      report.converged = complete;
      if (complete) break;
      whole = true;
    }
    if (i + 1 == options.maxSweeps) break;
    beta = i > 0 && change <= last ? change / last : 0.0;
    last = change;
    accelerate(members, beta);
  }
  return report;
}

bool ManifoldSolver::project(double dt, double slop, double share, int sweeps,
                             std::span<const std::uint32_t> members) {
  bool deep = false;
  forAll([&](auto& batch) {
    const bool some = batch.beginProjection(bodies_.data(), dt, slop, share);
    deep = deep || some;
  });
  if (!deep) return false;
  for (const std::uint32_t i : members) direction_[i] = BatchBody{};
  for (int i = 0; i < sweeps; ++i) {
    forAll([this](auto& batch) { batch.project(direction_.data()); });
  }
  return true;
}

double ManifoldSolver::work() const {
  Pack4d sum = splat(0.0);
  forAll([&](const auto& batch) { sum += batch.work(bodies_.data()); });
  return sumLanes(sum);
}

void ManifoldSolver::shrink(double keep) {
  forAll([keep](auto& batch) { batch.shrink(keep); });
}

void ManifoldSolver::store(std::span<ManifoldRow> rows) const {
  forAll([rows](const auto& batch) { batch.store(rows); });
}

}  // namespace abut
