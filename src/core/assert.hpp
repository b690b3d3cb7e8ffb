// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

/// Throws std::logic_error: "broken invariant: <condition> (<file>:<line>)".
[[noreturn]] void throwBrokenInvariant(const char* condition, const char* file, int line);

}  // namespace abut::inline v0_1

/// A check that always runs: for what would corrupt the state if it did not hold. Its failure is a
/// bug of the library, never a caller's mistake; those get a Status.
#define ABUT_CHECK(condition)         \
  ((condition) ? static_cast<void>(0) \
               : ::abut::throwBrokenInvariant(#condition, __FILE_NAME__, __LINE__))

/// The same in debug builds alone: for what is too dear to look at in every step.
#ifdef NDEBUG
#define ABUT_ASSERT(condition) static_cast<void>(0)
#else
#define ABUT_ASSERT(condition) ABUT_CHECK(condition)
#endif
