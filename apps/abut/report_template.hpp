// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace abut::tool {

/// The page without a run, as web/build.mjs bundled it; empty if there was no node at build time.
[[nodiscard]] std::string pageTemplate();

/// Why pageTemplate() is empty; empty if it is not.
[[nodiscard]] std::string pageMissingBecause();

}  // namespace abut::tool
