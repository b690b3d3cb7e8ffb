// SPDX-License-Identifier: MIT
#include "view_session.hpp"

#include <algorithm>
#include <utility>

#include "io/core/text.hpp"

namespace abut::tool {
ViewSession::ViewSession(const io::Scene& scene, const std::string& scenePath,
                         const std::string& record, io::ViewControl& control, io::LiveRun& live)
    : scene_(scene), scene_path_(scenePath), record_(record), control_(control), live_(live) {
  begin();
}

void ViewSession::begin() {
  run_ = io::startRun(scene_);
  has_failed_ = false;
  shown_step_ = recorded_step_ = 0;
  pace_.forget();
  page_events_.clear();
  record_events_.clear();
  writer_.reset();
  if (!record_.empty()) {
    writer_ = std::make_unique<io::RecordingWriter>(
        record_, io::SceneSource{scene_path_, scene_.text, scene_.files});
    writer_->onHeader(run_->getHeader());
  }
  live_.onHeader(run_->getHeader());
  control_.began(run_->getHeader(), !scene_.variable);
  show(true, writer_ != nullptr);
}

void ViewSession::endRecording() {
  if (!writer_) return;
  if (!has_failed_ && recorded_step_ != run_->getStep()) show(false, true);
  writer_->onEnd();
  writer_.reset();
}

void ViewSession::show(bool toPages, bool toRecording) {
  run_->capture(frame_);
  const std::vector<io::EventFrame> events = std::exchange(frame_.events, {});
  page_events_.insert(page_events_.end(), events.begin(), events.end());
  if (writer_) record_events_.insert(record_events_.end(), events.begin(), events.end());
  if (toRecording) {
    frame_.events = std::exchange(record_events_, {});
    writer_->onFrame(frame_);
    recorded_step_ = frame_.step;
  }
  if (!toPages) return;
  frame_.events = std::exchange(page_events_, {});
  live_.onFrame(frame_);
  shown_step_ = frame_.step;
  shown_at_ = Clock::now();
  control_.reached(frame_.step, frame_.time);
}

/// Changes stand right before a step, so that every frame shows the world as a step left it.
void ViewSession::applyChanges() {
  for (const io::ChangeWish& wish : control_.takeChanges()) {
    io::RunChange change;
    Status status;
    if (const auto* pull = std::get_if<io::PullWish>(&wish)) {
      io::PullChange spring;
      const World& world = dynamic_cast<const io::Simulation&>(*run_).getWorld();
      status = io::makePull(world, pull->body, pull->point, pull->target, scene_.step, spring);
      change = spring;
    } else if (const auto* gravity = std::get_if<io::GravityChange>(&wish)) {
      change = *gravity;
    } else if (const auto* friction = std::get_if<io::FrictionChange>(&wish)) {
      change = *friction;
    } else {
      change = io::ReleaseChange{};
    }
    if (status) status = run_->change(change);
    if (!status) {
      control_.refused(status.getMessage());
      continue;
    }
    if (writer_) writer_->onChange({run_->getStep(), change});
    control_.changed(change);
  }
}

void ViewSession::makeStep(bool alone, double speed) {
  applyChanges();
  if (!run_->advance()) {
    has_failed_ = has_ended_ = true;
    live_.onEnd();
    control_.ended(io::ViewState::Failed, run_->getFault());
    return;
  }
  if (alone) control_.madeStep();
  const std::uint64_t step = run_->getStep();
  const bool last = step == scene_.numSteps;
  const std::chrono::duration<double> silent = Clock::now() - shown_at_;
  const bool toPages = alone || last || step % io::stepsPerFrame(speed, scene_.step) == 0 ||
                       silent.count() > io::kLongestSilence;
  const bool toRecording = writer_ && step % scene_.record.every == 0;
  if (toPages || toRecording) show(toPages, toRecording);
  if (!last) return;
  has_ended_ = true;
  live_.onEnd();
  control_.ended(io::ViewState::Over, run_->getFault());
}

void ViewSession::run(const std::function<bool()>& isStopped, const std::function<void()>& onEnd) {
  bool told = false;
  while (!isStopped()) {
    const io::ViewControl::Wishes wishes = control_.take();
    if (wishes.restart) {
      endRecording();
      begin();
      continue;
    }
    const bool alone = wishes.paused && wishes.steps > 0;
    if (has_failed_ || (wishes.paused && !alone)) {
      if (!has_failed_ && shown_step_ != run_->getStep()) show(true, false);
      if (has_ended_ && !told) onEnd();
      told = told || has_ended_;
      pace_.forget();
      control_.wait(io::kLongestSilence, wishes.serial);
      continue;
    }
    if (const double left = alone ? 0.0 : pace_.timeLeft(run_->getTime(), wishes.speed);
        left > 0.0) {
      control_.wait(std::min(left, io::kLongestSilence), wishes.serial);
      continue;
    }
    live_.goOn();
    makeStep(alone, wishes.speed);
  }
  endRecording();
}

}  // namespace abut::tool
