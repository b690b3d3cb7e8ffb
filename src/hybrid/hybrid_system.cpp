// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/hybrid/hybrid_system.hpp>

namespace abut::inline v0_1 {

std::string_view toString(HybridEventKind kind) {
  switch (kind) {
    case HybridEventKind::ContactBegin:
      return "ContactBegin";
    case HybridEventKind::ContactEnd:
      return "ContactEnd";
    case HybridEventKind::ForceVanishes:
      return "ForceVanishes";
    case HybridEventKind::ForceReturns:
      return "ForceReturns";
    case HybridEventKind::StickBegin:
      return "StickBegin";
    case HybridEventKind::SlipBegin:
      return "SlipBegin";
    case HybridEventKind::Impact:
      return "Impact";
  }
  return "?";
}

double HybridSystem::longestStep(double /*time*/, std::span<const double> /*y*/) const {
  return std::numeric_limits<double>::infinity();
}

}  // namespace abut::inline v0_1
