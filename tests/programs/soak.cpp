// SPDX-License-Identifier: MIT
//
// A long run of a mixed world: bodies come, go, fall asleep and are woken, joints break and are
// made anew, the world is saved and restored. Memory stays flat, the books close, nothing drifts.
//
//   soak [--steps=N] [--scheme=exact|realTime] [--bodies=N]
//
// Prints a line for each tenth of the run; the last line says what was found. Exit status 1 if a
// promise did not hold.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <abut/abut.hpp>
#include <abut/world/inspect.hpp>

#include "support/generator.hpp"

namespace {

using namespace abut;

constexpr double kStep = 1.0 / 120;
constexpr ObjectId kFirst = 100;
/// Of the largest entry of a step's ledger.
constexpr double kClosed = 1e-9;
constexpr double kGrowth = 1.05;

/// Memory that the program holds [kB]; 0 where the system does not say.
long residentMemory() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    long kilobytes = 0;
    if (word == "VmRSS:" && status >> kilobytes) return kilobytes;
  }
  return 0;
}

class Soak {
public:
  Soak(StepScheme scheme, std::uint64_t steps, std::uint64_t bodies)
      : steps_(steps), most_(bodies) {
    WorldOptions options = scheme == StepScheme::Exact ? WorldOptions{} : WorldOptions::realTime();
    options.sleeping = true;
    options.sleepAfter = 0.25;
    world_ = World(options);
    const std::vector<Eigen::Vector3d> points{{0.2, 0, 0},  {-0.2, 0, 0}, {0, 0.2, 0},
                                              {0, -0.2, 0}, {0, 0, 0.25}, {0, 0, -0.25}};
    shapes_ = {std::make_shared<BoxShape>(Eigen::Vector3d(0.2, 0.15, 0.1)),
               std::make_shared<SphereShape>(0.15),
               std::make_shared<CapsuleShape>(0.1, 0.2),
               std::make_shared<CylinderShape>(0.12, 0.3),
               std::make_shared<ConvexShape>(points),
               std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)),
               std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.05))};
    world_.addBody({.type = BodyType::Static, .id = 1}, shapes_[5]);
    // What rests through all of it: a box that nothing touches, and a pendulum that nobody drives.
    world_.addBody({.position = {50, 0, 0.1}, .id = 2}, shapes_[0]);
    world_.addBody({.position = {60.3, 0, 2}, .id = 3}, shapes_[1]);
    JointDescription ball;
    ball.type = JointType::Ball;
    ball.body2 = 3;
    ball.frame1.translation = {60, 0, 2};
    ball.placement = JointPlacement::InWorld;
    world_.addJoint(ball);
    world_.addBody({.type = BodyType::Kinematic,
                    .position = {0, 0, 0.3},
                    .angularVelocity = {0, 0, 0.5},
                    .id = 4},
                   shapes_[6]);
    pendulum_ = pendulumEnergy();
  }

  int run() {
    for (std::uint64_t i = 0; i < steps_; ++i) {
      act(i);
      const Status status = world_.step(kStep);
      if (!status) {
        std::printf("step %llu: %s\n", static_cast<unsigned long long>(i),
                    status.getMessage().c_str());
        return 1;
      }
      look();
      if ((i + 1) % std::max<std::uint64_t>(1, steps_ / 10) == 0) report(i + 1);
    }
    return judge();
  }

