// SPDX-License-Identifier: MIT
#include "joints.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace abut::tool {

using std::numbers::pi;

JointDescription jointAt(JointType type, ObjectId body1, ObjectId body2,
                         const Eigen::Vector3d& point, const Eigen::Vector3d& axis) {
  const Eigen::Vector3d z = axis.normalized();
  const Eigen::Vector3d x = z.unitOrthogonal(), y = z.cross(x);
  JointDescription d;
  d.type = type;
  d.body1 = body1;
  d.body2 = body2;
  d.placement = JointPlacement::InWorld;
  d.frame1.rotation = {toVec3(x), toVec3(y), toVec3(z)};
  d.frame1.translation = toVec3(point);
  return d;
}

ObjectId addLink(World& world, double mass, const Eigen::Vector3d& inertia, BodyDescription d) {
  d.mass = mass;
  d.inertia = inertia;
  ObjectId id = kNoObject;
  world.addBody(d, {}, id).orThrow();
  return id;
}

ObjectId addRod(World& world, double mass, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const double length = (to - from).norm();
  const Eigen::Quaterniond q =
      Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), to - from);
  const double across = mass * length * length / 12;
  BodyDescription d;
  d.position = 0.5 * (from + to);
  d.orientation = {q.w(), q.x(), q.y(), q.z()};
  return addLink(world, mass, {1e-6 * across, across, across}, d);
}

JointState stateOf(const World& world, ObjectId joint) {
  JointState state;
  world.getJointState(joint, state).orThrow();
  return state;
}

double jointGap(const World& world) {
  double most = 0.0;
  for (const ObjectId id : world.getJointIds()) {
    JointDescription d;
    world.getJoint(id, d).orThrow();
    const auto origin = [&](ObjectId body, const Pose& frame) -> Eigen::Vector3d {
      const Eigen::Vector3d local = toEigen(frame.translation);
      if (body == kNoObject) return local;
      return toEigen(motionOf(world, body).pose) * local;
    };
    if (d.type == JointType::Slider || d.type == JointType::Distance) continue;
    most = std::max(most, (origin(d.body1, d.frame1) - origin(d.body2, d.frame2)).norm());
  }
  return most;
}

void Watch::look(const World& world) {
  const EnergyAccount& a = world.getStepLedger();
  const double energy = (a.kineticAfter + a.potentialAfter) + a.elasticAfter;
  if (first_) start_ = (a.kineticBefore + a.potentialBefore) + a.elasticBefore;
  first_ = false;
  drift = std::max(drift, std::fabs(energy - start_));
  residual = std::max(residual, std::fabs(a.residual()));
  gap = std::max(gap, jointGap(world));
}

