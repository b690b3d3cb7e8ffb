// SPDX-License-Identifier: MIT
#include "io/scene/scene.hpp"

#include <gtest/gtest.h>

#include <abut/abut.hpp>

#include "io/core/text.hpp"
#include "io/run/simulation.hpp"
#include "io/scene/inspect.hpp"

namespace abut::io {
namespace {

const MemoryAssets kNoAssets{std::map<std::string, std::string>{}};

Scene parse(const std::string& text) {
  return parseScene(text, "scene.json", kNoAssets);
}
/// The message that a text is refused with.
std::string fault(const std::string& text) {
  try {
    (void)buildWorld(parse(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}
/// A scene around a list of bodies.
std::string withBodies(const std::string& bodies) {
  return R"({"step": 0.01, "duration": 1, "bodies": [)" + bodies + "]}";
}
std::string withShape(const std::string& shape) {
  return withBodies(R"({"name": "a", "type": "static", "shapes": [)" + shape + "]}");
}

const std::string kGround =
    R"({"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]})";
const std::string kCrates =
    R"({"name": "crate", "position": [0, 0, 0.55], "repeat": {"count": 3, "step": [0, 0, 1.1]},
        "shapes": [{"box": {"size": [1, 1, 1]}}]})";
const std::string kBall =
    R"({"name": "ball", "position": [0.3, 0.1, 5], "shapes": [{"sphere": {"radius": 0.4}}]})";

std::uint64_t hashAfter(const std::string& text, int steps) {
  const Scene scene = parse(text);
  Simulation simulation(scene);
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(simulation.step());
  return simulation.getWorld().hash();
}

TEST(Scene, ThreadsAreThoseOfTheFile) {
  const auto with = [](const std::string& threads) {
    return R"({"step": 0.01, "duration": 1, "threads": )" + threads + R"(, "bodies": [)" + kGround +
           "]}";
  };
  EXPECT_EQ(parse(withBodies(kGround)).threads, 1);
  EXPECT_EQ(parse(with("3")).threads, 3);
  EXPECT_EQ(parse(with("0")).threads, 0);
  for (const char* bad : {"-1", "1.5", "4097", "\"2\"", "null"}) {
    EXPECT_NE(fault(with(bad)).find("threads"), std::string::npos) << bad;
  }
}

TEST(Text, NumbersReadBackAsTheyWere) {
  const std::pair<double, const char*> cases[] = {{0.0, "0"},
                                                  {-0.0, "-0"},
                                                  {7850, "7850"},
                                                  {-7850, "-7850"},
                                                  {1e6, "1e6"},
                                                  {100000, "100000"},
                                                  {1e-6, "1e-6"},
                                                  {0.1, "0.1"},
                                                  {1e300, "1e300"},
                                                  {1.5e-300, "1.5e-300"},
                                                  {0.05, "0.05"},
                                                  {123456.7, "123456.7"},
                                                  {12345678.5, "12345678.5"}};
  for (const auto& [value, text] : cases) {
    EXPECT_EQ(toText(value), text);
    double back = 7;
    EXPECT_TRUE(parseNumber(text, back));
    EXPECT_EQ(back, value);
  }
  EXPECT_EQ(toText(1.0 / 3.0), "0.3333333333333333");
}

TEST(Scene, OrderOfBodiesDoesNotChangeABit) {
  const std::uint64_t hash = hashAfter(withBodies(kGround + "," + kCrates + "," + kBall), 120);
  EXPECT_EQ(hash, hashAfter(withBodies(kBall + "," + kGround + "," + kCrates), 120));
  EXPECT_EQ(hash, hashAfter(withBodies(kCrates + "," + kBall + "," + kGround), 120));
}

