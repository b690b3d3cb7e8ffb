// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/halo.hpp"
#include "solver/manifold_batch.hpp"
#include "solver/manifold_row.hpp"

namespace abut::inline v0_1 {

/// The sweeps of an island whose rows are divided among ranks: after each colour every body that a
/// row of it moved goes to the ranks that have it as a ghost in the island, except to one that
/// computes the row itself. What goes where is planned once for all sweeps.
///
/// All ranks call plan(), also those without a row of the island.
class SweepRanks {
public:
  /// Rows by index, their bodies by index in the halo.
  void plan(Halo& halo, std::span<const std::uint8_t> moves, std::span<const ManifoldRow> rows,
            std::span<const std::uint32_t> order);
  /// Brings ghosts up to date after a colour.
  void after(std::uint32_t colour, BatchBody* bodies);

  [[nodiscard]] Halo& getHalo() const { return *halo_; }
  /// Of all ranks.
  [[nodiscard]] std::uint32_t numColours() const { return num_colours_; }
  /// Whether a row is counted here: on one of the ranks that have it.
  [[nodiscard]] bool counts(const ManifoldRow& row) const {
    return halo_->counts(row.body1, row.body2, moves_);
  }

private:
  struct Message {
    std::int32_t rank;
    std::size_t first, end;  ///< Of the bodies sent or received.
  };
  /// Messages of each colour, and their bodies.
  struct Side {
    std::vector<std::vector<Message>> messages;
    std::vector<std::uint32_t> bodies;
    std::vector<BatchBody> states;
  };
  struct Move {
    std::uint32_t colour, body;
    friend auto operator<=>(const Move&, const Move&) = default;
  };
  void take(Side& side, std::size_t rank, std::span<const Move> moves) const;

  Halo* halo_ = nullptr;
  std::span<const std::uint8_t> moves_;
  std::uint32_t num_colours_ = 0;
  Side out_, in_;
  std::vector<Communicator::Outgoing> outgoing_;
  std::vector<Communicator::Incoming> incoming_;
};

}  // namespace abut::inline v0_1