namespace {

Eigen::Vector3d hanging(double angle) {
  return {std::sin(angle), 0, -std::cos(angle)};
}
const Eigen::Vector3d kAcross(0, -1, 0);  // Turns x to z.

/// Jacobi's elliptic functions give the angle after 10 s; forces follow from the energy.
Rows pendulum() {
  World world;
  const ObjectId rod = addRod(world, 1.0, {0, 0, 0}, {1, 0, 0});
  const ObjectId hinge =
      world.addJoint(jointAt(JointType::Hinge, kNoObject, rod, {0, 0, 0}, kAcross));
  const double dt = 1e-3;
  world.step(dt).orThrow();
  const double release = stateOf(world, hinge).force.norm();
  double fastest = 0.0, bottom = 0.0;
  Watch watch;
  for (int i = 1; i < 10000; ++i) {
    world.step(dt).orThrow();
    watch.look(world);
    const JointState s = stateOf(world, hinge);
    if (std::fabs(s.rate[0]) > fastest) bottom = s.force.norm();
    fastest = std::max(fastest, std::fabs(s.rate[0]));
  }
  return {compare("angle after 10 s from 90 degrees [rad]", 0.770957622575,
                  stateOf(world, hinge).position[0] + pi / 2, 1e-10),
          compare("greatest rate [rad/s]", std::sqrt(3 * kGravity), fastest, 1e-5),
          compareRelative("hinge force there, relative", 2.5 * kGravity, bottom, 1e-5),
          compareRelative("hinge force at release, relative", 0.25 * kGravity, release, 1e-5),
          vanishes("energy [J]", "constant", watch.drift, 1e-12),
          vanishes("gap of the hinge [m]", "0", watch.gap, 1e-13)};
}

/// Gragg, Bulirsch and Stoer's method of order 16: two steps agree to 6e-15.
Rows doublePendulum() {
  World world;
  const Eigen::Vector3d end = hanging(pi / 3);
  const ObjectId one = addRod(world, 1.0, {0, 0, 0}, end);
  const ObjectId two = addRod(world, 1.0, end, end + hanging(pi / 2));
  const ObjectId h1 = world.addJoint(jointAt(JointType::Hinge, kNoObject, one, {0, 0, 0}, kAcross));
  const ObjectId h2 = world.addJoint(jointAt(JointType::Hinge, one, two, end, kAcross));
  Rows rows;
  const std::vector<std::byte> start = world.snapshot();
  for (const int rate : {60, 240}) {
    world.restore(start).orThrow();
    Watch watch;
    for (int i = 0; i < 10 * rate; ++i) {
      world.step(1.0 / rate).orThrow();
      watch.look(world);
    }
    const double a1 = pi / 3 + stateOf(world, h1).position[0];
    const double a2 = pi / 2 + stateOf(world, h1).position[0] + stateOf(world, h2).position[0];
    const std::string name = std::to_string(rate) + " Hz: ";
    const double bar = rate == 60 ? 1e-4 : 1e-6;
    rows.push_back(compare(name + "upper angle after 10 s [rad]", 1.149447965014, a1, bar));
    rows.push_back(compare(name + "lower angle [rad]", 1.029618158339, a2, bar));
    rows.push_back(vanishes(name + "energy [J]", "constant", watch.drift, 1e-12));
    rows.push_back(vanishes(name + "books [J]", "close", watch.residual, 1e-12));
    rows.push_back(vanishes(name + "gap of the hinges [m]", "0", watch.gap, 1e-13));
  }
  return rows;
}

/// Two rods on ball joints in space, whose course no reference can tell: what stays does.
Rows chaoticPendulum() {
  World world;
  constexpr double kAlong = 0.002, kAround = 1.0 / 12;
  BodyDescription d;
  d.position = {0.5, 0, 0};
  const ObjectId one = addLink(world, 1.0, {kAlong, kAround, kAround}, d);
  d.position = {1, 0.5, 0};
  const ObjectId two = addLink(world, 1.0, {kAround, kAlong, kAround}, d);
  world.addJoint(jointAt(JointType::Ball, kNoObject, one, {0, 0, 0}, {0, 0, 1}));
  world.addJoint(jointAt(JointType::Ball, one, two, {1, 0, 0}, {0, 0, 1}));
  Watch watch;
  for (int i = 0; i < 3600; ++i) {
    world.step(kFrame).orThrow();
    watch.look(world);
  }
  return {
      vanishes("energy over 60 s, in parts of m g l", "constant", watch.drift / kGravity, 1e-12),
      vanishes("books [J]", "close", watch.residual, 1e-12),
      vanishes("gap of the joints [m]", "0", watch.gap, 1e-13)};
}

/// W = sqrt(g / (l cos a)); a ball of 1 mm at 1 m is a point to 1e-7.
Rows conicalPendulum() {
  World world;
  const Eigen::Vector3d place = hanging(pi / 6);
  const double rate = std::sqrt(kGravity / std::cos(pi / 6));
  BodyDescription d;
  d.position = place;
  d.angularVelocity = {0, 0, rate};
  d.linearVelocity = d.angularVelocity.cross(place);
  const ObjectId ball = addLink(world, 1.0, {1e-7, 1e-7, 1e-7}, d);
  world.addJoint(jointAt(JointType::Ball, kNoObject, ball, {0, 0, 0}, {0, 0, 1}));
  const double dt = 1e-3;
  run(world, dt, 1000);
  const Eigen::Vector3d x = motionOf(world, ball).centerOfMass;
  const double turned = std::atan2(x.y(), x.x()) + 2 * pi;  // Between half a turn and one.
  return {compareRelative("rate at 30 degrees [rad/s], relative", 3.365651836, turned, 1e-5),
          compare("height below the hinge [m]", -std::cos(pi / 6), x.z(), 1e-6)};
}

/// Slow precession: m g l = I3 n W - (I1 - I3) W^2 cos a.
Rows gyroscope() {
  World world;
  const double spin = 200, arm = 0.2, tilt = pi / 3, slow = 2.051504387;
  const double across = 0.04253333333333333 - arm * arm;
  const Eigen::Vector3d axis(std::sin(tilt), 0, std::cos(tilt));
  BodyDescription d;
  d.position = arm * axis;
  d.orientation = {std::cos(tilt / 2), 0, std::sin(tilt / 2), 0};
  d.angularVelocity = (spin - slow * std::cos(tilt)) * axis + Eigen::Vector3d(0, 0, slow);
  d.linearVelocity = d.angularVelocity.cross(d.position);
  const ObjectId disc = addLink(world, 1.0, {across, across, 0.005}, d);
  world.addJoint(jointAt(JointType::Ball, kNoObject, disc, {0, 0, 0}, {0, 0, 1}));
  Watch watch;
  const double dt = 1e-3;
  for (int i = 0; i < 1000; ++i) {
    world.step(dt).orThrow();
    watch.look(world);
  }
  const Eigen::Vector3d x = motionOf(world, disc).centerOfMass;
  return {compareRelative("precession [rad/s], relative", slow, std::atan2(x.y(), x.x()), 1e-4),
          vanishes("energy of 100 J [J]", "constant", watch.drift, 1e-10)};
}

/// tan(out) = tan(in) / cos(bend), rates by its derivative.
Rows cardan() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  const double bend = pi / 6, rate = 2.0;
  const Eigen::Vector3d in(1, 0, 0), out(std::cos(bend), 0, std::sin(bend));
  const ObjectId driver = addRod(world, 1.0, -in, -0.1 * in),
                 driven = addRod(world, 1.0, 0.1 * out, out);
  JointDescription drive = jointAt(JointType::Hinge, kNoObject, driver, -in, in);
  drive.axes[0].drive.mode = DriveMode::Speed;
  drive.axes[0].drive.target = rate;
  const ObjectId h1 = world.addJoint(drive);
  const ObjectId h2 = world.addJoint(jointAt(JointType::Hinge, kNoObject, driven, out, out));
  JointDescription cross = jointAt(JointType::Universal, driver, driven, {0, 0, 0}, {0, 1, 0});
  const Eigen::Vector3d x2(-std::sin(bend), 0, std::cos(bend)), y(0, 1, 0);
  cross.frame1.rotation = {toVec3(x2), toVec3(y.cross(x2)), toVec3(y)};
  world.addJoint(cross);
  const int steps = 500;
  const double dt = pi / 6 / rate / steps;
  run(world, dt, steps);
  const double degrees = 180 / pi;
  // The driver's fork lies across the plane of the shafts at the start: tan(in) = tan(out) / cos.
  const double a = stateOf(world, h1).position[0], b = stateOf(world, h2).position[0];
  return {compare("input [degrees]", 30.0, a * degrees, 1e-12),
          compare("output [degrees]", std::atan(std::tan(pi / 6) * std::cos(bend)) * degrees,
                  b * degrees, 1e-12)};
}

