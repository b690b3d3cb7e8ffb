// SPDX-License-Identifier: MIT
#include "support/standard_scenes.hpp"

#include <cmath>
#include <cstdint>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

namespace abut::test {
namespace {

/// The generator of the scenes' definition.
struct Lcg {
  std::uint32_t s = 12345;
  double next() {
    s = s * 1664525u + 1013904223u;
    return static_cast<double>(s >> 8) / 16777216.0;
  }
  double jitter(double j) { return (2.0 * next() - 1.0) * j; }
};

SceneBody fixedBox(Vec3 half, Vec3 position) {
  SceneBody body;
  body.isStatic = true;
  body.half = half;
  body.position = position;
  return body;
}

/// Floor with its top at 0 and four walls around 16 x 16 m.
void addContainer(StandardScene& scene) {
  scene.bodies.push_back(fixedBox({10, 10, 1}, {0, 0, -1}));
  for (const double side : {-1.0, 1.0}) {
    scene.bodies.push_back(fixedBox({1, 10, 40}, {9 * side, 0, 40}));
    scene.bodies.push_back(fixedBox({10, 1, 40}, {0, 9 * side, 40}));
  }
}

struct Grid {
  int count, nx, nz;
  double pitch, jitter;
};

template <class Make>
void addGrid(StandardScene& scene, const Grid& grid, Make make) {
  Lcg random;
  for (int i = 0; i < grid.count; ++i) {
    const int ix = i % grid.nx, iz = i / grid.nx % grid.nz, iy = i / (grid.nx * grid.nz);
    SceneBody body = make(i, iy);
    const double jx = random.jitter(grid.jitter);
    const double ju = random.jitter(grid.jitter);
    const double jz = random.jitter(grid.jitter);
    body.position.x += (ix - (grid.nx - 1) / 2.0) * grid.pitch + jx;
    body.position.y += (iz - (grid.nz - 1) / 2.0) * grid.pitch + jz;
    body.position.z += 1.0 + iy * grid.pitch + ju;
    if (body.yaw != 0.0) body.yaw = random.next() * M_PI;
    scene.bodies.push_back(body);
  }
}

StandardScene pyramid() {
  StandardScene scene{'a', "pyramid, 465 cubes", 300, true, {}};
  scene.bodies.push_back(fixedBox({100, 100, 1}, {0, 0, -1}));
  for (int r = 0; r < 30; ++r) {
    for (int j = 0; j < 30 - r; ++j) {
      SceneBody cube;
      cube.position = {(j - (29 - r) / 2.0) * 1.1, 0.0, 0.5 + r};
      scene.bodies.push_back(cube);
    }
  }
  return scene;
}

StandardScene spheres() {
  StandardScene scene{'b', "4000 spheres", 300, false, {}};
  addContainer(scene);
  addGrid(scene, {4000, 14, 14, 1.1, 0.05}, [](int, int) {
    SceneBody body;
    body.kind = Kind::Sphere;
    return body;
  });
  return scene;
}

StandardScene mixed() {
  StandardScene scene{'c', "2000 mixed", 300, false, {}};
  addContainer(scene);
  addGrid(scene, {2000, 13, 13, 1.2, 0.05}, [](int i, int) {
    SceneBody body;
    switch (i % 5) {
      case 0:
        body.kind = Kind::Sphere;
        break;
      case 1:
        body.kind = Kind::Box;
        break;
      case 2:
        body.kind = Kind::Capsule, body.half = {0.3, 0.2, 0.0};
        break;
      case 3:
        body.kind = Kind::Cylinder;
        break;
      default:
        body.kind = Kind::Icosahedron, body.half = {0.55, 0.0, 0.0};
        break;
    }
    return body;
  });
  return scene;
}

StandardScene tower() {
  StandardScene scene{'d', "tower of 20 cubes", 1000, true, {}};
  scene.bodies.push_back(fixedBox({100, 100, 1}, {0, 0, -1}));
  for (int i = 0; i < 20; ++i) {
    SceneBody cube;
    cube.position = {0.0, 0.0, 0.5 + i};
    scene.bodies.push_back(cube);
  }
  return scene;
}

StandardScene boxes(bool shifted) {
  StandardScene scene{
      shifted ? 'e' : 'f', shifted ? "2000 cubes" : "100 towers of 20", 300, false, {}};
  addContainer(scene);
  addGrid(scene, {2000, 10, 10, 1.5, 0.04}, [shifted](int, int layer) {
    SceneBody body;
    body.yaw = 1.0;
    const double shift = layer % 2 == 0 ? 0.25 : -0.25;
    if (shifted) body.position = {shift, shift, 0.0};
    return body;
  });
  return scene;
}

}  // namespace

std::vector<StandardScene> makeStandardScenes() {
  return {pyramid(), spheres(), mixed(), tower(), boxes(true), boxes(false)};
}

std::vector<Vec3> icosahedron(double circumradius) {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0));
  const double scale = circumradius / std::sqrt(1.0 + golden * golden);
  std::vector<Vec3> corners;
  for (const double a : {-scale, scale}) {
    for (const double b : {-golden * scale, golden * scale}) {
      corners.push_back({0.0, a, b});
      corners.push_back({a, b, 0.0});
      corners.push_back({b, 0.0, a});
    }
  }
  return corners;
}

