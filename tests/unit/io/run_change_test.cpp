// SPDX-License-Identifier: MIT
#include "io/recording/run_change.hpp"

#include <cmath>
#include <filesystem>
#include <limits>
#include <unistd.h>

#include <gtest/gtest.h>

#include <abut/world/inspect.hpp>

#include "io/core/text.hpp"
#include "io/recording/difference.hpp"
#include "io/recording/recording_file.hpp"
#include "io/run/simulation.hpp"

namespace abut::io {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Scene makeScene(const std::string& more = "") {
  return parseScene(R"({"step": 0.005, "duration": 2, )" + more + R"(
        "materials": {"ice": {"friction": 0.02}, "stone": {"friction": 0.6}},
        "pairs": [{"materials": ["ice", "ice"], "friction": 0.01}],
        "bodies": [
        {"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "stone"}]},
        {"name": "crate", "position": [0, 0, 0.5], "repeat": {"count": 3, "step": [0, 0, 1]},
         "shapes": [{"box": {"size": [1, 1, 1]}, "material": "stone"}]},
        {"name": "ball", "position": [3, 0, 0.5], "shapes": [{"sphere": {"radius": 0.5}, "material": "ice"}]}]})",
                    "scene.json", MemoryAssets(std::map<std::string, std::string>{}));
}

const char* const kRealTime = R"("solver": {"scheme": "realTime"},)";

MaterialId materialOf(const Scene& scene, const std::string& name) {
  for (std::size_t i = 0; i < scene.materials.size(); ++i)
    if (scene.materials[i].name == name) return static_cast<MaterialId>(i);
  ADD_FAILURE() << name;
  return 0;
}

RunChange pullOf(const Simulation& s, const char* name, const Vec3& point, const Vec3& target) {
  PullChange pull;
  makePull(s.getWorld(), idOfName(name), point, target, s.getScene().step, pull).orThrow();
  return pull;
}

TEST(RunChange, ComesBackFromBytes) {
  const ChangeRecord records[] = {
      {7, GravityChange{{1.5, -0.0, -9.81}}},
      {0, FrictionChange{3, 0.25}},
      {std::uint64_t{1} << 40, PullChange{99, {1, 2, 3}, {4, 5, 6}, 7, 8, 9}},
      {2, ReleaseChange{}}};
  for (const ChangeRecord& r : records) {
    const std::string bytes = encode(r);
    EXPECT_EQ(decodeChange(bytes), r);
    for (std::size_t n = 0; n < bytes.size(); ++n)
      EXPECT_THROW((void)decodeChange(bytes.substr(0, n)), InputError) << n;
    EXPECT_THROW((void)decodeChange(bytes + "x"), InputError);
  }
  std::string foreign = encode(records[3]);
  foreign[8] = 4;
  EXPECT_THROW((void)decodeChange(foreign), InputError);
}

TEST(RunChange, WhatIsRefusedChangesNothing) {
  const Scene scene = makeScene();
  Simulation s(scene);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(s.step());
  const std::uint64_t before = s.hash();
  const ObjectId crate = idOfName("crate[0]");
  const double nan = std::nan("");
  for (const RunChange& bad : std::initializer_list<RunChange>{
           GravityChange{{0, nan, 0}}, GravityChange{{0, 0, -kInfinity}}, FrictionChange{99, 0.5},
           FrictionChange{1, -0.1}, FrictionChange{1, nan}, FrictionChange{1, kInfinity},
           PullChange{12345, {}, {}, 1, 1, 1}, PullChange{idOfName("floor"), {}, {}, 1, 1, 1},
           PullChange{crate, {nan, 0, 0}, {}, 1, 1, 1},
           PullChange{crate, {}, {1e300, 0, 0}, 1, 1, 1}, PullChange{crate, {}, {}, -1, 1, 1},
           PullChange{crate, {}, {}, 1, nan, 1}, PullChange{crate, {}, {}, 1, 1, kInfinity}}) {
    const Status status = s.change(bad);
    EXPECT_FALSE(status) << bad.index();
    EXPECT_FALSE(status.getMessage().empty());
    EXPECT_EQ(s.hash(), before);
  }
  Simulation twin(scene);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(twin.step());
  ASSERT_TRUE(s.step());
  ASSERT_TRUE(twin.step());
  EXPECT_EQ(s.hash(), twin.hash());
}

TEST(RunChange, RunsWithAVariableStepRefuse) {
  const Scene scene = parseScene(
      R"({"step": {"variable": "impacts"}, "duration": 1, "bodies": [
          {"name": "ball", "position": [0, 0, 1], "shapes": [{"sphere": {"radius": 0.1}}]}]})",
      "scene.json", MemoryAssets(std::map<std::string, std::string>{}));
  const std::unique_ptr<SceneRun> run = startRun(scene);
  EXPECT_FALSE(run->change(GravityChange{}));
}

