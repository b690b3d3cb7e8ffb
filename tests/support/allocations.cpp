// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::size_t> count{0};
std::atomic<std::size_t> firstFailure{0}, lastFailure{0};  // Numbers of allocations; 0: none.
std::atomic<std::size_t> failures{0};
std::atomic<std::size_t> held{0};  // Bytes.

bool isSpared = false;

/// Counts an allocation; true if it is to fail.
bool fails() {
  if (isSpared) return false;
  const std::size_t number = ++count;
  if (number < firstFailure || number > lastFailure) return false;
  ++failures;
  return true;
}

void* take(std::size_t size) {
  void* const p = std::malloc(size == 0 ? 1 : size);
  held += malloc_usable_size(p);
  return p;
}

void giveBack(void* p) {
  held -= malloc_usable_size(p);
  std::free(p);
}

void* allocate(std::size_t size) {
  if (fails()) throw std::bad_alloc();
  if (void* p = take(size)) return p;
  throw std::bad_alloc();
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  if (fails()) throw std::bad_alloc();
  const std::size_t step = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(step, (size + step - 1) / step * step)) {
    held += malloc_usable_size(p);
    return p;
  }
  throw std::bad_alloc();
}

}  // namespace

std::size_t abut::test::countHeldBytes() {
  return held;
}

std::size_t abut::test::countAllocations() {
  return count;
}

abut::test::FailingAllocations::FailingAllocations(std::size_t number, bool allAfter) {
  failures = 0;
  lastFailure = allAfter ? std::numeric_limits<std::size_t>::max() : count + number;
  firstFailure = count + number;
}

abut::test::SparedAllocations::SparedAllocations() {
  isSpared = true;
}

abut::test::SparedAllocations::~SparedAllocations() {
  isSpared = false;
}

abut::test::FailingAllocations::~FailingAllocations() {
  stop();
}

void abut::test::FailingAllocations::stop() {
  lastFailure = 0;
}

std::size_t abut::test::FailingAllocations::numFailures() const {
  return failures;
}

void* operator new(std::size_t size) {
  return allocate(size);
}
void* operator new[](std::size_t size) {
  return allocate(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, alignment);
}
// Sorts ask for their buffers in this way.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return fails() ? nullptr : take(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return fails() ? nullptr : take(size);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
  giveBack(p);
}
void operator delete[](void* p, const std::nothrow_t&) noexcept {
  giveBack(p);
}
void operator delete(void* p) noexcept {
  giveBack(p);
}
void operator delete[](void* p) noexcept {
  giveBack(p);
}
void operator delete(void* p, std::size_t) noexcept {
  giveBack(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  giveBack(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  giveBack(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
  giveBack(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  giveBack(p);
}
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  giveBack(p);
}
