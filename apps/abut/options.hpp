// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <CLI/CLI.hpp>

namespace abut::tool {

/// Takes whole numbers from `least` to `most` and nothing else: no sign, no fraction.
[[nodiscard]] CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most);

/// More steps no run makes.
inline constexpr std::uint64_t kMaxSteps = 1'000'000'000'000;

/// What to say about arguments that a verb does not know: each, with the likeliest option.
[[nodiscard]] std::string unknownArguments(const CLI::App& app);

}  // namespace abut::tool
