// SPDX-License-Identifier: MIT
#include "scheme/exact/blow_support.hpp"

namespace abut::inline v0_1 {
namespace {

/// Error of forces as a share of the greatest.
constexpr double kTolerance = 1e-10;

}  // namespace

std::span<const Vec3> BlowSupport::find(std::span<const BodyMobility> mobility,
                                        std::span<const SolverContact> contacts,
                                        std::span<const std::uint32_t> touching,
                                        std::span<const Vec3> freeAcceleration,
                                        std::vector<BodyVelocity>& acceleration) {
  acceleration.resize(freeAcceleration.size());
  for (std::size_t b = 0; b < acceleration.size(); ++b) {
    acceleration[b] = {freeAcceleration[b], Vec3{}};
  }
  forces_.assign(touching.size(), Vec3{});
  if (touching.empty()) return forces_;
  some_.clear();
  for (const std::uint32_t k : touching) {
    some_.push_back(contacts[k]);
    some_.back().offset = {};  // Surfaces that move do so evenly.
    some_.back().bound = 0.0;
  }
  SolverOptions options;
  options.tolerance = kTolerance;
  (void)solver_.solve({mobility, some_}, options, forces_, acceleration);
  return forces_;
}

}  // namespace abut::inline v0_1
