// SPDX-License-Identifier: MIT
#include "step/limits.hpp"

#include <cstdint>
#include <string>

namespace abut::inline v0_1 {
namespace {

/// What a step takes [B] for a body, for one in a heap by the cube root of the number of bodies
/// (the exact scheme's factors), for a pair of boxes that meet, a manifold and a point of contact.
struct StepMemory {
  std::uint64_t body, heap, pair, manifold, contact;
};
constexpr StepMemory kExactMemory{6000, 6000, 600, 2000, 12000};
constexpr StepMemory kRealTimeMemory{4000, 0, 500, 7500, 1300};

const StepMemory& memoryOf(const WorldState& w) {
  return w.options.scheme == StepScheme::RealTime ? kRealTimeMemory : kExactMemory;
}

/// Bytes of bodies; where any touch, with their share of the factors.
std::uint64_t bytesOfBodies(const WorldState& w) {
  const std::uint64_t count = w.bodies.size();
  std::uint64_t root = 1;
  while (root * root * root < count) ++root;
  const StepMemory& m = memoryOf(w);
  return w.cache.getContacts().empty() ? count * m.body : count * (m.body + root * m.heap);
}

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
  std::size_t most = limits.pairs == 0 ? Detector::kNoLimit : limits.pairs;
  bool isByBytes = false;
  if (limits.bytes != 0) {
    // Pairs that memory has room for, so that no more are listed.
    const std::uint64_t bodies = w.bodies.size() * memoryOf(w).body;
    if (bodies > limits.bytes) {
      return exceeded(w, std::to_string(bodies) + " bytes" + limitText("bytes", limits.bytes));
    }
    const auto room = static_cast<std::size_t>((limits.bytes - bodies) / memoryOf(w).pair);
    isByBytes = room < most;
    if (isByBytes) most = room;
  }
  try {
    return w.detector.findPairs(in, most);
  } catch (const Error& error) {
    if (error.getCode() != StatusCode::LimitExceeded) throw;
    return exceeded(w, error.what() + (isByBytes ? limitText("bytes", limits.bytes)
                                                 : limitText("pairs", limits.pairs)));
  }
}

Status checkLimits(const WorldState& w) {
  const WorldLimits& limits = w.options.limits;
  const std::size_t contacts = w.cache.getContacts().size();
  if (limits.contacts != 0 && contacts > limits.contacts) {
    return exceeded(
        w, std::to_string(contacts) + " contacts" + limitText("contacts", limits.contacts));
  }
  if (limits.bytes != 0) {
    const StepMemory& m = memoryOf(w);
    const std::size_t manifolds = w.cache.getManifolds().size();
    const std::uint64_t bytes = bytesOfBodies(w) + manifolds * m.manifold + contacts * m.contact;
    if (bytes > limits.bytes) {
      return exceeded(w, std::to_string(manifolds) + " pairs with " + std::to_string(contacts) +
                             " contacts, " + std::to_string(bytes) + " bytes" +
                             limitText("bytes", limits.bytes));
    }
  }
  return {};
}

}  // namespace abut::inline v0_1
