// SPDX-License-Identifier: MIT
//
// Colours and islands of links that are divided among ranks. A rank has all links of its own
// bodies; those between bodies of two ranks are on both.
#include <algorithm>
#include <bit>
#include <map>

#include "solver/link_order.hpp"

namespace abut::inline v0_1 {
namespace {

/// Islands of at most so many bodies are solved as one by the rank of their smallest body: some of
/// them go to Newton's method (IslandSolver), which is not divided.
constexpr std::uint64_t kMostGathered = 200;

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

/// Greedy colouring by rank gives a link the least colour that no earlier link of its bodies has,
/// whoever finds it: a link waits until it is the first without a colour of both its bodies. For
/// one between two ranks each side tells the other the colours that its body has by then.
class RankColours {
public:
  /// Links in the order of their ranks.
  RankColours(std::span<const Link> links, std::span<const std::uint8_t> moves, Halo& halo)
      : links_(links), moves_(moves), halo_(halo), borders_(links.size()), used_(moves.size(), 0) {
    colours.assign(links.size(), 0);
    left_ = links.size();
    with_.resize(static_cast<std::size_t>(halo.comm.getSize()));
    out_.resize(with_.size());
  }
  std::vector<std::uint32_t> colours;

  void run() {
    queueLinks();
    numberBorders();
    // A link that is first of both its bodies is met twice; it is painted once, as the second look
    // finds it no longer first.
    for (std::uint32_t b = 0; b < moves_.size(); ++b) {
      if (head_[b] < first_[b + 1]) ready_.push_back(queue_[head_[b]]);
    }
    lookAtAll();
    std::vector<std::vector<std::byte>> in;
    while (halo_.any(left_ > 0)) {
      halo_.comm.exchange(out_, in);
      for (std::vector<std::byte>& bytes : out_) bytes.clear();
      for (std::size_t r = 0; r < in.size(); ++r) {
        MessageReader notes(in[r]);
        for (Note note{}; notes.get(note);)
          hear(with_[r].at(static_cast<std::size_t>(note.number)), note.mask);
      }
      lookAtAll();
    }
  }

private:
  [[nodiscard]] bool isOwn(std::uint32_t b) const {
    return moves_[b] != 0 && halo_.isGhost[b] == 0;
  }
  [[nodiscard]] bool isFirst(std::uint32_t k, std::uint32_t b) const {
    return !isOwn(b) || (head_[b] < first_[b + 1] && queue_[head_[b]] == k);
  }
  /// The links of each own body.
  void queueLinks() {
    first_.assign(moves_.size() + 1, 0);
    for (const Link& link : links_) {
      for (const std::uint32_t b : {link.body1, link.body2}) first_[b + 1] += isOwn(b) ? 1 : 0;
    }
    for (std::size_t b = 0; b < moves_.size(); ++b) first_[b + 1] += first_[b];
    queue_.resize(first_.back());
    head_.assign(first_.begin(), first_.end() - 1);
    for (std::uint32_t k = 0; k < links_.size(); ++k) {
      for (const std::uint32_t b : {links_[k].body1, links_[k].body2}) {
        if (isOwn(b)) queue_[head_[b]++] = k;
      }
    }
    head_.assign(first_.begin(), first_.end() - 1);
  }
  /// Links with other ranks are numbered by pair and part, which both sides have alike.
  void numberBorders() {
    for (std::uint32_t k = 0; k < links_.size(); ++k) {
      for (const std::uint32_t b : {links_[k].body1, links_[k].body2}) {
        if (moves_[b] == 0 || halo_.isGhost[b] == 0) continue;
        borders_[k].rank = halo_.owner[b];
        with_[static_cast<std::size_t>(halo_.owner[b])].push_back(k);
      }
    }
    for (std::vector<std::uint32_t>& list : with_) {
      std::sort(list.begin(), list.end(), [&](std::uint32_t x, std::uint32_t y) {
        const Link &a = links_[x], &b = links_[y];
        return a.pair != b.pair ? a.pair < b.pair : a.part < b.part;
      });
      for (std::uint32_t i = 0; i < list.size(); ++i) borders_[list[i]].number = i;
    }
  }
  void paint(std::uint32_t k) {
    const Link& link = links_[k];
    const Border& border = borders_[k];
    const auto own = [&](std::uint32_t b) { return isOwn(b) ? used_[b] : 0; };
    const std::uint64_t taken =
        border.rank >= 0 ? border.masks[0] | border.masks[1] : own(link.body1) | own(link.body2);
    const std::uint64_t free = ~taken | (std::uint64_t{1} << LinkOrder::kLastColour);
    colours[k] = static_cast<std::uint32_t>(std::countr_zero(free));
    --left_;
    for (const std::uint32_t b : {link.body1, link.body2}) {
      if (!isOwn(b)) continue;
      used_[b] |= std::uint64_t{1} << colours[k];
      if (++head_[b] < first_[b + 1]) ready_.push_back(queue_[head_[b]]);
    }
  }
  void look(std::uint32_t k) {
    const Link& link = links_[k];
    if (!isFirst(k, link.body1) || !isFirst(k, link.body2)) return;
    Border& border = borders_[k];
    if (border.rank >= 0 && !border.known[0]) {
      border.known[0] = true;
      border.masks[0] = used_[isOwn(link.body1) ? link.body1 : link.body2];
      put(out_[static_cast<std::size_t>(border.rank)], Note{border.masks[0], border.number});
    }
    if (border.rank < 0 || border.known[1]) paint(k);
  }
  void lookAtAll() {
    while (!ready_.empty()) {
      const std::uint32_t k = ready_.back();
      ready_.pop_back();
      look(k);
    }
  }
  void hear(std::uint32_t k, std::uint64_t mask) {
    borders_[k].masks[1] = mask;
    borders_[k].known[1] = true;
    if (borders_[k].known[0]) paint(k);
  }

