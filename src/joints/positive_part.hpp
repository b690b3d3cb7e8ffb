// SPDX-License-Identifier: MIT
#pragma once

#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// A symmetric matrix with its negative eigenvalues set to zero, by a fixed number of Jacobi's
/// rotations.
Mat3 positivePart(const Mat3& m);

}  // namespace abut::inline v0_1
