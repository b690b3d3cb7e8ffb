// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>

#include "io/core/text.hpp"
#include "io/mesh/mesh_file.hpp"

/// Any bytes: triangles within their vertices, all finite, or a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const abut::io::MeshFile mesh =
        abut::io::parseStl({reinterpret_cast<const char*>(data), size}, "m.stl");
    for (const auto& triangle : mesh.triangles)
      for (const std::uint32_t corner : triangle)
        if (corner >= mesh.vertices.size()) __builtin_trap();
    for (const Eigen::Vector3d& v : mesh.vertices)
      if (!v.allFinite()) __builtin_trap();
  } catch (const abut::io::InputError&) {
  }
  return 0;
}