/// A crate that hangs on the spring by its centre has its weight from it: it comes to rest m g / k
/// below, a tenth of its radius of gyration, sqrt(1/6) of a side.
TEST(RunChange, APulledBodyHangsWhereSpringAndWeightBalance) {
  for (const char* scheme : {"", kRealTime}) {
    const Scene scene = makeScene(scheme);
    Simulation s(scene);
    const RunChange change = pullOf(s, "crate[2]", {}, {0, 4, 5});
    ASSERT_TRUE(s.change(change));
    for (int i = 0; i < 4000; ++i) ASSERT_TRUE(s.step());
    const auto& pull = std::get<PullChange>(change);
    const BodyMotion m = s.getWorld().motion(idOfName("crate[2]"));
    // 1 m^3 at the default density of 1000 kg/m^3.
    const double sag = 1000.0 * 9.81 / pull.stiffness;
    EXPECT_NEAR(m.centerOfMass.y(), 4.0, 1e-6) << scheme;
    EXPECT_NEAR(m.centerOfMass.z(), 5.0 - sag, 1e-6) << scheme;
    EXPECT_NEAR(sag, 0.1 * std::sqrt(1.0 / 6.0), 1e-9);
    EXPECT_TRUE(s.getFault().empty()) << s.getFault();
    // What the spring did is booked: nothing remains.
    const EnergyAccount& books = s.getWorld().getLedger();
    EXPECT_LE(std::fabs(books.residual()), 1e-9 * books.largestEntry());
    EXPECT_NE(books.forces, 0.0);
    ASSERT_TRUE(s.change(ReleaseChange{}));
    for (int i = 0; i < 40; ++i) ASSERT_TRUE(s.step());
    EXPECT_LT(s.getWorld().motion(idOfName("crate[2]")).centerOfMass.z(), 4.9);
  }
}

/// Kinetic energy, weight and what is in the spring [J].
double energyOf(const Simulation& s, const PullChange& pull) {
  const BodyMotion m = s.getWorld().motion(pull.body);
  Eigen::Vector3d r(pull.point.x, pull.point.y, pull.point.z);
  const Quat& q = m.orientation;
  const Eigen::Vector3d arm = Eigen::Quaterniond(q.w, q.x, q.y, q.z) * r;
  const Eigen::Vector3d to(pull.target.x, pull.target.y, pull.target.z);
  const EnergyAccount& books = s.getWorld().getLedger();
  return books.kineticAfter + books.potentialAfter +
         0.5 * pull.stiffness * (to - m.centerOfMass - arm).squaredNorm();
}

/// Pulls at corners, of thin and light bodies, at long and short steps: a damped spring only takes
/// energy out, whatever the body does about the point that is held.
TEST(RunChange, APullNeverHeatsABody) {
  for (const char* size :
       {"[1, 1, 1]", "[2, 0.02, 0.02]", "[0.001, 0.001, 0.001]", "[9, 9, 0.01]"}) {
    for (const char* step : {"0.02", "0.001"}) {
      const Scene scene = parseScene(
          std::string(R"({"duration": 1, "step": )") + step +
              R"(, "bodies": [{"name": "b", "shapes": [{"box": {"size": )" + size + "}}]}]}",
          "scene.json", MemoryAssets(std::map<std::string, std::string>{}));
      Simulation s(scene);
      const BodyRecord& b = s.getHeader().bodies[0];
      const Vec3 full = b.shapes[0].size;
      const double far = 0.2 * std::max({full.x, full.y, full.z});
      const Vec3 corner{full.x / 2, full.y / 2, -full.z / 2};
      const RunChange change =
          pullOf(s, "b", corner, {corner.x + far, corner.y - 0.5 * far, corner.z + 0.5 * far});
      const auto& pull = std::get<PullChange>(change);
      ASSERT_TRUE(s.change(change));
      ASSERT_TRUE(s.step());
      const double before = energyOf(s, pull);
      const int steps = static_cast<int>(10.0 / scene.step);
      for (int i = 0; i < steps; ++i) ASSERT_TRUE(s.step());
      EXPECT_LT(energyOf(s, pull), before) << size << step;
    }
  }
}

/// On ice a push of 0.3 m g moves a crate of stone that stone holds.
TEST(RunChange, FrictionChangesWhatHolds) {
  for (const char* scheme : {"", kRealTime}) {
    for (const bool slippery : {false, true}) {
      const Scene scene = makeScene(scheme);
      Simulation s(scene);
      const ObjectId top = idOfName("crate[2]");
      for (int i = 0; i < 100; ++i) ASSERT_TRUE(s.step());
      if (slippery) {
        ASSERT_TRUE(s.change(FrictionChange{materialOf(scene, "stone"), 0.1}));
      }
      ASSERT_TRUE(s.change(PullChange{top, {}, {1e3, 0, 2.5}, 1e6, 0, 0.3 * 9810}));
      for (int i = 0; i < 100; ++i) ASSERT_TRUE(s.step());
      // 0.5 (0.3 - 0.1) g t^2 with t = 0.5 s: 0.245 m; held, nothing moves.
      const double x = s.getWorld().motion(top).centerOfMass.x();
      EXPECT_NEAR(x, slippery ? 0.5 * 0.2 * 9.81 * 0.25 : 0.0, slippery ? 0.01 : 1e-3) << scheme;
    }
  }
}

