// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/core/tasks.hpp>

#include "core/halo.hpp"
#include "core/stage_room.hpp"
#include "solver/manifold_row.hpp"

namespace abut::inline v0_1 {

/// Something between two bodies that the solver visits.
struct Link {
  std::uint32_t body1 = 0, body2 = 0;
  std::uint32_t kind = 0;   ///< Links of a colour are sorted by this, below LinkOrder::kKinds.
  std::uint64_t order = 0;  ///< Rank in the colouring: rankOf() its bodies.
  ObjectPair pair;          ///< Of equal ranks the smaller pair comes first,
  std::uint32_t part = 0;   ///< then the smaller of these, which differ between links of a pair.
};

/// In which order links are solved: by island, within it by colour, within it by kind and rank.
///
/// Links are coloured greedily by rank: within a colour no body that moves appears twice, but for
/// the last colour, which takes what is left. Neither the order within an island nor its colours
/// depend on other islands. Linear in links and bodies; reuses its memory.
class LinkOrder {
public:
  static constexpr std::uint32_t kLastColour = ManifoldRow::kLastColour;
  static constexpr std::uint32_t kKinds = 10;

  struct Island {
    std::uint32_t firstLink, numLinks;   ///< Into getLinks().
    std::uint32_t firstBody, numBodies;  ///< Into getBodies().
  };

  /// An island of a world that is divided among ranks.
  struct Spread {
    static constexpr std::uint32_t kNotHere = 0xffffffffu;
    ObjectId label = kNoObject;       ///< Its smallest body.
    std::uint32_t island = kNotHere;  ///< Of getIslands(); what of it is on this rank.
    std::int32_t home = 0;            ///< The rank of its smallest body.
    std::uint64_t bodies = 0;         ///< Dynamic ones with links, on all ranks.
    bool isGathered = false;          ///< It is solved at home, as one, and not by all.
  };

  /// `moves` says of each body whether it is dynamic. The order of the input does not matter:
  /// ranks, pairs and parts tell all links apart. With a halo the links are those of a rank:
  /// colours are those of the whole world, and islands say what of theirs is here. All ranks call
  /// it then. `tasks` may do the work.
  /// With a room that has memory for it, a stage of that begins.
  void build(std::span<const Link> links, std::span<const std::uint8_t> moves, Halo* halo = nullptr,
             TaskRunner* tasks = nullptr, StageRoom* room = nullptr);

  [[nodiscard]] std::span<const Island> getIslands() const { return islands_; }
  /// Indices of links, island by island.
  [[nodiscard]] std::span<const std::uint32_t> getLinks() const { return sorted_; }
  /// The same for who visits them where the order within a colour makes no difference: there they
  /// are in the order of the input, so that what lies together is visited together.
  [[nodiscard]] std::span<const std::uint32_t> getVisits() const { return visits_; }
  /// Dynamic bodies that have links, island by island, ascending within one.
  [[nodiscard]] std::span<const std::uint32_t> getBodies() const { return bodies_; }
  /// Whether a dynamic body has links.
  [[nodiscard]] bool isLinked(std::uint32_t body) const { return island_of_[body] != 0xffffffffu; }
  /// With a halo: islands that are on more than one rank, by label, the same list on all of them.
  [[nodiscard]] std::span<const Spread> getSpread() const { return spread_; }
  /// With a halo: of each of getIslands() its smallest body, wherever that is.
  [[nodiscard]] std::span<const ObjectId> getLabels() const { return labels_; }
  /// Whether an island is on other ranks too.
  [[nodiscard]] bool isSpread(std::size_t island) const {
    return !is_spread_.empty() && is_spread_[island] != 0;
  }
  /// Of each link, in the order of the input.
  [[nodiscard]] std::uint32_t colourOf(std::uint32_t link) const { return colours_[link]; }

private:
  void rank(std::span<const Link> links, TaskRunner* tasks);
  void sortByDigit(int shift, TaskRunner* tasks);
  void sortRest(std::span<const Link> links, std::size_t begin, std::size_t end);
  void colour(std::span<const std::uint8_t> moves);
  void colourOverRanks(std::span<const Link> links, std::span<const std::uint8_t> moves,
                       Halo& halo);
  void join(std::span<const Link> links, std::span<const std::uint8_t> moves);
  void joinOverRanks(std::span<const Link> links, std::span<const std::uint8_t> moves, Halo& halo);
  void number(std::span<const Link> links, std::span<const std::uint8_t> moves);
  void describeSpread(Halo& halo);
  void sortByIsland(std::span<const std::uint8_t> moves);
  void orderVisits(std::span<const Link> links, std::span<const std::uint8_t> moves);

  /// A link with what colouring and sorting ask of it: they go by rank, which is by chance, and
  /// links lie far apart.
  struct Ranked {
    std::uint64_t key;
    std::uint32_t link, body1, body2;
    std::uint32_t bucket;  ///< Its kind, then colour and kind.
  };
  RoomList<Ranked> ranked_, scratch_;  // While it is built, as `other_`.
  struct Placed {
    std::uint32_t link, island;
  };
  RoomList<Placed> other_;
  std::vector<std::uint32_t> counts_, parent_, island_of_, colours_, sorted_, visits_, bodies_;
  std::vector<std::uint64_t> used_;
  std::vector<Island> islands_;
  // With a halo.
  std::vector<Spread> spread_;
  std::vector<ObjectId> labels_, body_labels_;  // Of islands; of bodies.
  std::vector<std::uint8_t> is_spread_;         // Of islands.
};

}  // namespace abut::inline v0_1
