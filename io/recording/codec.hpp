// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "io/recording/frame.hpp"

namespace abut::inline v0_1::io {

/// The scene a recording was made from, complete with its mesh files.
struct SceneSource {
  std::string file;  ///< Name of the scene file, for messages.
  std::string text;
  std::map<std::string, std::string> files;  ///< By relative path.

  friend bool operator==(const SceneSource&, const SceneSource&) = default;
};

// The contents of a recording's first blocks as bytes (frames: frame_codec.hpp): explicit fields,
// least significant byte first, no images of memory. Decoders throw InputError for anything that is
// not exactly one value.

[[nodiscard]] std::string encode(const SceneSource& source);
[[nodiscard]] std::string encode(const RunHeader& header);

[[nodiscard]] SceneSource decodeSource(std::string_view bytes);
[[nodiscard]] RunHeader decodeHeader(std::string_view bytes);

}  // namespace abut::inline v0_1::io
