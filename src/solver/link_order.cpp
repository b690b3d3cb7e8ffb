// SPDX-License-Identifier: MIT
#include "solver/link_order.hpp"

#include <algorithm>
#include <bit>

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
/// Ranks are sorted by their first two digits of this many bits; what is left is nearly in order.
constexpr int kDigitBits = 11;
constexpr std::uint32_t kDigits = 1u << kDigitBits;
/// Links that a thread takes at once.
constexpr std::size_t kLinkGrain = 4096;
/// Fewer links than this are in order sooner than the digits are counted.
constexpr std::size_t kFewLinks = 64;
/// Of so many, some have the same first digit.
constexpr std::size_t kManyLinks = 8192;

std::uint32_t rootOf(std::vector<std::uint32_t>& parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/// Replaces counts by where each bucket begins.
void accumulate(std::vector<std::uint32_t>& counts) {
  std::uint32_t sum = 0;
  for (std::uint32_t& c : counts) {
    const std::uint32_t count = c;
    c = sum;
    sum += count;
  }
}

}  // namespace

void LinkOrder::build(std::span<const Link> links, std::span<const std::uint8_t> moves, Halo* halo,
                      TaskRunner* tasks, StageRoom* room) {
  if (room != nullptr) room->beginStage();
  ranked_.take(room, links.size());
  scratch_.take(room, links.size());
  other_.take(room, links.size());
  rank(links, tasks);
  if (halo == nullptr) {
    // Colours and islands do not know of each other.
    forChunks(tasks, 2, 1, [&](std::size_t which, std::size_t) {
      if (which == 0) return colour(moves);
      join(links, moves);
      number(links, moves);
    });
  } else {
    colourOverRanks(links, moves, *halo);
    join(links, moves);
    joinOverRanks(links, moves, *halo);
    number(links, moves);
  }
  sortByIsland(moves);
  orderVisits(links, moves);
  if (halo != nullptr) {
    describeSpread(*halo);
  } else {
    is_spread_.clear();
  }
}

/// Links by rank, pair and part.
void LinkOrder::rank(std::span<const Link> links, TaskRunner* tasks) {
  forChunks(tasks, links.size(), kLinkGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Link& link = links[i];
      ranked_[i] = {link.order, static_cast<std::uint32_t>(i), link.body1, link.body2, link.kind};
    }
  });
  if (links.size() < kFewLinks) return sortRest(links, 0, links.size());
  const int numDigits = links.size() < kManyLinks ? 1 : 2;
  for (int digit = numDigits; digit > 0; --digit) sortByDigit(64 - digit * kDigitBits, tasks);
  // Parts begin where the digits change: nothing goes from one to another any more.
  const auto digits = [this, numDigits](std::size_t i) {
    return ranked_[i].key >> (64 - numDigits * kDigitBits);
  };
  counts_.clear();
  for (std::size_t i = 0; i < links.size(); i += kLinkGrain) {
    std::size_t begin = i;
    while (begin > 0 && begin < links.size() && digits(begin) == digits(begin - 1)) ++begin;
    counts_.push_back(static_cast<std::uint32_t>(begin));
  }
  counts_.push_back(static_cast<std::uint32_t>(links.size()));
  forChunks(tasks, counts_.size() - 1, 1, [&](std::size_t part, std::size_t) {
    sortRest(links, counts_[part], counts_[part + 1]);
  });
}

/// Stable. Each part of the links has its places in each digit, after those of earlier parts.
void LinkOrder::sortByDigit(int shift, TaskRunner* tasks) {
  const std::size_t n = ranked_.size();
  const std::size_t grain = tasks == nullptr ? n : kLinkGrain;
  const std::size_t parts = (n + grain - 1) / grain;
  const auto digitOf = [shift](const Ranked& r) {
    return static_cast<std::size_t>((r.key >> shift) & (kDigits - 1));
  };
  counts_.assign(kDigits * parts, 0);
  forChunks(tasks, n, grain, [&](std::size_t begin, std::size_t end) {
    std::uint32_t* const counts = counts_.data() + begin / grain * kDigits;
    for (std::size_t i = begin; i < end; ++i) ++counts[digitOf(ranked_[i])];
  });
  std::uint32_t sum = 0;
  for (std::size_t digit = 0; digit < kDigits; ++digit) {
    for (std::size_t part = 0; part < parts; ++part) {
      std::uint32_t& count = counts_[part * kDigits + digit];
      const std::uint32_t here = count;
      count = sum;
      sum += here;
    }
  }
  forChunks(tasks, n, grain, [&](std::size_t begin, std::size_t end) {
    std::uint32_t* const places = counts_.data() + begin / grain * kDigits;
    for (std::size_t i = begin; i < end; ++i) {
      scratch_[places[digitOf(ranked_[i])]++] = ranked_[i];
    }
  });
  ranked_.swap(scratch_);
}

