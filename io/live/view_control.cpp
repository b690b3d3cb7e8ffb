// SPDX-License-Identifier: MIT
#include "io/live/view_control.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <sys/random.h>
#include <utility>

#include <fmt/format.h>

#include <abut/core/status.hpp>

#include "io/core/json.hpp"
#include "io/core/json_text.hpp"
#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Changes that wait for their step.
constexpr std::size_t kMostChanges = 1000;
constexpr double kMostSteps = 1e6;
constexpr double kMostSpeed = 1e6;

std::string makeToken() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error(StatusCode::LimitExceeded, "the system gives no random numbers for a token");
  std::string token;
  for (const unsigned char b : bytes) token += fmt::format("{:02x}", b);
  return token;
}

/// Takes the same time wherever they differ.
bool isSame(const std::string& a, const std::string& b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return difference == 0;
}

HttpAnswer plain(int status, const std::string& why) {
  return {status, "text/plain; charset=utf-8", std::make_shared<const std::string>(why + "\n")};
}

}  // namespace

/// The members of a wish, each of which has to be asked for.
class Members {
public:
  explicit Members(const JsonValue& value) : value_(value) {
    if (value.kind != JsonValue::Kind::Object)
      throw InputError("expected an object such as {\"do\": \"pause\"}");
  }
  const JsonValue& get(std::string_view key) {
    for (const JsonMember& member : value_.members()) {
      if (member.key != key) continue;
      ++asked_;
      return member.value;
    }
    throw InputError(concat("expected a member \"", key, "\""));
  }
  const std::string& text(std::string_view key) {
    const JsonValue& v = get(key);
    if (v.kind != JsonValue::Kind::Text)
      throw InputError(concat(key, ": expected a text, got ", show(v)));
    return v.text();
  }
  double number(std::string_view key, double least, double most) {
    const JsonValue& v = get(key);
    if (v.kind != JsonValue::Kind::Number || !(v.number >= least && v.number <= most)) {
      throw InputError(
          concat(key, ": expected a number from ", least, " to ", most, ", got ", show(v)));
    }
    return v.number;
  }
  Vec3 vector(std::string_view key) {
    const JsonValue& v = get(key);
    const auto isNumber = [](const JsonValue& x) {
      return x.kind == JsonValue::Kind::Number && std::isfinite(x.number);
    };
    const std::vector<JsonValue>& items = v.items();
    if (items.size() != 3 || !std::all_of(items.begin(), items.end(), isNumber))
      throw InputError(concat(key, ": expected 3 numbers, got ", show(v)));
    return {items[0].number, items[1].number, items[2].number};
  }
  /// Throws if there is a member that nobody asked for.
  void finish() const {
    if (asked_ != value_.members().size())
      throw InputError("there are members that this wish does not have");
  }

private:
  const JsonValue& value_;
  std::size_t asked_ = 0;
};

namespace {

JsonText jsonOf(const Vec3& v) {
  return JsonText::array({v.x, v.y, v.z});
}

const char* nameOf(ViewState state) {
  switch (state) {
    case ViewState::Running:
      return "running";
    case ViewState::Paused:
      return "paused";
    case ViewState::Over:
      return "over";
    case ViewState::Failed:
      break;
  }
  return "failed";
}

}  // namespace

PullWish ViewControl::readPull(Members& in) const {
  const std::string& name = in.text("body");
  const auto body = std::find_if(subject_.bodies.begin(), subject_.bodies.end(),
                                 [&](const Body& b) { return b.name == name; });
  if (body == subject_.bodies.end()) throw InputError("no body " + io::quoted(name));
  if (body->type != BodyType::Dynamic) {
    throw InputError(
        concat("body ", io::quoted(name), " is not dynamic; only dynamic bodies yield"));
  }
  PullWish wish;
  wish.body = body->id;
  wish.point = in.vector("point");
  wish.target = in.vector("target");
  return wish;
}

FrictionChange ViewControl::readFriction(Members& in) const {
  const std::string& name = in.text("material");
  for (std::size_t i = 0; i < subject_.materials.size(); ++i) {
    if (subject_.materials[i] != name) continue;
    return {static_cast<MaterialId>(i), in.number("value", 0.0, 1e6)};
  }
  throw InputError("no material " + io::quoted(name));
}

ViewControl::ViewControl(double speed, bool paused) : token_(makeToken()) {
  wishes_.speed = speed;
  wishes_.paused = paused;
}

HttpAnswer ViewControl::state() {
  const std::scoped_lock lock(mutex_);
  return stateLocked();
}

HttpAnswer ViewControl::stateLocked() const {
  const ViewState state = shown_.end == ViewState::Failed        ? ViewState::Failed
                          : !wishes_.paused || wishes_.steps > 0 ? ViewState::Running
                          : shown_.end == ViewState::Over        ? ViewState::Over
                                                                 : ViewState::Paused;
  JsonText out{{"run", shown_.run},
               {"bodies", shown_.bodies},
               {"state", nameOf(state)},
               {"step", shown_.step},
               {"time", shown_.time},
               {"speed", wishes_.speed},
               {"editable", shown_.editable},
               {"gravity", jsonOf(shown_.gravity)},
               {"friction", JsonText::array()},
               {"pull", nullptr},
               {"message", shown_.message}};
  for (std::size_t i = 0; i < shown_.friction.size(); ++i)
    out["friction"].push_back({{"material", subject_.materials[i]}, {"value", shown_.friction[i]}});
  if (shown_.pull) {
    const auto body = std::find_if(subject_.bodies.begin(), subject_.bodies.end(),
                                   [&](const Body& b) { return b.id == shown_.pull->body; });
    out["pull"] = {{"body", body != subject_.bodies.end() ? body->name : ""},
                   {"point", jsonOf(shown_.pull->point)},
                   {"target", jsonOf(shown_.pull->target)}};
  }
  return {200, "application/json", std::make_shared<const std::string>(out.dump())};
}

