// SPDX-License-Identifier: MIT
#include "io/core/files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/core/descriptor.hpp"
#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

std::string reason(int error) {
  switch (error) {
    case ENOENT:
      return "no such file";
    case ELOOP:
      return "links are not followed; copy the file itself into the scene's folder";
    case ENOTDIR:
      return "a part of the path is not a folder (or is a link, which is not followed)";
    default:
      return std::strerror(error);
  }
}

std::string readAll(int file, const std::string& name, std::size_t mostBytes) {
  struct stat info = {};
  if (::fstat(file, &info) != 0)
    throw InputError(concat(printable(name, 200), ": ", reason(errno)));
  if (!S_ISREG(info.st_mode))
    throw InputError(concat(printable(name, 200), ": not a regular file"));
  const auto tooLarge = [&] {
    throw InputError(
        concat(printable(name, 200), ": more than ", mostBytes, " bytes, the most that is read"));
  };
  if (static_cast<std::uint64_t>(info.st_size) > mostBytes) tooLarge();
  std::string content(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t filled = 0;
  while (filled < content.size()) {
    const ssize_t got = ::read(file, content.data() + filled, content.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(concat(printable(name, 200), ": ", reason(errno)));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  content.resize(filled);
  return content;
}

}  // namespace

std::string readFile(const std::string& path, std::size_t mostBytes) {
  // O_NONBLOCK: a pipe must not make the reader wait; it is refused as no regular file.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) throw InputError(concat(printable(path, 200), ": ", reason(errno)));
  return readAll(file.get(), path, mostBytes);
}

std::string folderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

std::string faultOfRelativePath(std::string_view path) {
  constexpr std::size_t kLongest = 1024;
  if (path.empty()) return "the path is empty";
  if (path.size() > kLongest) return concat("the path is longer than ", kLongest, " bytes");
  for (const char c : path)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      return "the path holds a control character";
  if (path.find('\\') != std::string_view::npos) return "the path holds a backslash; use \"/\"";
  if (path.find(':') != std::string_view::npos)
    return "the path holds a colon; only files in the scene's folder can be used";
  if (path[0] == '/') return "the path is absolute; give it relative to the scene's folder";
  for (std::size_t first = 0; first <= path.size();) {
    const std::size_t end = std::min(path.find('/', first), path.size());
    const std::string_view part = path.substr(first, end - first);
    if (part.empty()) return "the path has an empty part";
    if (part == "..") return "the path leaves the scene's folder; put the file inside it";
    first = end + 1;
  }
  return "";
}

std::string FolderAssets::read(const std::string& path, std::size_t mostBytes) const {
  const std::string fault = faultOfRelativePath(path);
  if (!fault.empty()) throw InputError(fault);
  Descriptor at(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!at) throw InputError(concat(printable(folder_, 200), ": ", reason(errno)));
  std::size_t first = 0;
  for (std::size_t slash; (slash = path.find('/', first)) != std::string::npos; first = slash + 1) {
    const std::string part = path.substr(first, slash - first);
    Descriptor next(
        ::openat(at.get(), part.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!next) throw InputError(concat(printable(path, 200), ": ", reason(errno)));
    at.swap(next);
  }
  const Descriptor file(
      ::openat(at.get(), path.c_str() + first, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  if (!file) throw InputError(concat(printable(path, 200), ": ", reason(errno)));
  return readAll(file.get(), path, mostBytes);
}

std::string MemoryAssets::read(const std::string& path, std::size_t mostBytes) const {
  const auto found = files_.find(path);
  if (found == files_.end()) throw InputError(concat(printable(path, 200), ": no such file"));
  if (found->second.size() > mostBytes)
    throw InputError(
        concat(printable(path, 200), ": more than ", mostBytes, " bytes, the most that is read"));
  return found->second;
}

}  // namespace abut::inline v0_1::io
