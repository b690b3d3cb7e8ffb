// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

using Eigen::Vector3d;

Quat randomTurn(VerifyRandom& random) {
  for (;;) {
    const double w = random.between(-1, 1), x = random.between(-1, 1);
    const double y = random.between(-1, 1), z = random.between(-1, 1);
    const double n = std::sqrt(w * w + x * x + y * y + z * z);
    if (n > 0.01 && n <= 1.0) return {w / n, x / n, y / n, z / n};
  }
}

/// A convex hull as triangles, each face a fan.
std::shared_ptr<const MeshShape> triangulated(const ConvexShape& hull) {
  std::vector<Vector3d> vertices;
  std::vector<MeshShape::Triangle> triangles;
  for (std::size_t i = 0; i < hull.numVertices(); ++i) vertices.push_back(hull.getVertex(i));
  for (std::size_t f = 0; f < hull.numFaces(); ++f) {
    const auto face = hull.getFace(f);
    for (std::size_t k = 1; k + 1 < face.size(); ++k) {
      triangles.push_back({static_cast<std::uint32_t>(face[0]), static_cast<std::uint32_t>(face[k]),
                           static_cast<std::uint32_t>(face[k + 1])});
    }
  }
  return std::make_shared<const MeshShape>(vertices, triangles);
}

std::vector<Vector3d> cubeCorners() {
  std::vector<Vector3d> points;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.5, 0.5}) {
      for (const double z : {-0.5, 0.5}) points.emplace_back(x, y, z);
    }
  }
  return points;
}

/// An L of two arms, 0.5 m wide and thick, twice as long.
std::shared_ptr<const MeshShape> letterL() {
  constexpr double kOutline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  std::vector<Vector3d> vertices;
  for (const double z : {-0.5, 0.5}) {
    for (const auto& p : kOutline) {
      vertices.emplace_back(0.5 * (p[0] - 0.8), 0.5 * (p[1] - 0.8), 0.5 * z);
    }
  }
  std::vector<MeshShape::Triangle> triangles;
  for (std::uint32_t i = 1; i < 5; ++i) {
    triangles.push_back({6, i + 6, i + 7});
    triangles.push_back({0, i + 1, i});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t k = (i + 1) % 6;
    triangles.push_back({i, k, k + 6});
    triangles.push_back({i, k + 6, i + 6});
  }
  return std::make_shared<const MeshShape>(vertices, triangles);
}

using ShapePtr = std::shared_ptr<const Shape>;

/// Of bodies dropped on a fixed one those that moved in a step by more than `allowed` beyond their
/// speed.
int numJumps(const WorldOptions& options, double dt, int drops, const ShapePtr& fixed,
             const ShapePtr& dropped, double allowed) {
  VerifyRandom random(31);
  int jumps = 0;
  for (int i = 0; i < drops; ++i) {
    World world(options);
    BodyDescription below, above;
    below.type = BodyType::Static;
    below.orientation = randomTurn(random);
    above.orientation = randomTurn(random);
    above.position = {random.between(-0.4, 0.4), 0.0, 1.8};
    above.angularVelocity = {random.between(-3, 3), 0.0, 2.0};
    above.mass = 1.0;
    world.addBody(below, fixed);
    const ObjectId id = world.addBody(above, dropped);
    double farthest = 0.0;
    for (double t = 0.0; t < 1.0; t += dt) {
      const BodyMotion before = motionOf(world, id);
      world.step(dt).orThrow();
      const BodyMotion after = motionOf(world, id);
      const double speed = std::max(before.linearVelocity.norm(), after.linearVelocity.norm());
      farthest = std::max(farthest, (after.centerOfMass - before.centerOfMass).norm() - speed * dt);
    }
    if (farthest > allowed) ++jumps;
  }
  return jumps;
}

/// In real time convex bodies, too, are put right by up to 1.5 mm in a step: solids with valleys
/// may be by 2 mm, and what falls tip first is left to the exact scheme.
Rows meshDrops() {
  constexpr int kDrops = 100;
  constexpr double kMillimetre = 1e-3;
  const ShapePtr cube = triangulated(ConvexShape(cubeCorners())), arms = letterL();
  const auto cylinder = std::make_shared<CylinderShape>(0.4, 0.8);
  const auto cone = std::make_shared<ConeShape>(0.4, 0.8);
  struct Pair {
    const char* name;
    ShapePtr fixed, dropped;
    double realTime;  // How far a step may move beyond the speed [m]; 0: not tried.
  };
  Rows rows;
  for (const Pair& p : {Pair{"cubes on a cube", cube, cube, kMillimetre},
                        Pair{"Ls on an L", arms, arms, 2 * kMillimetre},
                        Pair{"cubes on an L", arms, cube, kMillimetre},
                        Pair{"Ls on a cube", cube, arms, kMillimetre},
                        Pair{"cylinders on an L", arms, cylinder, kMillimetre},
                        Pair{"cones on an L", arms, cone, 0}}) {
    const auto what = [&](double allowed) {
      return fmt::format("{} that jumped by over {} mm, of {}", p.name, 1e3 * allowed, kDrops);
    };
    rows.push_back(vanishes(what(kMillimetre), "0",
                            numJumps({}, 1.0 / 240, kDrops, p.fixed, p.dropped, kMillimetre), 0));
    if (p.realTime == 0) continue;
    rows.push_back(vanishes(
        what(p.realTime) + ", real time", "0",
        numJumps(WorldOptions::realTime(), kFrame, kDrops, p.fixed, p.dropped, p.realTime), 0));
  }
  return rows;
}

