// SPDX-License-Identifier: MIT
#include "replay.hpp"

#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/text.hpp"
#include "io/recording/difference.hpp"
#include "io/recording/recording_file.hpp"
#include "io/run/scene_run.hpp"
#include "progress.hpp"
#include "summary.hpp"

namespace abut::tool {
namespace {

/// The other side of the comparison, frame by frame.
class Counterpart {
public:
  virtual ~Counterpart() = default;
  /// The frame after this many steps, with the changes on the way there; false if there is none,
  /// with the reason in `why`.
  virtual bool advance(std::uint64_t step, const std::vector<io::ChangeRecord>& changes,
                       io::Frame& frame, std::string& why) = 0;
  /// What to consider where it differs, or "".
  [[nodiscard]] virtual std::string note() const { return ""; }
};

/// The scene inside the recording, run again.
class Again final : public Counterpart {
public:
  explicit Again(const io::SceneSource& source)
      : scene_(io::parseScene(source.text, source.file, io::MemoryAssets(source.files),
                              io::readRobotFile)),
        run_(io::startRun(scene_)) {}
  bool advance(std::uint64_t step, const std::vector<io::ChangeRecord>& changes, io::Frame& frame,
               std::string& why) override {
    auto next = changes.begin();
    while (run_->getStep() < step) {
      for (; next != changes.end() && next->step <= run_->getStep(); ++next) {
        const Status status = run_->change(next->change);
        if (status) continue;
        why = fmt::format("step {}: a recorded change is refused: {}", next->step,
                          status.getMessage());
        return false;
      }
      if (run_->advance()) continue;
      why = run_->getFault();
      return false;
    }
    run_->capture(frame);
    return true;
  }
  [[nodiscard]] std::string note() const override {
    if (!scene_.variable || scene_.variable->contacts == io::VariableStep::Contacts::Impacts)
      return "";
    return "; compliant contacts are integrated by CVODE, whose bits are the same on one machine "
           "only";
  }

private:
  io::Scene scene_;
  std::unique_ptr<io::SceneRun> run_;
};

/// Another recording.
class Other final : public Counterpart {
public:
  explicit Other(const std::string& path) : reader_(path) {}
  [[nodiscard]] const io::RecordingReader& getReader() const { return reader_; }
  bool advance(std::uint64_t step, const std::vector<io::ChangeRecord>& /*changes*/,
               io::Frame& frame, std::string& why) override {
    while (reader_.next(frame))
      if (frame.step >= step) return true;
    why = fmt::format("the other recording ends before step {}", step);
    return false;
  }

private:
  io::RecordingReader reader_;
};

int fail(const std::string& what) {
  fmt::print("replay: {}\n", what);
  return kExitVerification;
}

int compare(io::RecordingReader& reader, Counterpart& counterpart, bool bisect) {
  io::Frame recorded, now;
  std::string why;
  const io::RunHeader& header = reader.getHeader();
  const double planned = header.step > 0.0 ? header.duration / header.step : 0.0;
  constexpr double kMost = 1e15;
  Progress progress(
      "replay", planned > 0.0 && planned < kMost ? static_cast<std::uint64_t>(planned + 0.5) : 0);
  std::uint64_t lastEqual = 0, steps = 0;
  while (reader.next(recorded)) {
    if (!counterpart.advance(recorded.step, reader.getChanges(), now, why)) return fail(why);
    steps = recorded.step;
    const bool equal =
        bisect ? !io::findDifference(header, recorded, now) : recorded.hash == now.hash;
    if (!equal) {
      progress.finish();
      const auto difference = io::findDifference(header, recorded, now);
      std::string text = bisect && difference
                             ? difference->toText()
                             : fmt::format(
                                   "step {}: hash {} was recorded, {} now; --bisect says "
                                   "where",
                                   recorded.step, io::toHex(recorded.hash), io::toHex(now.hash));
      if (recorded.step > lastEqual + 1)
        text += fmt::format("; equal at step {}, steps between were not recorded", lastEqual);
      return fail(text + counterpart.note());
    }
    lastEqual = recorded.step;
    progress.update(steps);
  }
  progress.finish();
  fmt::print("replay: {} frames up to {} are the same, bit for bit{}\n", reader.numFramesRead(),
             header.step > 0.0 ? fmt::format("step {}", steps)
                               : fmt::format("t = {:.6g} s", recorded.time),
             reader.isComplete() ? "" : "; the recording was interrupted there");
  return kExitOk;
}

void describe(io::RecordingReader& reader) {
  const io::RunHeader& header = reader.getHeader();
  io::Frame frame;
  std::size_t changes = 0;
  while (reader.next(frame)) changes += reader.getChanges().size();
  printLine(
      io::printable(header.scene),
      header.step > 0.0
          ? fmt::format("{}, steps of {}, a frame every {}",
                        counted(header.bodies.size(), "body", "bodies"), readableTime(header.step),
                        header.every == 1 ? "step" : fmt::format("{} steps", header.every))
          : fmt::format("{}, a variable step", counted(header.bodies.size(), "body", "bodies")));
  printLine("frames",
            fmt::format("{}, up to {}{:.6g} s{}", reader.numFramesRead(),
                        header.step > 0.0 ? fmt::format("step {} at ", frame.step) : "", frame.time,
                        reader.isComplete() ? "" : "; the run was interrupted"));
  if (changes > 0) printLine("changes", fmt::format("{} by who watched", changes));
  printLine("contacts", fmt::format("{} at the end", frame.contacts.size()));
  printLine("hash", io::toHex(frame.hash));
}

}  // namespace

ReplayCommand::ReplayCommand(CLI::App& app) {
  app_ = app.add_subcommand("replay", "Look into a recording; run it again and compare");
  app_->add_option("recording", recording_, "File written by abut run --record")
      ->required()
      ->type_name("FILE");
  app_->add_flag("--verify", verify_, "Run the recorded scene again and compare all hashes");
  app_->add_flag("--bisect", bisect_,
                 "Likewise, every number: the first difference by step, stage, body and field");
  app_->add_option("--against", against_,
                   "Compare with another recording of the same scene instead of a new run")
      ->type_name("FILE");
  app_->footer(
      "A recording holds its scene and meshes, so nothing else is needed. Exit code 4 if "
      "something\n"
      "differs.\n\n"
      "Examples: does this machine get the same? Where do two machines part?\n"
      "  abut run scenes/capsule_spin.json --record capsule.abut\n"
      "  abut replay capsule.abut --verify\n"
      "  abut replay mine.abut --bisect --against theirs.abut");
}

int ReplayCommand::run() {
  io::RecordingReader reader(recording_);
  if (!verify_ && !bisect_ && against_.empty()) {
    describe(reader);
    return kExitOk;
  }
  std::unique_ptr<Counterpart> counterpart;
  if (against_.empty()) {
    counterpart = std::make_unique<Again>(reader.getSource());
  } else {
    auto other = std::make_unique<Other>(against_);
    const auto &a = reader.getHeader().bodies, &b = other->getReader().getHeader().bodies;
    bool same = a.size() == b.size();
    for (std::size_t i = 0; same && i < a.size(); ++i) same = a[i].id == b[i].id;
    if (!same) return fail("the recordings are of different scenes: their bodies differ");
    counterpart = std::move(other);
  }
  return compare(reader, *counterpart, bisect_);
}

}  // namespace abut::tool
