// SPDX-License-Identifier: MIT
// What verbs other than run write: nothing that they read is destroyed, nothing is lost in silence.
#include <filesystem>
#include <unistd.h>

#include <gtest/gtest.h>

#include "apps/abut/report_template.hpp"
#include "tool/process.hpp"

namespace abut::test {
namespace {

const std::string kMesh =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
constexpr const char* kScene =
    R"({"step": 0.01, "duration": 0.1, "bodies": [
      {"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
      {"name": "ball", "position": [0, 0, 0.5], "shapes": [{"sphere": {"radius": 0.5}}]},
      {"name": "t", "position": [0, 9, 3], "shapes": [{"mesh": {"file": "parts/t.obj"}}]}]})";
constexpr const char* kStudy =
    R"({"scene": "scene.json", "parameters": [{"name": "x", "at": "/bodies/ball/position/0", "values": [0, 1]}]})";
constexpr const char* kRobot =
    R"(<robot name="r"><link name="base"><collision><geometry><mesh filename="parts/t.obj"/></geometry></collision>
      <inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>)";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Everything that a verb may want to read.
struct Files : TemporaryFolder {
  Files() {
    write("parts/t.obj", kMesh);
    write("scene.json", kScene);
    write("study.json", kStudy);
    write("robot.urdf", kRobot);
  }
};

TEST(Output, NoVerbOverwritesAFileThatItsInputUses) {
  const Files folder;
  std::vector<std::vector<std::string>> calls = {
      {"view", "scene.json", "--record", "parts/t.obj"},
      {"report", "scene.json", "-o", "parts/t.obj"},
      {"sweep", "study.json", "--table", "parts/t.obj"},
      {"sweep", "study.json", "--table", "scene.json"},
      {"convert", "robot.urdf", "-o", "parts/t.obj"},
      {"convert", "robot.urdf", "-o", "robot.urdf"},
  };
  for (const std::vector<std::string>& arguments : calls) {
    if (arguments[0] == "view" && !tool::pageMissingBecause().empty()) continue;
    const Outcome o = runTool(folder.get(), arguments);
    EXPECT_EQ(o.code, 2) << arguments[0] << o.err;
    EXPECT_TRUE(contains(o.err, "would be lost")) << arguments[0] << ": " << o.err;
    EXPECT_EQ(folder.read("parts/t.obj"), kMesh) << arguments[0];
    EXPECT_EQ(folder.read("scene.json"), kScene) << arguments[0];
    EXPECT_EQ(folder.read("robot.urdf"), kRobot) << arguments[0];
  }
}

TEST(Output, EmptyNamesAreRefusedByEveryVerb) {
  const Files folder;
  const std::vector<std::string> before = folder.list();
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"report", "scene.json", "-o", ""},
        {"sweep", "study.json", "--table", ""},
        {"convert", "robot.urdf", "-o", ""}}) {
    const Outcome o = runTool(folder.get(), arguments);
    EXPECT_EQ(o.code, 2) << arguments[0] << o.err;
    EXPECT_TRUE(contains(o.err, "the path is empty")) << arguments[0] << ": " << o.err;
    EXPECT_EQ(folder.list(), before) << arguments[0];
  }
}

