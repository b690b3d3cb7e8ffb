// SPDX-License-Identifier: MIT
#include <algorithm>

#include "robot_support.hpp"

namespace abut::io {
namespace {

using namespace test;

TEST(Urdf, InertiaIsAboutTheInertialsOriginInItsOwnAxes) {
  // Turned by a quarter about z, x and y change places.
  const Assembly a =
      assembled(urdf(R"(<link name="a"><inertial><origin xyz="1 2 3" rpy="0 0 1.5707963267948966"/>
      <mass value="4"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial></link>)"));
  ASSERT_EQ(a.bodies.size(), 1u);
  const RobotMass& m = a.bodies[0].mass;
  EXPECT_EQ(m.mass, 4.0);
  expectNear(m.center, {1, 2, 3});
  EXPECT_NEAR(m.tensor.x.x, 0.2, 1e-12);
  EXPECT_NEAR(m.tensor.y.y, 0.1, 1e-12);
  EXPECT_NEAR(m.tensor.x.y, -0.01, 1e-12);
}

TEST(Urdf, AnglesAreRadiansAboutFixedAxes) {
  const Assembly a = assembled(
      urdfJoint("revolute", R"(<origin xyz="0 0 1" rpy="1.5707963267948966 0 1.5707963267948966"/>
                     <axis xyz="0 0 2"/><limit lower="-1.5" upper="0.5" effort="7" velocity="3"/>)"));
  const AssembledJoint& j = jointNamed(a, "j");
  EXPECT_EQ(j.type, JointType::Hinge);
  EXPECT_EQ(j.axes[0].limits.lower, -1.5);
  EXPECT_EQ(j.axes[0].limits.upper, 0.5);
  EXPECT_EQ(j.axes[0].drive.maxForce, 7.0);
  // Roll first takes z to -y, then yaw takes -y to x.
  expectNear(j.frame1.rotation.z, {1, 0, 0});
  expectNear(j.frame1.translation, {0, 0, 1});
  expectNear(bodyNamed(a, "b").pose.rotation.z, {1, 0, 0});
}

TEST(Urdf, DefaultsOfAxisOriginAndLimits) {
  const Assembly a =
      assembled(urdfJoint("continuous", R"(<limit lower="0" upper="0" effort="0" velocity="0"/>)"));
  const JointAxis& law = jointNamed(a, "j").axes[0];
  EXPECT_EQ(law.limits.lower, -kInfinity);
  EXPECT_EQ(law.limits.upper, kInfinity);
  EXPECT_EQ(law.drive.maxForce, kInfinity);
  expectNear(jointNamed(a, "j").frame2.rotation.z, {1, 0, 0});  // The axis is x.
  EXPECT_EQ(bodyNamed(a, "b").pose, Pose{});
}

TEST(Urdf, SizesAreFullAndRoundShapesLieAlongZ) {
  const Assembly a = assembled(urdf(R"(<link name="a">)" + kInertial + R"(
      <collision><origin xyz="1 0 0"/><geometry><box size="1 2 3"/></geometry></collision>
      <collision><geometry><cylinder radius="0.5" length="4"/></geometry></collision>
      <collision><geometry><sphere radius="0.25"/></geometry></collision>
      <visual><geometry><box size="9 9 9"/></geometry></visual></link>)"));
  const std::vector<RobotShape>& s = a.bodies[0].shapes;
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].size, (Vec3{1, 2, 3}));
  EXPECT_EQ(s[0].pose.translation, (Vec3{1, 0, 0}));
  EXPECT_EQ(s[1].kind, RobotShape::Kind::Cylinder);
  EXPECT_EQ(s[1].size, (Vec3{0.5, 4, 0}));
}

TEST(Urdf, LinksWithoutMassMergeIntoTheirParents) {
  const Assembly a = assembled(urdf(R"(<link name="base"/><link name="trunk">)" + kInertial +
                                    R"(</link><link name="camera"/>
      <joint name="f" type="fixed"><origin xyz="0 0 1"/><parent link="base"/><child link="trunk"/></joint>
      <joint name="g" type="fixed"><origin xyz="0 0 2"/><parent link="trunk"/><child link="camera"/></joint>)"));
  ASSERT_EQ(a.bodies.size(), 1u);
  EXPECT_EQ(a.bodies[0].name, "base");
  EXPECT_EQ(a.bodies[0].mass.mass, 2.0);
  expectNear(a.bodies[0].mass.center, {0, 0, 1});
  EXPECT_TRUE(a.joints.empty());
}

TEST(Urdf, TwoMassesOfOneBodyAddUpByTheParallelAxes) {
  const Assembly a = assembled(urdf(
      "<link name=\"a\">" + kInertial + "</link><link name=\"b\">" + kInertial +
      R"(</link><joint name="f" type="fixed"><origin xyz="2 0 0"/><parent link="a"/><child link="b"/></joint>)"));
  const RobotMass& m = a.bodies[0].mass;
  EXPECT_EQ(m.mass, 4.0);
  expectNear(m.center, {1, 0, 0});
  EXPECT_NEAR(m.tensor.x.x, 0.2, 1e-12);
  EXPECT_NEAR(m.tensor.y.y, 0.4 + 4.0, 1e-12);
}

TEST(Urdf, ImpossibleFilesAreRefusedByLineAndName) {
  expectFault(urdf(R"(<link name="a"/>)"), "\"a\": it moves but has no mass");
  expectFault(urdf(R"(<link name="leg"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="2.1" ixy="0" ixz="0" iyz="0"/></inertial></link>)"),
              "link \"leg\": its inertia has a principal moment above");
  expectFault(urdf(R"(<link name="leg"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="2" ixz="0" iyz="0"/></inertial></link>)"),
              "not positive definite");
  expectFault(urdfJoint("revolute", ""), "needs <limit>");
  expectFault(urdfJoint("revolute", R"(<limit lower="1" upper="0" effort="1" velocity="1"/>)"),
              "above upper");
  expectFault(urdfJoint("continuous", R"(<axis xyz="0 0 0"/>)"), "expected a direction");
  expectFault(urdfJoint("continuous", R"(<axis xyz="0 zero 0"/>)"),
              "expected finite numbers, got \"zero\"");
  expectFault(urdfJoint("rotary", ""), "is none of fixed");
  expectFault(urdf("<xacro:macro name=\"x\"/>"), "xacro in.xacro > out.urdf");
  expectFault(urdf("<link name=\"${prefix}a\"/>"), "xacro in.xacro > out.urdf");
  expectFault("<robot><link name=\"a\">", "no XML");
  expectFault("<html/>", "expected <robot>");
  expectFault(
      urdf(
          R"(<link name="a"><collision><geometry><mesh filename="package://p/a.stl"/></geometry></collision></link>)"),
      "--package p=FOLDER");
}

TEST(Urdf, NumbersMayHaveNewlinesAndManyBlanks) {
  const Assembly a = assembled(urdfJoint("continuous", "<origin xyz=\" 1\n  2\t 3 \"/>"));
  expectNear(bodyNamed(a, "b").pose.translation, {1, 2, 3});
}

TEST(Urdf, RootIsFreeUnlessItIsFixed) {
  const std::string text =
      urdfJoint("prismatic", R"(<limit lower="0" upper="1" effort="2" velocity="0"/>)");
  EXPECT_FALSE(bodyNamed(assembled(text), "a").isStatic);
  RobotOptions fixed;
  fixed.fixed = true;
  const Assembly a = assembled(text, fixed);
  ASSERT_EQ(a.bodies.size(), 1u);  // The root has no shapes: the joint is to the world.
  EXPECT_EQ(a.joints[0].type, JointType::Slider);
  EXPECT_EQ(a.joints[0].body1, Assembly::kWorld);
}

TEST(Urdf, MimicPlanarAndFloatingJoints) {
  const std::string three = "<link name=\"a\">" + kInertial + "</link><link name=\"b\">" +
                            kInertial + "</link><link name=\"c\">" + kInertial + "</link>";
  const Assembly a = assembled(urdf(three + R"(
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/><dynamics damping="0.5" friction="0.25"/></joint>
      <joint name="k" type="continuous"><parent link="a"/><child link="c"/><mimic joint="j" multiplier="-2" offset="0.1"/></joint>)"));
  ASSERT_EQ(a.couplings.size(), 1u);
  EXPECT_EQ(a.joints[a.couplings[0].joint1].name, "j");
  EXPECT_EQ(a.joints[a.couplings[0].joint2].name, "k");
  EXPECT_EQ(a.couplings[0].ratio, -2.0);
  EXPECT_EQ(a.couplings[0].offset, 0.1);
  EXPECT_EQ(jointNamed(a, "j").axes[0].damping, 0.5);
  EXPECT_EQ(jointNamed(a, "j").axes[0].friction, 0.25);
  const Assembly planar = assembled(urdfJoint("planar", R"(<axis xyz="0 0 1"/>)"));
  EXPECT_EQ(planar.joints[0].type, JointType::SixAxis);
  int free = 0;
  for (const JointAxis& axis : planar.joints[0].axes) free += axis.locked ? 0 : 1;
  EXPECT_EQ(free, 3);
  EXPECT_TRUE(assembled(urdfJoint("floating", "")).joints.empty());
}

TEST(Urdf, MeshesAreFoundByPackageAndBesideADae) {
  const std::string text = urdf("<link name=\"a\">" + kInertial + R"(
      <collision><geometry><mesh filename="package://p/m/t.dae" scale="2 2 2"/></geometry></collision>
      <collision><geometry><mesh filename="meshes/none.dae"/></geometry></collision></link>)");
  RobotOptions options;
  options.packages["p"] = "folder";
  RobotTree tree = read(text, options, {{"folder/m/t.obj", kTetrahedron}});
  ASSERT_EQ(tree.links[0].shapes.size(), 1u);
  EXPECT_EQ(tree.links[0].shapes[0].points.size(), 4u);
  EXPECT_EQ(tree.lost.count("mesh meshes/none.dae, of which there is no OBJ or STL"), 1u);
}

TEST(Urdf, WhatIsNotCarriedOverIsCounted) {
  RobotTree tree = read(urdf("<link name=\"a\">" + kInertial + R"(<visual/><visual/></link>
      <transmission/><gazebo/><gazebo/>)"));
  EXPECT_EQ(tree.lost["<visual> of a link"], 2u);
  EXPECT_EQ(tree.lost["<gazebo>"], 2u);
  EXPECT_EQ(tree.lost["<transmission>"], 1u);
}

TEST(RobotScene, IsAWorldThatSteps) {
  for (
      const std::string& text :
      {urdfJoint(
           "revolute",
           R"(<origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="0"/>)"),
       mjcf(R"(<geom type="plane" size="1 1 1"/><body name="b" pos="0 0 1">)" + kMass +
                R"(<joint name="j" axis="0 1 0"/><geom size="0.1"/></body>)",
            kRadian, R"(<actuator><position joint="j" kp="10" kv="1"/></actuator>)")}) {
    RobotTree tree = read(text);
    const std::string json = writeRobotScene(tree, "", {}, true);
    const Scene scene = parseScene(json, "robot.json", MemoryAssets(Files{}));
    EXPECT_EQ(scene.joints.size(), 1u);
    EXPECT_EQ(scene.bodies.size(), 2u);
    World world = buildWorld(scene);
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(world.step(scene.step));
  }
}

TEST(RobotScene, ScenesNameRobotFiles) {
  const Files files = {{"arm/arm.urdf", urdfJoint("continuous", R"(<axis xyz="0 1 0"/>)")}};
  const std::string text = R"({"step": 0.01, "duration": 1, "robots": [
      {"name": "left", "file": "arm/arm.urdf", "position": [0, 1, 0]},
      {"name": "right", "file": "arm/arm.urdf", "position": [0, -1, 0]}]})";
  const Scene scene = parseScene(text, "s.json", MemoryAssets(files), readRobotFile);
  EXPECT_EQ(scene.bodies.size(), 4u);
  EXPECT_EQ(scene.joints.size(), 2u);
  const SceneBody* body = findBody(scene, idOfName("right/b"));
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(body->description.position.y(), -1.0);
  // A recording of it holds the file.
  EXPECT_EQ(scene.files.count("arm/arm.urdf"), 1u);
  const auto messageOf = [&](const std::string& other, RobotReader reader) -> std::string {
    try {
      (void)parseScene(other, "s.json", MemoryAssets(files), reader);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(messageOf(text, nullptr).find("/robots: robot files cannot be read here"),
            std::string::npos);
  EXPECT_NE(
      messageOf(R"({"step": 0.01, "duration": 1, "robots": [{"name": "a", "file": "../x.urdf"}]})",
                readRobotFile)
          .find("/robots/0: "),
      std::string::npos);
}

}  // namespace
}  // namespace abut::io
