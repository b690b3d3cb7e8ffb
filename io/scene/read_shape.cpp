// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>

#include <abut/abut.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

using ShapePtr = std::shared_ptr<const Shape>;

constexpr std::size_t kMaxPoints = 1'000'000;
constexpr std::size_t kMaxTriangles = 2'000'000;
constexpr std::size_t kMaxAssetBytes = std::size_t{512} << 20;  ///< Of all mesh files together.

double length(const Node& node, std::string_view key, std::string_view what) {
  const Node value = node.require(key, what);
  return value.number(what, kMinShapeSize, kMaxShapeSize);
}

std::vector<Eigen::Vector3d> readPoints(const Node& list, std::size_t least) {
  std::vector<Eigen::Vector3d> points;
  const std::size_t count = list.list("points", least, kMaxPoints);
  points.reserve(count);
  for (std::size_t i = 0; i < count; ++i) points.push_back(toEigen(list.at(i).vec3("a point [m]")));
  return points;
}

/// The axis of a round shape turned from z: exact permutations, no roundings.
Mat3 readAxis(const Node& node) {
  const std::optional<Node> axis = node.find("axis");
  const std::size_t which = axis ? axis->oneOf({"x", "y", "z"}) : 2;
  if (which == 0) return {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  if (which == 1) return {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  return {};
}

MeshFile loadMesh(SceneReader& reader, const Node& node) {
  const Node file = node.require("file", "the name of a mesh file");
  const std::string& path = file.text("the name of a mesh file in the scene's folder");
  const std::string fault = faultOfRelativePath(path);
  if (!fault.empty()) file.fail(concat(quoted(path), ": ", fault));
  const std::optional<Node> scale = node.find("scale");
  const double s = scale ? scale->number("a positive factor", 1e-9, 1e9) : 1.0;
  try {
    if (reader.scene.files.count(path) == 0) {
      std::string content = reader.assets.read(path, MeshLimits{}.bytes);
      reader.assetBytes += content.size();
      if (reader.assetBytes > kMaxAssetBytes)
        file.fail(concat("the mesh files of the scene are larger than ", kMaxAssetBytes, " bytes"));
      reader.scene.files.emplace(path, std::move(content));
    }
    MeshFile mesh = parseMeshFile(reader.scene.files[path], path);
    for (Eigen::Vector3d& v : mesh.vertices) v = {v.x() * s, v.y() * s, v.z() * s};
    return mesh;
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.rfind(file.place(), 0) == 0) throw;
    file.fail(what);
  }
}

MeshFile inlineMesh(const Node& node) {
  MeshFile mesh;
  mesh.vertices = readPoints(node.require("vertices", "a list of points, or a \"file\""), 3);
  const Node list = node.require("triangles", "a list of index triples");
  const std::size_t count = list.list("triangles", 1, kMaxTriangles);
  mesh.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Node triangle = list.at(i);
    if (!triangle.isList() || triangle.list("corners", 0, kMaxPoints) != 3)
      triangle.failExpected("3 indices of vertices");
    std::array<std::uint32_t, 3> corners;
    for (std::size_t k = 0; k < 3; ++k)
      corners[k] = static_cast<std::uint32_t>(
          triangle.at(k).count("an index of a vertex", 0, mesh.vertices.size() - 1));
    mesh.triangles.push_back(corners);
  }
  return mesh;
}

ShapePtr readHull(SceneReader& reader, const Node& node) {
  node.allowKeys({"points", "file", "scale"});
  if (node.has("points") == node.has("file")) node.fail("expected either \"points\" or \"file\"");
  if (!node.has("file") && node.has("scale"))
    node.find("scale")->fail("\"scale\" goes with \"file\"");
  const std::vector<Eigen::Vector3d> points =
      node.has("file") ? loadMesh(reader, node).vertices : readPoints(*node.find("points"), 4);
  return std::make_shared<ConvexShape>(points);
}

