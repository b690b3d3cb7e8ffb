// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "io/core/text.hpp"
#include "io/scene/scene.hpp"

using namespace abut;

/// Any text: read, or refused with one line; a scene that was read gives a world or a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const io::MemoryAssets assets(std::map<std::string, std::string>{
      {"part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"},
      {"open.stl",
       "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
       "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n"}});
  constexpr std::size_t kFewBodies = 100;  // Worlds of more would only take time.
  try {
    const io::Scene scene =
        io::parseScene(std::string(reinterpret_cast<const char*>(data), size), "s", assets);
    if (scene.bodies.size() <= kFewBodies) (void)io::buildWorld(scene);
  } catch (const io::InputError& error) {
    const std::string_view message = error.what();
    if (message.empty() || message.find('\n') != std::string_view::npos) __builtin_trap();
  }
  return 0;
}
