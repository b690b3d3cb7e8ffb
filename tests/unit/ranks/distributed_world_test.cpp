// SPDX-License-Identifier: MIT
//
// A world on several ranks gives the bits of the same world on one.
#include <functional>
#include <mutex>
#include <vector>

#include <gtest/gtest.h>

#include <abut/ranks/distributed_world.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/inspect.hpp>

#include "support/random.hpp"
#include "support/thread_ranks.hpp"

namespace abut {
namespace {

using test::ThreadRanks;

constexpr double kStep = 1.0 / 120.0;
/// Numbers of ranks; 7 divides nothing here evenly.
const std::vector<int> kManyRanks = {1, 2, 3, 4, 7}, kFewRanks = {2, 3};

using MakeWorld = std::function<World()>;
using BeforeStep = std::function<void(World&, int)>;

struct Outcome {
  std::vector<std::uint64_t> hashes;  ///< After each of the steps asked for.
  std::vector<WorldContact> contacts;
  std::vector<ContactEvent> events;
  EnergyAccount ledger;
  StepReport report;
  std::size_t moved = 0;  ///< Bodies that changed their rank.
};

void noChange(World&, int) {}

Outcome onOneRank(const MakeWorld& make, int steps, int every, const BeforeStep& before) {
  Outcome course;
  World world = make();
  for (int i = 0; i < steps; ++i) {
    before(world, i);
    world.step(kStep).orThrow();
    if ((i + 1) % every == 0) course.hashes.push_back(world.hash());
  }
  course.contacts.assign(world.getContacts().begin(), world.getContacts().end());
  course.events.assign(world.getEvents().begin(), world.getEvents().end());
  course.ledger = world.getLedger();
  course.report = world.getReport();
  return course;
}

Outcome onRanks(int ranks, const MakeWorld& make, int steps, int every, const BeforeStep& before) {
  Outcome course;
  std::mutex mutex;
  ThreadRanks(ranks).run([&](Communicator& communicator) {
    World world = make();
    const std::vector<ObjectId> ids(bodiesOf(world).begin(), bodiesOf(world).end());
    DistributedWorld divided(world, communicator);
    std::vector<bool> isOwn(ids.size(), false);
    std::size_t moved = 0;
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < steps; ++i) {
      before(world, i);
      world.step(kStep).orThrow();
      if ((i + 1) % every == 0) hashes.push_back(divided.hash());
      for (std::size_t k = 0; k < ids.size(); ++k) {
        const bool now = divided.isOwn(ids[k]);
        if (now && !isOwn[k] && i > 0) ++moved;
        isOwn[k] = now;
      }
    }
    std::vector<WorldContact> contacts;
    std::vector<ContactEvent> events;
    divided.getContacts(contacts);
    divided.getEvents(events);
    const std::lock_guard<std::mutex> lock(mutex);
    course.moved += moved;
    if (communicator.getRank() != 0) return;
    course.hashes = hashes;
    course.contacts = contacts;
    course.events = events;
    course.ledger = world.getLedger();
    course.report = world.getReport();
  });
  return course;
}

void expectSame(const Outcome& one, const Outcome& many, int ranks) {
  ASSERT_EQ(one.hashes.size(), many.hashes.size());
  for (std::size_t i = 0; i < one.hashes.size(); ++i) {
    ASSERT_EQ(one.hashes[i], many.hashes[i]) << ranks << " ranks, hash " << i;
  }
  ASSERT_EQ(one.contacts.size(), many.contacts.size());
  for (std::size_t i = 0; i < one.contacts.size(); ++i) {
    const WorldContact &a = one.contacts[i], &b = many.contacts[i];
    ASSERT_EQ(a.object1, b.object1);
    ASSERT_EQ(a.object2, b.object2);
    ASSERT_EQ(a.position, b.position);
    ASSERT_EQ(a.depth, b.depth);
    ASSERT_EQ(a.normalForce, b.normalForce);
    ASSERT_EQ(a.frictionForce, b.frictionForce);
    ASSERT_EQ(a.resistingCouple, b.resistingCouple);
    ASSERT_EQ(a.slip, b.slip) << ranks << " ranks, contact " << i;
    ASSERT_EQ(a.island, b.island);
    ASSERT_EQ(a.id, b.id);
  }
  ASSERT_EQ(one.events.size(), many.events.size());
  for (std::size_t i = 0; i < one.events.size(); ++i) {
    ASSERT_EQ(one.events[i].object1, many.events[i].object1);
    ASSERT_EQ(one.events[i].object2, many.events[i].object2);
    ASSERT_EQ(one.events[i].kind, many.events[i].kind);
    ASSERT_EQ(one.events[i].since, many.events[i].since);
    ASSERT_EQ(one.events[i].impulse, many.events[i].impulse);
  }
  EXPECT_EQ(one.ledger.kineticAfter, many.ledger.kineticAfter);
  EXPECT_EQ(one.ledger.friction, many.ledger.friction);
  EXPECT_EQ(one.ledger.impact, many.ledger.impact);
  EXPECT_EQ(one.ledger.correction, many.ledger.correction);
  EXPECT_EQ(one.ledger.drivers, many.ledger.drivers);
  EXPECT_EQ(one.report.contacts, many.report.contacts);
  EXPECT_EQ(one.report.islands, many.report.islands);
  EXPECT_EQ(one.report.sweeps, many.report.sweeps);
  EXPECT_EQ(one.report.newtonSteps, many.report.newtonSteps);
  EXPECT_EQ(one.report.worstError, many.report.worstError);
  EXPECT_EQ(one.report.converged, many.report.converged);
  EXPECT_EQ(one.report.worst1, many.report.worst1);
  EXPECT_EQ(one.report.worst2, many.report.worst2);
  EXPECT_EQ(one.report.greatestDepth, many.report.greatestDepth);
}

void expectSameOn(const std::vector<int>& numbers, const MakeWorld& make, int steps, int every,
                  const BeforeStep& before = noChange, bool moves = false) {
  const Outcome one = onOneRank(make, steps, every, before);
  for (const int ranks : numbers) {
    const Outcome many = onRanks(ranks, make, steps, every, before);
    expectSame(one, many, ranks);
    if (testing::Test::HasFatalFailure()) return;
    if (moves && ranks > 1) {
      EXPECT_GT(many.moved, 5u) << "hardly a body changed its rank";
    }
  }
}

WorldOptions realTime() {
  WorldOptions options;
  options.scheme = StepScheme::RealTime;
  return options;
}

enum class Grain { Sphere, Box, Mixed };

/// Bodies in a loose grid above a floor, a little off it by chance.
World makePile(Grain grain, int nx, int ny, int nz, double spacing, std::uint64_t seed,
               const Material& material = {}) {
  World world(realTime());
  MaterialId id = 0;
  world.materials().add(material, id).orThrow();
  BodyDescription floor;
  floor.type = BodyType::Static;
  world.addBody(floor, PlaneShape(Eigen::Vector3d(0, 0, 1), 0.0), id);
  test::Random random(seed);
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        BodyDescription body;
        body.type = BodyType::Dynamic;
        body.position = {spacing * i + random.between(-0.02, 0.02),
                         spacing * j + random.between(-0.02, 0.02),
                         0.12 + spacing * k + random.between(-0.01, 0.01)};
        body.linearVelocity = {random.between(-1, 1), random.between(-1, 1), -2.0};
        const int kind = grain == Grain::Mixed ? (i + j + k) % 3 : grain == Grain::Box ? 1 : 0;
        if (kind == 0) {
          world.addBody(body, SphereShape(0.1), id);
        } else if (kind == 1) {
          world.addBody(body, BoxShape(Eigen::Vector3d(0.08, 0.1, 0.07)), id);
        } else {
          world.addBody(body, CapsuleShape(0.06, 0.1), id);
        }
      }
    }
  }
  return world;
}