/// By insertion: what lies in a range is nearly in order.
void LinkOrder::sortRest(std::span<const Link> links, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin + 1; i < end; ++i) {
    const Ranked r = ranked_[i];
    std::size_t k = i;
    const auto precedes = [&](const Ranked& other) {
      if (r.key != other.key) return r.key < other.key;
      const Link &a = links[r.link], &b = links[other.link];
      return a.pair != b.pair ? a.pair < b.pair : a.part < b.part;
    };
    for (; k > begin && precedes(ranked_[k - 1]); --k) ranked_[k] = ranked_[k - 1];
    ranked_[k] = r;
  }
}

void LinkOrder::colour(std::span<const std::uint8_t> moves) {
  // Colours below the last that a body has; those of bodies that do not move are not looked at.
  used_.assign(moves.size(), 0);
  colours_.resize(ranked_.size());
  for (Ranked& r : ranked_) {
    std::uint64_t &first = used_[r.body1], &second = used_[r.body2];
    const std::uint64_t taken =
        (moves[r.body1] != 0 ? first : 0) | (moves[r.body2] != 0 ? second : 0);
    const std::uint64_t free = ~taken | (std::uint64_t{1} << kLastColour);
    const auto colour = static_cast<std::uint32_t>(std::countr_zero(free));
    first |= std::uint64_t{1} << colour;
    second |= std::uint64_t{1} << colour;
    r.bucket += colour * kKinds;
    colours_[r.link] = colour;
  }
}

/// Bodies that links join have the same root, the smallest of them.
void LinkOrder::join(std::span<const Link> links, std::span<const std::uint8_t> moves) {
  parent_.resize(moves.size());
  for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  for (const Link& link : links) {
    if (moves[link.body1] == 0 || moves[link.body2] == 0) continue;
    const std::uint32_t a = rootOf(parent_, link.body1), b = rootOf(parent_, link.body2);
    parent_[std::max(a, b)] = std::min(a, b);
  }
}

/// Islands by the smallest body that moves in them.
void LinkOrder::number(std::span<const Link> links, std::span<const std::uint8_t> moves) {
  island_of_.assign(moves.size(), kNone);
  islands_.clear();
  for (const Link& link : links) {
    for (const std::uint32_t body : {link.body1, link.body2}) {
      if (moves[body] != 0) island_of_[body] = 0;  // Marks bodies with links.
    }
  }
  for (std::uint32_t body = 0; body < moves.size(); ++body) {
    if (island_of_[body] == kNone) continue;
    const std::uint32_t root = rootOf(parent_, body);
    if (root == body) {
      island_of_[body] = static_cast<std::uint32_t>(islands_.size());
      islands_.push_back({0, 0, 0, 0});
    } else {
      island_of_[body] = island_of_[root];  // The root is smaller, so it has its number.
    }
    ++islands_[island_of_[body]].numBodies;
  }
}

void LinkOrder::sortByIsland(std::span<const std::uint8_t> moves) {
  // By colour and kind first, which is stable in the rank; then by island.
  counts_.assign(std::size_t{kLastColour + 1} * kKinds, 0);
  sorted_.resize(ranked_.size());
  for (const Ranked& r : ranked_) ++counts_[r.bucket];
  accumulate(counts_);
  for (const Ranked& r : ranked_) {
    const std::uint32_t island = island_of_[moves[r.body1] != 0 ? r.body1 : r.body2];
    other_[counts_[r.bucket]++] = {r.link, island};
    ++islands_[island].numLinks;
  }
  std::uint32_t linkSum = 0, bodySum = 0;
  for (Island& island : islands_) {
    island.firstLink = linkSum;
    island.firstBody = bodySum;
    linkSum += island.numLinks;
    bodySum += island.numBodies;
    island.numLinks = island.numBodies = 0;
  }
  for (const Placed& placed : other_) {
    Island& island = islands_[placed.island];
    sorted_[island.firstLink + island.numLinks++] = placed.link;
  }
  bodies_.resize(bodySum);
  for (std::uint32_t body = 0; body < moves.size(); ++body) {
    if (island_of_[body] == kNone) continue;
    Island& island = islands_[island_of_[body]];
    bodies_[island.firstBody + island.numBodies++] = body;
  }
}

/// After sortByIsland(): the same places for links of the same island, colour and kind.
void LinkOrder::orderVisits(std::span<const Link> links, std::span<const std::uint8_t> moves) {
  visits_.resize(sorted_.size());
  if (islands_.empty()) return;
  // Where the links of each colour and kind end is left from sorting them.
  std::uint32_t begin = 0;
  for (std::uint32_t& end : counts_) std::swap(begin, end);
  for (std::uint32_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const std::uint32_t island = island_of_[moves[link.body1] != 0 ? link.body1 : link.body2];
    other_[counts_[colours_[i] * kKinds + link.kind]++] = {i, island};
  }
  for (Island& island : islands_) island.numLinks = 0;
  for (const Placed& placed : other_) {
    Island& island = islands_[placed.island];
    const std::uint32_t at = island.firstLink + island.numLinks++;
    visits_[at] = colours_[placed.link] == kLastColour ? sorted_[at] : placed.link;
  }
}

}  // namespace abut::inline v0_1
