// SPDX-License-Identifier: MIT
// Mechanisms beside Bullet and ODE: a pendulum, a chain with a heavy end, heaps of ragdolls; and
// Abut alone on a standing quadruped. Processor time a step, energy, gaps of the joints. Arguments:
// sizes of the heaps (30 100 1000), "threads=N" for Abut's, "steps=N" of the heaps.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/world.hpp>

#include "joints_peer.hpp"

namespace {

using namespace abut;
using namespace abut::bench;

double processorSeconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}
double wallSeconds() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

int held = 0, bars = 0;
void bar(const std::string& name, double value, double most) {
  const bool holds = value <= most;
  std::printf("  %-66s %9.3g  bar %8.3g  %s\n", name.c_str(), value, most,
              holds ? "holds" : "FAILS");
  held += holds ? 1 : 0;
  ++bars;
}

Eigen::Quaterniond turnOf(const Quat& q) {
  return {q.w, q.x, q.y, q.z};
}
Eigen::Vector3d vectorOf(const Vec3& v) {
  return {v.x, v.y, v.z};
}

double energyOf(const JointScene& scene, const std::vector<LinkMotion>& motions) {
  double sum = 0.0;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Link& link = scene.links[i];
    if (!(link.mass > 0.0)) continue;
    const LinkMotion& m = motions[i];
    const Eigen::Vector3d w = turnOf(m.orientation).conjugate() * vectorOf(m.spin);
    const Eigen::Vector3d inertia = vectorOf(link.inertia);
    sum += 0.5 * link.mass * vectorOf(m.velocity).squaredNorm() +
           0.5 * w.cwiseProduct(inertia).dot(w) + link.mass * kJointGravity * m.position.z;
  }
  return sum;
}

/// Places of the joints in their bodies, from the beginning.
class Gaps {
public:
  explicit Gaps(const JointScene& scene) : scene_(scene) {
    for (const Hold& h : scene.holds) anchors_.push_back({inLink(h.link1, h), inLink(h.link2, h)});
  }
  [[nodiscard]] double greatest(const std::vector<LinkMotion>& motions) const {
    double most = 0.0;
    for (std::size_t i = 0; i < anchors_.size(); ++i) {
      const Hold& h = scene_.holds[i];
      const Eigen::Vector3d a = inWorld(h.link1, anchors_[i][0], motions);
      most = std::max(most, (a - inWorld(h.link2, anchors_[i][1], motions)).norm());
    }
    return most;
  }

private:
  [[nodiscard]] Eigen::Vector3d inLink(std::size_t link, const Hold& h) const {
    if (link == kNoLink) return vectorOf(h.point);
    const Link& l = scene_.links[link];
    return turnOf(l.orientation).conjugate() * (vectorOf(h.point) - vectorOf(l.position));
  }
  static Eigen::Vector3d inWorld(std::size_t link, const Eigen::Vector3d& anchor,
                                 const std::vector<LinkMotion>& motions) {
    if (link == kNoLink) return anchor;
    const LinkMotion& m = motions[link];
    return turnOf(m.orientation) * anchor + vectorOf(m.position);
  }

  const JointScene& scene_;
  std::vector<std::array<Eigen::Vector3d, 2>> anchors_;
};

struct Outcome {
  double seconds = 0.0, wall = 0.0;  ///< Of a step.
  double late = 0.0;                 ///< Of a step of the last quarter.
  double drift = 0.0;                ///< Greatest rise or change of the energy over its scale.
  double gap = 0.0;
  int unsolved = 0;
  std::vector<LinkMotion> last;
};