/// Hinges in space hold three things of a planar loop twice. Angles by the law of cosines.
Rows fourBar() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options);
  const double base = 1.0, crank = 0.4, coupler = 0.9, rocker = 0.7;
  const Eigen::Vector3d a(0, 0, 0), b(crank, 0, 0), d(base, 0, 0);
  const double reach = base - crank;
  const double along = (coupler * coupler - rocker * rocker + reach * reach) / (2 * reach);
  const Eigen::Vector3d c =
      b + Eigen::Vector3d(along, 0, std::sqrt(coupler * coupler - along * along));
  const ObjectId one = addRod(world, 1.0, a, b), two = addRod(world, 1.0, b, c),
                 three = addRod(world, 1.0, c, d);
  JointDescription drive = jointAt(JointType::Hinge, kNoObject, one, a, kAcross);
  drive.axes[0].drive.mode = DriveMode::Speed;
  drive.axes[0].drive.target = pi;
  world.addJoint(drive);
  world.addJoint(jointAt(JointType::Hinge, one, two, b, kAcross));
  const ObjectId transmission = world.addJoint(jointAt(JointType::Hinge, two, three, c, kAcross));
  world.addJoint(jointAt(JointType::Hinge, kNoObject, three, d, kAcross));
  const double degrees = 180 / pi;
  const double start =
      std::acos((coupler * coupler + rocker * rocker - reach * reach) / (2 * coupler * rocker));
  Rows rows{compare("transmission angle at 0 degrees", 41.75220520, start * degrees, 1e-7)};
  const double truth[] = {64.62306647, 83.62062979, 121.5881355};
  const int until[] = {200, 300, 600};
  int step = 0;
  for (int k = 0; k < 3; ++k) {
    for (; step < until[k]; ++step) world.step(1.0 / 600).orThrow();
    const double angle = start + std::fabs(stateOf(world, transmission).position[0]);
    rows.push_back(compare("the same at " + std::to_string(until[k] * 3 / 10) + " degrees",
                           truth[k], angle * degrees, 1e-7));
  }
  return rows;
}

