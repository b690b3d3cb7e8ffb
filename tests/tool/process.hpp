// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace abut::test {

/// What a run of the tool left.
struct Outcome {
  int code = -1;  ///< Exit code; -1 if a signal ended it.
  std::string out, err;
  double seconds = 0.0;    ///< By the clock.
  double computing = 0.0;  ///< Of processors [s]; does not grow when others are busy.
};

/// Runs the tool with these arguments in a folder and waits for it. Killed after 20 s.
Outcome runTool(const std::string& folder, const std::vector<std::string>& arguments);
/// The same with another standard output: a path, or kClosed. Outcome::out stays empty.
inline constexpr const char* kClosed = "closed";
Outcome runToolInto(const std::string& out, const std::string& folder,
                    const std::vector<std::string>& arguments);
/// Starts it, sends a signal once `file` in the folder has so many bytes and some time [s] is over,
/// and waits.
Outcome runAndSignal(const std::string& folder, const std::vector<std::string>& arguments,
                     const std::string& file, std::size_t bytes, int signal, double after = 0.0);

/// Starts the tool, sends SIGKILL after some microseconds, and waits.
void runAndKill(const std::string& folder, const std::vector<std::string>& arguments,
                unsigned microseconds);

/// A new folder that is removed with what is in it.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::string& get() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& content) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> list() const;

private:
  std::string path_;
};

}  // namespace abut::test
