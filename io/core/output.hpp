// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace abut::inline v0_1::io {

/// Writes a file so that `path` always holds either the old or the new content, also after a crash:
/// a temporary file beside it, flushed to the disk, then renamed. Links are followed, and what is
/// there keeps its permissions. Devices and pipes are written to as they are. Throws InputError;
/// the old file is then untouched and no temporary file is left.
void writeFileAtomically(const std::string& path, std::string_view content);

/// Writes all of it to an open file. Throws InputError with the reason alone.
void writeAll(int file, std::string_view content);

/// The same from a place on.
void writeAllAt(int file, std::uint64_t at, std::string_view content);

/// A file that is written beside `path` and then takes its place, as writeFileAtomically() does; a
/// device or pipe is written to as it is.
class FileBeside {
public:
  /// Makes it. Throws InputError.
  explicit FileBeside(const std::string& path);
  /// Leaves nothing, unless it took its place.
  ~FileBeside();
  FileBeside(const FileBeside&) = delete;
  FileBeside& operator=(const FileBeside&) = delete;

  [[nodiscard]] int get() const { return file_; }
  /// By which other processes can open it; empty for a device or pipe.
  [[nodiscard]] const std::string& getName() const { return name_; }
  /// Once all is written. Throws InputError with the reason alone.
  void replace();

private:
  std::string target_, name_;
  int file_ = -1;
};

/// Opens a file to be written from its beginning; what was in it is gone. Links are followed,
/// permissions stay, devices and pipes are written to as they are. Does not wait for the reader of
/// a pipe. Throws InputError.
[[nodiscard]] int openForWriting(const std::string& path);

/// The files of a command, so that none destroys another and none fails when the work is done.
class OutputPaths {
public:
  /// A file that the command reads and must not lose. One that is not there is no fault here.
  void addInput(const std::string& path);
  /// A scene, and the files that it uses, by their paths from its folder.
  void addScene(const std::string& path, const std::map<std::string, std::string>& files);
  /// A file that the command will write. `option` names it in messages ("--report"). Tries whether
  /// it can be written without changing what is there. Throws InputError for a path that is empty,
  /// a folder, an input, the output of another option, or cannot be written.
  void addOutput(const std::string& option, const std::string& path);

private:
  struct Known {
    std::string option;  // Empty: an input.
    std::string place;   // By device and number, or by folder and name if there is no such file.
  };
  std::vector<Known> known_;
};

}  // namespace abut::inline v0_1::io
