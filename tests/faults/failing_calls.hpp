// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#include <abut/world/inspect.hpp>

#include "support/allocations.hpp"

namespace abut::test {

/// Whether every allocation of a call is to fail once; else the first few and a part of the others.
/// scripts/faults asks for all.
inline bool failsAll() {
  const char* wanted = std::getenv("ABUT_FAULTS");
  return wanted != nullptr && std::string(wanted) == "all";
}

/// The number of the allocation to fail after number n.
inline std::size_t nextFailure(std::size_t n) {
  if (failsAll() || n < 24) return n + 1;
  return n + 1 + n / 6;
}

/// A call of a world that is to change all or nothing.
struct FailingCall {
  std::string name;
  std::function<Status(World&)> run;
};

/// What a world shows of its last step, and what it answers, as numbers to compare.
inline std::vector<double> shownBy(const World& world) {
  std::vector<double> shown{world.getTime(), static_cast<double>(world.numBodies()),
                            static_cast<double>(world.numJoints()),
                            static_cast<double>(world.getReport().sweeps),
                            world.getStepLedger().kineticAfter};
  for (const WorldContact& c : world.getContacts()) {
    shown.insert(shown.end(), {static_cast<double>(c.object1), static_cast<double>(c.object2),
                               c.depth, c.normalForce});
  }
  for (const ContactEvent& e : world.getEvents()) shown.push_back(e.normalImpulse);
  for (const SleepEvent& e : world.getSleepEvents()) shown.push_back(static_cast<double>(e.body));
  for (const SensorEvent& e : world.getSensorEvents()) shown.push_back(e.since);
  for (const DriverReport& d : world.getDrivers()) shown.push_back(d.work);
  for (const ObjectId id : bodiesOf(world)) shown.push_back(static_cast<double>(id));
  return shown;
}

/// A world in a given state, as often as it is asked for.
using MakeWorld = std::function<World()>;

/// Lets each allocation of a call fail, alone and with all that follow: the call must answer with
/// OutOfMemory and change nothing, and do the same as ever when it is made again. Returns how many
/// failures there were.
inline std::size_t failEverywhere(const MakeWorld& make, const FailingCall& call, double dt) {
  const auto goOn = [dt](World& world) {
    for (int i = 0; i < 2; ++i) {
      const Status status = world.step(dt);
      EXPECT_TRUE(status) << status.getMessage();
    }
  };
  World reference = make();
  const Status expected = call.run(reference);
  EXPECT_TRUE(expected) << call.name << ": " << expected.getMessage();
  const std::uint64_t afterCall = reference.hash();
  const std::vector<double> shownAfter = shownBy(reference);
  goOn(reference);
  const std::uint64_t atEnd = reference.hash();
  std::size_t tried = 0;
  for (const bool all : {false, true}) {
    for (std::size_t n = 1;; n = nextFailure(n)) {
      World world = make();
      const std::uint64_t hash = world.hash();
      const std::vector<std::byte> bytes = world.snapshot();
      const std::vector<double> shown = shownBy(world);
      Status status;
      std::size_t failures = 0;
      {
        FailingAllocations failing(n, all);
        status = call.run(world);
        failing.stop();
        failures = failing.numFailures();
      }
      if (failures == 0) break;
      ++tried;
      const std::string where =
          call.name + ", allocation " + std::to_string(n) + (all ? " and all after it" : "");
      if (status) {  // It could do without.
        EXPECT_EQ(world.hash(), afterCall) << where;
      } else {
        EXPECT_EQ(status.getCode(), StatusCode::OutOfMemory)
            << where << ": " << status.getMessage();
        EXPECT_EQ(world.hash(), hash) << where;
        EXPECT_EQ(world.snapshot(), bytes) << where;
        EXPECT_EQ(shownBy(world), shown) << where;
        status = call.run(world);
        EXPECT_TRUE(status) << where << ", again: " << status.getMessage();
        EXPECT_EQ(world.hash(), afterCall) << where << ", again";
        EXPECT_EQ(shownBy(world), shownAfter) << where << ", again";
      }
      goOn(world);
      EXPECT_EQ(world.hash(), atEnd) << where << ", two steps later";
      if (testing::Test::HasFailure()) return tried;
    }
  }
  return tried;
}

}  // namespace abut::test
