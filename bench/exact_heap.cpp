// SPDX-License-Identifier: MIT
#include "exact_heap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

namespace abut::bench {
namespace {

/// Steps of the drop, and those after it in which drift is watched.
constexpr int kFalling = 240, kWatched = 1000;
/// Steps in which nothing is to move faster.
constexpr int kWindow = 20;
/// Speeds [m/s] below which a heap has come to rest, and below which nothing in it moves any more:
/// a box may rock for a while between points of contact that are micrometres apart.
constexpr double kRests = 1e-4, kStill = 1e-6;
/// Slower than this many times kRests a step may be one of the window, which one thread is timed
/// for.
constexpr double kMayRest = 10.0;
/// Arm of rolling and spinning resistance of balls of half a metre [m]: 4 % of the radius, that of
/// rough gravel.
constexpr double kArm = 0.02;
/// Contacts with load that hold a ball which does not resist rolling.
constexpr int kHoldABall = 3;

struct Placed {
  Eigen::Vector3d position;
  Quat orientation{1, 0, 0, 0};
  Eigen::Vector3d velocity{0, 0, 0}, turning{0, 0, 0};
};

/// A bin and bodies of 1 m in it.
void fill(World& world, const std::vector<Placed>& bodies, HeapKind kind, double width) {
  MaterialId material = 0;
  if (kind == HeapKind::Spheres) {
    Material rough;
    rough.rollingResistance = rough.spinningResistance = kArm;
    world.materials().add(rough, material).orThrow();
  }
  const auto wall = [&](const Eigen::Vector3d& at, const Eigen::Vector3d& half) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.position = at;
    d.id = 100000 + world.numBodies();
    world.addBody(d, BoxShape(half), material);
  };
  const double h = width / 2;
  wall({0, 0, -1}, {h + 2, h + 2, 1});
  wall({-h - 1, 0, 40}, {1, h + 2, 40});
  wall({h + 1, 0, 40}, {1, h + 2, 40});
  wall({0, -h - 1, 40}, {h + 2, 1, 40});
  wall({0, h + 1, 40}, {h + 2, 1, 40});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    BodyDescription d;
    d.id = i + 1;
    d.position = bodies[i].position;
    d.orientation = bodies[i].orientation;
    d.linearVelocity = bodies[i].velocity;
    d.angularVelocity = bodies[i].turning;
    if (kind != HeapKind::Boxes) {
      world.addBody(d, SphereShape(0.5), material);
    } else {
      world.addBody(d, BoxShape(Eigen::Vector3d(0.5, 0.5, 0.5)), material);
    }
  }
}

std::vector<Placed> layOut(int count, HeapKind kind, std::uint32_t seed, double& width) {
  const bool spheres = kind != HeapKind::Boxes;
  const double base = spheres ? 14 : 10, full = spheres ? 4000 : 2000;
  const int columns = std::max(2, static_cast<int>(std::lround(base * std::cbrt(count / full))));
  const double pitch = spheres ? 1.1 : 1.5, jitter = spheres ? 0.05 : 0.04;
  width = 16.0 * columns / base;
  Draw draw(seed);
  std::vector<Placed> bodies;
  for (int i = 0; i < count; ++i) {
    const int ix = i % columns, iy = i / columns % columns, layer = i / (columns * columns);
    const double x = (ix - (columns - 1) / 2.0) * pitch + draw.about(jitter);
    const double up = 1 + layer * pitch + draw.about(jitter);
    const double y = (iy - (columns - 1) / 2.0) * pitch + draw.about(jitter);
    const double angle = spheres ? 0.0 : draw.unit() * 3.14159265358979;
    const double shift = spheres ? 0.0 : layer % 2 == 0 ? 0.25 : -0.25;
    bodies.push_back(
        {{x + shift, y + shift, up}, {std::cos(angle / 2), 0, 0, std::sin(angle / 2)}});
  }
  return bodies;
}

