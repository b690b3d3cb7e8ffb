// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <abut/ranks/distributed_world.hpp>

#include "io/recording/recording_parts.hpp"
#include "io/run/scene_run.hpp"
#include "io/run/world_changer.hpp"
#include "io/scene/grid.hpp"

namespace abut::inline v0_1::io {

/// A scene on its way at steps of equal length: the world, and what acts on it over time.
class Simulation final : public SceneRun {
public:
  /// Keeps a reference to the scene. Throws InputError for bodies that the world refuses.
  explicit Simulation(const Scene& scene);
  /// The part of a rank, of so many, which divide() puts together. Keeps a reference to the scene.
  Simulation(const DividedScene& divided, int rank, int ranks);

  /// One step: motions and forces of this time, then World::step().
  Status step();
  bool advance() override { return static_cast<bool>(step()); }

  /// Puts the world where World::snapshot() was taken, after so many steps. Fails, and changes
  /// nothing, as World::restore() does.
  Status restore(std::span<const std::byte> snapshot, std::uint64_t step);

  /// Divides the world among ranks, each of which has the same simulation at the same step; from
  /// then on all ranks make the same calls. getWorld() is then the part of this rank. `shows`:
  /// parts of frames are captured. Throws abut::Error for scenes that cannot be divided.
  void divide(Communicator& communicator, bool shows);
  /// The same from where a snapshot was taken, after so many steps, of which each rank reads what
  /// belongs to it. Throws BadData also if the world has another hash.
  void divide(Communicator& communicator, bool shows, SnapshotSource& snapshot, std::uint64_t step,
              std::uint64_t hash);
  /// The ranks that it is divided among; null where it is not.
  [[nodiscard]] Communicator* getCommunicator() const { return communicator_; }
  /// Of the whole world, divided or not: contacts of the last step, snapshot (on rank 0; empty on
  /// others).
  [[nodiscard]] std::size_t numContacts() const;
  [[nodiscard]] std::uint64_t numBodies() const {
    return parts_ != nullptr ? parts_->numBodies() : scene_.bodies.size();
  }
  [[nodiscard]] std::size_t numJoints() const;
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// Of the snapshot this rank's range, in units of so many bytes; all of it where it is not
  /// divided.
  [[nodiscard]] SnapshotRange snapshotRange(std::size_t unit) const;

  /// Dynamic bodies of this rank, and those of others that it has too; 0 where all are here.
  [[nodiscard]] std::size_t numOwn() const { return divided_ ? divided_->numOwn() : 0; }
  [[nodiscard]] std::size_t numGhosts() const { return divided_ ? divided_->numGhosts() : 0; }

  [[nodiscard]] std::uint64_t getStep() const override { return step_; }
  [[nodiscard]] double getTime() const override { return world_.getTime(); }
  [[nodiscard]] const Scene& getScene() const override { return scene_; }
  [[nodiscard]] const World& getWorld() const { return world_; }
  [[nodiscard]] World& getWorld() { return world_; }
  [[nodiscard]] const RunHeader& getHeader() const override { return header_; }
  void capture(Frame& frame) override;
  /// This rank's part of the frame, of a simulation that is divided. All ranks call it.
  void capturePart(FramePart& part);
  Status change(const RunChange& change) override;
  /// The first step that went beyond the scene's limits.
  [[nodiscard]] const std::string& getFault() const override { return fault_; }
  [[nodiscard]] std::uint64_t hash() const override {
    return divided_ ? divided_->hash() : world_.hash();
  }

private:
  void drive();
  void judge();
  void listActive();
  void beginDivided(Communicator& communicator, bool shows);

  const Scene& scene_;
  const DividedScene* parts_ = nullptr;  // Of a scene that comes in parts.
  World world_;
  RunHeader header_;
  WorldChanger changer_;
  std::vector<const SceneBody*> driven_, pushed_;
  std::vector<EventFrame> events_;          // Since the last capture.
  std::vector<std::uint64_t> event_steps_;  // Of a divided world: in which they were.
  Communicator* communicator_ = nullptr;
  std::unique_ptr<DistributedWorld> divided_;
  bool shows_ = true;
  std::uint64_t step_ = 0;
  std::string fault_;
};

/// Velocities that a motion prescribes at a time. Constant motions and paths, which the world
/// itself follows, are not asked.
[[nodiscard]] MotionKey velocityAt(const KinematicMotion& motion, double time);

}  // namespace abut::inline v0_1::io
