// SPDX-License-Identifier: MIT
#include "tool/process.hpp"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace abut::test {
namespace {

pid_t start(const std::string& folder, const std::vector<std::string>& arguments,
            const std::string& out, const std::string& err) {
  std::vector<char*> argv = {const_cast<char*>(ABUT_TOOL)};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child != 0) return child;
  const int null = ::open("/dev/null", O_RDWR);
  const auto to = [&](const std::string& path) {
    return path.empty() ? null : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  };
  ::dup2(null, 0);
  if (out != kClosed) ::dup2(to(out), 1);
  ::dup2(to(err), 2);
  if (out == kClosed) ::close(1);  // Last: what is opened after it would take its number.
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  ::execv(ABUT_TOOL, argv.data());
  ::_exit(127);
}

std::string readWhole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Waits for a child; `meanwhile` is called again and again until it ends.
template <typename Function>
Outcome await(pid_t child, const Function& meanwhile) {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  int status = 0;
  constexpr double kPatience = 20.0;
  rusage usage{};
  while (::wait4(child, &status, WNOHANG, &usage) == 0) {
    if (elapsed() > kPatience) ::kill(child, SIGKILL);
    meanwhile();
    ::usleep(500);
  }
  Outcome outcome;
  outcome.seconds = elapsed();
  const auto toSeconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  outcome.computing = toSeconds(usage.ru_utime) + toSeconds(usage.ru_stime);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace

Outcome runTool(const std::string& folder, const std::vector<std::string>& arguments) {
  const TemporaryFolder output;
  const std::string out = output.file("out");
  Outcome outcome = runToolInto(out, folder, arguments);
  outcome.out = readWhole(out);
  return outcome;
}

Outcome runToolInto(const std::string& out, const std::string& folder,
                    const std::vector<std::string>& arguments) {
  const TemporaryFolder output;
  const std::string err = output.file("err");
  Outcome outcome = await(start(folder, arguments, out, err), [] {});
  outcome.err = readWhole(err);
  return outcome;
}

Outcome runAndSignal(const std::string& folder, const std::vector<std::string>& arguments,
                     const std::string& file, std::size_t bytes, int signal, double after) {
  const auto begin = std::chrono::steady_clock::now();
  const TemporaryFolder output;
  const std::string out = output.file("out"), err = output.file("err");
  const pid_t child = start(folder, arguments, out, err);
  bool sent = false;
  Outcome outcome = await(child, [&] {
    std::error_code none;
    const auto size = std::filesystem::file_size(folder + "/" + file, none);
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
    if (sent || none || size < bytes || gone.count() < after) return;
    ::kill(child, signal);
    sent = true;
  });
  outcome.out = readWhole(out);
  outcome.err = readWhole(err);
  return outcome;
}

void runAndKill(const std::string& folder, const std::vector<std::string>& arguments,
                unsigned microseconds) {
  const pid_t child = start(folder, arguments, "", "");
  ::usleep(microseconds);
  ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "abut_test_XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}
TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}
void TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
  std::ofstream(file(name), std::ios::binary) << content;
}
std::string TemporaryFolder::read(const std::string& name) const {
  return readWhole(file(name));
}
std::vector<std::string> TemporaryFolder::list() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path_))
    names.push_back(entry.path().lexically_relative(path_).string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace abut::test
