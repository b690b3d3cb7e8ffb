// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/step_input.hpp"
#include "dynamics/step_motion.hpp"
#include "scheme/real_time/manifold_rows.hpp"
#include "solver/row_solver.hpp"

namespace abut::inline v0_1 {

/// Islands on several ranks that are solved as one by the rank of their smallest body, because they
/// are small or have more contacts on a body than colours can tell apart: their rows and bodies are
/// brought there, solved as those of a world that is whole, and what came of them is brought back.
class GatheredIslands {
public:
  std::vector<ManifoldRow> rows;
  std::vector<Link> links;
  LinkOrder order;
  BodyTable bodies;
  std::vector<BodyVelocity> start, end;  ///< Of each body, as in RowProblem.

  /// Brings them to their homes. All ranks call it, as giveBack().
  void collect(const StepInput& in, const ManifoldRows& from, const StepMotion& motion);
  [[nodiscard]] bool isEmpty() const { return rows.empty(); }
  /// Tells the ranks that have rows and bodies of them what they have come to.
  void giveBack(const StepInput& in, const RowOutcome& here, ManifoldRows& to, StepMotion& motion,
                RowOutcome& outcome) const;

private:
  struct Sent;
  void take(std::vector<Sent>& sent);

  std::vector<RowPoint> points_;     // Of the rows.
  std::vector<std::int32_t> owner_;  // Of each body; -1: of all ranks.
  std::vector<std::uint8_t> moves_;
};

}  // namespace abut::inline v0_1
