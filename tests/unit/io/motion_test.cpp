// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include "io/core/text.hpp"
#include "io/run/checkpoint.hpp"
#include "io/run/simulation.hpp"

namespace abut::io {
namespace {

Scene parse(const std::string& text) {
  return parseScene(text, "test.json", MemoryAssets(std::map<std::string, std::string>{}));
}

/// A kinematic box with this motion, and what else is given for it; steps of 1/8 s.
Scene moving(const std::string& motion, const std::string& more = "") {
  return parse(R"({"step": 0.125, "duration": 4, "bodies": [{"name": "lift", "type": "kinematic",
      "shapes": [{"box": {"size": [1, 1, 1]}}], "motion": )" +
               motion + more + "}]}");
}

std::string faultOf(const std::string& motion, const std::string& more = "") {
  try {
    (void)moving(motion, more);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

BodyMotion motionOf(const Simulation& simulation, const std::string& name) {
  BodyMotion motion;
  simulation.getWorld().getMotion(idOfName(name), motion).orThrow();
  return motion;
}

TEST(ScenePath, IsWhereItShouldBeAtTheEndOfEachStep) {
  const Scene scene = moving(
      R"({"path": [{"time": 0.5, "position": [1, 0, 0]}, {"time": 1.5, "position": [1, 0, 2]},
                   {"time": 2.5, "rollPitchYawDegrees": [0, 0, 90]}]})");
  Simulation simulation(scene);
  EXPECT_EQ(motionOf(simulation, "lift").pose.translation, (Vec3{1, 0, 0}));
  const auto go = [&](double time) {
    while (simulation.getWorld().getTime() < time) ASSERT_TRUE(simulation.step());
  };
  go(0.5);
  EXPECT_EQ(motionOf(simulation, "lift").pose.translation, (Vec3{1, 0, 0}));
  go(0.75);  // A quarter of the way up.
  EXPECT_EQ(motionOf(simulation, "lift").pose.translation, (Vec3{1, 0, 0.5}));
  go(2.5);  // What a waypoint leaves out is as at the one before.
  EXPECT_EQ(motionOf(simulation, "lift").pose.translation, (Vec3{1, 0, 2}));
  EXPECT_NEAR(motionOf(simulation, "lift").orientation.z, std::sqrt(0.5), 1e-15);
  go(4);  // And there it stays.
  EXPECT_EQ(motionOf(simulation, "lift").pose.translation, (Vec3{1, 0, 2}));
}

TEST(ScenePath, FirstWaypointTakesItsPlaceFromTheBody) {
  const Scene scene = moving(R"({"path": [{"time": 0}, {"time": 1, "position": [0, 0, 1]}]})",
                             R"(, "position": [3, 2, 1])");
  ASSERT_EQ(scene.bodies[0].motion.path.size(), 2u);
  EXPECT_EQ(scene.bodies[0].motion.path[0].position, Eigen::Vector3d(3, 2, 1));
}

TEST(ScenePath, SmoothLegsBeginAndEndAtRestAndTurnEvenly) {
  const Scene scene = moving(
      R"({"interpolation": "smooth", "path": [{"time": 0}, {"time": 64, "position": [8, 0, 0], "rollPitchYawDegrees": [0, 0, 120]}]})");
  const std::vector<PathPoint>& path = scene.bodies[0].motion.path;
  ASSERT_EQ(path.size(), 513u);  // A piece for each of the 512 steps of 1/8 s.
  for (std::size_t k = 0; k <= 512; ++k) {
    const double s = static_cast<double>(k) / 512, f = s * s * (3 - 2 * s);
    EXPECT_EQ(path[k].time, static_cast<double>(k) / 8);
    EXPECT_NEAR(path[k].position.x(), 8 * f, 1e-15 * 8);
    // Half the angle of 120 f degrees; halving 27 times leaves that many roundings.
    const double half = f * 3.14159265358979323846 / 3;
    EXPECT_NEAR(path[k].orientation.w, std::cos(half), 1e-14);
    EXPECT_NEAR(path[k].orientation.z, std::sin(half), 1e-14);
  }
  // At rest at the ends: the first piece is slower than a hundredth of the mean.
  EXPECT_LT(path[1].position.x(), 8.0 / 512 / 100);
}

TEST(ScenePath, ALoadLiftedSmoothlyKeepsItsHold) {
  // 0.95 m in 2 s: at most 6 * 0.95 / 2^2 = 1.43 m/s^2, far below g, so the load never lifts off.
  const Scene scene = parse(R"({"step": 0.004, "duration": 2, "bodies": [
      {"name": "fork", "type": "kinematic", "shapes": [{"box": {"size": [1, 1, 0.1]}}], "motion":
        {"interpolation": "smooth", "path": [{"time": 0}, {"time": 2, "position": [0, 0, 0.95]}]}},
      {"name": "load", "position": [0, 0, 0.3], "shapes": [{"box": {"size": [0.5, 0.5, 0.5]}}]}]})");
  Simulation run(scene);
  int loose = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(run.step());
    double force = 0.0;
    for (const WorldContact& c : run.getWorld().getContacts()) force += c.normalForce;
    if (!(force > 0.0)) ++loose;
  }
  EXPECT_EQ(loose, 0);
}

