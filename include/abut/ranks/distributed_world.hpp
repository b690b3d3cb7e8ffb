// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <abut/core/communicator.hpp>
#include <abut/core/status.hpp>
#include <abut/state/snapshot_source.hpp>
#include <abut/world/world.hpp>

namespace abut::inline v0_1 {

/// A world whose bodies are divided among ranks, by where they are. It gives the bits of the same
/// world on one rank, however many there are and however it is divided.
///
/// A World that is the same on all ranks becomes one part of it on each: own bodies, ghosts of
/// bodies of other ranks that come near them, and all bodies that contacts do not move. The part is
/// stepped by World::step(), which all ranks call with the same dt; its report, ledger and drivers
/// are then those of the whole world, its contacts, events, motions and hash those of the part.
/// Bodies move from rank to rank as they cross borders, contacts with them.
///
/// In the exact scheme, with joints, sleep and drives that have limits a rank has whole islands:
/// bodies that may come to touch in a step, or that joints or such drives join, are on the rank of
/// the smallest of them. A step fails, on all ranks and without changing anything, in which there
/// are more of these than one is to take.
///
/// Between steps all ranks make the same changes, in the same order, and get the same answers:
/// bodies come, go and are changed by the calls of World. A body that comes is on the rank of its
/// place. Types, excluded pairs, joints and couplings are changed in the whole world, which every
/// rank has for so long: that takes time and memory. Forces and drives of joints are given where
/// the body (isHere()) or joint is, by each rank for itself; others answer UnknownObject. Names and
/// user data stay (Locked).
///
/// All ranks call the constructor, World::step(), numJoints(), hash(), snapshot(), snapshotRange(),
/// restore(), assemble(), getContacts() and getEvents(), in the same order.
class DistributedWorld {
public:
  /// Bodies of an island that one rank takes.
  static constexpr std::size_t kLargestIsland = 10000;

  /// Divides a world. Both outlive this. Throws abut::Error for one that differs between ranks
  /// (BadData), and leaves it as it is then. Islands of more than `largestIsland` bodies fail a
  /// step with LimitExceeded.
  DistributedWorld(World& world, Communicator& communicator,
                   std::size_t largestIsland = kLargestIsland);
  /// A world that comes in parts, so that no rank ever has the whole of it: `part` has the dynamic
  /// bodies that this rank begins with, any that no other has, and all others, with ids given by
  /// the caller; `kinds` has a body of every shape that there is on any rank. The bits are those of
  /// the whole world on one rank. Throws as above, and DuplicateObject for an id that two ranks
  /// give, OutOfRange for a part with joints or that has made a step.
  DistributedWorld(World& part, const World& kinds, Communicator& communicator,
                   std::size_t largestIsland = kLargestIsland);
  /// A world that goes on from a snapshot, which all ranks are given and read twice, each keeping
  /// what belongs to it: none has the whole at once. `world` becomes a part of it; shapes are those
  /// of its bodies before and of `kinds`. Throws as World::restore() fails; `world` is as it was
  /// then.
  DistributedWorld(World& world, const World& kinds, SnapshotSource& snapshot,
                   Communicator& communicator, std::size_t largestIsland = kLargestIsland);
  ~DistributedWorld();
  DistributedWorld(const DistributedWorld&) = delete;
  DistributedWorld& operator=(const DistributedWorld&) = delete;

  [[nodiscard]] World& getPart() { return world_; }
  /// Whether a body is in this rank's part, as its own, a ghost or one that is on all ranks.
  [[nodiscard]] bool isHere(ObjectId body) const;
  /// Whether a dynamic body belongs to this rank.
  [[nodiscard]] bool isOwn(ObjectId body) const;
  /// Dynamic bodies that belong to this rank, and ghosts that it holds.
  [[nodiscard]] std::size_t numOwn() const;
  [[nodiscard]] std::size_t numGhosts() const;

  /// Joints of the whole world, on all ranks.
  [[nodiscard]] std::size_t numJoints() const;
  /// Of the whole world, on all ranks: World::hash() of the same world on one rank. No rank has the
  /// whole at once.
  [[nodiscard]] std::uint64_t hash() const;
  /// Of the whole world, on rank 0, which needs memory for these bytes; empty on others.
  /// World::restore() takes it, and so does restore() on any number of ranks.
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// The bytes of snapshot(), none of which is on two ranks: on each a range that begins at a
  /// multiple of `unit` [bytes], itself one of eight (else OutOfRange is thrown), so that ranks can
  /// write them at the same time. Each needs memory for three times its range.
  [[nodiscard]] SnapshotRange snapshotRange(std::size_t unit) const;
  /// Becomes the world of a snapshot, which all ranks are given. Fails as World::restore() does,
  /// and with BadData where ranks are given different ones; it is then no longer to be used.
  Status restore(std::span<const std::byte> snapshot);
  /// Makes a world the whole one on rank 0, with what the last step shows; on others it stays as it
  /// is.
  void assemble(World& whole) const;
  /// Of the last step, whole and in order, on rank 0; empty on others.
  void getContacts(std::vector<WorldContact>& contacts) const;
  void getEvents(std::vector<ContactEvent>& events) const;

  /// What of the last step this rank answers for and no other does: contacts, as bytes for
  /// joinContacts(), and events. No rank waits for another here.
  [[nodiscard]] std::vector<std::byte> packContacts() const;
  void getOwnEvents(std::vector<ContactEvent>& events) const;
  /// What packContacts() gave on all ranks, by rank: the contacts of one rank. Throws BadData for
  /// other bytes.
  static void joinContacts(std::span<const std::vector<std::byte>> parts,
                           std::vector<WorldContact>& contacts);

private:
  struct Impl;
  [[nodiscard]] WorldState& current() const;
  [[nodiscard]] WorldState& currentOnAll() const;

  World& world_;
  Communicator& communicator_;
  std::size_t largest_island_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut::inline v0_1
