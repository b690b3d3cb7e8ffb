// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "io/core/bytes.hpp"
#include "io/core/output.hpp"
#include "io/recording/block.hpp"
#include "io/recording/recording_file.hpp"

namespace abut::inline v0_1::io {

struct RecordingWriter::Impl {
  std::string path;
  SceneSource source;
  BlockPacker packer;
  FrameEncoder frameEncoder;
  int file = -1;
  bool sync = false;
  std::uint32_t crc = 0;
  std::uint64_t blocks = 0, frames = 0;

  ~Impl() {
    if (file >= 0) ::close(file);
  }

  [[noreturn]] void fail(const char* why) const {
    throw InputError(concat(printable(path, 200), ": cannot be written: ", why));
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::write(file, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) fail(put < 0 ? std::strerror(errno) : "nothing was taken");
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    if (sync && ::fdatasync(file) != 0) fail(std::strerror(errno));
  }

  /// Waits for the disk; pipes and devices have none.
  void flush() const {
    if (::fsync(file) != 0 && errno != EINVAL) fail(std::strerror(errno));
  }

  void append(BlockKind kind, std::string_view content) {
    std::uint32_t newCrc = crc;
    write(packer.makeBlock(kind, blocks, content, newCrc));
    crc = newCrc;
    ++blocks;
  }
};

RecordingWriter::RecordingWriter(const std::string& path, SceneSource source, bool syncEachFrame)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->source = std::move(source);
  impl_->sync = syncEachFrame;
  impl_->file = openForWriting(path);
}
RecordingWriter::~RecordingWriter() = default;

void RecordingWriter::onHeader(const RunHeader& header) {
  impl_->write(makeFileHeader(impl_->crc));
  impl_->append(BlockKind::Scene, encode(impl_->source));
  impl_->append(BlockKind::Header, encode(header));
  impl_->append(BlockKind::Fields, encodeFields());
  impl_->source = {};
}

void RecordingWriter::onFrame(const Frame& frame) {
  impl_->append(BlockKind::Frame, impl_->frameEncoder.encode(frame));
  ++impl_->frames;
}

void RecordingWriter::onChange(const ChangeRecord& change) {
  impl_->append(BlockKind::Change, encode(change));
}

void RecordingWriter::onEnd() {
  ByteWriter out;
  out.u64(impl_->frames);
  impl_->append(BlockKind::End, out.get());
  impl_->flush();
}

void RecordingWriter::onInterrupt() {
  impl_->flush();
}

}  // namespace abut::inline v0_1::io
