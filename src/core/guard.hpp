// SPDX-License-Identifier: MIT
#pragma once

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// For the end of a public function that returns a Status:
///
///     Status World::wake(ObjectId id) try {
///       ...
///     } catch (...) {
///       return statusOfException();
///     }
///
/// OutOfMemory where memory ran out, the failure of an Error; what else was thrown is thrown on.
/// The function itself sees to it that nothing has changed by then.
[[nodiscard]] Status statusOfException();

/// Refuses the greatest number as an id with LimitExceeded: none comes after it.
[[nodiscard]] Status checkNewId(const char* call, ObjectId id);

}  // namespace abut::inline v0_1
