// SPDX-License-Identifier: MIT
//
// Fast bodies at thin walls. Symptom that these tests keep away: boxes and capsules that turn on
// their first impact passed through walls of 1 cm, 1614 of 3600 at 10 to 1000 m/s, because a pair
// with a contact was not looked at again, turning did not count, nor did what a wall that moves
// runs over.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/allocations.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60;

class HoldBackOfScheme : public testing::TestWithParam<bool> {
protected:
  static WorldOptions options() {
    WorldOptions o = GetParam() ? WorldOptions::realTime() : WorldOptions{};
    o.gravity = {0, 0, 0};
    return o;
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, HoldBackOfScheme, testing::Bool(),
                         [](const auto& scheme) { return scheme.param ? "RealTime" : "Exact"; });

/// A wall in the y-z plane whose front looks to -x: a box, or a mesh of n x n squares.
std::shared_ptr<const Shape> wallOf(int n) {
  if (n == 0) return std::make_shared<BoxShape>(Eigen::Vector3d(0.005, 5, 5));
  std::vector<Eigen::Vector3d> corners;
  std::vector<MeshShape::Triangle> triangles;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j) corners.emplace_back(0.0, -5 + 10.0 * i / n, -5 + 10.0 * j / n);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto a = static_cast<std::uint32_t>(i * (n + 1) + j);
      const auto b = a + static_cast<std::uint32_t>(n) + 1;
      triangles.push_back({a, a + 1, b});
      triangles.push_back({a + 1, b + 1, b});
    }
  }
  return std::make_shared<MeshShape>(corners, triangles);
}

std::vector<std::shared_ptr<const Shape>> missiles() {
  const std::vector<Eigen::Vector3d> corners = {{.06, 0, 0},  {-.05, .01, 0}, {0, .04, 0},
                                                {0, -.04, 0}, {0, 0, .05},    {.01, 0, -.05}};
  return {std::make_shared<BoxShape>(Eigen::Vector3d(.05, .04, .03)),
          std::make_shared<CapsuleShape>(.03, .1),
          std::make_shared<BoxShape>(Eigen::Vector3d(.25, .01, .01)),
          std::make_shared<BoxShape>(Eigen::Vector3d(.1, .1, .002)),
          std::make_shared<CylinderShape>(.04, .1),
          std::make_shared<ConeShape>(.05, .1),
          std::make_shared<ConvexShape>(corners),
          std::make_shared<SphereShape>(.05)};
}

struct Shot {
  std::shared_ptr<const Shape> wall, body;
  Eigen::Vector3d wallVelocity = {0, 0, 0};
  BodyDescription description;
  double friction = 0.5, restitution = 0.0;
  bool wallFirst = true;  ///< Which of the two has the lower id.
};

struct Outcome {
  bool passed = false;
  double rise = 0.0;    ///< Greatest rise of the kinetic energy in a step, of the first.
  double misfit = 0.0;  ///< Of the books, of the kinetic energy.
};

Outcome fire(const WorldOptions& options, const Shot& shot) {
  World world(options);
  Material material;
  material.friction = shot.friction;
  material.restitution = shot.restitution;
  MaterialId id = 0;
  world.materials().add(material, id).orThrow();
  BodyDescription wall;
  wall.type =
      shot.wallVelocity == Eigen::Vector3d(0, 0, 0) ? BodyType::Static : BodyType::Kinematic;
  wall.linearVelocity = shot.wallVelocity;
  ObjectId wallId = 0;
  if (shot.wallFirst) wallId = world.addBody(wall, shot.wall, id);
  const ObjectId bodyId = world.addBody(shot.description, shot.body, id);
  if (!shot.wallFirst) wallId = world.addBody(wall, shot.wall, id);
  Outcome outcome;
  double first = 0.0;
  for (int i = 0; i < 10; ++i) {
    world.step(kStep).orThrow();
    BodyMotion w, b;
    world.getMotion(wallId, w).orThrow();
    world.getMotion(bodyId, b).orThrow();
    const Eigen::Vector3d from = b.centerOfMass - w.centerOfMass;
    if (std::fabs(from.y()) > 4 || std::fabs(from.z()) > 4) break;  // It leaves the wall's rim.
    outcome.passed = outcome.passed || from.x() > 0;
    const EnergyAccount& books = world.getStepLedger();
    if (i == 0) first = books.kineticBefore;
    const double size = std::max(books.kineticBefore, books.kineticAfter);
    outcome.misfit = std::max(outcome.misfit, std::fabs(books.residual()) / size);
    outcome.rise = std::max(outcome.rise, (books.kineticAfter - books.kineticBefore) / first);
  }
  return outcome;
}