/// Where an angle passes zero within a step, by the cubic through both ends and their rates.
double crossing(double before, double rateBefore, double after, double rateAfter, double dt) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double f = 0.5 * (low + high), g = 1.0 - f;
    const double value = (before * (1.0 + 2.0 * f) + dt * rateBefore * f) * g * g +
                         (after * (1.0 + 2.0 * g) - dt * rateAfter * g) * f * f;
    ((value > 0.0) == (before > 0.0) ? low : high) = f;
  }
  return low * dt;
}

/// 4 K(sin(a/2)) sqrt(2 / 3g), K Legendre's complete integral.
Rows periods() {
  const std::pair<int, double> kPeriods[] = {
      {5, 1.638726531},   {30, 1.666461267},  {60, 1.757814805}, {90, 1.933334854},
      {120, 2.248704929}, {170, 3.995545838}, {179, 6.389736361}};
  Rows rows;
  for (const auto& [degrees, period] : kPeriods) {
    World world;
    const double start = degrees * pi / 180, dt = 1e-3;
    const ObjectId rod = addRod(world, 1.0, {0, 0, 0}, hanging(start));
    const ObjectId hinge =
        world.addJoint(jointAt(JointType::Hinge, kNoObject, rod, {0, 0, 0}, kAcross));
    JointState before = stateOf(world, hinge);
    double quarter = 0.0;
    for (int i = 0; i < 3000 && quarter == 0.0; ++i) {
      world.step(dt).orThrow();
      const JointState s = stateOf(world, hinge);
      if (start + s.position[0] <= 0.0) {
        quarter = i * dt + crossing(start + before.position[0], before.rate[0],
                                    start + s.position[0], s.rate[0], dt);
      }
      before = s;
    }
    rows.push_back(compareRelative("period from " + std::to_string(degrees) + " degrees [s]",
                                   period, 4 * quarter, 1e-9));
  }
  return rows;
}

