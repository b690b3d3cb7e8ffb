// SPDX-License-Identifier: MIT
#include <cmath>
#include <ode/ode.h>

#include "joints_peer.hpp"

namespace abut::bench {
namespace {

constexpr int kMaxContacts = 8;
/// Up to so many bodies ODE's own direct step is taken, beyond it its iterative one.
constexpr std::size_t kFewBodies = 20;

class OdePeer final : public JointPeer {
public:
  OdePeer() { dInitODE2(0); }
  ~OdePeer() override {
    clear();
    dCloseODE();
  }
  [[nodiscard]] std::string getName() const override {
    return bodies_.size() <= kFewBodies ? "ODE, direct" : "ODE, iterative";
  }

  void build(const JointScene& scene) override {
    clear();
    step_ = scene.step;
    world_ = dWorldCreate();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    group_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -kJointGravity);
    for (const Link& link : scene.links) add(link, scene.touches);
    for (const Hold& hold : scene.holds) add(hold);
  }
  void step() override {
    dSpaceCollide(space_, this, &OdePeer::near);
    if (bodies_.size() <= kFewBodies) {
      dWorldStep(world_, step_);
    } else {
      dWorldQuickStep(world_, step_);
    }
    dJointGroupEmpty(group_);
  }
  void getMotions(std::vector<LinkMotion>& motions) const override {
    motions.clear();
    for (const dBodyID body : bodies_) {
      if (body == nullptr) {
        motions.push_back({});
        continue;
      }
      const dReal *x = dBodyGetPosition(body), *q = dBodyGetQuaternion(body);
      const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      motions.push_back(
          {{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}});
    }
  }

private:
  void add(const Link& link, bool touches) {
    if (link.kind == LinkKind::Ground) {
      dCreatePlane(space_, 0, 0, 1, 0);
      bodies_.push_back(nullptr);
      return;
    }
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetParameters(&mass, link.mass, 0, 0, 0, link.inertia.x, link.inertia.y, link.inertia.z, 0,
                       0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, link.position.x, link.position.y, link.position.z);
    const dQuaternion q = {link.orientation.w, link.orientation.x, link.orientation.y,
                           link.orientation.z};
    dBodySetQuaternion(body, q);
    bodies_.push_back(body);
    if (!touches) return;
    dGeomID geom = nullptr;
    if (link.kind == LinkKind::Sphere) {
      geom = dCreateSphere(space_, link.half.x);
    } else if (link.kind == LinkKind::Capsule) {
      geom = dCreateCapsule(space_, link.half.x, 2 * link.half.y);
    } else {
      geom = dCreateBox(space_, 2 * link.half.x, 2 * link.half.y, 2 * link.half.z);
    }
    dGeomSetBody(geom, body);
  }
  /// Ball joints have no limits here: ODE's would be motors beside them.
  void add(const Hold& hold) {
    const dBodyID one = hold.link1 == kNoLink ? nullptr : bodies_[hold.link1];
    const dBodyID two = bodies_[hold.link2];
    const Vec3 &p = hold.point, &a = hold.axis;
    if (hold.isBall) {
      const dJointID joint = dJointCreateBall(world_, nullptr);
      dJointAttach(joint, two, one);
      dJointSetBallAnchor(joint, p.x, p.y, p.z);
      return;
    }
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, two, one);
    dJointSetHingeAnchor(joint, p.x, p.y, p.z);
    dJointSetHingeAxis(joint, a.x, a.y, a.z);
    if (!std::isfinite(hold.lower)) return;
    dJointSetHingeParam(joint, dParamLoStop, hold.lower);
    dJointSetHingeParam(joint, dParamHiStop, hold.upper);
  }
  static void near(void* self, dGeomID a, dGeomID b) {
    auto& peer = *static_cast<OdePeer*>(self);
    const dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
    if (bodyA == nullptr && bodyB == nullptr) return;
    if (bodyA != nullptr && bodyB != nullptr && dAreConnected(bodyA, bodyB) != 0) return;
    dContact contact[kMaxContacts];
    const int n = dCollide(a, b, kMaxContacts, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = kJointFriction;
      dJointAttach(dJointCreateContact(peer.world_, peer.group_, &contact[i]), bodyA, bodyB);
    }
  }
  void clear() {
    if (world_ == nullptr) return;
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    world_ = nullptr;
    bodies_.clear();
  }

  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID group_ = nullptr;
  std::vector<dBodyID> bodies_;
  double step_ = 0.0;
};

}  // namespace

std::unique_ptr<JointPeer> makeJointOde() {
  return std::make_unique<OdePeer>();
}

}  // namespace abut::bench