/// A shot with a random start, turn and spin that reaches the wall in its second or third step.
Shot randomShot(test::Random& random, double speed, bool moving) {
  Shot shot;
  BodyDescription& d = shot.description;
  const double way = random.between(1, 2) * speed * kStep + 0.3;
  d.position = {-way, random.between(-1, 1), random.between(-1, 1)};
  const Eigen::Vector3d velocity(speed, random.between(-.1, .1) * speed, 0);
  (moving ? shot.wallVelocity : d.linearVelocity) =
      moving ? Eigen::Vector3d(-speed, 0, 0) : velocity;
  d.orientation = random.quaternion();
  const double spin = random.between(0, 1) < 0.5 ? 0.0 : random.between(0, 300);
  d.angularVelocity = toEigen(random.direction() * spin);
  shot.friction = random.between(0, 1);
  shot.restitution = random.between(0, 1);
  shot.wallFirst = random.between(0, 1) < 0.5;
  return shot;
}

TEST_P(HoldBackOfScheme, NoShapePassesAThinWallAtAnySpeed) {
  test::Random random(2201);
  const auto bodies = missiles();
  for (const int squares : {0, 1, 12}) {
    const auto wall = wallOf(squares);
    for (const bool moving : {false, true}) {
      for (const auto& body : bodies) {
        for (const double speed : {7.0, 15.0, 70.0, 400.0, 900.0}) {
          Shot shot = randomShot(random, speed, moving);
          shot.wall = wall;
          shot.body = body;
          const Outcome outcome = fire(options(), shot);
          EXPECT_FALSE(outcome.passed) << toString(body->getType()) << ' ' << speed << " m/s, wall "
                                       << squares << (moving ? ", moving" : "");
          EXPECT_LE(outcome.misfit, 1e-10);
          // A wall at rest gives nothing; what is left is rounding of e <= 1.
          if (moving) continue;
          EXPECT_LE(outcome.rise, 1e-12) << speed << " m/s";
        }
      }
    }
  }
}

/// The greatest overlap with what does not move after any of some steps [m].
double deepestOf(const WorldOptions& options, const Shape& wall, const Eigen::Vector3d& place,
                 const Shot& shot) {
  World world(options);
  BodyDescription d;
  d.type = BodyType::Static;
  d.position = place;
  world.addBody(d, shot.wall);
  const ObjectId id = world.addBody(shot.description, shot.body);
  double deepest = 0.0;
  for (int i = 0; i < 8; ++i) {
    world.step(kStep).orThrow();
    BodyMotion at;
    world.getMotion(id, at).orThrow();
    CollisionResult result;
    Pose still;
    still.translation = toVec3(place);
    collide({&wall, still, 1}, {shot.body.get(), at.pose, 2}, CollisionOption::fullContacts(),
            result)
        .orThrow();
    if (result.isCollision()) deepest = std::max(deepest, result.penetrationDepth());
  }
  return deepest;
}

/// A channel of three walls, 20 cm long and wide, 4 mm thick, as one mesh.
std::shared_ptr<const Shape> channel() {
  const double w = 0.1, t = 0.004;
  const double x[] = {-w, w, w, w - t, w - t, t - w, t - w, -w};
  const double y[] = {-w, -w, w, w, t - w, t - w, w, w};
  std::vector<Eigen::Vector3d> corners;
  for (const double z : {-w, w}) {
    for (int i = 0; i < 8; ++i) corners.emplace_back(x[i], y[i], z);
  }
  std::vector<MeshShape::Triangle> faces;
  const auto addQuad = [&faces](std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                std::uint32_t d) {
    faces.push_back({a, b, c});
    faces.push_back({a, c, d});
  };
  for (std::uint32_t i = 0; i < 8; ++i) addQuad(i, (i + 1) % 8, (i + 1) % 8 + 8, i + 8);
  const std::uint32_t caps[3][4] = {{0, 1, 4, 5}, {1, 2, 3, 4}, {0, 5, 6, 7}};
  for (const auto& c : caps) {
    addQuad(c[0] + 8, c[1] + 8, c[2] + 8, c[3] + 8);
    addQuad(c[3], c[2], c[1], c[0]);
  }
  return std::make_shared<MeshShape>(corners, faces);
}

