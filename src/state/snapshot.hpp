// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/core/status.hpp>
#include <abut/state/snapshot_source.hpp>

#include "dynamics/body_labels.hpp"
#include "dynamics/body_record.hpp"
#include "state/persistent_state.hpp"

namespace abut::inline v0_1 {

/// See World::hash(), World::snapshot() and World::restore().
[[nodiscard]] std::uint64_t hashOf(const PersistentState& state);
[[nodiscard]] std::vector<std::byte> writeSnapshot(const PersistentState& state,
                                                   const BodyLabels& labels);

/// The same piece by piece: what comes before the state, a label (their number comes first, unless
/// there is none), and what ends a snapshot that holds all else.
void beginSnapshot(std::vector<std::byte>& bytes);
void writeLabel(ObjectId id, const BodyLabel& label, std::vector<std::byte>& bytes);
void endSnapshot(std::vector<std::byte>& bytes);

/// Of the bytes before and behind what beginSnapshot() and endSnapshot() enclose. Sizes of
/// snapshots are multiples of eight.
inline constexpr std::size_t kSnapshotHeaderBytes = 24, kSnapshotChecksumBytes = 8;
/// Says in the header how many bytes follow it, without the checksum.
void setSnapshotSize(std::span<std::byte> header, std::uint64_t size);

/// What of a snapshot is read into a state, where that is not all of it. Bodies come first, by id.
class SnapshotFilter {
public:
  virtual ~SnapshotFilter() = default;
  /// Whether a dynamic body is read; all others are.
  [[nodiscard]] virtual bool takesBody(const BodyRecord& body) = 0;
  /// Whether contacts between two bodies are.
  [[nodiscard]] virtual bool takesPair(const ObjectPair& pair) = 0;
  /// Whether a dynamic body came, read or not.
  [[nodiscard]] virtual bool knows(ObjectId body) const = 0;
};

/// Reads a part of a snapshot that comes piece by piece. Touching pairs, what sensors see and
/// joints are all read; joints are not derived yet. Fails as readSnapshot().
Status readSnapshotPart(SnapshotSource& source, const BodyTable& present,
                        std::span<const std::shared_ptr<const Shape>> shapes,
                        SnapshotFilter& filter, PersistentState& state, BodyLabels& labels);

/// Reads a snapshot into a state and labels that are new; shapes are looked for among `shapes` and
/// those of the bodies present. The state is of no use if it fails: with BadData or UnknownObject.
Status readSnapshot(std::span<const std::byte> snapshot, const BodyTable& present,
                    std::span<const std::shared_ptr<const Shape>> shapes, PersistentState& state,
                    BodyLabels& labels);

}  // namespace abut::inline v0_1