TEST(Scene, RepetitionIsTheSameAsWritingTheBodiesOut) {
  std::string written = kGround + "," + kBall;
  const char* heights[] = {"0.55", "1.6500000000000001", "2.75"};  // 0.55 + n 1.1, rounded once.
  for (int i = 0; i < 3; ++i)
    written += std::string(R"(, {"name": "crate[)") + std::to_string(i) +
               R"(]", "position": [0, 0, )" + heights[i] +
               R"(], "shapes": [{"box": {"size": [1, 1, 1]}}]})";
  EXPECT_EQ(hashAfter(withBodies(kGround + "," + kCrates + "," + kBall), 50),
            hashAfter(withBodies(written), 50));
}

TEST(Scene, IdsAreTheHashesOfNames) {
  // FNV-1a's published value for "a".
  EXPECT_EQ(idOfName("a"), 0xaf63dc4c8601ec8cu);
  const Scene scene = parse(withBodies(kGround + "," + kCrates));
  ASSERT_EQ(scene.bodies.size(), 4u);
  for (const SceneBody& body : scene.bodies) EXPECT_EQ(body.description.id, idOfName(body.name));
}

TEST(Scene, EveryShapeIsRead) {
  const std::pair<const char*, ShapeType> shapes[] = {
      {R"({"sphere": {"radius": 1}})", ShapeType::Sphere},
      {R"({"box": {"size": [1, 2, 3]}})", ShapeType::Box},
      {R"({"capsule": {"radius": 1, "length": 2, "axis": "x"}})", ShapeType::Capsule},
      {R"({"cylinder": {"radius": 1, "height": 2}})", ShapeType::Cylinder},
      {R"({"cone": {"radius": 1, "height": 2, "axis": "y"}})", ShapeType::Cone},
      {R"({"plane": {"normal": [0, 0, 2], "offset": 1}})", ShapeType::Plane},
      {R"({"hull": {"points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}})", ShapeType::Convex},
      {R"({"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}})",
       ShapeType::Mesh},
      {R"({"heightField": {"spacing": [1, 1], "heights": [[0, 0], [0, 1]]}})",
       ShapeType::HeightField},
      {R"({"cloud": {"points": [[0,0,0],[1,0,0]], "radius": 0.1}})", ShapeType::PointCloud},
      {R"({"compound": {"shapes": [{"sphere": {"radius": 1}, "position": [1, 0, 0]}]}})",
       ShapeType::Compound}};
  for (const auto& [text, type] : shapes) {
    const Scene scene = parse(withShape(text));
    EXPECT_EQ(scene.bodies[0].shapes[0].shape->getType(), type) << text;
    (void)buildWorld(scene);
  }
}

TEST(Scene, AxisTurnsExactly) {
  const Scene scene = parse(
      withShape(R"({"capsule": {"radius": 1, "length": 2, "axis": "x"}, "position": [4, 5, 6]})"));
  const Pose& pose = scene.bodies[0].shapes[0].pose;
  EXPECT_EQ(pose.rotation.z, (Vec3{1, 0, 0}));  // The capsule's own axis.
  EXPECT_EQ(pose.translation, (Vec3{4, 5, 6}));
}

TEST(Scene, MeshesComeFromTheScenesFolderOnly) {
  const std::string text = withShape(R"({"mesh": {"file": "parts/t.obj", "scale": 2}})");
  const std::map<std::string, std::string> files = {
      {"parts/t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"}};
  const MemoryAssets assets(files);
  const Scene scene = parseScene(text, "scene.json", assets);
  const auto& mesh = static_cast<const MeshShape&>(*scene.bodies[0].shapes[0].shape);
  EXPECT_EQ(mesh.getVertex(1).x(), 2.0);
  EXPECT_EQ(scene.files.size(), 1u);
  for (const char* path : {"../t.obj", "/etc/passwd", "a/../../t.obj", "C:/t.obj", "a\\\\t.obj",
                           "file://t.obj", "", "a//t.obj"}) {
    const std::string bad = withShape(std::string(R"({"mesh": {"file": ")") + path + "\"}}");
    EXPECT_NE(fault(bad).find("/mesh/file: "), std::string::npos) << fault(bad);
  }
}

TEST(Scene, MessagesSayWhereWhatAndWhatToDo) {
  EXPECT_EQ(fault(withShape(R"({"box": {"size": [1, -2, 1]}})")),
            "scene.json:1:102 /bodies/0/shapes/0/box/size: expected 3 positive lengths [m], "
            "got [1, -2, 1]");
  EXPECT_EQ(fault("{\"step\": 0.1,\n  \"solver\": { \"itterations\": 10 }}"),
            "scene.json:2:15 /solver/itterations: unknown key; did you mean \"sweeps\"? (allowed: "
            "scheme, sleeping, substeps, extrapolates, sleepAfter, sleepSpeed, tolerance, "
            "acceptable, sweeps, "
            "direct, model, "
            "detectionMargin, speculative, baumgarte, correctionSlop, correctionShare, maxStep)");
  EXPECT_EQ(fault(R"({"step": 0.1, "step": 0.2})"),
            "scene.json:1:15 /step: this key stands twice in its object, first in line 1; remove "
            "one");
  EXPECT_EQ(fault(R"({"step": 0.1, "duration": NaN})"),
            "scene.json:1:27 /duration: expected a value, got \"NaN\"; numbers must be finite");
  EXPECT_EQ(fault(withBodies(kBall + ",\n" + kBall)),
            "scene.json:2:1 /bodies/1: the name \"ball\" is taken by the body at "
            "scene.json:1:42; rename one");
  EXPECT_EQ(fault(withShape(R"({"sphre": {"radius": 1}})")).substr(0, 92),
            "scene.json:1:86 /bodies/0/shapes/0/sphre: unknown key; did you mean \"sphere\"? "
            "(allowed: sphe");
}

TEST(Scene, OpenMeshesNeedAMass) {
  const std::string mesh =
      R"("shapes": [{"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}}])";
  EXPECT_NE(fault(withBodies(R"({"name": "sheet", )" + mesh + "}")).find("\"convexHull\": true"),
            std::string::npos);
  EXPECT_EQ(
      fault(withBodies(R"({"name": "sheet", "mass": 1, "inertia": [1, 1, 1], )" + mesh + "}")),
      "accepted");
}