TEST(DistributedWorld, SpheresThatFallInAHeapHaveTheSameBits) {
  // 250 bodies in one island: more than are gathered.
  expectSameOn(
      kManyRanks, [] { return makePile(Grain::Sphere, 10, 5, 5, 0.21, 1); }, 15, 5);
}

TEST(DistributedWorld, BoxesThatFallInAHeapHaveTheSameBits) {
  expectSameOn(
      kFewRanks, [] { return makePile(Grain::Box, 9, 5, 5, 0.22, 2); }, 15, 5);
}

TEST(DistributedWorld, MixedShapesWithRestitutionHaveTheSameBits) {
  Material material;
  material.restitution = 0.5;
  expectSameOn(
      kFewRanks, [&] { return makePile(Grain::Mixed, 9, 5, 5, 0.22, 3, material); }, 15, 5);
}

TEST(DistributedWorld, ResistanceToRollingHasTheSameBits) {
  Material material;
  material.rollingResistance = 1e-3;
  material.spinningResistance = 1e-3;
  expectSameOn(
      kFewRanks, [&] { return makePile(Grain::Sphere, 9, 5, 5, 0.21, 4, material); }, 10, 5);
}

/// Small islands at rest go to Newton's method on one rank, wherever their bodies are.
TEST(DistributedWorld, TowersOnBordersHaveTheSameBits) {
  const auto make = [] {
    World world(realTime());
    BodyDescription floor;
    floor.type = BodyType::Static;
    world.addBody(floor, PlaneShape(Eigen::Vector3d(0, 0, 1), 0.0));
    for (int tower = 0; tower < 5; ++tower) {
      for (int i = 0; i < 12; ++i) {
        BodyDescription body;
        body.type = BodyType::Dynamic;
        body.position = {0.4 * tower + 0.01 * (i % 2), 0.02 * (i % 3), 0.1 + 0.2 * i};
        world.addBody(body, BoxShape(Eigen::Vector3d(0.1, 0.1, 0.1)));
      }
    }
    return world;
  };
  expectSameOn(kFewRanks, make, 25, 5);
}

