// SPDX-License-Identifier: MIT
#include <algorithm>

#include "robot_support.hpp"

namespace abut::io {
namespace {

using namespace test;

TEST(Mjcf, AnglesAreDegreesUnlessTheFileSaysRadians) {
  const std::string body =
      R"(<body name="b" euler="90 0 0">)" + kMass +
      R"(<joint name="j" axis="0 0 1" range="-90 45" ref="10" stiffness="2" springref="30"/></body>)";
  const Assembly a = assembled(mjcf(body));
  const JointAxis& law = jointNamed(a, "j").axes[0];
  EXPECT_NEAR(law.limits.lower, -100 * kDegree, 1e-12);  // From ref.
  EXPECT_NEAR(law.limits.upper, 35 * kDegree, 1e-12);
  EXPECT_NEAR(law.rest, 20 * kDegree, 1e-12);
  expectNear(bodyNamed(a, "b").pose.rotation.z, {0, -1, 0});
  const Assembly r = assembled(mjcf(body, kRadian));
  EXPECT_NEAR(jointNamed(r, "j").axes[0].limits.lower, -100.0, 1e-12);
  // A slide is in metres whatever angles are in.
  const Assembly s = assembled(
      mjcf(R"(<body name="b">)" + kMass + R"(<joint name="j" type="slide" range="-1 2"/></body>)"));
  EXPECT_EQ(jointNamed(s, "j").axes[0].limits.upper, 2.0);
}

TEST(Mjcf, RangesLimitByThemselvesUnlessAutolimitsIsOff) {
  const auto body = [](const std::string& joint) {
    return R"(<body name="b">)" + kMass + "<joint name=\"j\" " + joint + "/></body>";
  };
  EXPECT_LT(jointNamed(assembled(mjcf(body("range=\"-1 1\""))), "j").axes[0].limits.upper, 1.0);
  EXPECT_EQ(jointNamed(assembled(mjcf(body("range=\"-1 1\" limited=\"false\""))), "j")
                .axes[0]
                .limits.upper,
            kInfinity);
  const std::string off = R"(<compiler autolimits="false"/>)";
  expectFault(mjcf(body("range=\"-1 1\""), off), "\"range\" without \"limited\"");
  EXPECT_LT(jointNamed(assembled(mjcf(body("range=\"-1 1\" limited=\"true\""), off)), "j")
                .axes[0]
                .limits.upper,
            1.0);
}

TEST(Mjcf, DefaultsNestMergeAndAreInheritedByTheSubtree) {
  // Defaults after the bodies, in two sections, with a class in a class.
  const std::string text =
      mjcf(R"(
      <body name="b" childclass="leg">)" +
               kMass + R"(<joint name="j" axis="1 0 0"/>
        <body name="c">)" +
               kMass + R"(<joint name="k" class="knee" axis="1 0 0"/></body>
        <body name="d">)" +
               kMass + R"(<joint name="l" axis="1 0 0" damping="9"/></body></body>
      <body name="e">)" +
               kMass + R"(<joint name="m" axis="1 0 0"/></body>)",
           "",
           R"(<default><joint armature="0.5"/><default class="leg"><joint damping="1"/>
           <default class="knee"><joint frictionloss="2"/></default></default></default>
         <default><joint stiffness="3"/></default>)");
  const Assembly a = assembled(text);
  const JointAxis &j = jointNamed(a, "j").axes[0], &k = jointNamed(a, "k").axes[0];
  const JointAxis &l = jointNamed(a, "l").axes[0], &m = jointNamed(a, "m").axes[0];
  EXPECT_EQ(j.damping, 1.0);
  EXPECT_EQ(j.armature, 0.5);
  EXPECT_EQ(j.stiffness, 3.0);
  EXPECT_EQ(j.friction, 0.0);
  EXPECT_EQ(k.friction, 2.0);
  EXPECT_EQ(k.damping, 1.0);
  EXPECT_EQ(l.damping, 9.0);
  EXPECT_EQ(m.damping, 0.0);
  EXPECT_EQ(m.stiffness, 3.0);
  expectFault(mjcf(R"(<body name="b">)" + kMass + R"(<joint class="none"/></body>)"),
              "no default class \"none\"");
}

