// SPDX-License-Identifier: MIT
//
// snapshot_resume save FILE STEPS   steps the scene, writes a snapshot, prints 200 hashes from
// there. snapshot_resume load FILE         restores it in this process and prints 200 hashes. The
// two print the same lines: see tests/programs/snapshot_resume.cmake.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "support/snapshot_scene.hpp"

namespace {

void printHashes(abut::World& world) {
  for (int i = 0; i < 200; ++i) {
    world.step(abut::test::kSnapshotStep).orThrow();
    std::printf("%016llx\n", static_cast<unsigned long long>(world.hash()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  abut::World world = abut::test::snapshotScene();
  if (argc == 4 && std::strcmp(argv[1], "save") == 0) {
    for (int i = 0; i < std::atoi(argv[3]); ++i) world.step(abut::test::kSnapshotStep).orThrow();
    const std::vector<std::byte> bytes = world.snapshot();
    std::ofstream(argv[2], std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  } else if (argc == 3 && std::strcmp(argv[1], "load") == 0) {
    std::ifstream file(argv[2], std::ios::binary);
    const std::vector<char> text((std::istreambuf_iterator<char>(file)), {});
    world.restore(std::as_bytes(std::span(text))).orThrow();
  } else {
    std::fprintf(stderr, "usage: snapshot_resume save FILE STEPS | load FILE\n");
    return 1;
  }
  printHashes(world);
  return 0;
}