/// `rises`: only what the energy gains in a step counts.
Outcome measure(JointPeer& peer, const JointScene& scene, int steps, double scale, bool rises) {
  Outcome out;
  peer.build(scene);
  const Gaps gaps(scene);
  std::vector<LinkMotion> motions;
  double first = 0.0, before = 0.0;
  for (const Link& link : scene.links) first += link.mass * kJointGravity * link.position.z;
  before = first;
  double late = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double start = processorSeconds(), wall = wallSeconds();
    peer.step();
    const double took = processorSeconds() - start;
    out.seconds += took;
    out.wall += wallSeconds() - wall;
    if (i >= 3 * steps / 4) late += took;
    peer.getMotions(motions);
    const double now = energyOf(scene, motions);
    const double change = rises ? now - before : std::fabs(now - first);
    out.drift = std::max(out.drift, change / scale);
    before = now;
    out.gap = std::max(out.gap, gaps.greatest(motions));
  }
  out.late = late / (steps - 3 * steps / 4);
  out.seconds /= steps;
  out.wall /= steps;
  out.unsolved = peer.numUnsolved();
  out.last = motions;
  std::printf(
      "  %-18s %-16s %10.1f us a step %10.1f at the end  energy %+9.1e  gap %8.1e m%s\n",
      scene.name.c_str(), peer.getName().c_str(), 1e6 * out.seconds, 1e6 * out.late, out.drift,
      out.gap,
      out.unsolved > 0 ? (", " + std::to_string(out.unsolved) + " not solved").c_str() : "");
  std::fflush(stdout);
  return out;
}

std::vector<std::unique_ptr<JointPeer>> peers() {
  std::vector<std::unique_ptr<JointPeer>> all;
  if (auto bullet = makeJointBullet()) all.push_back(std::move(bullet));
  if (auto ode = makeJointOde()) all.push_back(std::move(ode));
  return all;
}

/// 90 degrees, ten seconds at 60 Hz: the energy stays, the angle is 0.770957622575 rad.
void pendulum() {
  const JointScene scene = makePendulum(std::acos(0.0));
  const int steps = 600;
  for (const auto& peer : peers()) measure(*peer, scene, steps, kJointGravity, false);
  const auto exact = makeJointAbut(true), fast = makeJointAbut(false);
  const Outcome a = measure(*exact, scene, steps, kJointGravity, false);
  const Outcome b = measure(*fast, scene, steps, kJointGravity, false);
  const Vec3 at = a.last[0].position;
  const double angle = std::atan2(-at.x, -at.z);
  bar("pendulum, exact: change of the energy over m g L", a.drift, 1e-12);
  bar("pendulum, exact: angle after 10 s at 60 Hz, off by [rad]",
      std::fabs(std::fabs(angle) - 0.770957622575), 1e-5);
  bar("pendulum, real time: change of the energy over m g L", b.drift, 1e-12);
}

void chain() {
  for (const double ball : {1000.0, 10000.0}) {
    const JointScene scene = makeChain(ball);
    const double scale = (ball + 10) * kJointGravity * 10;
    for (const auto& peer : peers()) measure(*peer, scene, 240, scale, false);
    const Outcome a = measure(*makeJointAbut(true), scene, 240, scale, false);
    const Outcome b = measure(*makeJointAbut(false), scene, 240, scale, false);
    bar(scene.name + ", exact: change of the energy over m g L", a.drift, 1e-12);
    bar(scene.name + ", exact: gap [m]", a.gap, 1e-12);
    bar(scene.name + ", real time: gap [m]", b.gap, 1e-9);
  }
}

void heaps(const std::vector<int>& sizes, int threads, int steps) {
  double smallest = 0.0;
  for (const int size : sizes) {
    const JointScene scene = makeRagdolls(size);
    double scale = 0.0;
    for (const Link& link : scene.links) scale += link.mass * kJointGravity;
    double peer = 0.0;
    for (const auto& each : peers()) {
      const Outcome o = measure(*each, scene, steps, scale, true);
      if (each->getName() == "Bullet") peer = o.seconds;
    }
    const Outcome o = measure(*makeJointAbut(false, threads), scene, steps, scale, true);
    const std::string name = scene.name;
    bar(name + ": gap of the joints [m]", o.gap, 1e-9);
    bar(name + ": energy gained in a step, over weight times a metre", o.drift, 1e-12);
    bar(name + ": steps not solved, of all", static_cast<double>(o.unsolved) / steps, 0.02);
    if (peer > 0.0) bar(name + ": time over Bullet's", o.seconds / peer, 1.0);
    bar(name + ": wall time of a step over its length", o.wall / scene.step, 1.0);
    if (smallest > 0.0)
      bar(name + ": time a ragdoll over that of " + std::to_string(sizes[0]),
          o.seconds / size / smallest, 1.25);
    if (smallest == 0.0) smallest = o.seconds / size;
  }
}

