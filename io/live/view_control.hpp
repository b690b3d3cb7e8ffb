// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/live/local_server.hpp"
#include "io/recording/frame.hpp"
#include "io/recording/run_change.hpp"

namespace abut::inline v0_1::io {

/// A pull that a page asks for; the run finds the spring that suits.
struct PullWish {
  ObjectId body = kNoObject;
  Vec3 point;   ///< In the body's centre frame [m].
  Vec3 target;  ///< World [m].
};

using ChangeWish = std::variant<GravityChange, FrictionChange, PullWish, ReleaseChange>;

class Members;

/// How a run that is watched stands.
enum class ViewState : std::uint8_t {
  Running,
  Paused,
  Over,    ///< Paused at the end of the scene's duration; it may go on.
  Failed,  ///< A step failed; only a restart helps.
};

/// What pages want of a run, and what they are told of it. The server's thread asks and answers,
/// the run's thread takes wishes and tells.
class ViewControl {
public:
  /// A secret of 128 random bits is made. Throws abut::Error if the system has none.
  ViewControl(double speed, bool paused);

  // The server's side.

  /// What a request must bring to change the run; in the page's address.
  [[nodiscard]] const std::string& getToken() const { return token_; }
  /// GET /state: how the run stands, as JSON.
  [[nodiscard]] HttpAnswer state();
  /// POST /control: one wish as JSON, {"do": "pause"} and so on. 403 without the token, 400 for
  /// what is not understood, with one line that says why; nothing changes then.
  [[nodiscard]] HttpAnswer control(const HttpRequest& request);

  // The run's side.

  struct Wishes {
    bool restart = false;
    bool paused = false;
    std::uint64_t steps = 0;   ///< To make although paused.
    double speed = 1.0;        ///< Seconds of the scene in a second; 0: as fast as possible.
    std::uint64_t serial = 0;  ///< Grows with every wish.
  };
  /// What is wanted now; restart is told once.
  [[nodiscard]] Wishes take();
  /// Changes to make before the next step, in order.
  [[nodiscard]] std::vector<ChangeWish> takeChanges();
  /// Waits up to some seconds for a wish after the one with this serial.
  void wait(double seconds, std::uint64_t serial);
  /// One of the single steps was made.
  void madeStep();
  /// The run began, for the first time or again; with bodies that are not those before, pages
  /// begin anew. Bodies and materials are found by their names here.
  void began(const RunHeader& header, bool editable, bool newBodies = false);
  void reached(std::uint64_t step, double time);
  /// Pauses where the scene ends, or for good where a step failed.
  void ended(ViewState state, const std::string& why);
  /// Whoever waits goes on at once.
  void wake();
  /// A change was made, or refused with a message.
  void changed(const RunChange& change);
  void refused(const std::string& why);

private:
  std::string perform(std::string_view body);  // "" or what is wrong; locked.
  [[nodiscard]] HttpAnswer stateLocked() const;

  [[nodiscard]] PullWish readPull(Members& in) const;
  [[nodiscard]] FrictionChange readFriction(Members& in) const;

  struct Body {
    ObjectId id = kNoObject;
    std::string name;
    BodyType type = BodyType::Dynamic;
  };
  struct Subject {
    std::vector<Body> bodies;
    std::vector<std::string> materials;
  };
  Subject subject_;
  std::string token_;
  std::mutex mutex_;
  std::condition_variable woken_;
  Wishes wishes_;
  std::vector<ChangeWish> changes_;
  struct Shown {
    std::uint64_t run = 0, step = 0, bodies = 0;
    double time = 0.0;
    ViewState end = ViewState::Running;
    bool editable = true;
    Vec3 gravity;
    std::vector<double> friction;
    std::optional<PullChange> pull;
    std::string message;
  };
  Shown shown_;
};

}  // namespace abut::inline v0_1::io
