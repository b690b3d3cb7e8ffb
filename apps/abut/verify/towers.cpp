// SPDX-License-Identifier: MIT
// Towers that do not stand straight, and mass ratios, in real time.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

double kineticEnergy(const World& world) {
  return world.getLedger().kineticAfter;
}

/// Unit cubes of 1000 kg, each off the axis by up to `offset` and turned by up to `yaw`.
void addTower(World& world, MaterialId material, int count, double offset, double yaw,
              std::vector<ObjectId>& ids) {
  VerifyRandom random(static_cast<std::uint64_t>(count));
  for (int i = 0; i < count; ++i) {
    BodyDescription d;
    const double x = random.between(-offset, offset), y = random.between(-offset, offset);
    const double half = 0.5 * random.between(-yaw, yaw);
    d.position = {x, y, 0.5 + i};
    d.orientation = {std::cos(half), 0, 0, std::sin(half)};
    ids.push_back(addBox(world, {1, 1, 1}, 1000.0, d, material));
  }
}

double drift(const World& world, const std::vector<ObjectId>& ids,
             const std::vector<Eigen::Vector3d>& start) {
  double most = 0.0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    most = std::max(most, (motionOf(world, ids[i]).centerOfMass - start[i]).norm());
  }
  return most;
}

Rows tiltedTowers() {
  Rows rows;
  for (const int count : {20, 50, 100}) {
    for (const double offset : {0.02, 0.05}) {
      World world(WorldOptions::realTime());
      const MaterialId material = addMaterial(world, 0.6);
      addGround(world, material);
      std::vector<ObjectId> ids;
      addTower(world, material, count, offset, offset > 0.03 ? 0.5 : 0.1, ids);
      std::vector<Eigen::Vector3d> start;
      start.reserve(ids.size());
      for (const ObjectId id : ids) start.push_back(motionOf(world, id).centerOfMass);
      run(world, kFrame, 1200);
      const std::string name = fmt::format("{} cubes, {:g} cm", count, offset * 100);
      rows.push_back(vanishes(name + ": drift in 20 s [m]", "0", drift(world, ids, start), 0.01));
      rows.push_back(
          vanishes(name + ": energy per cube [J]", "0", kineticEnergy(world) / count, 0.01));
    }
  }
  return rows;
}

/// Ten cubes of 1 and 1e4 kg in turn; a cube of 1e6 kg on one of 1 kg.
Rows massRatios() {
  Rows rows;
  for (const bool alternating : {true, false}) {
    World world(WorldOptions::realTime());
    const MaterialId material = addMaterial(world, 0.6);
    addGround(world, material);
    std::vector<ObjectId> ids;
    std::vector<Eigen::Vector3d> start;
    for (int i = 0; i < (alternating ? 10 : 2); ++i) {
      BodyDescription d;
      d.position = {0, 0, 0.5 + i};
      const double heavy = alternating ? 1e4 : 1e6;
      ids.push_back(addBox(world, {1, 1, 1}, i % 2 == 0 ? 1.0 : heavy, d, material));
      start.push_back(d.position);
    }
    run(world, kFrame, 1200);
    double least = 1.0;
    for (const WorldContact& c : world.getContacts()) least = std::min(least, -c.depth);
    const std::string name = alternating ? "1 and 1e4 kg, ten" : "1e6 kg on 1 kg";
    rows.push_back(vanishes(name + ": moved in 20 s [m]", "0", drift(world, ids, start), 1e-3));
    rows.push_back(vanishes(name + ": overlap [m]", "0", std::max(0.0, -least), 1e-3));
  }
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"tilted-towers", "20, 50, 100 cubes off the axis, in real time", tiltedTowers},
    {"mass-ratios", "1e4 in turn and 1e6 in one, in real time", massRatios},
};

}  // namespace

std::span<const VerifyScenario> towerScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
