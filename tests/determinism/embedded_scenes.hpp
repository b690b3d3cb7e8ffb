// SPDX-License-Identifier: MIT
#pragma once

#include <span>

namespace golden {

struct EmbeddedScene {
  const char* name;
  const char* text;
};

/// The files of scenes/ that need no others, by name; made when the build is configured.
extern const std::span<const EmbeddedScene> kEmbeddedScenes;

}  // namespace golden
