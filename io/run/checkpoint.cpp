// SPDX-License-Identifier: MIT
#include "io/run/checkpoint.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>

#include "io/core/bytes.hpp"
#include "io/core/descriptor.hpp"
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
/// What zstd makes of a unit at most, and some more.
constexpr std::size_t kMaxPacked = 2 * kCheckpointUnit;

/// Of the scene's text and meshes: FNV-1a, as for names.
std::uint64_t digestOf(const Scene& scene) {
  return idOfName(encode(SceneSource{"", scene.text, scene.files}));
}

/// A range of a snapshot as its part of a file; the first one begins it.
std::string encodeRange(const Simulation& simulation, const SnapshotRange& range) {
  BlockPacker packer;
  ByteWriter head, out;
  head.u64(digestOf(simulation.getScene()));
  head.u64(simulation.getStep());
  head.u64(range.hash);
  head.u64(range.total);
  std::uint32_t crc = kCheckpointVersion;
  const std::string first = packer.makeBlock(BlockKind::Frame, 0, head.get(), crc);
  if (range.first == 0 && !range.bytes.empty()) {
    out.raw(kMagic);
    out.u32(kCheckpointVersion);
    out.raw(first);
  }
  std::uint64_t number = range.first / kCheckpointUnit + 1;
  for (std::size_t at = 0; at < range.bytes.size(); at += kCheckpointUnit, ++number) {
    const std::size_t size = std::min(kCheckpointUnit, range.bytes.size() - at);
    std::uint32_t own = crc;
    out.raw(packer.makeBlock(BlockKind::Frame, number,
                             {reinterpret_cast<const char*>(range.bytes.data()) + at, size}, own));
  }
  return out.get();
}

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// Ranks send their parts to rank 0, which writes them one after the other.
void sendParts(Communicator& comm, const std::string& part, std::span<const std::uint64_t> sizes,
               int file) {
  for (int r = 0; r < comm.getSize(); ++r) {
    const auto size = static_cast<std::size_t>(sizes[static_cast<std::size_t>(r)]);
    if (r == 0) {
      if (comm.getRank() == 0) writeAll(file, part);
    } else if (comm.getRank() == r && size > 0) {
      const Communicator::Outgoing out[] = {{0, bytesOf(part)}};
      comm.swap(out, {});
    } else if (comm.getRank() == 0 && size > 0) {
      std::string came(size, '\0');
      const Communicator::Incoming in[] = {
          {r, std::as_writable_bytes(std::span(came.data(), came.size()))}};
      comm.swap({}, in);
      writeAll(file, came);
    }
  }
}

void writePart(int file, std::uint64_t at, const std::string& part) {
  writeAllAt(file, at, part);
  if (::fsync(file) != 0) throw InputError(std::strerror(errno));
}

/// All ranks write what they have of a file, each at its place.
void writeParts(Communicator& comm, const std::string& part, const std::string& path) {
  const bool isFirst = comm.getRank() == 0;
  std::unique_ptr<FileBeside> whole;
  if (isFirst) whole = std::make_unique<FileBeside>(path);
  const std::uint64_t size = part.size();
  std::vector<Communicator::Bytes> all;
  comm.gatherAll(std::as_bytes(std::span(&size, 1)), all);
  std::vector<std::uint64_t> sizes;
  std::uint64_t at = 0;
  for (std::size_t r = 0; r < all.size(); ++r) {
    sizes.push_back(0);
    std::memcpy(&sizes.back(), all[r].data(), sizeof sizes.back());
    if (static_cast<int>(r) < comm.getRank()) at += sizes.back();
  }
  comm.gatherAll(isFirst ? bytesOf(whole->getName()) : std::span<const std::byte>(), all);
  const std::string name(reinterpret_cast<const char*>(all[0].data()), all[0].size());
  const Descriptor file(isFirst || name.empty() ? -1 : ::open(name.c_str(), O_WRONLY | O_CLOEXEC));
  std::uint64_t unseen = (isFirst ? name.empty() : !file) ? 1 : 0;
  comm.add({&unseen, 1});
  try {
    if (unseen > 0) {
      sendParts(comm, part, sizes, isFirst ? whole->get() : -1);
    } else {
      writePart(isFirst ? whole->get() : file.get(), at, part);
    }
    std::uint64_t done = 1;
    comm.add({&done, 1});  // A rank that cannot write does not come here.
    if (isFirst) whole->replace();
  } catch (const InputError& error) {
    throw InputError(concat(printable(path, 200), ": cannot be written: ", error.what()));
  }
}

}  // namespace

std::string encodeCheckpoint(const Simulation& simulation) {
  return encodeRange(simulation, simulation.snapshotRange(kCheckpointUnit));
}

