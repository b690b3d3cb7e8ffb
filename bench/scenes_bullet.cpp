// SPDX-License-Identifier: MIT
#include <btBulletDynamicsCommon.h>

#include "scenes_peer.hpp"

namespace abut::bench {
namespace {

/// Bullet keeps its margin inside boxes and cylinders, and outside hulls: the hull is left as it
/// is.
std::unique_ptr<btCollisionShape> shapeOf(const SceneBody& body) {
  switch (body.kind) {
    case Kind::Sphere:
      return std::make_unique<btSphereShape>(body.half.x);
    case Kind::Capsule:
      return std::make_unique<btCapsuleShapeZ>(body.half.x, 2.0 * body.half.y);
    case Kind::Cylinder:
      return std::make_unique<btCylinderShapeZ>(btVector3(body.half.x, body.half.x, body.half.y));
    case Kind::Icosahedron: {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const Vec3& c : icosahedron(body.half.x)) hull->addPoint(btVector3(c.x, c.y, c.z));
      return hull;
    }
    case Kind::Terrain:
    case Kind::Box:
      break;
  }
  return std::make_unique<btBoxShape>(btVector3(body.half.x, body.half.y, body.half.z));
}

double massOf(const SceneBody& body) {
  const double r = body.half.x;
  switch (body.kind) {
    case Kind::Sphere:
      return kDensity * 4.0 / 3.0 * SIMD_PI * r * r * r;
    case Kind::Capsule:
      return kDensity * SIMD_PI * r * r * (4.0 / 3.0 * r + 2.0 * body.half.y);
    case Kind::Cylinder:
      return kDensity * SIMD_PI * r * r * 2.0 * body.half.y;
    case Kind::Icosahedron:
      return kDensity * 2.53615 * r * r * r;
    case Kind::Terrain:
    case Kind::Box:
      break;
  }
  return kDensity * 8.0 * body.half.x * body.half.y * body.half.z;
}

class BulletPeer final : public ScenePeer {
public:
  BulletPeer() : dispatcher_(&configuration_) {}
  ~BulletPeer() override { clear(); }
  [[nodiscard]] std::string getName() const override { return "Bullet"; }

  std::string build(const StandardScene& scene) override {
    clear();
    world_ = std::make_unique<btDiscreteDynamicsWorld>(&dispatcher_, &broad_phase_, &solver_,
                                                       &configuration_);
    world_->setGravity(btVector3(0, 0, -kGravity));
    for (const SceneBody& body : scene.bodies) {
      shapes_.push_back(body.kind == Kind::Terrain ? terrainOf(body) : shapeOf(body));
      const double mass = body.isStatic ? 0.0 : massOf(body);
      btVector3 inertia(0, 0, 0);
      if (mass > 0.0) shapes_.back()->calculateLocalInertia(mass, inertia);
      btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shapes_.back().get(), inertia);
      info.m_friction = std::sqrt(kFriction);  // Bullet multiplies the two bodies' numbers.
      info.m_startWorldTransform =
          btTransform(btQuaternion(btVector3(0, 0, 1), body.yaw),
                      btVector3(body.position.x, body.position.y, body.position.z));
      bodies_.push_back(std::make_unique<btRigidBody>(info));
      if (!scene.sleeps) bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
      bodies_.back()->setLinearVelocity(
          btVector3(body.velocity.x, body.velocity.y, body.velocity.z));
      world_->addRigidBody(bodies_.back().get());
    }
    return {};
  }
  void step() override { world_->stepSimulation(kStep, 0); }
  void getPoses(std::vector<Pose>& poses) const override {
    poses.clear();
    for (const auto& body : bodies_) {
      const btTransform& t = body->getWorldTransform();
      const btMatrix3x3& m = t.getBasis();
      Pose pose;
      pose.translation = {t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()};
      pose.rotation = {{m[0].x(), m[1].x(), m[2].x()},
                       {m[0].y(), m[1].y(), m[2].y()},
                       {m[0].z(), m[1].z(), m[2].z()}};
      poses.push_back(pose);
    }
  }
  [[nodiscard]] double getEnergy() const override {
    double energy = 0.0;
    for (const auto& body : bodies_) {
      if (!(body->getInvMass() > 0.0)) continue;
      const double mass = 1.0 / body->getInvMass();
      const btVector3 w = body->getAngularVelocity() * body->getWorldTransform().getBasis();
      const btVector3 inverse = body->getInvInertiaDiagLocal();
      const btVector3 l(w.x() / inverse.x(), w.y() / inverse.y(), w.z() / inverse.z());
      energy += 0.5 * mass * body->getLinearVelocity().length2() + 0.5 * w.dot(l) +
                mass * kGravity * body->getWorldTransform().getOrigin().z();
    }
    return energy;
  }
  [[nodiscard]] std::size_t numContacts() const override {
    std::size_t count = 0;
    auto& dispatcher = const_cast<btCollisionDispatcher&>(dispatcher_);
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
      count += static_cast<std::size_t>(dispatcher.getManifoldByIndexInternal(i)->getNumContacts());
    }
    return count;
  }

private:
  std::unique_ptr<btCollisionShape> terrainOf(const SceneBody& body) {
    const test::TerrainMesh mesh = test::makeTerrain(body.half.x);
    meshes_.push_back(std::make_unique<btTriangleMesh>());
    const auto at = [&](std::uint32_t i) {
      return btVector3(mesh.vertices[i].x, mesh.vertices[i].y, mesh.vertices[i].z);
    };
    for (const auto& t : mesh.triangles) meshes_.back()->addTriangle(at(t[0]), at(t[1]), at(t[2]));
    return std::make_unique<btBvhTriangleMeshShape>(meshes_.back().get(), true);
  }
  void clear() {
    if (!world_) return;
    for (const auto& body : bodies_) world_->removeRigidBody(body.get());
    world_.reset();
    bodies_.clear();
    shapes_.clear();
    meshes_.clear();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

std::unique_ptr<ScenePeer> makeSceneBullet() {
  return std::make_unique<BulletPeer>();
}

}  // namespace abut::bench
