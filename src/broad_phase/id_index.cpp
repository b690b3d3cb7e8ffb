// SPDX-License-Identifier: MIT
#include "broad_phase/id_index.hpp"

namespace abut::inline v0_1 {
namespace {

/// A bijection of 64-bit numbers that spreads neighbours (multiply and shift, twice).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
  return x ^ (x >> 32);
}

}  // namespace

/// The entry that holds the id, or the free one where it would go.
std::size_t IdIndex::positionOf(ObjectId id) const {
  std::size_t i = static_cast<std::size_t>(mix(id)) & mask_;
  while (entries_[i].id != id && entries_[i].id != kNoObject) i = (i + 1) & mask_;
  return i;
}

std::uint32_t IdIndex::find(ObjectId id) const {
  if (entries_.empty() || id == kNoObject) return kNone;
  const Entry& entry = entries_[positionOf(id)];
  return entry.id == id ? entry.slot : kNone;
}

void IdIndex::reserve(std::size_t count) {
  if (2 * count <= entries_.size()) return;
  std::size_t capacity = 16;
  while (capacity < 2 * count) capacity *= 2;
  std::vector<Entry> old(capacity);
  old.swap(entries_);
  mask_ = capacity - 1;
  for (const Entry& entry : old) {
    if (entry.id != kNoObject) entries_[positionOf(entry.id)] = entry;
  }
}

void IdIndex::insert(ObjectId id, std::uint32_t slot) {
  entries_[positionOf(id)] = {id, slot};
}

void IdIndex::assign(ObjectId id, std::uint32_t slot) {
  entries_[positionOf(id)].slot = slot;
}

void IdIndex::erase(ObjectId id) {
  std::size_t hole = positionOf(id);
  if (entries_[hole].id != id) return;
  // Entries after the hole move back unless that would carry them before their own position.
  for (std::size_t i = (hole + 1) & mask_; entries_[i].id != kNoObject; i = (i + 1) & mask_) {
    const std::size_t home = static_cast<std::size_t>(mix(entries_[i].id)) & mask_;
    if (((i - home) & mask_) < ((i - hole) & mask_)) continue;
    entries_[hole] = entries_[i];
    hole = i;
  }
  entries_[hole] = {};
}

void IdIndex::clear() {
  for (Entry& entry : entries_) entry = {};
}

}  // namespace abut::inline v0_1
