// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/halo.hpp"

namespace abut::inline v0_1 {

/// Items that all ranks have some of, brought to rank 0 in the order of their keys, a chunk at a
/// time, so that no rank ever holds more of them than its own and a chunk of each other. Each
/// rank's are sorted, no two have the same key. All ranks call it.
template <class Key>
class Stream {
public:
  /// Of this rank: how many, the key of one, whether it is to be sent, and its bytes.
  struct Items {
    std::size_t size = 0;
    std::function<Key(std::size_t)> keyOf;
    std::function<bool(std::size_t)> isSent;
    std::function<void(std::size_t, std::vector<std::byte>&)> write;
  };

  /// All chunks together take this much on rank 0, however many ranks there are.
  static constexpr std::size_t kAllChunks = std::size_t{1} << 26;

  Stream(Communicator& comm, const Items& items, std::size_t allChunks = kAllChunks)
      : comm_(comm), items_(items), all_chunks_(allChunks) {}

  /// How many there are on all ranks.
  [[nodiscard]] std::uint64_t count() {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < items_.size; ++i) sum += items_.isSent(i) ? 1 : 0;
    comm_.add({&sum, 1});
    return sum;
  }

  /// use(bytes) of each, on rank 0.
  template <class Use>
  void run(Use&& use) {
    const auto ranks = static_cast<std::size_t>(comm_.getSize());
    const std::size_t most = all_chunks_ / ranks;  // deny-ok: integers
    for (std::size_t next = 0;;) {
      std::vector<std::vector<std::byte>> out(ranks), in;
      makeChunk(next, most, out[0]);
      comm_.exchange(out, in);
      Bound bound;
      if (comm_.getRank() == 0) bound = merge(in, use);
      std::vector<std::byte> told;
      if (comm_.getRank() == 0) put(told, bound);
      std::vector<std::vector<std::byte>> heard;
      comm_.gatherAll(told, heard);
      bound = MessageReader(heard[0]).take<Bound>();
      if (bound.isEnd != 0) return;
      while (next < items_.size && !(bound.last < items_.keyOf(next))) ++next;
    }
  }

private:
  /// Up to where items were used; those beyond are sent again.
  struct Bound {
    Key last{};
    std::uint64_t isEnd = 0;
  };
  struct Piece {
    Key key;
    std::span<const std::byte> bytes;
  };

  void makeChunk(std::size_t next, std::size_t most, std::vector<std::byte>& chunk) const {
    put(chunk, std::uint64_t{0});
    for (bool isEmpty = true; next < items_.size && (isEmpty || chunk.size() < most); ++next) {
      if (!items_.isSent(next)) continue;
      isEmpty = false;
      put(chunk, items_.keyOf(next));
      const std::size_t at = chunk.size();
      put(chunk, std::uint64_t{0});
      items_.write(next, chunk);
      const std::uint64_t size = chunk.size() - at - sizeof(std::uint64_t);
      std::memcpy(chunk.data() + at, &size, sizeof size);
    }
    const std::uint64_t hasMore = next < items_.size ? 1 : 0;
    std::memcpy(chunk.data(), &hasMore, sizeof hasMore);
  }

  /// Uses all items of which it is known that none comes before them.
  template <class Use>
  static Bound merge(const std::vector<std::vector<std::byte>>& chunks, Use&& use) {
    Bound bound;
    bound.isEnd = 1;
    std::vector<Piece> pieces;
    for (const std::vector<std::byte>& chunk : chunks) {
      MessageReader message(chunk);
      const bool hasMore = message.take<std::uint64_t>() != 0;
      while (!message.isEmpty()) {
        const Key key = message.take<Key>();
        const auto size = message.take<std::uint64_t>();
        pieces.push_back({key, message.piece(static_cast<std::size_t>(size))});
      }
      if (!hasMore) continue;
      const Key last = pieces.back().key;  // A chunk that is not the last has one.
      if (bound.isEnd != 0 || last < bound.last) bound.last = last;
      bound.isEnd = 0;
    }
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.key < b.key; });
    for (const Piece& piece : pieces) {
      if (bound.isEnd == 0 && bound.last < piece.key) break;
      use(piece.bytes);
    }
    return bound;
  }

  Communicator& comm_;
  const Items& items_;
  std::size_t all_chunks_;
};

}  // namespace abut::inline v0_1
