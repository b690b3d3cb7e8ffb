// SPDX-License-Identifier: MIT
#include "io/recording/block_file.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

#include "io/core/bytes.hpp"
#include "io/core/output.hpp"

namespace abut::inline v0_1::io {

BlockFile::BlockFile(const std::string& path, bool syncEach)
    : path_(path), file_(openForWriting(path)), sync_(syncEach) {}

void BlockFile::fail(std::string_view why) const {
  throw InputError(concat(printable(path_, 200), ": cannot be written: ", why));
}

void BlockFile::write(std::string_view bytes) {
  try {
    writeAll(file_.get(), bytes);
  } catch (const InputError& error) {
    fail(error.what());
  }
  if (sync_ && ::fdatasync(file_.get()) != 0) fail(std::strerror(errno));
}

void BlockFile::flush() const {
  if (::fsync(file_.get()) != 0 && errno != EINVAL) fail(std::strerror(errno));
}

void BlockFile::begin(std::string_view head, std::uint32_t crc) {
  write(head);
  crc_ = crc;
}

void BlockFile::append(BlockKind kind, std::string_view content) {
  std::uint32_t next = crc_;
  write(packer_.makeBlock(kind, blocks_, content, next));
  crc_ = next;
  ++blocks_;
}

void BlockFile::addFrame(std::string_view content) {
  append(BlockKind::Frame, content);
  ++frames_;
}

void BlockFile::end() {
  ByteWriter out;
  out.u64(frames_);
  append(BlockKind::End, out.get());
}

}  // namespace abut::inline v0_1::io
