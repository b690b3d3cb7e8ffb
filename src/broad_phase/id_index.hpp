// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// From id to slot: open addressing, linear probing, at most half full. Never iterated, so its
/// order cannot reach a result.
class IdIndex {
public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// kNone if the id is unknown.
  [[nodiscard]] std::uint32_t find(ObjectId id) const;
  /// Room for `count` ids. The only function that allocates.
  void reserve(std::size_t count);
  /// The id is new, and there is room.
  void insert(ObjectId id, std::uint32_t slot);
  /// The id is known.
  void assign(ObjectId id, std::uint32_t slot);
  void erase(ObjectId id);
  void clear();

private:
  struct Entry {
    ObjectId id = kNoObject;  // kNoObject: free.
    std::uint32_t slot = 0;
  };

  [[nodiscard]] std::size_t positionOf(ObjectId id) const;

  std::vector<Entry> entries_;  // A power of two of them, or none.
  std::size_t mask_ = 0;
};

}  // namespace abut::inline v0_1
