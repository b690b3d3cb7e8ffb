// SPDX-License-Identifier: MIT
// What stands must go on standing in real time: the smallest error of every step adds up.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/world/world.hpp>

#include "support/allocations.hpp"

namespace abut {
namespace {

constexpr double kStep = 1.0 / 60.0;

struct Place {
  double x = 0.0, y = 0.0, yaw = 0.0, mass = 1000.0;
};

/// Cubes of 1 m on each other, off the axis by up to `offset` [m] and turned by up to `yaw`.
std::vector<Place> makeTower(int count, double offset, double yaw, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto next = [&] { return static_cast<double>(random() >> 11u) * 0x1p-52 - 1.0; };
  std::vector<Place> places(static_cast<std::size_t>(count));
  for (Place& p : places) {
    p.x = offset * next();
    p.y = offset * next();
    p.yaw = yaw * next();
  }
  return places;
}

struct Tower {
  World world;
  std::vector<ObjectId> ids;
  std::vector<Eigen::Vector3d> start;

  explicit Tower(const std::vector<Place>& places,
                 const WorldOptions& options = WorldOptions::realTime(), double restitution = 0.0)
      : world(options) {
    Material m;
    m.friction = 0.6;
    m.restitution = restitution;
    MaterialId material = 0;
    world.materials().add(m, material).orThrow();
    BodyDescription d;
    d.type = BodyType::Static;
    world.addBody(d, PlaneShape(Eigen::Vector3d::UnitZ()), material);
    d.type = BodyType::Dynamic;
    double z = 0.5;
    for (const Place& p : places) {
      d.position = {p.x, p.y, z};
      d.orientation = Quat{std::cos(0.5 * p.yaw), 0.0, 0.0, std::sin(0.5 * p.yaw)};
      d.mass = p.mass;
      ids.push_back(world.addBody(d, BoxShape({0.5, 0.5, 0.5}), material));
      start.emplace_back(d.position);
      z += 1.0;
    }
  }
  /// Greatest way of a cube from where it was put [m].
  double drift() const {
    double most = 0.0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      BodyMotion m;
      world.getMotion(ids[i], m).orThrow();
      most = std::max(most, (Eigen::Vector3d(m.centerOfMass) - start[i]).norm());
    }
    return most;
  }
  /// Steps that did not converge.
  int run(int steps) {
    int open = 0;
    for (int i = 0; i < steps; ++i) {
      world.step(kStep).orThrow();
      open += world.getReport().converged ? 0 : 1;
    }
    return open;
  }
  double energy() const { return world.getStepLedger().kineticAfter; }
};

TEST(RealTimeTower, OfCubesOffTheAxisStands) {
  // Standing still costs nothing: no drift beyond centimetres, and what moves at first dies out.
  // The centre of what lies above stays over each cube: offsets of 5 cm are a tenth of its half
  // width.
  for (const int count : {20, 50}) {
    for (const double offset : {0.02, 0.05}) {
      for (const std::uint64_t seed : {1u, 7u}) {
        Tower tower(makeTower(count, offset, offset < 0.03 ? 0.1 : 0.5, seed));
        const int open = tower.run(1200);
        EXPECT_LT(tower.drift(), 0.01) << count << " " << offset << " " << seed;
        EXPECT_LT(tower.energy(), 0.1) << count << " " << offset << " " << seed;
        EXPECT_LE(open, 5) << count << " " << offset << " " << seed;
        EXPECT_LT(std::fabs(tower.world.getLedger().residual()), 1e-6);
      }
    }
  }
}

TEST(RealTimeTower, OfAHundredStands) {
  for (const double offset : {0.02, 0.05}) {
    Tower tower(makeTower(100, offset, 0.3, 3));
    tower.run(600);
    EXPECT_LT(tower.drift(), 0.02) << offset;
    EXPECT_LT(tower.energy(), 1.0) << offset;
  }
}

TEST(RealTimeTower, OfMassesTenThousandToOneStands) {
  for (const double offset : {0.0, 0.03}) {
    std::vector<Place> places = makeTower(10, offset, 10.0 * offset, 5);
    for (std::size_t i = 0; i < places.size(); ++i) places[i].mass = i % 2 == 0 ? 1.0 : 1e4;
    Tower tower(places);
    const int open = tower.run(1200);
    EXPECT_LT(tower.drift(), 1e-3) << offset;
    EXPECT_LT(tower.energy(), 1e-6) << offset;
    EXPECT_LE(open, 3) << offset;
  }
}

/// Tall ones whose masses alternate: no contact of such a tower holds before all below it do.
std::vector<Place> makeAlternating(int count, double offset, double heavy, std::uint64_t seed) {
  std::vector<Place> places = makeTower(count, offset, 0.2, seed);
  for (std::size_t i = 0; i < places.size(); ++i) places[i].mass = i % 2 == seed % 2 ? 1.0 : heavy;
  return places;
}

TEST(RealTimeTower, TallOfAlternatingMassesStands) {
  for (const int count : {31, 50, 80}) {
    for (const std::uint64_t seed : {2u, 5u}) {
      Tower tower(makeAlternating(count, 0.01, 1e4, seed));
      EXPECT_EQ(tower.run(300), 0) << count << " " << seed;
      EXPECT_LT(tower.drift(), 2e-3) << count << " " << seed;
      const double speed = std::sqrt(2.0 * tower.energy() / (5e3 * count));
      EXPECT_LT(speed, 5e-3) << count << " " << seed;
    }
  }
}

TEST(ExactTower, TallOfAlternatingMassesStandsFromTheFirstStepOn) {
  for (const int count : {31, 50}) {
    for (const std::uint64_t seed : {2u, 5u}) {
      Tower tower(makeAlternating(count, 0.01, 1e4, seed), WorldOptions());
      // Errors are parts of the greatest impulse, the tower's weight: of a light one's weight they
      // are to be a thousandth.
      const double light = 1e-3 / (5e3 * count);
      for (int i = 0; i < 20; ++i) {
        tower.run(1);
        EXPECT_LT(tower.world.getReport().worstError, light) << count << " " << seed << ", " << i;
      }
      EXPECT_LT(tower.drift(), 1e-4) << count << " " << seed;
    }
  }
}

TEST(RealTimeTower, AThousandTonsOnAKilogramStand) {
  std::vector<Place> places(2);
  places[0].mass = 1.0;
  places[1].mass = 1e6;
  Tower tower(places);
  EXPECT_EQ(tower.run(1200), 0);
  EXPECT_LT(tower.drift(), 1e-3);
  double force = 0.0;
  for (const WorldContact& c : tower.world.getContacts()) {
    if (c.object2 == tower.ids[1]) force += c.normalForce;
  }
  EXPECT_NEAR(force / (1e6 * 9.81), 1.0, 1e-3);
}

TEST(RealTimeTower, GoesOnFromASnapshotWithTheSameBits) {
  Tower tower(makeTower(20, 0.05, 0.5, 2));
  tower.run(100);
  Tower other(makeTower(1, 0.0, 0.0, 1));  // Has the shapes, and another past.
  other.run(7);
  ASSERT_TRUE(other.world.restore(tower.world.snapshot()));
  tower.run(50);
  other.run(50);
  EXPECT_EQ(other.world.hash(), tower.world.hash());
}

TEST(RealTimeTower, StandsWithSubstepsAndWithRestitution) {
  WorldOptions options = WorldOptions::realTime();
  options.substeps = 2;
  Tower fine(makeTower(20, 0.05, 0.5, 4), options);
  fine.run(300);
  EXPECT_LT(fine.drift(), 0.01);
  Tower elastic(makeTower(20, 0.05, 0.5, 4), WorldOptions::realTime(), 0.5);
  elastic.run(600);
  EXPECT_LT(elastic.drift(), 0.01);
  EXPECT_LT(elastic.energy(), 0.1);
}

TEST(RealTimeTower, FallsAsleep) {
  WorldOptions options = WorldOptions::realTime();
  options.sleeping = true;
  Tower tower(makeTower(50, 0.05, 0.5, 6), options);
  tower.run(300);
  EXPECT_EQ(tower.world.getReport().asleep, tower.ids.size());
  EXPECT_LT(tower.drift(), 0.01);
}

TEST(RealTimeTower, OnceSettledStepsDoNotAllocate) {
  Tower tower(makeTower(20, 0.02, 0.1, 8));
  tower.run(120);
  const std::size_t before = test::countAllocations();
  tower.run(60);
  EXPECT_EQ(test::countAllocations(), before);
}

}  // namespace
}  // namespace abut
