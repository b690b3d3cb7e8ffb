// SPDX-License-Identifier: MIT
#include <limits>

#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>

#include "digest.hpp"
#include "random_pose.hpp"
#include "specimens.hpp"

namespace golden {
namespace {

using namespace abut;

void add(Digest& digest, const Aabb& box) {
  digest.add(box.min_);
  digest.add(box.max_);
}

void addMass(Digest& digest, const Shape& shape) {
  for (const double density : {1000.0, 0.7, -1.0}) {
    MassProperties mass;
    const Status status = shape.computeMass(density, mass);
    digest.add(status.getCode()), digest.add(status.getMessage());
    digest.add(mass.mass), digest.add(mass.center), digest.add(mass.inertia);
    digest.add(mass.products);
  }
}

void addRay(Digest& digest, const Shape& shape, const Ray& ray) {
  RayHit hit;
  digest.add(shape.raycast(ray, hit));
  digest.add(hit.fraction), digest.add(hit.point), digest.add(hit.normal), digest.add(hit.subShape);
}

void addHull(Digest& digest, const ConvexShape& hull) {
  digest.add(hull.numVertices()), digest.add(hull.numEdges()), digest.add(hull.numFaces());
  for (std::size_t i = 0; i < hull.numVertices(); ++i) digest.add(hull.getVertex(i));
  for (std::size_t i = 0; i < hull.numFaces(); ++i) {
    digest.add(hull.getFaceNormal(i));
    for (const std::uint32_t vertex : hull.getFace(i)) digest.add(vertex);
  }
}

void run(const Shape& shape, const std::string& name) {
  Generator random(31);
  Digest bounds, mass, points, rays;
  add(bounds, shape.computeLocalAabb());
  bounds.add(shape.boundingRadius());
  addMass(mass, shape);
  if (shape.getType() == ShapeType::Convex) addHull(bounds, static_cast<const ConvexShape&>(shape));
  for (int i = 0; i < 60; ++i) {
    add(bounds, shape.computeAabb(randomPose(random, 3.0)));
    points.add(shape.signedDistance(random.vector(0.4)));
    points.add(shape.signedDistance(random.vector(2.0)));
    // Multiples of 1/4: on faces, edges and corners of the specimens with round numbers.
    const Eigen::Vector3d r = random.vector(4.0);
    const Eigen::Vector3d grid(static_cast<int>(r.x()) * 0.25, static_cast<int>(r.y()) * 0.25,
                               static_cast<int>(r.z()) * 0.25);
    points.add(shape.signedDistance(grid));
    if (shape.isConvex()) points.add(shape.supportPoint(random.vector(1.0)));
    if (shape.isConvex() && i < 3) points.add(shape.supportPoint(Eigen::Vector3d::Unit(i)));
    Ray ray;
    ray.origin = random.vector(2.0);
    ray.direction = random.vector(1.0);
    ray.maxFraction = i % 2 == 0 ? std::numeric_limits<double>::infinity() : 2.0;
    addRay(rays, shape, ray);
    ray.origin = {grid.x(), grid.y(), 2.0};
    ray.direction = {0.0, 0.0, -1.0};
    ray.maxFraction = 5.0;
    addRay(rays, shape, ray);
    ray.origin = random.vector(0.1);
    addRay(rays, shape, ray);
  }
  print("shape." + name + ".bounds", bounds);
  print("shape." + name + ".mass", mass);
  print("shape." + name + ".points", points);
  print("shape." + name + ".rays", rays);
}

}  // namespace

void shapes() {
  for (std::size_t i = 0; i < specimens().size(); ++i) run(*specimens()[i], nameOf(i));
}

}  // namespace golden
