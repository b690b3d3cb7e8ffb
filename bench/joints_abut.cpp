// SPDX-License-Identifier: MIT
#include <abut/math/convert.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

#include "joints_peer.hpp"

namespace abut::bench {
namespace {

class AbutPeer final : public JointPeer {
public:
  AbutPeer(bool isExact, [[maybe_unused]] int threads) : is_exact_(isExact) {
#if ABUT_HAS_TBB
    if (threads > 1) tasks_ = std::make_unique<TbbTasks>(threads);
#endif
  }
  [[nodiscard]] std::string getName() const override {
    return is_exact_ ? "Abut, exact" : "Abut, real time";
  }

  void build(const JointScene& scene) override {
    WorldOptions options = is_exact_ ? WorldOptions{} : WorldOptions::realTime();
    options.gravity = {0, 0, -kJointGravity};
    options.tasks = tasks_.get();
    world_ = std::make_unique<World>(options);
    step_ = scene.step;
    unsolved_ = 0;
    ids_.clear();
    Material m;
    m.friction = kJointFriction;
    MaterialId material = 0;
    world_->materials().add(m, material).orThrow();
    for (const Link& link : scene.links) ids_.push_back(add(link, material, scene.touches));
    for (const Hold& hold : scene.holds) add(hold);
  }
  void step() override {
    world_->step(step_).orThrow();
    unsolved_ += world_->getReport().converged ? 0 : 1;
  }
  void getMotions(std::vector<LinkMotion>& motions) const override {
    motions.clear();
    for (const ObjectId id : ids_) {
      BodyMotion m;
      world_->getMotion(id, m).orThrow();
      motions.push_back({toVec3(m.centerOfMass), m.orientation, toVec3(m.linearVelocity),
                         toVec3(m.angularVelocity)});
    }
  }
  [[nodiscard]] int numUnsolved() const override {
    return unsolved_;
  }

private:
  ObjectId add(const Link& link, MaterialId material, bool touches) {
    BodyDescription d;
    d.position = toEigen(link.position);
    d.orientation = link.orientation;
    d.mass = link.mass;
    d.inertia = toEigen(link.inertia);
    if (link.kind == LinkKind::Ground) {
      d.type = BodyType::Static;
      return world_->addBody(d, PlaneShape({0, 0, 1}, 0.0), material);
    }
    if (!touches) {
      ObjectId id = kNoObject;
      world_->addBody(d, std::vector<BodyShape>{}, id).orThrow();
      return id;
    }
    switch (link.kind) {
      case LinkKind::Sphere:
        return world_->addBody(d, SphereShape(link.half.x), material);
      case LinkKind::Capsule:
        return world_->addBody(d, CapsuleShape(link.half.x, 2 * link.half.y), material);
      default:
        return world_->addBody(d, BoxShape(toEigen(link.half)), material);
    }
  }
  void add(const Hold& hold) {
    JointDescription d;
    d.type = hold.isBall ? JointType::Ball : JointType::Hinge;
    if (hold.link1 != kNoLink) d.body1 = ids_[hold.link1];
    d.body2 = ids_[hold.link2];
    d.placement = JointPlacement::InWorld;
    const Eigen::Vector3d z = toEigen(hold.axis).normalized(), x = z.unitOrthogonal();
    Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();
    frame.linear().col(0) = x;
    frame.linear().col(1) = z.cross(x);
    frame.linear().col(2) = z;
    frame.translation() = toEigen(hold.point);
    d.frame1 = poseFrom(frame);
    d.axes[0].limits.lower = hold.lower;
    d.axes[0].limits.upper = hold.upper;
    if (hold.isBall) d.axes[1].limits.upper = hold.swing;
    world_->addJoint(d);
  }

  bool is_exact_;
  std::unique_ptr<TaskRunner> tasks_;
  std::unique_ptr<World> world_;
  std::vector<ObjectId> ids_;
  double step_ = 0.0;
  int unsolved_ = 0;
};

}  // namespace

std::unique_ptr<JointPeer> makeJointAbut(bool isExact, int threads) {
  return std::make_unique<AbutPeer>(isExact, threads);
}

}  // namespace abut::bench
