// SPDX-License-Identifier: MIT
#include <abut/events/step_observer.hpp>

namespace abut::inline v0_1 {

std::string_view toString(StepStage stage) {
  switch (stage) {
    case StepStage::BroadPhase:
      return "broad phase";
    case StepStage::NarrowPhase:
      return "narrow phase";
    case StepStage::Manifolds:
      return "manifolds";
    case StepStage::Contacts:
      return "contacts";
    case StepStage::Impacts:
      return "impacts";
    case StepStage::Forces:
      return "forces";
    case StepStage::Integration:
      return "integration";
    case StepStage::Books:
      return "books";
    case StepStage::Correction:
      return "correction";
    case StepStage::Results:
      return "results";
  }
  return "?";
}

}  // namespace abut::inline v0_1
