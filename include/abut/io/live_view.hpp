// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace abut::inline v0_1 {

class World;

/// How a LiveView goes about it.
struct LiveViewOptions {
  std::string name = "world";  ///< Title of the page.
  std::uint16_t port = 0;      ///< On 127.0.0.1; 0 takes a free one.
  double speed = 1.0;          ///< Seconds of the world in a second; 0: as fast as possible.
  double step = 0.0;           ///< That the program makes [s], for the page; 0: it varies.
  bool paused = false;         ///< Wait at the first sync() until somebody presses play.
};

/// Shows a program's own world in a browser of this machine while the program steps it.
///
///     abut::LiveView view(world);
///     std::printf("%s\n", view.getAddress().c_str());
///     for (;;) {
///       view.sync();
///       world.step(1.0 / 240).orThrow();
///     }
///
/// Pages that are opened by that address can pause, make single steps, change the speed, pull
/// bodies (a force, booked as such), change gravity and friction, and restart: that puts the world
/// back to where it was when the view was made. The world is read and changed inside sync() alone,
/// by the thread that calls it. Bodies may come and go; pages then begin anew.
///
/// The server listens on 127.0.0.1, and changes need the secret in the address. World and view must
/// not be moved while one watches the other; the view ends first.
class LiveView {
public:
  /// Throws abut::Error if the port is taken, for options out of range, or where the library was
  /// built without its page.
  explicit LiveView(World& world, const LiveViewOptions& options = {});
  ~LiveView();
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  /// "http://127.0.0.1:PORT/?token=..."; without the token a page only looks.
  [[nodiscard]] const std::string& getAddress() const;

  /// Call it before every step: shows what the last one did, makes the changes that pages ask for,
  /// and waits while they pause or the clock is behind. True if a step is due, false if none was
  /// within `atMost` seconds. Throws Error(NonFinite) for a NaN.
  bool sync(double atMost = std::numeric_limits<double>::infinity());

  /// How often a page has put the world back, for programs with a state of their own.
  [[nodiscard]] std::uint64_t numRestarts() const;

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut::inline v0_1
