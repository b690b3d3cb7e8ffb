// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "joints.hpp"

namespace abut::tool {
namespace {

using std::numbers::pi;

WorldOptions weightless() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  return options;
}

/// A wheel on a hinge about z.
JointDescription wheel(World& world, double inertia, const Eigen::Vector3d& place = {0, 0, 0},
                       double spin = 0.0) {
  BodyDescription d;
  d.position = place;
  d.angularVelocity = {0, 0, spin};
  const ObjectId id = addLink(world, 1.0, Eigen::Vector3d::Constant(inertia), d);
  return jointAt(JointType::Hinge, kNoObject, id, place, {0, 0, 1});
}

Rows slopesOfMotor() {
  World world(weightless());
  JointDescription d = wheel(world, 0.05);
  d.axes[0].drive.mode = DriveMode::Force;
  d.axes[0].drive.target = 2.0;
  const ObjectId joint = world.addJoint(d);
  run(world, 1e-3, 750);
  const JointState s = stateOf(world, joint);
  return {compare("rate after .75 s [rad/s]", 30.0, s.rate[0], 1e-9),
          compare("angle [rad]", 11.25, s.position[0], 1e-8),
          compare("work [J]", 22.5, s.work.motors, 1e-11),
          vanishes("books [J]", "close", world.getLedger().residual(), 1e-11)};
}

Rows dryFriction() {
  World world(weightless());
  JointDescription d = wheel(world, 0.05, {0, 0, 0}, 30.0);
  d.axes[0].friction = 0.4;
  const ObjectId joint = world.addJoint(d);
  run(world, 1e-3, 4000);
  const JointState s = stateOf(world, joint);
  return {compare("rate after 4 s [rad/s]", 0.0, s.rate[0], 1e-12),
          compareRelative("angle at rest [rad], relative", 56.25, s.position[0], 1e-9),
          compare("work of friction [J]", -22.5, world.getLedger().jointFriction, 1e-10)};
}

/// wn = 20 rad/s, zeta = .2.
Rows torsionSpring() {
  World world(weightless());
  JointDescription d = wheel(world, 0.05);
  d.axes[0].stiffness = 20.0;
  d.axes[0].damping = 0.4;
  d.axes[0].rest = -1.0;
  const ObjectId joint = world.addJoint(d);
  run(world, 1e-3, 100);
  const EnergyAccount& a = world.getLedger();
  return {compare("angle from rest after .1 s [rad]", -0.1274844451,
                  stateOf(world, joint).position[0] + 1, 1e-4),
          compare("energy left and lost [J]", 10.0, a.kineticAfter + a.elasticAfter - a.dampers,
                  1e-12)};
}

Rows stall() {
  double moved[2] = {};
  for (int k = 0; k < 2; ++k) {
    World world;
    const ObjectId rod = addRod(world, 2.0, {0, 0, 0}, {0.5, 0, 0});
    JointDescription d = jointAt(JointType::Hinge, kNoObject, rod, {0, 0, 0}, {0, 1, 0});
    d.axes[0].drive.mode = DriveMode::Speed;
    d.axes[0].drive.maxForce = 4.905 + (k == 0 ? 1e-9 : -1e-9);
    const ObjectId joint = world.addJoint(d);
    run(world, kFrame, 60);
    moved[k] = stateOf(world, joint).position[0];
  }
  return {
      vanishes("angle after 1 s with 1 nN m more than 4.905 N m [rad]", "holds", moved[0], 1e-12),
      {"the same with 1 nN m less", "slips", moved[1], moved[1] > 1e-12 ? 0.0 : 1.0, 0.5}};
}

Rows gears() {
  World world(weightless());
  JointDescription one = wheel(world, 0.02), two = wheel(world, 0.08, {1, 0, 0});
  one.axes[0].drive.mode = DriveMode::Force;
  one.axes[0].drive.target = 1.0;
  CouplingDescription mesh;
  mesh.joint1 = world.addJoint(one);
  mesh.joint2 = world.addJoint(two);
  mesh.ratio = -0.5;
  ObjectId id = kNoObject;
  world.addCoupling(mesh, id).orThrow();
  run(world, 1e-4, 1000);
  const double a = stateOf(world, mesh.joint1).position[0],
               b = stateOf(world, mesh.joint2).position[0];
  return {compare("rate after .1 s [rad/s]", 2.5, stateOf(world, mesh.joint1).rate[0], 1e-12),
          compare("ratio of the angles", -0.5, b / a, 1e-12)};
}

/// Sun, planet and carrier, ring fixed: teeth 20, 20 and 60. Angles of sun and planet are those
/// against the carrier.
Rows planetary() {
  World world(weightless());
  JointDescription carrier = wheel(world, 0.1);
  const ObjectId carrierBody = carrier.body2;
  const ObjectId carrierJoint = world.addJoint(carrier);
  BodyDescription d;
  d.angularVelocity = {0, 0, 8};
  const ObjectId sun = addLink(world, 1.0, {0.02, 0.02, 0.02}, d);
  BodyDescription p;
  p.position = {0.4, 0, 0};
  const ObjectId planet = addLink(world, 1.0, {0.02, 0.02, 0.02}, p);
  const ObjectId sunOnCarrier =
      world.addJoint(jointAt(JointType::Hinge, carrierBody, sun, {0, 0, 0}, {0, 0, 1}));
  const ObjectId planetOnCarrier =
      world.addJoint(jointAt(JointType::Hinge, carrierBody, planet, p.position, {0, 0, 1}));
  ObjectId id = kNoObject;
  CouplingDescription inner, outer;
  inner.joint1 = sunOnCarrier;
  inner.joint2 = planetOnCarrier;
  inner.ratio = -1.0;
  world.addCoupling(inner, id).orThrow();
  // The ring stands still: against the carrier it turns by -carrier, and the planet by 3 of that.
  outer.joint1 = carrierJoint;
  outer.joint2 = planetOnCarrier;
  outer.ratio = -3.0;
  world.addCoupling(outer, id).orThrow();
  run(world, 1e-3, 1000);
  const double c = stateOf(world, carrierJoint).position[0];
  const double s = stateOf(world, sunOnCarrier).position[0] + c;
  const double q = stateOf(world, planetOnCarrier).position[0] + c;
  return {compare("carrier over sun", 0.25, c / s, 1e-12),
          compare("planet over sun", -0.5, q / s, 1e-12)};
}

/// Two weights on a rope over a pulley, whose inertia is an armature: a = g (3 - 2) / 5.5.
Rows atwood() {
  World world;
  const auto weight = [&](double mass, double x) {
    BodyDescription d;
    d.position = {x, 0, 0};
    const ObjectId id = addLink(world, mass, {0.1, 0.1, 0.1}, d);
    return jointAt(JointType::Slider, kNoObject, id, d.position, {0, 0, 1});
  };
  JointDescription heavy = weight(3.0, 0.0), light = weight(2.0, 1.0);
  heavy.axes[0].armature = 0.5;
  CouplingDescription rope;
  rope.joint1 = world.addJoint(heavy);
  rope.joint2 = world.addJoint(light);
  rope.ratio = -1.0;
  ObjectId id = kNoObject;
  world.addCoupling(rope, id).orThrow();
  run(world, kFrame, 60);
  const double a = kGravity / 5.5;
  return {compare("acceleration [m/s^2]", a, -stateOf(world, rope.joint1).rate[0], 1e-12),
          compare("force on the heavy side [N]", 3 * (kGravity - a),
                  stateOf(world, rope.joint1).force.z(), 1e-11),
          compare("force on the light side [N]", 2 * (kGravity + a),
                  stateOf(world, rope.joint2).force.z(), 1e-11)};
}

/// Rod falling from the horizontal onto a stop below, e = .5.
Rows limitWithRestitution() {
  World world;
  const ObjectId rod = addRod(world, 1.0, {0, 0, 0}, {1, 0, 0});
  JointDescription d = jointAt(JointType::Hinge, kNoObject, rod, {0, 0, 0}, {0, 1, 0});
  d.axes[0].limits.upper = pi / 2;
  d.axes[0].limits.restitution = 0.5;
  const ObjectId joint = world.addJoint(d);
  constexpr double kDt = 1e-4;
  double before = 0.0, after = 0.0, residual = 0.0, beyond = 0.0;
  for (int i = 0; i < 20000 && after == 0.0; ++i) {
    const double rate = stateOf(world, joint).rate[0];
    world.step(kDt).orThrow();
    residual = std::max(residual, std::fabs(world.getStepLedger().residual()));
    beyond = std::max(beyond, stateOf(world, joint).position[0] - pi / 2);
    if (rate > 1.0 && stateOf(world, joint).rate[0] < 0.0) {
      before = rate;
      after = stateOf(world, joint).rate[0];
    }
  }
  double highest = 0.0;
  for (int i = 0; i < 20000 && highest == 0.0; ++i) {
    const JointState s = stateOf(world, joint);
    world.step(kDt).orThrow();
    const double end = stateOf(world, joint).rate[0];
    // Rates are linear in a step: where they are zero.
    if (end >= 0.0)
      highest = pi / 2 - s.position[0] + 0.5 * kDt * s.rate[0] * s.rate[0] / (end - s.rate[0]);
  }
  // Of the energy at the stop, g/2, it takes 1 - e^2.
  const double ratio = std::sqrt(1.0 + world.getLedger().limits / (0.5 * kGravity));
  return {compare("rebound [rad]", 0.7227342478, highest, 1e-9),
          compare("ratio of the rates at the stop", 0.5, ratio, 1e-9),
          compare("rate at the stop [rad/s]", 5.424942396, before, 1e-5),
          compare("rate after it [rad/s]", -2.712471198, after, 1e-5),
          vanishes("beyond the stop [rad]", "0", beyond, 1e-12),
          vanishes("books [J]", "close", residual, 1e-12)};
}

/// Crank .1, rod .35 that weighs next to nothing, piston 2 kg, 10 rad/s: at 45 degrees.
Rows sliderCrank() {
  World world(weightless());
  const double crank = 0.1, rod = 0.35, rate = 10.0;
  const Eigen::Vector3d across(0, -1, 0), pin(crank, 0, 0), wrist(crank + rod, 0, 0);
  BodyDescription d;
  d.angularVelocity = across * rate;
  const ObjectId wheelBody = addLink(world, 1.0, {0.01, 0.01, 0.01}, d);
  const ObjectId rodBody = addRod(world, 1e-6, pin, wrist);
  world.setVelocity(rodBody, {0, 0, 0.5 * crank * rate}, -across * (crank * rate / rod)).orThrow();
  BodyDescription p;
  p.position = wrist;
  const ObjectId piston = addLink(world, 2.0, {0.01, 0.01, 0.01}, p);
  JointDescription motor = jointAt(JointType::Hinge, kNoObject, wheelBody, {0, 0, 0}, across);
  motor.axes[0].drive.mode = DriveMode::Speed;
  motor.axes[0].drive.target = rate;
  const ObjectId drive = world.addJoint(motor);
  world.addJoint(jointAt(JointType::Hinge, wheelBody, rodBody, pin, across));
  world.addJoint(jointAt(JointType::Hinge, rodBody, piston, wrist, across));
  const ObjectId guide =
      world.addJoint(jointAt(JointType::Slider, kNoObject, piston, wrist, {1, 0, 0}));
  const int steps = 200;
  run(world, pi / 4 / rate / steps, steps);
  const JointState s = stateOf(world, guide);
  const double x = motionOf(world, piston).centerOfMass.x();
  double side = 0.0, torque = 0.0;
  // Forces are means over a step: those of the steps before and after meet in the middle.
  side += 0.5 * stateOf(world, guide).force.z();
  torque += 0.5 * stateOf(world, drive).driveForce[0];
  run(world, pi / 4 / rate / steps, 1);
  side += 0.5 * stateOf(world, guide).force.z();
  torque += 0.5 * stateOf(world, drive).driveForce[0];
  return {compare("piston [m]", 0.4134934081, x, 1e-9),
          compare("its speed [m/s]", -0.8529717727, s.rate[0], 1e-9),
          compare("force of the guide [N]", 2.942908043, std::fabs(side), 1e-4),
          compare("torque of the crank [N m]", 1.216873077, std::fabs(torque), 1e-4)};
}

/// A pose set apart by 1 cm at a joint is put right by displacement, and nothing else moves.
Rows gapClosed() {
  World world(weightless());
  const ObjectId one = addRod(world, 1.0, {0, 0, 0}, {1, 0, 0});
  const ObjectId two = addRod(world, 1.0, {1, 0, 0}, {2, 0, 0});
  world.addJoint(jointAt(JointType::Hinge, one, two, {1, 0, 0}, {0, 1, 0}));
  world.setPose(two, {1.5, 0.01, 0.003}, motionOf(world, two).orientation).orThrow();
  world.step(kFrame).orThrow();
  return {vanishes("gap after one step [m]", "0", jointGap(world), 1e-13),
          vanishes("speed it left [m/s]", "0", motionOf(world, two).linearVelocity.norm(), 1e-11)};
}

constexpr VerifyScenario kScenarios[] = {
    {"joint-motor", "2 N m on .05 kg m^2, 1000 Hz", slopesOfMotor},
    {"joint-friction", ".4 N m against 30 rad/s of .05 kg m^2, 1000 Hz", dryFriction},
    {"torsion-spring", "k 20, c .4, I .05, from 1 rad, 1000 Hz", torsionSpring},
    {"stall", "rod of 2 kg and .5 m held by a motor", stall},
    {"joint-limit", "rod falling on a stop, e = .5, 10 kHz", limitWithRestitution},
    {"slider-crank", "driven at 10 rad/s, 45 degrees in 200 steps", sliderCrank},
    {"gears", "2:1, I .02 and .08, 1 N m", gears},
    {"planetary-gear", "20 / 20 / 60 teeth, ring fixed", planetary},
    {"atwood", "3 and 2 kg over a pulley of I/r^2 = .5", atwood},
    {"joint-set-apart", "pose set 1 cm from its joint", gapClosed},
};

}  // namespace

std::span<const VerifyScenario> jointDriveScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
