// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <filesystem>
#include <new>
#include <string>
#include <unistd.h>

#include "faults/failing_calls.hpp"

namespace abut::test {

/// A folder of its own, gone with the test.
class Folder {
public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("abut_faults_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

/// Lets each allocation of some work fail: it must end with std::bad_alloc, or do without. `check`
/// looks at what there is afterwards.
template <class Work, class Check>
void failEach(const std::string& name, Work work, Check check) {
  std::size_t tried = 0;
  for (const bool all : {false, true}) {
    for (std::size_t n = 1;; n = nextFailure(n)) {
      std::size_t failures = 0;
      bool isDone = false;
      {
        FailingAllocations failing(n, all);
        try {
          work();
          isDone = true;
        } catch (const std::bad_alloc&) {
        }
        failing.stop();
        failures = failing.numFailures();
      }
      check(isDone);
      if (testing::Test::HasFailure()) {
        ADD_FAILURE() << name << ", allocation " << n << (all ? " and all after it" : "");
        return;
      }
      if (failures == 0) break;
      ++tried;
    }
  }
  std::printf("%s: %zu failures\n", name.c_str(), tried);
}

}  // namespace abut::test
