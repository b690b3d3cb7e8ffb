// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include <abut/world/world.hpp>

#include "io/recording/frame.hpp"

namespace abut::inline v0_1::io {

/// The header of a run of a program's own world. `names` has those that were given.
[[nodiscard]] RunHeader makeWorldHeader(const World& world,
                                        const std::map<ObjectId, std::string>& names,
                                        const std::string& title, std::uint32_t every);

/// Writes what the bodies of the first frame hold into its books, which the world opens with its
/// first step only.
void openBooks(const World& world, const RunHeader& header, Frame& frame);

/// Throws abut::Error, naming the body, unless the world's bodies are the header's.
void requireSameBodies(const World& world, const RunHeader& header, std::uint64_t steps);

}  // namespace abut::inline v0_1::io
