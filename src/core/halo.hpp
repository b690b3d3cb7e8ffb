// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <abut/core/communicator.hpp>
#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// How the bodies of a rank's part of a world relate to those of other ranks, by index in the
/// table. Dynamic bodies belong to one rank; near ones of others are here as ghosts. Bodies of
/// other kinds are on all ranks, and rank 0 answers for them.
///
/// A rank has every contact of its own bodies, so one between bodies of two ranks is on both, which
/// compute the same bits of it: what a stage says of an own body is complete, and what it says of a
/// ghost is replaced by share(). Where something is counted, the owner of the contact's dynamic
/// body with the smaller id counts it.
class Halo {
public:
  explicit Halo(Communicator& communicator) : comm(communicator) {}

  Communicator& comm;
  std::vector<ObjectId> ids;
  std::vector<std::uint8_t> isMine;   ///< Whether this rank answers for it.
  std::vector<std::uint8_t> isGhost;  ///< A dynamic body of another rank.
  std::vector<std::int32_t> owner;    ///< Rank; 0 for what is on all.
  /// By rank: own bodies that are ghosts there, ghosts that come from there; ascending.
  std::vector<std::vector<std::uint32_t>> outgoing, incoming;

  /// Whether a contact between two bodies, at least one of them dynamic, is counted here.
  [[nodiscard]] bool counts(std::uint32_t body1, std::uint32_t body2,
                            std::span<const std::uint8_t> isDynamic) const {
    const std::uint32_t lower = body1 < body2 ? body1 : body2;
    const std::uint32_t upper = body1 < body2 ? body2 : body1;
    return isMine[isDynamic[lower] != 0 ? lower : upper] != 0;
  }

  /// Ghosts become what their owners say.
  template <class T>
  void share(std::span<T> column);
  template <class T>
  void share(std::vector<T>& column) {
    share(std::span<T>(column));
  }
  /// Over all ranks. Numbers are not NaN.
  [[nodiscard]] bool any(bool here);
  [[nodiscard]] double greatest(double here);
  [[nodiscard]] double least(double here) { return -greatest(-here); }
  [[nodiscard]] std::uint64_t total(std::uint64_t here);
  /// The same status on all ranks: of failures that of the smallest object, then rank.
  Status agree(const Status& here);

private:
  void swap(std::size_t itemSize);

  std::vector<std::vector<std::byte>> sent_, received_;
  std::vector<Communicator::Outgoing> out_;
  std::vector<Communicator::Incoming> in_;
};

/// Adds the bytes of a value to a message.
template <class T>
void put(std::vector<std::byte>& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::size_t end = bytes.size();
  bytes.resize(end + sizeof(T));
  std::memcpy(bytes.data() + end, &value, sizeof(T));
}

/// Takes values from the front of a message; false once there is none left.
class MessageReader {
public:
  explicit MessageReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class T>
  [[nodiscard]] bool get(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes_.size() < sizeof value) return false;
    std::memcpy(static_cast<void*>(&value), bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
    return true;
  }
  /// A value that is known to be there.
  template <class T>
  [[nodiscard]] T take() {
    T value{};
    requireThere(get(value));
    return value;
  }
  /// So many bytes, as one piece.
  [[nodiscard]] std::span<const std::byte> piece(std::size_t size) {
    requireThere(size <= bytes_.size());
    const std::span<const std::byte> front = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return front;
  }
  [[nodiscard]] bool isEmpty() const { return bytes_.empty(); }

private:
  static void requireThere(bool isThere);

  std::span<const std::byte> bytes_;
};

template <class T>
void Halo::share(std::span<T> column) {
  static_assert(std::is_trivially_copyable_v<T>);
  sent_.resize(outgoing.size());
  for (std::size_t r = 0; r < outgoing.size(); ++r) {
    sent_[r].resize(outgoing[r].size() * sizeof(T));
    std::byte* at = sent_[r].data();
    for (const std::uint32_t body : outgoing[r]) {
      std::memcpy(at, &column[body], sizeof(T));
      at += sizeof(T);
    }
  }
  swap(sizeof(T));
  for (std::size_t r = 0; r < incoming.size(); ++r) {
    const std::byte* at = received_[r].data();
    for (const std::uint32_t body : incoming[r]) {
      std::memcpy(static_cast<void*>(&column[body]), at, sizeof(T));
      at += sizeof(T);
    }
  }
}

}  // namespace abut::inline v0_1
