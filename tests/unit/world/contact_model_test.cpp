// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/world/world.hpp>

#include "support/schemes.hpp"

namespace abut {
namespace {

struct Slide {
  double speed = 0.0, drift = 0.0;
};

/// A unit cube of 1 kg slides at 10 m/s on its four corners, friction 0.5, for 60 steps of 16 ms.
Slide slideCube(WorldOptions options, double heading) {
  options.solver.tolerance = 1e-12;
  World world(options);
  BodyDescription ground;
  ground.type = BodyType::Static;
  world.addBody(ground, std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1)));
  BodyDescription d;
  d.position = {0, 0, 0.5};
  d.mass = 1.0;
  const double c = std::cos(heading), s = std::sin(heading);
  d.linearVelocity = {10 * c, 10 * s, 0};
  const ObjectId id = world.addBody(d, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5)));
  for (int i = 0; i < 60; ++i) world.step(0.016).orThrow();
  BodyMotion m;
  world.getMotion(id, m).orThrow();
  return {m.linearVelocity.x() * c + m.linearVelocity.y() * s,
          std::fabs(m.centerOfMass.y() * c - m.centerOfMass.x() * s)};
}

WorldOptions with(ContactModel model) {
  WorldOptions options;
  options.solver.model = model;
  return options;
}

class ContactModels : public test::BothSchemes {};
INSTANTIATE_TEST_SUITE_P(Schemes, ContactModels, test::bothSchemes(), test::schemeName);

TEST_P(ContactModels, ExactCoulombBrakesBySpeedAndHeadingAlone) {
  // 10 - 0.5 * 9.81 * 0.96
  const Slide slide = slideCube(options(), 0.3);
  EXPECT_NEAR(slide.speed, 5.2912, 1e-10);
  EXPECT_LE(slide.drift, 1e-10);
}

TEST(ContactModel, FrictionlessKeepsTheSpeed) {
  EXPECT_NEAR(slideCube(with(ContactModel::Frictionless), 0.3).speed, 10.0, 1e-12);
}

TEST(ContactModel, DecouplingConvergesToAWrongAnswer) {
  // What a published solver of this kind ends with: too fast on the axis, sideways off it.
  EXPECT_NEAR(slideCube(with(ContactModel::DecoupledCoulomb), 0.0).speed, 5.591, 1e-3);
  // Its drift hangs on the last bits: a heading off by 1e-9 changes it by 1.5 mm.
  EXPECT_NEAR(slideCube(with(ContactModel::DecoupledCoulomb), 0.3).drift, 0.147, 3e-3);
}

/// What a scheme does not know it refuses, by name, rather than computing something else.
TEST(ContactModel, RealTimeRefusesWhatItDoesNotKnow) {
  const auto messageOf = [](const WorldOptions& options) -> std::string {
    try {
      World world(options);
    } catch (const Error& error) {
      EXPECT_EQ(error.getCode(), StatusCode::OutOfRange);
      return error.what();
    }
    return {};
  };
  WorldOptions options = WorldOptions::realTime();
  EXPECT_EQ(messageOf(options), "");
  for (const ContactModel model : {ContactModel::Frictionless, ContactModel::DecoupledCoulomb}) {
    options.solver.model = model;
    EXPECT_NE(messageOf(options).find("solver.model"), std::string::npos);
  }
  options = WorldOptions::realTime();
  options.baumgarte = 0.2;
  EXPECT_NE(messageOf(options).find("baumgarte"), std::string::npos);
  options.baumgarte = 0.0;
  options.extrapolates = true;
  EXPECT_NE(messageOf(options).find("extrapolates"), std::string::npos);
}

}  // namespace
}  // namespace abut
