// SPDX-License-Identifier: MIT
#include "core/fnv.hpp"
#include "ranks/sorted_share.hpp"
#include "state/snapshot.hpp"

namespace abut::inline v0_1 {
namespace {

/// Which bytes of so many each rank gets: whole units.
struct Ranges {
  std::uint64_t total, unit, ranks;

  [[nodiscard]] std::uint64_t numUnits() const {
    return (total + unit - 1) / unit;  // deny-ok: integers
  }
  [[nodiscard]] std::uint64_t beginOf(std::uint64_t rank) const {
    return std::min(total, numUnits() * rank / ranks * unit);  // deny-ok: integers
  }
  [[nodiscard]] std::uint64_t ownerOf(std::uint64_t byte) const {
    return ((byte / unit + 1) * ranks - 1) / numUnits();  // deny-ok: integers
  }
};

/// Where this rank's part of each piece begins; the last is where all end.
std::vector<std::uint64_t> placesOf(Communicator& comm,
                                    const std::vector<std::vector<std::byte>>& pieces,
                                    std::size_t ofState, std::uint64_t& stateEnd) {
  std::vector<std::byte> mine;
  for (const std::vector<std::byte>& piece : pieces) {
    put(mine, static_cast<std::uint64_t>(piece.size()));
  }
  std::vector<std::vector<std::byte>> all;
  comm.gatherAll(mine, all);
  std::vector<MessageReader> sizes;
  for (const std::vector<std::byte>& one : all) sizes.emplace_back(one);
  std::vector<std::uint64_t> places;
  std::uint64_t at = 0;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (p == ofState) stateEnd = at;
    for (std::size_t r = 0; r < sizes.size(); ++r) {
      if (static_cast<int>(r) == comm.getRank()) places.push_back(at);
      at += sizes[r].take<std::uint64_t>();
    }
  }
  places.push_back(at);
  return places;
}

/// Adds those of `bytes`, which begin at `first`, that lie between two places.
void addBetween(Fnv& sum, std::span<const std::byte> bytes, std::uint64_t first, std::uint64_t from,
                std::uint64_t to) {
  const std::uint64_t begin = std::max(from, first), end = std::min(to, first + bytes.size());
  for (std::uint64_t at = begin; at < end; ++at) {
    sum.addByte(static_cast<std::uint64_t>(bytes[static_cast<std::size_t>(at - first)]));
  }
}

/// Checksum and hash go from rank to rank, each of which adds its bytes: neither can be put
/// together in another order. The last rank writes the checksum.
void addSums(Communicator& comm, std::uint64_t stateEnd, SnapshotRange& range) {
  const int rank = comm.getRank();
  const std::uint64_t end = range.total - kSnapshotChecksumBytes;
  Fnv sums[2];
  const auto bytes = std::as_writable_bytes(std::span(sums));
  if (rank > 0) {
    const Communicator::Incoming in[] = {{rank - 1, bytes}};
    comm.swap({}, in);
  }
  addBetween(sums[0], range.bytes, range.first, 0, end);
  addBetween(sums[1], range.bytes, range.first, kSnapshotHeaderBytes, stateEnd);
  const bool isLast = rank + 1 == comm.getSize();
  if (!isLast) {
    const Communicator::Outgoing out[] = {{rank + 1, bytes}};
    comm.swap(out, {});
  }
  range.hash = isLast ? sums[1].value : 0;
  comm.add({&range.hash, 1});
  for (std::size_t i = 0; isLast && i < kSnapshotChecksumBytes; ++i) {
    range.bytes[static_cast<std::size_t>(end - range.first) + i] =
        static_cast<std::byte>((sums[0].value >> (8 * i)) & 0xff);
  }
}

}  // namespace

SnapshotRange joinPieces(Communicator& comm, std::vector<std::vector<std::byte>>& pieces,
                         std::size_t ofState, std::size_t unit) {
  const auto rank = static_cast<std::uint64_t>(comm.getRank());
  std::uint64_t stateEnd = 0;
  const std::vector<std::uint64_t> places = placesOf(comm, pieces, ofState, stateEnd);
  SnapshotRange range;
  range.total = places.back() + kSnapshotChecksumBytes;
  if (rank == 0) setSnapshotSize(pieces[0], places.back() - kSnapshotHeaderBytes);
  const Ranges ranges{range.total, unit, static_cast<std::uint64_t>(comm.getSize())};
  std::vector<std::vector<std::byte>> out(static_cast<std::size_t>(ranges.ranks)), in;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const std::uint64_t end = places[p] + pieces[p].size();
    for (std::uint64_t at = places[p]; at < end;) {
      const std::uint64_t owner = ranges.ownerOf(at);
      const std::uint64_t size = std::min(end, ranges.beginOf(owner + 1)) - at;
      std::vector<std::byte>& to = out[static_cast<std::size_t>(owner)];
      put(to, at);
      put(to, size);
      const std::byte* const from = pieces[p].data() + static_cast<std::size_t>(at - places[p]);
      to.insert(to.end(), from, from + static_cast<std::size_t>(size));
      at += size;
    }
    std::vector<std::byte>().swap(pieces[p]);
  }
  comm.exchange(out, in);
  std::vector<std::vector<std::byte>>().swap(out);
  range.first = ranges.beginOf(rank);
  range.bytes.resize(static_cast<std::size_t>(ranges.beginOf(rank + 1) - range.first));
  for (const std::vector<std::byte>& part : in) {
    MessageReader message(part);
    while (!message.isEmpty()) {
      const auto at = message.take<std::uint64_t>(), size = message.take<std::uint64_t>();
      const auto piece = message.piece(static_cast<std::size_t>(size));
      std::memcpy(range.bytes.data() + static_cast<std::size_t>(at - range.first), piece.data(),
                  piece.size());
    }
  }
  addSums(comm, stateEnd, range);
  return range;
}

}  // namespace abut::inline v0_1
