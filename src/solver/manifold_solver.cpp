// SPDX-License-Identifier: MIT
#include "solver/manifold_solver.hpp"

#include "math/exact_sum.hpp"

namespace abut {
namespace {

/// Sweeps for which a row without impulses is left out.
constexpr std::uint32_t kPassOver = 3;
/// In each byte: one, and its highest bit.
constexpr std::uint32_t kOnes = 0x01010101u, kTops = 0x80808080u;

/// The bytes that are not zero, by their highest bits; none is above 127.
std::uint32_t positiveBytes(std::uint32_t bytes) {
  return (bytes + (kTops - kOnes)) & kTops;
}
/// Highest bits of the bytes as the lowest four bits, and back.
unsigned toLaneBits(std::uint32_t tops) {
  return ((tops >> 7u) & 1u) | ((tops >> 14u) & 2u) | ((tops >> 21u) & 4u) | ((tops >> 28u) & 8u);
}
std::uint32_t toOnes(unsigned lanes) {
  return (lanes & 1u) | ((lanes & 2u) << 7u) | ((lanes & 4u) << 14u) | ((lanes & 8u) << 21u);
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
    slots_.push_back({K, static_cast<std::uint32_t>(batches.size()),
                      kTops >> (8u * static_cast<unsigned>(4 - count)), 0});
    batches.emplace_back().prepare(rows, first, count, mobility_,
                                   static_cast<std::uint32_t>(bodies_.size() - 1));
  };
  if constexpr (K == 1) add(batches1_);
  if constexpr (K == 2) add(batches2_);
  if constexpr (K == 3) add(batches3_);
  if constexpr (K == 4) add(batches4_);
}

void ManifoldSolver::addCouple(const ManifoldRow& row, std::uint32_t index, int lane) {
  Couple couple{};
  PreparedCouple& c = couple.prepared;
  c.contact = index;
  c.body1 = row.body1;
  c.body2 = row.body2;
  c.axis[0] = row.normal;
  c.axis[1] = anyPerpendicular(row.normal);
  c.axis[2] = cross(c.axis[0], c.axis[1]);
  c.spinning = row.spinning;
  c.rolling = row.rolling;
  prepareAnswer(mobility_, c);
  if (!(c.response > 0.0)) return;
  couple.slot = static_cast<std::uint32_t>(slots_.size() - 1);
  couple.lane = lane;
  couples_.push_back(couple);
}

void ManifoldSolver::begin(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
                           std::size_t mostLanes) {
  slots_.clear();
  couples_.clear();
  batches1_.clear();
  batches2_.clear();
  batches3_.clear();
  batches4_.clear();
  for (std::size_t first = 0; first < order.size();) {
    const ManifoldRow& lead = rows[order[first]];
    std::size_t used = 1;
    while (used < mostLanes && first + used < order.size() &&
           lead.colour != ManifoldRow::kLastColour &&
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
    for (std::size_t lane = 0; lane < used; ++lane) {
      const ManifoldRow& row = rows[lanes[lane]];
      if (!(row.rolling > 0.0 || row.spinning > 0.0)) continue;
      addCouple(row, lanes[lane], static_cast<int>(lane));
    }
    first += used;
  }
}

/// Velocities follow the impulses along the direction; the direction takes up
/// what the last sweep changed.
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

/// Visits every row, or all but those that have not pushed yet, which have
/// their turn now and then.
void ManifoldSolver::sweep(double beta, bool all) {
  const Pack4d zero = splat(0.0);
  std::size_t term = 0;
  for (Slot& slot : slots_) {
    SweepTerms terms{zero, zero};
    const std::uint32_t waits = all ? 0 : positiveBytes(slot.passOver);
    const auto write = [&] {
      __builtin_memcpy(change_.at(term), &terms.change, sizeof terms.change);
      __builtin_memcpy(size_.at(term), &terms.size, sizeof terms.size);
      term += 4;
    };
    if (waits == slot.used) {
      slot.passOver -= waits >> 7u;
      write();
      continue;
    }
    const unsigned without = toLaneBits(waits);
    unsigned pushes = 0;
    const auto visit = [&](auto& batch) {
      pushes = batch.sweep(bodies_.data(), beta, without, terms);
    };
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
    write();
    // Lanes that were left out come a sweep closer; of the others, those
    // without a push wait.
    const std::uint32_t idle = (slot.used >> 7u) & ~(toOnes(pushes) | (waits >> 7u));
    const std::uint32_t waiting = (waits >> 7u) * 0xffu;
    slot.passOver = ((slot.passOver & waiting) - (waits >> 7u)) | (idle * kPassOver);
  }
  sweepCouples(beta);
}

/// Sum of the normal impulses of a row.
double ManifoldSolver::pressOn(std::uint32_t slot, int lane) const {
  const std::uint32_t index = slots_[slot].index;
  const auto sum = [lane](const Pack4d* impulses, int count) {
    double press = impulses[0][lane];
    for (int i = 1; i < count; ++i) press += impulses[i][lane];
    return press;
  };
  switch (slots_[slot].points) {
    case 1:
      return sum(batches1_[index].impulse, 1);
    case 2:
      return sum(batches2_[index].impulse, 2);
    case 3:
      return sum(batches3_[index].impulse, 3);
    default:
      return sum(batches4_[index].impulse, 4);
  }
}

/// Couples are carried on and relaxed as the impulses of a batch are.
void ManifoldSolver::sweepCouples(double beta) {
  std::size_t term = 4 * slots_.size();
  for (Couple& couple : couples_) {
    const PreparedCouple& c = couple.prepared;
    const Vec3 start = couple.value + couple.direction * beta;
    couple.direction = couple.direction * beta + couple.change;
    BodyVelocity v1 = velocityOf(c.body1), v2 = velocityOf(c.body2);
    const Vec3 w = alongAxes(c, v1.angular - v2.angular);
    couple.value = relaxCouple(c, w, start, pressOn(couple.slot, couple.lane), couple.alpha);
    couple.change = couple.value - start;
    const Vec3& d = couple.change;
    applyCouple(c, d, v1, v2);
    setVelocity(c.body1, v1);
    setVelocity(c.body2, v2);
    const double arm = maxOf(c.rolling, c.spinning);
    *change_.at(term) = squaredNorm(d) / (arm * arm);
    *size_.at(term) = squaredNorm(couple.value) / (arm * arm);
    ++term;
  }
}

void ManifoldSolver::restart(std::span<const ManifoldRow> rows,
                             std::span<const std::uint32_t> members,
                             std::span<const BodyVelocity> velocities) {
  for (Slot& slot : slots_) slot.passOver = 0;
  forAll([rows](auto& batch) { batch.reload(rows); });
  for (Couple& couple : couples_) {
    couple.value = couple.change = couple.direction = {};
    couple.alpha = 0.0;
  }
  for (const std::uint32_t i : members) setVelocity(i, velocities[i]);
}

/// Whether the last sweep changed no velocity by more than a speed; turns count
/// at half a metre.
bool ManifoldSolver::isSteady(std::span<const std::uint32_t> members, double speed) const {
  constexpr double kArm = 0.5;
  for (const std::uint32_t i : members) {
    const BatchBody &now = bodies_[i], &was = previous_[i];
    const Double2 a = now.linearXy - was.linearXy, b = now.linearZ - was.linearZ;
    const Double2 c = now.angularXy - was.angularXy, d = now.angularZ - was.angularZ;
    const Double2 squares = (a * a + b * b) + (c * c + d * d) * (kArm * kArm);
    if (!(squares[0] + squares[1] <= speed * speed)) return false;
  }
  return true;
}

SolverReport ManifoldSolver::solve(const SolverOptions& options,
                                   std::span<const std::uint32_t> members, double steadySpeed) {
  SolverReport report;
  report.stage = SolverStage::Sweeps;
  report.converged = false;
  forAll([this](const auto& batch) { batch.warmStart(bodies_.data()); });
  for (const std::uint32_t i : members) {
    previous_[i] = bodies_[i];
    direction_[i] = BatchBody{};
  }
  change_.reset(4 * slots_.size() + couples_.size());
  size_.reset(4 * slots_.size() + couples_.size());
  double beta = 0.0, last = 0.0;
  bool whole = true;  // Whether this sweep visits all: only such a one may be the last.
  for (int i = 0; i < options.maxSweeps; ++i) {
    const bool complete = whole || i + 1 == options.maxSweeps;
    sweep(beta, complete);
    whole = false;
    ++report.sweeps;
    const double change = change_.value(), size = size_.value();
    report.error = size > 0.0 ? std::sqrt(change / size) : 0.0;
    if (change <= options.tolerance * options.tolerance * size &&
        (steadySpeed == kAnySpeed || isSteady(members, steadySpeed))) {
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

bool ManifoldSolver::project(double dt, double share, int sweeps,
                             std::span<const std::uint32_t> members) {
  bool deep = false;
  Pack4d least = splat(0.0);
  forAll([&](auto& batch) {
    const bool some = batch.beginProjection(bodies_.data(), dt, share, least);
    deep = deep || some;
  });
  approachLeft_ = -minOf(minOf(least[0], least[1]), minOf(least[2], least[3]));
  if (!deep) return false;
  for (const std::uint32_t i : members) direction_[i] = BatchBody{};
  for (int i = 0; i < sweeps; ++i) {
    forAll([this](auto& batch) { batch.project(direction_.data()); });
  }
  return true;
}

double ManifoldSolver::work() const {
  ExactSum sum;
  forAll([&](const auto& batch) {
    const Pack4d of = batch.work(bodies_.data());
    for (int lane = 0; lane < batch.lanes; ++lane) sum.add(of[lane]);
  });
  for (const Couple& couple : couples_) {
    const PreparedCouple& c = couple.prepared;
    const Vec3 w = velocityOf(c.body1).angular - velocityOf(c.body2).angular;
    sum.add(dot(couple.value, alongAxes(c, w)));
  }
  return sum.value();
}

void ManifoldSolver::shrink(double keep) {
  forAll([keep](auto& batch) { batch.shrink(keep); });
  for (Couple& couple : couples_) couple.value = couple.value * keep;
}

void ManifoldSolver::store(std::span<ManifoldRow> rows) const {
  forAll([rows](const auto& batch) { batch.store(rows); });
  for (const Couple& couple : couples_) {
    const PreparedCouple& c = couple.prepared;
    const Vec3& m = couple.value;
    rows[c.contact].resistingImpulse = (c.axis[0] * m.x + c.axis[1] * m.y) + c.axis[2] * m.z;
  }
}

}  // namespace abut