  std::span<const Link> links_;
  std::span<const std::uint8_t> moves_;
  Halo& halo_;
  std::vector<Border> borders_;  // Of each link.
  std::vector<std::uint64_t> used_;
  std::vector<std::uint32_t> first_, queue_, head_;  // By body; links; by body, the next of them.
  std::vector<std::vector<std::uint32_t>> with_;     // By rank: links with its bodies.
  std::vector<std::vector<std::byte>> out_;
  std::vector<std::uint32_t> ready_;  // Links that may be first.
  std::size_t left_ = 0;
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

void LinkOrder::colourOverRanks(std::span<const Link> links, std::span<const std::uint8_t> moves,
                                Halo& halo) {
  std::vector<Link> ranked;
  ranked.reserve(ranked_.size());
  for (const Ranked& r : ranked_) ranked.push_back(links[r.link]);
  RankColours painter(ranked, moves, halo);
  painter.run();
  colours_.resize(ranked_.size());
  for (std::size_t k = 0; k < ranked_.size(); ++k) {
    ranked_[k].bucket += painter.colours[k] * kKinds;
    colours_[ranked_[k].link] = painter.colours[k];
  }
}

/// Every body takes the smallest id of those that it hangs together with; own bodies tell their
/// ghosts on other ranks, until nothing changes. What has the same label is then one island.
void LinkOrder::joinOverRanks(std::span<const Link> links, std::span<const std::uint8_t> moves,
                              Halo& halo) {
  std::vector<ObjectId>& labels = body_labels_;
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
  is_spread_.assign(islands_.size(), 0);
  std::vector<Piece> pieces(islands_.size());
  for (std::uint32_t i = 0; i < islands_.size(); ++i) {
    const Island& island = islands_[i];
    Piece& piece = pieces[i];
    for (const std::uint32_t b : std::span(bodies_).subspan(island.firstBody, island.numBodies)) {
      labels_[i] = body_labels_[b];
      if (halo.isGhost[b] != 0) {
        is_spread_[i] = 1;
        continue;
      }
      ++piece.bodies;
      if (halo.ids[b] == body_labels_[b]) piece.isHome = 1;
    }
    piece.label = labels_[i];
    for (const std::uint32_t link : std::span(sorted_).subspan(island.firstLink, island.numLinks)) {
      if (colours_[link] == kLastColour) piece.hasLastColour = 1;
    }
  }
  std::vector<std::byte> mine;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (is_spread_[i] != 0) put(mine, pieces[i]);
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
    if (is_spread_[i] != 0) spread[labels_[i]].island = i;
  }
  spread_.clear();
  for (auto& [label, island] : spread) {
    island.isGathered = island.isGathered || island.bodies <= kMostGathered;
    spread_.push_back(island);
  }
}

}  // namespace abut::inline v0_1
