// SPDX-License-Identifier: MIT
#include <utility>

#include "io/recording/block_file.hpp"
#include "io/recording/recording_file.hpp"

namespace abut::inline v0_1::io {

struct RecordingWriter::Impl {
  Impl(const std::string& path, SceneSource from, bool sync)
      : file(path, sync), source(std::move(from)) {}
  BlockFile file;
  SceneSource source;
  FrameEncoder frameEncoder;
};

RecordingWriter::RecordingWriter(const std::string& path, SceneSource source, bool syncEachFrame)
    : impl_(std::make_unique<Impl>(path, std::move(source), syncEachFrame)) {}
RecordingWriter::~RecordingWriter() = default;

void RecordingWriter::onHeader(const RunHeader& header) {
  std::uint32_t crc = 0;
  const std::string head = makeFileHeader(crc);
  impl_->file.begin(head, crc);
  impl_->file.append(BlockKind::Scene, encode(impl_->source));
  impl_->file.append(BlockKind::Header, encode(header));
  impl_->file.append(BlockKind::Fields, encodeFields());
  impl_->source = {};
}

void RecordingWriter::onFrame(const Frame& frame) {
  impl_->file.addFrame(impl_->frameEncoder.encode(frame));
}

void RecordingWriter::onChange(const ChangeRecord& change) {
  impl_->file.append(BlockKind::Change, encode(change));
}

void RecordingWriter::onEnd() {
  impl_->file.end();
  impl_->file.flush();
}

void RecordingWriter::onInterrupt() {
  impl_->file.flush();
}

}  // namespace abut::inline v0_1::io
