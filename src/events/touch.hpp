// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// A pair that touched in the last step.
struct Touch {
  ObjectPair pair;
  double since = 0.0;  ///< Time of the world at which it began [s].
};

}  // namespace abut::inline v0_1
