// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/owned.hpp>

namespace abut::inline v0_1 {

struct WorldState;

/// What a world holds, with its bodies in order. Bodies that came or went since the last look are
/// put into their places by the first of those that look; the others, on any thread, wait for it.
class StateHandle : private Owned<WorldState> {
public:
  using Owned<WorldState>::Owned;

  [[nodiscard]] WorldState& operator*() const { return settled(); }
  [[nodiscard]] WorldState* operator->() const { return &settled(); }
  /// The same with bodies that may be out of order: for looking at one, adding and removing.
  [[nodiscard]] WorldState& asItIs() const { return Owned<WorldState>::operator*(); }

private:
  [[nodiscard]] WorldState& settled() const;
};

}  // namespace abut::inline v0_1
