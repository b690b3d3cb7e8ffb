// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/recording/codec.hpp"
#include "io/recording/frame_codec.hpp"

/// Recordings as files. Version 2, all numbers least significant byte first:
///
///   file   = magic (8 bytes: 89 41 42 55 54 0d 0a 1a), version u32, reserved u32 (0), crc u32 of
///            these 16 bytes; then blocks
///   block  = mark u32 ("ABLK"), kind u32, number u64, packed size u32, size u32, crc u32 of the
///            packed bytes, crc u32 of the 28 bytes before; then the packed bytes
///
/// Packed bytes are one zstd frame. Kinds: 1 the scene with its files, 2 the run's header, 5 names,
/// units and widths of the frames' columns, 3 a frame, 6 a change of the run by who watched it
/// (run_change.hpp; before the frame of any later step), 4 the end (count of frames u64). Blocks
/// are numbered from 0. Every crc (CRC-32C) goes on from the one before it, so that blocks cannot
/// be exchanged, left out or taken from another file. A frame holds what changed since the one
/// before (frame_codec.hpp).
///
/// A file is only ever appended to, one block in one write: after a crash it holds every frame that
/// was complete.
namespace abut::inline v0_1::io {

inline constexpr std::uint32_t kRecordingVersion = 2;

/// Writes a recording as the run happens; each frame is with the operating system when onFrame()
/// returns.
class RecordingWriter final : public FrameSink {
public:
  /// Creates or empties the file. `syncEachFrame` also waits for the disk after each frame. Throws
  /// InputError, as all functions here, if the file cannot be written.
  RecordingWriter(const std::string& path, SceneSource source, bool syncEachFrame = false);
  ~RecordingWriter() override;

  void onHeader(const RunHeader& header) override;
  void onFrame(const Frame& frame) override;
  void onChange(const ChangeRecord& change) override;
  void onEnd() override;
  /// Leaves the end out, so that readers say that the run was interrupted.
  void onInterrupt() override;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Where the bytes of a recording come from.
class ByteSource {
public:
  virtual ~ByteSource() = default;
  /// Fills `size` bytes, or fewer at the end; returns how many.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

/// Limits that a reader keeps, whatever the file says.
struct RecordingLimits {
  std::uint32_t packedBytes = std::uint32_t{1} << 30;  ///< Of a block.
  std::uint32_t bytes = std::uint32_t{1} << 30;        ///< Of a block, unpacked.
};

/// Reads a recording, frame by frame.
///
/// A file that ends inside a block was interrupted: its complete frames are read, and isComplete()
/// is false. Anything else that is not as it was written is an InputError that names the byte.
class RecordingReader {
public:
  explicit RecordingReader(const std::string& path, const RecordingLimits& limits = {});
  RecordingReader(std::unique_ptr<ByteSource> source, const std::string& name,
                  const RecordingLimits& limits = {});
  ~RecordingReader();

  [[nodiscard]] const SceneSource& getSource() const;
  [[nodiscard]] const RunHeader& getHeader() const;
  /// The next frame, or false after the last complete one.
  bool next(Frame& frame);
  /// Changes of the run between the last frame that next() gave and the one before it, in order.
  [[nodiscard]] const std::vector<ChangeRecord>& getChanges() const;
  [[nodiscard]] std::uint64_t numFramesRead() const;
  /// True once the end was read: the run was finished, not interrupted. Known after the last frame.
  [[nodiscard]] bool isComplete() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A regular file; throws InputError.
[[nodiscard]] std::unique_ptr<ByteSource> bytesOfFile(const std::string& path);
/// A recording held in memory, for tests and replays.
[[nodiscard]] std::unique_ptr<ByteSource> bytesInMemory(std::string content);

}  // namespace abut::inline v0_1::io