// Symptom: rods of 2 cm entered a plane by 1.4 m at 300 m/s when they turned on their first impact,
// since planes were left out; a cross of rods of 8 mm entered a thick wall by 20 mm, since the
// compound's box of 40 cm counted as its thickness; so did that of meshes.
TEST_P(HoldBackOfScheme, ThinPartsDoNotEnterPlanesOrThickWalls) {
  const auto rod = [](double x, double y, double z) {
    return CompoundShape::Child{std::make_shared<BoxShape>(Eigen::Vector3d(x, y, z)), {}};
  };
  const std::shared_ptr<const Shape> bodies[] = {
      std::make_shared<BoxShape>(Eigen::Vector3d(.25, .01, .01)),
      std::make_shared<CompoundShape>(std::vector<CompoundShape::Child>{
          rod(.2, .004, .004), rod(.004, .2, .004), rod(.004, .004, .2)}),
      channel()};
  const double allowed[] = {5e-3, 8e-4, 8e-4};
  test::Random random(77);
  for (const bool isPlane : {false, true}) {
    Shot shot;
    const Eigen::Vector3d place(isPlane ? 0 : 5, 0, 0);
    if (isPlane) {
      shot.wall = std::make_shared<PlaneShape>(Eigen::Vector3d(-1, 0, 0));
    } else {
      shot.wall = std::make_shared<BoxShape>(Eigen::Vector3d(5, 50, 50));
    }
    for (int body = 0; body < 3; ++body) {
      for (const double speed : {3.0, 20.0, 120.0, 300.0}) {
        for (int k = 0; k < 5; ++k) {
          shot.body = bodies[body];
          shot.description = randomShot(random, speed, false).description;
          EXPECT_LT(deepestOf(options(), *shot.wall, place, shot), allowed[body])
              << body << ' ' << speed << " m/s" << (isPlane ? " plane" : "");
        }
      }
    }
  }
}

TEST_P(HoldBackOfScheme, TheTableOfTheReportIsEmpty) {
  test::Random random(3);
  const std::shared_ptr<const Shape> bodies[] = {
      std::make_shared<BoxShape>(Eigen::Vector3d(.05, .04, .03)),
      std::make_shared<CapsuleShape>(.03, .1),
      std::make_shared<BoxShape>(Eigen::Vector3d(.25, .25, .25))};
  for (const auto& body : bodies) {
    for (const double speed : {10.0, 20.0, 50.0, 100.0, 300.0, 1000.0}) {
      int passed = 0;
      for (int k = 0; k < 20; ++k) {
        Shot shot = randomShot(random, speed, false);
        shot.wall = wallOf(0);
        shot.body = body;
        shot.description.linearVelocity = {speed, 0, 0};
        shot.description.angularVelocity = {0, 0, 0};
        shot.restitution = 0.0;
        shot.friction = 0.5;
        passed += fire(options(), shot).passed ? 1 : 0;
      }
      EXPECT_EQ(passed, 0) << speed << " m/s";
    }
  }
}

TEST_P(HoldBackOfScheme, APaddleThatTurnsThrowsWhatItHits) {
  test::Random random(91);
  const auto bodies = missiles();
  for (const double speed : {3.0, 20.0, 90.0}) {
    for (const auto& shape : bodies) {
      World world(options());
      BodyDescription paddle;
      paddle.type = BodyType::Kinematic;
      paddle.angularVelocity = {0, 0, -speed};
      const ObjectId paddleId =
          world.addBody(paddle, std::make_shared<BoxShape>(Eigen::Vector3d(.005, 2, 2)));
      BodyDescription d;
      d.position = {-.25 - random.between(0, .2), 1.0 + random.between(-.3, .3), 0};
      d.orientation = random.quaternion();
      const ObjectId id = world.addBody(d, shape);
      for (int i = 0; i < 10; ++i) {
        world.step(kStep).orThrow();
        BodyMotion p, b;
        world.getMotion(paddleId, p).orThrow();
        world.getMotion(id, b).orThrow();
        const Vec3 local = transposeTimes(p.pose.rotation, toVec3(b.centerOfMass));
        if (std::fabs(local.y) > 1.7 || local.y < .2 || std::fabs(local.z) > 1.7) break;
        EXPECT_LT(local.x, 0.0) << toString(shape->getType()) << ' ' << speed << " rad/s";
      }
    }
  }
}

