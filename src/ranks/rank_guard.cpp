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
  std::uint64_t isLoose;
  std::uint64_t isCarried;
  ObjectId carrier;
};

/// How a body goes through the step, as the guard asks.
struct GuardedMotion {
  BodyVelocity start, end;
  Vec3 position;
  Quat orientation;
  double late;
  std::uint64_t isJointed;
  std::uint64_t foreseen;
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

/// Bodies that lie flush, own bodies with their motion, and contacts that are counted here.
std::vector<std::byte> describeParts(const WorldState& w, const StepInput& in) {
  std::vector<std::byte> bytes;
  put(bytes, static_cast<std::uint64_t>(w.motion.flush.size()));
  for (const auto& [a, b] : w.motion.flush)
    put(bytes, ObjectPair{w.bodies.ids[a], w.bodies.ids[b]});
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) count += in.counts(i) ? 1 : 0;
  put(bytes, count);
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    if (!in.counts(i)) continue;
    putBody(w.bodies, i, bytes);
    put(bytes, GuardedMotion{w.motion.startVelocity[i], w.motion.endVelocity[i],
                             w.motion.newPosition[i], w.motion.newOrientation[i],
                             w.motion.lateTime.empty() ? 0.0 : w.motion.lateTime[i],
                             w.motion.isJointed(i) ? std::uint64_t{1} : std::uint64_t{0},
                             w.motion.foreseen.empty() ? 0u : w.motion.foreseen[i]});
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
  std::vector<ObjectPair> pairs, flush;
  for (const std::vector<std::byte>& bytes : parts) {
    MessageReader message(bytes);
    for (auto count = message.take<std::uint64_t>(); count > 0; --count)
      flush.push_back(message.take<ObjectPair>());
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
    motion_.lateTime.push_back(course.late);
    motion_.jointed.push_back(course.isJointed != 0 ? 1 : 0);
    motion_.foreseen.push_back(static_cast<std::uint8_t>(course.foreseen));
  }
  contacts_.isTouched.assign(bodies_.size(), 0);
  for (const ObjectPair& pair : pairs) {
    const std::size_t a = bodies_.indexOf(pair.first), b = bodies_.indexOf(pair.second);
    contacts_.pairs.push_back({a, b});
    contacts_.isTouched[a] = contacts_.isTouched[b] = 1;
  }
  std::sort(contacts_.pairs.begin(), contacts_.pairs.end());
  for (const ObjectPair& pair : flush) {
    motion_.flush.push_back({static_cast<std::uint32_t>(bodies_.indexOf(pair.first)),
                             static_cast<std::uint32_t>(bodies_.indexOf(pair.second))});
  }
  std::sort(motion_.flush.begin(), motion_.flush.end());
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
                        in.room,
                        nullptr,
                        in.apart,
                        nullptr};
  Detector detector;
  Status status = detector.placeAtRest(whole, in.dt);
  if (status) status = detector.placeAll(whole, motion_);
  HoldBack all;
  all.begin();
  if (status) status = detector.findPairs(whole, Detector::kNoLimit);
  if (status) status = all.run(whole, detector, contacts_, motion_);
  const std::span<const std::uint32_t> loose = all.getLoose();
  for (const HoldBack::Lift& lift : all.getLifts()) {
    const bool isLoose = std::find(loose.begin(), loose.end(), lift.body) != loose.end();
    const bool isCarried = lift.carrier != HoldBack::kNone;
    put(held,
        Held{bodies_.ids[lift.body], motion_.newPosition[lift.body],
             motion_.newOrientation[lift.body], isLoose ? std::uint64_t{1} : 0,
             isCarried ? std::uint64_t{1} : 0, bodies_.ids[isCarried ? lift.carrier : lift.body]});
  }
  return status;
}

}  // namespace

Status Ranks::guard(WorldState& w, const StepInput& in) {
  if (has_islands_) return guardIslands(w, in);
  bool free = true;
  const auto self = static_cast<std::size_t>(division.halo.comm.getRank());
  const Status status = division.halo.agree(
      w.guard.isFree(in, w.detector, *w.solver, w.motion, layout_.regions[self], free));
  if (!status) return status;
  if (!division.halo.any(!free)) return {};
  return guardWhole(w, in);
}

/// What a body may meet within its box is on its rank. Where one leaves its box, or a driver takes
/// one along, rank 0 guards all.
Status Ranks::guardIslands(WorldState& w, const StepInput& in) {
  Halo& halo = division.halo;
  if (halo.any(!HoldBack::stayNear(in, w.detector, w.motion))) return guardWhole(w, in);
  bool free = true;
  constexpr double kAll = 1e300;
  const Aabb all({-kAll, -kAll, -kAll}, {kAll, kAll, kAll});
  Status status = w.guard.isFree(in, w.detector, *w.solver, w.motion, all, free);
  if (!halo.any(!free)) return halo.agree(status);
  const std::vector<Vec3> position = w.motion.newPosition;
  const std::vector<Quat> orientation = w.motion.newOrientation;
  const HoldBack before = w.guard;
  if (status) status = w.guard.run(in, w.detector, *w.solver, w.motion);
  if (!halo.any(w.guard.hasCarried())) return halo.agree(status);
  w.guard = before;
  w.motion.newPosition = position;
  w.motion.newOrientation = orientation;
  return guardWhole(w, in);
}

Status Ranks::guardWhole(WorldState& w, const StepInput& in) {
  Communicator& comm = division.halo.comm;
  std::vector<std::vector<std::byte>> out(layout_.sent.size()), parts;
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
    w.guard.keepSpin(w.motion, i);
    // All ranks know what drives others.
    const std::size_t carrier =
        place.isCarried != 0 ? w.bodies.find(place.carrier) : w.bodies.size();
    w.guard.addLift(
        {static_cast<std::uint32_t>(i), place.position - w.motion.newPosition[i],
         carrier < w.bodies.size() ? static_cast<std::uint32_t>(carrier) : HoldBack::kNone});
    w.motion.newPosition[i] = place.position;
    w.motion.newOrientation[i] = place.orientation;
    if (place.isLoose != 0) w.guard.addLoose(static_cast<std::uint32_t>(i));
  }
  return {};
}

}  // namespace abut::inline v0_1
