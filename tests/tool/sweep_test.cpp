// SPDX-License-Identifier: MIT
// A study's table is the same for any number of threads and parts, and after any interruption.
#include <csignal>

#include <gtest/gtest.h>

#include "tool/process.hpp"

namespace abut::test {
namespace {

constexpr const char* kScene =
    R"({"step": 0.01, "duration": 0.5, "materials": {"felt": {"friction": 0.3}},
  "bodies": [{"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "felt"}]},
             {"name": "box, \"big\"", "position": [0, 0, 0.5], "linearVelocity": [3, 0, 0], "mass": 2,
              "shapes": [{"box": {"size": [1, 1, 1]}, "material": "felt"}]}]})";
constexpr const char* kStudy = R"({"scene": "s.json",
  "parameters": [{"name": "friction", "at": "/materials/felt/friction", "values": [0.1, 0.2, 0.4]},
                 {"name": "mass", "at": "/bodies/box, \"big\"/mass", "from": 1, "to": 100, "count": 3, "scale": "logarithmic"}],
  "measures": [{"name": "v", "body": "box, \"big\"", "of": "linearVelocity.x"},
               {"name": "way", "body": "box, \"big\"", "of": "position.x", "as": "change"},
               {"of": "greatestDepth", "as": "greatest"}, {"of": "kineticAfter", "as": "least"}]})";

TemporaryFolder& prepare(TemporaryFolder& folder) {
  folder.write("s.json", kScene);
  folder.write("study.json", kStudy);
  return folder;
}

