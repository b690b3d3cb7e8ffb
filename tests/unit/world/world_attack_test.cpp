// SPDX-License-Identifier: MIT
//
// Worlds that nobody should build, and calls that nobody should make: whatever happens is finite,
// accounted for, or refused with the reason.
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::shared_ptr<const Shape> cube(double half) {
  return std::make_shared<BoxShape>(Eigen::Vector3d(half, half, half));
}

void addGround(World& world) {
  BodyDescription d;
  d.type = BodyType::Static;
  world.addBody(d, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
}

/// Steps; every step is finite, its books close, and contacts add no energy.
/// `heldBack`: the share of the weights' energy that real-time bodies may keep which were held back
/// from what they would have passed: they stay as high as they are, and keep their speed.
void survive(World& world, const WorldOptions& options, int steps, double dt = 1.0 / 60,
             double totalMass = 0.0, double heldBack = 1e-9) {
  for (int i = 0; i < steps; ++i) {
    const Status status = world.step(dt);
    ASSERT_TRUE(status) << "step " << i << ": " << status.getMessage();
    const EnergyAccount& books = world.getStepLedger();
    ASSERT_TRUE(std::isfinite(books.largestEntry()));
    ASSERT_LE(std::fabs(books.residual()), 1e-12 * books.largestEntry()) << "step " << i;
    if (!world.getReport().converged) continue;  // Reported; the signs are those of a solution.
    // What the weights' impulses do on velocities of rounding, which heights of micrometres hide.
    const double scale = books.largestEntry() + totalMass * (9.81 * dt) * (9.81 * dt);
    if (options.scheme == StepScheme::RealTime) {
      // Sweeps leave normal and friction apart unsolved; what they do together adds no energy.
      ASSERT_LE((books.impact + books.friction) + books.integrator, heldBack * scale)
          << "step " << i;
      continue;
    }
    ASSERT_LE(books.impact, 1e-12 * scale) << "step " << i;
    // Friction alone may give something back where slip turns round within the step.
    ASSERT_LE(books.impact + books.friction, 1e-12 * scale) << "step " << i;
  }
}

double farthest(const World& world) {
  double far = 0.0;
  for (ObjectId id = 1; id < 100; ++id) {
    BodyMotion m;
    if (world.getMotion(id, m)) far = std::max(far, m.centerOfMass.norm());
  }
  return far;
}

class Attack : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, Attack, test::bothSchemes(), test::schemeName);

TEST_P(Attack, CoincidentBodiesPart) {
  for (const bool round : {false, true}) {
    World world(options());
    addGround(world);
    for (int i = 0; i < 8; ++i) {
      BodyDescription d;
      d.position = {0, 0, 1};
      world.addBody(d, round ? std::make_shared<SphereShape>(0.5) : cube(0.5));
    }
    survive(world, options(), 150);
    // Four sweeps of correction a step leave more, and leave it where it does no harm.
    EXPECT_LT(world.getReport().greatestDepth, isExact() ? 1e-3 : 0.05);
    EXPECT_LT(farthest(world), 20.0);
  }
}

TEST_P(Attack, BodyInsideAnotherIsPushedOut) {
  World world(options());
  addGround(world);
  BodyDescription d;
  d.position = {0, 0, 1};
  world.addBody(d, cube(1.0));
  d.position = {0.1, 0, 1};
  world.addBody(d, cube(0.2));
  survive(world, options(), 150);
  EXPECT_LT(world.getReport().greatestDepth, 1e-3);
}

TEST_P(Attack, PressDoesNotThrowWhatItCannotHold) {
  World world(options());
  addGround(world);
  BodyDescription d;
  d.position = {0, 0, 0.5};
  world.addBody(d, cube(0.5));
  d.type = BodyType::Kinematic;
  d.position = {0, 0, 2};
  d.linearVelocity = {0, 0, -1};
  world.addBody(d, cube(0.5));
  survive(world, options(), 120);
  EXPECT_LT(farthest(world), 5.0);
}

TEST_P(Attack, SizesMassesSpeedsAndStepsAtTheirLimits) {
  const std::function<void(World&)> scenes[] = {
      [](World& w) {  // A micrometre.
        for (int i = 0; i < 4; ++i) {
          BodyDescription d;
          d.position = {0, 0, 3e-6 * (i + 1)};
          w.addBody(d, cube(1e-6));
        }
      },
      [](World& w) {  // Far away.
        BodyDescription d;
        d.position = {1e11, -1e11, 1};
        w.addBody(d, cube(0.5));
      },
      [](World& w) {  // Light and heavy by 27 orders.
        for (int i = 0; i < 4; ++i) {
          BodyDescription d;
          d.position = {0, 0, 0.5 + i};
          d.mass = i % 2 == 0 ? 1e15 : 1e-12;
          w.addBody(d, cube(0.5));
        }
      },
      [](World& w) {  // Fast and spinning.
        BodyDescription d;
        d.position = {0, 0, 5};
        d.linearVelocity = {1e8, 0, -1e8};
        d.angularVelocity = {1e6, 1e5, 3e5};
        w.addBody(d, cube(0.5));
      },
  };
  for (const auto& scene : scenes) {
    World world(options());
    addGround(world);
    scene(world);
    // Four cubes of 8e-18 m^3. They would fall a thousand times their size in a step: 200 such
    // heaps with offsets gained up to 1e-5 in one step of thirty, most nothing at all.
    survive(world, options(), 30, 1.0 / 60, 4e-14, &scene == &scenes[0] ? 2e-5 : 1e-9);
  }
  for (const double dt : {1e-9, 1.0}) {
    World world(options());
    addGround(world);
    for (int i = 0; i < 4; ++i) {
      BodyDescription d;
      d.position = {0, 0, 0.5 + i};
      world.addBody(d, cube(0.5));
    }
    survive(world, options(), 20, dt);
  }
}

