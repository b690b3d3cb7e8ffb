// SPDX-License-Identifier: MIT
// FAULTS classes 1, 3 and 4: poses, masses and options that cannot be.
#include <limits>
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

TEST(Arguments, OptionsOfImpactsAreNumbers) {
  World world;
  ImpactOptions options;
  options.maxSolverError = kNaN;
  EXPECT_THROW(ImpactSimulation(world, options), Error);
  options = {};
  options.touchDistance = kNaN;
  EXPECT_THROW(ImpactSimulation(world, options), Error);
}

}  // namespace
}  // namespace abut::test
