// SPDX-License-Identifier: MIT
#include "io/recording/block.hpp"

#include <limits>
#include <new>
#include <zstd.h>
#include <zstd_errors.h>

#include "io/core/bytes.hpp"
#include "io/core/crc32c.hpp"
#include "io/recording/recording_file.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr int kLevel =
    1;  // Numbers hardly shrink further at higher levels, and runs must not wait.

}  // namespace

std::string makeFileHeader(std::uint32_t& crc) {
  ByteWriter out;
  out.raw(kRecordingMagic);
  out.u32(kRecordingVersion);
  out.u32(0);
  crc = crc32c(out.get());
  out.u32(crc);
  return out.get();
}

void checkFileHeader(std::string_view bytes, std::uint32_t& crc) {
  if (bytes.size() < kFileHeaderBytes || bytes.substr(0, 8) != kRecordingMagic)
    throw InputError("not a recording of abut");
  ByteReader in(bytes.substr(8));
  const std::uint32_t version = in.u32();
  const std::uint32_t reserved = in.u32();
  crc = crc32c(bytes.substr(0, 16));
  if (in.u32() != crc) throw InputError("its first bytes are damaged");
  if (version != kRecordingVersion || reserved != 0) {
    throw InputError(concat("a recording of version ", version, "; this program reads version ",
                            kRecordingVersion, ". Record the run again, or use the program that ",
                            "made it"));
  }
}

BlockPacker::BlockPacker() : context_(ZSTD_createCCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
}
BlockPacker::~BlockPacker() {
  ZSTD_freeCCtx(context_);
}

std::string BlockPacker::makeBlock(BlockKind kind, std::uint64_t number, std::string_view content,
                                   std::uint32_t& crc) {
  if (content.size() > RecordingLimits{}.bytes)
    throw InputError(concat("a frame of ", content.size(), " bytes; at most ",
                            RecordingLimits{}.bytes,
                            " can be recorded. Set record.contacts to "
                            "false, or record fewer bodies"));
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size = ZSTD_compressCCtx(context_, packed.data(), packed.size(), content.data(),
                                             content.size(), kLevel);
  if (ZSTD_getErrorCode(size) == ZSTD_error_memory_allocation) throw std::bad_alloc();
  if (ZSTD_isError(size) != 0) throw InputError(ZSTD_getErrorName(size));
  packed.resize(size);
  ByteWriter out;
  out.u32(kBlockMark);
  out.u32(static_cast<std::uint32_t>(kind));
  out.u64(number);
  out.u32(static_cast<std::uint32_t>(packed.size()));
  out.u32(static_cast<std::uint32_t>(content.size()));
  const std::uint32_t packedCrc = crc32c(packed, crc);
  out.u32(packedCrc);
  crc = crc32c(out.get(), packedCrc);
  out.u32(crc);
  out.raw(packed);
  return out.get();
}

BlockHeader checkBlockHeader(std::string_view bytes, std::uint64_t number, std::uint32_t& crc) {
  ByteReader in(bytes);
  BlockHeader header;
  const std::uint32_t mark = in.u32();
  const std::uint32_t kind = in.u32();
  header.number = in.u64();
  header.packedSize = in.u32();
  header.size = in.u32();
  header.packedCrc = in.u32();
  const std::uint32_t own = in.u32();
  if (mark != kBlockMark) throw InputError("expected the beginning of a block");
  if (crc32c(bytes.substr(0, kBlockHeaderBytes - 4), header.packedCrc) != own)
    throw InputError("the beginning of a block is damaged");
  if (header.number != number || kind < 1 || kind > 6)
    throw InputError(
        concat("expected block ", number, ", got block ", header.number, " of kind ", kind));
  header.kind = static_cast<BlockKind>(kind);
  crc = own;
  return header;
}

std::string unpackBlock(const BlockHeader& header, std::string_view packed,
                        std::uint32_t crcBefore) {
  if (crc32c(packed, crcBefore) != header.packedCrc)
    throw InputError(concat("block ", header.number, " is damaged"));
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != header.size)
    throw InputError(concat("block ", header.number, " has another size than it says"));
  std::string content(header.size, '\0');
  const std::size_t got =
      ZSTD_decompress(content.data(), content.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) != 0 || got != content.size())
    throw InputError(concat("block ", header.number, " cannot be unpacked"));
  return content;
}

}  // namespace abut::inline v0_1::io
