// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/ranks/distributed_world.hpp>

#include "ranks/ranks.hpp"
#include "state/snapshot.hpp"
#include "world/world_access.hpp"

namespace abut::inline v0_1 {

struct DistributedWorld::Impl {
  template <class... Arguments>
  explicit Impl(Arguments&&... arguments) : ranks(std::forward<Arguments>(arguments)...) {}
  Ranks ranks;
};

namespace {

/// A world that is not divided yet, its bodies in order.
WorldState& undivided(World& world) {
  WorldState& w = WorldAccess::state(world);
  if (w.ranks != nullptr) {
    throw Error(StatusCode::DuplicateObject, "DistributedWorld: this world is divided already");
  }
  w.settle();
  return w;
}

}  // namespace

DistributedWorld::DistributedWorld(World& world, Communicator& communicator,
                                   std::size_t largestIsland)
    : world_(world), communicator_(communicator), largest_island_(largestIsland) {
  const FloatEnvironment environment;
  WorldState& w = undivided(world);
  impl_ = std::make_unique<Impl>(w, communicator, largestIsland);
  w.ranks = &impl_->ranks;
}

DistributedWorld::DistributedWorld(World& part, const World& kinds, Communicator& communicator,
                                   std::size_t largestIsland)
    : world_(part), communicator_(communicator), largest_island_(largestIsland) {
  const FloatEnvironment environment;
  WorldState& w = undivided(part);
  impl_ = std::make_unique<Impl>(w, WorldAccess::state(kinds).bodies, communicator, largestIsland);
  w.ranks = &impl_->ranks;
}

DistributedWorld::DistributedWorld(World& world, const World& kinds, SnapshotSource& snapshot,
                                   Communicator& communicator, std::size_t largestIsland)
    : world_(world), communicator_(communicator), largest_island_(largestIsland) {
  const FloatEnvironment environment;
  WorldState& w = undivided(world);
  impl_ = std::make_unique<Impl>(w, WorldAccess::state(kinds).bodies, snapshot, communicator,
                                 largestIsland);
  w.ranks = &impl_->ranks;
}

/// The part, with all that follows from changes since the last step.
WorldState& DistributedWorld::current() const {
  WorldState& w = WorldAccess::state(world_);
  impl_->ranks.refresh(w);
  return w;
}

WorldState& DistributedWorld::currentOnAll() const {
  WorldState& w = WorldAccess::state(world_);
  impl_->ranks.refreshAll(w);
  return w;
}

DistributedWorld::~DistributedWorld() {
  WorldAccess::state(world_).ranks = nullptr;
}

bool DistributedWorld::isHere(ObjectId body) const {
  const BodyTable& bodies = WorldAccess::state(world_).bodies;
  return bodies.find(body) < bodies.size();
}

bool DistributedWorld::isOwn(ObjectId body) const {
  const WorldState& w = current();
  const std::size_t i = w.bodies.find(body);
  return i < w.bodies.size() && w.bodies.facts[i].type == BodyType::Dynamic &&
         impl_->ranks.division.isMine(i);
}

std::size_t DistributedWorld::numOwn() const {
  const WorldState& w = current();
  std::size_t count = 0;
  for (std::size_t i = 0; i < w.bodies.size(); ++i) {
    count += w.bodies.facts[i].type == BodyType::Dynamic && impl_->ranks.division.isMine(i) ? 1 : 0;
  }
  return count;
}

std::size_t DistributedWorld::numGhosts() const {
  (void)current();
  const std::vector<std::uint8_t>& isGhost = impl_->ranks.division.halo.isGhost;
  return static_cast<std::size_t>(std::count(isGhost.begin(), isGhost.end(), 1));
}

std::size_t DistributedWorld::numJoints() const {
  std::uint64_t count = currentOnAll().joints.joints.size();
  communicator_.add({&count, 1});
  return static_cast<std::size_t>(count);
}

std::uint64_t DistributedWorld::hash() const {
  const FloatEnvironment environment;
  return impl_->ranks.hash(currentOnAll());
}

std::vector<std::byte> DistributedWorld::snapshot() const {
  const FloatEnvironment environment;
  return impl_->ranks.snapshot(currentOnAll());
}

SnapshotRange DistributedWorld::snapshotRange(std::size_t unit) const {
  const FloatEnvironment environment;
  if (unit == 0 || unit % 8 != 0) {
    throw Error(StatusCode::OutOfRange, "DistributedWorld::snapshotRange: a unit of " +
                                            std::to_string(unit) +
                                            " bytes; give a multiple of eight");
  }
  return impl_->ranks.snapshotRange(currentOnAll(), unit);
}

Status DistributedWorld::restore(std::span<const std::byte> snapshot) {
  WorldState& w = WorldAccess::state(world_);
  const std::vector<std::shared_ptr<const Shape>> shapes = impl_->ranks.division.shapes.getAll();
  w.ranks = nullptr;
  const Status status = world_.restore(snapshot, shapes);
  if (!status) {
    w.ranks = &impl_->ranks;
    return status;
  }
  try {
    const FloatEnvironment environment;
    impl_ = std::make_unique<Impl>(w, communicator_, largest_island_);
  } catch (const Error& error) {
    return Status::failure(error.getCode(), error.what());
  }
  w.ranks = &impl_->ranks;
  return {};
}

void DistributedWorld::assemble(World& whole) const {
  const FloatEnvironment environment;
  const WorldState& w = currentOnAll();
  WorldState assembled;
  impl_->ranks.assemble(w, assembled);
  StepShown shown;
  impl_->ranks.assembleShown(w, shown);
  if (communicator_.getRank() != 0) return;
  WorldState& to = WorldAccess::state(whole);
  to.takeOver(assembled);
  to.shown = std::move(shown);
}

std::vector<std::byte> DistributedWorld::packContacts() const {
  return impl_->ranks.packContacts(current());
}

void DistributedWorld::getOwnEvents(std::vector<ContactEvent>& events) const {
  const WorldState& w = current();
  events.clear();
  for (const ContactEvent& e : w.shown.allEvents()) {
    if (impl_->ranks.isCounted(w, e.object1, e.object2)) events.push_back(e);
  }
}

void DistributedWorld::joinContacts(std::span<const std::vector<std::byte>> parts,
                                    std::vector<WorldContact>& contacts) {
  Ranks::joinContacts(parts, contacts);
}

void DistributedWorld::getContacts(std::vector<WorldContact>& contacts) const {
  StepShown whole;
  impl_->ranks.assembleShown(currentOnAll(), whole);
  contacts.swap(whole.contacts);
}

void DistributedWorld::getEvents(std::vector<ContactEvent>& events) const {
  StepShown whole;
  impl_->ranks.assembleShown(currentOnAll(), whole);
  events.swap(whole.events);
}

}  // namespace abut::inline v0_1
