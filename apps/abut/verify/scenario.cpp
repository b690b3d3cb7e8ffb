// SPDX-License-Identifier: MIT
#include "scenario.hpp"

#include <cmath>

#include <fmt/format.h>

namespace abut::tool {

VerifyRow compare(std::string what, double truth, double value, double bar) {
  return {std::move(what), fmt::format("{:.10g}", truth), value, std::fabs(value - truth), bar};
}

VerifyRow compareRelative(std::string what, double truth, double value, double bar) {
  return {std::move(what), fmt::format("{:.10g}", truth), value, std::fabs(value / truth - 1.0),
          bar};
}

VerifyRow vanishes(std::string what, const char* law, double value, double bar) {
  return {std::move(what), law, value, std::fabs(value), bar};
}

MaterialId addMaterial(World& world, double friction, double restitution) {
  Material material;
  material.friction = friction;
  material.restitution = restitution;
  MaterialId id = 0;
  world.materials().add(material, id).orThrow();
  return id;
}

ObjectId addGround(World& world, MaterialId material, const Eigen::Vector3d& normal) {
  BodyDescription fixed;
  fixed.type = BodyType::Static;
  return world.addBody(fixed, std::make_shared<PlaneShape>(normal), material);
}

ObjectId addBox(World& world, const Eigen::Vector3d& size, double mass, BodyDescription description,
                MaterialId material) {
  description.mass = mass;
  return world.addBody(description, std::make_shared<BoxShape>(size * 0.5), material);
}

ObjectId addSphere(World& world, double radius, double mass, BodyDescription description,
                   MaterialId material) {
  description.mass = mass;
  return world.addBody(description, std::make_shared<SphereShape>(radius), material);
}

BodyMotion motionOf(const World& world, ObjectId id) {
  BodyMotion motion;
  world.getMotion(id, motion).orThrow();
  return motion;
}

void run(World& world, double dt, int steps) {
  for (int i = 0; i < steps; ++i) world.step(dt).orThrow();
}

double VerifyRandom::unit() {
  // SplitMix64; the upper 53 bits make the number.
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

Eigen::Vector3d VerifyRandom::direction() {
  for (;;) {
    const double x = between(-1, 1);
    const double y = between(-1, 1);
    const double z = between(-1, 1);
    const Eigen::Vector3d v(x, y, z);
    if (v.norm() > 0.1 && v.norm() <= 1.0) return v.normalized();
  }
}

}  // namespace abut::tool
