// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace abut::inline v0_1::io {

/// Reads a regular file of at most `mostBytes`. Throws InputError "path: what".
[[nodiscard]] std::string readFile(const std::string& path, std::size_t mostBytes);

/// Folder of a path, with its slash; "" if it has none.
[[nodiscard]] std::string folderOf(const std::string& path);

/// "" if a file that a scene refers to may be opened by this name, else what is wrong with it. Good
/// names are relative, use "/", stay inside their folder ("..", absolute paths, drive letters and
/// backslashes are refused) and hold no control characters.
[[nodiscard]] std::string faultOfRelativePath(std::string_view path);

/// Where a scene's mesh files come from.
class AssetSource {
public:
  virtual ~AssetSource() = default;
  /// Content of a file by its relative path. Throws InputError without a place.
  [[nodiscard]] virtual std::string read(const std::string& path, std::size_t mostBytes) const = 0;
};

/// Files below a folder. No link is followed below it, so nothing outside can be reached.
class FolderAssets final : public AssetSource {
public:
  explicit FolderAssets(std::string folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::string read(const std::string& path, std::size_t mostBytes) const override;

private:
  std::string folder_;
};

/// Files of the caller's own choosing, wherever they are.
class DiskAssets final : public AssetSource {
public:
  [[nodiscard]] std::string read(const std::string& path, std::size_t mostBytes) const override {
    return readFile(path, mostBytes);
  }
};

/// Files held in memory, by relative path: those inside a recording.
class MemoryAssets final : public AssetSource {
public:
  explicit MemoryAssets(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  [[nodiscard]] std::string read(const std::string& path, std::size_t mostBytes) const override;

private:
  std::map<std::string, std::string> files_;
};

}  // namespace abut::inline v0_1::io
