// SPDX-License-Identifier: MIT
// Bullet in double precision: the algorithms its dispatcher chooses, with default margins; and its
// GJK pair detector with EPA and margins of zero.
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <btBulletCollisionCommon.h>
#include <map>

#include "narrow_row.hpp"

namespace abut::bench {
namespace {

using Kind = Specimen::Kind;

btVector3 toBullet(const Vector& v) {
  return {v.x(), v.y(), v.z()};
}

btTransform makePose(const Matrix& r, const Vector& p) {
  return btTransform(
      btMatrix3x3(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
      toBullet(p));
}

std::unique_ptr<btConvexShape> makeShape(const Specimen& s) {
  switch (s.kind) {
    case Kind::Sphere:
      return std::make_unique<btSphereShape>(s.radius);
    case Kind::Box:
      return std::make_unique<btBoxShape>(toBullet(s.half));
    case Kind::Capsule:
      return std::make_unique<btCapsuleShapeZ>(s.radius, s.height);
    case Kind::Cylinder:
      return std::make_unique<btCylinderShapeZ>(btVector3(s.radius, s.radius, 0.5 * s.height));
    case Kind::Cone:
      return std::make_unique<btConeShapeZ>(s.radius, s.height);
    case Kind::Hull: {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const Vector& p : s.points) hull->addPoint(toBullet(p), false);
      hull->recalcLocalAabb();
      return hull;
    }
  }
  return nullptr;
}

/// Shapes of a row by body; a null body is the half-space.
class Shapes {
public:
  Shapes(const Row& row, bool zeroMargin) {
    for (const auto& body : row.bodies) {
      auto shape = makeShape(body->specimen);
      const Kind kind = body->specimen.kind;
      if (zeroMargin && kind != Kind::Sphere && kind != Kind::Capsule) shape->setMargin(0.0);
      convex_[body.get()] = std::move(shape);
    }
  }
  btConvexShape* convex(const Body* body) { return convex_.at(body).get(); }
  btCollisionShape* any(const Body* body) {
    if (body == nullptr) return &plane_;
    return convex(body);
  }

private:
  std::map<const Body*, std::unique_ptr<btConvexShape>> convex_;
  btStaticPlaneShape plane_{btVector3(0.0, 0.0, 1.0), 0.0};
};

class DispatchPeer final : public Peer {
public:
  [[nodiscard]] std::string getName() const override { return "Bullet"; }

  ~DispatchPeer() override { release(); }

  bool prepare(const Row& row) override {
    release();
    shapes_ = std::make_unique<Shapes>(row, false);
    std::map<std::pair<const Body*, const Body*>, Pair*> known;
    for (const Query& q : row.queries) {
      Pair*& pair = known[{q.body1, q.body2}];
      if (pair == nullptr) pair = makePair(q);
      pair_.push_back(pair);
      pose1_.push_back(makePose(q.rotation1, q.position1));
      pose2_.push_back(makePose(q.rotation2, q.position2));
    }
    return true;
  }

  double run(std::span<const std::uint32_t> order) override {
    double sum = 0.0;
    for (const std::uint32_t i : order) sum += ask(i).depth;
    return sum;
  }

