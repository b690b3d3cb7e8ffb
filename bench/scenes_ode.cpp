// SPDX-License-Identifier: MIT
#include <ode/ode.h>

#include "scenes_peer.hpp"

namespace abut::bench {
namespace {

constexpr int kMaxContacts = 8;

class OdePeer final : public ScenePeer {
public:
  OdePeer() { dInitODE2(0); }
  ~OdePeer() override {
    clear();
    dCloseODE();
  }
  [[nodiscard]] std::string getName() const override { return "ODE"; }

  std::string build(const StandardScene& scene) override {
    // ODE has no cylinder against cylinder or convex, no convex against capsule or mesh.
    if (scene.id == 'c' || scene.id == 'i') return "lacks a pair of shapes of this scene";
    clear();
    world_ = dWorldCreate();
    space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY);
    group_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, 0, -kGravity);
    dWorldSetAutoDisableFlag(world_, scene.sleeps ? 1 : 0);
    for (const SceneBody& body : scene.bodies) {
      const dGeomID geom = body.kind == Kind::Sphere ? dCreateSphere(space_, body.half.x)
                                                     : dCreateBox(space_, 2 * body.half.x,
                                                                  2 * body.half.y, 2 * body.half.z);
      dBodyID dynamic = nullptr;
      if (!body.isStatic) {
        dynamic = dBodyCreate(world_);
        dMass mass;
        if (body.kind == Kind::Sphere) {
          dMassSetSphere(&mass, kDensity, body.half.x);
        } else {
          dMassSetBox(&mass, kDensity, 2 * body.half.x, 2 * body.half.y, 2 * body.half.z);
        }
        dBodySetMass(dynamic, &mass);
        dBodySetLinearVel(dynamic, body.velocity.x, body.velocity.y, body.velocity.z);
        dGeomSetBody(geom, dynamic);
      }
      dMatrix3 r;
      dRFromAxisAndAngle(r, 0, 0, 1, body.yaw);
      dGeomSetPosition(geom, body.position.x, body.position.y, body.position.z);
      dGeomSetRotation(geom, r);
      geoms_.push_back(geom);
    }
    return {};
  }
  void step() override {
    contacts_ = 0;
    dSpaceCollide(space_, this, &OdePeer::near);
    dWorldQuickStep(world_, kStep);
    dJointGroupEmpty(group_);
  }
  void getPoses(std::vector<Pose>& poses) const override {
    poses.clear();
    for (const dGeomID geom : geoms_) {
      const dReal* x = dGeomGetPosition(geom);
      const dReal* r = dGeomGetRotation(geom);
      Pose pose;
      pose.translation = {x[0], x[1], x[2]};
      pose.rotation = {{r[0], r[4], r[8]}, {r[1], r[5], r[9]}, {r[2], r[6], r[10]}};
      poses.push_back(pose);
    }
  }
  [[nodiscard]] double getEnergy() const override {
    double energy = 0.0;
    for (const dGeomID geom : geoms_) {
      const dBodyID body = dGeomGetBody(geom);
      if (body == nullptr) continue;
      dMass mass;
      dBodyGetMass(body, &mass);
      const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
      // Cubes and spheres: the inertia is the same about every axis.
      energy += 0.5 * mass.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
                0.5 * mass.I[0] * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) +
                mass.mass * kGravity * dBodyGetPosition(body)[2];
    }
    return energy;
  }
  [[nodiscard]] std::size_t numContacts() const override { return contacts_; }

private:
  static void near(void* self, dGeomID a, dGeomID b) {
    auto& peer = *static_cast<OdePeer*>(self);
    const dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
    if (bodyA == nullptr && bodyB == nullptr) return;
    dContact contact[kMaxContacts];
    const int n = dCollide(a, b, kMaxContacts, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = kFriction;
      dJointAttach(dJointCreateContact(peer.world_, peer.group_, &contact[i]), bodyA, bodyB);
    }
    peer.contacts_ += static_cast<std::size_t>(n);
  }
  void clear() {
    if (world_ == nullptr) return;
    dJointGroupDestroy(group_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    world_ = nullptr;
    geoms_.clear();
  }

  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID group_ = nullptr;
  std::vector<dGeomID> geoms_;
  std::size_t contacts_ = 0;
};

}  // namespace

std::unique_ptr<ScenePeer> makeSceneOde() {
  return std::make_unique<OdePeer>();
}

}  // namespace abut::bench
