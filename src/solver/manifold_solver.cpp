// SPDX-License-Identifier: MIT
#include "solver/manifold_solver.hpp"

#include <cstring>
#include <type_traits>

#include "math/pack_wide.hpp"
#include "solver/manifold_solver_visit.hpp"

namespace abut::inline v0_1 {
namespace {

/// Share of the rate at which sweeps of a heap come closer, by which it is carried on: where they
/// hardly do, nearly the whole way.
constexpr double kHeapShare = 0.9;
/// Highest bits of four bytes.
constexpr std::uint32_t kTops = 0x80808080u;

#if ABUT_HAS_WIDE
const bool kHasWide = __builtin_cpu_supports("avx2");

template <bool kMoves, bool kLags>
ABUT_WIDE void accelerateWide(std::span<const std::uint32_t> members, double beta, BatchBody* now,
                              BatchBody* previous, BatchBody* direction) {
  const Double4 along{beta, beta, beta, beta};
  for (const std::uint32_t i : members) {
    for (std::size_t half = 0; half < 2; ++half) {
      Double4 v, was, way;
      __builtin_memcpy(&v, reinterpret_cast<char*>(now + i) + 32 * half, sizeof v);
      __builtin_memcpy(&was, reinterpret_cast<char*>(previous + i) + 32 * half, sizeof was);
      __builtin_memcpy(&way, reinterpret_cast<char*>(direction + i) + 32 * half, sizeof way);
      const Double4 change = v - was;
      const Double4 further = (kLags ? way : way + change) * along;
      const Double4 next = kMoves ? v + further : v;
      const Double4 turned = kLags ? further + change : further;
      __builtin_memcpy(reinterpret_cast<char*>(now + i) + 32 * half, &next, sizeof next);
      __builtin_memcpy(reinterpret_cast<char*>(previous + i) + 32 * half, &next, sizeof next);
      __builtin_memcpy(reinterpret_cast<char*>(direction + i) + 32 * half, &turned, sizeof turned);
    }
  }
}
#endif

#if ABUT_HAS_WIDE
ABUT_WIDE void clearWide(char* at, std::size_t size) {
  const Double4 zero{};
  std::size_t i = 0;
  for (; i + 128 <= size; i += 128) {
    for (std::size_t k = 0; k < 128; k += 32) __builtin_memcpy(at + i + k, &zero, sizeof zero);
    asm volatile("" ::: "memory");  // Else this becomes a slow string instruction.
  }
  for (; i < size; ++i) at[i] = 0;
}
#endif

/// All bytes zero: every number in it is.
template <class Batch>
void clearBatch(Batch& batch) {
  static_assert(std::is_trivially_copyable_v<Batch>);
#if ABUT_HAS_WIDE
  if (kHasWide) return clearWide(reinterpret_cast<char*>(&batch), sizeof batch);
#endif
  std::memset(static_cast<void*>(&batch), 0, sizeof batch);
}

template <bool kLags>
void accelerateBodies(std::span<const std::uint32_t> members, double beta, BatchBody* bodies,
                      BatchBody* previous, BatchBody* direction) {
#if ABUT_HAS_WIDE
  if (kHasWide) {
    return beta != 0.0 ? accelerateWide<true, kLags>(members, beta, bodies, previous, direction)
                       : accelerateWide<false, kLags>(members, beta, bodies, previous, direction);
  }
#endif
  const auto goOn = [beta](Double2& now, Double2& was, Double2& way) {
    const Double2 change = now - was, further = (kLags ? way : way + change) * beta;
    if (beta != 0.0) now = now + further;
    was = now;
    way = kLags ? further + change : further;
  };
  for (const std::uint32_t i : members) {
    BatchBody &now = bodies[i], &was = previous[i], &way = direction[i];
    goOn(now.linearXy, was.linearXy, way.linearXy);
    goOn(now.linearZ, was.linearZ, way.linearZ);
    goOn(now.angularXy, was.angularXy, way.angularXy);
    goOn(now.angularZ, was.angularZ, way.angularZ);
  }
}

}  // namespace

void ManifoldSolver::setBodies(std::span<const BodyMobility> mobility,
                               std::span<const BodyVelocity> velocities) {
  bodies_ = &own_;
  own_.mobility = mobility;
  own_.now.resize(velocities.size() + 1);
  own_.previous.resize(own_.now.size());
  own_.direction.resize(own_.now.size());
  shareChunks(*crew_, velocities.size(), kMemberGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      own_.now[i] = toBatchBody(velocities[i]);
      own_.direction[i] = BatchBody{};
    }
  });
  own_.now.back() = own_.direction.back() = BatchBody{};
}

