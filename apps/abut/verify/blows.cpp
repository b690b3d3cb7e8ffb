// SPDX-License-Identifier: MIT
// Blows that are passed on, meet at once, or come in great numbers.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scenario.hpp"

namespace abut::tool {
namespace {

WorldOptions weightless() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  return options;
}

/// Five balls with gaps, the first one, two or three of them at 1 m/s: as many leave at the far end
/// at that speed, and the others stand.
Rows cradleWithGaps() {
  Rows rows;
  for (const double gap : {1e-5, 1e-4, 1e-3, 1e-2}) {
    double worst = 0.0;
    for (int in = 1; in <= 3; ++in) {
      World world(weightless());
      const MaterialId material = addMaterial(world, 0.0, 1.0);
      ObjectId ids[5];
      for (int i = 0; i < 5; ++i) {
        BodyDescription d;
        d.position = {(0.2 + gap) * i, 0, 0};
        if (i < in) d.linearVelocity = {1, 0, 0};
        ids[i] = addSphere(world, 0.1, 1.0, d, material);
      }
      run(world, kFrame, 20);
      for (int i = 0; i < 5; ++i) {
        const double truth = i >= 5 - in ? 1.0 : 0.0;
        worst = std::max(worst, std::fabs(motionOf(world, ids[i]).linearVelocity.x() - truth));
      }
    }
    rows.push_back(vanishes(fmt::format("gaps of {:g} mm, 1 to 3 in: speeds [m/s]", gap * 1e3),
                            "as many leave", worst, 1e-9));
  }
  return rows;
}

/// A ball that meets two at once, which touch: by symmetry and the laws of impact with e = 1 it
/// goes back at 1/5 of its speed and they leave at 30 degrees at 2 sqrt(3) / 5 of it; in general
/// the impulses are (1 + e) / 2 of those.
Rows oneOnTwo() {
  Rows rows;
  for (const double e : {1.0, 0.5}) {
    double worst = 0.0;
    for (const double dt : {kFrame, 1e-3}) {
      for (int order = 0; order < 6; ++order) {
        World world(weightless());
        const MaterialId material = addMaterial(world, 0.0, e);
        ObjectId given[3] = {1, 2, 3};
        for (int i = 0; i < order; ++i) std::next_permutation(given, given + 3);
        const double radius = 0.05, side = std::sqrt(3.0) * radius;
        BodyDescription d;
        d.id = given[0];
        d.position = {-side - 0.02, 0, 0};
        d.linearVelocity = {1, 0, 0};
        addSphere(world, radius, 1.0, d, material);
        d.linearVelocity = {0, 0, 0};
        for (const int k : {1, 2}) {
          d.id = given[k];
          d.position = {0, k == 1 ? radius : -radius, 0};
          addSphere(world, radius, 1.0, d, material);
        }
        run(world, dt, static_cast<int>(std::ceil(0.1 / dt)));
        const double share = 0.5 * (1.0 + e), each = 0.6 * share;
        const Eigen::Vector3d cue = motionOf(world, given[0]).linearVelocity;
        worst = std::max(worst, (cue - Eigen::Vector3d(1.0 - 2.0 * each, 0, 0)).norm());
        for (const int k : {1, 2}) {
          const double across = each / std::sqrt(3.0) * (k == 1 ? 1.0 : -1.0);
          const Eigen::Vector3d v = motionOf(world, given[k]).linearVelocity;
          worst = std::max(worst, (v - Eigen::Vector3d(each, across, 0)).norm());
        }
      }
    }
    rows.push_back(vanishes(fmt::format("e = {:g}, 6 orders of ids, 60 Hz and 1 kHz [m/s]", e),
                            "symmetric", worst, 1e-8));
  }
  return rows;
}

/// Fifteen balls in a triangle, touching or 0.1 mm apart, and a cue ball at its tip.
struct Rack {
  static constexpr int kBalls = 16;
  World world;
  ObjectId ids[kBalls];
  int mirror[kBalls];  ///< The ball on the other side of the line.