StandardScene smallScene(std::size_t number) {
  StandardScene scene = makeStandardScenes()[number];
  std::vector<SceneBody> kept;
  std::size_t bodies = 0, all = 0;
  for (const SceneBody& b : scene.bodies) all += b.isStatic ? 0 : 1;
  for (SceneBody b : scene.bodies) {
    const std::size_t i = b.isStatic ? 0 : bodies++;
    bool keep = b.isStatic || scene.id == 'd' || i < 40;
    if (!b.isStatic && scene.id == 'a') {
      constexpr std::size_t kRows = 8, kTop = kRows * (kRows + 1) / 2;
      keep = i >= all - kTop;
      b.position.z -= 30 - static_cast<double>(kRows);
    }
    if (!b.isStatic && scene.id == 'f') keep = i % 100 < 2;
    if (keep) kept.push_back(b);
  }
  scene.bodies = kept;
  return scene;
}

TerrainMesh makeTerrain(double half) {
  constexpr std::uint32_t kSide = 41;
  TerrainMesh mesh;
  for (std::uint32_t i = 0; i < kSide * kSide; ++i) {
    const std::uint32_t column = i % kSide, row = i / kSide;
    const double x = half * (2.0 * column / (kSide - 1) - 1.0);
    const double y = half * (2.0 * row / (kSide - 1) - 1.0);
    const double hill = 0.1 * ((column * 7 + row * 13) % 5);
    mesh.vertices.push_back({x, y, 0.02 * (x * x + y * y) + hill});
  }
  for (std::uint32_t row = 0; row + 1 < kSide; ++row) {
    for (std::uint32_t column = 0; column + 1 < kSide; ++column) {
      const std::uint32_t at = row * kSide + column;
      mesh.triangles.push_back({at, at + 1, at + kSide + 1});
      mesh.triangles.push_back({at, at + kSide + 1, at + kSide});
    }
  }
  return mesh;
}

std::shared_ptr<const Shape> makeShape(const SceneBody& body) {
  switch (body.kind) {
    case Kind::Sphere:
      return std::make_shared<SphereShape>(body.half.x);
    case Kind::Capsule:
      return std::make_shared<CapsuleShape>(body.half.x, 2.0 * body.half.y);
    case Kind::Cylinder:
      return std::make_shared<CylinderShape>(body.half.x, 2.0 * body.half.y);
    case Kind::Icosahedron: {
      std::vector<Eigen::Vector3d> corners;
      for (const Vec3& c : icosahedron(body.half.x)) corners.push_back({c.x, c.y, c.z});
      return std::make_shared<ConvexShape>(corners);
    }
    case Kind::Terrain: {
      const TerrainMesh mesh = makeTerrain(body.half.x);
      std::vector<Eigen::Vector3d> vertices;
      for (const Vec3& v : mesh.vertices) vertices.push_back({v.x, v.y, v.z});
      std::vector<MeshShape::Triangle> triangles(mesh.triangles.begin(), mesh.triangles.end());
      return std::make_shared<MeshShape>(vertices, triangles);
    }
    case Kind::Box:
      break;
  }
  return std::make_shared<BoxShape>(Eigen::Vector3d(body.half.x, body.half.y, body.half.z));
}

std::vector<ObjectId> addBodies(const StandardScene& scene, World& world) {
  std::vector<ObjectId> ids;
  for (const SceneBody& body : scene.bodies) {
    BodyDescription description;
    description.type = body.isStatic ? BodyType::Static : BodyType::Dynamic;
    description.position = {body.position.x, body.position.y, body.position.z};
    description.orientation = {std::cos(0.5 * body.yaw), 0.0, 0.0, std::sin(0.5 * body.yaw)};
    description.linearVelocity = {body.velocity.x, body.velocity.y, body.velocity.z};
    ids.push_back(world.addBody(description, makeShape(body)));
  }
  return ids;
}

}  // namespace abut::test