ShapePtr readMesh(SceneReader& reader, const Node& node) {
  node.allowKeys({"file", "scale", "convexHull", "vertices", "triangles"});
  const bool fromFile = node.has("file");
  if (fromFile && (node.has("vertices") || node.has("triangles")))
    node.fail("expected either \"file\", or \"vertices\" and \"triangles\"");
  if (!fromFile && node.has("scale")) node.find("scale")->fail("\"scale\" goes with \"file\"");
  const MeshFile mesh = fromFile ? loadMesh(reader, node) : inlineMesh(node);
  const std::optional<Node> hull = node.find("convexHull");
  if (hull && hull->boolean()) return std::make_shared<ConvexShape>(mesh.vertices);
  return std::make_shared<MeshShape>(mesh.vertices, mesh.triangles);
}

ShapePtr readHeightField(const Node& node) {
  node.allowKeys({"spacing", "heights"});
  const Node spacing = node.require("spacing", "[dx, dy], the distance between samples [m]");
  if (!spacing.isList() || spacing.list("lengths", 0, kMaxPoints) != 2)
    spacing.failExpected("2 positive lengths [m]");
  const double dx = spacing.at(0).number("a length [m]", kMinShapeSize, kMaxShapeSize);
  const double dy = spacing.at(1).number("a length [m]", kMinShapeSize, kMaxShapeSize);
  const Node rows = node.require("heights", "a list of rows of heights [m]");
  const std::size_t numY = rows.list("rows of heights", 2, kMaxPoints);
  std::vector<double> heights;
  std::size_t numX = 0;
  for (std::size_t j = 0; j < numY; ++j) {
    const Node row = rows.at(j);
    const std::size_t count = row.list("heights", 2, kMaxPoints);
    if (j == 0) numX = count;
    if (count != numX)
      row.fail(concat("expected ", numX, " heights as in the first row, got ", count));
    for (std::size_t i = 0; i < count; ++i) heights.push_back(row.at(i).number("a height [m]"));
  }
  return std::make_shared<HeightFieldShape>(numX, numY, dx, dy, heights);
}

ShapePtr readPlane(const Node& node) {
  node.allowKeys({"normal", "offset"});
  const Node value = node.require("normal", "the direction out of the solid");
  const Vec3 normal = value.vec3("the direction out of the solid");
  if (normal == Vec3{}) value.fail("expected a direction, got [0, 0, 0]");
  const std::optional<Node> offset = node.find("offset");
  return std::make_shared<PlaneShape>(toEigen(normal),
                                      offset ? offset->number("a length [m]") : 0.0);
}

ShapePtr readCloud(const Node& node) {
  node.allowKeys({"points", "radius"});
  const double radius = length(node, "radius", "a radius [m]");
  return std::make_shared<PointCloudShape>(
      readPoints(node.require("points", "a list of points [m]"), 1), radius);
}

struct Placed {
  ShapePtr shape;
  Pose pose;
};

Placed readPlacedShape(SceneReader& reader, const Node& node, bool withMaterial);

ShapePtr readCompound(SceneReader& reader, const Node& node) {
  node.allowKeys({"shapes"});
  const Node list = node.require("shapes", "a list of shapes");
  std::vector<CompoundShape::Child> children;
  const std::size_t count = list.list("shapes", 1, kMaxShapes);
  for (std::size_t i = 0; i < count; ++i) {
    Placed placed = readPlacedShape(reader, list.at(i), false);
    children.push_back({std::move(placed.shape), placed.pose});
  }
  return std::make_shared<CompoundShape>(std::move(children));
}