TEST(Scene, CountsThatGrowWithoutBoundAreRefusedAtOnce) {
  const auto grid = [](const char* repeat) {
    return withBodies(
        std::string(R"({"name": "a", "shapes": [{"sphere": {"radius": 1}}], "repeat": )") + repeat +
        "}");
  };
  for (const char* repeat :
       {R"({"count": 1e9, "step": [1, 0, 0]})",
        R"([{"count": 1e5, "step": [1, 0, 0]}, {"count": 1e5, "step": [0, 1, 0]}])",
        R"([{"count": 1e5, "step": [1, 0, 0]}, {"count": 1e5, "step": [0, 1, 0]},
            {"count": 1, "countStep": -1, "step": [0, 0, 1]}])",
        R"({"count": 0, "step": [1, 0, 0]})", R"({"count": 2.5, "step": [1, 0, 0]})"}) {
    EXPECT_NE(fault(grid(repeat)), "accepted") << repeat;
  }
  // A pyramid of 4 + 3 + 2 + 1.
  const Scene pyramid = parse(grid(
      R"([{"count": 4, "step": [1, 0, 2]}, {"count": 4, "countStep": -1, "step": [2, 0, 0]}])"));
  EXPECT_EQ(pyramid.bodies.size(), 10u);
}

TEST(Scene, TurnedCopiesStandOnACircle) {
  const Scene scene =
      parse(withBodies(R"({"name": "a", "position": [3, 0, 0], "linearVelocity": [1, 0, 0],
        "shapes": [{"sphere": {"radius": 1}}], "repeat": {"count": 4, "turn": {"degrees": 90}}})"));
  for (const SceneBody& body : scene.bodies) {
    if (body.name != "a[1]") continue;
    EXPECT_NEAR(body.description.position.y(), 3.0, 1e-15);
    EXPECT_NEAR(body.description.position.x(), 0.0, 1e-15);
    EXPECT_NEAR(body.description.linearVelocity.y(), 1.0, 1e-15);
  }
}

TEST(Scene, MotionFollowsKeysAndOscillation) {
  KinematicMotion motion;
  motion.kind = KinematicMotion::Kind::Linear;
  motion.keys = {{1, {0, 0, 0}, {}}, {3, {4, 0, 0}, {}}};
  EXPECT_EQ(velocityAt(motion, 0.5).linear.x, 0.0);
  EXPECT_EQ(velocityAt(motion, 1.5).linear.x, 1.0);
  EXPECT_EQ(velocityAt(motion, 9).linear.x, 4.0);
  motion.kind = KinematicMotion::Kind::Hold;
  EXPECT_EQ(velocityAt(motion, 2.9).linear.x, 0.0);
  motion.kind = KinematicMotion::Kind::Oscillation;
  motion.amplitude = {0, 0, 0.5};
  motion.frequency = 2;
  // v = 2 pi f A cos(2 pi f t): 2 pi at t = 0, 0 a quarter period later.
  EXPECT_NEAR(velocityAt(motion, 0).linear.z, 6.283185307179586, 1e-15);
  EXPECT_NEAR(velocityAt(motion, 0.125).linear.z, 0.0, 1e-15);
}

TEST(Simulation, ForcesActOnlyInTheirTime) {
  const std::string text =
      R"({"step": 0.125, "duration": 2, "gravity": [0, 0, 0], "bodies": [{"name": "a", "mass": 2,
          "shapes": [{"sphere": {"radius": 1}}], "forces": [{"from": 0.5, "to": 1, "force": [8, 0, 0]}]}]})";
  const Scene scene = parse(text);
  EXPECT_EQ(scene.numSteps, 16u);
  Simulation simulation(scene);
  for (int i = 0; i < 16; ++i) ASSERT_TRUE(simulation.step());
  BodyMotion motion;
  ASSERT_TRUE(simulation.getWorld().getMotion(idOfName("a"), motion));
  EXPECT_EQ(motion.linearVelocity.x(), 2.0);  // 8 N for 0.5 s on 2 kg.
  EXPECT_EQ(simulation.getFault(), "");
}

TEST(InspectScene, OverlapsMassesAndSizesAreFound) {
  const Scene scene = parse(withBodies(
      kGround +
      R"(, {"name": "sunk", "position": [0, 0, 0.25], "shapes": [{"box": {"size": [1, 1, 1]}}]},
           {"name": "crumb", "position": [9, 0, 1], "shapes": [{"sphere": {"radius": 0.01}}]})"));
  const SceneFindings findings = inspectScene(scene);
  ASSERT_EQ(findings.overlaps.size(), 1u);
  EXPECT_EQ(findings.overlaps[0].depth, 0.25);
  EXPECT_EQ(findings.heaviest, "sunk");
  EXPECT_EQ(findings.smallest, "crumb");
  EXPECT_EQ(findings.warnings.size(), 2u);  // The overlap, and 1000 kg beside 4 g.
}

}  // namespace
}  // namespace abut::io
