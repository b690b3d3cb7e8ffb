// SPDX-License-Identifier: MIT
#include <btBulletDynamicsCommon.h>
#include <cmath>

#include "joints_peer.hpp"

namespace abut::bench {
namespace {

btVector3 toBullet(const Vec3& v) {
  return {v.x, v.y, v.z};
}

class BulletPeer final : public JointPeer {
public:
  BulletPeer() : dispatcher_(&configuration_) {}
  ~BulletPeer() override { clear(); }
  [[nodiscard]] std::string getName() const override { return "Bullet"; }

  void build(const JointScene& scene) override {
    clear();
    step_ = scene.step;
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broad_phase_, &solver_,
                                                       &configuration_);
    world_->setGravity(btVector3(0, 0, -kJointGravity));
    for (const Link& link : scene.links) add(link, scene.touches);
    for (const Hold& hold : scene.holds) add(hold);
  }
  void step() override { world_->stepSimulation(step_, 0); }
  void getMotions(std::vector<LinkMotion>& motions) const override {
    motions.clear();
    for (const auto& body : bodies_) {
      const btTransform& t = body->getWorldTransform();
      const btVector3 &x = t.getOrigin(), &v = body->getLinearVelocity(),
                      &w = body->getAngularVelocity();
      const btQuaternion q = t.getRotation();
      motions.push_back({{x.x(), x.y(), x.z()},
                         {q.w(), q.x(), q.y(), q.z()},
                         {v.x(), v.y(), v.z()},
                         {w.x(), w.y(), w.z()}});
    }
  }

private:
  void add(const Link& link, bool touches) {
    switch (link.kind) {
      case LinkKind::Ground:
        shapes_.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0.0));
        break;
      case LinkKind::Sphere:
        shapes_.push_back(std::make_unique<btSphereShape>(link.half.x));
        break;
      case LinkKind::Capsule:
        shapes_.push_back(std::make_unique<btCapsuleShapeZ>(link.half.x, 2 * link.half.y));
        break;
      case LinkKind::Box:
        shapes_.push_back(std::make_unique<btBoxShape>(toBullet(link.half)));
        break;
    }
    btRigidBody::btRigidBodyConstructionInfo info(link.mass, nullptr, shapes_.back().get(),
                                                  toBullet(link.inertia));
    info.m_friction = std::sqrt(kJointFriction);  // Bullet multiplies the two bodies' numbers.
    const Quat& q = link.orientation;
    info.m_startWorldTransform =
        btTransform(btQuaternion(q.x, q.y, q.z, q.w), toBullet(link.position));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    const bool isGround = link.kind == LinkKind::Ground;
    if (touches) {
      world_->addRigidBody(bodies_.back().get());
    } else {
      world_->addRigidBody(bodies_.back().get(), isGround ? 1 : 2, 0);
    }
  }
  /// A frame of the joint in a body; Bullet's hinges turn about z, its cone-twist joints about x.
  btTransform frameIn(const btRigidBody& body, const Hold& hold) const {
    const btVector3 axis = toBullet(hold.axis).normalized();
    btVector3 p, q;
    btPlaneSpace1(axis, p, q);
    const btMatrix3x3 basis =
        hold.isBall
            ? btMatrix3x3(axis.x(), p.x(), q.x(), axis.y(), p.y(), q.y(), axis.z(), p.z(), q.z())
            : btMatrix3x3(p.x(), q.x(), axis.x(), p.y(), q.y(), axis.y(), p.z(), q.z(), axis.z());
    return body.getWorldTransform().inverse() * btTransform(basis, toBullet(hold.point));
  }
  void add(const Hold& hold) {
    btRigidBody& two = *bodies_[hold.link2];
    btRigidBody& one =
        hold.link1 == kNoLink ? btTypedConstraint::getFixedBody() : *bodies_[hold.link1];
    const btTransform frame1 = hold.link1 == kNoLink ? worldFrame(hold) : frameIn(one, hold);
    const btTransform frame2 = frameIn(two, hold);
    if (hold.isBall) {
      auto joint = std::make_unique<btConeTwistConstraint>(one, two, frame1, frame2);
      if (std::isfinite(hold.swing)) joint->setLimit(hold.swing, hold.swing, hold.upper);
      joints_.push_back(std::move(joint));
    } else {
      auto joint = std::make_unique<btHingeConstraint>(one, two, frame1, frame2, true);
      if (std::isfinite(hold.lower)) joint->setLimit(hold.lower, hold.upper);
      joints_.push_back(std::move(joint));
    }
    world_->addConstraint(joints_.back().get(), true);
  }
  [[nodiscard]] btTransform worldFrame(const Hold& hold) const {
    return frameIn(btTypedConstraint::getFixedBody(), hold);
  }
  void clear() {
    if (!world_) return;
    for (const auto& joint : joints_) world_->removeConstraint(joint.get());
    for (const auto& body : bodies_) world_->removeRigidBody(body.get());
    joints_.clear();
    world_.reset();
    bodies_.clear();
    shapes_.clear();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  double step_ = 0.0;
};

}  // namespace

std::unique_ptr<JointPeer> makeJointBullet() {
  return std::make_unique<BulletPeer>();
}

}  // namespace abut::bench
