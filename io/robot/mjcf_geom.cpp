// SPDX-License-Identifier: MIT
#include <cmath>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/mjcf_build.hpp"
#include "io/robot/robot_mass.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Points on an ellipsoid: a grid on the faces of a cube, drawn to the unit sphere.
std::vector<Vec3> ellipsoidPoints(const Vec3& half) {
  constexpr int kGrid = 6;
  std::vector<Vec3> points;
  for (int i = 0; i <= kGrid; ++i) {
    for (int j = 0; j <= kGrid; ++j) {
      for (int k = 0; k <= kGrid; ++k) {
        const bool onFace = i == 0 || i == kGrid || j == 0 || j == kGrid || k == 0 || k == kGrid;
        if (!onFace) continue;
        const Vec3 p{2.0 * i / kGrid - 1.0, 2.0 * j / kGrid - 1.0, 2.0 * k / kGrid - 1.0};
        const double length = lengthOf(p);
        points.push_back(
            {half.x * (p.x / length), half.y * (p.y / length), half.z * (p.z / length)});
      }
    }
  }
  return points;
}

/// An ellipsoid's own moments, not those of its hull.
RobotMass ellipsoidMass(const Vec3& half, double density) {
  constexpr double kPi = 3.14159265358979323846;
  const double m = density * (4.0 / 3.0) * kPi * half.x * half.y * half.z;
  const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
  return {m, {}, {{m / 5 * (y + z), 0, 0}, {0, m / 5 * (x + z), 0}, {0, 0, m / 5 * (x + y)}}};
}

/// A mesh of the assets by its name, as the file places it.
bool readMesh(MjcfBuild& b, const XmlElement& e, const std::string& name, RobotShape& shape,
              RobotMass& unitMass) {
  const MjcfCompiler& compiler = b.model.compiler();
  for (const XmlElement& asset : b.model.sections("asset")) {
    if (asset.name() != "mesh") continue;
    const std::optional<std::string> file = asset.find("file");
    std::string path = file.value_or("");
    if (compiler.stripPath) path = path.substr(path.rfind('/') + 1);
    std::string stem = path.substr(path.rfind('/') + 1);
    stem = stem.substr(0, std::min(stem.rfind('.'), stem.size()));
    if (asset.find("name").value_or(stem) != name) continue;
    if (!file) {
      ++b.tree.lost["mesh given by its vertices"];
      return false;
    }
    MeshPlacement placement;
    placement.before = b.model.vector(asset, "refpos", "", {});
    placement.scale = b.model.vector(asset, "scale", "", {1, 1, 1});
    const std::vector<double> q = b.model.numbers(asset, "refquat", "", 4, 4);
    if (!q.empty()) {
      const double l = std::sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
      if (!(l > 0.0)) asset.fail("\"refquat\": expected a quaternion, got zeros");
      placement.turn = transposed(matrixOf({q[0] / l, q[1] / l, q[2] / l, q[3] / l}));
    }
    const bool absolute = path.starts_with("/");
    std::optional<RobotMesh> mesh =
        readRobotMesh(asset, absolute ? path : b.model.folder() + compiler.meshFolder + path,
                      b.assets, placement, b.tree.lost);
    if (!mesh) return false;
    shape.kind = RobotShape::Kind::Hull;
    shape.points = std::move(mesh->hull);
    unitMass = mesh->unitMass;
    return true;
  }
  e.fail(concat("no mesh ", quoted(name), " among the assets"));
}

/// Heights of the assets by their name, from 0 up to the elevation; the first row of a file is the
/// one at the greatest y.
bool readField(MjcfBuild& b, const XmlElement& e, const std::string& name, RobotShape& shape) {
  for (const XmlElement& asset : b.model.sections("asset")) {
    if (asset.name() != "hfield" || asset.find("name").value_or("") != name) continue;
    if (asset.find("file")) {
      ++b.tree.lost["hfield given by a file"];
      return false;
    }
    const std::vector<double> size = b.model.numbers(asset, "size", "", 4, 4);
    const std::vector<double> data = asset.numbers("elevation", asset.require("elevation"));
    const auto rows = static_cast<std::size_t>(b.model.number(asset, "nrow", "", 0.0));
    const auto columns = static_cast<std::size_t>(b.model.number(asset, "ncol", "", 0.0));
    if (size.empty() || rows < 2 || columns < 2 || data.size() / rows != columns ||
        data.size() % rows != 0) {
      asset.fail(concat("expected \"size\", and nrow x ncol numbers of \"elevation\", 2 x 2 at ",
                        "least, got ", data.size()));
    }
    const auto [least, most] = std::minmax_element(data.begin(), data.end());
    const double range = *most - *least;
    shape.kind = RobotShape::Kind::Field;
    shape.size = {2.0 * size[0] / static_cast<double>(columns - 1),
                  2.0 * size[1] / static_cast<double>(rows - 1), 0.0};
    for (std::size_t i = rows; i-- > 0;) {
      std::vector<double>& row = shape.heights.emplace_back();
      for (std::size_t j = 0; j < columns; ++j) {
        row.push_back(range > 0.0 ? size[2] * (data[i * columns + j] - *least) / range : 0.0);
      }
    }
    return true;
  }
  e.fail(concat("no hfield ", quoted(name), " among the assets"));
}