TEST_P(HoldBackOfScheme, FastSlidesAreNotHeld) {
  WorldOptions o = options();
  o.gravity = {0, 0, -9.81};
  for (const double speed : {4.0, 25.0, 90.0}) {
    double slid[2] = {0, 0};
    for (const bool onBox : {false, true}) {
      World world(o);
      BodyDescription floor;
      floor.type = BodyType::Static;
      if (onBox) {
        floor.position = {0, 0, -.5};
        world.addBody(floor, BoxShape({500, 5, .5}));
      } else {
        world.addBody(floor, PlaneShape({0, 0, 1}));
      }
      BodyDescription d;
      d.position = {-300, 0, .04};
      d.linearVelocity = {speed, 0, 0};
      const ObjectId id = world.addBody(d, BoxShape({.06, .05, .04}));
      for (int i = 0; i < 45; ++i) world.step(kStep).orThrow();
      BodyMotion m;
      world.getMotion(id, m).orThrow();
      slid[onBox ? 1 : 0] = m.centerOfMass.x() + 300;
      const double t = 0.75, mu = 0.5;
      // The real-time scheme moves by the velocity at the end: mu g dt t / 2 less.
      const double less = GetParam() ? 0.5 * mu * 9.81 * kStep * t : 0.0;
      EXPECT_NEAR(slid[onBox ? 1 : 0], speed * t - 0.5 * mu * 9.81 * t * t - less, 1e-9);
    }
    EXPECT_NEAR(slid[0], slid[1], 1e-9);
  }
}

TEST_P(HoldBackOfScheme, BodiesThatMeetHeadOnDoNotPass) {
  for (const double speed : {20.0, 150.0, 700.0}) {
    for (const bool exchanged : {false, true}) {
      World world(options());
      ObjectId ids[2];
      for (const int k : {exchanged ? 1 : 0, exchanged ? 0 : 1}) {
        BodyDescription d;
        const double side = k == 0 ? -1.0 : 1.0;
        d.position = {side * (0.4 + 0.7 * speed * kStep), 0, 0};
        d.linearVelocity = {-side * speed, 0, 0};
        ids[k] = world.addBody(d, BoxShape({.03, .2, .2}));
      }
      for (int i = 0; i < 4; ++i) world.step(kStep).orThrow();
      BodyMotion left, right;
      world.getMotion(ids[0], left).orThrow();
      world.getMotion(ids[1], right).orThrow();
      EXPECT_LT(left.centerOfMass.x(), right.centerOfMass.x()) << speed << " m/s";
    }
  }
}

/// A cage of walls of 1 cm, and in it one or two blocks of eight bodies that go a metre in a step.
class Cage {
public:
  Cage(const WorldOptions& options, const std::shared_ptr<const Shape>& shape, bool twoBlocks,
       double restitution, double spin, std::uint64_t seed)
      : world_(options), shape_(shape), random_(seed) {
    Material material;
    material.restitution = restitution;
    material.friction = 0.3;
    world_.materials().add(material, material_).orThrow();
    BodyDescription wall;
    wall.type = BodyType::Static;
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-kHalf, kHalf}) {
        wall.position = {0, 0, 0};
        wall.position[axis] = side;
        Eigen::Vector3d half(kHalf, kHalf, kHalf);
        half[axis] = 0.005;
        walls_.push_back(std::make_shared<BoxShape>(half));
        wall_ids_.push_back(world_.addBody(wall, walls_.back(), material_));
      }
    }
    const Eigen::Vector3d way(60, random_.between(-12, 12), random_.between(-12, 12));
    addBlock({-0.7, random_.between(-.1, .1), 0}, way, spin);
    if (twoBlocks) addBlock({0.7, 0, random_.between(-.1, .1)}, -way, spin);
  }

  /// Makes steps; what overlaps most in any of them [m], nothing gained, nothing outside.
  double run(int steps) {
    double deepest = 0.0, first = 0.0;
    for (int i = 0; i < steps; ++i) {
      world_.step(kStep).orThrow();
      const EnergyAccount& e = world_.getStepLedger();
      if (i == 0) first = e.kineticBefore;
      EXPECT_LE((e.kineticAfter - e.kineticBefore) + (e.potentialAfter - e.potentialBefore),
                1e-6 * first);
      EXPECT_LE(std::fabs(e.residual()), 1e-12 * first);
      deepest = std::max(deepest, findDeepest());
    }
    return deepest;
  }