/// Two rods of 1 m and 1 kg: (4/3 w^2 - 3g/2)(w^2/3 - g/2) = w^4/4, each from its own shape.
Rows smallOscillations() {
  Rows rows;
  for (const double w : {2.680114012, 7.188670870}) {
    const double upper = 1e-4;
    const double lower = upper * (1.5 * kGravity - w * w * 4 / 3) / (0.5 * w * w);
    World world;
    const Eigen::Vector3d end = hanging(upper);
    const ObjectId one = addRod(world, 1.0, {0, 0, 0}, end);
    const ObjectId two = addRod(world, 1.0, end, end + hanging(lower));
    const ObjectId hinge =
        world.addJoint(jointAt(JointType::Hinge, kNoObject, one, {0, 0, 0}, kAcross));
    world.addJoint(jointAt(JointType::Hinge, one, two, end, kAcross));
    const double dt = 1e-3;
    double first = 0.0, last = 0.0;
    int crossings = 0;
    JointState before = stateOf(world, hinge);
    for (int i = 0; i < 20000 && crossings < 11; ++i) {
      world.step(dt).orThrow();
      const JointState s = stateOf(world, hinge);
      const double a = upper + before.position[0], b = upper + s.position[0];
      if ((a > 0.0) != (b > 0.0)) {
        last = i * dt + crossing(a, before.rate[0], b, s.rate[0], dt);
        if (crossings++ == 0) first = last;
      }
      before = s;
    }
    rows.push_back(compareRelative("small oscillations of two rods [rad/s]", w,
                                   10 * pi / (last - first), 1e-7));
  }
  return rows;
}

/// A figure of 20 rods, each on one of those before it by a ball joint or a hinge, thrown with
/// turns of its own. `shuffled`: the same, added in another order.
std::vector<BodyDescription> addFigure(World& world, bool shuffled) {
  constexpr int kBodies = 20;
  VerifyRandom random(5);
  std::vector<BodyDescription> bodies(kBodies);
  std::vector<JointDescription> joints;
  std::vector<Eigen::Vector3d> ends(kBodies);
  for (int i = 0; i < kBodies; ++i) {
    BodyDescription& d = bodies[static_cast<std::size_t>(i)];
    const auto before = static_cast<std::size_t>((i - 1) / 2);
    const Eigen::Vector3d from = i == 0 ? Eigen::Vector3d(0, 0, 0) : ends[before];
    const Eigen::Vector3d way = random.between(0.2, 0.4) * random.direction();
    const double mass = random.between(0.5, 5.0), across = mass * way.squaredNorm() / 12;
    const auto q = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), way);
    ends[static_cast<std::size_t>(i)] = from + way;
    d.id = static_cast<ObjectId>(100 + (7 * i) % kBodies);
    d.position = from + 0.5 * way;
    d.orientation = {q.w(), q.x(), q.y(), q.z()};
    d.mass = mass;
    d.inertia = {0.1 * across, across, across};
    d.angularVelocity = 3.0 * random.direction();
    if (i == 0) continue;
    const JointType type = i % 3 == 0 ? JointType::Hinge : JointType::Ball;
    joints.push_back(jointAt(type, bodies[before].id, d.id, from, random.direction()));
    joints.back().id = static_cast<ObjectId>(200 + (11 * i) % kBodies);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ObjectId id = kNoObject;
    world.addBody(bodies[shuffled ? (13 * i + 4) % bodies.size() : i], {}, id).orThrow();
  }
  for (std::size_t i = 0; i < joints.size(); ++i) {
    world.addJoint(joints[shuffled ? joints.size() - 1 - i : i]);
  }
  return bodies;
}

/// Linear and angular momentum.
std::pair<Eigen::Vector3d, Eigen::Vector3d> momenta(const World& world,
                                                    const std::vector<BodyDescription>& bodies) {
  Eigen::Vector3d p(0, 0, 0), l(0, 0, 0);
  for (const BodyDescription& d : bodies) {
    const BodyMotion m = motionOf(world, d.id);
    const Eigen::Matrix3d turn = toEigen(m.pose).linear();
    const Eigen::Vector3d own =
        turn * d.inertia.cwiseProduct(Eigen::Vector3d(turn.transpose() * m.angularVelocity));
    p += d.mass * m.linearVelocity;
    l += toEigen(m.pose.translation).cross(d.mass * m.linearVelocity) + own;
  }
  return {p, l};
}

