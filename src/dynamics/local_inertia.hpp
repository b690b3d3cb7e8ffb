// SPDX-License-Identifier: MIT
#pragma once

#include <abut/math/types.hpp>

namespace abut::inline v0_1 {

/// Inertia of a body in its own frame, about the centre of mass [kg m^2], and its inverse.
struct LocalInertia {
  Mat3 tensor;
  Mat3 inverse;
};

}  // namespace abut::inline v0_1
