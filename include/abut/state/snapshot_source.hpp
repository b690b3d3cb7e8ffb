// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace abut::inline v0_1 {

/// A snapshot (World::snapshot()) that is read piece by piece, so that it need not be in memory as
/// a whole.
class SnapshotSource {
public:
  virtual ~SnapshotSource() = default;
  /// Goes to the first byte.
  virtual void begin() = 0;
  /// Fills `bytes`, or fewer at the end; returns how many. What it throws ends the reading.
  [[nodiscard]] virtual std::size_t read(std::span<std::byte> bytes) = 0;

protected:
  SnapshotSource() = default;
  SnapshotSource(const SnapshotSource&) = default;
  SnapshotSource& operator=(const SnapshotSource&) = default;
};

/// A piece of a snapshot.
struct SnapshotRange {
  std::uint64_t first = 0;       ///< Its place in the snapshot [bytes].
  std::uint64_t total = 0;       ///< Bytes of the snapshot.
  std::uint64_t hash = 0;        ///< Of the world, as World::hash().
  std::vector<std::byte> bytes;  ///< May be empty.
};

}  // namespace abut::inline v0_1
