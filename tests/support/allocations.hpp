// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace abut::test {

/// Number of allocations of the program so far. A program that calls this has every operator new
/// replaced by one that counts.
[[nodiscard]] std::size_t countAllocations();

/// Bytes that operator new has given out in such a program, and that were not given back.
[[nodiscard]] std::size_t countHeldBytes();

/// While there is one, allocations fail: the one with the given number from now on (1 is the next),
/// or all from it on, as when memory is used up.
class FailingAllocations {
public:
  FailingAllocations(std::size_t number, bool allAfter);
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  /// No more of them fail.
  void stop();
  [[nodiscard]] std::size_t numFailures() const;
};

/// While there is one, allocations neither fail nor count for FailingAllocations: those of a test
/// itself.
class SparedAllocations {
public:
  SparedAllocations();
  ~SparedAllocations();
  SparedAllocations(const SparedAllocations&) = delete;
  SparedAllocations& operator=(const SparedAllocations&) = delete;
};

}  // namespace abut::test