std::vector<Placed> stateOf(const World& world, std::size_t count) {
  std::vector<Placed> bodies;
  for (std::size_t i = 0; i < count; ++i) {
    BodyMotion m;
    world.getMotion(i + 1, m).orThrow();
    const Vec3& p = m.pose.translation;
    bodies.push_back({{p.x, p.y, p.z}, m.orientation, m.linearVelocity, m.angularVelocity});
  }
  return bodies;
}

const char* nameOf(HeapKind kind) {
  return kind == HeapKind::Boxes ? "boxes" : kind == HeapKind::Spheres ? "spheres" : "rollers";
}

}  // namespace

HeapRun::HeapRun(const HeapLimits& limits, HeapKind kind, bool toRest, std::uint32_t seed,
                 bool isFresh)
    : limits_(limits),
      kind_(kind),
      to_rest_(toRest),
      count_(static_cast<std::size_t>(limits.count)),
      support_(kind == HeapKind::Rollers ? kHoldABall : 0) {
  double width = 0.0;
  const std::vector<Placed> laid = layOut(limits.count, kind, seed, width);
  if (!isFresh) {
    fill(world_, laid, kind, width);
    return;
  }
  World loose(WorldOptions::realTime());
  fill(loose, laid, kind, width);
  for (int i = 0; i < kFalling; ++i) loose.step(kStep).orThrow();
  fill(world_, stateOf(loose, count_), kind, width);
}

std::vector<HeapRun::Place> HeapRun::places() const {
  std::vector<Place> all;
  for (std::size_t i = 0; i < count_; ++i) {
    BodyMotion m;
    world_.getMotion(i + 1, m).orThrow();
    const Vec3& p = m.pose.translation;
    all.push_back({p.x, p.y, p.z});
  }
  return all;
}

void HeapRun::end(Phase next) {
  phase_ = next;
  if (next != Phase::Ended) reached_ = next;
}

/// Whether the last steps, of which the last is in `window`, make a window of still ones; what is
/// not goes to `before`.
bool HeapRun::isStill(double speed, Stretch& before, Stretch& window) const {
  if (window.fastest <= speed) return window.steps == kWindow;
  before.add(window);
  window = {};
  return false;
}

bool HeapRun::advance(TaskRunner* tasks) {
  const bool isTimed =
      phase_ != Phase::Settling || rest_.steps > 0 || settling_.fastest <= kMayRest * kRests;
  world_.setTasks(isTimed ? nullptr : tasks);
  const int settled = settling_.steps + rest_.steps + rocking_.steps + still_.steps;
  switch (phase_) {
    case Phase::Motion:
      motion_.step(world_, count_);
      settling_.fastest = motion_.fastest;
      if (motion_.steps == limits_.moving) end(to_rest_ ? Phase::Settling : Phase::Ended);
      break;
    case Phase::Settling:
      rest_.step(world_, count_, support_);
      settling_.fastest = rest_.fastest;
      if (isStill(kRests, settling_, rest_)) {
        end(Phase::Rocking);
      } else if (settled + 1 >= limits_.most) {
        end(Phase::Ended);
      }
      break;
    case Phase::Rocking:
      still_.step(world_, count_, support_);
      if (isStill(kStill, rocking_, still_)) {
        before_ = places();
        held_before_ = Stretch::held(world_, count_, support_);
        end(Phase::Lying);
      } else if (settled + 1 >= limits_.most) {
        end(Phase::Ended);
      }
      break;
    case Phase::Lying:
      lying_.step(world_, count_, support_);
      if (lying_.steps < kWatched) break;
      after_ = places();
      held_after_ = Stretch::held(world_, count_, support_);
      end(Phase::Ended);
      break;
    case Phase::Ended:
      break;
  }
  largest_entry_ = world_.getStepLedger().largestEntry();
  return phase_ != Phase::Ended;
}

void HeapRun::tell() const {
  constexpr const char* kNames[] = {"in motion", "settling", "rocking", "lying", "ended"};
  const int steps =
      motion_.steps + settling_.steps + rest_.steps + rocking_.steps + still_.steps + lying_.steps;
  std::printf("  %d %s: %d steps, %s\n", limits_.count, nameOf(kind_), steps,
              kNames[static_cast<int>(phase_)]);
}

