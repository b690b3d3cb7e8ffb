// SPDX-License-Identifier: MIT
#include "io/recording/recording_parts.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <unistd.h>

#include <abut/ranks/distributed_world.hpp>

#include "io/core/bytes.hpp"
#include "io/core/crc32c.hpp"
#include "io/core/output.hpp"
#include "io/recording/block_file.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::string_view kMagic(
    "\x89"
    "ABPT\r\n\x1a",
    8);
constexpr std::uint32_t kVersion = 1, kMaxRanks = 1u << 20;
constexpr std::size_t kHeadBytes = 20;

std::string headOf(int rank, int ranks) {
  ByteWriter out;
  out.raw(kMagic);
  out.u32(kVersion);
  out.u32(static_cast<std::uint32_t>(rank));
  out.u32(static_cast<std::uint32_t>(ranks));
  return out.get();
}

std::string encodePart(const FramePart& part) {
  ByteWriter out;
  out.text(encode(part.frame));
  out.u64(part.bodies.size());
  for (const ObjectId id : part.bodies) out.u64(id);
  out.u64(part.held.size());
  for (const double held : part.held) out.f64(held);
  out.u64(part.steps.size());
  for (const std::uint64_t step : part.steps) out.u64(step);
  out.text({reinterpret_cast<const char*>(part.contacts.data()), part.contacts.size()});
  out.u8(part.hasContacts ? 1 : 0);
  return out.get();
}

FramePart decodePart(const std::string& bytes) {
  ByteReader in(bytes);
  FramePart part;
  decodeFrame(in.text(), part.frame);
  for (std::uint64_t count = in.count(8); count > 0; --count) part.bodies.push_back(in.u64());
  for (std::uint64_t count = in.count(8); count > 0; --count) part.held.push_back(in.f64());
  for (std::uint64_t count = in.count(8); count > 0; --count) part.steps.push_back(in.u64());
  const std::string contacts = in.text();
  const auto* const from = reinterpret_cast<const std::byte*>(contacts.data());
  part.contacts.assign(from, from + contacts.size());
  part.hasContacts = in.u8() != 0;
  in.finish();
  if (part.bodies.size() != part.frame.bodies.size() ||
      part.steps.size() != part.frame.events.size() ||
      (!part.held.empty() && part.held.size() != 2 * part.bodies.size())) {
    throw InputError("a part of a frame does not fit together");
  }
  return part;
}

/// Where a body of some rank stands.
struct Place {
  ObjectId id;
  std::size_t part, row;
};

/// Bodies in the order of the header; of the first frame also what they hold.
void joinBodies(std::span<const FramePart> parts, const RunHeader& header, Frame& frame) {
  std::vector<Place> places;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t i = 0; i < parts[p].bodies.size(); ++i)
      places.push_back({parts[p].bodies[i], p, i});
  }
  std::sort(places.begin(), places.end(),
            [](const Place& a, const Place& b) { return a.id < b.id; });
  if (places.size() != header.bodies.size())
    throw InputError(concat("the parts of a frame have ", places.size(), " bodies, the run ",
                            header.bodies.size()));
  frame.bodies.clear();
  double kinetic = 0.0, potential = 0.0;
  bool isFirst = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const FramePart& from = parts[places[i].part];
    if (places[i].id != header.bodies[i].id)
      throw InputError(concat("the parts of a frame lack body ", header.bodies[i].id));
    frame.bodies.push_back(from.frame.bodies[places[i].row]);
    if (from.held.empty() || header.bodies[i].type != BodyType::Dynamic) continue;
    isFirst = true;
    kinetic += from.held[2 * places[i].row];
    potential += from.held[2 * places[i].row + 1];
  }
  if (!isFirst) return;
  frame.totalEnergy.kineticBefore = frame.totalEnergy.kineticAfter = kinetic;
  frame.totalEnergy.potentialBefore = frame.totalEnergy.potentialAfter = potential;
}

void joinEvents(std::span<const FramePart> parts, std::vector<EventFrame>& events) {
  std::vector<std::pair<std::uint64_t, EventFrame>> all;
  for (const FramePart& part : parts) {
    for (std::size_t i = 0; i < part.steps.size(); ++i)
      all.push_back({part.steps[i], part.frame.events[i]});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.object1, a.second.object2) <
           std::tie(b.first, b.second.object1, b.second.object2);
  });
  events.clear();
  for (const auto& [step, event] : all) events.push_back(event);
}

void join(std::span<FramePart> parts, const RunHeader& header, Frame& frame) {
  std::vector<std::vector<std::byte>> contacts;
  std::vector<JointFrame> joints;
  for (FramePart& part : parts) {
    if (part.frame.step != parts[0].frame.step)
      throw InputError("its parts are not of the same steps");
    contacts.push_back(std::move(part.contacts));
    joints.insert(joints.end(), part.frame.joints.begin(), part.frame.joints.end());
  }
  std::stable_sort(joints.begin(), joints.end(),
                   [](const auto& a, const auto& b) { return a.joint < b.joint; });
  Frame whole = parts[0].frame;
  whole.joints = std::move(joints);
  joinBodies(parts, header, whole);
  joinEvents(parts, whole.events);
  try {
    DistributedWorld::joinContacts(contacts, whole.contacts);
  } catch (const Error& error) {
    throw InputError(error.what());
  }
  nameIslands(header.bodies, whole);
  if (!parts[0].hasContacts) whole.contacts.clear();
  frame = std::move(whole);
}

}  // namespace

std::string nameOfPart(const std::string& path, int rank) {
  return concat(path, ".part", static_cast<std::uint64_t>(rank));
}

