// SPDX-License-Identifier: MIT
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

}  // namespace
}  // namespace abut::test
