// SPDX-License-Identifier: MIT
#pragma once

#include "dynamics/body_table.hpp"

namespace abut::inline v0_1 {

/// BodyTable::indexOf() where ids mostly follow one another: then it is a look at one place.
[[nodiscard]] inline std::size_t indexNear(const BodyTable& bodies, ObjectId id) {
  const ObjectId guess = id - bodies.ids.front();
  if (guess < bodies.ids.size() && bodies.ids[static_cast<std::size_t>(guess)] == id) {
    return static_cast<std::size_t>(guess);
  }
  return bodies.indexOf(id);
}

}  // namespace abut::inline v0_1
