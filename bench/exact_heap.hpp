// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "exact_stretch.hpp"

namespace abut::bench {

/// Balls that only rub roll on for ever where nothing holds them, and bump into others; those that
/// resist rolling, as all real ones do, come to rest.
enum class HeapKind : std::uint8_t { Boxes, Spheres, Rollers };

struct HeapLimits {
  int count;
  double motion, rest;  ///< [s]
  int moving, most;     ///< Steps in motion that are timed; steps after which it should rest.
};

/// A heap that is dropped in the real-time scheme and goes on in the exact one until it rests, then
/// for a thousand steps more. A run can be left after every step and gone on with elsewhere.
class HeapRun {
public:
  /// Drops it, if it is fresh. Where only motion is asked for it ends after that.
  HeapRun(const HeapLimits& limits, HeapKind kind, bool toRest, std::uint32_t seed, bool isFresh);

  /// One step, if the run has not ended. Steps whose time no bar is about are shared among `tasks`.
  bool advance(TaskRunner* tasks);
  /// How far it has come.
  void tell() const;
  /// Prints stretches and a hash of the end, judges bars; returns the time of a step in which
  /// nothing moves [s], by a thousand of them; 0 if it was not seen.
  double judge() const;

  void put(PutPieces& pieces);
  /// Goes on where a run of the same heap was put; throws for one that was not.
  void take(TakePieces& pieces);

private:
  enum class Phase : std::uint8_t { Motion, Settling, Rocking, Lying, Ended };
  struct Place {
    double x, y, z;
  };

  void end(Phase next);
  bool isStill(double speed, Stretch& before, Stretch& window) const;
  [[nodiscard]] std::vector<Place> places() const;
  [[nodiscard]] bool rests() const { return rest_.steps > 0 && reached_ >= Phase::Rocking; }
  void judgeRest(const std::string& name) const;
  void judgeLying(const std::string& name) const;
  template <typename Pieces>
  void visit(Pieces& pieces);

  HeapLimits limits_;
  HeapKind kind_;
  bool to_rest_;
  std::size_t count_;
  int support_;  // Contacts with load below which a body does not count as held.
  World world_;
  Phase phase_ = Phase::Motion, reached_ = Phase::Motion;
  // Until it rests and is still, and the windows in which it was.
  Stretch motion_, settling_, rest_, rocking_, still_, lying_;
  std::vector<Place> before_, after_;  // Of the thousand steps.
  std::vector<char> held_before_, held_after_;
  double largest_entry_ = 0.0;  // Of the books, in their last step.
};

}  // namespace abut::bench
