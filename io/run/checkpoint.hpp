// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <abut/state/snapshot_source.hpp>

#include "io/recording/recording_file.hpp"
#include "io/run/simulation.hpp"

namespace abut::inline v0_1::io {

/// Checkpoints as files, version 2, numbers least significant byte first: magic (8 bytes: 89 41 42
/// 43 4b 0d 0a 1a), version u32, then blocks as those of recordings. Block 0 holds the scene's
/// digest, the step, the world's hash and the size of its snapshot, u64 each; the others hold the
/// snapshot, kCheckpointUnit bytes each but for the last. The checksum of block 0 goes on from the
/// version, those of others from that of block 0: so blocks can be made and written at the same
/// time, and none can be of another checkpoint.
inline constexpr std::uint32_t kCheckpointVersion = 2;
inline constexpr std::size_t kCheckpointUnit = std::size_t{1} << 20;

/// A simulation that is not divided as bytes, the same on every machine.
[[nodiscard]] std::string encodeCheckpoint(const Simulation& simulation);

/// Puts a simulation of the same scene, not divided, where the checkpoint was made: from here on it
/// gives the same bits. `name` is the file's, for messages. Throws InputError, and changes nothing,
/// for bytes that are damaged, of another version or of another scene.
void restoreCheckpoint(Simulation& simulation, std::string_view bytes, const std::string& name);

/// The same through a file, which is replaced atomically: after a crash it holds the old checkpoint
/// or the new one. Of a simulation that is divided among ranks all ranks call it, and each writes
/// its part of the file at its place where all of them see it; else ranks send theirs to rank 0,
/// one after the other.
void saveCheckpoint(const Simulation& simulation, const std::string& path);
void loadCheckpoint(Simulation& simulation, const std::string& path);

/// The snapshot in a checkpoint, piece by piece.
class CheckpointReader final : public SnapshotSource {
public:
  using Open = std::function<std::unique_ptr<ByteSource>()>;

  /// Reads up to where the snapshot begins. Throws InputError, as all functions here, with the name
  /// and the byte.
  CheckpointReader(Open open, std::string name, const Scene& scene);
  /// Of a file.
  CheckpointReader(const std::string& path, const Scene& scene);

  void begin() override;
  [[nodiscard]] std::size_t read(std::span<std::byte> bytes) override;
  [[nodiscard]] std::uint64_t getStep() const { return step_; }
  [[nodiscard]] std::uint64_t getHash() const { return hash_; }
  /// Throws InputError about what was read last.
  [[noreturn]] void fail(const std::string& why) const;

private:
  [[nodiscard]] std::string take(std::size_t size);
  [[nodiscard]] std::string nextBlock(std::uint32_t crcBefore, std::uint32_t& crc);

  Open open_;
  std::string name_;
  std::uint64_t digest_;
  std::unique_ptr<ByteSource> bytes_;
  std::uint64_t at_ = 0, place_ = 0;  // What comes next; where what is looked at begins.
  std::uint64_t step_ = 0, hash_ = 0, left_ = 0, blocks_ = 0;
  std::uint32_t crc_ = 0;
  std::string piece_;  // Of the snapshot, from `used_` on not given away yet.
  std::size_t used_ = 0;
};

}  // namespace abut::inline v0_1::io
