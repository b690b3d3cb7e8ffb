// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "io/core/files.hpp"
#include "io/robot/robot.hpp"
#include "io/robot/xml.hpp"

namespace abut::inline v0_1::io {

/// Without "." and "x/.." where that is possible.
[[nodiscard]] std::string normalPath(const std::string& path);

/// Corners of a mesh, and what it weighs.
struct RobotMesh {
  std::vector<Vec3> hull;  ///< Corners of the convex hull [m].
  RobotMass unitMass;      ///< At a density of 1; of the mesh if it is closed, else of the hull.
};

/// How the corners of a file become metres in the shape's frame: after - before, turned, scaled.
struct MeshPlacement {
  Vec3 before;
  Mat3 turn;
  Vec3 scale{1, 1, 1};
};

/// Reads OBJ or STL; for .dae and others takes an OBJ or STL file of the same name beside it.
/// Nothing if there is none: then `lost` has counted it. Fails at the element for a file that is
/// missing or broken.
[[nodiscard]] std::optional<RobotMesh> readRobotMesh(const XmlElement& at, const std::string& path,
                                                     const AssetSource& assets,
                                                     const MeshPlacement& placement,
                                                     std::map<std::string, std::size_t>& lost);

/// Index of a material in the tree, added if it is new.
[[nodiscard]] std::size_t materialOf(RobotTree& tree, const RobotMaterial& material);

/// Three numbers of an attribute, or the default.
[[nodiscard]] Vec3 vectorOf(const XmlElement& e, const char* attribute, const Vec3& otherwise);
/// One number of an attribute, or the default.
[[nodiscard]] double numberOf(const XmlElement& e, const char* attribute, double otherwise);
/// A direction of length 1; fails for a length of 0.
[[nodiscard]] Vec3 directionOf(const XmlElement& e, const char* attribute, const Vec3& v);

[[nodiscard]] RobotTree readUrdf(const XmlElement& root, const std::string& file,
                                 const AssetSource& assets, const RobotOptions& options);
[[nodiscard]] RobotTree readMjcf(const XmlElement& root, const std::string& file,
                                 const AssetSource& assets, const RobotOptions& options);

}  // namespace abut::inline v0_1::io
