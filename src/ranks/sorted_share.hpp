// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <abut/state/snapshot_source.hpp>

#include "ranks/stream.hpp"

namespace abut::inline v0_1 {

/// Of items that all ranks have some of the share of one rank, as bytes: ranks one after the other
/// have all of them in the order of their keys, each about as many. All ranks call it.
template <class Key>
std::vector<std::byte> sortedShare(Communicator& comm, const typename Stream<Key>::Items& items) {
  constexpr std::size_t kSamples = 32;  // Of a rank; shares are then equal within some percent.
  const auto ranks = static_cast<std::size_t>(comm.getSize());
  std::vector<std::size_t> sent;
  for (std::size_t i = 0; i < items.size; ++i) {
    if (items.isSent(i)) sent.push_back(i);
  }
  std::vector<std::byte> samples;
  const std::size_t count = std::min(kSamples, sent.size());
  for (std::size_t s = 0; s < count; ++s) {
    put(samples, items.keyOf(sent[(2 * s + 1) * sent.size() / (2 * count)]));  // deny-ok: integers
  }
  std::vector<std::vector<std::byte>> all, out(ranks), in;
  comm.gatherAll(samples, all);
  std::vector<Key> keys, bounds;
  for (const std::vector<std::byte>& one : all) {
    MessageReader message(one);
    while (!message.isEmpty()) keys.push_back(message.take<Key>());
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t r = 1; r < ranks && !keys.empty(); ++r) {
    bounds.push_back(keys[r * keys.size() / ranks]);  // deny-ok: integers
  }
  for (const std::size_t i : sent) {
    const Key key = items.keyOf(i);
    const auto to = std::upper_bound(bounds.begin(), bounds.end(), key) - bounds.begin();
    std::vector<std::byte>& bytes = out[static_cast<std::size_t>(to)];
    put(bytes, key);
    const std::size_t at = bytes.size();
    put(bytes, std::uint64_t{0});
    items.write(i, bytes);
    const std::uint64_t size = bytes.size() - at - sizeof(std::uint64_t);
    std::memcpy(bytes.data() + at, &size, sizeof size);
  }
  comm.exchange(out, in);
  std::vector<std::vector<std::byte>>().swap(out);
  struct Piece {
    Key key;
    std::span<const std::byte> bytes;
  };
  std::vector<Piece> pieces;
  for (const std::vector<std::byte>& part : in) {
    MessageReader message(part);
    while (!message.isEmpty()) {
      const Key key = message.take<Key>();
      const auto size = message.take<std::uint64_t>();
      pieces.push_back({key, message.piece(static_cast<std::size_t>(size))});
    }
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.key < b.key; });
  std::vector<std::byte> share;
  for (const Piece& piece : pieces) {
    share.insert(share.end(), piece.bytes.begin(), piece.bytes.end());
  }
  return share;
}

/// A snapshot that lies on all ranks in pieces: piece after piece, of each what rank 0 has, then
/// rank 1 and so on. Each rank gets a range of it that begins at a multiple of `unit`, itself one
/// of eight [bytes]; the checksum is added. The state ends where piece `ofState` begins. `pieces`
/// are used up. All ranks call it.
[[nodiscard]] SnapshotRange joinPieces(Communicator& comm,
                                       std::vector<std::vector<std::byte>>& pieces,
                                       std::size_t ofState, std::size_t unit);

}  // namespace abut::inline v0_1
