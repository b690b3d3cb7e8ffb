// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <abut/world/world.hpp>

#include "exact_pieces.hpp"

namespace abut::bench {

inline constexpr double kStep = 1.0 / 60;

double processorSeconds();
std::string inMilliseconds(double seconds);

/// Counts a bar, and prints whether it holds.
void bar(const std::string& name, bool holds);
inline int barsHeld = 0, barsSeen = 0;

/// The same numbers on every machine.
class Draw {
public:
  explicit Draw(std::uint32_t seed) : state_(seed) {}
  double unit() {
    state_ = state_ * 1664525u + 1013904223u;
    return (state_ >> 8) / 16777216.0;
  }
  double about(double size) { return (2 * unit() - 1) * size; }

private:
  std::uint32_t state_;
};

/// What a stretch of steps came to.
struct Stretch {
  int steps = 0, missed = 0, compliant = 0;
  double seconds = 0.0, longest = 0.0, factorisations = 0.0;
  double error = 0.0, allowed = 0.0, rigid = 0.0, approach = 0.0, books = 0.0, balance = 0.0;
  double fastest = 0.0;  ///< In the last step, of what is held.
  int loose = 0;         ///< Bodies that are not.
  double given = 0.0;    ///< Energy that compliant contacts gave, less what they took.
  int untilRigid = -1;   ///< Steps until the rigid error was at most 1e-6; -1 if it was not.
  std::vector<Eigen::Vector3d> velocity, missing;

  /// One step. Spheres roll for ever where nothing holds them, which is no creep of a heap: those
  /// with fewer than `support` contacts that carry load do not count for `fastest`.
  void step(World& world, std::size_t count, int support = 0);
  /// Whether bodies have so many contacts that carry load.
  static std::vector<char> held(const World& world, std::size_t count, int support);
  void add(const Stretch& more);
  void print(const char* name) const;
  /// What goes into a saved run.
  template <typename Pieces>
  void visit(Pieces& pieces) {
    pieces(steps, missed, compliant, seconds, longest, factorisations, error, allowed, rigid,
           approach, books, balance, fastest, loose, given, untilRigid);
  }

private:
  void speeds(const World& world, std::size_t count, const std::vector<char>& areHeld);
  void noteBalance(const World& world, std::size_t count);
};

/// The error as rigid contacts that heaps at rest are brought to.
inline constexpr double kRigid = 1e-6;

}  // namespace abut::bench
