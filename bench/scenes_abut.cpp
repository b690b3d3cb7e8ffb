// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

#include "scenes_peer.hpp"

namespace abut::bench {

namespace {

class AbutPeer final : public ScenePeer {
public:
  explicit AbutPeer(std::unique_ptr<TaskRunner> tasks) : tasks_(std::move(tasks)) {}
  [[nodiscard]] std::string getName() const override {
    return tasks_ ? "Abut x" + std::to_string(numThreads()) : "Abut";
  }
  [[nodiscard]] int numThreads() const override { return tasks_ ? tasks_->numThreads() : 1; }

  std::string build(const StandardScene& scene) override {
    WorldOptions options = WorldOptions::realTime();
    options.tasks = tasks_.get();
    options.sleeping = scene.sleeps;
    world_ = World(options);
    lost_ = 0.0;
    unconverged_ = sweeps_ = steps_ = 0;
    ids_ = test::addBodies(scene, world_);
    return {};
  }
  void step() override {
    world_.step(kStep).orThrow();
    const double rest = std::abs(world_.getStepLedger().residual());
    lost_ = std::max(lost_, rest / world_.getStepLedger().largestEntry());
    unconverged_ += world_.getReport().converged ? 0 : 1;
    sweeps_ += world_.getReport().sweeps;
    ++steps_;
  }
  void getPoses(std::vector<Pose>& poses) const override {
    poses.clear();
    for (const ObjectId id : ids_) {
      BodyMotion motion;
      world_.getMotion(id, motion).orThrow();
      poses.push_back(motion.pose);
    }
  }
  [[nodiscard]] double getEnergy() const override {
    const EnergyAccount& books = world_.getStepLedger();
    return books.kineticAfter + books.potentialAfter;
  }
  [[nodiscard]] double getBookedWork() const override { return world_.getLedger().correction; }
  [[nodiscard]] std::size_t numContacts() const override { return world_.getContacts().size(); }
  [[nodiscard]] std::uint64_t getHash() const override { return world_.hash(); }
  [[nodiscard]] std::string getRemark() const override {
    char text[160];
    std::snprintf(text, sizeof text,
                  "unaccounted %.1e; %.1f sweeps, %d steps at the limit; hash %016llx", lost_,
                  static_cast<double>(sweeps_) / steps_, unconverged_,
                  static_cast<unsigned long long>(world_.hash()));
    return text;
  }

private:
  std::unique_ptr<TaskRunner> tasks_;  // Outlives the world.
  World world_;
  std::vector<ObjectId> ids_;
  double lost_ = 0.0;
  int unconverged_ = 0, sweeps_ = 0, steps_ = 0;
};

}  // namespace

std::unique_ptr<ScenePeer> makeSceneAbut(int threads) {
  if (threads == 1) return std::make_unique<AbutPeer>(nullptr);
#if ABUT_HAS_TBB
  return std::make_unique<AbutPeer>(std::make_unique<TbbTasks>(threads));
#else
  return {};
#endif
}

}  // namespace abut::bench