void saveCheckpoint(const Simulation& simulation, const std::string& path) {
  const std::string part = encodeCheckpoint(simulation);
  Communicator* const comm = simulation.getCommunicator();
  if (comm == nullptr) return writeFileAtomically(path, part);
  writeParts(*comm, part, path);
}

CheckpointReader::CheckpointReader(Open open, std::string name, const Scene& scene)
    : open_(std::move(open)), name_(std::move(name)), digest_(digestOf(scene)) {
  begin();
}

CheckpointReader::CheckpointReader(const std::string& path, const Scene& scene)
    : CheckpointReader([path] { return bytesOfFile(path); }, path, scene) {}

void CheckpointReader::fail(const std::string& why) const {
  throw InputError(concat("checkpoint ", printable(name_, 200), ": byte ", place_, ": ", why));
}

std::string CheckpointReader::take(std::size_t size) {
  std::string out(size, '\0');
  out.resize(bytes_->read(out.data(), size));
  at_ += out.size();
  return out;
}

/// Content of the next block, whose checksum goes on from one and becomes another.
std::string CheckpointReader::nextBlock(std::uint32_t crcBefore, std::uint32_t& crc) {
  place_ = at_;
  try {
    const std::string head = take(kBlockHeaderBytes);
    if (head.size() < kBlockHeaderBytes) throw InputError("cut off");
    const BlockHeader header = checkBlockHeader(head, blocks_, crc);
    if (header.packedSize > kMaxPacked || header.size > kCheckpointUnit)
      throw InputError(concat("a block of ", header.size, " bytes is none of a checkpoint"));
    const std::string packed = take(header.packedSize);
    if (packed.size() < header.packedSize) throw InputError("cut off");
    ++blocks_;
    return unpackBlock(header, packed, crcBefore);
  } catch (const InputError& error) {
    fail(error.what());
  }
}

void CheckpointReader::begin() {
  bytes_ = open_();
  at_ = place_ = blocks_ = 0;
  piece_.clear();
  used_ = 0;
  if (take(kMagic.size()) != kMagic) fail("not a checkpoint of abut, or cut off");
  place_ = at_;
  const std::string version = take(4);
  if (version.size() < 4) fail("cut off");
  if (ByteReader(version).u32() != kCheckpointVersion) {
    fail(concat("a checkpoint of version ", ByteReader(version).u32(), "; this program reads ",
                kCheckpointVersion));
  }
  const std::string head = nextBlock(kCheckpointVersion, crc_);
  try {
    ByteReader in(head);
    if (in.u64() != digest_)
      throw InputError("it was made from another scene; give the scene file it was made from");
    step_ = in.u64();
    hash_ = in.u64();
    left_ = in.u64();
    in.finish();
  } catch (const InputError& error) {
    fail(error.what());
  }
}

std::size_t CheckpointReader::read(std::span<std::byte> bytes) {
  if (used_ == piece_.size()) {
    if (left_ == 0) {
      place_ = at_;
      if (!take(1).empty()) fail("expected the end");
      return 0;
    }
    std::uint32_t own = 0;
    const std::uint64_t expected = std::min<std::uint64_t>(left_, kCheckpointUnit);
    piece_ = nextBlock(crc_, own);
    used_ = 0;
    if (piece_.size() != expected)
      fail(concat("expected ", expected, " bytes in this block, got ", piece_.size()));
    left_ -= piece_.size();
  }
  const std::size_t count = std::min(bytes.size(), piece_.size() - used_);
  std::memcpy(bytes.data(), piece_.data() + used_, count);
  used_ += count;
  return count;
}

namespace {

void restoreFrom(CheckpointReader& reader, Simulation& simulation) {
  std::vector<std::byte> state;
  for (;;) {
    constexpr std::size_t kMost = kCheckpointUnit;
    const std::size_t before = state.size();
    state.resize(before + kMost);
    const std::size_t count = reader.read(std::span(state).subspan(before));
    state.resize(before + count);
    if (count == 0) break;
  }
  // On a run of its own first: the hash takes memory too.
  Simulation trial(simulation.getScene());
  Status status = trial.restore(state, reader.getStep());
  if (status && trial.hash() != reader.getHash())
    reader.fail("the state it holds has another hash than it says");
  if (status) status = simulation.restore(state, reader.getStep());
  if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
  if (!status) reader.fail(status.getMessage());
}

}  // namespace

void restoreCheckpoint(Simulation& simulation, std::string_view bytes, const std::string& name) {
  CheckpointReader reader([bytes] { return bytesInMemory(std::string(bytes)); }, name,
                          simulation.getScene());
  restoreFrom(reader, simulation);
}

void loadCheckpoint(Simulation& simulation, const std::string& path) {
  CheckpointReader reader(path, simulation.getScene());
  restoreFrom(reader, simulation);
}

}  // namespace abut::inline v0_1::io
