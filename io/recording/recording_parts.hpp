// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/recording/codec.hpp"
#include "io/recording/recording_file.hpp"

/// A recording that ranks write at the same time, each a file of its own, FILE.part0, FILE.part1
/// and so on, from which one is put together that is, byte for byte, what one rank would have
/// written.
///
///   file   = magic (8 bytes: 89 41 42 50 54 0d 0a 1a), version u32, rank u32, ranks u32; then
///   blocks
///            as those of recordings, the first checksum going on from (version, rank, ranks)
///
/// Blocks: of rank 0 first the scene and the header; then one for each frame, at last the end.
namespace abut::inline v0_1::io {

/// What a rank has of a frame: bodies and joints of its own, contacts and events that it counts.
struct FramePart {
  /// On rank 0 with all that is not in lists. Contacts are in `contacts`.
  Frame frame;
  std::vector<ObjectId> bodies;      ///< Whose rows are in `frame`.
  std::vector<double> held;          ///< Of frame 0: their kinetic and potential energy [J].
  std::vector<std::uint64_t> steps;  ///< In which events were.
  std::vector<std::byte> contacts;   ///< DistributedWorld::packContacts().
  bool hasContacts = true;           ///< Whether the frame is to have them; on rank 0.
};

/// Writes the part of one rank; each frame is with the operating system when add() returns. Throws
/// InputError.
class PartWriter {
public:
  /// `path` is the recording's.
  PartWriter(const std::string& path, int rank, int ranks);
  ~PartWriter();
  PartWriter(const PartWriter&) = delete;
  PartWriter& operator=(const PartWriter&) = delete;

  /// On rank 0, before the first frame.
  void begin(const SceneSource& source, const RunHeader& header);
  void add(const FramePart& part);
  /// Without it the run was interrupted.
  void end();

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Name of a rank's part.
[[nodiscard]] std::string nameOfPart(const std::string& path, int rank);

/// Reads the parts of all ranks and gives their frames to sinks, one after the other: it needs
/// memory for one frame, not for the run. Frames that not all parts have are left out. Throws
/// InputError for parts that are missing, damaged, or not of one run.
class PartReader {
public:
  explicit PartReader(const std::string& path);
  ~PartReader();
  PartReader(const PartReader&) = delete;
  PartReader& operator=(const PartReader&) = delete;

  [[nodiscard]] const SceneSource& getSource() const;
  [[nodiscard]] const RunHeader& getHeader() const;
  [[nodiscard]] int numRanks() const;
  /// The next frame, or false after the last one that is whole.
  bool next(Frame& frame);
  /// After the last: whether the run was finished.
  [[nodiscard]] bool isComplete() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Takes the parts of a recording away.
void removeParts(const std::string& path, int ranks);

}  // namespace abut::inline v0_1::io
