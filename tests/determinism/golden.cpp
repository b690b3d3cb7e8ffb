// SPDX-License-Identifier: MIT
// Runs every public operation of the library on fixed scenes and prints a hash of the results, one
// line an operation. scripts/determinism compares the output of several compilers and machines with
// golden.txt. No test framework, no input, no clock: it must build and run anywhere.
//
//   golden                    everything
//   golden VARIANT [NUMBER]   scenes of the matrix in a way that must not matter
//   (golden_matrix.hpp)
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "digest.hpp"
#include "golden_matrix.hpp"

namespace golden {

void print(std::string_view name, const Digest& digest) {
  std::printf("%.*s %016llx\n", static_cast<int>(name.size()), name.data(),
              static_cast<unsigned long long>(digest.value()));
}

}  // namespace golden

int main(int argc, char** argv) {
  try {
    if (argc > 1) return golden::runVariant(argv[1], argc > 2 ? std::atoi(argv[2]) : 1);
    golden::math();
    golden::shapes();
    golden::broadPhase();
    golden::pairs();
    golden::casts();
    golden::contactGeometry();
    golden::collisionGroups();
    golden::manifolds();
    golden::worlds();
    golden::hybrid();
    golden::scenes();
    golden::matrix();
  } catch (const std::exception& error) {
    std::printf("stopped: %s\n", error.what());
    return 1;
  }
  return 0;
}
