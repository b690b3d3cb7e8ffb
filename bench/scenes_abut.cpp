// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>

#include "scenes_peer.hpp"

namespace abut::bench {

namespace {

class AbutPeer final : public ScenePeer {
public:
  [[nodiscard]] std::string getName() const override { return "Abut"; }

  void build(const StandardScene& scene) override {
    world_ = World(WorldOptions::realTime());
    lost_ = 0.0;
    unconverged_ = sweeps_ = steps_ = 0;
    ids_ = test::addBodies(scene, world_);
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
  [[nodiscard]] std::string getRemark() const override {
    char text[120];
    std::snprintf(text, sizeof text, "unaccounted %.1e; %.1f sweeps, %d steps at the limit", lost_,
                  static_cast<double>(sweeps_) / steps_, unconverged_);
    return text;
  }

private:
  World world_;
  std::vector<ObjectId> ids_;
  double lost_ = 0.0;
  int unconverged_ = 0, sweeps_ = 0, steps_ = 0;
};

}  // namespace

std::unique_ptr<ScenePeer> makeSceneAbut() {
  return std::make_unique<AbutPeer>();
}

}  // namespace abut::bench
