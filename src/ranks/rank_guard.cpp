// SPDX-License-Identifier: MIT
//
// The last guard of a step on several ranks. It goes through all bodies in the order of their ids,
// and where it holds one that changes what the next may do: so where any is to be held, rank 0 does
// it for all of them. That is rare, and costs the whole world on one rank.
#include <algorithm>

#include "ranks/ranks.hpp"
#include "step/world_state.hpp"

namespace abut {
namespace {

/// A body that the guard put elsewhere.
struct Held {
  ObjectId id;
  Vec3 position;
  Quat orientation;
  Quat before;  ///< Its orientation as the step made it.
  std::uint8_t isTurned;
};

struct GuardedMotion {
  BodyVelocity start, end;
  Vec3 position;
  Quat orientation;
};

/// Contacts of all ranks, by bodies of the whole table.
class AllContacts final : public ContactLookup {
public:
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< Sorted.
  std::vector<std::uint8_t> isTouched;

  [[nodiscard]] bool haveContact(std::size_t a, std::size_t b) const override {
    const std::pair<std::size_t, std::size_t> pair(std::min(a, b), std::max(a, b));
    return std::binary_search(pairs.begin(), pairs.end(), pair);
  }
  [[nodiscard]] bool isLinked(std::uint32_t body) const override { return isTouched[body] != 0; }
};

/// Own bodies with their motion, and contacts that are counted here.
std::vector<std::byte> describeParts(const WorldState& w, const StepInput& in) {
  std::vector<std::byte> bytes;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) count += in.counts(i) ? 1 : 0;
  put(bytes, count);
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (!in.counts(i)) continue;
    putBody(w.bodies, i, bytes);
    put(bytes, GuardedMotion{w.motion.startVelocity[i], w.motion.endVelocity[i],
                             w.motion.newPosition[i], w.motion.newOrientation[i]});
  }
  for (const Link& link : w.solver->getLinks()) {
    if (in.counts(link.body1, link.body2)) put(bytes, link.pair);
  }
  return bytes;
}

}  // namespace

Status Ranks::guard(WorldState& w, const StepInput& in) {
  bool free = true;
  const auto self = static_cast<std::size_t>(division.halo.comm.getRank());
  const Status status = division.halo.agree(
      w.guard.isFree(in, w.detector, *w.solver, w.motion, regions_[self], free));
  if (!status) return status;
  if (!division.halo.any(!free)) return {};
  return guardWhole(w, in);
}

Status Ranks::guardWhole(WorldState& w, const StepInput& in) {
  Communicator& comm = division.halo.comm;
  std::vector<std::vector<std::byte>> out(sent_.size()), parts;
  out[0] = describeParts(w, in);
  comm.exchange(out, parts);
  std::vector<std::byte> held;
  Status status;
  if (comm.getRank() == 0) {
    BodyTable bodies;
    std::vector<BodyRecord> records;
    std::vector<std::pair<ObjectId, GuardedMotion>> courses;
    std::vector<ObjectPair> pairs;
    for (const std::vector<std::byte>& bytes : parts) {
      MessageReader message(bytes);
      for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
        records.push_back(takeBody(message, division.shapes));
        courses.push_back({records.back().facts.id, message.take<GuardedMotion>()});
      }
      for (ObjectPair pair; message.get(pair);) pairs.push_back(pair);
    }
    appendSorted(records, bodies);
    std::sort(courses.begin(), courses.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    StepMotion motion;
    for (const auto& [id, course] : courses) {
      motion.startVelocity.push_back(course.start);
      motion.endVelocity.push_back(course.end);
      motion.newPosition.push_back(course.position);
      motion.newOrientation.push_back(course.orientation);
    }
    AllContacts contacts;
    contacts.isTouched.assign(bodies.size(), 0);
    for (const ObjectPair& pair : pairs) {
      const std::size_t a = bodies.indexOf(pair.first), b = bodies.indexOf(pair.second);
      contacts.pairs.push_back({a, b});
      contacts.isTouched[a] = contacts.isTouched[b] = 1;
    }
    std::sort(contacts.pairs.begin(), contacts.pairs.end());
    const StepInput whole{bodies,
                          in.materials,
                          in.time,
                          in.dt,
                          in.lastStep,
                          in.gravity,
                          in.detectionMargin,
                          in.correctionShare,
                          in.correctionSlop,
                          in.baumgarte,
                          in.speculative,
                          in.extrapolates,
                          in.recycles,
                          in.tasks,
                          nullptr,
                          in.apart,
                          nullptr};
    Detector detector;
    for (std::size_t i = 0; i < bodies.size() && status; ++i) {
      const BodyFacts& f = bodies.facts[i];
      if (f.shape) status = detector.awake.add(f.id, f.shape->computeAabb(bodies.shapePoseOf(i)));
    }
    if (status) status = detector.placeAll(whole, motion);
    HoldBack all;
    all.begin();
    if (status) status = detector.findPairs(whole, Detector::kNoLimit);
    if (status) status = all.run(whole, detector, contacts, motion);
    std::vector<Held> places(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      places[i] = {bodies.ids[i], motion.newPosition[i], motion.newOrientation[i], {}, 0};
    }
    for (const HoldBack::Spin& spin : all.getSpins()) {
      places[spin.body].before = spin.orientation;
      places[spin.body].isTurned = 1;
    }
    for (const Held& place : places) {
      if (place.isTurned != 0) put(held, place);
    }
  }
  status = division.halo.agree(status);
  if (!status) return status;
  std::vector<std::vector<std::byte>> told;
  comm.gatherAll(held, told);
  MessageReader message(told[0]);
  for (Held place{}; message.get(place);) {
    const std::size_t i = w.bodies.find(place.id);
    if (i == w.bodies.size()) continue;
    w.motion.newPosition[i] = place.position;
    w.motion.newOrientation[i] = place.orientation;
    w.guard.addSpin({static_cast<std::uint32_t>(i), place.before});
  }
  return {};
}

}  // namespace abut
