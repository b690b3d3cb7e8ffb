// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

constexpr double kPi = 3.14159265358979323846;

Rows ballRow() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  const MaterialId material = addMaterial(world, 0.0, 1.0);
  ObjectId ids[5];
  for (int i = 0; i < 5; ++i) {
    BodyDescription d;
    d.position = {1.0 * i, 0, 0};
    if (i == 0) d.linearVelocity = {1, 0, 0};
    ids[i] = addSphere(world, 0.5, 1.0, d, material);
  }
  run(world, kFrame, 10);
  double others = 0.0;
  for (int i = 0; i < 4; ++i) {
    others = std::max(others, motionOf(world, ids[i]).linearVelocity.norm());
  }
  return {
      compare("speed of the last [m/s]", 1.0, motionOf(world, ids[4]).linearVelocity.x(), 1e-12),
      vanishes("speed of the others [m/s]", "0", others, 1e-12)};
}

/// A cube tilted about x only and dropped has no reason to leave the plane x = 0.
Rows tiltedCube() {
  Rows rows;
  for (const double degrees : {5.0, 15.0, 30.0}) {
    World world;
    const MaterialId material = addMaterial(world, 0.5);
    addGround(world, material);
    BodyDescription d;
    d.position = {0, 0, 1.5};
    const double half = degrees * kPi / 360;
    d.orientation = {std::cos(half), std::sin(half), 0, 0};
    const ObjectId id = addBox(world, {1, 1, 1}, 1.0, d, material);
    double in = 0.0, out = 0.0;
    for (int i = 0; i < 240; ++i) {
      world.step(kFrame).orThrow();
      const BodyMotion m = motionOf(world, id);
      in = std::max(in, std::fabs(m.angularVelocity.x()));
      out = std::max({out, std::fabs(m.angularVelocity.y()), std::fabs(m.angularVelocity.z()),
                      std::fabs(m.linearVelocity.x()), std::fabs(m.centerOfMass.x())});
    }
    rows.push_back(vanishes(fmt::format("{:g} degrees: motion out of plane / in it", degrees), "0",
                            out / in, 1e-9));
  }
  return rows;
}

/// A sphere of 1 cm that flies at 1e4 m/s at a plate of 1 mm in a random pose.
struct Shot {
  static constexpr double kRadius = 0.005, kSpeed = 1e4, kHalf = 0.0005;
  World world;
  Eigen::Matrix3d turn;
  Eigen::Vector3d center;
  ObjectId sphere = kNoObject;
  double way = 0.0;  ///< Until the face is touched [m].

  static WorldOptions withoutGravity() {
    WorldOptions options;
    options.gravity = {0, 0, 0};
    return options;
  }
  /// At the point (x, y) in the plane of the face, from at most `tilt` off its normal.
  Shot(VerifyRandom& random, double x, double y, double tilt) : world(withoutGravity()) {
    const MaterialId material = addMaterial(world, 0.3);
    const Eigen::Vector3d axis = random.direction();
    const double angle = random.between(0, 2 * kPi);
    turn = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    BodyDescription plate;
    plate.type = BodyType::Static;
    const Eigen::Vector3d v = std::sin(angle / 2) * axis;
    plate.orientation = {std::cos(angle / 2), v.x(), v.y(), v.z()};
    center = plate.position = {random.between(-5, 5), 0, 0};
    world.addBody(plate, std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, kHalf)), material);
    const double lean = random.between(0, tilt);
    const double around = random.between(0, 2 * kPi);
    way = random.between(0.1, 400.0);
    const Eigen::Vector3d back(std::sin(lean) * std::cos(around), std::sin(lean) * std::sin(around),
                               std::cos(lean));
    BodyDescription d;
    d.position = center + turn * (Eigen::Vector3d(x, y, kHalf + kRadius) + way * back);
    d.linearVelocity = -kSpeed * (turn * back);
    sphere = addSphere(world, kRadius, 1e-3, d, material);
  }
  /// Steps until the sphere is where the plate is, or past it; time of the first touch or -1.
  double fly() {
    double touch = -1.0;
    const int steps = static_cast<int>(way / (kSpeed * kFrame)) + 2;
    for (int i = 0; i < steps; ++i) {
      world.step(kFrame).orThrow();
      for (const ContactEvent& e : world.getEvents()) {
        if (e.kind == ContactEvent::Kind::Begin && touch < 0.0) touch = e.since;
      }
    }
    return touch;
  }
  /// Height of the sphere's centre over the plate's middle.
  double height() const { return turn.col(2).dot(motionOf(world, sphere).centerOfMass - center); }
};

Rows fastSphere() {
  constexpr int kShots = 500;
  VerifyRandom random(20);
  int through = 0, disturbed = 0;
  double worst = 0.0, books = 0.0;
  for (int i = 0; i < kShots; ++i) {
    const double x = random.between(-0.45, 0.45);
    const double y = random.between(-0.45, 0.45);
    Shot shot(random, x, y, 80 * kPi / 180);
    const double touch = shot.fly();
    if (touch < 0.0 || shot.height() < 0.0) ++through;
    worst = std::max(worst, std::fabs(touch - shot.way / Shot::kSpeed));
    const EnergyAccount& ledger = shot.world.getLedger();
    books = std::max(books, std::fabs(ledger.residual()) / ledger.largestEntry());
  }
  for (int i = 0; i < kShots; ++i) {
    // Past the edge by 10 cm, less than 45 degrees off the normal: never within 2 cm.
    const double y = random.between(-0.6, 0.6);
    Shot shot(random, 0.6, y, 45 * kPi / 180);
    const Eigen::Vector3d before = motionOf(shot.world, shot.sphere).linearVelocity;
    if (shot.fly() >= 0.0 || motionOf(shot.world, shot.sphere).linearVelocity != before) {
      ++disturbed;
    }
  }
  return {
      vanishes(fmt::format("shots at the plate that went through, of {}", kShots), "0", through, 0),
      vanishes("time of impact, worst error [s]", "way / speed", worst, 1e-10),
      vanishes(fmt::format("shots past the plate that felt it, of {}", kShots), "0", disturbed, 0),
      vanishes("energy unaccounted for, relative", "0", books, 1e-12)};
}

constexpr VerifyScenario kScenarios[] = {
    {"ball-row", "five touching balls, e = 1", ballRow},
    {"tilted-cube", "cube dropped at 5, 15, 30 degrees about x", tiltedCube},
    {"fast-sphere", "1 cm sphere at 1e4 m/s at a 1 mm plate, random poses", fastSphere},
};

}  // namespace

std::span<const VerifyScenario> impactScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
