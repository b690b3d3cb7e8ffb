// SPDX-License-Identifier: MIT
// FAULTS class 14: the tool where memory is short.
#include <cstdlib>
#include <string>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "tool/process.hpp"

namespace abut::test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Exit code of the tool with so much address space [kB], -1 for a signal; errors go to "err".
int runWithin(long kilobytes, const TemporaryFolder& folder, const std::string& arguments) {
  const std::string command = "cd " + folder.get() + " && ulimit -v " + std::to_string(kilobytes) +
                              " && " + ABUT_TOOL + " " + arguments + " > out 2> err";
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return code > 128 ? -1 : code;
}

TEST(OutOfMemoryInTheTool, IsOneLineAndNoCrash) {
  const TemporaryFolder folder;
  // Spheres in one place: 300 of them have 44850 contacts, a few hundred megabytes.
  std::string bodies;
  for (int i = 0; i < 300; ++i) {
    bodies += std::string(i == 0 ? "" : ",") + R"({"name": "s)" + std::to_string(i) +
              R"(", "position": [0, 0, 5], "shapes": [{"sphere": {"radius": 0.5}}]})";
  }
  folder.write("scene.json", R"({"step": 0.01, "duration": 0.01, "solver": {"scheme": "realTime"},
      "bodies": [)" + bodies + "]}");
  int refused = 0;
  for (const long kilobytes : {40000, 60000, 80000, 120000, 180000}) {
    const int code = runWithin(kilobytes, folder, "run scene.json --record r.abut");
    const std::string err = folder.read("err");
    // The C++ runtime did not even get what it throws exceptions with.
    if (code == -1 && runWithin(kilobytes, folder, "--version") == -1) continue;
    ASSERT_NE(code, -1) << kilobytes << " kB: " << err;
    if (code == 0) continue;
    if (contains(err, "shared librar")) continue;  // Not even started.
    EXPECT_TRUE(contains(err, "out of memory")) << kilobytes << " kB, code " << code << ": " << err;
    ++refused;
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace abut::test