TEST(Mjcf, OrientationsInAllTheirForms) {
  const auto zOf = [](const std::string& attribute, const std::string& compiler = "") {
    return assembled(mjcf("<body name=\"b\" " + attribute + "><freejoint/>" + kMass + "</body>",
                          compiler))
        .bodies[0]
        .pose.rotation.z;
  };
  expectNear(zOf("quat=\"2 2 0 0\""), {0, -1, 0});  // Not of length 1: a quarter about x.
  expectNear(zOf("axisangle=\"2 0 0 90\""), {0, -1, 0});
  expectNear(zOf("zaxis=\"0 -3 0\""), {0, -1, 0});
  expectNear(zOf("xyaxes=\"1 0 0 0 0 1\""), {0, -1, 0});
  // About x, then about the new y: z goes to -y and stays; about the fixed y it goes to -y too.
  expectNear(zOf("euler=\"90 90 0\""), {1, 0, 0});
  expectNear(zOf("euler=\"90 90 0\"", R"(<compiler eulerseq="XYZ"/>)"), {0, -1, 0});
}

TEST(Mjcf, InertialsOfBothForms) {
  const Assembly a = assembled(mjcf(R"(<body name="b"><freejoint/>
      <inertial mass="3" pos="1 2 3" quat="1 0 0 1" diaginertia="0.1 0.2 0.25"/></body>
      <body name="c"><freejoint/><inertial mass="1" pos="0 0 0" fullinertia="1 2 2.5 0.1 0.2 0.3"/></body>)"));
  expectNear(bodyNamed(a, "b").mass.center, {1, 2, 3});
  EXPECT_NEAR(bodyNamed(a, "b").mass.tensor.x.x, 0.2, 1e-12);
  const Mat3& t = bodyNamed(a, "c").mass.tensor;
  EXPECT_EQ(t.x.y, 0.1);
  EXPECT_EQ(t.x.z, 0.2);
  EXPECT_EQ(t.y.z, 0.3);
  expectFault(
      mjcf(
          R"(<body name="b"><freejoint/><inertial mass="1" pos="0 0 0" diaginertia="1 1 3"/></body>)"),
      "body \"b\": its inertia has a principal moment above");
}

TEST(Mjcf, SizesAreHalvesAndGeomsWithoutForceCountForInertia) {
  RobotTree tree =
      read(mjcf(R"(<body name="b"><freejoint/><geom type="box" size="0.5 1 1.5" density="100"/>
      <geom type="sphere" size="0.1" contype="0" conaffinity="0" mass="5" pos="0 0 2"/>
      <geom type="capsule" fromto="0 0 0 0 0 4" size="0.2" mass="0"/></body>)"));
  const Assembly a = assemble(tree, {});
  ASSERT_EQ(a.bodies[0].shapes.size(), 2u);
  EXPECT_EQ(a.bodies[0].shapes[0].size, (Vec3{1, 2, 3}));
  EXPECT_EQ(a.bodies[0].shapes[1].size, (Vec3{0.2, 4, 0}));
  expectNear(a.bodies[0].shapes[1].pose.translation, {0, 0, 2});
  EXPECT_NEAR(a.bodies[0].mass.mass, 605.0, 1e-9);
  EXPECT_EQ(tree.lost["geom that touches nothing, as a shape (it counts for inertia)"], 1u);
  // Unless their group is left out, or there is an <inertial>.
  const std::string two =
      R"(<body name="b"><freejoint/><geom type="box" size="0.5 0.5 0.5" group="3"/><geom size="1" mass="2"/></body>)";
  EXPECT_NEAR(assembled(mjcf(two)).bodies[0].mass.mass, 1002.0, 1e-9);
  EXPECT_NEAR(assembled(mjcf(two, R"(<compiler inertiagrouprange="0 2"/>)")).bodies[0].mass.mass,
              2.0, 1e-12);
  const std::string given = R"(<body name="b"><freejoint/>)" + kMass + R"(<geom size="1"/></body>)";
  EXPECT_EQ(assembled(mjcf(given)).bodies[0].mass.mass, 2.0);
  EXPECT_GT(assembled(mjcf(given, R"(<compiler inertiafromgeom="true"/>)")).bodies[0].mass.mass,
            1000.0);
}

TEST(Mjcf, ContactsByBitsParentsAndExclusions) {
  // The feet (1, 2) and the trunk (2, 0) touch, the feet do not touch each other; 4 is alone.
  const auto ball = [](const std::string& name, const std::string& bits) {
    return "<body name=\"" + name + "\"><freejoint/>" + kMass + "<geom name=\"g" + name +
           "\" size=\"1\" " + bits + "/></body>";
  };
  const std::string bodies = R"(<geom type="plane" size="1 1 1"/>)" +
                             ball("trunk", R"(contype="2" conaffinity="0")") +
                             ball("foot1", R"(contype="1" conaffinity="2")") +
                             ball("foot2", R"(contype="1" conaffinity="2")");
  const Assembly a =
      assembled(mjcf(bodies, "", R"(<contact><exclude body1="trunk" body2="foot2"/></contact>)"));
  const auto excluded = [&](std::size_t i, std::size_t j) {
    return std::find(a.excluded.begin(), a.excluded.end(), std::pair(i, j)) != a.excluded.end();
  };
  EXPECT_FALSE(excluded(0, 1));
  EXPECT_TRUE(excluded(0, 2));
  EXPECT_TRUE(excluded(1, 2));
  EXPECT_TRUE(excluded(0, 3));  // Trunk and plane: 2 & 1 and 1 & 0.
  EXPECT_FALSE(excluded(1, 3));
  const Assembly b =
      assembled(mjcf(bodies, "", R"(<contact><pair geom1="gfoot1" geom2="gfoot2"/></contact>)"));
  EXPECT_EQ(
      std::find(b.excluded.begin(), b.excluded.end(), std::pair<std::size_t, std::size_t>(1, 2)),
      b.excluded.end());
}

TEST(Mjcf, MeshesComeFromTheMainFilesFolderWithTheirReference) {
  const std::string text =
      R"(<mujoco><include file="sub/part.xml"/><worldbody><body name="b"><freejoint/>
      <geom type="mesh" mesh="t" pos="0 0 1"/></body></worldbody></mujoco>)";
  const std::string part =
      R"(<mujoco><compiler meshdir="m"/><asset><mesh file="x/t.obj" refpos="0 0 -1" scale="2 2 2"/></asset></mujoco>)";
  const Assembly a = assembled(text, {}, {{"sub/part.xml", part}, {"m/x/t.obj", kTetrahedron}});
  ASSERT_EQ(a.bodies[0].shapes.size(), 1u);
  double lowest = 1e9, highest = -1e9;
  for (const Vec3& p : a.bodies[0].shapes[0].points)
    lowest = std::min(lowest, p.z), highest = std::max(highest, p.z);
  EXPECT_EQ(lowest, 2.0);  // (0 + 1) 2
  EXPECT_EQ(highest, 4.0);
  EXPECT_NEAR(a.bodies[0].mass.mass, 1000.0 * 8.0 / 6.0, 1e-9);
  EXPECT_EQ(a.bodies[0].shapes[0].pose.translation, (Vec3{0, 0, 1}));
}

/// Three hinges of a body keep their limits, springs and drives, whatever slides come before them.
TEST(Mjcf, ThreeHingesOfABodyAreAGimbal) {
  const Assembly a = assembled(mjcf(
      R"(<body name="b">)" + kMass +
      R"(<joint name="x" axis="1 0 0" range="-25 5" damping="3"/><joint name="z" axis="0 0 1" range="-60 35" stiffness="7"/><joint name="y" axis="0 1 0" range="-110 20" armature="0.1"/></body>)"));
  ASSERT_EQ(a.joints.size(), 1u);
  const AssembledJoint& j = a.joints[0];
  EXPECT_EQ(j.type, JointType::Gimbal);
  EXPECT_TRUE(j.axes[0].locked && j.axes[1].locked && j.axes[2].locked);
  expectNear(j.frame1.rotation.x, {1, 0, 0});
  expectNear(j.frame1.rotation.y, {0, 0, 1});
  expectNear(j.frame2.rotation.z, {0, -1, 0});  // Left-handed: the last one turns the other way.
  EXPECT_NEAR(j.axes[3].limits.lower, -25 * kDegree, 1e-12);
  EXPECT_NEAR(j.axes[3].limits.upper, 5 * kDegree, 1e-12);
  EXPECT_EQ(j.axes[3].damping, 3.0);
  EXPECT_NEAR(j.axes[4].limits.lower, -60 * kDegree, 1e-12);
  EXPECT_NEAR(j.axes[4].limits.upper, 35 * kDegree, 1e-12);
  EXPECT_EQ(j.axes[4].stiffness, 7.0);
  EXPECT_NEAR(j.axes[5].limits.lower, -20 * kDegree, 1e-12);
  EXPECT_NEAR(j.axes[5].limits.upper, 110 * kDegree, 1e-12);
  EXPECT_EQ(j.axes[5].armature, 0.1);
  const Assembly b = assembled(mjcf(
      R"(<body name="b">)" + kMass +
      R"(<joint name="s" type="slide" axis="0 0 1"/><joint name="x" axis="1 0 0" range="-1 2"/><joint name="y" axis="0 1 0"/><joint name="z" axis="0 0 1" range="-3 4"/></body>)"));
  ASSERT_EQ(b.joints.size(), 1u);
  EXPECT_EQ(b.joints[0].type, JointType::Gimbal);
  EXPECT_FALSE(b.joints[0].axes[2].locked);
  EXPECT_NEAR(b.joints[0].axes[3].limits.upper, 2 * kDegree, 1e-12);
  EXPECT_NEAR(b.joints[0].axes[5].limits.upper, 4 * kDegree, 1e-12);
}

TEST(Mjcf, SeveralJointsOfABodyAreOneJoint) {
  const Assembly u = assembled(mjcf(
      R"(<body name="b">)" + kMass +
      R"(<joint name="p" axis="0 1 0" damping="1"/><joint name="q" axis="1 0 0" damping="2"/></body>)"));
  ASSERT_EQ(u.joints.size(), 1u);
  EXPECT_EQ(u.joints[0].type, JointType::Universal);
  expectNear(u.joints[0].frame1.rotation.z, {0, 1, 0});
  expectNear(u.joints[0].frame2.rotation.x, {1, 0, 0});
  EXPECT_EQ(u.joints[0].axes[1].damping, 2.0);
  const Assembly p = assembled(mjcf(
      R"(<body name="b">)" + kMass +
      R"(<joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0" damping="4"/><joint name="t" axis="0 0 -1" range="-30 60"/></body>)"));
  ASSERT_EQ(p.joints.size(), 1u);
  EXPECT_EQ(p.joints[0].type, JointType::SixAxis);
  EXPECT_FALSE(p.joints[0].axes[0].locked || p.joints[0].axes[1].locked ||
               p.joints[0].axes[5].locked);
  EXPECT_TRUE(p.joints[0].axes[2].locked && p.joints[0].axes[3].locked &&
              p.joints[0].axes[4].locked);
  EXPECT_EQ(p.joints[0].axes[1].damping, 4.0);
  EXPECT_NEAR(p.joints[0].axes[5].limits.upper, 30 * kDegree, 1e-12);  // The axis is the other way.
  expectFault(
      mjcf(R"(<body name="b">)" + kMass + R"(<joint axis="1 0 0"/><joint axis="1 1 0"/></body>)"),
      "not at right angles");
}

TEST(Mjcf, JointsAnchorInTheChildAndKeyframesPlaceTheRobot) {
  const Assembly a =
      assembled(mjcf(R"(<body name="b" pos="1 0 0">)" + kMass +
                         R"(<joint name="j" pos="0 0 1" axis="0 1 0" ref="90"/></body>
      <body name="f"><freejoint/>)" +
                         kMass + "</body>",
                     "", R"(<keyframe><key qpos="9 9 9 9 9 9 9 9"/>
      <key name="home" qpos="180 5 6 7 2 0 0 0"/></keyframe>)"));
  const AssembledJoint& j = jointNamed(a, "j");
  expectNear(j.frame2.translation, {0, 0, 1});
  expectNear(j.frame1.translation, {1, 0, 1});
  // qpos is in radians always: 180 rad, less the reference of 90 degrees.
  const double turn = 180.0 - 90 * kDegree;
  expectNear(bodyNamed(a, "b").pose.rotation.x, {std::cos(turn), 0, -std::sin(turn)}, 1e-9);
  // The anchor stays where it was.
  expectNear(compose(bodyNamed(a, "b").pose, j.frame2).translation, {1, 0, 1}, 1e-9);
  expectNear(bodyNamed(a, "f").pose.translation, {5, 6, 7});
}

TEST(Mjcf, ActuatorsAreDrives) {
  const std::string bodies = [] {
    std::string all;
    for (const char* name : {"p", "v", "m", "g", "d"})
      all += concat("<body name=\"b", name, "\">", kMass, "<joint name=\"", name,
                    "\" axis=\"0 0 1\" armature=\"0.15\" ref=\"0.5\"/></body>");
    return all;
  }();
  RobotTree tree = read(mjcf(bodies, kRadian, R"(<actuator>
      <position joint="p" kp="40" kv="3" gear="2" forcerange="-5 5" ctrlrange="-1 1"/>
      <velocity joint="v" kv="6"/><motor joint="m" gear="3" ctrlrange="-9 9" forcerange="-2 2"/>
      <general joint="g" gainprm="40" biastype="affine" biasprm="0 -40 -3"/>
      <position joint="d" kp="40" dampratio="1"/>
      <muscle joint="p"/><general joint="g" biastype="muscle"/></actuator>
      <keyframe><key ctrl="3 2 1 0.25 0"/></keyframe>)"));
  const Assembly a = assemble(tree, {});
  const JointDrive& p = jointNamed(a, "p").axes[0].drive;
  EXPECT_EQ(p.mode, DriveMode::Position);
  EXPECT_EQ(p.stiffness, 160.0);
  EXPECT_EQ(p.damping, 12.0);
  EXPECT_EQ(p.maxForce, 10.0);
  EXPECT_EQ(p.target, 0.0);  // 1 (from ctrlrange) / 2 - 0.5.
  const JointDrive& v = jointNamed(a, "v").axes[0].drive;
  EXPECT_EQ(v.mode, DriveMode::Position);
  EXPECT_EQ(v.stiffness, 0.0);
  EXPECT_EQ(v.damping, 6.0);
  EXPECT_EQ(v.targetRate, 2.0);
  const JointDrive& m = jointNamed(a, "m").axes[0].drive;
  EXPECT_EQ(m.mode, DriveMode::Force);
  EXPECT_EQ(m.target, 3.0);
  const JointDrive& g = jointNamed(a, "g").axes[0].drive;
  EXPECT_EQ(g.stiffness, 40.0);
  EXPECT_EQ(g.damping, 3.0);
  EXPECT_EQ(g.target, -0.25);
  // 2 sqrt(kp I) with I = 0.25 + 0.15.
  EXPECT_NEAR(jointNamed(a, "d").axes[0].drive.damping, 8.0, 1e-12);
  EXPECT_EQ(tree.lost["<muscle> of <actuator>"], 1u);
  EXPECT_EQ(tree.lost["<general> with a law of its own"], 1u);
}

TEST(Mjcf, EqualitiesAreCouplingsAndLoops) {
  const std::string bodies =
      "<body name=\"a\">" + kMass +
      R"(<joint name="j" axis="0 0 1" ref="1"/></body><body name="b" pos="0 0 1">)" + kMass +
      R"(<joint name="k" axis="0 0 1" ref="2"/></body>)";
  RobotTree tree = read(
      mjcf(bodies, kRadian, R"(<equality><joint joint1="j" joint2="k" polycoef="0.25 -3 0 0 0"/>
      <joint joint1="j" joint2="k" polycoef="0 1 2 0 0"/><connect body1="a" body2="b" anchor="0 0 0.5"/><weld body1="a"/></equality>)"));
  const Assembly a = assemble(tree, {});
  ASSERT_EQ(a.couplings.size(), 1u);
  // j - 1 = 0.25 - 3 (k - 2): in positions from the references, p1 = -3 p2 + 0.25.
  EXPECT_EQ(a.joints[a.couplings[0].joint1].name, "k");
  EXPECT_EQ(a.couplings[0].ratio, -3.0);
  EXPECT_NEAR(a.couplings[0].offset, 0.25, 1e-12);
  ASSERT_EQ(a.joints.size(), 4u);
  EXPECT_EQ(a.joints[2].type, JointType::Ball);
  expectNear(a.joints[2].frame2.translation, {0, 0, -0.5});
  EXPECT_EQ(a.joints[3].type, JointType::Fixed);
  EXPECT_EQ(a.joints[3].body2, Assembly::kWorld);
  EXPECT_EQ(tree.lost["<joint> of more than a line"], 1u);
}

/// A tendon of two fingers that nothing couples makes the second follow by its factor: a length of
/// 2 q1 - q2 with q2 = -q1/2 is 2.5 q1. Where an equality couples them already, that stays.
TEST(Mjcf, FixedTendonsAreMimics) {
  const auto finger = [](const char* name) {
    return concat("<body name=\"b", name, "\">", kMass, "<joint name=\"", name,
                  "\" axis=\"0 0 1\" range=\"-1 3\"/></body>");
  };
  const std::string bodies = concat(finger("l"), finger("r"), finger("m"), finger("n"));
  RobotTree tree = read(mjcf(bodies, kRadian, R"(<tendon>
      <fixed name="grip"><joint joint="l" coef="2"/><joint joint="r" coef="-1"/></fixed>
      <fixed name="pair" stiffness="3"><joint joint="m" coef="0.5"/><joint joint="n" coef="0.5"/></fixed>
      <fixed name="idle"><joint joint="m" coef="1"/></fixed><spatial/></tendon>
      <equality><joint joint1="n" joint2="m" polycoef="0 3 0 0 0"/></equality>
      <actuator><position tendon="grip" kp="40" gear="2"/><motor tendon="pair"/><motor tendon="none"/></actuator>
      <keyframe><key ctrl="10 4"/></keyframe>)"));
  const Assembly a = assemble(tree, {});
  ASSERT_EQ(a.couplings.size(), 2u);
  const JointDrive& l = jointNamed(a, "l").axes[0].drive;
  EXPECT_EQ(l.mode, DriveMode::Position);
  EXPECT_EQ(l.stiffness, 40.0 * 5.0 * 5.0);
  EXPECT_EQ(l.target, 2.0);  // 10 / 5.
  EXPECT_EQ(jointNamed(a, "r").axes[0].drive.mode, DriveMode::Off);
  EXPECT_EQ(jointNamed(a, "m").axes[0].drive.target, 4.0 * (0.5 + 0.5 * 3.0));
  for (const auto& c : a.couplings) {
    const bool isGrip = a.joints[c.joint1].name == "l";
    EXPECT_EQ(c.ratio, isGrip ? -0.5 : 3.0);
    EXPECT_EQ(a.joints[c.joint2].name, isGrip ? "r" : "n");
  }
  EXPECT_EQ(tree.lost["<fixed> tendon that nothing pulls"], 1u);
  EXPECT_EQ(tree.lost["<spatial> of <tendon>"], 1u);
  EXPECT_EQ(tree.lost["stiffness of a <fixed> tendon"], 1u);
  EXPECT_EQ(tree.lost["<motor> on a joint that is not there"], 1u);
}

TEST(Mjcf, ControlsInheritTheRangeOfTheirJoint) {
  const std::string body =
      concat("<body name=\"b\">", kMass, R"(<joint name="j" axis="0 0 1" range="-1 3"/></body>)");
  const auto targetOf = [&](const char* actuator) {
    const Assembly a = assembled(mjcf(
        body, kRadian,
        concat("<actuator>", actuator, "</actuator>", R"(<keyframe><key ctrl="9"/></keyframe>)")));
    return jointNamed(a, "j").axes[0].drive.target;
  };
  EXPECT_EQ(targetOf(R"(<position joint="j" kp="10"/>)"), 9.0);
  EXPECT_EQ(targetOf(R"(<position joint="j" kp="10" inheritrange="1"/>)"), 3.0);
  EXPECT_EQ(targetOf(R"(<position joint="j" kp="10" inheritrange="0.5"/>)"), 2.0);
}

/// Four by two metres, three by two heights: the first row of the file lies at y = +1.
TEST(Mjcf, HeightFieldsStandOnTheGround) {
  const std::string asset =
      R"(<asset><hfield name="h" nrow="2" ncol="3" size="2 1 0.5 0.1" elevation="1 1 3 1 2 1"/></asset>)";
  RobotTree tree = read(mjcf(R"(<geom type="hfield" hfield="h" pos="0 0 1"/>)", asset));
  const Assembly a = assemble(tree, {});
  ASSERT_EQ(a.bodies.size(), 1u);
  ASSERT_EQ(a.bodies[0].shapes.size(), 1u);
  const RobotShape& field = a.bodies[0].shapes[0];
  EXPECT_EQ(field.kind, RobotShape::Kind::Field);
  EXPECT_EQ(field.heights, (std::vector<std::vector<double>>{{0, 0.25, 0}, {0, 0, 0.5}}));
  expectNear(field.size, {2, 2, 0});
  const std::string scene = writeRobotScene(tree, "", {}, true);
  EXPECT_NE(scene.find("heightField"), std::string::npos);
  expectFault(
      mjcf(
          R"(<geom type="hfield" hfield="h"/>)",
          R"(<asset><hfield name="h" nrow="2" ncol="3" size="2 1 0.5 0.1" elevation="1 2"/></asset>)"),
      "elevation");
  expectFault(mjcf(R"(<geom type="hfield" hfield="k"/>)", asset), "no hfield");
}

TEST(Mjcf, FrictionSoftnessAndTheRestAreCountedOrKept) {
  RobotTree tree = read(mjcf(
      R"(<light/><body name="b"><freejoint/><geom size="1" friction="0.8 0.02 0.001" solref="0.1 1" condim="4"/>
      <geom size="1" condim="1"/><geom size="1" friction="0.4"/><site/><site/></body>)",
      R"(<option gravity="0 0 -1.6" timestep="0.005" integrator="Euler"/><visual/>)"));
  ASSERT_EQ(tree.materials.size(), 4u);
  EXPECT_EQ(tree.materials[1], (RobotMaterial{0.8, 0.02, 0.0}));
  EXPECT_EQ(tree.materials[2], (RobotMaterial{0.0, 0.0, 0.0}));
  EXPECT_EQ(tree.materials[3], (RobotMaterial{0.4, 0.0, 0.0}));
  EXPECT_TRUE(tree.takesGreaterFriction);
  EXPECT_EQ(tree.lost["solref"], 1u);
  EXPECT_EQ(tree.lost["<site>"], 2u);
  EXPECT_EQ(tree.lost["option integrator"], 1u);
  EXPECT_EQ(tree.gravity->z, -1.6);
  EXPECT_EQ(*tree.step, 0.005);
}

TEST(Mjcf, FramesAndEllipsoidsAndBodiesWithoutJoints) {
  const Assembly a = assembled(mjcf(
      R"(<body name="b"><freejoint/><frame pos="0 0 1" euler="0 90 0"><geom type="ellipsoid" size="1 2 3"/>
      <body name="c" pos="1 0 0"><geom size="0.5" mass="1"/></body></frame></body>)"));
  ASSERT_EQ(a.bodies.size(), 1u);
  ASSERT_EQ(a.bodies[0].shapes.size(), 2u);
  expectNear(a.bodies[0].shapes[1].pose.translation, {0, 0, 0});  // x of the frame is -z.
  EXPECT_NEAR(a.bodies[0].mass.mass, 1000 * 4.0 / 3.0 * kPi * 6 + 1, 1e-6);
}

TEST(Mjcf, MassesOfMovingBodiesAreNeededUnlessTheyAreBound) {
  const std::string body = R"(<body name="b"><joint axis="1 0 0"/></body>)";
  expectFault(mjcf(body), "\"b\": it moves but has no mass");
  const Assembly a = assembled(mjcf(body, R"(<compiler boundmass="0.1" boundinertia="0.01"/>)"));
  EXPECT_EQ(a.bodies[0].mass.mass, 0.1);
  EXPECT_EQ(a.bodies[0].mass.tensor.z.z, 0.01);
}

}  // namespace
}  // namespace abut::io
