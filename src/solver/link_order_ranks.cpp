// SPDX-License-Identifier: MIT
//
// Colours and islands of links that are divided among ranks. A rank has all links of its own
// bodies; those between bodies of two ranks are on both.
#include <algorithm>
#include <bit>
#include <map>

#include "solver/link_order.hpp"

namespace abut {
namespace {

/// Islands of at most so many bodies are solved as one by the rank of their smallest body: some of
/// them go to Newton's method (IslandSolver), which is not divided.
constexpr std::uint64_t kMostGathered = 200;

/// The links of each moving body, by rank.
struct Queues {
  std::vector<std::uint32_t> first, links, head;  ///< By body; ranked links; by body, the next.
};

/// A link between an own body and a ghost: what is known of the colours of both.
struct Border {
  std::uint64_t masks[2] = {};  ///< Colours that the own body, and the ghost, had before it.
  bool known[2] = {};
  std::int32_t rank = -1;    ///< The ghost's; -1: no such link.
  std::uint32_t number = 0;  ///< Among the links with that rank, the same number on both sides.
};

struct Note {
  std::uint64_t mask;
  std::uint64_t number;
};

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/// What a rank tells of an island that is on others too.
struct Piece {
  ObjectId label;
  std::uint64_t bodies;
  std::uint8_t isHome, hasLastColour;
};

}  // namespace

/// Greedy colouring by rank gives a link the least colour that no earlier link of its bodies has,
/// whoever finds it: a link waits until it is the first without a colour of both its bodies. For
/// one between two ranks each side tells the other the colours that its body has by then.
void LinkOrder::colourOverRanks(std::span<const Link> links, std::span<const std::uint8_t> moves,
                                Halo& halo) {
  const std::size_t ranks = static_cast<std::size_t>(halo.comm.getSize());
  const auto isOwn = [&](std::uint32_t b) { return moves[b] != 0 && halo.isGhost[b] == 0; };
  Queues q;
  q.first.assign(moves.size() + 1, 0);
  for (const Ranked& r : ranked_) {
    for (const std::uint32_t b : {r.body1, r.body2}) q.first[b + 1] += isOwn(b) ? 1 : 0;
  }
  for (std::size_t b = 0; b < moves.size(); ++b) q.first[b + 1] += q.first[b];
  q.links.resize(q.first.back());
  q.head.assign(q.first.begin(), q.first.end() - 1);
  for (std::uint32_t k = 0; k < ranked_.size(); ++k) {
    for (const std::uint32_t b : {ranked_[k].body1, ranked_[k].body2}) {
      if (isOwn(b)) q.links[q.head[b]++] = k;
    }
  }
  q.head.assign(q.first.begin(), q.first.end() - 1);

  // Links with other ranks are numbered by pair and part, which both sides have alike.
  std::vector<Border> borders(ranked_.size());
  std::vector<std::vector<std::uint32_t>> with(ranks);
  for (std::uint32_t k = 0; k < ranked_.size(); ++k) {
    for (const std::uint32_t b : {ranked_[k].body1, ranked_[k].body2}) {
      if (moves[b] == 0 || halo.isGhost[b] == 0) continue;
      borders[k].rank = halo.owner[b];
      with[static_cast<std::size_t>(halo.owner[b])].push_back(k);
    }
  }
  for (std::vector<std::uint32_t>& list : with) {
    std::sort(list.begin(), list.end(), [&](std::uint32_t x, std::uint32_t y) {
      const Link &a = links[ranked_[x].link], &b = links[ranked_[y].link];
      return a.pair != b.pair ? a.pair < b.pair : a.part < b.part;
    });
    for (std::uint32_t i = 0; i < list.size(); ++i) borders[list[i]].number = i;
  }

  used_.assign(moves.size(), 0);
  colours_.resize(ranked_.size());
  std::vector<std::uint32_t> ready;
  std::vector<std::vector<std::byte>> out(ranks), in;
  std::size_t left = ranked_.size();
  const auto isFirst = [&](std::uint32_t k, std::uint32_t b) {
    return !isOwn(b) || (q.head[b] < q.first[b + 1] && q.links[q.head[b]] == k);
  };
  const auto paint = [&](std::uint32_t k) {
    Ranked& r = ranked_[k];
    const Border& border = borders[k];
    const std::uint64_t taken = border.rank >= 0 ? border.masks[0] | border.masks[1]
                                                 : (isOwn(r.body1) ? used_[r.body1] : 0) |
                                                       (isOwn(r.body2) ? used_[r.body2] : 0);
    const std::uint64_t free = ~taken | (std::uint64_t{1} << kLastColour);
    const auto colour = static_cast<std::uint32_t>(std::countr_zero(free));
    r.bucket += colour * kKinds;
    colours_[r.link] = colour;
    --left;
    for (const std::uint32_t b : {r.body1, r.body2}) {
      if (!isOwn(b)) continue;
      used_[b] |= std::uint64_t{1} << colour;
      if (++q.head[b] < q.first[b + 1]) ready.push_back(q.links[q.head[b]]);
    }
  };
  const auto look = [&](std::uint32_t k) {
    const Ranked& r = ranked_[k];
    if (!isFirst(k, r.body1) || !isFirst(k, r.body2)) return;
    Border& border = borders[k];
    if (border.rank >= 0 && !border.known[0]) {
      border.known[0] = true;
      border.masks[0] = used_[isOwn(r.body1) ? r.body1 : r.body2];
      put(out[static_cast<std::size_t>(border.rank)], Note{border.masks[0], border.number});
    }
    if (border.rank < 0 || border.known[1]) paint(k);
  };
  const auto lookAtAll = [&] {
    while (!ready.empty()) {
      const std::uint32_t k = ready.back();
      ready.pop_back();
      look(k);
    }
  };
  // A link that is first of both its bodies is met twice; it is painted once, as the second look
  // finds it no longer first.
  for (std::uint32_t b = 0; b < moves.size(); ++b) {
    if (isOwn(b) && q.first[b] < q.first[b + 1]) ready.push_back(q.links[q.first[b]]);
  }
  lookAtAll();
  while (halo.any(left > 0)) {
    halo.comm.exchange(out, in);
    for (std::vector<std::byte>& bytes : out) bytes.clear();
    for (std::size_t r = 0; r < ranks; ++r) {
      MessageReader notes(in[r]);
      for (Note note{}; notes.get(note);) {
        const std::uint32_t k = with[r].at(note.number);
        borders[k].masks[1] = note.mask;
        borders[k].known[1] = true;
        if (borders[k].known[0]) paint(k);
      }
    }
    lookAtAll();
  }
}

/// Every body takes the smallest id of those that it hangs together with; own bodies tell their
/// ghosts on other ranks, until nothing changes. What has the same label is then one island.
void LinkOrder::joinOverRanks(std::span<const Link> links, std::span<const std::uint8_t> moves,
                              Halo& halo) {
  std::vector<ObjectId>& labels = bodyLabels_;
  const std::size_t n = moves.size();
  std::vector<std::uint8_t> isLinked(n, 0);
  for (const Link& link : links) isLinked[link.body1] = isLinked[link.body2] = 1;
  labels.resize(n);
  for (std::uint32_t b = 0; b < n; ++b) labels[b] = halo.ids[rootOf(parent_, b)];
  std::vector<ObjectId> least(n);
  do {
    for (std::uint32_t b = 0; b < n; ++b) least[b] = labels[rootOf(parent_, b)];
    labels = least;
    halo.share(labels);
    for (std::uint32_t b = 0; b < n; ++b) {
      ObjectId& root = least[rootOf(parent_, b)];
      root = std::min(root, labels[b]);
    }
    bool changed = false;
    for (std::uint32_t b = 0; b < n; ++b) {
      const ObjectId now = least[rootOf(parent_, b)];
      // Ghosts that no link holds may have any label.
      changed = changed || (halo.isGhost[b] == 0 && now != labels[b]);
      labels[b] = now;
    }
    if (!halo.any(changed)) break;
  } while (true);
  std::map<ObjectId, std::uint32_t> roots;
  for (std::uint32_t b = 0; b < n; ++b) {
    if (moves[b] == 0 || isLinked[b] == 0) continue;
    const std::uint32_t root = rootOf(parent_, b);
    const auto [at, isNew] = roots.try_emplace(labels[b], root);
    if (isNew || at->second == root) continue;
    parent_[std::max(at->second, root)] = std::min(at->second, root);
    at->second = std::min(at->second, root);
  }
}

/// Which islands are on several ranks, and how they are solved.
void LinkOrder::describeSpread(Halo& halo) {
  labels_.assign(islands_.size(), kNoObject);
  isSpread_.assign(islands_.size(), 0);
  std::vector<Piece> pieces(islands_.size());
  for (std::uint32_t i = 0; i < islands_.size(); ++i) {
    const Island& island = islands_[i];
    Piece& piece = pieces[i];
    for (const std::uint32_t b : std::span(bodies_).subspan(island.firstBody, island.numBodies)) {
      labels_[i] = bodyLabels_[b];
      if (halo.isGhost[b] != 0) {
        isSpread_[i] = 1;
        continue;
      }
      ++piece.bodies;
      if (halo.ids[b] == bodyLabels_[b]) piece.isHome = 1;
    }
    piece.label = labels_[i];
    for (const std::uint32_t link : std::span(sorted_).subspan(island.firstLink, island.numLinks)) {
      if (colours_[link] == kLastColour) piece.hasLastColour = 1;
    }
  }
  std::vector<std::byte> mine;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (isSpread_[i] != 0) put(mine, pieces[i]);
  }
  std::vector<std::vector<std::byte>> all;
  halo.comm.gatherAll(mine, all);
  std::map<ObjectId, Spread> spread;
  for (std::size_t r = 0; r < all.size(); ++r) {
    MessageReader in(all[r]);
    for (Piece piece{}; in.get(piece);) {
      Spread& island = spread[piece.label];
      island.label = piece.label;
      island.bodies += piece.bodies;
      if (piece.isHome != 0) island.home = static_cast<std::int32_t>(r);
      if (piece.hasLastColour != 0) island.isGathered = true;
    }
  }
  for (std::uint32_t i = 0; i < islands_.size(); ++i) {
    if (isSpread_[i] != 0) spread[labels_[i]].island = i;
  }
  spread_.clear();
  for (auto& [label, island] : spread) {
    island.isGathered = island.isGathered || island.bodies <= kMostGathered;
    spread_.push_back(island);
  }
}

}  // namespace abut
