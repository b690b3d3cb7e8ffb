// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "io/core/text.hpp"
#include "io/export/export.hpp"
#include "io/recording/block.hpp"
#include "io/recording/recording_file.hpp"

using namespace abut::io;

namespace {

/// What decodes must encode to the same bytes: nothing is overlooked, nothing is invented.
template <typename Decode>
void roundTrip(std::string_view bytes, Decode decode) {
  try {
    if (encode(decode(bytes)) != bytes) __builtin_trap();
  } catch (const InputError&) {
  }
}

/// A file whose checks hold around contents of any bytes: a header and a frame.
std::string wrapped(std::string_view bytes) {
  const std::size_t half = bytes.size() / 2;
  std::uint32_t crc = 0;
  std::string file = makeFileHeader(crc);
  BlockPacker packer;
  file += packer.makeBlock(BlockKind::Scene, 0, encode(SceneSource{}), crc);
  file += packer.makeBlock(BlockKind::Header, 1, bytes.substr(0, half), crc);
  file += packer.makeBlock(BlockKind::Fields, 2, encodeFields(), crc);
  file += packer.makeBlock(BlockKind::Frame, 3, bytes.substr(half), crc);
  return file;
}

void readAndExport(std::string file) {
  RecordingLimits limits;
  limits.bytes = limits.packedBytes = 1 << 24;
  try {
    RecordingReader reader(bytesInMemory(file), "r", limits);
    (void)exportGltf(reader);
    RecordingReader again(bytesInMemory(std::move(file)), "r", limits);
    (void)exportCsv(again, CsvTable::Contacts);
  } catch (const InputError&) {
  }
}

}  // namespace

/// The first byte chooses: a whole file, or the contents of one kind of block.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 5) {
    case 0:
      readAndExport(std::string(bytes));
      break;
    case 1:
      roundTrip(bytes, [](std::string_view b) {
        Frame frame;
        decodeFrame(b, frame);
        return frame;
      });
      break;
    case 2:
      roundTrip(bytes, decodeHeader);
      break;
    case 3:
      roundTrip(bytes, decodeSource);
      break;
    default:
      readAndExport(wrapped(bytes));
  }
  return 0;
}
