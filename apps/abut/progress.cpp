// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <algorithm>
#include <cmath>
#include <unistd.h>

#include <fmt/format.h>

namespace abut::tool {
namespace {

using Clock = std::chrono::steady_clock;

struct Unit {
  double size;
  const char* name;
};

std::string withUnit(double value, std::initializer_list<Unit> units) {
  if (value == 0.0) return fmt::format("0 {}", units.begin()->name);
  for (const Unit& unit : units)
    if (std::fabs(value) >= unit.size)
      return fmt::format("{:.6g} {}", value / unit.size, unit.name);
  const Unit& least = *(units.end() - 1);
  return fmt::format("{:.3g} {}", value / least.size, least.name);
}

}  // namespace

Progress::Progress(std::string title, std::uint64_t total, const char* unit)
    : title_(std::move(title)),
      total_(total),
      unit_(unit),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_draw_(start_) {}

Progress::~Progress() {
  finish();
}

double Progress::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::update(std::uint64_t done) {
  if (!terminal_ || done < next_look_) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = std::max(1e-9, std::chrono::duration<double>(now - start_).count());
  // About a hundred looks at the clock a second, however fast the steps are.
  next_look_ = done + 1 + static_cast<std::uint64_t>(static_cast<double>(done) / elapsed / 100.0);
  if (now - last_draw_ < std::chrono::milliseconds(100)) return;
  last_draw_ = now;
  draw(done);
}

void Progress::draw(std::uint64_t done) {
  constexpr std::uint64_t kWidth = 20;
  const double share =
      done >= total_ ? 1.0 : static_cast<double>(done) / static_cast<double>(total_);
  const auto full = static_cast<std::size_t>(share * kWidth);
  const double rate = static_cast<double>(done) / seconds();
  const double left = rate > 0.0 && done < total_ ? static_cast<double>(total_ - done) / rate : 0.0;
  fmt::print(stderr, "\r  {}  [{:#<{}}{:.<{}}] {}/{}  {} {}/s, {} left\x1b[K", title_, "", full, "",
             kWidth - full, done, total_, grouped(rate), unit_, readableTime(std::ceil(left)));
  drawn_ = true;
}

void Progress::finish() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ' ');
  return digits;
}

std::string readableTime(double seconds) {
  return withUnit(seconds, {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}});
}

std::string readableLength(double metres) {
  return withUnit(metres, {{1.0, "m"}, {1e-3, "mm"}, {1e-6, "um"}, {1e-9, "nm"}});
}

}  // namespace abut::tool
