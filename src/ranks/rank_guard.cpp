// SPDX-License-Identifier: MIT
//
// The last guard of a step on several ranks. It goes through all bodies in the order of their ids,
// and where it holds one that changes what the next may do: so where any is to be held, rank 0 does
// it for all of them. That is rare, and costs the whole world on one rank.
#include <algorithm>

#include "ranks/ranks.hpp"
#include "step/world_state.hpp"

namespace abut::inline v0_1 {
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

/// The whole world's bodies, where they go, and which of them touch.
class AllParts {
public:
  /// Reads what each rank described; shapes are known by number.
  void take(const std::vector<std::vector<std::byte>>& parts, const ShapeCatalogue& shapes);
  /// Runs the guard over all of them and writes those that it held.
  Status hold(const StepInput& in, std::vector<std::byte>& held);

private:
  BodyTable bodies_;
  StepMotion motion_;
  AllContacts contacts_;
};

void AllParts::take(const std::vector<std::vector<std::byte>>& parts,
                    const ShapeCatalogue& shapes) {
  std::vector<BodyRecord> records;
  std::vector<std::pair<ObjectId, GuardedMotion>> courses;
  std::vector<ObjectPair> pairs;
  for (const std::vector<std::byte>& bytes : parts) {
    MessageReader message(bytes);
    for (auto count = message.take<std::uint64_t>(); count > 0; --count) {
      records.push_back(takeBody(message, shapes));
      courses.push_back({records.back().facts.id, message.take<GuardedMotion>()});
    }
    for (ObjectPair pair; message.get(pair);) pairs.push_back(pair);
  }
  appendSorted(records, bodies_);
  std::sort(courses.begin(), courses.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [id, course] : courses) {
    motion_.startVelocity.push_back(course.start);
    motion_.endVelocity.push_back(course.end);
    motion_.newPosition.push_back(course.position);
    motion_.newOrientation.push_back(course.orientation);
  }
  contacts_.isTouched.assign(bodies_.size(), 0);
  for (const ObjectPair& pair : pairs) {
    const std::size_t a = bodies_.indexOf(pair.first), b = bodies_.indexOf(pair.second);
    contacts_.pairs.push_back({a, b});
    contacts_.isTouched[a] = contacts_.isTouched[b] = 1;
  }
  std::sort(contacts_.pairs.begin(), contacts_.pairs.end());
}

Status AllParts::hold(const StepInput& in, std::vector<std::byte>& held) {
  const StepInput whole{bodies_,
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
  Status status;
  for (std::size_t i = 0; i < bodies_.size() && status; ++i) {
    const BodyFacts& f = bodies_.facts[i];
    if (f.shape) status = detector.awake.add(f.id, f.shape->computeAabb(bodies_.shapePoseOf(i)));
  }
  if (status) status = detector.placeAll(whole, motion_);
  HoldBack all;
  all.begin();
  if (status) status = detector.findPairs(whole, Detector::kNoLimit);
  if (status) status = all.run(whole, detector, contacts_, motion_);
  std::vector<Held> places(bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    places[i] = {bodies_.ids[i], motion_.newPosition[i], motion_.newOrientation[i], {}, 0};
  }
  for (const HoldBack::Spin& spin : all.getSpins()) {
    places[spin.body].before = spin.orientation;
    places[spin.body].isTurned = 1;
  }
  for (const Held& place : places) {
    if (place.isTurned != 0) put(held, place);
  }
  return status;
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
    AllParts all;
    all.take(parts, division.shapes);
    status = all.hold(in, held);
  }
  status = division.halo.agree(status);
  if (!status) return status;
  std::vector<std::vector<std::byte>> told;
  comm.gatherAll(held, told);
  MessageReader message(told[0]);
  for (Held place{}; message.get(place);) {
    const std::size_t i = w.bodies.find(place.id);
    if (i == w.bodies.size()) continue;
    w.guard.addLift({static_cast<std::uint32_t>(i), place.position - w.motion.newPosition[i]});
    w.motion.newPosition[i] = place.position;
    w.motion.newOrientation[i] = place.orientation;
    w.guard.addSpin({static_cast<std::uint32_t>(i), place.before});
  }
  return {};
}

}  // namespace abut::inline v0_1