/// A wind blows half of the bodies one way over the borders and the others the other way.
TEST(DistributedWorld, BodiesThatCrossBordersTakeTheirContactsAlong) {
  const auto before = [](World& world, int step) {
    if (step % 20 != 0) return;
    for (const ObjectId id : bodiesOf(world)) {
      // Ghosts take what their owners say.
      if (id > 1) (void)world.applyForce(id, {id % 2 == 0 ? 900.0 : -900.0, 90.0, 0.0}, {0, 0, 0});
    }
  };
  expectSameOn(
      kFewRanks, [] { return makePile(Grain::Mixed, 8, 3, 3, 0.25, 5); }, 60, 10, before, true);
}

/// Bodies that cover more than their size in a step hit others on other ranks.
TEST(DistributedWorld, FastBodiesHaveTheSameBits) {
  const auto make = [] {
    World world = makePile(Grain::Mixed, 8, 4, 3, 0.25, 6);
    for (int i = 0; i < 12; ++i) {
      BodyDescription body;
      body.type = BodyType::Dynamic;
      body.position = {-1.0 - 0.3 * i, 0.1 + 0.06 * i, 0.15 + 0.05 * (i % 5)};
      body.linearVelocity = {60.0, 1.0 * (i % 3), 0.5};
      body.angularVelocity = {3.0, 20.0, 1.0};
      if (i % 2 == 0) {
        world.addBody(body, SphereShape(0.05));
      } else {
        world.addBody(body, BoxShape(Eigen::Vector3d(0.05, 0.03, 0.04)));
      }
    }
    return world;
  };
  expectSameOn(kManyRanks, make, 15, 1);
}

/// Jaws that close on a body: what cannot give way is found out on one rank.
TEST(DistributedWorld, PressesHaveTheSameBits) {
  const auto make = [] {
    World world(realTime());
    for (int k = 0; k < 4; ++k) {
      for (const double side : {-1.0, 1.0}) {
        BodyDescription jaw;
        jaw.type = BodyType::Kinematic;
        jaw.position = {side * 0.65 + 1.0 * k, 0.3 * k, 0.5};
        jaw.linearVelocity = {-side * 0.5, 0, 0};
        world.addBody(jaw, BoxShape(Eigen::Vector3d(0.2, 0.5, 0.5)));
      }
      for (int i = 0; i < 2; ++i) {
        BodyDescription body;
        body.type = BodyType::Dynamic;
        body.position = {1.0 * k - 0.2 + 0.41 * i, 0.3 * k, 0.5};
        world.addBody(body, BoxShape(Eigen::Vector3d(0.2, 0.2, 0.2)));
      }
    }
    return world;
  };
  expectSameOn(kManyRanks, make, 20, 1);
}