TEST(ScenePath, CopiesMoveAsTheyArePlaced) {
  // Copy 1 is turned by 180 degrees about z, then shifted by (0, 0, 5).
  const Scene scene = moving(R"({"path": [{"time": 0}, {"time": 1, "position": [2, 0, 0]}]})",
                             R"(, "position": [1, 0, 0], "repeat": {"count": 2, "step": [0, 0, 5],
                                  "turn": {"degrees": 180}})");
  const SceneBody* copy = findBody(scene, idOfName("lift[1]"));
  ASSERT_NE(copy, nullptr);
  const PathPoint& end = copy->motion.path[1];
  EXPECT_NEAR(end.position.x(), -2, 1e-15);
  EXPECT_NEAR(end.position.y(), 0, 1e-15);
  EXPECT_EQ(end.position.z(), 5);
  EXPECT_NEAR(std::fabs(end.orientation.z), 1, 1e-15);
}

TEST(ScenePath, CopiesOfKeysAndOscillationsTurnToo) {
  const std::string turned = R"(, "repeat": {"count": 2, "turn": {"degrees": 90}})";
  const Scene keys = moving(R"({"keys": [{"time": 0, "linearVelocity": [2, 0, 0]}]})", turned);
  const Vec3 v = findBody(keys, idOfName("lift[1]"))->motion.keys[0].linear;
  EXPECT_NEAR(v.x, 0, 1e-15);
  EXPECT_NEAR(v.y, 2, 1e-15);
  const Scene swing =
      moving(R"({"oscillation": {"amplitude": [1, 0, 0], "frequency": 1}})", turned);
  EXPECT_NEAR(findBody(swing, idOfName("lift[1]"))->motion.amplitude.y, 1, 1e-15);
}

TEST(ScenePath, GoesOnAfterACheckpoint) {
  const Scene scene = moving(
      R"({"interpolation": "smooth", "path": [{"time": 0}, {"time": 3, "position": [0, 0, 2], "rollPitchYawDegrees": [0, 0, 90]}]})");
  Simulation whole(scene), first(scene), second(scene);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(whole.step());
  for (int i = 0; i < 7; ++i) ASSERT_TRUE(first.step());
  restoreCheckpoint(second, encodeCheckpoint(first), "memory");
  for (int i = 7; i < 20; ++i) ASSERT_TRUE(second.step());
  EXPECT_EQ(whole.getWorld().hash(), second.getWorld().hash());
}

TEST(ScenePath, MistakesAreNamed) {
  EXPECT_NE(
      faultOf(R"({"path": [{"time": 0, "position": [1, 0, 0]}]})", R"(, "position": [2, 0, 0])")
          .find("begins elsewhere"),
      std::string::npos);
  EXPECT_NE(faultOf(R"({"path": [{"time": 1}, {"time": 1}]})").find("expected a time after"),
            std::string::npos);
  EXPECT_NE(faultOf(R"({"path": [{"time": 0, "rollPitchYawDegrees": [0, 0, 0]},
                                 {"time": 1, "rollPitchYawDegrees": [0, 0, 360]}]})")
                .find("turn of 360 degrees"),
            std::string::npos);
  EXPECT_NE(faultOf(R"({"path": [{"time": 0}]})", R"(, "angularVelocity": [0, 0, 1])")
                .find("remove \"angularVelocity\" or \"motion\""),
            std::string::npos);
  EXPECT_NE(faultOf("7").find("expected an object with"), std::string::npos);
  EXPECT_NE(faultOf(R"({"paths": [{"time": 0}]})").find("did you mean \"path\"?"),
            std::string::npos);
}

}  // namespace
}  // namespace abut::io