/// One of the shapes; `turn` is the rotation that its `axis` asks for.
ShapePtr readShape(SceneReader& reader, const std::string& kind, const Node& node, Mat3& turn) {
  if (kind == "sphere") {
    node.allowKeys({"radius"});
    return std::make_shared<SphereShape>(length(node, "radius", "a radius [m]"));
  }
  if (kind == "box") {
    node.allowKeys({"size"});
    const Vec3 s = node.require("size", "3 full side lengths [m]").lengths3();
    return std::make_shared<BoxShape>(Eigen::Vector3d(s.x * 0.5, s.y * 0.5, s.z * 0.5));
  }
  if (kind == "capsule") {
    node.allowKeys({"radius", "length", "axis"});
    turn = readAxis(node);
    const double r = length(node, "radius", "a radius [m]");
    return std::make_shared<CapsuleShape>(r, length(node, "length", "a length [m]"));
  }
  if (kind == "cylinder" || kind == "cone") {
    node.allowKeys({"radius", "height", "axis"});
    turn = readAxis(node);
    const double r = length(node, "radius", "a radius [m]");
    const double h = length(node, "height", "a height [m]");
    if (kind == "cone") return std::make_shared<ConeShape>(r, h);
    return std::make_shared<CylinderShape>(r, h);
  }
  if (kind == "plane") return readPlane(node);
  if (kind == "hull") return readHull(reader, node);
  if (kind == "mesh") return readMesh(reader, node);
  if (kind == "heightField") return readHeightField(node);
  if (kind == "cloud") return readCloud(node);
  return readCompound(reader, node);
}

constexpr std::array<std::string_view, 11> kKinds = {"sphere",      "box",   "capsule", "cylinder",
                                                     "cone",        "plane", "hull",    "mesh",
                                                     "heightField", "cloud", "compound"};

Placed readPlacedShape(SceneReader& reader, const Node& node, bool withMaterial) {
  if (withMaterial) {
    node.allowKeys({"sphere", "box", "capsule", "cylinder", "cone", "plane", "hull", "mesh",
                    "heightField", "cloud", "compound", "material", "position", "orientation",
                    "rollPitchYaw", "rollPitchYawDegrees"});
  } else {
    node.allowKeys({"sphere", "box", "capsule", "cylinder", "cone", "hull", "mesh", "heightField",
                    "cloud", "compound", "position", "orientation", "rollPitchYaw",
                    "rollPitchYawDegrees"});
  }
  const std::string* kind = nullptr;
  for (const JsonMember& m : node.members()) {
    if (std::find(kKinds.begin(), kKinds.end(), m.key) == kKinds.end()) continue;
    if (kind != nullptr) {
      node.fail(concat("expected one shape, got ", quoted(*kind), " and ", quoted(m.key),
                       "; give each its own entry in the list"));
    }
    kind = &m.key;
  }
  if (kind == nullptr) node.fail(concat("expected a shape: one of ", join(kKinds)));
  Mat3 turn;
  const Node content = *node.find(*kind);
  Placed placed;
  try {
    placed.shape = readShape(reader, *kind, content, turn);
  } catch (const Error& error) {
    content.fail(error.what());
  }
  placed.pose = {matrixOf(readOrientation(node)), readPosition(node)};
  placed.pose = compose(placed.pose, {turn, {}});
  return placed;
}

}  // namespace

std::vector<BodyShape> readShapes(SceneReader& reader, const Node& list) {
  std::vector<BodyShape> shapes;
  const std::size_t count = list.list("shapes", 1, kMaxShapes);
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = list.at(i);
    Placed placed = readPlacedShape(reader, node, true);
    BodyShape shape{std::move(placed.shape), placed.pose, 0};
    if (const std::optional<Node> material = node.find("material")) {
      const std::string& name = material->text("the name of a material");
      const auto found = reader.materialsByName.find(name);
      if (found == reader.materialsByName.end()) {
        std::vector<std::string_view> known;
        for (const auto& entry : reader.materialsByName) known.push_back(entry.first);
        material->fail(concat("no material ", quoted(name), suggestion(name, known),
                              "; materials stand in \"materials\" at the top"));
      }
      shape.material = found->second;
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

}  // namespace abut::inline v0_1::io