void HeapRun::judgeRest(const std::string& name) const {
  const std::string most = std::to_string(limits_.most) + " steps";
  if (settling_.steps > 0) settling_.print("settling");
  if (rest_.steps > 0) rest_.print(rests() ? "rest" : "slow");
  if (support_ > 0) std::printf("  %d balls are held by less than 3\n", rest_.loose);
  // What nothing holds back may roll for ever: no fault of the solver.
  if (kind_ != HeapKind::Rollers || rests()) bar(name + "rest within " + most, rests());
  if (!rests()) return;
  bar(name + "at rest at most " + inMilliseconds(limits_.rest),
      rest_.seconds / rest_.steps <= limits_.rest);
  const bool lies = reached_ == Phase::Lying;
  if (rocking_.steps > 0) rocking_.print("rocking");
  if (still_.steps > 0) still_.print("still");
  // What rolls bumps into the others.
  if (lies || rest_.loose == 0) bar(name + "still, to 1e-6 m/s, within " + most, lies);
  Stretch resting = rest_;
  resting.add(rocking_);
  resting.add(still_);
  bar(name + "rigid error of 1e-6 within 200 steps of rest",
      resting.untilRigid >= 0 && resting.untilRigid <= 200);
  bar(name + "rigid error at rest at most 1e-6", (lies ? still_ : rest_).rigid <= kRigid);
}

void HeapRun::judgeLying(const std::string& name) const {
  lying_.print("1000 more");
  double moved = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (held_before_[i] == 0 || held_after_[i] == 0) continue;
    const double x = after_[i].x - before_[i].x, y = after_[i].y - before_[i].y,
                 z = after_[i].z - before_[i].z;
    moved = std::max(moved, std::sqrt(x * x + y * y + z * z));
  }
  std::printf("  drift in 1000 steps at rest %.1e m; compliance gave %.1e J\n", moved,
              lying_.given);
  if (still_.loose == 0 && lying_.loose == 0) {
    bar(name + "drift below 1e-7 m in 1000 steps at rest", moved < 1e-7);
  }
  bar(name + "no energy from compliance in them", lying_.given <= 1e-12 * largest_entry_);
}

double HeapRun::judge() const {
  std::printf("%d %s\n", limits_.count, nameOf(kind_));
  const std::string name = std::to_string(limits_.count) + " " + nameOf(kind_) + ": ";
  motion_.print("motion");
  bar(name + "in motion at most " + inMilliseconds(limits_.motion),
      motion_.seconds / motion_.steps <= limits_.motion);
  if (to_rest_) judgeRest(name);
  const bool watched = lying_.steps == kWatched;
  if (watched) judgeLying(name);
  Stretch all = motion_;
  for (const Stretch& more : {settling_, rest_, rocking_, still_, lying_}) all.add(more);
  bar(name + "every step converges to its stated tolerance", all.missed == 0);
  bar(name + "forces balance to 1e-9 in every step", all.balance <= 1e-9);
  bar(name + "energy books close to 1e-12", all.books <= 1e-12);
  std::printf("  %d of %d bars hold so far; %d steps, %.0f s of processor time, %016llx\n",
              barsHeld, barsSeen, all.steps, all.seconds,
              static_cast<unsigned long long>(world_.hash()));
  return watched ? lying_.seconds / lying_.steps : 0.0;
}

template <typename Pieces>
void HeapRun::visit(Pieces& pieces) {
  pieces(phase_, reached_, before_, after_, held_before_, held_after_, largest_entry_);
  for (Stretch* stretch : {&motion_, &settling_, &rest_, &rocking_, &still_, &lying_}) {
    stretch->visit(pieces);
  }
}

void HeapRun::put(PutPieces& pieces) {
  visit(pieces);
  pieces(world_.snapshot());
}

void HeapRun::take(TakePieces& pieces) {
  visit(pieces);
  std::vector<std::byte> snapshot;
  pieces(snapshot);
  if (!pieces.complete()) throw std::runtime_error("the saved run is not whole");
  world_.restore(snapshot).orThrow();
}

}  // namespace abut::bench
