// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "core/inline.hpp"
#include "math/float4.hpp"
#include "math/pack_wide.hpp"

namespace abut::inline v0_1 {

/// Adds to velocities v what six numbers y make of them by the rows of a response, each `width`
/// long; from one place of four on.
ABUT_ALWAYS_INLINE void addAnswersFrom(std::size_t first, const Float4* r, std::size_t width,
                                       const float* y, Float4* v) {
  Float4 each[6];
  for (int k = 0; k < 6; ++k) each[k] = Float4{y[k], y[k], y[k], y[k]};
  for (std::size_t j = first; j < width; ++j) {
    const Float4 sum = (r[j] * each[0] + r[width + j] * each[1]) +
                       (r[2 * width + j] * each[2] + r[3 * width + j] * each[3]);
    v[j] += sum + (r[4 * width + j] * each[4] + r[5 * width + j] * each[5]);
  }
}

#if ABUT_HAS_WIDE
inline const bool kAnswersWide = __builtin_cpu_supports("avx2");
/// Wherever four numbers lie.
using Float8 = float __attribute__((vector_size(32), aligned(16), may_alias));

/// The same with twice as many side by side.
ABUT_WIDE inline void addAnswersWide(const Float4* r, std::size_t width, const float* y,
                                     Float4* v) {
  const Float4 *r1 = r + width, *r2 = r1 + width, *r3 = r2 + width, *r4 = r3 + width,
               *r5 = r4 + width;
  std::size_t j = 0;
  for (; j + 1 < width; j += 2) {
    const auto at = [j](const Float4* p) { return reinterpret_cast<const Float8*>(p + j); };
    const Float8 sum = (*at(r) * y[0] + *at(r1) * y[1]) + (*at(r2) * y[2] + *at(r3) * y[3]);
    *reinterpret_cast<Float8*>(v + j) += sum + (*at(r4) * y[4] + *at(r5) * y[5]);
  }
  if (j < width) addAnswersFrom(j, r, width, y, v);
}
#endif

/// All of them: v += r' y, with six rows of a response.
inline void addAnswers(const Float4* r, std::size_t width, const float* y, Float4* v) {
#if ABUT_HAS_WIDE
  if (kAnswersWide) return addAnswersWide(r, width, y, v);
#endif
  addAnswersFrom(0, r, width, y, v);
}

}  // namespace abut::inline v0_1
