// SPDX-License-Identifier: MIT
#include <map>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <abut/io/recorder.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/world.hpp>

#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/program/world_header.hpp"
#include "io/recording/recording_file.hpp"
#include "report_page.hpp"
#include "report_template.hpp"

namespace abut::inline v0_1 {

/// The observer. A step begins with its first stage: there the world still is as before it.
class Recorder::Impl final : public StepObserver {
public:
  Impl(World& watched, const std::string& recording, const RecorderOptions& wanted)
      : world(watched), path(recording), options(wanted) {
    if (options.every == 0) {
      throw Error(StatusCode::OutOfRange, "RecorderOptions::every: expected at least 1, got 0");
    }
    if (!path.empty()) file.emplace(path, io::SceneSource{});
  }

  void onStage(StepStage /*stage*/) override {
    if (hasBegun || hasFailed()) return;
    guarded([&] { begin(); });
  }
  void onEnd() override {
    if (!hasBegun || hasFailed() || world.getTime() == time) return;  // A failed step.
    guarded([&] { takeStep(); });
  }

  void begin() {
    hasBegun = true;
    header = io::makeWorldHeader(world, names, options.name, options.every);
    time = world.getTime();
    io::captureFrame(world, header.bodies, steps, frame);
    io::openBooks(world, header, frame);
  }
  void takeStep() {
    io::requireSameBodies(world, header, steps);
    if (steps == 0) {
      header.step = world.getTime() - time;  // Known only now.
      if (file) file->onHeader(header);
      page.onHeader(header);
      send();  // The state before the step.
    }
    time = world.getTime();
    ++steps;
    io::captureEvents(world, events);
    if (steps % options.every != 0) return;
    io::captureFrame(world, header.bodies, steps, frame);
    send();
  }
  void send() {
    frame.events = std::exchange(events, {});
    if (!options.contacts) frame.contacts.clear();
    if (file) file->onFrame(frame);
    page.onFrame(frame);
    ++frames;
  }
  /// Nothing may be thrown through World::step().
  template <class Work>
  void guarded(Work work) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      fault = "out of memory";  // Short enough to need none.
    } catch (const std::exception& e) {
      fault = e.what();
    }
  }
  [[nodiscard]] bool hasFailed() const { return !fault.empty(); }
  void throwFault() const {
    if (hasFailed()) throw Error(StatusCode::BadData, "Recorder: " + fault);
  }
  void endFile() {
    if (file && frames > 0 && !isFinished) guarded([&] { file->onEnd(); });
    isFinished = true;
  }

  World& world;
  std::string path;  // Of the recording; empty without one.
  RecorderOptions options;
  std::map<ObjectId, std::string> names;
  std::optional<io::RecordingWriter> file;
  tool::PageData page;
  io::RunHeader header;
  io::Frame frame;
  std::vector<io::EventFrame> events;  // Since the last frame.
  std::string fault;
  std::uint64_t steps = 0, frames = 0;
  double time = 0.0;
  bool hasBegun = false, isFinished = false;
};

Recorder::Recorder(World& world, const std::string& path, const RecorderOptions& options)
    : impl_(std::make_unique<Impl>(world, path, options)) {
  world.setObserver(impl_.get());
}

Recorder::~Recorder() {
  if (impl_->isFinished) return;
  impl_->world.setObserver(nullptr);
  impl_->endFile();
}

void Recorder::setName(ObjectId body, const std::string& name) {
  impl_->names[body] = name;
}

std::uint64_t Recorder::numFrames() const {
  return impl_->frames;
}

std::string Recorder::report() {
  Impl& s = *impl_;
  s.throwFault();
  if (s.frames == 0) {
    throw Error(StatusCode::OutOfRange,
                "Recorder: there was no step yet; call World::step() first");
  }
  if (const std::string reason = tool::pageMissingBecause(); !reason.empty()) {
    throw Error(StatusCode::UnknownObject, "Recorder: " + reason);
  }
  tool::PageData shown = s.page;  // Recording goes on.
  shown.onEnd();
  return tool::embedInPage(tool::pageTemplate(), shown);
}

void Recorder::writeReport(const std::string& path) {
  io::OutputPaths outputs;
  if (!impl_->path.empty()) outputs.addInput(impl_->path);
  outputs.addOutput("Recorder::writeReport", path);
  io::writeFileAtomically(path, report());
}

void Recorder::finish() {
  if (!impl_->isFinished) {
    impl_->world.setObserver(nullptr);
    impl_->endFile();
  }
  impl_->throwFault();
}

void writeReport(const std::string& recording, const std::string& page) {
  io::RecordingReader reader(recording);
  io::OutputPaths outputs;
  outputs.addInput(recording);
  outputs.addOutput("writeReport", page);
  tool::ReportSink sink(page);
  sink.onHeader(reader.getHeader());
  io::Frame frame;
  while (reader.next(frame)) sink.onFrame(frame);
  sink.onEnd();
}

}  // namespace abut::inline v0_1
