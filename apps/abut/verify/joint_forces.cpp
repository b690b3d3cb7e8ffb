// SPDX-License-Identifier: MIT
//
// Mechanisms whose rates and forces are known in closed form.
#include <cmath>
#include <numbers>

#include "joints.hpp"

namespace abut::tool {
namespace {

using std::numbers::pi;

const Eigen::Vector3d kAcross(0, -1, 0);  // Turns x to z.
constexpr double kDegrees = 180 / pi;

WorldOptions weightless() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  return options;
}

/// A disc on an arm of .2 m that turns evenly about the vertical: m g l = I3 n W - I1 W^2 cos a.
double precession(double tilt, double turning) {
  World world;
  constexpr double kSpin = 200, kArm = 0.2, kDt = 1e-3;
  const double across = 0.04253333333333333 - kArm * kArm;
  const Eigen::Vector3d axis(std::sin(tilt), 0, std::cos(tilt));
  BodyDescription d;
  d.position = kArm * axis;
  d.orientation = {std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
  d.angularVelocity = (kSpin - turning * std::cos(tilt)) * axis + Eigen::Vector3d(0, 0, turning);
  d.linearVelocity = d.angularVelocity.cross(d.position);
  const ObjectId disc = addLink(world, 1.0, {across, across, 0.005}, d);
  world.addJoint(jointAt(JointType::Ball, kNoObject, disc, {0, 0, 0}, {0, 0, 1}));
  run(world, kDt, 1000);
  const Eigen::Vector3d x = motionOf(world, disc).centerOfMass;
  const double turned = std::atan2(x.y(), x.x());
  return turned + 2 * pi * std::round((turning - turned) / (2 * pi));
}

Rows precessions() {
  return {compareRelative("fast precession at 60 degrees [rad/s], relative", 44.97043919,
                          precession(pi / 3, 44.97043919), 1e-4),
          compareRelative("precession at 90 degrees, relative", 1.962, precession(pi / 2, 1.962),
                          1e-4)};
}

/// Two shafts of a universal joint whose driving fork lies in their plane: tan(out) = tan(in) /
/// cos(bend).
struct Shafts {
  World world{weightless()};
  ObjectId in = kNoObject, out = kNoObject;
  static constexpr double kRate = 2.0;
  static constexpr int kStepsOf30 = 500;

  explicit Shafts(double bend) {
    const Eigen::Vector3d x(1, 0, 0), along(std::cos(bend), 0, std::sin(bend));
    const ObjectId driver = addRod(world, 1.0, -x, -0.1 * x);
    const ObjectId driven = addRod(world, 1.0, 0.1 * along, along);
    world.setVelocity(driver, {0, 0, 0}, kRate * x).orThrow();
    world.setVelocity(driven, {0, 0, 0}, kRate / std::cos(bend) * along).orThrow();
    JointDescription drive = jointAt(JointType::Hinge, kNoObject, driver, -x, x);
    drive.axes[0].drive.mode = DriveMode::Speed;
    drive.axes[0].drive.target = kRate;
    in = world.addJoint(drive);
    out = world.addJoint(jointAt(JointType::Hinge, kNoObject, driven, along, along));
    JointDescription cross = jointAt(JointType::Universal, driver, driven, {0, 0, 0}, {0, 0, 1});
    cross.frame1.rotation = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
    world.addJoint(cross);
  }
  void turn(int degrees) { run(world, pi / 6 / kRate / kStepsOf30, kStepsOf30 * degrees / 30); }
  [[nodiscard]] double ratio() const { return stateOf(world, out).rate[0] / kRate; }
  [[nodiscard]] double angle() const { return stateOf(world, out).position[0] * kDegrees; }
};

Rows shafts() {
  Rows rows;
  for (const double bend : {pi / 6, pi / 4}) {
    const std::string name = bend < pi / 5 ? " at 30 degrees" : " at 45 degrees";
    Shafts s(bend);
    const double c = std::cos(bend);
    s.turn(3);
    const double first = s.ratio();
    s.turn(27);
    const double t = std::tan(pi / 6);
    rows.push_back(
        compare("output for 30 degrees" + name, std::atan(t / c) * kDegrees, s.angle(), 1e-12));
    rows.push_back(
        compare("ratio of rates there" + name, c / (0.75 * c * c + 0.25), s.ratio(), 1e-12));
    s.turn(60);
    rows.push_back(compare("its least" + name, c, s.ratio(), 1e-12));
    s.turn(90);
    rows.push_back(compare("its greatest" + name, 1 / c, s.ratio(), 1e-12));
    rows.push_back(
        {"it falls from the greatest" + name, "less", first, first < 1 / c ? 0.0 : 1.0, 0.5});
  }
  return rows;
}

/// Crank, coupler and rocker .4, .9 and .7 on a base of 1, by the law of cosines.
struct FourBar {
  static constexpr double kBase = 1.0, kCrank = 0.4, kCoupler = 0.9, kRocker = 0.7;
  World world;
  std::vector<ObjectId> hinges;

  static Eigen::Vector3d corner(double crank) {
    const Eigen::Vector3d b(kCrank * std::cos(crank), 0, kCrank * std::sin(crank)), d(kBase, 0, 0);
    const Eigen::Vector3d way = d - b;
    const double reach = way.norm();
    const double along = (kCoupler * kCoupler - kRocker * kRocker + reach * reach) / (2 * reach);
    const double up = std::sqrt(kCoupler * kCoupler - along * along);
    return b + way / reach * along + Eigen::Vector3d(-way.z(), 0, way.x()) / reach * up;
  }
  static double transmission(double crank) {
    const Eigen::Vector3d b(kCrank * std::cos(crank), 0, kCrank * std::sin(crank));
    const double reach = (Eigen::Vector3d(kBase, 0, 0) - b).norm();
    return std::acos((kCoupler * kCoupler + kRocker * kRocker - reach * reach) /
                     (2 * kCoupler * kRocker));
  }
  FourBar(const WorldOptions& options, double crank, double rate) : world(options) {
    const Eigen::Vector3d a(0, 0, 0), b(kCrank * std::cos(crank), 0, kCrank * std::sin(crank)),
        c = corner(crank), d(kBase, 0, 0);
    const ObjectId one = addRod(world, 1.0, a, b), two = addRod(world, 1.0, b, c),
                   three = addRod(world, 1.0, c, d);
    JointDescription drive = jointAt(JointType::Hinge, kNoObject, one, a, kAcross);
    if (rate != 0.0) drive.axes[0].drive.mode = DriveMode::Speed;
    drive.axes[0].drive.target = rate;
    hinges.push_back(world.addJoint(drive));
    hinges.push_back(world.addJoint(jointAt(JointType::Hinge, one, two, b, kAcross)));
    hinges.push_back(world.addJoint(jointAt(JointType::Hinge, two, three, c, kAcross)));
    hinges.push_back(world.addJoint(jointAt(JointType::Hinge, kNoObject, three, d, kAcross)));
  }
  [[nodiscard]] double at(int hinge) const {
    return stateOf(world, hinges[static_cast<std::size_t>(hinge)]).position[0];
  }
  [[nodiscard]] double rate(int hinge) const {
    return stateOf(world, hinges[static_cast<std::size_t>(hinge)]).rate[0];
  }
};

Rows fourBarRates() {
  Rows rows;
  FourBar driven(weightless(), 0.0, pi);
  const double start = FourBar::transmission(0.0);
  for (int degrees = 30; degrees <= 180; degrees += 30) {
    run(driven.world, 1.0 / 600, 100);
    const double angle = start + std::fabs(driven.at(2));
    rows.push_back(compare("transmission angle at " + std::to_string(degrees) + " degrees",
                           FourBar::transmission(degrees / kDegrees) * kDegrees, angle * kDegrees,
                           1e-10));
    if (degrees != 60) continue;
    rows.push_back(compare("rate of the coupler over the crank's", -0.228799652998738,
                           1 + driven.rate(1) / driven.rate(0), 1e-10));
    rows.push_back(compare("rate of the rocker over it", 0.379780966451447,
                           driven.rate(3) / driven.rate(0), 1e-10));
  }
  FourBar loose({}, 1.0, 0.0);
  Watch watch;
  double most = 0.0;
  for (int i = 0; i < 600; ++i) {
    loose.world.step(kFrame).orThrow();
    watch.look(loose.world);
    for (const ObjectId id : loose.hinges)
      most = std::max(most, stateOf(loose.world, id).force.norm());
  }
  rows.push_back(vanishes("swings for 10 s at 60 Hz: energy [J]", "constant", watch.drift, 1e-12));
  rows.push_back(vanishes("gap of the hinges [m]", "0", watch.gap, 1e-13));
  rows.push_back({"greatest force of a hinge [N]", "bounded", most, most < 300 ? 0.0 : most, 0.0});
  return rows;
}

/// Crank .1, rod .35 that weighs next to nothing, piston 2 kg, 10 rad/s.
Rows pistonForces() {
  World world(weightless());
  constexpr double kCrank = 0.1, kRod = 0.35, kRate = 10.0;
  constexpr int kSteps = 80;  // Of a millisecond each, nearly, to 45 degrees.
  const Eigen::Vector3d pin(kCrank, 0, 0), wrist(kCrank + kRod, 0, 0);
  BodyDescription d;
  d.angularVelocity = kAcross * kRate;
  const ObjectId crank = addLink(world, 1.0, {0.01, 0.01, 0.01}, d);
  const ObjectId rod = addRod(world, 1e-6, pin, wrist);
  world.setVelocity(rod, {0, 0, 0.5 * kCrank * kRate}, -kAcross * (kCrank * kRate / kRod))
      .orThrow();
  BodyDescription p;
  p.position = wrist;
  const ObjectId piston = addLink(world, 2.0, {0.01, 0.01, 0.01}, p);
  JointDescription motor = jointAt(JointType::Hinge, kNoObject, crank, {0, 0, 0}, kAcross);
  motor.axes[0].drive.mode = DriveMode::Speed;
  motor.axes[0].drive.target = kRate;
  const ObjectId drive = world.addJoint(motor);
  world.addJoint(jointAt(JointType::Hinge, crank, rod, pin, kAcross));
  const ObjectId bolt = world.addJoint(jointAt(JointType::Hinge, rod, piston, wrist, kAcross));
  const ObjectId guide =
      world.addJoint(jointAt(JointType::Slider, kNoObject, piston, wrist, {1, 0, 0}));
  Rows rows;
  const double truths[2][3] = {{-14.26627604, 2.942908043, 1.216873077},
                               {5.962847940, -1.777777778, -0.5962847940}};
  int done = 0;
  for (int k = 0; k < 2; ++k) {
    const double dt = pi / 4 / kRate / kSteps;
    run(world, dt, (k + 1) * kSteps - done - 2);
    const World middle = [&] {
      World w(weightless());
      w.restore(world.snapshot()).orThrow();
      run(w, dt, 2);
      return w;
    }();
    const double angle = pi / 4 * (k + 1), lean = std::asin(kCrank * std::sin(angle) / kRod);
    const double x = kCrank * std::cos(angle) + kRod * std::cos(lean);
    const std::string at = k == 0 ? " at 45 degrees" : " at 90 degrees";
    rows.push_back(
        compare("piston" + at + " [m]", x, motionOf(middle, piston).centerOfMass.x(), 1e-12));
    const double speed = -kRate * kCrank * (std::sin(angle) + std::cos(angle) * std::tan(lean));
    rows.push_back(
        compare("its speed" + at + " [m/s]", speed, stateOf(middle, guide).rate[0], 1e-9));
    // Forces are means over a step: what a cubic with the means of the two steps before and the two
    // after has in the middle.
    double push = 0.0, side = 0.0, torque = 0.0;
    for (const double part : {-1.0 / 12, 7.0 / 12, 7.0 / 12, -1.0 / 12}) {
      run(world, dt, 1);
      push += part * stateOf(world, bolt).force.x();
      side -= part * stateOf(world, guide).force.z();
      torque += part * stateOf(world, drive).driveForce[0];
    }
    done = (k + 1) * kSteps + 2;
    rows.push_back(compareRelative("force on it, relative" + at, truths[k][0], push, 1e-4));
    rows.push_back(compareRelative("force on the guide, relative" + at, truths[k][1], side, 1e-4));
    rows.push_back(
        compareRelative("torque of the crank, relative" + at, truths[k][2], torque, 1e-4));
  }
  return rows;
}

/// A torque T on the sun of 20 teeth, in a ring of 60 that is fixed, is 4 T on the carrier.
Rows planetaryTorque() {
  World world(weightless());
  BodyDescription d;
  const ObjectId carrier = addLink(world, 1.0, {0.1, 0.1, 0.1}, d);
  const ObjectId sun = addLink(world, 1.0, {0.02, 0.02, 0.02}, d);
  d.position = {0.4, 0, 0};
  const ObjectId planet = addLink(world, 1.0, {0.02, 0.02, 0.02}, d);
  JointDescription held = jointAt(JointType::Hinge, kNoObject, carrier, {0, 0, 0}, {0, 0, 1});
  held.axes[0].drive.mode = DriveMode::Speed;
  CouplingDescription inner, outer;
  outer.joint1 = world.addJoint(held);
  inner.joint1 = world.addJoint(jointAt(JointType::Hinge, carrier, sun, {0, 0, 0}, {0, 0, 1}));
  inner.joint2 = outer.joint2 =
      world.addJoint(jointAt(JointType::Hinge, carrier, planet, d.position, {0, 0, 1}));
  inner.ratio = -1.0;
  outer.ratio = -3.0;
  ObjectId id = kNoObject;
  world.addCoupling(inner, id).orThrow();
  world.addCoupling(outer, id).orThrow();
  for (int i = 0; i < 60; ++i) {
    world.applyForce(sun, {0, 0, 0}, {0, 0, 1.5}).orThrow();
    world.step(kFrame).orThrow();
  }
  return {compare("torque of the carrier over the sun's", -4.0,
                  stateOf(world, outer.joint1).driveForce[0] / 1.5, 1e-12),
          vanishes("turn of the sun [rad]", "0", stateOf(world, inner.joint1).position[0], 1e-12)};
}

/// A door of 2 kg on two hinges, that turns: each bears half of its weight.
Rows door() {
  Rows rows;
  for (const bool isExact : {true, false}) {
    World world(isExact ? WorldOptions{} : WorldOptions::realTime());
    BodyDescription d;
    d.position = {0.45, 0, 0};
    d.linearVelocity = {0, 0.9, 0};
    d.angularVelocity = {0, 0, 2};
    const ObjectId id = addLink(world, 2.0, {0.7, 0.8, 0.14}, d);
    std::vector<ObjectId> hinges;
    for (const double z : {-0.8, 0.8}) {
      hinges.push_back(
          world.addJoint(jointAt(JointType::Hinge, kNoObject, id, {0, 0, z}, {0, 0, 1})));
    }
    Watch watch;
    double off = 0.0;
    for (int i = 0; i < 3600; ++i) {
      world.step(kFrame).orThrow();
      watch.look(world);
      for (const ObjectId h : hinges) {
        off = std::max(off, std::fabs(stateOf(world, h).force.z() / kGravity - 1));
      }
    }
    const std::string name = isExact ? "exact: " : "real time: ";
    rows.push_back(vanishes(name + "each bears half, relative, 60 s", "0", off, 1e-6));
    rows.push_back(vanishes(name + "energy [J]", "constant", watch.drift, 1e-11));
    rows.push_back(vanishes(name + "books [J]", "close", watch.residual, 1e-12));
    rows.push_back(
        vanishes(name + "gap of the hinges [m]", "0", watch.gap, isExact ? 1e-12 : 1e-9));
  }
  return rows;
}

/// Tension at joint k of a hanging chain: the weight below it.
Rows hangingChain() {
  World world;
  std::vector<ObjectId> joints;
  ObjectId last = kNoObject;
  for (int i = 0; i < 20; ++i) {
    const Eigen::Vector3d top(0, 0, -i), end(0, 0, -i - 1);
    const ObjectId link = addRod(world, 1.0, top, end);
    joints.push_back(world.addJoint(jointAt(JointType::Hinge, last, link, top, kAcross)));
    last = link;
  }
  run(world, kFrame, 60);
  double worst = 0.0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double weight = kGravity * static_cast<double>(joints.size() - k);
    worst = std::max(worst, std::fabs(stateOf(world, joints[k]).force.z() / weight - 1));
  }
  return {vanishes("tensions, relative", "weight below", worst, 1e-12)};
}

Rows swing(int links, double load, double seconds) {
  World world;
  ObjectId last = kNoObject;
  for (int i = 0; i < links; ++i) {
    const Eigen::Vector3d from(i, 0, 0), to(i + 1, 0, 0);
    const ObjectId link = addRod(world, 1.0, from, to);
    world.addJoint(jointAt(JointType::Hinge, last, link, from, kAcross));
    last = link;
  }
  if (load > 0.0) {
    BodyDescription d;
    d.position = {1.0 * links, 0, 0};
    const ObjectId ball = addLink(world, load, Eigen::Vector3d::Constant(0.1 * load), d);
    world.addJoint(jointAt(JointType::Ball, last, ball, d.position, {0, 0, 1}));
  }
  Watch watch;
  for (int i = 0; i < 60 * seconds; ++i) {
    world.step(kFrame).orThrow();
    watch.look(world);
  }
  const double scale = kGravity * links * (0.5 * links + load);
  return {vanishes("energy, in parts of m g l", "constant", watch.drift / scale, 1e-12),
          vanishes("books, the same", "close", watch.residual / scale, 1e-12),
          vanishes("gap of the joints [m]", "0", watch.gap, 1e-13)};
}
Rows whip() {
  return swing(20, 0, 2);
}
Rows wreckingBall() {
  return swing(10, 1000, 10);
}
Rows heavyWreckingBall() {
  return swing(10, 10000, 10);
}

/// The mechanisms of other rows in the real-time scheme.
Rows inRealTime() {
  Rows rows;
  const auto look = [&](const std::string& name, World& world, int steps, double scale) {
    Watch watch;
    double gain = 0.0;
    for (int i = 0; i < steps; ++i) {
      world.step(kFrame).orThrow();
      watch.look(world);
      const EnergyAccount& a = world.getStepLedger();
      gain = std::max(gain,
                      (a.kineticAfter + a.potentialAfter) - (a.kineticBefore + a.potentialBefore));
    }
    rows.push_back(
        vanishes(name + ": books, in parts of m g l", "close", watch.residual / scale, 1e-12));
    rows.push_back(vanishes(name + ": energy gained, the same", "none", gain / scale, 1e-12));
    rows.push_back(vanishes(name + ": gap of the joints [m]", "0", watch.gap, 1e-9));
  };
  const auto chain = [&](const std::string& name, int links, double load, int steps) {
    World world(WorldOptions::realTime());
    ObjectId last = kNoObject;
    for (int i = 0; i < links; ++i) {
      const Eigen::Vector3d from(i, 0, 0), to(i + 1, 0, 0);
      const ObjectId link = addRod(world, 1.0, from, to);
      world.addJoint(
          jointAt(i % 2 == 0 ? JointType::Hinge : JointType::Ball, last, link, from, kAcross));
      last = link;
    }
    if (load > 0.0) {
      BodyDescription d;
      d.position = {1.0 * links, 0, 0};
      const ObjectId ball = addLink(world, load, Eigen::Vector3d::Constant(0.1 * load), d);
      world.addJoint(jointAt(JointType::Ball, last, ball, d.position, {0, 0, 1}));
    }
    look(name, world, steps, kGravity * links * (0.5 * links + load));
  };
  chain("two rods", 2, 0, 600);
  chain("whip of 20", 20, 0, 120);
  chain("1 t on ten links", 10, 1000, 600);
  FourBar bars(WorldOptions::realTime(), 1.0, 0.0);
  look("four-bar", bars.world, 600, 20.0);
  return rows;
}

constexpr VerifyScenario kScenarios[] = {
    {"hanging-chain", "20 links of 1 kg", hangingChain},
    {"whip", "20 links that fall from the horizontal, 60 Hz", whip},
    {"wrecking-ball", "1 t on ten links of 1 kg, 60 Hz", wreckingBall},
    {"wrecking-ball-10t", "10 t on ten links of 1 kg, 60 Hz", heavyWreckingBall},
    {"gyroscope-fast", "the gyroscope's fast precession, and at 90 degrees", precessions},
    {"cardan-rates", "shafts at 30 and 45 degrees, fork in their plane, driven", shafts},
    {"four-bar-rates", "the four-bar's angles and rates; passive, 60 Hz", fourBarRates},
    {"slider-crank-forces", "the slider-crank's forces at 45 and 90 degrees, 1 kHz", pistonForces},
    {"planetary-torque", "1.5 N m on the sun, carrier held", planetaryTorque},
    {"door", "two hinges on one axis, 60 Hz, 60 s", door},
    {"joints-real-time", "pendulums, whip, wrecking ball, four-bar in real time, 60 Hz",
     inRealTime},
};

}  // namespace

std::span<const VerifyScenario> jointForceScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
