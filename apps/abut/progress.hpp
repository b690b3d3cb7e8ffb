// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace abut::tool {

/// A progress bar on standard error with rate and remaining time; silent unless that is a terminal.
class Progress {
public:
  /// `unit` is what is counted.
  Progress(std::string title, std::uint64_t total, const char* unit = "steps");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap: looks at the clock once in a while, draws ten times a second at most.
  void update(std::uint64_t done);
  /// Wipes the bar.
  void finish();
  /// Since construction [s].
  [[nodiscard]] double seconds() const;

private:
  void draw(std::uint64_t done);

  std::string title_;
  std::uint64_t total_;
  const char* unit_;
  std::uint64_t next_look_ = 0;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point start_, last_draw_;
};

/// "412 000"
[[nodiscard]] std::string grouped(double value);
/// A time with a unit that reads well: "1 ms", "4.16667 ms", "2.5 s".
[[nodiscard]] std::string readableTime(double seconds);
/// A length likewise: "0.3 um", "12 mm".
[[nodiscard]] std::string readableLength(double metres);

}  // namespace abut::tool
