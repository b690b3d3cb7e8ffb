// SPDX-License-Identifier: MIT
#include "io/run/checkpoint.hpp"

#include "io/core/bytes.hpp"
#include "io/core/files.hpp"
#include "io/core/output.hpp"
#include "io/recording/block.hpp"
#include "io/recording/codec.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::string_view kMagic(
    "\x89"
    "ABCK\r\n\x1a",
    8);
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

/// Of the scene's text and meshes: FNV-1a, as for names.
std::uint64_t digestOf(const Scene& scene) {
  return idOfName(encode(SceneSource{"", scene.text, scene.files}));
}

}  // namespace

std::string encodeCheckpoint(const Simulation& simulation) {
  const std::vector<std::byte> snapshot = simulation.snapshot();
  ByteWriter content;
  content.u64(digestOf(simulation.getScene()));
  content.u64(simulation.getStep());
  content.u64(simulation.hash());
  content.text({reinterpret_cast<const char*>(snapshot.data()), snapshot.size()});
  ByteWriter out;
  out.raw(kMagic);
  out.u32(kVersion);
  std::uint32_t crc = kVersion;
  out.raw(BlockPacker().makeBlock(BlockKind::Frame, 0, content.get(), crc));
  return out.get();
}

void restoreCheckpoint(Simulation& simulation, std::string_view bytes, const std::string& name) {
  std::size_t at = 0;  // What is looked at begins here.
  try {
    constexpr std::size_t kHead = kMagic.size() + 4;
    if (bytes.size() < kHead + kBlockHeaderBytes || bytes.substr(0, kMagic.size()) != kMagic)
      throw InputError("not a checkpoint of abut, or cut off");
    at = kMagic.size();
    const std::uint32_t version = ByteReader(bytes.substr(kMagic.size())).u32();
    if (version != kVersion) {
      throw InputError(
          concat("a checkpoint of version ", version, "; this program reads version ", kVersion));
    }
    at = kHead;
    std::uint32_t crc = 0;
    const BlockHeader header = checkBlockHeader(bytes.substr(kHead, kBlockHeaderBytes), 0, crc);
    const std::string_view packed = bytes.substr(kHead + kBlockHeaderBytes);
    if (packed.size() != header.packedSize || header.size > kMaxBytes)
      throw InputError(
          concat("expected ", header.packedSize, " bytes to follow its head, got ", packed.size()));
    at = kHead + kBlockHeaderBytes;
    const std::string content = unpackBlock(header, packed, kVersion);
    ByteReader in(content);
    if (in.u64() != digestOf(simulation.getScene()))
      throw InputError("it was made from another scene; give the scene file it was made from");
    const std::uint64_t step = in.u64();
    const std::uint64_t hash = in.u64();
    const std::string snapshot = in.text();
    in.finish();
    const std::span<const std::byte> state{reinterpret_cast<const std::byte*>(snapshot.data()),
                                           snapshot.size()};
    // On a run of its own first: the hash takes memory too.
    Simulation trial(simulation.getScene());
    Status status = trial.restore(state, step);
    if (status && trial.hash() != hash)
      throw InputError("the state it holds has another hash than it says");
    if (status) status = simulation.restore(state, step);
    if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
    if (!status) throw InputError(status.getMessage());
  } catch (const InputError& error) {
    throw InputError(
        concat("checkpoint ", printable(name, 200), ": byte ", at, ": ", error.what()));
  }
}

void saveCheckpoint(const Simulation& simulation, const std::string& path) {
  writeFileAtomically(path, encodeCheckpoint(simulation));
}

void loadCheckpoint(Simulation& simulation, const std::string& path) {
  restoreCheckpoint(simulation, readFile(path, kMaxBytes), path);
}

}  // namespace abut::inline v0_1::io