void removeParts(const std::string& path, int ranks) {
  for (int r = 0; r < ranks; ++r) ::unlink(nameOfPart(path, r).c_str());
}

struct PartWriter::Impl {
  explicit Impl(const std::string& path) : file(path) {}
  BlockFile file;
};

PartWriter::PartWriter(const std::string& path, int rank, int ranks)
    : impl_(std::make_unique<Impl>(nameOfPart(path, rank))) {
  const std::string head = headOf(rank, ranks);
  impl_->file.begin(head, crc32c(head));
}
PartWriter::~PartWriter() = default;

void PartWriter::begin(const SceneSource& source, const RunHeader& header) {
  impl_->file.append(BlockKind::Scene, encode(source));
  impl_->file.append(BlockKind::Header, encode(header));
}

void PartWriter::add(const FramePart& part) {
  impl_->file.addFrame(encodePart(part));
}

void PartWriter::end() {
  impl_->file.end();
}

namespace {

/// One of the files.
class PartFile {
public:
  PartFile(const std::string& path, int rank) : name_(nameOfPart(path, rank)) {
    bytes_ = bytesOfFile(name_);
    const std::string head = take(kHeadBytes);
    if (head.size() < kHeadBytes || head.compare(0, kMagic.size(), kMagic) != 0)
      fail("not a part of a recording of abut");
    ByteReader in(std::string_view(head).substr(kMagic.size()));
    if (in.u32() != kVersion) fail("a part of another version of this program");
    const std::uint32_t own = in.u32(), ranks = in.u32();
    if (own != static_cast<std::uint32_t>(rank) || ranks == 0 || ranks > kMaxRanks)
      fail(concat("expected the part of rank ", static_cast<std::uint64_t>(rank), ", got that of ",
                  own, " of ", ranks));
    ranks_ = static_cast<int>(ranks);
    crc_ = crc32c(head);
  }

  [[nodiscard]] int numRanks() const { return ranks_; }
  [[nodiscard]] bool isEnded() const { return is_ended_; }
  /// The next block, or false where the file ends, be it within one.
  bool next(BlockKind& kind, std::string& content) {
    if (is_ended_) return false;
    const std::string head = take(kBlockHeaderBytes);
    if (head.size() < kBlockHeaderBytes) return false;
    try {
      const std::uint32_t before = crc_;
      const BlockHeader header = checkBlockHeader(head, blocks_, crc_);
      if (header.packedSize > RecordingLimits{}.packedBytes ||
          header.size > RecordingLimits{}.bytes)
        throw InputError("a block is too large");
      const std::string packed = take(header.packedSize);
      if (packed.size() < header.packedSize) return false;
      content = unpackBlock(header, packed, before);
      kind = header.kind;
      ++blocks_;
      is_ended_ = kind == BlockKind::End;
    } catch (const InputError& error) {
      fail(error.what());
    }
    return true;
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(concat(printable(name_, 200), ": ", why));
  }

private:
  std::string take(std::size_t size) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    std::string out;
    while (out.size() < size) {
      const std::size_t before = out.size();
      out.resize(before + std::min(kPiece, size - before));
      const std::size_t got = bytes_->read(out.data() + before, out.size() - before);
      out.resize(before + got);
      if (got == 0) break;
    }
    return out;
  }

  std::string name_;
  std::unique_ptr<ByteSource> bytes_;
  std::uint32_t crc_ = 0;
  std::uint64_t blocks_ = 0;
  int ranks_ = 0;
  bool is_ended_ = false;
};

}  // namespace

struct PartReader::Impl {
  std::vector<PartFile> files;
  SceneSource source;
  RunHeader header;
};

PartReader::PartReader(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->files.emplace_back(path, 0);
  const int ranks = impl_->files[0].numRanks();
  for (int r = 1; r < ranks; ++r) {
    impl_->files.emplace_back(path, r);
    if (impl_->files.back().numRanks() != ranks)
      impl_->files.back().fail("a part of a run on another number of ranks");
  }
  for (const BlockKind expected : {BlockKind::Scene, BlockKind::Header}) {
    BlockKind kind = BlockKind::End;
    std::string content;
    if (!impl_->files[0].next(kind, content) || kind != expected)
      impl_->files[0].fail("cut off before the first frame");
    if (kind == BlockKind::Scene) impl_->source = decodeSource(content);
    if (kind == BlockKind::Header) impl_->header = decodeHeader(content);
  }
}
PartReader::~PartReader() = default;

const SceneSource& PartReader::getSource() const {
  return impl_->source;
}
const RunHeader& PartReader::getHeader() const {
  return impl_->header;
}
int PartReader::numRanks() const {
  return static_cast<int>(impl_->files.size());
}

bool PartReader::next(Frame& frame) {
  std::vector<FramePart> parts;
  bool isWhole = true;
  for (PartFile& file : impl_->files) {
    BlockKind kind = BlockKind::End;
    std::string content;
    if (!file.next(kind, content) || kind != BlockKind::Frame) {
      isWhole = false;
      continue;
    }
    try {
      parts.push_back(decodePart(content));
    } catch (const InputError& error) {
      file.fail(error.what());
    }
  }
  if (!isWhole) return false;
  try {
    join(parts, impl_->header, frame);
  } catch (const InputError& error) {
    impl_->files[0].fail(error.what());
  }
  return true;
}

bool PartReader::isComplete() const {
  return std::all_of(impl_->files.begin(), impl_->files.end(),
                     [](const PartFile& file) { return file.isEnded(); });
}

}  // namespace abut::inline v0_1::io
