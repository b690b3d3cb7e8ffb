// SPDX-License-Identifier: MIT
#include <string>

#include <abut/manifold/contact_manifold_cache_options.hpp>
#include <abut/manifold/persistent_manifold.hpp>

#include "core/check.hpp"

namespace abut::inline v0_1 {

Status ContactManifoldCacheOptions::validate() const {
  constexpr double kMaxLength = 1e3, kMaxAngle = 0.1;
  constexpr std::size_t kMaxFrames = 60000;
  const struct {
    const char* name;
    double value, min, max;
  } rows[] = {
      {"maxPointsPerPair", static_cast<double>(maxPointsPerPair), 1.0,
       static_cast<double>(PersistentManifold::kMaxPoints)},
      {"maxSeparationFrames", static_cast<double>(maxSeparationFrames), 0.0,
       static_cast<double>(kMaxFrames)},
      {"positionThreshold", positionThreshold, 0.0, kMaxLength},
      {"normalThreshold", normalThreshold, -1.0, 1.0},
      {"depthEpsilon", depthEpsilon, 0.0, kMaxLength},
      {"recycleDistance", recycleDistance, 0.0, kMaxLength},
      {"recycleAngle", recycleAngle, 0.0, kMaxAngle},
  };
  for (const auto& row : rows) {
    if (row.value >= row.min && row.value <= row.max) continue;
    return Status::failure(isFinite(row.value) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           std::string("ContactManifoldCacheOptions::") + row.name +
                               ": expected a number from " + toText(row.min) + " to " +
                               toText(row.max) + ", got " + toText(row.value));
  }
  return {};
}

}  // namespace abut::inline v0_1