  Answer ask(std::uint32_t i) override {
    Pair& pair = *pair_[i];
    pair.object1.setWorldTransform(pose1_[i]);
    pair.object2.setWorldTransform(pose2_[i]);
    const btCollisionObjectWrapper wrap1(nullptr, pair.object1.getCollisionShape(), &pair.object1,
                                         pair.object1.getWorldTransform(), -1, -1);
    const btCollisionObjectWrapper wrap2(nullptr, pair.object2.getCollisionShape(), &pair.object2,
                                         pair.object2.getWorldTransform(), -1, -1);
    btManifoldResult result(&wrap1, &wrap2);
    if (pair.manifold != nullptr) pair.manifold->clearManifold();
    pair.algorithm->processCollision(&wrap1, &wrap2, info_, &result);
    if (pair.manifold == nullptr) {
      btManifoldArray manifolds;
      pair.algorithm->getAllContactManifolds(manifolds);
      if (manifolds.size() == 0) return {};
      pair.manifold = manifolds[0];
    }
    Answer answer{false, -1e300};
    for (int k = 0; k < pair.manifold->getNumContacts(); ++k) {
      const btManifoldPoint& point = pair.manifold->getContactPoint(k);
      if (-point.getDistance() <= answer.depth) continue;
      const btVector3& n = point.m_normalWorldOnB;
      const double sign = pair.manifold->getBody0() == &pair.object1 ? 1.0 : -1.0;
      answer = {point.getDistance() <= 0.0, -point.getDistance(),
                sign * Vector(n.x(), n.y(), n.z())};
    }
    return answer.depth == -1e300 ? Answer{} : answer;
  }

private:
  struct Pair {
    btCollisionObject object1, object2;
    btCollisionAlgorithm* algorithm = nullptr;
    btPersistentManifold* manifold = nullptr;
  };

  Pair* makePair(const Query& q) {
    pairs_.push_back(std::make_unique<Pair>());
    Pair& pair = *pairs_.back();
    pair.object1.setCollisionShape(shapes_->convex(q.body1));
    pair.object2.setCollisionShape(shapes_->any(q.body2));
    const btTransform identity = btTransform::getIdentity();
    const btCollisionObjectWrapper wrap1(nullptr, pair.object1.getCollisionShape(), &pair.object1,
                                         identity, -1, -1);
    const btCollisionObjectWrapper wrap2(nullptr, pair.object2.getCollisionShape(), &pair.object2,
                                         identity, -1, -1);
    pair.algorithm =
        dispatcher_.findAlgorithm(&wrap1, &wrap2, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    return &pair;
  }

  void release() {
    for (auto& pair : pairs_) {
      pair->algorithm->~btCollisionAlgorithm();
      dispatcher_.freeCollisionAlgorithm(pair->algorithm);
    }
    pairs_.clear();
    pair_.clear();
    pose1_.clear();
    pose2_.clear();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDispatcherInfo info_;
  std::unique_ptr<Shapes> shapes_;
  std::vector<std::unique_ptr<Pair>> pairs_;
  std::vector<Pair*> pair_;
  std::vector<btTransform> pose1_, pose2_;
};

class DetectorPeer final : public Peer {
public:
  [[nodiscard]] std::string getName() const override { return "Bullet EPA"; }

  bool prepare(const Row& row) override {
    shapes_ = std::make_unique<Shapes>(row, true);
    inputs_.clear();
    shape1_.clear();
    shape2_.clear();
    for (const Query& q : row.queries) {
      if (q.body2 == nullptr) return false;
      btGjkPairDetector::ClosestPointInput input;
      input.m_transformA = makePose(q.rotation1, q.position1);
      input.m_transformB = makePose(q.rotation2, q.position2);
      inputs_.push_back(input);
      shape1_.push_back(shapes_->convex(q.body1));
      shape2_.push_back(shapes_->convex(q.body2));
    }
    return true;
  }

  double run(std::span<const std::uint32_t> order) override {
    double sum = 0.0;
    for (const std::uint32_t i : order) sum += ask(i).depth;
    return sum;
  }

  Answer ask(std::uint32_t i) override {
    btGjkPairDetector detector(shape1_[i], shape2_[i], &simplex_, &solver_);
    btPointCollector result;
    detector.getClosestPoints(inputs_[i], result, nullptr);
    if (!result.m_hasResult) return {};
    const btVector3& n = result.m_normalOnBInWorld;
    return {result.m_distance <= 0.0, -result.m_distance, Vector(n.x(), n.y(), n.z())};
  }

private:
  std::unique_ptr<Shapes> shapes_;
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver solver_;
  std::vector<btGjkPairDetector::ClosestPointInput> inputs_;
  std::vector<btConvexShape*> shape1_, shape2_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> makeBullet() {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(std::make_unique<DispatchPeer>());
  peers.push_back(std::make_unique<DetectorPeer>());
  return peers;
}

}  // namespace abut::bench