TEST(Output, AFullOrClosedStandardOutputIsAnErrorOfEveryVerb) {
  const Files folder;
  ASSERT_EQ(runTool(folder.get(), {"run", "scene.json", "--record", "a.abut"}).code, 0);
  folder.write("p.dat", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1\n0.5\n0\n0.3\n");
  std::vector<std::vector<std::string>> calls = {
      {"--help"},
      {"--version"},
      {"run", "--help"},
      {"run", "scene.json"},
      {"report", "a.abut", "-o", "a.html"},
      {"sweep", "study.json"},
      {"check", "scene.json"},
      {"hash", "scene.json"},
      {"replay", "a.abut"},
      {"replay", "a.abut", "--verify"},
      {"export", "a.abut", "a.csv"},
      {"convert", "robot.urdf"},
      {"convert", "robot.urdf", "-o", "robot.json"},
      {"query", "--shape1", "box 1 1 1", "--shape2", "sphere 0.5"},
      {"fc3d", "p.dat"},
      {"completion", "bash"},
  };
  for (const std::string out : {"/dev/full", kClosed}) {
    for (const std::vector<std::string>& arguments : calls) {
      if (arguments[0] == "report" && !tool::pageMissingBecause().empty()) continue;
      const Outcome o = runToolInto(out, folder.get(), arguments);
      EXPECT_EQ(o.code, 2) << out << " " << arguments[0] << ": " << o.err;
      EXPECT_TRUE(contains(o.err, "standard output cannot be written")) << arguments[0] << o.err;
    }
  }
}

TEST(Output, ProblemsReplaceAFileOnlyWhenTheyAreWhole) {
  const Files folder;
  const std::vector<std::string> write = {"export",  "scene.json", "p.hdf5",
                                          "--fclib", "--step",     "5"};
  folder.write("p.hdf5", "old");
  const Outcome made = runTool(folder.get(), write);
  if (contains(made.err, "without HDF5")) GTEST_SKIP() << made.err;
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(folder.read("p.hdf5").substr(1, 3), "HDF");
  EXPECT_EQ(runTool(folder.get(), {"fc3d", "p.hdf5"}).code, 0);
  // A disk that takes nothing more.
  ASSERT_EQ(::unlink(folder.file("p.hdf5").c_str()), 0);
  ASSERT_EQ(::symlink("/dev/full", folder.file("p.hdf5").c_str()), 0);
  const Outcome full = runTool(folder.get(), write);
  EXPECT_EQ(full.code, 2) << full.out;
  EXPECT_TRUE(contains(full.err, "p.hdf5: cannot be written")) << full.err;
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("p.hdf5")));
}

TEST(Output, NamesAreAsLongAsTheFileSystemTakes) {
  const Files folder;
  const std::string longest(255, 'n');
  for (const char* option : {"--checkpoint", "--record"}) {
    const Outcome o = runTool(folder.get(), {"run", "scene.json", option, longest});
    EXPECT_EQ(o.code, 0) << option << o.err;
    EXPECT_GT(std::filesystem::file_size(folder.file(longest)), 100u);
    ASSERT_EQ(::unlink(folder.file(longest).c_str()), 0);
  }
  EXPECT_EQ(runTool(folder.get(), {"run", "scene.json", "--checkpoint", longest + "n"}).code, 2);
}

TEST(Sweep, StudiesThatGrowWithoutBoundAreRefusedAtOnce) {
  const Files folder;
  const auto refused = [&](const std::string& parameters, const std::string& more,
                           const std::string& why) {
    folder.write("study.json",
                 R"({"scene": "scene.json", "parameters": [)" + parameters + "]" + more + "}");
    const Outcome o = runTool(folder.get(), {"sweep", "study.json"});
    EXPECT_EQ(o.code, 2) << o.err;
    EXPECT_TRUE(contains(o.err, why)) << o.err;
    EXPECT_LT(o.computing, 5.0);
  };
  const auto range = [](int number, const std::string& fields) {
    return std::string(number == 0 ? "" : ",") + R"({"name": "p)" + std::to_string(number) +
           R"(", "at": "/bodies/ball/position/0", )" + fields + "}";
  };
  std::string many;
  for (int i = 0; i < 64; ++i) many += range(i, R"("from": 0, "to": 1, "count": 1000000)");
  refused(many, "", "cases");
  refused(many, R"(, "combine": "together")", "values");
  refused(range(0, R"("from": 1e-300, "to": 1e300, "count": 3, "scale": "logarithmic")"), "",
          "too far from each other");
}

}  // namespace
}  // namespace abut::test
