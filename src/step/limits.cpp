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

Status exceeded(const WorldState& w, std::uint64_t bodies, const std::string& what) {
  return Status::failure(StatusCode::LimitExceeded,
                         "World::step: step " + std::to_string(w.steps + 1) + ", " +
                             std::to_string(bodies) + " bodies: " + what +
                             "; the step was not made. Raise the limit, or see whether bodies are "
                             "in one place");
}

std::string limitText(const char* name, std::size_t limit) {
  return std::string(", WorldLimits::") + name + " is " + std::to_string(limit);
}

struct Totals {
  std::uint64_t bodies, contacts;
};

/// Of the world; of one that is divided, on all ranks.
Totals totalsOf(const WorldState& w) {
  if (w.ranks == nullptr) return {w.bodies.size(), w.cache.getContacts().size()};
  const Division& division = w.ranks->division;
  std::uint64_t counts[2] = {};
  for (std::size_t i = 0; i < w.bodies.size(); ++i) counts[0] += division.isMine(i) ? 1 : 0;
  for (const PersistentContact c : w.cache.getContacts()) {
    const auto body1 = static_cast<std::uint32_t>(w.bodies.indexOf(c.pair.first));
    const auto body2 = static_cast<std::uint32_t>(w.bodies.indexOf(c.pair.second));
    counts[1] += division.counts(body1, body2) ? 1 : 0;
  }
  division.halo.comm.add(counts);
  return {counts[0], counts[1]};
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
      return exceeded(w, w.bodies.size(),
                      std::to_string(bodies) + " bytes" + limitText("bytes", limits.bytes));
    }
    const auto room = static_cast<std::size_t>((limits.bytes - bodies) / memoryOf(w).pair);
    isByBytes = room < most;
    if (isByBytes) most = room;
  }
  try {
    return w.detector.findPairs(in, most);
  } catch (const Error& error) {
    if (error.getCode() != StatusCode::LimitExceeded) throw;
    return exceeded(w, w.bodies.size(),
                    error.what() + (isByBytes ? limitText("bytes", limits.bytes)
                                              : limitText("pairs", limits.pairs)));
  }
}

Status checkLimits(const WorldState& w) {
  const WorldLimits& limits = w.options.limits;
  if (limits.contacts != 0) {
    const Totals all = totalsOf(w);
    if (all.contacts > limits.contacts) {
      return exceeded(
          w, all.bodies,
          std::to_string(all.contacts) + " contacts" + limitText("contacts", limits.contacts));
    }
  }
  const std::size_t contacts = w.cache.getContacts().size();
  if (limits.bytes != 0) {
    const StepMemory& m = memoryOf(w);
    const std::size_t manifolds = w.cache.getManifolds().size();
    const std::uint64_t bytes = bytesOfBodies(w) + manifolds * m.manifold + contacts * m.contact;
    if (bytes > limits.bytes) {
      return exceeded(w, w.bodies.size(),
                      std::to_string(manifolds) + " pairs with " + std::to_string(contacts) +
                          " contacts, " + std::to_string(bytes) + " bytes" +
                          limitText("bytes", limits.bytes));
    }
  }
  return {};
}

}  // namespace abut::inline v0_1
