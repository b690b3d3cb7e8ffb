// SPDX-License-Identifier: MIT
#include "io/sweep/journal.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/core/crc32c.hpp"
#include "io/core/files.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 32 >> 1;
constexpr std::size_t kCheckDigits = 16;

std::string firstLine(const Study& study) {
  return concat("abut sweep 1 ", toHex(study.digest), " ", study.numCases(), "\n");
}

/// A line with its check sum in front.
std::string sealed(const std::string& line) {
  return concat(toHex(crc32c(line)), " ", line, "\n");
}

void append(int file, std::string_view text, const std::string& path) {
  try {
    writeAll(file, text);
  } catch (const InputError& error) {
    throw InputError(concat(printable(path, 200), ": ", error.what()));
  }
}

}  // namespace

Journal::Journal(const Study& study, std::string table) : study_(study), table_(std::move(table)) {
  reload();
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

std::vector<std::string> Journal::files() const {
  const std::string folder = folderOf(table_);
  const std::string stem = table_.substr(folder.size()) + ".part";
  std::vector<std::string> found;
  DIR* const dir = ::opendir(folder.empty() ? "." : folder.c_str());
  if (dir == nullptr) return found;
  while (const dirent* entry = ::readdir(dir)) {
    const std::string_view name = entry->d_name;
    if (name == stem || name.substr(0, stem.size() + 1) == stem + ".")
      found.push_back(concat(folder, name));
  }
  ::closedir(dir);
  std::sort(found.begin(), found.end());
  return found;
}

std::size_t Journal::read(const std::string& path) {
  const std::string text = readFile(path, kMostBytes);
  const std::string first = firstLine(study_);
  // One that was cut off at its very beginning holds nothing.
  if (text.size() < first.size() && first.substr(0, text.size()) == text) return 0;
  if (text.substr(0, first.size()) != first) {
    throw InputError(concat(printable(path, 200),
                            ": belongs to another study, or the study, its scene or abut changed "
                            "since; remove it, or choose another --table"));
  }
  std::size_t at = first.size();
  for (std::size_t end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (line.size() < kCheckDigits + 3 || line[kCheckDigits] != ' ') break;
    const std::string_view body = line.substr(kCheckDigits + 1);
    if (line.substr(0, kCheckDigits) != toHex(crc32c(body))) break;
    const std::string_view row = body.substr(1);
    double number = 0.0;
    if (!parseNumber(row.substr(0, row.find(',')), number)) break;
    if (!(number >= 0.0 && number < static_cast<double>(study_.numCases()))) break;
    rows_[static_cast<std::uint64_t>(number)] = {std::string(row), body[0] == '+'};
  }
  return at;
}

void Journal::reload() {
  for (const std::string& path : files()) (void)read(path);
}

void Journal::open(const std::string& label) {
  own_ = concat(table_, ".part", label);
  struct stat info = {};
  const std::size_t whole = ::stat(own_.c_str(), &info) == 0 ? read(own_) : 0;
  file_ = ::open(own_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(whole)) != 0 ||
      ::lseek(file_, 0, SEEK_END) < 0)
    throw InputError(concat(printable(own_, 200), ": ", std::strerror(errno)));
  if (whole == 0) append(file_, firstLine(study_), own_);
}

void Journal::add(std::uint64_t number, const CaseRow& row) {
  const std::lock_guard lock(mutex_);
  append(file_, sealed((row.sound ? "+" : "-") + row.line), own_);
  rows_[number] = {row.line, row.sound};
}

std::uint64_t Journal::numUnsound() const {
  return static_cast<std::uint64_t>(std::count_if(
      rows_.begin(), rows_.end(), [](const auto& entry) { return !entry.second.sound; }));
}

void Journal::finish() {
  std::string text = tableHeader(study_) + "\n";
  for (const auto& [number, row] : rows_) text.append(row.line).append("\n");
  writeFileAtomically(table_, text);
  for (const std::string& path : files()) ::unlink(path.c_str());
}

}  // namespace abut::inline v0_1::io
