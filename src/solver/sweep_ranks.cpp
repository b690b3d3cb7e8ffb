// SPDX-License-Identifier: MIT
#include "solver/sweep_ranks.hpp"

#include <algorithm>
#include <utility>

namespace abut::inline v0_1 {

/// The moves with one rank, sorted.
void SweepRanks::take(Side& side, std::size_t rank, std::span<const Move> moves) const {
  for (std::size_t i = 0; i < moves.size();) {
    const std::uint32_t colour = moves[i].colour;
    Message message{static_cast<std::int32_t>(rank), side.bodies.size(), 0};
    for (; i < moves.size() && moves[i].colour == colour; ++i) {
      side.bodies.push_back(moves[i].body);
    }
    message.end = side.bodies.size();
    side.messages[colour].push_back(message);
  }
}

void SweepRanks::plan(Halo& halo, std::span<const std::uint8_t> moves,
                      std::span<const ManifoldRow> rows, std::span<const std::uint32_t> order) {
  halo_ = &halo;
  moves_ = moves;
  const auto ranks = static_cast<std::size_t>(halo.comm.getSize());
  const auto isOwn = [&](std::uint32_t b) { return moves[b] != 0 && halo.isGhost[b] == 0; };
  const auto ownerOfGhost = [&](std::uint32_t b) {
    return moves[b] != 0 && halo.isGhost[b] != 0 ? halo.owner[b] : -1;
  };
  double last = -1.0;
  std::vector<std::pair<std::uint32_t, std::int32_t>> ghosts;  // Own bodies, and where they are.
  for (const std::uint32_t k : order) {
    const ManifoldRow& row = rows[k];
    last = std::max(last, static_cast<double>(row.colour));
    const std::int32_t rank1 = ownerOfGhost(row.body1), rank2 = ownerOfGhost(row.body2);
    if (rank1 >= 0 && isOwn(row.body2)) ghosts.push_back({row.body2, rank1});
    if (rank2 >= 0 && isOwn(row.body1)) ghosts.push_back({row.body1, rank2});
  }
  std::sort(ghosts.begin(), ghosts.end());
  ghosts.erase(std::unique(ghosts.begin(), ghosts.end()), ghosts.end());
  num_colours_ = static_cast<std::uint32_t>(halo.greatest(last) + 1.0);

  std::vector<std::vector<Move>> sends(ranks);
  for (const std::uint32_t k : order) {
    const ManifoldRow& row = rows[k];
    for (const auto& [body, other] :
         {std::pair(row.body1, row.body2), std::pair(row.body2, row.body1)}) {
      if (!isOwn(body)) continue;
      const std::int32_t knows = ownerOfGhost(other);
      auto at = std::lower_bound(ghosts.begin(), ghosts.end(), std::pair(body, std::int32_t{-1}));
      for (; at != ghosts.end() && at->first == body; ++at) {
        if (at->second != knows) {
          sends[static_cast<std::size_t>(at->second)].push_back({row.colour, body});
        }
      }
    }
  }
  for (Side* side : {&out_, &in_}) {
    side->messages.assign(num_colours_, {});
    side->bodies.clear();
  }
  std::vector<std::vector<std::byte>> out(ranks), in;
  for (std::size_t r = 0; r < ranks; ++r) {
    std::sort(sends[r].begin(), sends[r].end());
    take(out_, r, sends[r]);
    for (const Move& m : sends[r]) {
      put(out[r], m.colour);
      put(out[r], halo.ids[m.body]);
    }
  }
  halo.comm.exchange(out, in);
  std::vector<Move> received;
  for (std::size_t r = 0; r < ranks; ++r) {
    received.clear();
    MessageReader message(in[r]);
    while (!message.isEmpty()) {
      const auto colour = message.take<std::uint32_t>();
      const auto id = message.take<ObjectId>();
      const auto at = std::lower_bound(halo.ids.begin(), halo.ids.end(), id);
      received.push_back({colour, static_cast<std::uint32_t>(at - halo.ids.begin())});
    }
    take(in_, r, received);
  }
  out_.states.resize(out_.bodies.size());
  in_.states.resize(in_.bodies.size());
}

void SweepRanks::after(std::uint32_t colour, BatchBody* bodies) {
  outgoing_.clear();
  incoming_.clear();
  for (const Message& m : out_.messages[colour]) {
    for (std::size_t i = m.first; i < m.end; ++i) out_.states[i] = bodies[out_.bodies[i]];
    outgoing_.push_back(
        {m.rank, std::as_bytes(std::span(out_.states).subspan(m.first, m.end - m.first))});
  }
  for (const Message& m : in_.messages[colour]) {
    incoming_.push_back(
        {m.rank, std::as_writable_bytes(std::span(in_.states).subspan(m.first, m.end - m.first))});
  }
  if (outgoing_.empty() && incoming_.empty()) return;
  halo_->comm.swap(outgoing_, incoming_);
  for (const Message& m : in_.messages[colour]) {
    for (std::size_t i = m.first; i < m.end; ++i) bodies[in_.bodies[i]] = in_.states[i];
  }
}

}  // namespace abut::inline v0_1
