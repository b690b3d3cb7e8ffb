// SPDX-License-Identifier: MIT
#include "world/limits.hpp"

#include <algorithm>
#include <string>

namespace abut {
namespace {

/// What a step keeps, by the size of its records and the room that growing lists leave [bytes].
constexpr std::size_t kBytesOfBody = 3000, kBytesOfPair = 100, kBytesOfContact = 5000;
constexpr std::size_t kNoLimitOfPairs = static_cast<std::size_t>(-1);

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
  std::size_t most = limits.pairs == 0 ? kNoLimitOfPairs : limits.pairs;
  if (limits.bytes != 0) most = std::min(most, limits.bytes / kBytesOfPair);
  try {
    w.detector.findPairs(in, most);
  } catch (const Error& error) {
    if (error.getCode() != StatusCode::LimitExceeded) throw;
    const bool byBytes = limits.pairs == 0 || most < limits.pairs;
    return exceeded(w, error.what() + (byBytes ? limitText("bytes", limits.bytes)
                                               : limitText("pairs", limits.pairs)));
  }
  return {};
}

Status checkLimits(const WorldState& w) {
  const WorldLimits& limits = w.options.limits;
  const std::size_t contacts = w.cache.getContacts().size();
  if (limits.contacts != 0 && contacts > limits.contacts) {
    return exceeded(
        w, std::to_string(contacts) + " contacts" + limitText("contacts", limits.contacts));
  }
  const std::size_t pairs = w.detector.getFound().pairs.size();
  const std::size_t bytes =
      kBytesOfBody * w.bodies.size() + kBytesOfPair * pairs + kBytesOfContact * contacts;
  if (limits.bytes != 0 && bytes > limits.bytes) {
    return exceeded(w, std::to_string(pairs) + " pairs and " + std::to_string(contacts) +
                           " contacts take about " + std::to_string(bytes) + " bytes" +
                           limitText("bytes", limits.bytes));
  }
  return {};
}

}  // namespace abut
