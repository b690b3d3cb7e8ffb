// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

std::atomic<std::size_t> count{0};
std::atomic<std::size_t> firstFailure{0}, lastFailure{0};  // Numbers of allocations; 0: none.
std::atomic<std::size_t> failures{0};

bool isSpared = false;

/// Counts an allocation; true if it is to fail.
bool fails() {
  if (isSpared) return false;
  const std::size_t number = ++count;
  if (number < firstFailure || number > lastFailure) return false;
  ++failures;
  return true;
}

void* allocate(std::size_t size) {
  if (fails()) throw std::bad_alloc();
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  if (fails()) throw std::bad_alloc();
  const std::size_t step = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(step, (size + step - 1) / step * step)) return p;
  throw std::bad_alloc();
}

}  // namespace

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
  if (fails()) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  if (fails()) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
  std::free(p);
}
void operator delete[](void* p, const std::nothrow_t&) noexcept {
  std::free(p);
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete[](void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
