// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/world/inspect.hpp>

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
std::string withBodies(const std::string& bodies, const std::string& more = "") {
  return R"({"step": 0.01, "duration": 1, "bodies": [)" + bodies + "]" + more + "}";
}
const std::string kBall = R"("shapes": [{"sphere": {"radius": 0.4}}])";

TEST(SceneBodies, HaveMassCentreAndTensorAsGiven) {
  const Scene scene = parse(withBodies(R"({"name": "link", "mass": 2, "inertia": [0.5, 0.6, 0.7],
      "productsOfInertia": [0.05, -0.08, 0.02], "centerOfMass": [0.1, -0.2, 0.3]})"));
  const World world = buildWorld(scene);
  const MassProperties mass = world.mass(idOfName("link"));
  EXPECT_EQ(mass.mass, 2.0);
  EXPECT_EQ(mass.center, Eigen::Vector3d(0.1, -0.2, 0.3));
  EXPECT_EQ(mass.inertia, Eigen::Vector3d(0.5, 0.6, 0.7));
  EXPECT_EQ(mass.products, Eigen::Vector3d(0.05, -0.08, 0.02));
  EXPECT_EQ(inspectScene(scene).numShapes, 0u);
  Simulation simulation(scene);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(simulation.step());
}

TEST(SceneBodies, FiltersSensorsAndExcludedPairsReachTheWorld) {
  const Scene scene = parse(withBodies(
      R"({"name": "a", "filter": {"category": 4, "mask": 3, "group": -2}, )" + kBall + R"(},
         {"name": "gate", "type": "static", "sensor": true, )" +
          kBall + R"(},
         {"name": "c", "repeat": {"count": 3, "step": [0.1, 0, 0]}, )" +
          kBall + "}",
      R"(, "exclude": [["c[0]", "a"], ["c", "c"]])"));
  const ObjectId a = idOfName("a"), c0 = idOfName("c[0]"), c1 = idOfName("c[1]");
  EXPECT_EQ(scene.excluded.size(), 4u);
  World world = buildWorld(scene);
  BodyDescription d;
  std::vector<BodyShape> shapes;
  describeBody(world, a, d, shapes).orThrow();
  EXPECT_EQ(d.filter, (BodyFilter{4, 3, -2}));
  describeBody(world, idOfName("gate"), d, shapes).orThrow();
  EXPECT_TRUE(d.sensor);
  EXPECT_TRUE(world.includePair(a, c0));
  EXPECT_TRUE(world.includePair(c1, c0));
  EXPECT_FALSE(world.includePair(a, c1));
  // All overlap at the start, but of the pairs only a with c[1] and c[2] may touch.
  EXPECT_EQ(inspectScene(scene).overlaps.size(), 2u);
}

TEST(SceneBodies, ImpossibleOnesAreRefusedByPlaceAndRemedy) {
  const std::pair<std::string, const char*> cases[] = {
      {R"({"name": "a"})", "/bodies/0: the key \"shapes\" is missing"},
      {R"({"name": "a", "mass": 1})", "\"shapes\""},
      {R"({"name": "a", "type": "static"})", "\"shapes\""},
      {R"({"name": "a", "mass": 1, "inertia": [1, 1, 2.1]})", "above the sum"},
      {R"({"name": "a", "mass": 1, "inertia": [1, 1, 1], "productsOfInertia": [0, 0, 1.5]})",
       "positive definite"},
      {R"({"name": "a", "centerOfMass": [1, 0, 0], )" + kBall + "}",
       "/bodies/0/centerOfMass: \"centerOfMass\" needs \"mass\" and \"inertia\""},
      {R"({"name": "a", "mass": 1, "productsOfInertia": [0, 0, 0], )" + kBall + "}",
       "\"productsOfInertia\" needs"},
      {R"({"name": "a", "type": "static", "centerOfMass": [0, 0, 0], )" + kBall + "}",
       "a static body has no \"centerOfMass\""},
      {R"({"name": "a", "filter": {"group": 0.5}, )" + kBall + "}",
       "/filter/group: expected a whole"},
      {R"({"name": "a", "filter": {"mask": -1}, )" + kBall + "}", "/filter/mask"},
      {R"({"name": "a", "sensor": 1, )" + kBall + "}", "/sensor"},
  };
  for (const auto& [body, word] : cases) {
    EXPECT_NE(fault(withBodies(body)).find(word), std::string::npos) << fault(withBodies(body));
  }
  const std::string two = R"({"name": "arm", )" + kBall + R"(}, {"name": "b", )" + kBall + "}";
  EXPECT_NE(fault(withBodies(two, R"(, "exclude": [["arn", "b"]])")).find("did you mean \"arm\""),
            std::string::npos);
  EXPECT_NE(fault(withBodies(two, R"(, "exclude": [["b", "b"]])")).find("never touches itself"),
            std::string::npos);
  EXPECT_NE(fault(withBodies(two, R"(, "exclude": [["b"]])")).find("names of two bodies"),
            std::string::npos);
  EXPECT_NE(fault(R"({"step": {"variable": "impacts"}, "duration": 1, "bodies": [{"name": "a",
                  "sensor": true, )" +
                  kBall + "}]}")
                .find("only a fixed step"),
            std::string::npos);
}

}  // namespace
}  // namespace abut::io
