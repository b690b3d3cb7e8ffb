// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/core/status.hpp>

#include "dynamics/body_labels.hpp"
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

/// Reads a snapshot into a state and labels that are new; shapes are looked for among `shapes` and
/// those of the bodies present. The state is of no use if it fails: with BadData or UnknownObject.
Status readSnapshot(std::span<const std::byte> snapshot, const BodyTable& present,
                    std::span<const std::shared_ptr<const Shape>> shapes, PersistentState& state,
                    BodyLabels& labels);

}  // namespace abut::inline v0_1
