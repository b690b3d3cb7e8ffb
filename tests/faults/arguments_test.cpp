// SPDX-License-Identifier: MIT
// FAULTS classes 1, 3 and 4: poses, masses and options that cannot be.
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut::test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Matrices that are no rotations.
std::vector<Mat3> badRotations() {
  return {Mat3{{3, 0, 0}, {0, 3, 0}, {0, 0, 3}},    // Scaled.
          Mat3{{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},   // Mirrored.
          Mat3{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},    // Nothing.
          Mat3{{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}},  // Sheared.
          Mat3{{kNaN, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

TEST(Arguments, PosesOfShapesAreRigid) {
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
  for (const Mat3& rotation : badRotations()) {
    World world;
    const std::uint64_t hash = world.hash();
    Pose pose;
    pose.rotation = rotation;
    ObjectId id = kNoObject;
    for (const std::vector<BodyShape>& shapes :
         {std::vector<BodyShape>{{box, pose, 0}},
          std::vector<BodyShape>{{box, Pose{}, 0}, {box, pose, 0}}}) {
      const Status status = world.addBody({}, shapes, id);
      EXPECT_TRUE(status.getCode() == StatusCode::NotARotation ||
                  status.getCode() == StatusCode::NonFinite)
          << status.getMessage();
    }
    EXPECT_EQ(world.hash(), hash);
  }
  World world;
  Pose far;
  far.translation = {1e300, 0, 0};
  ObjectId id = kNoObject;
  EXPECT_EQ(world.addBody({}, {{box, far, 0}}, id).getCode(), StatusCode::OutOfRange);
}

TEST(Arguments, MassesThatAreNoNumbersAreRefusedOfAllBodies) {
  for (const BodyType type : {BodyType::Static, BodyType::Kinematic, BodyType::Dynamic}) {
    World world;
    ObjectId id = kNoObject;
    const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
    for (const BodyDescription& d :
         {BodyDescription{.type = type, .mass = kNaN},
          BodyDescription{.type = type, .mass = 1.0, .inertia = {1, kNaN, 1}}}) {
      EXPECT_EQ(world.addBody(d, {{box, Pose{}, 0}}, id).getCode(), StatusCode::NonFinite);
    }
  }
}

TEST(Arguments, QueriesOfWorldsTakePlacesThatHaveAUse) {
  World world;
  world.addBody({.type = BodyType::Static}, BoxShape({0.5, 0.5, 0.5}));
  const SphereShape ball(0.1);
  for (const double place : {1e31, -1e200, 1e308}) {
    Pose pose;
    pose.translation = {0, 0, place};
    std::optional<WorldRayHit> hit;
    std::vector<ObjectId> bodies;
    std::optional<WorldDistance> nearest;
    CastResult cast;
    for (const Status& status :
         {world.raycast({{0, place, 0}, {0, 0, 0}}, {}, hit),
          world.raycast({{0, 0, 3}, {0, 0, place}}, {}, hit), world.overlap(ball, pose, {}, bodies),
          world.closest(ball, pose, 1.0, {}, nearest),
          world.shapeCast(ball, pose, {{0, 0, -1}, {0, 0, 0}}, {}, cast)}) {
      EXPECT_EQ(status.getCode(), StatusCode::OutOfRange) << place << status.getMessage();
    }
  }
}

// The energy of such a body in the world's gravity is infinite, and the books with it.
TEST(Arguments, FactorsOfGravityLeaveBooksOfNumbers) {
  World world;
  const ObjectId ball = world.addBody({.position = {0, 0, 9}}, SphereShape(0.5));
  world.step(0.01).orThrow();
  const std::uint64_t hash = world.hash();
  EXPECT_EQ(world.setGravityScale(ball, 1e308).getCode(), StatusCode::OutOfRange);
  ObjectId id = kNoObject;
  EXPECT_EQ(world
                .addBody({.position = {0, 9, 9}, .gravityScale = -1e308},
                         std::make_shared<SphereShape>(0.5), 0, id)
                .getCode(),
            StatusCode::OutOfRange);
  EXPECT_EQ(world.hash(), hash);
  world.step(0.01).orThrow();
  EXPECT_LT(world.getLedger().largestEntry(), 1e9);
}

// 1 over such an armature or ratio is infinite: no step of the joint could ever be made.
TEST(Arguments, NumbersOfJointsHaveInverses) {
  World world;
  JointDescription hinge;
  hinge.placement = JointPlacement::InWorld;
  const auto ball = std::make_shared<SphereShape>(0.5);
  for (const double x : {0.0, 3.0}) {
    hinge.body2 = world.addBody({.position = {x, 0, 0}}, std::shared_ptr<const Shape>(ball));
    hinge.frame1.translation = {x, 0, 1};
    world.addJoint(hinge);
  }
  world.step(0.01).orThrow();
  const std::uint64_t hash = world.hash();
  ObjectId id = kNoObject;
  hinge.axes[0].armature = 1e-309;
  EXPECT_EQ(world.addJoint(hinge, id).getCode(), StatusCode::OutOfRange);
  for (const double bad : {1e308, -1e308, 1e-309, 0.0}) {
    const CouplingDescription coupling{.joint1 = 1, .joint2 = 2, .ratio = bad};
    EXPECT_EQ(world.addCoupling(coupling, id).getCode(), StatusCode::OutOfRange) << bad;
  }
  EXPECT_EQ(
      world.addCoupling({.joint1 = 1, .joint2 = 2, .offset = 1e308, .offsetFromNow = false}, id)
          .getCode(),
      StatusCode::OutOfRange);
  EXPECT_EQ(world.hash(), hash);
}

TEST(Arguments, ContactProblemsAreOfBodiesAndContactsThatAreThere) {
  const std::vector<BodyMobility> bodies(1);
  std::vector<SolverContact> contacts(1);
  contacts[0].body2 = 7;
  std::vector<Vec3> impulses(1);
  std::vector<BodyVelocity> velocities(1);
  ContactSolver solver;
  EXPECT_THROW(solver.solve({bodies, contacts}, {}, impulses, velocities), Error);
  contacts[0].body2 = 0;
  EXPECT_THROW(solver.solve({bodies, contacts}, {}, {}, velocities), Error);
  EXPECT_THROW(solver.solve({bodies, contacts}, {}, impulses, {}), Error);
  const std::vector<std::uint32_t> rowStart{0, 1}, column{5};
  const std::vector<std::array<double, 9>> block(1);
  const std::vector<Vec3> free(1);
  const std::vector<double> friction{0.5};
  std::vector<Vec3> atContacts(1);
  EXPECT_THROW(solver.solve(DelassusProblem{rowStart, column, block, free, friction}, {}, impulses,
                            atContacts),
               Error);
}

TEST(Arguments, OptionsOfImpactsAreNumbers) {
  World world;
  ImpactOptions options;
  options.maxSolverError = kNaN;
  EXPECT_THROW(ImpactSimulation(world, options), Error);
  options = {};
  options.touchDistance = kNaN;
  EXPECT_THROW(ImpactSimulation(world, options), Error);
  for (const double bad : {kNaN, -1.0, std::numeric_limits<double>::infinity()}) {
    options = {};
    options.solver.tolerance = bad;
    EXPECT_THROW(ImpactSimulation(world, options), Error) << bad;
  }
  // 10^298 samples a nanosecond: advance() would not come back.
  options = {};
  options.recordInterval = 1e-307;
  EXPECT_THROW(ImpactSimulation(world, options), Error);
}

}  // namespace
}  // namespace abut::test
