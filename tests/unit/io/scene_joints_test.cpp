// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "io/core/text.hpp"
#include "io/run/simulation.hpp"
#include "io/scene/inspect.hpp"
#include "io/scene/scene.hpp"

namespace abut::io {
namespace {

const MemoryAssets kNoAssets{std::map<std::string, std::string>{}};

Scene parse(const std::string& text) {
  return parseScene(text, "scene.json", kNoAssets);
}
std::string fault(const std::string& text) {
  try {
    (void)buildWorld(parse(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
/// A rod of 1 m that hangs at x = 1 from its upper end, and joints.
std::string withJoints(const std::string& joints, const std::string& more = "") {
  return R"({"step": 0.002, "duration": 1, "bodies": [{"name": "rod", "position": [1, 0, -0.5], "mass": 3,
      "shapes": [{"box": {"size": [0.1, 0.1, 1]}}]}, {"name": "link", "position": [0, 5, 0],
      "repeat": {"count": 4, "step": [0, 0, -1]}, "shapes": [{"sphere": {"radius": 0.2}}]}],
      "joints": [)" +
         joints + "]" + more + "}";
}
const std::string kHinge =
    R"("name": "pin", "type": "hinge", "body2": "rod", "frame": {"position": [1, 0, 0], "axis": [0, 1, 0]})";

/// What joints connect and keep from touching does not overlap.
TEST(SceneJoints, ConnectedBodiesAreNoOverlap) {
  const auto overlaps = [](const std::string& collide) {
    return inspectScene(parse(R"({"step": 0.01, "duration": 1, "bodies": [
        {"name": "a", "shapes": [{"sphere": {"radius": 1}}]},
        {"name": "b", "position": [0.5, 0, 0], "shapes": [{"sphere": {"radius": 1}}]}],
        "joints": [{"name": "j", "type": "ball", "body1": "b", "body2": "a",
        "frame": {"position": [0, 0, 0]})" +
                              collide + "}]}"))
        .overlaps.size();
  };
  EXPECT_EQ(overlaps(""), 0u);
  EXPECT_EQ(overlaps(R"(, "collide": true)"), 1u);
}

TEST(SceneJoints, ReachTheWorldAsDescribed) {
  const Scene scene =
      parse(withJoints("{" + kHinge + R"(, "lower": -1, "upper": 0.5, "restitution": 0.25,
      "stiffness": 2, "rest": 0.1, "damping": 3, "armature": 0.5, "friction": 0.75, "breakForce": 1e4,
      "drive": {"mode": "position", "target": 0.2, "stiffness": 40, "damping": 4, "maxForce": 9}})"));
  const World world = buildWorld(scene);
  JointDescription d;
  world.getJoint(idOfName("pin"), d).orThrow();
  EXPECT_EQ(d.type, JointType::Hinge);
  EXPECT_EQ(d.body1, kNoObject);
  EXPECT_EQ(d.body2, idOfName("rod"));
  EXPECT_EQ(d.axes[0].limits.lower, -1.0);
  EXPECT_EQ(d.axes[0].limits.upper, 0.5);
  EXPECT_EQ(d.axes[0].limits.restitution, 0.25);
  EXPECT_EQ(d.axes[0].stiffness, 2.0);
  EXPECT_EQ(d.axes[0].rest, 0.1);
  EXPECT_EQ(d.axes[0].damping, 3.0);
  EXPECT_EQ(d.axes[0].armature, 0.5);
  EXPECT_EQ(d.axes[0].friction, 0.75);
  EXPECT_EQ(d.axes[0].drive.mode, DriveMode::Position);
  EXPECT_EQ(d.axes[0].drive.maxForce, 9.0);
  EXPECT_EQ(d.breakForce, 1e4);
}

TEST(SceneJoints, RepeatAlongAChainOfCopies) {
  const Scene scene =
      parse(withJoints(R"({"name": "eye", "type": "ball", "body1": "link[i]", "body2": "link[i+1]",
      "frame": {"position": [0, 5, -0.5]}, "repeat": {"count": 3, "step": [0, 0, -1]}})"));
  ASSERT_EQ(scene.joints.size(), 3u);
  const World world = buildWorld(scene);
  JointDescription d;
  world.getJoint(idOfName("eye[2]"), d).orThrow();
  EXPECT_EQ(d.body1, idOfName("link[2]"));
  EXPECT_EQ(d.body2, idOfName("link[3]"));
  EXPECT_NEAR(d.frame1.translation.z, -0.5, 1e-15);
  EXPECT_NEAR(d.frame2.translation.z, 0.5, 1e-15);
}

/// A strong servo follows targets that change in time: 0 to 1 rad over half a second.
TEST(SceneJoints, DrivesFollowTheirTargets) {
  const Scene scene =
      parse(withJoints("{" + kHinge + R"(, "drive": {"mode": "position", "stiffness": 1e6,
      "damping": 1e4, "interpolation": "linear", "targets": [{"time": 0, "target": 0}, {"time": 0.5, "target": 1}]}})"));
  Simulation simulation(scene);
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(simulation.step());
  JointState state;
  simulation.getWorld().getJointState(idOfName("pin"), state).orThrow();
  EXPECT_NEAR(state.position[0], 1.0, 1e-4);
  EXPECT_EQ(targetAt(scene.joints[0].programs[0], 0.25).target, 0.5);
  EXPECT_EQ(targetAt(scene.joints[0].programs[0], 9.0).target, 1.0);
}

TEST(SceneJoints, BadOnesAreRefusedByPlaceAndRemedy) {
  const auto joint = [](const std::string& rest) {
    return withJoints(R"({"name": "j", )" + rest + "}");
  };
  const std::string frame = R"("frame": {"position": [1, 0, 0]}, )";
  const std::pair<std::string, const char*> cases[] = {
      {joint(R"("type": "hinge", "body2": "rode", "frame": {})"),
       "/joints/0/body2: no body \"rode\""},
      {joint(R"("type": "hinge", "frame": {})"), "expected \"body1\", \"body2\" or both"},
      {joint(R"("type": "hing", "body2": "rod", "frame": {})"), "hinge"},
      {joint(R"("type": "hinge", "body2": "rod")"), "expected either \"frame\""},
      {joint(R"("type": "hinge", "body2": "rod", "frame": {}, "frame1": {})"),
       "expected either \"frame\""},
      {joint(frame + R"("type": "hinge", "body2": "rod", "lower": 1, "upper": 0)"),
       "lower 1 is above upper 0"},
      {joint(frame + R"("type": "ball", "body2": "rod", "lower": 1)"),
       "2 axes; give them in a list \"axes\""},
      {joint(R"("type": "hinge", "body2": "rod", "frame": {"axis": [0, 0, 0]})"), "/frame/axis"},
      {joint(frame + R"("type": "hinge", "body2": "rod", "length": 2)"),
       "only a joint of type \"distance\""},
      {joint(frame +
             R"("type": "hinge", "body2": "rod", "drive": {"mode": "speed", "stiffness": 1})"),
       "only a drive of mode \"position\""},
      {joint(
           frame +
           R"("type": "hinge", "body2": "rod", "drive": {"mode": "speed", "targets": [{"time": 1, "target": 0}, {"time": 1, "target": 0}]})"),
       "expected a time after 1 s"},
      {joint(R"("type": "hinge", "body1": "rod", "body2": "rod", "frame": {})"), "/joints/0"},
      {withJoints("{" + kHinge + "}, {" + kHinge + "}"), "is taken by the joint"},
      {withJoints(
           "{" + kHinge + "}",
           R"(, "couplings": [{"name": "c", "joint1": "pin", "joint2": "pan", "ratio": 1}])"),
       "no joint \"pan\""},
      {withJoints(
           "{" + kHinge + "}",
           R"(, "couplings": [{"name": "c", "joint1": "pin", "joint2": "pin", "ratio": 0}])"),
       "a ratio other than 0"},
  };
  for (const auto& [text, word] : cases)
    EXPECT_NE(fault(text).find(word), std::string::npos) << fault(text) << " / " << word;
}

}  // namespace
}  // namespace abut::io