/// Without gravity nothing changes its momenta and energy.
Rows tumblingFigure() {
  WorldOptions options;
  options.gravity = {0, 0, 0};
  World world(options), other(options);
  const std::vector<BodyDescription> bodies = addFigure(world, false);
  addFigure(other, true);
  // The first step makes the velocities what the joints allow.
  for (World* w : {&world, &other}) w->step(kFrame).orThrow();
  const auto [p, l] = momenta(world, bodies);
  const double scale = world.getStepLedger().kineticAfter;
  Watch watch;
  double force = 0.0, turn = 0.0;
  for (int i = 0; i < 300; ++i) {
    world.step(kFrame).orThrow();
    watch.look(world);
    const auto [p1, l1] = momenta(world, bodies);
    force = std::max(force, (p1 - p).norm());
    turn = std::max(turn, (l1 - l).norm() / l.norm());
    if (i < 30) other.step(kFrame).orThrow();
    if (i == 29 && world.hash() != other.hash()) force = 1.0;
  }
  // What is far away changes no bit of it, and what is restored goes on as it went.
  World crowded(options), again(options);
  addFigure(crowded, false);
  BodyDescription far;
  far.position = {100, 0, 0};
  far.id = 1000;
  const ObjectId rod = addLink(crowded, 1.0, {0.1, 0.1, 0.1}, far);
  JointDescription hinge = jointAt(JointType::Hinge, kNoObject, rod, {101, 0, 0}, {0, 0, 1});
  hinge.id = 1000;
  crowded.addJoint(hinge);
  for (int i = 0; i < 31; ++i) crowded.step(kFrame).orThrow();
  again.restore(other.snapshot()).orThrow();
  double apart = 0.0;
  for (int i = 0; i < 30; ++i) {
    again.step(kFrame).orThrow();
    other.step(kFrame).orThrow();
    crowded.step(kFrame).orThrow();
  }
  for (const BodyDescription& d : bodies) {
    const BodyMotion a = motionOf(again, d.id), b = motionOf(other, d.id);
    const BodyMotion c = motionOf(crowded, d.id);
    apart += (a.position - b.position).norm() + (c.position - b.position).norm();
    apart += (a.angularVelocity - b.angularVelocity).norm();
    apart += (c.angularVelocity - b.angularVelocity).norm();
  }
  if (again.hash() != other.hash()) apart = 1.0;
  return {vanishes("restored, and beside a far mechanism: bits", "same", apart, 0.0),
          vanishes("energy over 5 s at 60 Hz, relative", "constant", watch.drift / scale, 1e-12),
          vanishes("momentum, and bits of another order [kg m/s]", "constant", force, 1e-12),
          vanishes("angular momentum, relative", "constant", turn, 1e-12),
          vanishes("gap of the joints [m]", "0", watch.gap, 1e-13)};
}

constexpr VerifyScenario kScenarios[] = {
    {"pendulum", "rod of 1 m hinged at its end, from 90 degrees, 1000 Hz", pendulum},
    {"pendulum-periods", "the same from seven angles", periods},
    {"double-pendulum", "two rods from 60 and 90 degrees", doublePendulum},
    {"chaotic-pendulum", "two rods on ball joints from the horizontal, 60 Hz", chaoticPendulum},
    {"small-oscillations", "two rods, each of their own shapes, 1000 Hz", smallOscillations},
    {"tumbling-figure", "20 rods on hinges and ball joints without gravity, 60 Hz", tumblingFigure},
    {"conical-pendulum", "1 m at 30 degrees on a ball joint, 1000 Hz", conicalPendulum},
    {"gyroscope", "disc on a ball joint, 200 rad/s at 60 degrees, 1000 Hz", gyroscope},
    {"cardan", "universal joint of shafts at 30 degrees, driven", cardan},
    {"four-bar", "loop of four hinges in space, .4 / .9 / .7 on 1 m, driven", fourBar},
};

}  // namespace

std::span<const VerifyScenario> jointScenarios() {
  return kScenarios;
}

}  // namespace abut::tool
