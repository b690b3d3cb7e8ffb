// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>

#include <abut/abut.hpp>

#include "scenes_peer.hpp"

namespace abut::bench {

std::shared_ptr<const Shape> makeShape(const SceneBody& body) {
  switch (body.kind) {
    case Kind::Sphere:
      return std::make_shared<SphereShape>(body.half.x);
    case Kind::Capsule:
      return std::make_shared<CapsuleShape>(body.half.x, 2.0 * body.half.y);
    case Kind::Cylinder:
      return std::make_shared<CylinderShape>(body.half.x, 2.0 * body.half.y);
    case Kind::Icosahedron: {
      std::vector<Eigen::Vector3d> corners;
      for (const Vec3& c : icosahedron(body.half.x)) corners.push_back({c.x, c.y, c.z});
      return std::make_shared<ConvexShape>(corners);
    }
    case Kind::Box:
      break;
  }
  return std::make_shared<BoxShape>(Eigen::Vector3d(body.half.x, body.half.y, body.half.z));
}

namespace {

class AbutPeer final : public ScenePeer {
public:
  [[nodiscard]] std::string getName() const override { return "Abut"; }

  void build(const StandardScene& scene) override {
    world_ = World(WorldOptions::realTime());
    ids_.clear();
    lost_ = 0.0;
    unconverged_ = sweeps_ = steps_ = 0;
    for (const SceneBody& body : scene.bodies) {
      BodyDescription description;
      description.type = body.isStatic ? BodyType::Static : BodyType::Dynamic;
      description.position = {body.position.x, body.position.y, body.position.z};
      description.orientation = {std::cos(0.5 * body.yaw), 0.0, 0.0, std::sin(0.5 * body.yaw)};
      ids_.push_back(world_.addBody(description, makeShape(body)));
    }
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
