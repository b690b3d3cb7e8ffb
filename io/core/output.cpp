// SPDX-License-Identifier: MIT
#include "io/core/output.hpp"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>

#include "io/core/descriptor.hpp"
#include "io/core/files.hpp"
#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr mode_t kMode = 0644, kPermissions = 07777;

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw InputError(concat(printable(path, 200), ": cannot be written: ", why));
}

/// A folder that can be opened: "./" if the path has none.
std::string folderBeside(const std::string& path) {
  const std::string folder = folderOf(path);
  return folder.empty() ? "./" : folder;
}

/// Where a link leads in the end; the path itself where there is none. A link to nothing leads to
/// the file that would be made.
std::string followed(std::string path) {
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    char target[PATH_MAX];
    const ssize_t size = ::readlink(path.c_str(), target, sizeof target);
    if (size <= 0) return path;
    const std::string next(target, static_cast<std::size_t>(size));
    path = next[0] == '/' ? next : folderBeside(path).append(next);
  }
  fail(path, "links lead in a circle");
}

/// Opens what is there without waiting and without changing it.
int openExisting(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0)
    fail(path,
         errno == ENXIO ? "nobody reads this pipe; start its reader first" : std::strerror(errno));
  return file;
}

/// Names a file so that two names of it are equal.
std::string placeOf(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0) {
    // What keeps nothing can be written to by many.
    if (!S_ISREG(info.st_mode)) return "";
    return concat(info.st_dev, ":", info.st_ino);
  }
  std::string target = followed(path);
  if (::stat(folderBeside(target).c_str(), &info) != 0) return target;
  return concat(info.st_dev, ":", info.st_ino, "/", target.substr(target.find_last_of('/') + 1));
}

/// A name for a new file beside `path` that no other file of this process has. One that is there
/// was left by a process that had the same number and was killed.
std::string nameBeside(const std::string& path) {
  static std::atomic<std::uint64_t> count = 0;
  constexpr std::size_t kLongest = 200;  // What is added must fit into a name of 255 bytes.
  const std::string folder = folderOf(path);
  return concat(folder, path.substr(folder.size(), kLongest), ".",
                static_cast<std::uint64_t>(::getpid()), "-", ++count, ".part");
}

int openBeside(const std::string& name) {
  return ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, kMode);
}

}  // namespace

int openForWriting(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMode);
    if (file < 0) fail(path, std::strerror(errno));
    return file;
  }
  if (S_ISDIR(info.st_mode)) fail(path, "it is a folder");
  const int file = openExisting(path);
  ::fcntl(file, F_SETFL, ::fcntl(file, F_GETFL, 0) & ~O_NONBLOCK);
  if (S_ISREG(info.st_mode) && ::ftruncate(file, 0) != 0) {
    const int error = errno;
    ::close(file);
    fail(path, std::strerror(error));
  }
  return file;
}

void writeAll(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = ::write(file, content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) throw InputError(put < 0 ? std::strerror(errno) : "nothing could be written");
    content.remove_prefix(static_cast<std::size_t>(put));
  }
}

void writeAllAt(int file, std::uint64_t at, std::string_view content) {
  while (!content.empty()) {
    const ssize_t put = ::pwrite(file, content.data(), content.size(), static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) throw InputError(put < 0 ? std::strerror(errno) : "nothing could be written");
    content.remove_prefix(static_cast<std::size_t>(put));
    at += static_cast<std::uint64_t>(put);
  }
}

FileBeside::FileBeside(const std::string& path) : target_(followed(path)) {
  struct stat info = {};
  const bool exists = ::stat(target_.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {
    file_ = openForWriting(target_);
    return;
  }
  name_ = nameBeside(target_);
  file_ = openBeside(name_);
  const bool isMade = file_ >= 0 && (!exists || ::fchmod(file_, info.st_mode & kPermissions) == 0);
  if (!isMade) {
    const int error = errno;
    if (file_ >= 0) ::close(file_);
    ::unlink(name_.c_str());
    fail(path, std::strerror(error));
  }
  // Only an administrator can give files away; others own what they replace in any case.
  if (exists && ::fchown(file_, info.st_uid, info.st_gid) != 0) errno = 0;
}

FileBeside::~FileBeside() {
  if (file_ >= 0) ::close(file_);
  if (!name_.empty()) ::unlink(name_.c_str());
}

void FileBeside::replace() {
  if (name_.empty()) return;
  if (::fsync(file_) != 0 || ::rename(name_.c_str(), target_.c_str()) != 0)
    throw InputError(std::strerror(errno));
  name_.clear();
  // The rename itself must reach the disk; a file system that cannot say so has done its best.
  const Descriptor parent(
      ::open(folderBeside(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent) (void)::fsync(parent.get());
}

void writeFileAtomically(const std::string& path, std::string_view content) {
  FileBeside file(path);
  try {
    writeAll(file.get(), content);
    file.replace();
  } catch (const InputError& error) {
    fail(path, error.what());
  }
}

void OutputPaths::addInput(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0) known_.push_back({"", placeOf(path)});
}

void OutputPaths::addScene(const std::string& path,
                           const std::map<std::string, std::string>& files) {
  addInput(path);
  for (const auto& [name, content] : files) addInput(folderOf(path) + name);
}

void OutputPaths::addOutput(const std::string& option, const std::string& path) {
  if (path.empty()) throw InputError(concat(option, ": the path is empty; name a file"));
  const std::string place = placeOf(path);
  for (const Known& other : known_) {
    if (place.empty() || other.place != place) continue;
    throw InputError(concat(option, " ", printable(path, 200), ": ",
                            other.option.empty()
                                ? "this file is read by the command and would be lost"
                                : concat(other.option, " writes the same file"),
                            "; give another name"));
  }
  struct stat info = {};
  try {
    if (::stat(path.c_str(), &info) == 0) {
      if (S_ISDIR(info.st_mode)) fail(path, "it is a folder");
      ::close(openExisting(path));
    } else {
      const std::string trial = nameBeside(followed(path));
      const Descriptor file(openBeside(trial));
      if (!file) fail(path, std::strerror(errno));
      ::unlink(trial.c_str());
    }
  } catch (const InputError& error) {
    throw InputError(concat(option, " ", error.what()));
  }
  known_.push_back({option, place});
}

}  // namespace abut::inline v0_1::io
