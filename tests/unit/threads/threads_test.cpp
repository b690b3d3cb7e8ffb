// SPDX-License-Identifier: MIT
// The standard scenes in both schemes: the same bits on any number of threads, and for chunks in
// any order.
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

#include "support/schemes.hpp"
#include "support/standard_scenes.hpp"
#include "support/thread_tasks.hpp"

namespace abut {
namespace {

/// All ways to do the work but the plain one.
std::vector<std::unique_ptr<TaskRunner>> makeRunners() {
  std::vector<std::unique_ptr<TaskRunner>> runners;
  runners.push_back(std::make_unique<SerialTasks>());
  runners.push_back(std::make_unique<ShuffledTasks>(1));
  runners.push_back(std::make_unique<ShuffledTasks>(2));
  for (const int threads : {2, 3, 8}) {
    runners.push_back(std::make_unique<test::ThreadTasks>(threads));
  }
#if ABUT_HAS_TBB
  for (const int threads : {1, 2, 3, 8}) runners.push_back(std::make_unique<TbbTasks>(threads));
#endif
  return runners;
}

/// The hash of the state, and what the steps told.
std::vector<std::uint64_t> outcomeOf(World& world, int steps) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < steps; ++i) {
    world.step(test::kStep).orThrow();
    const StepReport& r = world.getReport();
    numbers.insert(numbers.end(),
                   {world.hash(), static_cast<std::uint64_t>(r.sweeps), r.converged ? 1u : 0u,
                    r.worst1, r.worst2, world.getContacts().size(), world.getEvents().size()});
  }
  for (const WorldContact& c : world.getContacts()) {
    numbers.insert(numbers.end(), {c.object1, c.object2, c.id, c.island});
  }
  for (const ContactEvent& e : world.getEvents()) {
    numbers.insert(numbers.end(), {e.object1, e.object2, static_cast<std::uint64_t>(e.kind)});
  }
  return numbers;
}

class Threads : public testing::TestWithParam<std::tuple<StepScheme, std::size_t>> {};

TEST_P(Threads, changeNoBit) {
  const auto [scheme, number] = GetParam();
  const bool isExact = scheme == StepScheme::Exact;
  const test::StandardScene scene =
      isExact ? test::smallScene(number) : test::makeStandardScenes()[number];
  const auto outcomeWith = [&](TaskRunner* tasks) {
    WorldOptions options = isExact ? WorldOptions{} : WorldOptions::realTime();
    options.tasks = tasks;
    World world(options);
    test::addBodies(scene, world);
    return outcomeOf(world, 40);
  };
  const std::vector<std::uint64_t> expected = outcomeWith(nullptr);
  for (const std::unique_ptr<TaskRunner>& runner : makeRunners()) {
    EXPECT_EQ(outcomeWith(runner.get()), expected)
        << scene.title << ", " << runner->numThreads() << " threads";
  }
}
std::string nameOf(const testing::TestParamInfo<std::tuple<StepScheme, std::size_t>>& scene) {
  const bool isExact = std::get<0>(scene.param) == StepScheme::Exact;
  return std::string(isExact ? "Exact" : "RealTime") +
         static_cast<char>('A' + std::get<1>(scene.param));
}
INSTANTIATE_TEST_SUITE_P(Scenes, Threads,
                         testing::Combine(test::bothSchemes(),
                                          testing::Range(std::size_t{0}, std::size_t{6})),
                         nameOf);

}  // namespace
}  // namespace abut
