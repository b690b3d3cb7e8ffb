// SPDX-License-Identifier: MIT
// Wrong command lines end in one line that names what is wrong, with exit code 1.
#include <gtest/gtest.h>

#include "tool/process.hpp"

namespace abut::test {
namespace {

struct Wrong {
  std::vector<std::string> arguments;
  std::string says;
};

TEST(Usage, WrongCommandLinesAreNamed) {
  const TemporaryFolder folder;
  folder.write("s.json", R"({"step": 0.01, "duration": 0.1, "bodies": [
      {"name": "ball", "shapes": [{"sphere": {"radius": 0.5}}]}]})");
  const Wrong all[] = {
      {{"run", "s.json", "--steps", "-1"}, "expected a whole number from 0"},
      {{"run", "s.json", "--steps", "1.5"}, "expected a whole number from 0"},
      {{"run", "s.json", "--steps", "1e3"}, "expected a whole number from 0"},
      {{"run", "s.json", "--checkpoint-every", "0"}, "expected a whole number from 1"},
      {{"hash", "s.json", "--steps", "-5"}, "expected a whole number from 0"},
      {{"hash", "s.json", "--steps", "18446744073709551616"}, "expected a whole number from 0"},
      {{"view", "s.json", "--port", "99999"}, "expected a whole number from 0 to 65535"},
      {{"run", "s.json", "--stpes", "4"}, "did you mean --steps?"},
      {{"run", "s.json", "--reprot=x"}, "did you mean --report?"},
      {{"run", "s.json", "more"}, "unexpected \"more\""},
      {{"rnu", "s.json"}, "unknown verb \"rnu\""},
      {{"query", "--shape1", "box 1 1", "--shape2", "sphere 1"}, "--shape1"},
      {{"query", "--shape1", "box 1 1 -1", "--shape2", "sphere 1"}, "query: "},
      {{"query", "--shape1", "sphere 1", "--shape2", "sphere 1", "--pose1", "a"}, "--pose1"},
      {{"verify", "--only", "nosuch"}, "no such scenario"},
      {{"verify", "--only", "incline", "--robot", "a.urdf"}, "do not go together"},
      {{"export", "s.json", "s.txt"}, ".glb, .csv or .npz"},
      {{"completion", "fish"}, "fish"},
  };
  for (const Wrong& w : all) {
    const Outcome o = runTool(folder.get(), w.arguments);
    EXPECT_EQ(o.code, 1) << w.says << ": " << o.err;
    EXPECT_NE(o.err.find(w.says), std::string::npos) << w.says << ": " << o.err;
    EXPECT_EQ(o.err.find('\n'), o.err.size() - 1) << o.err;
  }
}

TEST(Usage, OneIsNotMany) {
  const TemporaryFolder folder;
  folder.write("s.json", R"({"step": 0.01, "duration": 0.01, "bodies": [
      {"name": "ball", "shapes": [{"sphere": {"radius": 0.5}}]}]})");
  const Outcome run = runTool(folder.get(), {"run", "s.json"});
  EXPECT_NE(run.out.find("1 body, 1 step of"), std::string::npos) << run.out;
  const Outcome check = runTool(folder.get(), {"check", "s.json"});
  EXPECT_NE(check.out.find("1 body: 1 dynamic"), std::string::npos) << check.out;
}

TEST(Usage, ShellsCompleteVerbsOptionsAndScenarios) {
  const TemporaryFolder folder;
  for (const char* shell : {"bash", "zsh"}) {
    const Outcome o = runTool(folder.get(), {"completion", shell});
    EXPECT_EQ(o.code, 0);
    for (const char* word : {"replay", "--checkpoint-every", "--only", "verify --list", "bash zsh"})
      EXPECT_NE(o.out.find(word), std::string::npos) << shell << " " << word;
    EXPECT_EQ(o.out.find("bashcompinit") != std::string::npos, std::string(shell) == "zsh");
  }
}

}  // namespace
}  // namespace abut::test
