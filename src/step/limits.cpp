// SPDX-License-Identifier: MIT
#include "step/limits.hpp"

#include <string>

namespace abut {
namespace {

Status exceeded(const WorldState& w, const std::string& what) {
  return Status::failure(StatusCode::LimitExceeded,
                         "World::step: step " + std::to_string(w.steps + 1) + ", " +
                             std::to_string(w.bodies.size()) + " bodies: " + what +
                             "; the step was not made. Raise the limit, or see whether bodies are "
                             "in one place");
}

std::string limitText(const char* name, std::size_t limit) {
  return std::string(", WorldLimits::") + name + " is " + std::to_string(limit);
}

}  // namespace

Status findPairs(WorldState& w, const StepInput& in) {
  const WorldLimits& limits = w.options.limits;
  const std::size_t most = limits.pairs == 0 ? Detector::kNoLimit : limits.pairs;
  try {
    return w.detector.findPairs(in, most);
  } catch (const Error& error) {
    if (error.getCode() != StatusCode::LimitExceeded) throw;
    return exceeded(w, error.what() + limitText("pairs", limits.pairs));
  }
}

Status checkLimits(const WorldState& w) {
  const WorldLimits& limits = w.options.limits;
  const std::size_t contacts = w.cache.getContacts().size();
  if (limits.contacts != 0 && contacts > limits.contacts) {
    return exceeded(
        w, std::to_string(contacts) + " contacts" + limitText("contacts", limits.contacts));
  }
  return {};
}

}  // namespace abut
