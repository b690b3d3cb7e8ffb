// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace abut::inline v0_1::io {

// The frame of a recording around its contents; see recording_file.hpp.

inline constexpr std::string_view kRecordingMagic(
    "\x89"
    "ABUT\r\n\x1a",
    8);
inline constexpr std::size_t kFileHeaderBytes = 20;
inline constexpr std::size_t kBlockHeaderBytes = 32;
inline constexpr std::uint32_t kBlockMark = 0x4b4c4241u;  // "ABLK"

enum class BlockKind : std::uint32_t {
  Scene = 1,
  Header = 2,
  Frame = 3,
  End = 4,
  Fields = 5,
  Change = 6
};

struct BlockHeader {
  BlockKind kind = BlockKind::Frame;
  std::uint64_t number = 0;
  std::uint32_t packedSize = 0;
  std::uint32_t size = 0;
  std::uint32_t packedCrc = 0;
};

/// The head of a file; `crc` is what the first block goes on from.
[[nodiscard]] std::string makeFileHeader(std::uint32_t& crc);
/// Checks the head of a file. Throws InputError without the file's name.
void checkFileHeader(std::string_view bytes, std::uint32_t& crc);

/// Packs blocks. Keeps the compressor's tables from block to block: making them takes longer than
/// packing a small frame.
class BlockPacker {
public:
  BlockPacker();
  ~BlockPacker();
  BlockPacker(const BlockPacker&) = delete;
  BlockPacker& operator=(const BlockPacker&) = delete;

  /// A block with its header. `crc` is that of the bytes before and becomes that of these.
  [[nodiscard]] std::string makeBlock(BlockKind kind, std::uint64_t number,
                                      std::string_view content, std::uint32_t& crc);

private:
  ::ZSTD_CCtx_s* context_;
};
/// Checks the 32 bytes before a block's content. Throws InputError without the place.
[[nodiscard]] BlockHeader checkBlockHeader(std::string_view bytes, std::uint64_t number,
                                           std::uint32_t& crc);
/// Unpacks and checks a block's content.
[[nodiscard]] std::string unpackBlock(const BlockHeader& header, std::string_view packed,
                                      std::uint32_t crcBefore);

}  // namespace abut::inline v0_1::io
