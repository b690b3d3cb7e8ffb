// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/ranks/distributed_world.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/inspect.hpp>

#include "core/fnv.hpp"
#include "support/random.hpp"
#include "support/thread_ranks.hpp"

/// Worlds on one rank and on several, step by step: all that each step shows, as numbers.
namespace abut::test {

inline constexpr double kStep = 1.0 / 120.0;

using MakeWorld = std::function<World()>;
using BeforeStep = std::function<void(World&, int)>;
using Facts = std::map<std::string, std::uint64_t>;

/// The bits of numbers and vectors, one after the other.
class Bits {
public:
  Bits& operator<<(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    fnv_.add(bits);
    return *this;
  }
  Bits& operator<<(const Eigen::Vector3d& v) { return *this << v.x() << v.y() << v.z(); }
  Bits& operator<<(std::uint64_t value) {
    fnv_.add(value);
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return fnv_.value; }

private:
  Fnv fnv_;
};

inline std::uint64_t bitsOf(const EnergyAccount& a) {
  Bits bits;
  for (const double x :
       {a.kineticBefore, a.kineticAfter, a.potentialBefore, a.potentialAfter, a.drivers, a.forces,
        a.impact, a.friction, a.correction, a.integrator, a.elasticBefore, a.elasticAfter, a.motors,
        a.dampers, a.limits, a.jointFriction, a.joints, a.compliance}) {
    bits << x;
  }
  return bits.value();
}

/// All that a world shows of its last step, a number for each kind.
inline Facts factsOf(const World& world) {
  Facts facts;
  facts["state"] = world.hash();
  Bits contacts, events, sleeps, senses, joints, drivers;
  for (const WorldContact& c : world.getContacts()) {
    contacts << c.object1 << c.object2 << c.position << c.normal << c.depth << c.normalForce
             << c.frictionForce << c.resistingCouple << c.impactImpulse << c.slip << c.friction
             << std::uint64_t{c.island} << c.id;
  }
  for (const ContactEvent& e : world.getEvents()) {
    events << e.object1 << e.object2 << static_cast<std::uint64_t>(e.kind) << e.since << e.impulse
           << e.normalImpulse;
  }
  for (const ObjectPair& p : world.getBegunPairs()) events << p.first << p.second;
  for (const ObjectPair& p : world.getEndedPairs()) events << p.first << p.second;
  for (const SleepEvent& e : world.getSleepEvents()) {
    sleeps << e.body << static_cast<std::uint64_t>(e.kind);
  }
  for (const SensorEvent& e : world.getSensorEvents()) {
    senses << static_cast<std::uint64_t>(e.kind) << e.sensor << e.body << e.since;
  }
  for (const ObjectId id : world.getJointIds()) {
    const JointState s = world.jointState(id);
    joints << id << s.position[0] << s.rate[0] << s.driveForce[0] << s.force << s.torque
           << s.stepWork.motors << s.work.motors;
  }
  for (const JointEvent& e : world.getJointEvents()) {
    joints << e.joint << e.body1 << e.body2 << e.force << e.torque;
  }
  for (const DriverReport& d : world.getDrivers())
    drivers << d.body << d.work << d.force << d.torque << std::uint64_t{d.stalled};
  facts["contacts"] = contacts.value();
  facts["events"] = events.value();
  facts["sleep"] = sleeps.value();
  facts["sensors"] = senses.value();
  facts["joints"] = joints.value();
  facts["drivers"] = drivers.value();
  facts["ledger"] = bitsOf(world.getLedger());
  facts["account"] = bitsOf(world.getStepLedger());
  const StepReport& r = world.getReport();
  Bits report;
  report << std::uint64_t{r.contacts} << std::uint64_t{r.islands} << r.worstError << r.worst1
         << r.worst2 << std::uint64_t{r.converged} << r.tolerance;
  facts["report"] = report.value();
  facts["counts"] =
      (Bits() << static_cast<double>(r.sweeps) << static_cast<double>(r.newtonSteps)
              << std::uint64_t{r.presses} << std::uint64_t{r.asleep} << r.greatestDepth)
          .value();
  facts["exact"] =
      (Bits() << r.rigidError << r.approach << std::uint64_t{r.compliantIslands} << r.softness
              << r.restitutionAsked << r.restitutionDelivered << std::uint64_t{r.unfinishedImpacts})
          .value();
  return facts;
}

struct Course {
  std::vector<Facts> steps;
  std::size_t contacts = 0, moved = 0, slept = 0, sensed = 0, broken = 0;
};

inline void count(const World& world, Course& course) {
  course.steps.push_back(factsOf(world));
  course.contacts += world.getContacts().size();
  course.slept += world.getSleepEvents().size();
  course.sensed += world.getSensorEvents().size();
  course.broken += world.getJointEvents().size();
}

inline Course onOne(const MakeWorld& make, int steps, const BeforeStep& before) {
  Course course;
  World world = make();
  for (int i = 0; i < steps; ++i) {
    before(world, i);
    world.step(kStep).orThrow();
    count(world, course);
  }
  return course;
}

inline Course onRanks(int ranks, const MakeWorld& make, int steps, const BeforeStep& before) {
  Course course;
  std::mutex mutex;
  ThreadRanks(ranks).run([&](Communicator& communicator) {
    World world = make(), whole;
    const std::vector<ObjectId> ids(bodiesOf(world).begin(), bodiesOf(world).end());
    DistributedWorld divided(world, communicator);
    std::map<ObjectId, bool> wasOwn;
    std::size_t moved = 0;
    for (int i = 0; i < steps; ++i) {
      before(world, i);
      world.step(kStep).orThrow();
      divided.assemble(whole);
      if (communicator.getRank() == 0) count(whole, course);
      for (const ObjectId id : ids) {
        moved += i > 0 && divided.isOwn(id) && !wasOwn[id] ? 1 : 0;
        wasOwn[id] = divided.isOwn(id);
      }
    }
    const std::lock_guard<std::mutex> lock(mutex);
    course.moved += moved;
  });
  return course;
}

/// On that many ranks all is what it is on one, in every step. Returns what was seen.
inline Course expectSame(
    const std::vector<int>& numbers, const MakeWorld& make, int steps,
    const BeforeStep& before = [](World&, int) {}) {
  const Course one = onOne(make, steps, before);
  EXPECT_GT(one.contacts, 0u);
  Course seen = one;
  for (const int ranks : numbers) {
    const Course many = onRanks(ranks, make, steps, before);
    seen.moved += many.moved;
    EXPECT_EQ(one.steps.size(), many.steps.size());
    for (std::size_t i = 0; i < one.steps.size() && i < many.steps.size(); ++i) {
      if (one.steps[i] == many.steps[i]) continue;
      std::string others;
      for (const auto& [name, value] : one.steps[i]) {
        if (value != many.steps[i].at(name)) others += " " + name;
      }
      ADD_FAILURE() << ranks << " ranks, step " << i << " has other" << others;
      break;
    }
  }
  return seen;
}

inline WorldOptions options(StepScheme scheme, bool sleeping = false, int substeps = 1) {
  WorldOptions o;
  o.scheme = scheme;
  o.sleeping = sleeping;
  o.sleepAfter = 0.05;
  o.substeps = substeps;
  return o;
}

inline void addFloor(World& world, MaterialId material = 0) {
  BodyDescription floor;
  floor.type = BodyType::Static;
  world.addBody(floor, PlaneShape(Eigen::Vector3d(0, 0, 1), 0.0), material);
}

/// Towers in a row, spheres that fly among them and bounce.
inline World makeTowers(const WorldOptions& o, std::uint64_t seed, double restitution = 0.4,
                        int height = 3) {
  World world(o);
  MaterialId id = 0;
  Material material;
  material.restitution = restitution;
  world.materials().add(material, id).orThrow();
  addFloor(world, id);
  Random random(seed);
  for (int t = 0; t < 6; ++t) {
    for (int k = 0; k < height; ++k) {
      BodyDescription body;
      body.position = {0.5 * t, 0.02 * k, 0.1 + 0.2 * k};
      world.addBody(body, BoxShape(Eigen::Vector3d(0.1, 0.1, 0.1)));
    }
  }
  for (int s = 0; s < 8; ++s) {
    BodyDescription body;
    body.position = {0.4 * s - 0.2, 0.4 + random.between(-0.1, 0.1), 0.3 + random.between(0, 0.3)};
    body.linearVelocity = {random.between(-2, 2), -3.0 + random.between(-1, 1), 0.0};
    if (s % 2 == 0) {
      world.addBody(body, SphereShape(0.08), id);
    } else {
      world.addBody(body, CapsuleShape(0.05, 0.1), id);
    }
  }
  return world;
}

}  // namespace abut::test
