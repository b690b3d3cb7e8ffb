// SPDX-License-Identifier: MIT
#include "shapes/density.hpp"

#include "core/check.hpp"

namespace abut::inline v0_1 {

Status checkDensity(double density) {
  if (density > 0.0 && density <= kMaxDensity) return {};
  return Status::failure(StatusCode::OutOfRange,
                         "computeMass: expected a density above 0 and up to " +
                             toText(kMaxDensity) + " [kg/m^3], got " + toText(density));
}

}  // namespace abut::inline v0_1
