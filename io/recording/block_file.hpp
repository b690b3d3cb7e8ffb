// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/core/descriptor.hpp"
#include "io/recording/block.hpp"

namespace abut::inline v0_1::io {

/// A file of blocks, one after the other, that is being written: recordings and parts of them. Each
/// block is with the operating system when append() returns. All calls throw InputError.
class BlockFile {
public:
  /// `syncEach`: blocks are with the disk then, not only with the operating system.
  explicit BlockFile(const std::string& path, bool syncEach = false);

  /// The head, and the checksum that the first block goes on from.
  void begin(std::string_view head, std::uint32_t crc);
  void append(BlockKind kind, std::string_view content);
  void addFrame(std::string_view content);
  /// The last block: the number of frames.
  void end();
  /// Waits for the disk; pipes and devices have none.
  void flush() const;

private:
  void write(std::string_view bytes);
  [[noreturn]] void fail(std::string_view why) const;

  std::string path_;
  Descriptor file_;
  BlockPacker packer_;
  bool sync_;
  std::uint32_t crc_ = 0;
  std::uint64_t blocks_ = 0, frames_ = 0;
};

}  // namespace abut::inline v0_1::io
