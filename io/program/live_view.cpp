// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include <abut/io/live_view.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/inspect.hpp>
#include <abut/world/world.hpp>

#include "io/core/text.hpp"
#include "io/live/pace.hpp"
#include "io/live/view_answers.hpp"
#include "io/program/world_header.hpp"
#include "io/run/world_changer.hpp"
#include "report_template.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kMostSpeed = 1e6;

/// Throws for what no view can be made with.
const LiveViewOptions& checked(const LiveViewOptions& options) {
  if (!(options.speed >= 0.0 && options.speed <= kMostSpeed)) {
    throw Error(StatusCode::OutOfRange, io::concat("LiveViewOptions::speed: expected 0 to ",
                                                   kMostSpeed, ", got ", options.speed));
  }
  if (!(options.step >= 0.0 && std::isfinite(options.step))) {
    throw Error(
        StatusCode::OutOfRange,
        io::concat("LiveViewOptions::step: expected a finite time, 0 or more, got ", options.step));
  }
  if (const std::string reason = tool::pageMissingBecause(); !reason.empty())
    throw Error(StatusCode::UnknownObject, "LiveView: " + reason);
  return options;
}

}  // namespace

class LiveView::Impl {
public:
  using Clock = std::chrono::steady_clock;

  Impl(World& watched, const LiveViewOptions& wanted)
      : world(watched),
        options(checked(wanted)),
        control(options.speed, options.paused),
        changer(world),
        start(world.snapshot()),
        time(world.getTime()),
        server(options.port, [this](const io::HttpRequest& request) {
          return io::answerView(live, control, request);
        }) {
    for (const ObjectId id : world.bodies())
      for (BodyShape& part : describeBody(world, id).shapes)
        shapes.push_back(std::move(part.shape));
    address = io::concat("http://127.0.0.1:", server.getPort(), "/?token=", control.getToken());
    begin(false);
  }

  /// A run begins: with these bodies, from here.
  void begin(bool newBodies) {
    header = io::makeWorldHeader(world, {}, options.name, 1);
    header.step = options.step;
    changer.addMaterials(world);
    for (std::size_t i = 0; i < header.materials.size(); ++i)
      header.materials[i].material.friction = changer.getFriction()[i];
    steps = 0;
    events.clear();
    pace.forget();
    live.onHeader(header);
    control.began(header, true, newBodies);
    show();
  }
  void show() {
    io::captureFrame(world, header.bodies, steps, frame);
    if (steps == 0) io::openBooks(world, header, frame);
    frame.events = std::exchange(events, {});
    live.onFrame(frame);
    control.reached(steps, time);
    shownStep = steps;
    shownAt = Clock::now();
  }
  /// Takes note of what the program did since.
  void look() {
    const double before = std::exchange(time, world.getTime());
    const auto isSame = [](ObjectId id, const io::BodyRecord& body) { return id == body.id; };
    const std::span<const ObjectId> now = world.bodies();
    if (!std::equal(now.begin(), now.end(), header.bodies.begin(), header.bodies.end(), isSame)) {
      begin(true);
      return;
    }
    if (time == before) return;
    dt = time - before;
    ++steps;
    io::captureEvents(world, events);
    const std::chrono::duration<double> silent = Clock::now() - shownAt;
    if (isAlone || steps % io::stepsPerFrame(speed, dt) == 0 ||
        silent.count() > io::kLongestSilence)
      show();
  }
  void restart() {
    if (Status status = world.restore(start, shapes); !status) {
      control.refused(status.getMessage());
      return;
    }
    time = world.getTime();
    forcedAt = -1.0;
    changer = io::WorldChanger(world);
    ++restarts;
    const std::span<const ObjectId> now = world.bodies();
    const auto isSame = [](ObjectId id, const io::BodyRecord& body) { return id == body.id; };
    begin(!std::equal(now.begin(), now.end(), header.bodies.begin(), header.bodies.end(), isSame));
  }
  void applyChanges() {
    for (const io::ChangeWish& wish : control.takeChanges()) {
      Status status;
      io::RunChange change = io::ReleaseChange{};
      if (const auto* pull = std::get_if<io::PullWish>(&wish)) {
        io::PullChange spring;
        status = io::makePull(world, pull->body, pull->point, pull->target, dt, spring);
        change = spring;
      } else if (const auto* gravity = std::get_if<io::GravityChange>(&wish)) {
        change = *gravity;
      } else if (const auto* friction = std::get_if<io::FrictionChange>(&wish)) {
        change = *friction;
      }
      if (status) status = changer.apply(world, change);
      if (status) {
        control.changed(change);
      } else {
        control.refused(status.getMessage());
      }
    }
  }
  /// Before a step that is due; forces are given once, however often the program asks.
  void prepareStep(bool alone) {
    isAlone = alone;
    if (alone) control.madeStep();
    live.goOn();
    applyChanges();
    if (forcedAt != time) changer.beforeStep(world);
    forcedAt = time;
  }
  bool sync(double atMost) {
    if (std::isnan(atMost)) {  // Would be waited for without end.
      throw Error(StatusCode::NonFinite, "LiveView::sync: expected a time [s], got a NaN");
    }
    look();
    const Clock::time_point begun = Clock::now();
    for (;;) {
      const io::ViewControl::Wishes wishes = control.take();
      speed = wishes.speed;
      if (wishes.restart) {
        restart();
        continue;
      }
      const bool alone = wishes.paused && wishes.steps > 0;
      double wait = 0.0;
      if (wishes.paused && !alone) {
        if (shownStep != steps) show();
        pace.forget();
        wait = io::kLongestSilence;
      } else if (!alone) {
        wait = pace.timeLeft(time, wishes.speed);
      }
      if (wait <= 0.0) {
        prepareStep(alone);
        return true;
      }
      const std::chrono::duration<double> gone = Clock::now() - begun;
      if (gone.count() >= atMost) return false;
      control.wait(std::min({wait, io::kLongestSilence, atMost - gone.count()}), wishes.serial);
    }
  }

  World& world;
  LiveViewOptions options;
  io::ViewControl control;
  io::LiveRun live;
  io::WorldChanger changer;
  io::Pace pace;
  std::vector<std::byte> start;
  std::vector<std::shared_ptr<const Shape>> shapes;
  std::string address;
  io::RunHeader header;
  io::Frame frame;
  std::vector<io::EventFrame> events;  // Since the last frame.
  std::uint64_t steps = 0, shownStep = 0, restarts = 0;
  double time, dt = 1.0 / 60, speed = 1.0, forcedAt = -1.0;
  bool isAlone = false;  // The step that comes is a single one.
  Clock::time_point shownAt;
  io::LocalServer server;  // Ends first: its thread asks the others.
};

LiveView::LiveView(World& world, const LiveViewOptions& options)
    : impl_(std::make_unique<Impl>(world, options)) {}

LiveView::~LiveView() = default;

const std::string& LiveView::getAddress() const {
  return impl_->address;
}

bool LiveView::sync(double atMost) {
  return impl_->sync(atMost);
}

std::uint64_t LiveView::numRestarts() const {
  return impl_->restarts;
}

}  // namespace abut::inline v0_1