private:
  static constexpr double kHalf = 2.0;

  void addBlock(const Eigen::Vector3d& at, const Eigen::Vector3d& velocity, double spin) {
    const double spacing = 2 * shape_->boundingRadius() + 0.002;
    for (int k = 0; k < 8; ++k) {
      BodyDescription d;
      d.position = at + Eigen::Vector3d(k & 1, (k >> 1) & 1, k >> 2) * spacing;
      d.orientation = random_.quaternion();
      d.linearVelocity = velocity;
      d.angularVelocity = toEigen(random_.direction() * (spin * random_.between(0, 1)));
      ids_.push_back(world_.addBody(d, shape_, material_));
    }
  }
  double findDeepest() {
    double deepest = 0.0;
    const auto see = [&](ObjectId a, const Shape& shape, ObjectId b) {
      DistanceResult result;
      distance({shape_.get(), world_.motion(b).pose, 1}, {&shape, world_.motion(a).pose, 2}, result)
          .orThrow();
      deepest = std::max(deepest, -result.distance);
    };
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      EXPECT_LT(world_.motion(ids_[i]).centerOfMass.cwiseAbs().maxCoeff(), kHalf);
      for (std::size_t j = 0; j < i; ++j) see(ids_[j], *shape_, ids_[i]);
      for (std::size_t j = 0; j < walls_.size(); ++j) see(wall_ids_[j], *walls_[j], ids_[i]);
    }
    return deepest;
  }

  World world_;
  std::shared_ptr<const Shape> shape_;
  test::Random random_;
  MaterialId material_ = 0;
  std::vector<ObjectId> ids_, wall_ids_;
  std::vector<std::shared_ptr<const Shape>> walls_;
};

// Bodies stop where they overlap by a tenth of their least half width (0.2 to 5 mm here); two
// blocks of boxes that meet were seen to overlap by 10 mm in the exact scheme.
TEST_P(HoldBackOfScheme, PackedGroupsThatGoAMetreAStepStayApart) {
  const auto bodies = missiles();
  WorldOptions o = options();
  o.gravity = {0, 0, -9.81};
  for (const std::size_t shape : {0U, 1U, 2U, 3U, 6U}) {
    for (const bool twoBlocks : {false, true}) {
      for (const double spin : {20.0, 210.0}) {
        Cage cage(o, bodies[shape], twoBlocks, twoBlocks ? 0.0 : 0.5, spin, 40 + shape);
        EXPECT_LE(cage.run(16), 0.012)
            << toString(bodies[shape]->getType()) << ' ' << spin << (twoBlocks ? " two" : " one");
      }
    }
  }
}

// Two that overlap and part are not held, whatever they overlap by.
TEST_P(HoldBackOfScheme, WhatPartsIsNotHeld) {
  for (const double overlap : {1e-4, 5e-3, 2e-2}) {
    World world(options());
    ObjectId ids[2];
    for (const int k : {0, 1}) {
      BodyDescription d;
      const double side = k == 0 ? -1.0 : 1.0;
      d.position = {side * (0.05 - 0.5 * overlap), 0, 0};
      d.linearVelocity = {side * 20.0, 0, 0};
      ids[k] = world.addBody(d, SphereShape(0.05));
    }
    world.step(kStep).orThrow();
    EXPECT_GT((world.motion(ids[1]).position - world.motion(ids[0]).position).norm(), 0.6);
  }
}

TEST_P(HoldBackOfScheme, StepsThatHoldBodiesBackAllocateNothing) {
  World world(options());
  BodyDescription wall;
  wall.type = BodyType::Static;
  for (const double x : {-1.0, 1.0}) {
    wall.position = {x, 0, 0};
    world.addBody(wall, wallOf(0));
  }
  Material material;
  material.restitution = 1.0;
  material.friction = 0.0;
  MaterialId elastic = 0;
  world.materials().add(material, elastic).orThrow();
  BodyDescription d;
  d.linearVelocity = {100, 0, 0};
  world.addBody(d, BoxShape({.05, .05, .05}), elastic);
  for (int i = 0; i < 60; ++i) world.step(kStep).orThrow();
  const std::size_t before = test::countAllocations();
  for (int i = 0; i < 20; ++i) world.step(kStep).orThrow();
  EXPECT_EQ(test::countAllocations(), before);
}

}  // namespace
}  // namespace abut
