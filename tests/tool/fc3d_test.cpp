// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "tool/process.hpp"

namespace abut::test {
namespace {

// One contact of unit response that closes at 1 m/s and slides at 0.5 m/s: r = (1, -0.3, 0), which
// leaves a slip of 0.2 m/s.
const std::string kOneContact = "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n-1\n0.5\n0\n0.3\n";
// Two of them, stored as blocks by columns.
const std::string kTwoContacts =
    "3\n2\n1\n6\n6\n2\n2\n2\n3 6\n3 6\n3\n2\n0 1 2\n0 1\n"
    "0\n1 0 0 0 1 0 0 0 1\n1\n2 0 0 0 2 0 0 0 2\n-1 0.5 0 -1 0 0\n0.3 0.3\n";

TEST(Fc3d, SolvesProblemsOfBothStorages) {
  TemporaryFolder folder;
  folder.write("one.dat", kOneContact);
  folder.write("two.dat", kTwoContacts);
  const Outcome o = runTool(folder.get(), {"fc3d", "one.dat", "two.dat"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("2 problems: 2 to 1e-8, 2 to 1e-12"), std::string::npos) << o.out;
}

TEST(Fc3d, RefusesWhatIsNoProblem) {
  TemporaryFolder folder;
  folder.write("empty.dat", "");
  folder.write("short.dat", kOneContact.substr(0, kOneContact.size() - 8));
  folder.write("words.dat", "3 1 x");
  folder.write("other.txt", kOneContact);
  folder.write("text.hdf5", kOneContact);
  for (const char* name :
       {"empty.dat", "short.dat", "words.dat", "other.txt", "text.hdf5", "no.dat"}) {
    const Outcome o = runTool(folder.get(), {"fc3d", name});
    EXPECT_EQ(o.code, 2) << name;
    EXPECT_NE(o.err.find(name), std::string::npos) << o.err;
  }
}

TEST(Fc3d, RefusesFrictionThatCannotBeAndCountsThatLie) {
  TemporaryFolder folder;
  std::string negative = kOneContact;
  negative.replace(negative.rfind("0.3"), 3, "-0.3");
  folder.write("negative.dat", negative);
  // An index of 10^8 starts and columns is announced, in 40 bytes.
  folder.write("lies.dat", "3 2 1 6 6 2 2 2 3 6 3 6 100000000 100000000 0");
  const Outcome o = runTool(folder.get(), {"fc3d", "negative.dat"});
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("contact 0: its friction"), std::string::npos) << o.err;
  // What it takes goes by what the file holds: within 400 MB of address space it says what is
  // wrong.
  const std::string limited =
      "cd " + folder.get() + " && ulimit -v 400000 && " + ABUT_TOOL + " fc3d lies.dat > out 2> err";
  const int status = std::system(limited.c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << status;
  EXPECT_NE(folder.read("err").find("missing"), std::string::npos) << folder.read("err");
}

// Two blocks on the ground, one of them on a slope of its own weight, and one alone: the problem of
// a step, written and read again, has as many contacts as the world and an answer to 1e-12.
const std::string kBlocks = R"({
  "step": 0.01, "duration": 0.1,
  "bodies": [
    {"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
    {"name": "low", "position": [0, 0, 0.5], "linearVelocity": [1, 0, 0],
     "shapes": [{"box": {"size": [1, 1, 1]}}]},
    {"name": "high", "position": [0.2, 0.1, 1.5], "shapes": [{"box": {"size": [1, 1, 1]}}]},
    {"name": "far", "position": [5, 0, 0.5], "linearVelocity": [0, 2, 0],
     "shapes": [{"box": {"size": [1, 1, 1]}}]}]})";

TEST(Fc3d, SolvesTheProblemOfAStepThatExportWrites) {
  TemporaryFolder folder;
  folder.write("blocks.json", kBlocks);
  const Outcome written =
      runTool(folder.get(), {"export", "blocks.json", "step.hdf5", "--fclib", "--step", "2"});
  if (written.err.find("without HDF5") != std::string::npos) GTEST_SKIP() << written.err;
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_NE(written.out.find("12 contacts in 2 islands"), std::string::npos) << written.out;
  const Outcome solved = runTool(folder.get(), {"fc3d", "step.hdf5"});
  EXPECT_EQ(solved.code, 0) << solved.err;
  EXPECT_NE(solved.out.find("1 problems: 1 to 1e-8, 1 to 1e-12"), std::string::npos) << solved.out;
}

TEST(Fc3d, ExportRefusesStepsWithoutSuchAProblem) {
  TemporaryFolder folder;
  folder.write("blocks.json", kBlocks);
  std::string realTime = kBlocks;
  realTime.insert(realTime.find("\"bodies\""), "\"solver\": {\"scheme\": \"realTime\"}, ");
  folder.write("fast.json", realTime);
  const auto run = [&](const std::vector<std::string>& arguments) {
    return runTool(folder.get(), arguments);
  };
  EXPECT_EQ(run({"export", "fast.json", "x.hdf5", "--fclib"}).code, 2);
  EXPECT_EQ(run({"export", "blocks.json", "x.dat", "--fclib"}).code, 1);
  EXPECT_EQ(run({"export", "blocks.json", "x.glb", "--step", "3"}).code, 1);
  EXPECT_EQ(run({"export", "blocks.json", "x.hdf5", "--fclib", "--step", "0"}).code, 1);
  const Outcome none = run({"export", "blocks.json", "x.hdf5", "--fclib", "--problem", "impact"});
  EXPECT_EQ(none.code, 2);
  EXPECT_NE(none.err.find("no impact problem"), std::string::npos) << none.err;
}

}  // namespace
}  // namespace abut::test