/// A plate on which more bodies lie than there are colours.
TEST(DistributedWorld, BodiesWithManyContactsHaveTheSameBits) {
  const auto make = [] {
    World world = makePile(Grain::Sphere, 10, 10, 3, 0.21, 8);
    BodyDescription plate;
    plate.type = BodyType::Dynamic;
    plate.position = {1.0, 1.0, 0.9};
    world.addBody(plate, BoxShape(Eigen::Vector3d(1.3, 1.3, 0.05)));
    return world;
  };
  expectSameOn(kFewRanks, make, 25, 5);
}

TEST(DistributedWorld, SnapshotsGoOnOnAnyNumberOfRanks) {
  const MakeWorld make = [] { return makePile(Grain::Mixed, 5, 4, 3, 0.24, 9); };
  World world = make();
  for (int i = 0; i < 25; ++i) world.step(kStep).orThrow();
  const std::vector<std::byte> expected = world.snapshot();
  for (int i = 0; i < 25; ++i) world.step(kStep).orThrow();
  std::vector<std::byte> saved;
  ThreadRanks(3).run([&](Communicator& communicator) {
    World part = make();
    DistributedWorld divided(part, communicator);
    for (int i = 0; i < 25; ++i) part.step(kStep).orThrow();
    const std::vector<std::byte> bytes = divided.snapshot();
    if (communicator.getRank() == 0) saved = bytes;
  });
  ASSERT_EQ(saved, expected);
  for (const int ranks : {1, 2, 4}) {
    ThreadRanks(ranks).run([&](Communicator& communicator) {
      World part = make();
      DistributedWorld divided(part, communicator);
      part.step(kStep).orThrow();
      divided.restore(saved).orThrow();
      for (int i = 0; i < 25; ++i) part.step(kStep).orThrow();
      EXPECT_EQ(divided.hash(), world.hash());
    });
  }
}

/// A rank holds its own bodies and those near them.
TEST(DistributedWorld, RanksHoldPartsOnly) {
  ThreadRanks(4).run([&](Communicator& communicator) {
    World part = makePile(Grain::Sphere, 40, 4, 2, 0.3, 10);
    DistributedWorld divided(part, communicator);
    for (int i = 0; i < 3; ++i) part.step(kStep).orThrow();
    EXPECT_GT(divided.numOwn(), 60u);
    EXPECT_LT(divided.numOwn(), 100u);
    EXPECT_LT(divided.numGhosts(), 60u);
    EXPECT_EQ(part.numBodies(), divided.numOwn() + divided.numGhosts() + 1);
  });
}

TEST(DistributedWorld, RefusesWorldsThatDifferBetweenRanks) {
  EXPECT_THROW(ThreadRanks(3).run([&](Communicator& communicator) {
    World world = makePile(Grain::Sphere, 3, 3, 3, 0.3, communicator.getRank() == 2 ? 11 : 12);
    DistributedWorld divided(world, communicator);
  }),
               Error);
}

/// A step that fails fails on all ranks with the same words, and changes nothing.
TEST(DistributedWorld, StepsFailOnAllRanksAlike) {
  const MakeWorld make = [] { return makePile(Grain::Sphere, 9, 3, 2, 0.3, 13); };
  World world = make();
  for (int i = 0; i < 5; ++i) world.step(kStep).orThrow();
  const auto push = [](World& w) { (void)w.applyForce(20, {1e14, 0, 0}, {0, 0, 0}); };
  push(world);
  const std::uint64_t before = world.hash();
  const Status expected = world.step(kStep);
  ASSERT_FALSE(expected);
  for (const int ranks : {2, 4}) {
    ThreadRanks(ranks).run([&](Communicator& communicator) {
      World part = make();
      DistributedWorld divided(part, communicator);
      for (int i = 0; i < 5; ++i) part.step(kStep).orThrow();
      push(part);
      EXPECT_EQ(divided.hash(), before);
      const Status status = part.step(kStep);
      EXPECT_EQ(status.getMessage(), expected.getMessage());
      EXPECT_EQ(divided.hash(), before);
    });
  }
}

}  // namespace
}  // namespace abut