void ManifoldSolver::addCouple(const ManifoldRow& row, std::uint32_t index, std::uint32_t slot,
                               int lane) {
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
  prepareAnswer(bodies_->mobility, c);
  if (!(c.response > 0.0)) return;
  couple.slot = slot;
  couple.lane = lane;
  couples_.push_back(couple);
}

/// In the order of the slots.
void ManifoldSolver::addCouples(std::span<const ManifoldRow> rows,
                                std::span<const std::uint32_t> order) {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    if (has_couple_[slot] == 0) continue;
    const std::size_t first = first_of_[slot];
    for (int lane = 0; lane < 4 && (slots_[slot].used >> (8 * lane) & 0x80u) != 0; ++lane) {
      const std::uint32_t row = order[first + static_cast<std::size_t>(lane)];
      if (!(rows[row].rolling > 0.0 || rows[row].spinning > 0.0)) continue;
      addCouple(rows[row], row, slot, lane);
    }
  }
}

/// Batches for so many slots of each number of points. What they held is not kept.
void ManifoldSolver::makeRoom(const std::uint32_t (&counts)[5]) {
  if (batches_.room != nullptr) batches_.room->beginStage();
  batches_.lean.take(batches_.room, counts[kLean]);
  batches_.of1.take(batches_.room, counts[1]);
  batches_.of2.take(batches_.room, counts[2]);
  batches_.of3.take(batches_.room, counts[3]);
  batches_.of4.take(batches_.room, counts[4]);
}

void ManifoldSolver::prepare(std::span<const ManifoldRow> rows,
                             std::span<const std::uint32_t> order, std::size_t slot) {
  const std::uint32_t* first = order.data() + first_of_[slot];
  int count = 0;
  bool resists = false;
  for (; count < 4 && (slots_[slot].used >> (8 * count) & 0x80u) != 0; ++count) {
    const ManifoldRow& row = rows[first[count]];
    resists = resists || row.rolling > 0.0 || row.spinning > 0.0;
  }
  has_couple_[slot] = resists ? 1 : 0;
  visit(slots_[slot], [&](auto& batch) {
    using Batch = std::remove_reference_t<decltype(batch)>;
    const auto idle = static_cast<std::uint32_t>(bodies_->now.size() - 1);
    clearBatch(batch);
    if constexpr (std::is_same_v<Batch, LeanBatch>) {
      batch.prepare(rows, first, count, bodies_->mobility, bodies_->now.data(), idle);
    } else {
      batch.prepare(rows, first, count, bodies_->mobility, idle);
    }
  });
}

void ManifoldSolver::begin(std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order,
                           std::size_t mostLanes) {
  worst_row_ = order.empty() ? 0 : order[0];
  slots_.clear();
  first_of_.clear();
  colours_.clear();
  couples_.clear();
  // What goes together, side by side: rows lie far apart.
  kinds_.resize(order.size());
  shareChunks(*crew_, order.size(), kMemberGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const ManifoldRow& row = rows[order[i]];
      const auto points = row.isLean ? kLean : static_cast<std::uint32_t>(row.count);
      kinds_[i] = {row.colour, points};
    }
  });
  std::uint32_t counts[5] = {};
  for (std::size_t first = 0; first < order.size();) {
    const auto [colour, points] = kinds_[first];
    std::size_t used = 1;
    while (used < mostLanes && first + used < order.size() && colour != ManifoldRow::kLastColour &&
           kinds_[first + used].colour == colour && kinds_[first + used].points == points) {
      ++used;
    }
    if (colours_.empty() || colours_.back().colour != colour) {
      colours_.push_back({colour, slots_.size(), slots_.size()});
    }
    ++colours_.back().end;
    slots_.push_back(
        {points, counts[points]++, kTops >> (8u * static_cast<unsigned>(4 - used)), 0});
    first_of_.push_back(static_cast<std::uint32_t>(first));
    first += used;
  }
  makeRoom(counts);
  has_couple_.resize(slots_.size());
  shareChunks(*crew_, slots_.size(), kSlotGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) prepare(rows, order, i);
  });
  addCouples(rows, order);
  if (spread_.ranks != nullptr) beginOverRanks(rows, order);
}