std::vector<std::vector<std::string>> cells(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const char c : text) {
    if (c == '\n') {
      rows.push_back({""});
    } else if (c == ',') {
      rows.back().emplace_back();
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST(Sweep, EachCaseSlidesAsFrictionSays) {
  TemporaryFolder folder;
  prepare(folder);
  const Outcome o = runTool(folder.get(), {"sweep", "study.json"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto rows = cells(folder.read("study.csv"));
  ASSERT_EQ(rows.size(), 10U);
  EXPECT_EQ(rows[0][1], "friction");
  const double friction[] = {0.1, 0.2, 0.4};
  for (std::size_t i = 0; i < 9; ++i) {
    const auto& row = rows[i + 1];
    EXPECT_EQ(row[0], std::to_string(i));
    // A block that slides from 3 m/s loses mu g t in half a second, whatever its mass.
    const double speed = 3.0 - friction[i / 3] * 9.81 * 0.5;
    EXPECT_NEAR(std::stod(row[1]), friction[i / 3], 1e-15);
    EXPECT_NEAR(std::stod(row[2]), i % 3 == 0 ? 1.0 : i % 3 == 1 ? 10.0 : 100.0, 1e-12);
    EXPECT_NEAR(std::stod(row[3]), speed, 1e-9);
    EXPECT_NEAR(std::stod(row[4]), 0.25 * (3.0 + speed), 1e-9);
    EXPECT_NEAR(std::stod(row[6]), 0.5 * std::stod(row[2]) * speed * speed, 1e-6);
    EXPECT_EQ(row.size(), rows[0].size());
    EXPECT_EQ(row.back(), "");
  }
}

TEST(Sweep, ThreadsPartsAndInterruptionsGiveTheSameTable) {
  TemporaryFolder folder;
  prepare(folder);
  ASSERT_EQ(runTool(folder.get(), {"sweep", "study.json", "--table", "a.csv"}).code, 0);
  ASSERT_EQ(
      runTool(folder.get(), {"sweep", "study.json", "--table", "b.csv", "--threads", "3"}).code, 0);
  for (const char* part : {"2/3", "1/3", "3/3"})
    ASSERT_EQ(
        runTool(folder.get(), {"sweep", "study.json", "--table", "c.csv", "--shard", part}).code,
        0);
  for (unsigned i = 0; i < 4; ++i)
    runAndKill(folder.get(), {"sweep", "study.json", "--table", "d.csv"}, 9000 + 9000 * i);
  ASSERT_EQ(runTool(folder.get(), {"sweep", "study.json", "--table", "d.csv"}).code, 0);
  const std::string table = folder.read("a.csv");
  EXPECT_EQ(folder.read("b.csv"), table);
  EXPECT_EQ(folder.read("c.csv"), table);
  EXPECT_EQ(folder.read("d.csv"), table);
  // No journal is left. (A kill may leave a temporary file of the table.)
  for (const std::string& name : folder.list())
    EXPECT_EQ(name.find(".csv.part"), std::string::npos) << name;
}

TEST(Sweep, TornLinesAreDoneAnew) {
  TemporaryFolder folder;
  prepare(folder);
  ASSERT_EQ(runTool(folder.get(), {"sweep", "study.json", "--table", "a.csv"}).code, 0);
  ASSERT_EQ(
      runTool(folder.get(), {"sweep", "study.json", "--table", "b.csv", "--shard", "1/2"}).code, 0);
  const std::string part = folder.read("b.csv.part.1-of-2");
  ASSERT_FALSE(part.empty());
  for (const std::size_t cut : {std::size_t{0}, std::size_t{5}, part.size() / 2, part.size() - 1}) {
    folder.write("b.csv.part.1-of-2", part.substr(0, cut));
    ASSERT_EQ(runTool(folder.get(), {"sweep", "study.json", "--table", "b.csv"}).code, 0) << cut;
    EXPECT_EQ(folder.read("b.csv"), folder.read("a.csv"));
  }
}

TEST(Sweep, WhatIsWrongIsNamedBeforeAnythingRuns) {
  struct Wrong {
    const char* study;
    const char* says;
  };
  const Wrong all[] = {
      {R"({"scene": "s.json", "parameters": [{"name": "a", "at": "/bodies/bax/mass", "values": [1]}]})",
       "the scene has no place"},
      {R"({"scene": "s.json", "parameters": [{"name": "a", "at": "/bodies/1/mass", "values": [1, -1]}]})",
       "in case 1 of the study: a -1"},
      {R"({"scene": "s.json", "parameters": [{"name": "a", "at": "bodies", "values": [1]}]})",
       "begins with"},
      {R"({"scene": "../s.json", "parameters": []})", "/scene"},
      {R"({"scene": "s.json", "parameters": []})", "/parameters"},
      {R"({"scene": "s.json", "parameters": [{"name": "a", "at": "/step", "from": 0, "to": 1, "count": 2, "scale": "logarithmic"}]})",
       "above 0"},
      {R"({"scene": "s.json", "parameters": [{"name": "a", "at": "/step", "values": [0.1]}], "measures": [{"body": "floor", "of": "positon.x"}]})",
       "did you mean"},
      {R"({"scene": "s.json", "parameters": [{"name": "a", "at": "/step", "values": [0.1]}], "measures": [{"body": "flor", "of": "position.x"}]})",
       "no body \"flor\""},
      {R"({"scene": "s.json", "combine": "together", "parameters": [{"name": "a", "at": "/step", "values": [0.1]}, {"name": "b", "at": "/duration", "values": [1, 2]}]})",
       "as many values"},
  };
  for (const Wrong& w : all) {
    TemporaryFolder folder;
    prepare(folder);
    folder.write("study.json", w.study);
    const Outcome o = runTool(folder.get(), {"sweep", "study.json"});
    EXPECT_EQ(o.code, 2) << w.says << o.err;
    EXPECT_NE(o.err.find(w.says), std::string::npos) << w.says << ": " << o.err;
    EXPECT_EQ(o.err.find('\n'), o.err.size() - 1) << o.err;
  }
  TemporaryFolder folder;
  prepare(folder);
  ASSERT_EQ(runTool(folder.get(), {"sweep", "study.json", "--shard", "1/2"}).code, 0);
  folder.write("s.json", std::string(kScene) + " ");
  const Outcome changed = runTool(folder.get(), {"sweep", "study.json", "--shard", "2/2"});
  EXPECT_EQ(changed.code, 2);
  EXPECT_NE(changed.err.find("belongs to another study"), std::string::npos) << changed.err;
  for (const char* shard : {"0/2", "3/2", "1", "a/b", "1/2.5"})
    EXPECT_EQ(runTool(folder.get(), {"sweep", "study.json", "--shard", shard}).code, 1) << shard;
}

}  // namespace
}  // namespace abut::test