private:
  /// Something happens in every twentieth step.
  void act(std::uint64_t i) {
    if (i % 5000 == 4999) saveAndRestore();
    if (i % 20 != 0) return;
    const std::uint64_t what = random_.bits() % 8;
    const ObjectId id = kFirst + random_.bits() % most_;
    const bool isThere = std::binary_search(bodiesOf(world_).begin(), bodiesOf(world_).end(), id);
    if (!isThere) {
      BodyDescription d;
      d.id = id;
      const double x = random_.range(-1, 1);
      const double y = random_.range(-1, 1);
      d.position = {x, y, 1.5};
      world_.addBody(d, shapes_[id % 5]);
      ++added_;
    } else if (what < 3) {
      world_.removeBody(id).orThrow();
      ++removed_;
    } else if (what == 3) {
      world_.applyImpulse(id, {0, 0, 1}, world_.motion(id).centerOfMass).orThrow();
    } else if (what == 4) {
      world_.wake(id).orThrow();
    } else if (what == 5) {
      JointDescription rope;
      rope.type = JointType::Ball;
      rope.body2 = id;
      const Eigen::Vector3d c = world_.motion(id).centerOfMass;
      rope.frame1.translation = {c.x(), c.y(), c.z()};
      rope.placement = JointPlacement::InWorld;
      ObjectId joint = kNoObject;
      if (world_.numJoints() < 4) world_.addJoint(rope, joint).orThrow();
    } else if (what == 6 && world_.numJoints() > 1) {
      world_.removeJoint(world_.getJointIds().back()).orThrow();
    }
  }

  void saveAndRestore() {
    const std::vector<std::byte> bytes = world_.snapshot();
    const std::uint64_t hash = world_.hash();
    world_.restore(bytes, shapes_).orThrow();
    if (world_.hash() != hash) ++restored_wrong_;
    ++restored_;
  }

  void look() {
    const EnergyAccount& books = world_.getStepLedger();
    const double largest = books.largestEntry();
    if (largest > 0.0) worst_books_ = std::max(worst_books_, std::fabs(books.residual()) / largest);
    if (!world_.getReport().converged) ++not_converged_;
    asleep_ += world_.getReport().asleep;
    wakeups_ += static_cast<std::uint64_t>(
        std::count_if(world_.getSleepEvents().begin(), world_.getSleepEvents().end(),
                      [](const SleepEvent& e) { return e.kind == SleepEvent::Kind::WakeUp; }));
    for (const ObjectId id : bodiesOf(world_)) {
      if (id < kFirst) continue;
      const BodyMotion m = world_.motion(id);
      lowest_ = std::min(lowest_, m.centerOfMass.z());
    }
  }

  [[nodiscard]] double pendulumEnergy() const {
    const BodyMotion m = world_.motion(3);
    const MassProperties mass = world_.mass(3);  // Of a ball: one inertia about all axes.
    return mass.mass * (0.5 * m.linearVelocity.squaredNorm() + 9.81 * m.centerOfMass.z()) +
           0.5 * mass.inertia.x() * m.angularVelocity.squaredNorm();
  }

  void report(std::uint64_t made) {
    const long memory = residentMemory();
    memory_.push_back(memory);
    std::printf(
        "%llu steps: %ld kB, %zu bodies, %.1f asleep in the mean, books within %.1e, "
        "pendulum's energy off by %.1e J\n",
        static_cast<unsigned long long>(made), memory, world_.numBodies(),
        static_cast<double>(asleep_) / static_cast<double>(made), worst_books_,
        pendulumEnergy() - pendulum_);
    std::fflush(stdout);
  }

  int judge() const {
    const Eigen::Vector3d still = world_.motion(2).centerOfMass - Eigen::Vector3d(50, 0, 0.1);
    const long early = memory_[memory_.size() / 2], late = memory_.back();
    const bool isFlat = static_cast<double>(late) <= kGrowth * static_cast<double>(early);
    const bool isClosed = worst_books_ <= kClosed;
    const bool isStill = still.norm() <= 1e-5;
    const bool isAbove = lowest_ > -0.01;
    std::printf(
        "%llu added, %llu removed, %llu woken, %llu restored (%llu wrong), %llu steps not "
        "converged\nthe box at rest moved by %.1e m, the lowest centre was at %.3f m\n",
        static_cast<unsigned long long>(added_), static_cast<unsigned long long>(removed_),
        static_cast<unsigned long long>(wakeups_), static_cast<unsigned long long>(restored_),
        static_cast<unsigned long long>(restored_wrong_),
        static_cast<unsigned long long>(not_converged_), still.norm(), lowest_);
    std::printf(
        "memory %s (%ld kB in the middle, %ld kB at the end), books %s, rest %s, "
        "ground %s\n",
        isFlat ? "flat" : "GROWS", early, late, isClosed ? "closed" : "OPEN",
        isStill ? "still" : "DRIFTS", isAbove ? "kept" : "LOST");
    return isFlat && isClosed && isStill && isAbove && restored_wrong_ == 0 ? 0 : 1;
  }

  std::uint64_t steps_, most_;  // Bodies that come and go at most.
  World world_;
  std::vector<std::shared_ptr<const Shape>> shapes_;
  test::Generator random_{1};
  double pendulum_ = 0.0, worst_books_ = 0.0, lowest_ = 0.0;
  std::uint64_t added_ = 0, removed_ = 0, restored_ = 0, restored_wrong_ = 0, not_converged_ = 0;
  std::uint64_t asleep_ = 0, wakeups_ = 0;
  std::vector<long> memory_;
};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t steps = 2000, bodies = 40;
  StepScheme scheme = StepScheme::RealTime;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--steps=", 0) == 0) {
      steps = std::strtoull(argument.c_str() + 8, nullptr, 10);
    } else if (argument.rfind("--bodies=", 0) == 0) {
      bodies = std::max<std::uint64_t>(1, std::strtoull(argument.c_str() + 9, nullptr, 10));
    } else if (argument == "--scheme=exact") {
      scheme = StepScheme::Exact;
    } else if (argument != "--scheme=realTime") {
      std::fprintf(stderr, "usage: soak [--steps=N] [--scheme=exact|realTime] [--bodies=N]\n");
      return 2;
    }
  }
  return Soak(scheme, std::max<std::uint64_t>(steps, 10), bodies).run();
}