TEST_P(Attack, BadCallsNameTheirFaultAndChangeNoBit) {
  World world(options());
  addGround(world);
  BodyDescription d;
  d.position = {0, 0, 0.5};
  const ObjectId id = world.addBody(d, cube(0.5));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(world.step(1.0 / 60));
  const std::uint64_t before = world.hash();
  const auto refused = [&](const Status& status, StatusCode code) {
    EXPECT_EQ(status.getCode(), code) << status.getMessage();
    EXPECT_FALSE(status.getMessage().empty());
    EXPECT_EQ(world.hash(), before) << status.getMessage();
  };
  for (const double dt : {-1e-3, 2.0, 1e300}) refused(world.step(dt), StatusCode::OutOfRange);
  for (const double dt : {kNan, kInfinity, -kInfinity}) {
    refused(world.step(dt), StatusCode::NonFinite);
  }
  refused(world.setVelocity(id, {0, 1e10, 0}, {0, 0, 0}), StatusCode::OutOfRange);
  refused(world.setVelocity(id, {0, 0, 0}, {0, kInfinity, 0}), StatusCode::NonFinite);
  refused(world.setVelocity(1, {1, 0, 0}, {0, 0, 0}), StatusCode::OutOfRange);
  refused(world.setPose(id, {1e13, 0, 0}, Quat{}), StatusCode::OutOfRange);
  refused(world.setPose(id, {0, 0, 0}, Quat{kNan, 0, 0, 0}), StatusCode::NonFinite);
  refused(world.setPose(id, {0, 0, 0}, Quat{2, 0, 0, 0}), StatusCode::NotARotation);
  refused(world.applyForce(id, {1e31, 0, 0}, {0, 0, 0}), StatusCode::OutOfRange);
  refused(world.applyForce(77, {1, 0, 0}, {0, 0, 0}), StatusCode::UnknownObject);
  refused(world.removeBody(77), StatusCode::UnknownObject);
  refused(world.removeBody(kNoObject), StatusCode::UnknownObject);
  const auto refuseBody = [&](const std::function<void(BodyDescription&)>& spoil, StatusCode code) {
    BodyDescription bad;
    spoil(bad);
    ObjectId unused = kNoObject;
    refused(world.addBody(bad, {{cube(0.5), {}, 0}}, unused), code);
    EXPECT_EQ(unused, kNoObject);
  };
  refuseBody([](BodyDescription& b) { b.mass = kNan; }, StatusCode::NonFinite);
  refuseBody([](BodyDescription& b) { b.mass = 1e-300; }, StatusCode::OutOfRange);
  refuseBody([](BodyDescription& b) { b.inertia = {1, 1, 1}; }, StatusCode::OutOfRange);
  refuseBody(
      [](BodyDescription& b) {
        b.mass = 1;
        b.inertia = {1, 2, 3.1};  // Above the sum of the others.
      },
      StatusCode::OutOfRange);
  refuseBody([](BodyDescription& b) { b.gravityScale = kNan; }, StatusCode::NonFinite);
  refuseBody([](BodyDescription& b) { b.orientation = {0, 0, 0, 0}; }, StatusCode::NotARotation);
  refuseBody([](BodyDescription& b) { b.linearVelocity = {0, kNan, 0}; }, StatusCode::NonFinite);
  refuseBody([](BodyDescription& b) { b.surfaceVelocity = {1e10, 0, 0}; }, StatusCode::OutOfRange);
  refuseBody([&](BodyDescription& b) { b.id = id; }, StatusCode::DuplicateObject);
  ObjectId unused = kNoObject;
  refused(world.addBody({}, {}, unused), StatusCode::OutOfRange);  // No shape, so no mass.
  refused(world.addBody({}, {{cube(0.5), {}, 99}}, unused), StatusCode::UnknownObject);
  EXPECT_TRUE(world.step(0.0));
  EXPECT_EQ(world.hash(), before);
}

TEST_P(Attack, BadOptionsAreRefused) {
  const auto refused = [](const std::function<void(WorldOptions&)>& spoil) {
    WorldOptions spoilt = options();
    spoil(spoilt);
    EXPECT_THROW(World{spoilt}, Error);
  };
  refused([](WorldOptions& o) { o.gravity = {0, 0, kNan}; });
  refused([](WorldOptions& o) { o.detectionMargin = -1; });
  refused([](WorldOptions& o) { o.correctionShare = 2; });
  refused([](WorldOptions& o) { o.maxStep = 0; });
  refused([](WorldOptions& o) { o.solver.tolerance = kNan; });
  refused([](WorldOptions& o) { o.solver.tolerance = -1; });
  refused([](WorldOptions& o) { o.solver.maxSweeps = 0; });
}

}  // namespace
}  // namespace abut
