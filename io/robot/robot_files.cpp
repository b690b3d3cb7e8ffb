// SPDX-License-Identifier: MIT
#include "io/robot/robot_files.hpp"

#include <algorithm>

#include <abut/abut.hpp>

#include "io/core/text.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/robot_mass.hpp"
#include "io/scene/scene.hpp"

namespace abut::inline v0_1::io {
namespace {

bool endsLike(const std::string& path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  return std::equal(ending.begin(), ending.end(),
                    path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

/// The file's content under its own name, or that of a file beside it that can be read.
std::optional<std::pair<std::string, std::string>> findMesh(const XmlElement& at,
                                                            const std::string& path,
                                                            const AssetSource& assets) {
  const std::size_t most = MeshLimits{}.bytes;
  if (endsLike(path, ".obj") || endsLike(path, ".stl")) {
    try {
      return std::pair(path, assets.read(path, most));
    } catch (const InputError& error) {
      at.fail(error.what());
    }
  }
  const std::string stem = path.substr(0, std::min(path.rfind('.'), path.size()));
  for (const char* ending : {".obj", ".stl", ".OBJ", ".STL"}) {
    try {
      return std::pair(stem + ending, assets.read(stem + ending, most));
    } catch (const InputError&) {
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string normalPath(const std::string& path) {
  const bool absolute = !path.empty() && path[0] == '/';
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else {
      parts.push_back(part);
    }
  }
  std::string out = absolute ? "/" : "";
  for (std::size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? "" : "/") + parts[i];
  return out;
}

std::optional<RobotMesh> readRobotMesh(const XmlElement& at, const std::string& path,
                                       const AssetSource& assets, const MeshPlacement& placement,
                                       std::map<std::string, std::size_t>& lost) {
  const auto found = findMesh(at, normalPath(path), assets);
  if (!found) {
    ++lost[concat("mesh ", printable(path), ", of which there is no OBJ or STL")];
    return std::nullopt;
  }
  RobotMesh out;
  try {
    MeshFile mesh = parseMeshFile(found->second, found->first);
    for (Eigen::Vector3d& v : mesh.vertices) {
      const Vec3 p = rotate(placement.turn, subtract(toVec3(v), placement.before));
      v = {p.x * placement.scale.x, p.y * placement.scale.y, p.z * placement.scale.z};
    }
    const ConvexShape hull(mesh.vertices);
    for (std::size_t i = 0; i < hull.numVertices(); ++i)
      out.hull.push_back(toVec3(hull.getVertex(i)));
    RobotShape shape;
    shape.kind = RobotShape::Kind::Hull;
    shape.points = out.hull;
    out.unitMass = massOf(shape, 1.0);
    // A mirrored mesh has its inside out; its hull's mass will do.
    const MeshShape surface(mesh.vertices, mesh.triangles);
    MassProperties m;
    if (surface.isSolid() && surface.computeMass(1.0, m) && m.mass > 0.0) {
      out.unitMass = {m.mass,
                      toVec3(m.center),
                      {{m.inertia.x(), m.products.x(), m.products.y()},
                       {m.products.x(), m.inertia.y(), m.products.z()},
                       {m.products.y(), m.products.z(), m.inertia.z()}}};
    }
  } catch (const std::exception& error) {
    at.fail(error.what());
  }
  return out;
}

std::size_t materialOf(RobotTree& tree, const RobotMaterial& material) {
  const auto at = std::find(tree.materials.begin(), tree.materials.end(), material);
  if (at != tree.materials.end()) return static_cast<std::size_t>(at - tree.materials.begin());
  tree.materials.push_back(material);
  return tree.materials.size() - 1;
}

Vec3 vectorOf(const XmlElement& e, const char* attribute, const Vec3& otherwise) {
  const std::optional<std::string> text = e.find(attribute);
  if (!text) return otherwise;
  const std::vector<double> v = e.numbers(attribute, *text);
  if (v.size() != 3) e.fail(concat("\"", attribute, "\": expected 3 numbers, got ", v.size()));
  return {v[0], v[1], v[2]};
}

double numberOf(const XmlElement& e, const char* attribute, double otherwise) {
  const std::optional<std::string> text = e.find(attribute);
  if (!text) return otherwise;
  const std::vector<double> v = e.numbers(attribute, *text);
  if (v.size() != 1) e.fail(concat("\"", attribute, "\": expected a number, got ", v.size()));
  return v[0];
}

Vec3 directionOf(const XmlElement& e, const char* attribute, const Vec3& v) {
  const double length = lengthOf(v);
  if (!(length > 0.0)) e.fail(concat("\"", attribute, "\": expected a direction, got zeros"));
  return scaled(v, 1.0 / length);
}

RobotTree readRobot(const std::string& file, const AssetSource& assets,
                    const RobotOptions& options) {
  const XmlFile xml(assets.read(file, XmlLimits{}.bytes), file);
  const XmlElement root = xml.root();
  if (root.name() == "robot") return readUrdf(root, file, assets, options);
  if (root.name() == "mujoco") return readMjcf(root, file, assets, options);
  root.fail("expected <robot> (URDF) or <mujoco> (MJCF) as the root element");
}

std::string readRobotFile(const SceneRobot& robot, const AssetSource& assets) {
  RobotOptions options;
  options.fixed = robot.fixed;
  options.packages = robot.packages;
  RobotTree tree = readRobot(robot.file, assets, options);
  return writeRobotScene(tree, robot.name + "/", robot.base, false);
}

}  // namespace abut::inline v0_1::io
