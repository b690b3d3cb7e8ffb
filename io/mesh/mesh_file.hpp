// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace abut::inline v0_1::io {

/// Triangles of a file, in the file's own unit and order; nothing merged or dropped.
struct MeshFile {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Indices within `vertices`.
};

struct MeshLimits {
  std::size_t bytes = std::size_t{256} << 20;
  std::size_t vertices = 1'000'000;  ///< Of STL: three times the triangles are allowed.
  std::size_t triangles = 2'000'000;
};

/// Reads Wavefront OBJ: vertices (v) and faces (f, with or without texture and normal indices,
/// negative indices count back). Polygons are split into fans from their first corner. Everything
/// else is skipped. Throws InputError "name:line: what".
[[nodiscard]] MeshFile parseObj(std::string_view content, std::string_view name,
                                const MeshLimits& limits = {});

/// Reads STL, binary or text. A binary file's length must be what its count of triangles says.
/// Normals and attributes are skipped. Throws InputError.
[[nodiscard]] MeshFile parseStl(std::string_view content, std::string_view name,
                                const MeshLimits& limits = {});

/// By the name's ending: .obj or .stl, in any case. Throws InputError for others.
[[nodiscard]] MeshFile parseMeshFile(std::string_view content, std::string_view name,
                                     const MeshLimits& limits = {});

}  // namespace abut::inline v0_1::io
