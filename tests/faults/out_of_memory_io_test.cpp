// SPDX-License-Identifier: MIT
// FAULTS class 14: memory runs out while a scene, a mesh, a robot or a recording is read, and while
// a run is recorded.
#include <array>

#include <abut/io/recorder.hpp>
#include <abut/io/scene_file.hpp>

#include "faults/failing_work.hpp"
#include "faults/mixed_world.hpp"
#include "io/core/files.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/recording/recording_file.hpp"
#include "io/run/checkpoint.hpp"
#include "io/run/simulation.hpp"
#include "io/scene/scene.hpp"

namespace abut::test {
namespace {

const std::string kScene =
    R"({"step": 0.01, "duration": 0.05, "materials": {"rubber": {"friction": 0.9}},
  "bodies": [{"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
    {"name": "ball", "position": [0, 0, 1], "shapes": [{"sphere": {"radius": 0.5}, "material": "rubber"}]},
    {"name": "crate", "position": [3, 0, 1], "shapes": [{"box": {"size": [1, 1, 1]}},
      {"capsule": {"radius": 0.1, "length": 1}, "position": [0, 0, 1]}]}],
  "joints": [{"name": "hinge", "type": "hinge", "body2": "crate", "frame": {"position": [3, 0, 1]}}]})";

TEST(OutOfMemoryInReaders, ScenesEndWithBadAlloc) {
  failEach(
      "scene", [] { (void)SceneFile::fromText(kScene); }, [](bool) {});
}

TEST(OutOfMemoryInReaders, StepsOfScenesAnswerOutOfMemory) {
  std::size_t tried = 0;
  for (std::size_t n = 1;; n = nextFailure(n)) {
    SceneFile scene = SceneFile::fromText(kScene);
    const std::uint64_t hash = scene.world().hash();
    FailingAllocations failing(n, false);
    const Status status = scene.step();
    failing.stop();
    if (failing.numFailures() == 0) break;
    ++tried;
    if (status) continue;
    ASSERT_EQ(status.getCode(), StatusCode::OutOfMemory) << n;
    ASSERT_EQ(scene.world().hash(), hash) << n;
    ASSERT_EQ(scene.stepsMade(), 0u) << n;
  }
  EXPECT_GT(tried, 20u);
}

TEST(OutOfMemoryInReaders, MeshesEndWithBadAlloc) {
  const std::string obj =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  failEach(
      "obj", [&] { (void)io::parseObj(obj, "t.obj"); }, [](bool) {});
  const std::vector<Eigen::Vector3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::array<MeshShape::Triangle, 4> triangles{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  failEach(
      "mesh", [&] { (void)MeshShape(points, triangles); }, [](bool) {});
  failEach(
      "hull", [&] { (void)ConvexShape(points); }, [](bool) {});
}

/// Frames of a recording, and whether it is complete.
std::pair<std::uint64_t, bool> framesOf(const std::string& path) {
  io::RecordingReader reader(path);
  io::Frame frame;
  while (reader.next(frame)) {
  }
  return {reader.numFramesRead(), reader.isComplete()};
}

TEST(OutOfMemoryInRecordings, WhatWasRecordedStaysReadable) {
  const Folder folder;
  const std::string path = folder.file("run.abut");
  for (const bool all : {false, true}) {
    for (std::size_t n = 1;; n = nextFailure(n)) {
      World world = mixedWorld({});
      std::uint64_t before = 0;
      bool isWhole = false;
      std::size_t failures = 0;
      {
        Recorder recorder(world, path);
        for (int i = 0; i < 3; ++i) world.step(kMixedStep).orThrow();
        before = recorder.numFrames();
        const std::uint64_t hash = world.hash();
        Status status;
        {
          FailingAllocations failing(n, all);
          status = world.step(kMixedStep);
          failing.stop();
          failures = failing.numFailures();
        }
        if (!status) {
          ASSERT_EQ(status.getCode(), StatusCode::OutOfMemory) << n;
          ASSERT_EQ(world.hash(), hash) << n;
        }
        status = world.step(kMixedStep);
        ASSERT_TRUE(status) << status.getMessage();
        try {
          recorder.finish();
          isWhole = true;
        } catch (const Error&) {  // It says that it ended early.
        }
      }
      const auto [frames, isComplete] = framesOf(path);
      ASSERT_GE(frames, before) << n;
      ASSERT_EQ(isComplete && isWhole, isWhole) << n;
      if (failures == 0) break;
    }
  }
}

TEST(OutOfMemoryInRecordings, ReadersEndWithBadAlloc) {
  const Folder folder;
  const std::string path = folder.file("run.abut");
  {
    World world = mixedWorld({});
    Recorder recorder(world, path);
    for (int i = 0; i < 3; ++i) world.step(kMixedStep).orThrow();
    recorder.finish();
  }
  failEach(
      "reading",
      [&] {
        const auto [frames, isComplete] = framesOf(path);
        EXPECT_EQ(frames, 4u);
        EXPECT_TRUE(isComplete);
      },
      [](bool) {});
}

TEST(OutOfMemoryInCheckpoints, TheRunIsWhatItWas) {
  const io::Scene scene = io::parseScene(kScene, "scene", io::FolderAssets("."));
  io::Simulation run(scene);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run.step());
  const std::string later = io::encodeCheckpoint(run);
  const std::uint64_t laterHash = run.getWorld().hash();
  failEach(
      "encode", [&] { (void)io::encodeCheckpoint(run); },
      [&](bool) { ASSERT_EQ(run.getWorld().hash(), laterHash); });
  io::Simulation other(scene);
  const std::uint64_t hash = other.getWorld().hash();
  failEach(
      "restore", [&] { io::restoreCheckpoint(other, later, "later"); },
      [&](bool isDone) {
        ASSERT_EQ(other.getWorld().hash(), isDone ? laterHash : hash);
        ASSERT_EQ(other.getStep(), isDone ? 3u : 0u);
        if (!isDone) return;
        io::Simulation fresh(scene);
        ASSERT_TRUE(other.restore(fresh.getWorld().snapshot(), 0));
      });
}

}  // namespace
}  // namespace abut::test
