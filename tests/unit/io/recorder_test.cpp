// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/io/recorder.hpp>
#include <abut/io/scene_file.hpp>
#include <abut/world/inspect.hpp>

#include "io/core/text.hpp"
#include "io/recording/recording_file.hpp"

namespace abut {
namespace {

/// A folder of its own for each test.
class RecorderTest : public testing::Test {
protected:
  RecorderTest()
      : folder_(std::filesystem::temp_directory_path() /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::create_directories(folder_);
  }
  ~RecorderTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }

private:
  std::filesystem::path folder_;
};

World fallingBox() {
  World world;
  world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}));
  world.addBody({.position = {0, 0, 2}}, BoxShape({0.5, 0.5, 0.5}));
  return world;
}

TEST_F(RecorderTest, HoldsWhatTheWorldDid) {
  World world = fallingBox(), unwatched = fallingBox();
  {
    Recorder recorder(world, file("run.abut"), {.name = "box", .every = 10});
    recorder.setName(2, "crate");
    for (int i = 0; i < 100; ++i) world.step(1.0 / 100).orThrow();
    EXPECT_EQ(recorder.numFrames(), 11u);
    recorder.finish();
  }
  for (int i = 0; i < 100; ++i) unwatched.step(1.0 / 100).orThrow();
  EXPECT_EQ(world.hash(), unwatched.hash());

  io::RecordingReader reader(file("run.abut"));
  EXPECT_EQ(reader.getHeader().scene, "box");
  EXPECT_EQ(reader.getHeader().step, 1.0 / 100);
  ASSERT_EQ(reader.getHeader().bodies.size(), 2u);
  EXPECT_EQ(reader.getHeader().bodies[1].name, "crate");
  EXPECT_EQ(reader.getHeader().bodies[1].mass, 1000.0);
  io::Frame frame;
  ASSERT_TRUE(reader.next(frame));
  EXPECT_EQ(frame.bodies[1].position.z, 2.0);
  EXPECT_EQ(frame.totalEnergy.potentialAfter, 1000.0 * 9.81 * 2.0);
  while (reader.next(frame)) {
  }
  EXPECT_TRUE(reader.isComplete());
  EXPECT_EQ(frame.step, 100u);
  EXPECT_EQ(frame.hash, world.hash());
}

TEST_F(RecorderTest, EndsWithAClearErrorWhereBodiesChange) {
  World world = fallingBox();
  Recorder recorder(world);
  world.step(0.01).orThrow();
  world.addBody({.position = {5, 0, 2}}, SphereShape(0.5));
  world.step(0.01).orThrow();  // The world goes on.
  try {
    recorder.finish();
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("after step 2"), std::string::npos) << e.what();
  }
}

TEST_F(RecorderTest, RefusesWhatItCannotDo) {
  World world = fallingBox();
  EXPECT_THROW(Recorder(world, "", {.every = 0}), Error);
  EXPECT_THROW(Recorder(world, file("no/such/folder")), io::InputError);
  Recorder recorder(world);
  EXPECT_THROW(recorder.writeReport(file("x.html")), Error) << "before the first step";
}

TEST_F(RecorderTest, FailedStepsAreNoFrames) {
  World world = fallingBox();
  Recorder recorder(world);
  EXPECT_FALSE(world.step(-1.0));
  world.step(0.01).orThrow();
  EXPECT_FALSE(world.step(100.0));
  EXPECT_EQ(recorder.numFrames(), 2u);
}

TEST(SceneFile, RunsAsTheToolDoes) {
  SceneFile scene(ABUT_SOURCE_DIR "/scenes/capsule_spin.json");
  EXPECT_EQ(scene.numSteps(), 500u);
  while (!scene.isOver()) scene.step().orThrow();
  EXPECT_EQ(scene.getFault(), "");
  EXPECT_EQ(scene.stepsMade(), 500u);
  const ObjectId first = bodiesOf(scene.world())[0];
  EXPECT_EQ(scene.find(scene.nameOf(first)), first);
  EXPECT_EQ(scene.find("nobody"), kNoObject);
}

TEST(SceneFile, RefusesBadTextAndVariableSteps) {
  EXPECT_THROW(SceneFile::fromText("{"), io::InputError);
  EXPECT_THROW(SceneFile(ABUT_SOURCE_DIR "/scenes/pi_collisions.json"), io::InputError);
}

TEST(WorldInspection, DescribesBodiesAsTheyAre) {
  World world;
  MaterialId steel = 0;
  world.materials().add({.density = 7850.0}, steel).orThrow();
  BodyDescription d;
  d.position = {1, 2, 3};
  d.linearVelocity = {4, 5, 6};
  d.locks = kLockX;
  d.gravityScale = 0.5;
  const auto ball = std::make_shared<SphereShape>(0.5);
  Pose aside;
  aside.translation = {2, 0, 0};
  ObjectId id = kNoObject;
  world.addBody(d, {{ball, Pose{}, steel}, {ball, aside, 0}}, id).orThrow();
  ASSERT_EQ(bodiesOf(world).size(), 1u);
  BodyDescription found;
  std::vector<BodyShape> shapes;
  describeBody(world, id, found, shapes).orThrow();
  EXPECT_EQ(found.linearVelocity, d.linearVelocity);
  EXPECT_EQ(found.locks, d.locks);
  EXPECT_EQ(found.gravityScale, 0.5);
  EXPECT_LT((found.position - d.position).norm(), 1e-15);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].material, steel);
  EXPECT_EQ(shapes[1].pose.translation, aside.translation);
  EXPECT_EQ(describeBody(world, 77, found, shapes).getCode(), StatusCode::UnknownObject);
  EXPECT_EQ(optionsOf(world).gravity.z(), -9.81);
}

}  // namespace
}  // namespace abut
