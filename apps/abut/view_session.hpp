// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/live/live_run.hpp"
#include "io/live/pace.hpp"
#include "io/live/view_control.hpp"
#include "io/recording/recording_file.hpp"
#include "io/run/simulation.hpp"

namespace abut::tool {

/// A scene that runs in step with the clock while pages watch it and interfere.
class ViewSession {
public:
  /// Keeps references. With a path the run is recorded there; a restart begins the file anew.
  ViewSession(const io::Scene& scene, const std::string& scenePath, const std::string& record,
              io::ViewControl& control, io::LiveRun& live);

  /// Runs until `isStopped`, which is asked at least 20 times a second unless a step takes longer.
  /// `onEnd` is told when the scene's duration is first over or a step failed.
  void run(const std::function<bool()>& isStopped, const std::function<void()>& onEnd);

  [[nodiscard]] const io::SceneRun& getRun() const { return *run_; }
  [[nodiscard]] bool isOver() const { return has_ended_; }

private:
  using Clock = std::chrono::steady_clock;

  void begin();
  void endRecording();
  void makeStep(bool alone, double speed);
  void applyChanges();
  void show(bool toPages, bool toRecording);

  const io::Scene& scene_;
  std::string scene_path_, record_;
  io::ViewControl& control_;
  io::LiveRun& live_;
  std::unique_ptr<io::SceneRun> run_;
  std::unique_ptr<io::RecordingWriter> writer_;
  io::Frame frame_;
  std::vector<io::EventFrame> page_events_, record_events_;  // Not yet sent.
  std::uint64_t shown_step_ = 0, recorded_step_ = 0;
  Clock::time_point shown_at_;  // Of the last frame.
  io::Pace pace_;
  bool has_ended_ = false, has_failed_ = false;
};

}  // namespace abut::tool