  Rack(double gap, bool reversed) : world(weightless()) {
    const double radius = 0.05, side = 2 * radius + gap;
    const MaterialId material = addMaterial(world, 0.0, 1.0);
    Eigen::Vector3d places[kBalls];
    places[0] = {-0.3, 0, 0};
    mirror[0] = 0;
    int at = 1;
    for (int row = 0; row < 5; ++row) {
      for (int k = 0; k <= row; ++k) {
        places[at + k] = {row * side * std::sqrt(0.75), (k - 0.5 * row) * side, 0};
        mirror[at + k] = at + row - k;
      }
      at += row + 1;
    }
    for (int i = 0; i < kBalls; ++i) {
      BodyDescription d;
      d.id = static_cast<ObjectId>(reversed ? kBalls - i : i + 1);
      d.position = places[i];
      if (i == 0) d.linearVelocity = {5, 0, 0};
      ids[i] = addSphere(world, radius, 0.17, d, material);
    }
    run(world, 1.0 / 240, 60);
  }
  Eigen::Vector3d velocity(int i) const { return motionOf(world, ids[i]).linearVelocity; }
};

Rows breakOfFifteen() {
  Rows rows;
  for (const double gap : {0.0, 1e-4}) {
    const Rack rack(gap, false), other(gap, true);
    double mirrored = 0.0, ids = 0.0, energy = 0.0;
    for (int i = 0; i < Rack::kBalls; ++i) {
      Eigen::Vector3d across = rack.velocity(rack.mirror[i]);
      across.y() = -across.y();
      mirrored = std::max(mirrored, (rack.velocity(i) - across).norm());
      ids = std::max(ids, (rack.velocity(i) - other.velocity(i)).norm());
      energy += rack.velocity(i).squaredNorm() / 25.0;
    }
    const std::string name = gap > 0.0 ? "0.1 mm apart" : "touching";
    rows.push_back(vanishes(name + ": mirrored balls differ by [m/s]", "0", mirrored, 1e-9));
    rows.push_back(vanishes(name + ": other ids differ by [m/s]", "0", ids, 1e-9));
    rows.push_back(compare(name + ": kinetic energy, relative", 1.0, energy, 1e-12));
  }
  return rows;
}

/// A gas of 500 elastic balls of diameter s between walls. Its pressure on the middle of each, away
/// from the edges, where balls crowd between two walls, is that of a gas of the density in the
/// middle, by Carnahan and Starling p = n k T (1 + y + y^2 - y^3) / (1 - y)^3
/// with y = pi n s^3 / 6.
Rows gas() {
  constexpr int kBalls = 500, kSteps = 1800, kBefore = 120;
  constexpr double kRadius = 0.05, kSide = 1.378, kMargin = 0.2, kPi = 3.14159265358979323846;
  World world(weightless());
  const MaterialId material = addMaterial(world, 0.0, 1.0);
  const ObjectId firstWall = 1000;
  for (int i = 0; i < 6; ++i) {
    BodyDescription d;
    d.type = BodyType::Static;
    d.id = firstWall + static_cast<ObjectId>(i);
    Eigen::Vector3d normal = Eigen::Vector3d::Unit(i / 2) * (i % 2 == 0 ? 1.0 : -1.0);
    d.position = -0.5 * kSide * normal;
    world.addBody(d, std::make_shared<PlaneShape>(normal), material);
  }
  VerifyRandom random(500);
  std::vector<ObjectId> ids;
  for (int i = 0; i < kBalls; ++i) {
    const double step = (kSide - 2 * kRadius) / 8;
    BodyDescription d;
    d.id = static_cast<ObjectId>(i) + 1;
    d.position = Eigen::Vector3d(i % 8, i / 8 % 8, i / 64) * step +
                 Eigen::Vector3d::Constant(kRadius + 0.5 * step - 0.5 * kSide);
    d.linearVelocity = 1.7 * random.direction();
    ids.push_back(addSphere(world, kRadius, 1.0, d, material));
  }
  const double energy = 0.5 * kBalls * 1.7 * 1.7;
  double impulse = 0.0, inside = 0.0;
  int counted = 0;
  for (int i = 0; i < kSteps; ++i) {
    world.step(kFrame).orThrow();
    if (i < kBefore) continue;
    for (const WorldContact& c : world.getContacts()) {
      if (c.object2 < firstWall) continue;
      const Eigen::Vector3d across = c.position - c.normal * c.normal.dot(c.position);
      if (across.cwiseAbs().maxCoeff() > 0.5 * kSide - kMargin) continue;
      impulse += c.impactImpulse.dot(c.normal) + c.normalForce * kFrame;
    }
    ++counted;
    for (const ObjectId id : ids) {
      const Eigen::Vector3d x = motionOf(world, id).centerOfMass;
      if (x.cwiseAbs().maxCoeff() < 0.5 * kSide - kMargin) inside += 1.0;
    }
  }
  const double room = std::pow(kSide - 2 * kMargin, 3), density = inside / counted / room;
  const double face = kSide - 2 * kMargin,
               onFace = impulse / (counted * kFrame) / (6 * face * face);
  const double y = kPi / 6 * density * std::pow(2 * kRadius, 3),
               thermal = 2.0 / 3 * energy / kBalls;
  const double truth = density * thermal * (1 + y + y * y - y * y * y) / std::pow(1 - y, 3);
  const double now = world.getLedger().kineticAfter;
  return {compareRelative("kinetic energy after 30 s [J], relative", energy, now, 1e-9),
          compareRelative("pressure [Pa], relative", truth, onFace, 0.03)};
}

constexpr VerifyScenario kScenarios[] = {
    {"cradle-gaps", "five balls with gaps, e = 1, at 60 Hz", cradleWithGaps},
    {"one-on-two", "a ball on two that touch", oneOnTwo},
    {"break", "fifteen billiard balls, e = 1, mu = 0", breakOfFifteen},
    {"gas", "500 elastic balls between walls at 60 Hz", gas},
};

}  // namespace

std::span<const VerifyScenario> blowScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
