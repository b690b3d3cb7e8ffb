// SPDX-License-Identifier: MIT
#include "core/assert.hpp"

#include <stdexcept>
#include <string>

namespace abut::inline v0_1 {

void throwBrokenInvariant(const char* condition, const char* file, int line) {
  throw std::logic_error(std::string("broken invariant: ") + condition + " (" + file + ":" +
                         std::to_string(line) + ")");
}

}  // namespace abut::inline v0_1