HttpAnswer ViewControl::control(const HttpRequest& request) {
  if (!request.isPost) return plain(405, "POST a wish to /control");
  if (!isSame(request.token, token_)) {
    return plain(403,
                 "changing the run needs the token of the printed address in a header "
                 "X-Abut-Token");
  }
  const std::scoped_lock lock(mutex_);
  const std::string wrong = perform(request.body);
  if (!wrong.empty()) return plain(400, wrong);
  ++wishes_.serial;
  woken_.notify_all();
  return stateLocked();
}

std::string ViewControl::perform(std::string_view body) {
  try {
    const JsonValue value =
        parseJson(body, "wish", {.bytes = 4096, .depth = 4, .values = 64, .textBytes = 2048});
    Members in(value);
    const std::string& what = in.text("do");
    Wishes next = wishes_;
    std::optional<ChangeWish> change;
    if (what == "pause") {
      next.paused = true;
      next.steps = 0;
    } else if (what == "resume") {
      next.paused = false;
      next.steps = 0;
    } else if (what == "step") {
      const double count = in.number("count", 1.0, kMostSteps);
      if (count != std::floor(count)) throw InputError("count: expected a whole number");
      next.steps += static_cast<std::uint64_t>(count);
      next.paused = true;
    } else if (what == "restart") {
      next.restart = true;
      next.steps = 0;
      // Where the end paused it, it begins to run.
      if (shown_.end != ViewState::Running) next.paused = false;
    } else if (what == "speed") {
      next.speed = in.number("value", 0.0, kMostSpeed);
    } else if (what == "gravity") {
      change = GravityChange{in.vector("value")};
    } else if (what == "friction") {
      change = readFriction(in);
    } else if (what == "pull") {
      change = readPull(in);
    } else if (what == "release") {
      change = ReleaseChange{};
    } else {
      return concat("do: got ", io::quoted(what),
                    "; there are pause, resume, step, restart, speed, gravity, friction, pull "
                    "and release");
    }
    in.finish();
    if (shown_.end == ViewState::Failed && !next.restart && (!next.paused || next.steps > 0))
      return "a step failed; only a restart helps";
    if (change) {
      if (!shown_.editable) return "a run with a variable step cannot be changed on its way";
      // Of pulls that follow each other the last counts.
      if (std::holds_alternative<PullWish>(*change) && !changes_.empty() &&
          std::holds_alternative<PullWish>(changes_.back()))
        changes_.pop_back();
      if (changes_.size() >= kMostChanges) return "too many changes wait for the next step";
      changes_.push_back(*change);
    }
    wishes_ = next;
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

ViewControl::Wishes ViewControl::take() {
  const std::scoped_lock lock(mutex_);
  const Wishes now = wishes_;
  wishes_.restart = false;
  return now;
}

std::vector<ChangeWish> ViewControl::takeChanges() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(changes_, {});
}

void ViewControl::wait(double seconds, std::uint64_t serial) {
  std::unique_lock lock(mutex_);
  woken_.wait_for(lock, std::chrono::duration<double>(seconds),
                  [&] { return wishes_.serial != serial; });
}

void ViewControl::madeStep() {
  const std::scoped_lock lock(mutex_);
  if (wishes_.steps > 0) --wishes_.steps;
}

void ViewControl::began(const RunHeader& header, bool editable, bool newBodies) {
  Subject subject;
  for (const BodyRecord& b : header.bodies) subject.bodies.push_back({b.id, b.name, b.type});
  for (const MaterialRecord& m : header.materials) subject.materials.push_back(m.name);
  const std::scoped_lock lock(mutex_);
  subject_ = std::move(subject);
  const std::uint64_t run = shown_.run + 1, bodies = shown_.bodies + (newBodies ? 1 : 0);
  shown_ = {};
  shown_.run = run;
  shown_.bodies = bodies;
  shown_.editable = editable;
  shown_.gravity = header.gravity;
  for (const MaterialRecord& m : header.materials) shown_.friction.push_back(m.material.friction);
  changes_.clear();
}

void ViewControl::wake() {
  const std::scoped_lock lock(mutex_);
  ++wishes_.serial;
  woken_.notify_all();
}

void ViewControl::reached(std::uint64_t step, double time) {
  const std::scoped_lock lock(mutex_);
  shown_.step = step;
  shown_.time = time;
}

void ViewControl::ended(ViewState state, const std::string& why) {
  const std::scoped_lock lock(mutex_);
  shown_.end = state;
  shown_.message = why;
  wishes_.paused = true;
  wishes_.steps = 0;
}

void ViewControl::changed(const RunChange& change) {
  const std::scoped_lock lock(mutex_);
  shown_.message.clear();
  if (const auto* gravity = std::get_if<GravityChange>(&change)) shown_.gravity = gravity->gravity;
  if (const auto* friction = std::get_if<FrictionChange>(&change))
    shown_.friction[friction->material] = friction->friction;
  if (const auto* pull = std::get_if<PullChange>(&change)) shown_.pull = *pull;
  if (std::holds_alternative<ReleaseChange>(change)) shown_.pull.reset();
}

void ViewControl::refused(const std::string& why) {
  const std::scoped_lock lock(mutex_);
  shown_.message = why;
}

}  // namespace abut::inline v0_1::io
