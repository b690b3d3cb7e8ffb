// SPDX-License-Identifier: MIT
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include <abut/abut.hpp>

namespace abut {
namespace {

/// Writes down what it is told; kNumStepStages stands for the end of a step.
class Notes final : public StepObserver {
public:
  void onStage(StepStage stage) override { seen.push_back(static_cast<std::size_t>(stage)); }
  void onEnd() override { seen.push_back(kNumStepStages); }
  std::vector<std::size_t> seen;
};

World tower(const WorldOptions& options) {
  World world(options);
  world.addBody({.type = BodyType::Static, .id = 1}, PlaneShape({0, 0, 1}));
  for (int i = 0; i < 5; ++i) {
    world.addBody({.position = {0, 0, 0.5 + i}, .id = static_cast<ObjectId>(10 + i)},
                  BoxShape({0.5, 0.5, 0.5}));
  }
  return world;
}

TEST(WorldObserver, isToldTheStagesOfBothSchemesInOrder) {
  World world = tower({});
  Notes notes;
  world.setObserver(&notes);
  world.step(0.01).orThrow();
  EXPECT_EQ(notes.seen, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));

  World fast = tower(WorldOptions::realTime());
  Notes fastNotes;
  fast.setObserver(&fastNotes);
  fast.step(0.01).orThrow();
  EXPECT_EQ(fastNotes.seen, (std::vector<std::size_t>{0, 1, 2, 3, 5, 6, 7, 8, 9, 10}));
}

TEST(WorldObserver, isToldTheEndOfAStepThatFails) {
  World world;
  world.addBody({.linearVelocity = {0, 0, 1e9}, .id = 7}, SphereShape(0.5));
  world.applyForce(7, {0, 0, 1e20}, {0, 0, 0}).orThrow();
  Notes notes;
  world.setObserver(&notes);
  ASSERT_FALSE(world.step(1.0));
  EXPECT_EQ(notes.seen.back(), kNumStepStages);
}

TEST(WorldObserver, changesNoBitAndCanBeTakenAway) {
  World watched = tower({}), alone = tower({});
  Notes notes;
  watched.setObserver(&notes);
  for (int i = 0; i < 20; ++i) {
    watched.step(0.01).orThrow();
    alone.step(0.01).orThrow();
  }
  EXPECT_EQ(watched.hash(), alone.hash());
  EXPECT_EQ(watched.snapshot(), alone.snapshot());
  const std::size_t told = notes.seen.size();
  watched.setObserver(nullptr);
  watched.step(0.01).orThrow();
  EXPECT_EQ(notes.seen.size(), told);
}

TEST(WorldObserver, namesOfStagesAreDistinct) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kNumStepStages; ++i) {
    const std::string_view name = toString(static_cast<StepStage>(i));
    for (const std::string_view other : names) EXPECT_NE(name, other);
    names.push_back(name);
  }
}

TEST(StepReportOfWorlds, namesThePairWhereTheErrorIsLargest) {
  // Two islands: a ball at rest keeps its impulse of the step before, a tower of five is far from
  // its own after a few sweeps. So the worst pair is in the tower.
  for (WorldOptions options : {WorldOptions{}, WorldOptions::realTime()}) {
    options.solver.maxSweeps = 2;
    options.solver.allowDirect = false;
    options.solver.tolerance = 1e-15;
    World world = tower(options);
    world.addBody({.position = {9, 0, 0.5}, .id = 2}, SphereShape(0.5));
    for (int i = 0; i < 3; ++i) world.step(0.01).orThrow();
    const StepReport& report = world.getReport();
    ASSERT_FALSE(report.converged);
    EXPECT_GT(report.worstError, 1e-6);
    EXPECT_TRUE(report.worst1 == 1 || report.worst1 >= 10) << report.worst1;
    EXPECT_GE(report.worst2, 10u);
  }
}

TEST(StepReportOfWorlds, namesNoPairWithoutContacts) {
  World world;
  world.addBody({.id = 3}, SphereShape(0.5));
  world.step(0.01).orThrow();
  EXPECT_EQ(world.getReport().worst1, kNoObject);
  EXPECT_EQ(world.getReport().worst2, kNoObject);
}

/// Calls every mutator, and throws at a stage where asked to.
class Meddler final : public StepObserver {
public:
  Meddler(World& world, StepStage at, bool throws) : world_(world), at_(at), throws_(throws) {}
  void onStage(StepStage stage) override {
    if (stage != at_) return;
    ObjectId id = kNoObject;
    answers.push_back(world_.addBody({}, {{std::make_shared<SphereShape>(0.1), Pose{}, 0}}, id));
    answers.push_back(world_.removeBody(10));
    answers.push_back(world_.setPose(10, {0, 0, 9}, Quat{}));
    answers.push_back(world_.setVelocity(10, {0, 0, 9}, {0, 0, 0}));
    answers.push_back(world_.applyForce(10, {0, 0, 9}, {0, 0, 0}));
    answers.push_back(world_.wake(10));
    answers.push_back(world_.setGravity({0, 0, 1}));
    answers.push_back(world_.restore(world_.snapshot()));
    answers.push_back(world_.step(0.01));
    answers.push_back(world_.setName(10, "other"));
    try {
      answers.push_back(world_.materials().setPair(0, 0, {.friction = 9.0}));
    } catch (const Error& error) {
      answers.push_back(Status::failure(error.getCode(), error.what()));
    }
    EXPECT_GT(materialsOf(world_).size(), 0u);
    if (throws_) throw std::runtime_error("enough");
  }
  void onEnd() override {}
  std::vector<Status> answers;

private:
  World& world_;
  StepStage at_;
  bool throws_;
};

TEST(WorldObserver, cannotChangeTheWorldWithinAStep) {
  for (WorldOptions options : {WorldOptions{}, WorldOptions::realTime()}) {
    options.sleeping = true;
    for (const StepStage stage : {StepStage::BroadPhase, StepStage::Forces, StepStage::Results}) {
      World watched = tower(options), alone = tower(options);
      Meddler meddler(watched, stage, false);
      watched.setObserver(&meddler);
      watched.step(0.01).orThrow();
      alone.step(0.01).orThrow();
      ASSERT_EQ(meddler.answers.size(), 11u);
      for (const Status& s : meddler.answers) EXPECT_EQ(s.getCode(), StatusCode::Locked);
      EXPECT_EQ(watched.hash(), alone.hash());
    }
  }
}

TEST(WorldObserver, thatThrowsLeavesTheWorldAsItWas) {
  for (WorldOptions options : {WorldOptions{}, WorldOptions::realTime()}) {
    options.sleeping = true;
    for (const int substeps : {1, 3}) {
      options.substeps = substeps;
      for (const StepStage stage : {StepStage::BroadPhase, StepStage::NarrowPhase,
                                    StepStage::Manifolds, StepStage::Forces, StepStage::Results}) {
        World world = tower(options), alone = tower(options);
        for (int i = 0; i < 5; ++i) {
          world.step(0.01).orThrow();
          alone.step(0.01).orThrow();
        }
        Meddler meddler(world, stage, true);
        world.setObserver(&meddler);
        EXPECT_THROW((void)world.step(0.01), std::runtime_error);
        EXPECT_EQ(world.hash(), alone.hash());
        world.setObserver(nullptr);
        for (int i = 0; i < 5; ++i) {
          world.step(0.01).orThrow();
          alone.step(0.01).orThrow();
        }
        EXPECT_EQ(world.hash(), alone.hash()) << "stage " << static_cast<int>(stage);
      }
    }
  }
}

}  // namespace
}  // namespace abut
