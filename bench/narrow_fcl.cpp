// SPDX-License-Identifier: MIT
// FCL: collide() with contacts, and distance() with signed distance; both with its default solver.
#include <fcl/fcl.h>
#include <limits>

#include <abut/shapes/convex_shape.hpp>

#include "narrow_row.hpp"

namespace abut::bench {
namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;
using Kind = Specimen::Kind;

Geometry makeHull(const Body& body) {
  const auto& hull = static_cast<const ConvexShape&>(*body.shape);
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (std::size_t i = 0; i < hull.numVertices(); ++i) vertices->push_back(hull.getVertex(i));
  auto faces = std::make_shared<std::vector<int>>();
  for (std::size_t i = 0; i < hull.numFaces(); ++i) {
    const auto face = hull.getFace(i);
    faces->push_back(static_cast<int>(face.size()));
    for (const std::uint32_t v : face) faces->push_back(static_cast<int>(v));
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull.numFaces()), faces);
}

Geometry makeGeometry(const Body& body) {
  const Specimen& s = body.specimen;
  switch (s.kind) {
    case Kind::Sphere:
      return std::make_shared<fcl::Sphered>(s.radius);
    case Kind::Box:
      return std::make_shared<fcl::Boxd>(2.0 * s.half);
    case Kind::Capsule:
      return std::make_shared<fcl::Capsuled>(s.radius, s.height);
    case Kind::Cylinder:
      return std::make_shared<fcl::Cylinderd>(s.radius, s.height);
    case Kind::Cone:
      return std::make_shared<fcl::Coned>(s.radius, s.height);
    case Kind::Hull:
      return makeHull(body);
  }
  return nullptr;
}

class FclPeer final : public Peer {
public:
  explicit FclPeer(bool signedDistance) : signed_distance_(signedDistance) {
    collision_.enable_contact = true;
    collision_.num_max_contacts = 8;
    distance_.enable_nearest_points = true;
    distance_.enable_signed_distance = true;
  }

  [[nodiscard]] std::string getName() const override {
    return signed_distance_ ? "FCL dist" : "FCL";
  }

  bool prepare(const Row& row) override {
    geometries_.clear();
    geometry1_.clear();
    geometry2_.clear();
    pose1_.clear();
    pose2_.clear();
    std::vector<std::pair<const Body*, const fcl::CollisionGeometryd*>> known;
    for (const auto& body : row.bodies) {
      geometries_.push_back(makeGeometry(*body));
      known.emplace_back(body.get(), geometries_.back().get());
    }
    geometries_.push_back(std::make_shared<fcl::Halfspaced>(Vector(0.0, 0.0, 1.0), 0.0));
    known.emplace_back(nullptr, geometries_.back().get());
    const auto find = [&](const Body* body) {
      for (const auto& [key, geometry] : known) {
        if (key == body) return geometry;
      }
      return known.back().second;
    };
    for (const Query& q : row.queries) {
      if (signed_distance_ && q.body2 == nullptr) return false;
      geometry1_.push_back(find(q.body1));
      geometry2_.push_back(find(q.body2));
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

  Answer ask(std::uint32_t i) override { return signed_distance_ ? measure(i) : touch(i); }

private:
  static fcl::Transform3d makePose(const Matrix& rotation, const Vector& position) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.linear() = rotation;
    pose.translation() = position;
    return pose;
  }

  Answer touch(std::uint32_t i) {
    result_.clear();
    fcl::collide(geometry1_[i], pose1_[i], geometry2_[i], pose2_[i], collision_, result_);
    if (!result_.isCollision()) return {};
    Answer answer{true, -std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < result_.numContacts(); ++k) {
      const auto& contact = result_.getContact(k);
      if (contact.penetration_depth <= answer.depth) continue;
      answer.depth = contact.penetration_depth;
      answer.normal = -contact.normal;
    }
    return answer;
  }

  Answer measure(std::uint32_t i) {
    distance_result_.clear();
    fcl::distance(geometry1_[i], pose1_[i], geometry2_[i], pose2_[i], distance_, distance_result_);
    const double d = distance_result_.min_distance;
    return {d <= 0.0, -d};
  }

  bool signed_distance_;
  fcl::CollisionRequestd collision_;
  fcl::CollisionResultd result_;
  fcl::DistanceRequestd distance_;
  fcl::DistanceResultd distance_result_;
  std::vector<Geometry> geometries_;
  std::vector<const fcl::CollisionGeometryd*> geometry1_, geometry2_;
  std::vector<fcl::Transform3d, Eigen::aligned_allocator<fcl::Transform3d>> pose1_, pose2_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> makeFcl() {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(std::make_unique<FclPeer>(false));
  peers.push_back(std::make_unique<FclPeer>(true));
  return peers;
}

}  // namespace abut::bench
