// SPDX-License-Identifier: MIT
#pragma once

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

/// Opens a file to be written from its beginning; what was in it is gone. Links are followed,
/// permissions stay, devices and pipes are written to as they are. Does not wait for the reader of
/// a pipe. Throws InputError.
[[nodiscard]] int openForWriting(const std::string& path);

/// The files of a command, so that none destroys another and none fails when the work is done.
class OutputPaths {
public:
  /// A file that the command reads and must not lose. One that is not there is no fault here.
  void addInput(const std::string& path);
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
