// SPDX-License-Identifier: MIT
#pragma once

/// For kernels with several callers: inlined always, so that what they return stays in registers.
#define ABUT_ALWAYS_INLINE inline __attribute__((always_inline))
