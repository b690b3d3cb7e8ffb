// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

/// Four numbers of single precision side by side; lanes never mix, so that the bits are the same
/// on every machine.
using Float4 = float __attribute__((vector_size(16)));
inline constexpr int kFloat4Lanes = 4;

}  // namespace abut::inline v0_1