TEST(RunChange, PairsThatWereGivenStay) {
  const Scene scene = makeScene();
  Simulation s(scene);
  const MaterialId ice = materialOf(scene, "ice"), stone = materialOf(scene, "stone");
  ASSERT_TRUE(s.change(FrictionChange{ice, 0.6}));
  const MaterialTable& table = materialsOf(s.getWorld());
  EXPECT_EQ(table.between(ice, ice).friction, 0.01);
  EXPECT_EQ(table.between(ice, stone).friction, 0.6);
  ASSERT_TRUE(s.change(FrictionChange{stone, 0.15}));
  EXPECT_EQ(table.between(ice, stone).friction, std::sqrt(0.15 * 0.6));
  EXPECT_EQ(table.between(stone, stone).friction, 0.15);
  // Back where it began: the values are the first ones again.
  ASSERT_TRUE(s.change(FrictionChange{stone, 0.6}));
  ASSERT_TRUE(s.change(FrictionChange{ice, 0.02}));
  const World fresh = buildWorld(scene);
  for (const MaterialId a : {MaterialId{0}, ice, stone})
    for (const MaterialId b : {MaterialId{0}, ice, stone})
      EXPECT_EQ(table.between(a, b).friction, materialsOf(fresh).between(a, b).friction);
}

TEST(RunChange, GravityIsBooked) {
  const Scene scene = makeScene();
  Simulation s(scene);
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(s.step());
  ASSERT_TRUE(s.change(GravityChange{{0, 0, 3}}));
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(s.step());
  EXPECT_GT(s.getWorld().motion(idOfName("ball")).centerOfMass.z(), 1.0);
  const EnergyAccount& books = s.getWorld().getLedger();
  EXPECT_LE(std::fabs(books.residual()), 1e-9 * books.largestEntry());
}

/// Who plays with a run: changes after some steps, by a fixed script.
std::vector<ChangeRecord> script(const Simulation& s) {
  const MaterialId stone = materialOf(s.getScene(), "stone");
  return {{0, pullOf(s, "crate[1]", {0.5, 0, 0}, {2, 0, 1.5})},
          {13, pullOf(s, "crate[1]", {0.5, 0, 0}, {2.5, 0.3, 2})},
          {13, FrictionChange{stone, 0.05}},
          {60, GravityChange{{2, 0, -5}}},
          {61, ReleaseChange{}},
          {100, pullOf(s, "ball", {0, 0, 0.5}, {0, 0, 3})}};
}

void applyAt(Simulation& s, std::vector<ChangeRecord>& changes, FrameSink* sink) {
  while (!changes.empty() && changes.front().step == s.getStep()) {
    s.change(changes.front().change).orThrow();
    if (sink != nullptr) sink->onChange(changes.front());
    changes.erase(changes.begin());
  }
}

TEST(RunChange, ARecordingHoldsThemAndReplaysToTheBit) {
  for (const char* more : {"", kRealTime, R"("record": {"every": 7},)"}) {
    const Scene scene = makeScene(more);
    const std::string path = std::filesystem::temp_directory_path() /
                             concat("abut_run_change_", static_cast<int>(::getpid()), ".abut");
    std::vector<ChangeRecord> wanted;
    {
      Simulation s(scene);
      RecordingWriter out(path, SceneSource{"scene.json", scene.text, scene.files});
      out.onHeader(s.getHeader());
      std::vector<ChangeRecord> changes = wanted = script(s);
      Frame frame;
      s.capture(frame);
      out.onFrame(frame);
      while (s.getStep() < 150) {
        applyAt(s, changes, &out);
        ASSERT_TRUE(s.step());
        if (s.getStep() % scene.record.every != 0) continue;
        s.capture(frame);
        out.onFrame(frame);
      }
      out.onChange({150, ReleaseChange{}});  // No frame follows: it changed nothing that was seen.
      out.onEnd();
    }
    RecordingReader reader(path);
    Simulation again(scene);
    Frame recorded, now;
    std::vector<ChangeRecord> seen;
    while (reader.next(recorded)) {
      std::vector<ChangeRecord> changes = reader.getChanges();
      seen.insert(seen.end(), changes.begin(), changes.end());
      while (again.getStep() < recorded.step) {
        applyAt(again, changes, nullptr);
        ASSERT_TRUE(again.step());
      }
      again.capture(now);
      ASSERT_EQ(now.hash, recorded.hash) << recorded.step;
      const auto difference = findDifference(reader.getHeader(), recorded, now);
      ASSERT_FALSE(difference) << difference->toText();
    }
    EXPECT_TRUE(reader.isComplete());
    EXPECT_EQ(seen, wanted);
    std::filesystem::remove(path);
  }
}

}  // namespace
}  // namespace abut::io