/// Largest difference of the depth of a body in a mesh from that in the mesh's convex twin [m].
double worstDepth(const ConvexShape& hull, const Shape& body, const Shape& twin, int poses) {
  const auto mesh = triangulated(hull);
  VerifyRandom random(32);
  double worst = 0.0;
  for (int i = 0; i < poses; ++i) {
    const Quat q = randomTurn(random);
    const double x = random.between(-0.7, 0.7), y = random.between(-0.7, 0.7);
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    place.translation() = Vector3d(x, y, random.between(-0.7, 0.7));
    const Pose pose = poseFrom(place);
    DistanceResult truth;
    distance({&hull, {}, 1}, {&twin, pose, 2}, truth).orThrow();
    CollisionResult found;
    collide({mesh.get(), {}, 1}, {&body, pose, 2}, CollisionOption::fullContacts(), found)
        .orThrow();
    const double depth = found.isCollision() ? found.penetrationDepth() : 0.0;
    worst = std::max(worst, std::fabs(depth - std::max(0.0, -truth.distance)));
  }
  return worst;
}

Rows meshDepth() {
  constexpr int kPoses = 4000;
  const ConvexShape cube(cubeCorners());
  VerifyRandom random(33);
  std::vector<Vector3d> points(40);
  for (Vector3d& p : points) p = 0.6 * random.direction();
  const ConvexShape stone(points);
  const auto cubeMesh = triangulated(cube);
  const BoxShape box(Vector3d(0.3, 0.2, 0.4));
  const CapsuleShape capsule(0.15, 0.6);
  const CylinderShape cylinder(0.3, 0.6);
  const ConeShape cone(0.3, 0.6);
  struct Pair {
    const char* name;
    const Shape& body;
    const Shape& twin;
  };
  Rows rows;
  for (const Pair& p : {Pair{"box", box, box}, Pair{"capsule", capsule, capsule},
                        Pair{"cylinder", cylinder, cylinder}, Pair{"cone", cone, cone},
                        Pair{"hull", stone, stone}, Pair{"mesh", *cubeMesh, cube}}) {
    for (const ConvexShape* hull : {&cube, &stone}) {
      rows.push_back(vanishes(fmt::format("{} in a {} of triangles, worst of {} depths [m]", p.name,
                                          hull == &cube ? "cube" : "stone", kPoses),
                              "depth in its hull", worstDepth(*hull, p.body, p.twin, kPoses),
                              1e-9));
    }
  }
  return rows;
}

/// The same L of two boxes that overlap in its corner.
ShapePtr boxesOfL() {
  const auto bar = [](const Vector3d& half, const Vector3d& at) {
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.translation() = at;
    return CompoundShape::Child{std::make_shared<const BoxShape>(half), poseFrom(place)};
  };
  return std::make_shared<const CompoundShape>(std::vector<CompoundShape::Child>{
      bar({0.5, 0.25, 0.25}, {0.1, -0.15, 0.0}), bar({0.25, 0.5, 0.25}, {-0.15, 0.1, 0.0})});
}

/// By how much a body up to 5 cm inside an L of triangles is deeper than its twin in an L of boxes,
/// at most [m].
double worstInL(const Shape& body, const Shape& twin, int poses) {
  constexpr double kDeepest = 0.05;
  const ShapePtr mesh = letterL(), boxes = boxesOfL();
  VerifyRandom random(34);
  double worst = 0.0;
  for (int i = 0; i < poses; ++i) {
    const Quat q = randomTurn(random);
    const double x = random.between(-0.9, 0.9), y = random.between(-0.9, 0.9);
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    place.translation() = Vector3d(x, y, random.between(-0.7, 0.7));
    const Pose pose = poseFrom(place);
    DistanceResult truth, found;
    distance({boxes.get(), {}, 1}, {&twin, pose, 2}, truth).orThrow();
    if (truth.distance < -kDeepest) continue;
    distance({mesh.get(), {}, 1}, {&body, pose, 2}, found).orThrow();
    worst = std::max(worst, truth.distance - found.distance);
  }
  return worst;
}

Rows valleyDepth() {
  constexpr int kPoses = 4000;
  const BoxShape box(Vector3d(0.3, 0.2, 0.4));
  const CapsuleShape capsule(0.15, 0.6);
  const CylinderShape cylinder(0.3, 0.6);
  const ConeShape cone(0.3, 0.6);
  const ShapePtr arms = letterL(), boxes = boxesOfL();
  struct Pair {
    const char* name;
    const Shape& body;
    const Shape& twin;
  };
  Rows rows;
  for (const Pair& p :
       {Pair{"box", box, box}, Pair{"capsule", capsule, capsule},
        Pair{"cylinder", cylinder, cylinder}, Pair{"cone", cone, cone}, Pair{"L", *arms, *boxes}}) {
    rows.push_back(vanishes(
        fmt::format("{} in an L of triangles: too deep by, worst of {} [m]", p.name, kPoses),
        "depth in an L of boxes: 0", worstInL(p.body, p.twin, kPoses), 1e-9));
  }
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"mesh-drops", "bodies of triangles dropped on a fixed one", meshDrops},
    {"mesh-depth", "bodies in closed convex meshes, random poses", meshDepth},
    {"valley-depth", "bodies in a closed mesh with a valley, random poses", valleyDepth},
};

}  // namespace

std::span<const VerifyScenario> meshScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