/// A base of 20 kg on four legs of three servos, on balls for feet, standing.
struct Quadruped {
  explicit Quadruped(const WorldOptions& options) : world(options) {
    Material m;
    m.friction = 0.8;
    world.materials().add(m, material_).orThrow();
    BodyDescription ground;
    ground.type = BodyType::Static;
    world.addBody(ground, PlaneShape({0, 0, 1}, 0.0), material_);
    const ObjectId base = link(20.0, {0.14, 0.46, 0.51}, {0, 0, kHeight});
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) leg(base, x, y);
    }
  }

  World world;

private:
  static constexpr double kThigh = 0.25, kFoot = 0.03, kHeight = 0.53;
  MaterialId material_ = 0;

  ObjectId link(double mass, const Eigen::Vector3d& inertia, const Eigen::Vector3d& at) {
    BodyDescription d;
    d.position = at;
    d.mass = mass;
    d.inertia = inertia;
    ObjectId id = kNoObject;
    world.addBody(d, std::vector<BodyShape>{}, id).orThrow();
    return id;
  }
  void leg(ObjectId base, double x, double y) {
    const double bend = -0.35 * x;
    const Eigen::Vector3d hip(0.22 * x, 0.12 * y, kHeight),
        down(std::sin(bend), 0, -std::cos(bend));
    const Eigen::Vector3d top = hip + Eigen::Vector3d(0, 0.05 * y, 0), knee = top + kThigh * down;
    const Eigen::Vector3d foot = knee + kThigh * Eigen::Vector3d(-down.x(), 0, down.z());
    const ObjectId one = link(1.0, {0.002, 0.002, 0.002}, hip + Eigen::Vector3d(0, 0.03 * y, 0));
    const ObjectId two = link(1.5, {0.008, 0.008, 0.001}, 0.5 * (top + knee));
    BodyDescription d;
    d.position = foot;
    d.mass = 0.3;
    d.inertia = {0.004, 0.004, 0.0005};
    const ObjectId ball = world.addBody(d, SphereShape(kFoot), material_);
    servo(base, one, hip, {1, 0, 0});
    servo(one, two, top, {0, 1, 0});
    servo(two, ball, knee, {0, 1, 0});
  }
  void servo(ObjectId one, ObjectId two, const Eigen::Vector3d& at, const Eigen::Vector3d& axis) {
    JointDescription d;
    d.body1 = one;
    d.body2 = two;
    d.placement = JointPlacement::InWorld;
    const Eigen::Vector3d x = axis.unitOrthogonal(), y = axis.cross(x);
    d.frame1.translation = {at.x(), at.y(), at.z()};
    d.frame1.rotation = {
        {x.x(), x.y(), x.z()}, {y.x(), y.y(), y.z()}, {axis.x(), axis.y(), axis.z()}};
    d.axes[0].drive.mode = DriveMode::Position;
    d.axes[0].drive.stiffness = 400;
    d.axes[0].drive.damping = 10;
    world.addJoint(d);
  }
};

void quadruped() {
  for (const bool isExact : {false, true}) {
    Quadruped robot(isExact ? WorldOptions{} : WorldOptions::realTime());
    for (int i = 0; i < 600; ++i) robot.world.step(1.0 / 200).orThrow();
    double best = 1e300;
    constexpr int kSteps = 500;
    for (int repeat = 0; repeat < 9; ++repeat) {
      const double start = processorSeconds();
      for (int i = 0; i < kSteps; ++i) robot.world.step(1.0 / 200).orThrow();
      best = std::min(best, (processorSeconds() - start) / kSteps);
    }
    bar(std::string("quadruped that stands, 200 Hz, ") + (isExact ? "exact" : "real time") +
            ": a step [us]",
        1e6 * best, 30.0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int> sizes;
  int threads = 1, steps = 180;
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "threads=", 8) == 0) {
      threads = std::atoi(argv[i] + 8);
    } else if (std::strncmp(argv[i], "steps=", 6) == 0) {
      steps = std::atoi(argv[i] + 6);
    } else {
      sizes.push_back(std::atoi(argv[i]));
    }
  }
  if (sizes.empty()) sizes = {30, 100, 1000};
  pendulum();
  chain();
  quadruped();
  heaps(sizes, threads, steps);
  std::printf("%d of %d bars hold\n", held, bars);
  return held == bars ? 0 : 1;
}