/// Velocities are carried on as the impulses will be.
void ManifoldSolver::accelerate(std::span<const std::uint32_t> members, const Momentum& momentum) {
  crew_->shareSome(members.size(), kLeastMembers, [&](std::size_t begin, std::size_t end) {
    const auto some = members.subspan(begin, end - begin);
    BatchBody *now = bodies_->now.data(), *previous = bodies_->previous.data(),
              *direction = bodies_->direction.data();
    if (momentum.lags) {
      accelerateBodies<true>(some, momentum.beta, now, previous, direction);
    } else {
      accelerateBodies<false>(some, momentum.beta, now, previous, direction);
    }
  });
}

/// Visits every row, or all but those that have not pushed yet, which have
/// their turn now and then.
void ManifoldSolver::sweep(const Momentum& momentum, bool all) {
  const SlotSweep how{bodies_->now.data(), momentum, all};
  for (const Colour& colour : colours_) {
    const std::size_t count = colour.end - colour.first;
    const bool isLast = colour.colour == ManifoldRow::kLastColour;
    const auto some = [&](std::size_t begin, std::size_t end) {
      sweepSlots(colour.first + begin, colour.first + end, how);
    };
    if (isLast) {
      some(0, count);
    } else {
      crew_->shareSome(count, kLeastSlots, some);
    }
    if (spread_.ranks != nullptr) spread_.ranks->after(colour.colour, bodies_->now.data());
  }
  sweepCouples(momentum);
}

/// Slots of one kind lie together, and so do their batches.
void ManifoldSolver::sweepSlots(std::size_t begin, std::size_t end, const SlotSweep& how) {
  const std::span<Slot> slots(slots_);
  while (begin < end) {
    const std::uint32_t points = slots[begin].points;
    std::size_t next = begin + 1;
    while (next < end && slots[next].points == points) ++next;
    const auto run = slots.subspan(begin, next - begin);
    const SweepTerms terms{change_.at(4 * begin), size_.at(4 * begin)};
    const auto sweep = [&](auto& batches) {
      using Batch = typename std::remove_reference_t<decltype(batches)>::value_type;
      Batch::sweep(batches.data(), run, how, terms);
    };
    switch (points) {
      case kLean:
        sweep(batches_.lean);
        break;
      case 1:
        sweep(batches_.of1);
        break;
      case 2:
        sweep(batches_.of2);
        break;
      case 3:
        sweep(batches_.of3);
        break;
      default:
        sweep(batches_.of4);
        break;
    }
    begin = next;
  }
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
    case kLean:
      return batches_.lean[index].impulse[0][lane];
    case 1:
      return sum(batches_.of1[index].impulse, 1);
    case 2:
      return sum(batches_.of2[index].impulse, 2);
    case 3:
      return sum(batches_.of3[index].impulse, 3);
    default:
      return sum(batches_.of4[index].impulse, 4);
  }
}

/// In the order of the slots, colour by colour.
void ManifoldSolver::sweepCouples(const Momentum& momentum) {
  const std::size_t first = 4 * slots_.size();
  if (spread_.ranks == nullptr) {
    for (std::size_t i = 0; i < couples_.size(); ++i) sweepCouple(couples_[i], first + i, momentum);
    return;
  }
  std::size_t next = 0;
  for (std::size_t c = 0; c < colours_.size() && spread_.hasCouples; ++c) {
    for (; next < couples_.size() && couples_[next].slot < colours_[c].end; ++next) {
      sweepCouple(couples_[next], first + next, momentum);
    }
    spread_.ranks->after(colours_[c].colour, bodies_->now.data());
  }
}

/// Couples are carried on and relaxed as the impulses of a batch are.
void ManifoldSolver::sweepCouple(Couple& couple, std::size_t term, const Momentum& momentum) {
  const PreparedCouple& c = couple.prepared;
  const Vec3 shift = couple.direction * momentum.beta, start = couple.value + shift;
  if (momentum.lags) couple.direction = shift + couple.change;
  BodyVelocity v1 = velocityOf(c.body1), v2 = velocityOf(c.body2);
  const Vec3 w = alongAxes(c, v1.angular - v2.angular);
  couple.value = relaxCouple(c, w, start, pressOn(couple.slot, couple.lane), couple.alpha);
  couple.change = couple.value - start;
  if (!momentum.lags) couple.direction = shift + couple.change;
  const Vec3& d = couple.change;
  applyCouple(c, d, v1, v2);
  setVelocity(c.body1, v1);
  setVelocity(c.body2, v2);
  const double arm = maxOf(c.rolling, c.spinning);
  *change_.at(term) = squaredNorm(d) / (arm * arm);
  *size_.at(term) = squaredNorm(couple.value) / (arm * arm);
}

