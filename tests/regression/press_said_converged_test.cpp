// SPDX-License-Identifier: MIT
// Symptom: a plate driven through a body that rests on the ground reported converged in most steps:
// in real time 64 of 90, and in both schemes once the plate had passed the body's middle.
// Cause: sweeps measure how much impulses still change, relative to the impulses, and in a press
// those grow without bound; past the middle contacts push the body out on the far side and every
// bound is kept.
// Mechanism: the approach beyond the bounds that is left counts, and so does the depth.
#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

namespace abut {
namespace {

enum class Crushed : std::uint8_t { Box, Sphere };

/// A body of 1 m on the ground, and a plate that comes down on it.
struct Press {
  World world;
  ObjectId body = kNoObject, plate = kNoObject;

  Press(StepScheme scheme, Crushed crushed, double speed, double gap, bool plateFirst)
      : world(scheme == StepScheme::RealTime ? WorldOptions::realTime() : WorldOptions{}) {
    BodyDescription d;
    d.type = BodyType::Static;
    world.addBody(d, PlaneShape(Eigen::Vector3d::UnitZ(), 0.0));
    if (plateFirst) addPlate(speed, gap);
    d.type = BodyType::Dynamic;
    d.position = {0.0, 0.0, 0.5};
    d.mass = 1000.0;
    body = crushed == Crushed::Box ? world.addBody(d, BoxShape({0.5, 0.5, 0.5}))
                                   : world.addBody(d, SphereShape(0.5));
    if (!plateFirst) addPlate(speed, gap);
  }
  void addPlate(double speed, double gap) {
    BodyDescription d;
    d.type = BodyType::Kinematic;
    d.position = {0.0, 0.0, 1.1 + gap};
    d.linearVelocity = {0.0, 0.0, -speed};
    plate = world.addBody(d, BoxShape({1.0, 1.0, 0.1}));
  }
};

/// Steps from the one in which the plate is there until the body is outside of it, or `most`.
void expectFlagged(Press press, double speed, double gap, int most) {
  const double dt = 1.0 / 60.0;
  int crushing = 0;
  for (int i = 0; i < most; ++i) {
    ASSERT_TRUE(press.world.step(dt));
    // Flagged while less than 99 % of the body's height is left between plate and ground.
    const double left = 1.0 + gap - speed * dt * (i + 1);
    if (left > 0.99) continue;
    // At last it is pushed out on the far side, and lies on the plate.
    if (press.world.getReport().greatestDepth < 0.1 && left < 0.5) break;
    ++crushing;
    EXPECT_FALSE(press.world.getReport().converged) << "step " << i << ", room left " << left;
  }
  EXPECT_GT(crushing, static_cast<int>(0.5 / (speed * dt)));
}

class PressSaidConverged : public testing::TestWithParam<StepScheme> {};

TEST_P(PressSaidConverged, InNoStepThatCrushes) {
  for (const Crushed crushed : {Crushed::Box, Crushed::Sphere}) {
    for (const bool plateFirst : {false, true}) {
      expectFlagged(Press(GetParam(), crushed, 1.0, 0.1, plateFirst), 1.0, 0.1, 90);
      expectFlagged(Press(GetParam(), crushed, 0.37, 0.02, plateFirst), 0.37, 0.02, 150);
    }
  }
}

TEST_P(PressSaidConverged, ButWhatOnlyTouchesIs) {
  Press press(GetParam(), Crushed::Box, 0.0, 1e-3, false);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(press.world.step(1.0 / 60.0));
    EXPECT_TRUE(press.world.getReport().converged) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, PressSaidConverged,
                         testing::Values(StepScheme::Exact, StepScheme::RealTime),
                         [](const auto& of) {
                           return of.param == StepScheme::Exact ? "Exact" : "RealTime";
                         });

}  // namespace
}  // namespace abut