/// Shapes along a line from one point to another; the line is their z.
bool readFromTo(MjcfBuild& b, const XmlElement& e, const std::string& inherited, double& length,
                Pose& pose) {
  const std::vector<double> v = b.model.numbers(e, "fromto", inherited, 6, 6);
  if (v.empty()) return false;
  const Vec3 from{v[0], v[1], v[2]}, to{v[3], v[4], v[5]};
  const Vec3 way = subtract(to, from);
  length = lengthOf(way);
  pose = {frameAlong(directionOf(e, "fromto", way)), scaled(add(from, to), 0.5)};
  return true;
}

}  // namespace

bool readMjcfGeom(MjcfBuild& b, const XmlElement& e, const std::string& inherited,
                  RobotShape& shape, RobotMass& mass) {
  const std::string mesh = b.model.find(e, "mesh", inherited).value_or("");
  const std::string type =
      b.model.find(e, "type", inherited).value_or(mesh.empty() ? "sphere" : "mesh");
  std::vector<double> size = b.model.numbers(e, "size", inherited, 1, 3);
  double line = 0.0;
  shape.pose = b.model.poseOf(e, inherited);
  const bool hasLine = readFromTo(b, e, inherited, line, shape.pose);
  const auto need = [&](std::size_t count) {
    if (size.size() < count)
      e.fail(concat("\"size\": a ", type, " needs ", count, " numbers, got ", size.size()));
    for (std::size_t i = 0; i < count; ++i)
      if (!(size[i] > 0.0)) e.fail("\"size\": expected positive lengths [m]");
  };
  const double density = b.model.number(e, "density", inherited, 1000.0);
  std::optional<RobotMass> unit;  // At a density of 1, in the shape's frame.
  if (type == "hfield") {
    return readField(b, e, b.model.find(e, "hfield", inherited).value_or(""), shape);
  }
  if (type == "plane") {
    shape.kind = RobotShape::Kind::Plane;
    return true;
  }
  if (type == "sphere") {
    need(1);
    shape.size = {size[0], 0, 0};
  } else if (type == "capsule" || type == "cylinder") {
    need(hasLine ? 1 : 2);
    shape.kind = type == "capsule" ? RobotShape::Kind::Capsule : RobotShape::Kind::Cylinder;
    shape.size = {size[0], hasLine ? line : 2.0 * size[1], 0};
  } else if (type == "box" || type == "ellipsoid") {
    need(hasLine ? (size.size() > 1 ? 2 : 1) : 3);
    if (hasLine) size = {size[0], size.size() > 1 ? size[1] : size[0], 0.5 * line};
    const Vec3 half{size[0], size[1], size[2]};
    shape.kind = type == "box" ? RobotShape::Kind::Box : RobotShape::Kind::Hull;
    if (type == "box") {
      shape.size = scaled(half, 2.0);
    } else {
      shape.points = ellipsoidPoints(half);
      unit = ellipsoidMass(half, 1.0);
      ++b.hulls;
    }
  } else if (type == "mesh") {
    RobotMass own;
    if (!readMesh(b, e, mesh, shape, own)) return false;
    unit = own;
    ++b.hulls;
  } else {
    ++b.tree.lost[concat("<geom type=\"", printable(type), "\">")];
    return false;
  }
  const RobotMass one = unit ? placed(*unit, shape.pose) : massOf(shape, 1.0);
  const std::vector<double> given = b.model.numbers(e, "mass", inherited, 1, 1);
  const double factor = given.empty() ? density : one.mass > 0.0 ? given[0] / one.mass : 0.0;
  mass = one;
  mass.mass = one.mass * factor;
  mass.tensor = {scaled(one.tensor.x, factor), scaled(one.tensor.y, factor),
                 scaled(one.tensor.z, factor)};
  return true;
}

}  // namespace abut::inline v0_1::io