void ManifoldSolver::restart(std::span<const ManifoldRow> rows,
                             std::span<const std::uint32_t> members,
                             std::span<const BodyVelocity> velocities) {
  for (Slot& slot : slots_) slot.passOver = 0;
  forAll([rows](auto& batch, std::size_t) { batch.reload(rows); });
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
    const BatchBody &now = bodies_->now[i], &was = bodies_->previous[i];
    const Double2 a = now.linearXy - was.linearXy, b = now.linearZ - was.linearZ;
    const Double2 c = now.angularXy - was.angularXy, d = now.angularZ - was.angularZ;
    const Double2 squares = (a * a + b * b) + (c * c + d * d) * (kArm * kArm);
    if (!(squares[0] + squares[1] <= speed * speed)) return false;
  }
  return true;
}

SolverReport ManifoldSolver::solve(const SolverOptions& options,
                                   std::span<const std::uint32_t> members, const Until& until) {
  SolverReport report;
  report.stage = SolverStage::Sweeps;
  report.converged = false;
  forColours(bodies_->now,
             [this](const auto& batch, std::size_t) { batch.warmStart(bodies_->now.data()); });
  forMembers(members, [this](std::uint32_t i) {
    bodies_->previous[i] = bodies_->now[i];
    bodies_->direction[i] = BatchBody{};
  });
  change_.reset(4 * slots_.size() + couples_.size());
  size_.reset(4 * slots_.size() + couples_.size());
  Momentum momentum{0.0, !until.isHeap};
  double last = 0.0;
  bool whole = true;  // Whether this sweep visits all: only such a one may be the last.
  for (int i = 0; i < options.maxSweeps; ++i) {
    const bool complete = whole || i + 1 == options.maxSweeps;
    sweep(momentum, complete);
    whole = false;
    ++report.sweeps;
    const auto [change, size] = changeAndSize();
    report.error = size > 0.0 ? std::sqrt(change / size) : 0.0;
    const bool enough = i + 1 >= until.leastSweeps || !(change > 0.0);
    if (enough && change <= options.tolerance * options.tolerance * size &&
        (until.steadySpeed == kAnySpeed || isSteady(members, until.steadySpeed))) {
      report.converged = complete;
      if (complete) break;
      whole = true;
    }
    if (i + 1 == options.maxSweeps) break;
    const double closer = last > 0.0 && change <= last ? change / last : 0.0;
    momentum.beta = momentum.lags ? closer : kHeapShare * std::sqrt(closer);
    last = change;
    accelerate(members, momentum);
  }
  return report;
}

bool ManifoldSolver::project(double dt, double share, int sweeps,
                             std::span<const std::uint32_t> members) {
  const std::size_t parts = (slots_.size() + kSlotGrain - 1) / kSlotGrain;
  misses_.assign(parts, {splat(0.0), 0.0, 0});
  deep_.assign(parts, 0);
  forAll([&](auto& batch, std::size_t slot) {
    const std::size_t part = slot / kSlotGrain;
    if (batch.beginProjection(bodies_->now.data(), dt, share, misses_[part])) deep_[part] = 1;
  });
  Pack4d least = splat(0.0);
  bool deep = false;
  worst_miss_ = 0.0;
  for (std::size_t i = 0; i < parts; ++i) {
    least = minOf(least, misses_[i].least);
    deep = deep || deep_[i] != 0;
    if (!(misses_[i].most > worst_miss_)) continue;
    worst_miss_ = misses_[i].most;
    worst_row_ = misses_[i].row;
  }
  approach_left_ = -minOf(minOf(least[0], least[1]), minOf(least[2], least[3]));
  if (spread_.ranks != nullptr) {
    double greatest[2] = {approach_left_, deep ? 1.0 : 0.0};
    spread_.ranks->getHalo().comm.greatest(greatest);
    approach_left_ = greatest[0];
    deep = greatest[1] > 0.0;
  }
  if (!deep) return false;
  forMembers(members, [this](std::uint32_t i) { bodies_->direction[i] = BatchBody{}; });
  for (int i = 0; i < sweeps; ++i) {
    forColours(bodies_->direction,
               [this](auto& batch, std::size_t) { batch.project(bodies_->direction.data()); });
  }
  return true;
}

}  // namespace abut::inline v0_1
