// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

#include "io/core/bytes.hpp"
#include "io/recording/block.hpp"
#include "io/recording/recording_file.hpp"

namespace abut::inline v0_1::io {
namespace {

class FileSource final : public ByteSource {
public:
  explicit FileSource(const std::string& path)
      : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info = {};
    if (file_ < 0 || ::fstat(file_, &info) != 0) fail(std::strerror(errno));
    if (!S_ISREG(info.st_mode)) fail("not a regular file");
  }
  ~FileSource() override {
    if (file_ >= 0) ::close(file_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* out, std::size_t size) override {
    std::size_t filled = 0;
    while (filled < size) {
      const ssize_t got = ::read(file_, out + filled, size - filled);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(std::strerror(errno));
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return filled;
  }

private:
  [[noreturn]] void fail(const char* why) const {
    throw InputError(concat(printable(path_, 200), ": ", why));
  }
  std::string path_;
  int file_;
};

class MemorySource final : public ByteSource {
public:
  explicit MemorySource(std::string content) : content_(std::move(content)) {}
  std::size_t read(char* out, std::size_t size) override {
    const std::size_t count = std::min(size, content_.size() - at_);
    content_.copy(out, count, at_);
    at_ += count;
    return count;
  }

private:
  std::string content_;
  std::size_t at_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> bytesOfFile(const std::string& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> bytesInMemory(std::string content) {
  return std::make_unique<MemorySource>(std::move(content));
}

struct RecordingReader::Impl {
  std::unique_ptr<ByteSource> bytes;
  std::string name;
  RecordingLimits limits;
  SceneSource source;
  RunHeader header;
  std::optional<FrameDecoder> frameDecoder;
  std::uint32_t crc = 0;
  std::uint64_t blocks = 0, frames = 0, at = 0;
  std::uint64_t lastStep = 0;
  std::vector<ChangeRecord> changes;
  bool complete = false, ended = false;

  [[noreturn]] void fail(std::uint64_t place, const std::string& why) const {
    throw InputError(concat(printable(name, 200), ": byte ", place, ": ", why));
  }

  /// The next bytes, fewer at the end of the file. Grows as they come, so that a size that lies
  /// takes no memory.
  std::string take(std::size_t size) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    std::string out;
    while (out.size() < size) {
      const std::size_t before = out.size();
      const std::size_t piece = std::min(size - before, kPiece);
      out.resize(before + piece);
      const std::size_t got = bytes->read(out.data() + before, piece);
      out.resize(before + got);
      if (got < piece) break;
    }
    at += out.size();
    return out;
  }

  /// The next complete block, or false where the file ends.
  bool nextBlock(BlockKind& kind, std::string& content) {
    const std::uint64_t start = at;
    const std::uint32_t before = crc;
    const std::string head = take(kBlockHeaderBytes);
    if (head.size() < kBlockHeaderBytes) return false;
    try {
      const BlockHeader block = checkBlockHeader(head, blocks, crc);
      if (block.packedSize > limits.packedBytes || block.size > limits.bytes)
        throw InputError(concat("block ", block.number, " of ", block.size, " bytes is too large"));
      const std::string packed = take(block.packedSize);
      if (packed.size() < block.packedSize) return false;
      content = unpackBlock(block, packed, before);
      kind = block.kind;
    } catch (const InputError& error) {
      fail(start, error.what());
    }
    ++blocks;
    return true;
  }

  void demand(BlockKind wanted, std::string& content) {
    const std::uint64_t start = at;
    BlockKind kind = BlockKind::End;
    if (!nextBlock(kind, content)) fail(start, "the file ends before its first frame");
    if (kind != wanted) fail(start, "the first blocks are not scene, header and fields");
  }

  void open() {
    try {
      checkFileHeader(take(kFileHeaderBytes), crc);
    } catch (const InputError& error) {
      throw InputError(concat(printable(name, 200), ": ", error.what()));
    }
    std::string content;
    demand(BlockKind::Scene, content);
    decode([&] { source = decodeSource(content); });
    demand(BlockKind::Header, content);
    decode([&] { header = decodeHeader(content); });
    demand(BlockKind::Fields, content);
    decode([&] { frameDecoder.emplace(content); });
  }

  template <typename Function>
  void decode(Function function) const {
    try {
      function();
    } catch (const InputError& error) {
      fail(at, concat("before this, block ", blocks - 1, ": ", error.what()));
    }
  }

  bool next(Frame& frame) {
    if (ended) return false;
    BlockKind kind = BlockKind::Change;
    std::string content;
    std::uint64_t start = at;
    changes.clear();
    while (kind == BlockKind::Change) {
      start = at;
      if (!nextBlock(kind, content)) {
        ended = true;
        return false;
      }
      if (kind == BlockKind::Change) takeChange(content);
    }
    if (kind == BlockKind::End) {
      finish(content);
      return false;
    }
    if (kind != BlockKind::Frame) fail(start, "expected a frame or the end");
    decode([&] {
      frameDecoder->decode(content, frame);
      if (frame.bodies.size() != header.bodies.size())
        throw InputError(concat("a frame of ", frame.bodies.size(), " bodies in a run of ",
                                header.bodies.size()));
      if (frames > 0 && frame.step <= lastStep) throw InputError("steps do not increase");
      if (!changes.empty() && changes.back().step >= frame.step)
        throw InputError("a change stands before a frame of an earlier step");
    });
    lastStep = frame.step;
    ++frames;
    return true;
  }

  void takeChange(const std::string& content) {
    decode([&] {
      const ChangeRecord change = decodeChange(content);
      if (change.step < (changes.empty() ? lastStep : changes.back().step))
        throw InputError("steps of changes decrease");
      changes.push_back(change);
    });
  }

  void finish(const std::string& content) {
    decode([&] {
      ByteReader in(content);
      const std::uint64_t count = in.u64();
      in.finish();
      if (count != frames)
        throw InputError(concat("the end counts ", count, " frames, but there are ", frames));
    });
    char more = 0;
    if (bytes->read(&more, 1) != 0) fail(at, "something follows the end");
    complete = ended = true;
  }
};

RecordingReader::RecordingReader(const std::string& path, const RecordingLimits& limits)
    : RecordingReader(std::make_unique<FileSource>(path), path, limits) {}

RecordingReader::RecordingReader(std::unique_ptr<ByteSource> source, const std::string& name,
                                 const RecordingLimits& limits)
    : impl_(std::make_unique<Impl>()) {
  impl_->bytes = std::move(source);
  impl_->name = name;
  impl_->limits = limits;
  impl_->open();
}
RecordingReader::~RecordingReader() = default;

const SceneSource& RecordingReader::getSource() const {
  return impl_->source;
}
const RunHeader& RecordingReader::getHeader() const {
  return impl_->header;
}
bool RecordingReader::next(Frame& frame) {
  return impl_->next(frame);
}
const std::vector<ChangeRecord>& RecordingReader::getChanges() const {
  return impl_->changes;
}
std::uint64_t RecordingReader::numFramesRead() const {
  return impl_->frames;
}
bool RecordingReader::isComplete() const {
  return impl_->complete;
}

}  // namespace abut::inline v0_1::io
