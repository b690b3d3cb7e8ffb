// SPDX-License-Identifier: MIT
#include <cmath>

#include <Eigen/Geometry>

#include "joints_peer.hpp"

namespace abut::bench {
namespace {

constexpr double kPi = 3.14159265358979323846, kDensity = 1000.0;

Vec3 toVec(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
Quat toTurn(const Eigen::Matrix3d& m) {
  Eigen::Quaterniond q(m);
  q.normalize();
  return {q.w(), q.x(), q.y(), q.z()};
}

/// Mass and inertia of a solid.
void fill(Link& link, double density) {
  const double r = link.half.x, h = link.half.y;
  if (link.kind == LinkKind::Sphere) {
    link.mass = density * 4.0 / 3.0 * kPi * r * r * r;
    const double i = 0.4 * link.mass * r * r;
    link.inertia = {i, i, i};
  } else if (link.kind == LinkKind::Capsule) {
    const double rod = density * kPi * r * r * 2 * h, caps = density * 4.0 / 3.0 * kPi * r * r * r;
    link.mass = rod + caps;
    const double across =
        rod * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * r * h);
    link.inertia = {across, across, rod * r * r / 2 + caps * 0.4 * r * r};
  } else {
    const Vec3& s = link.half;
    link.mass = density * 8 * s.x * s.y * s.z;
    link.inertia = {link.mass * (s.y * s.y + s.z * s.z) / 3,
                    link.mass * (s.x * s.x + s.z * s.z) / 3,
                    link.mass * (s.x * s.x + s.y * s.y) / 3};
  }
}

/// The same numbers on every machine.
class Draw {
public:
  double about(double size) {
    state_ = state_ * 1664525u + 1013904223u;
    return (2 * ((state_ >> 8) / 16777216.0) - 1) * size;
  }

private:
  std::uint32_t state_ = 12345;
};

class Figure {
public:
  Figure(JointScene& scene, const Eigen::Vector3d& at, const Eigen::Vector3d& turn)
      : scene_(scene) {
    at_.setIdentity();
    if (turn.norm() > 0.0)
      at_.linear() = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
    at_.translation() = at;
  }
  void build() {
    const Eigen::Matrix3d upright = Eigen::Matrix3d::Identity();
    const Eigen::Matrix3d lying =
        Eigen::AngleAxisd(kPi / 2, Eigen::Vector3d::UnitY()).toRotationMatrix();
    const std::size_t pelvis = add(LinkKind::Box, {0.15, 0.1, 0.08}, {0, 0, 0}, upright);
    const std::size_t chest = add(LinkKind::Box, {0.17, 0.11, 0.15}, {0, 0, 0.27}, upright);
    const std::size_t head = add(LinkKind::Sphere, {0.11, 0, 0}, {0, 0, 0.57}, upright);
    ball(pelvis, chest, {0, 0, 0.1}, {0, 0, 1}, 0.6, 0.4);
    ball(chest, head, {0, 0, 0.44}, {0, 0, 1}, 0.7, 0.8);
    for (const double s : {-1.0, 1.0}) {
      const std::size_t arm = add(LinkKind::Capsule, {0.05, 0.11, 0}, {0.34 * s, 0, 0.38}, lying);
      const std::size_t hand = add(LinkKind::Capsule, {0.04, 0.11, 0}, {0.63 * s, 0, 0.38}, lying);
      ball(chest, arm, {0.2 * s, 0, 0.38}, {s, 0, 0}, 1.5, 1.0);
      hinge(arm, hand, {0.49 * s, 0, 0.38}, {0, 0, s}, -0.05, 2.3);
      const std::size_t thigh =
          add(LinkKind::Capsule, {0.07, 0.15, 0}, {0.1 * s, 0, -0.28}, upright);
      const std::size_t shin = add(LinkKind::Capsule, {0.05, 0.16, 0}, {0.1 * s, 0, -0.7}, upright);
      ball(pelvis, thigh, {0.1 * s, 0, -0.1}, {0, 0, -1}, 1.2, 0.5);
      hinge(thigh, shin, {0.1 * s, 0, -0.49}, {1, 0, 0}, -2.3, 0.05);
    }
  }

private:
  std::size_t add(LinkKind kind, const Vec3& half, const Eigen::Vector3d& place,
                  const Eigen::Matrix3d& turn) {
    Link link;
    link.kind = kind;
    link.half = half;
    link.position = toVec(at_ * place);
    link.orientation = toTurn(at_.linear() * turn);
    fill(link, kDensity);
    scene_.links.push_back(link);
    return scene_.links.size() - 1;
  }
  void hold(Hold h, const Eigen::Vector3d& point, const Eigen::Vector3d& axis) {
    h.point = toVec(at_ * point);
    h.axis = toVec(at_.linear() * axis);
    scene_.holds.push_back(h);
  }
  void ball(std::size_t a, std::size_t b, const Eigen::Vector3d& point, const Eigen::Vector3d& axis,
            double swing, double twist) {
    hold({true, a, b, {}, {}, -twist, twist, swing}, point, axis);
  }
  void hinge(std::size_t a, std::size_t b, const Eigen::Vector3d& point,
             const Eigen::Vector3d& axis, double lower, double upper) {
    Hold h;
    h.link1 = a;
    h.link2 = b;
    h.lower = lower;
    h.upper = upper;
    hold(h, point, axis);
  }

  JointScene& scene_;
  Eigen::Isometry3d at_;
};

Link rod(const Eigen::Vector3d& middle, double angle) {
  Link link;
  link.half = {0.01, 0.01, 0.5};
  link.position = toVec(middle);
  link.orientation = {std::cos(angle / 2), 0, std::sin(angle / 2), 0};
  link.mass = 1.0;
  link.inertia = {1.0 / 12, 1.0 / 12, 1e-4};
  return link;
}

}  // namespace

JointScene makePendulum(double angle) {
  JointScene scene;
  scene.name = "pendulum";
  const Eigen::Vector3d down(-std::sin(angle), 0, -std::cos(angle));
  scene.links.push_back(rod(0.5 * down, angle));
  Hold h;
  h.axis = {0, 1, 0};
  scene.holds.push_back(h);
  return scene;
}

JointScene makeChain(double ball) {
  JointScene scene;
  scene.name = "chain with " + std::to_string(static_cast<int>(ball)) + " kg";
  for (int i = 0; i < 10; ++i) {
    scene.links.push_back(rod({i + 0.5, 0, 0}, kPi / 2));
    Hold h;
    h.link1 = i == 0 ? kNoLink : static_cast<std::size_t>(i - 1);
    h.link2 = static_cast<std::size_t>(i);
    h.point = {static_cast<double>(i), 0, 0};
    h.axis = {0, 1, 0};
    scene.holds.push_back(h);
  }
  Link end;
  end.kind = LinkKind::Sphere;
  end.half = {0.4, 0, 0};
  end.position = {10.4, 0, 0};
  end.mass = ball;
  const double i = 0.4 * ball * 0.16;
  end.inertia = {i, i, i};
  scene.links.push_back(end);
  Hold h;
  h.isBall = true;
  h.link1 = 9;
  h.link2 = 10;
  h.point = {10, 0, 0};
  h.axis = {1, 0, 0};
  scene.holds.push_back(h);
  return scene;
}

JointScene makeRagdolls(int count) {
  JointScene scene;
  scene.name = std::to_string(count) + " ragdolls";
  scene.touches = true;
  Link ground;
  ground.kind = LinkKind::Ground;
  scene.links.push_back(ground);
  const int layers = count < 10 ? count : 10, columns = (count + layers - 1) / layers;
  const int side = static_cast<int>(std::ceil(std::sqrt(columns)));
  Draw draw;
  for (int i = 0; i < count; ++i) {
    const int column = i % columns;
    const double x = 1.1 * (column / side) + draw.about(0.2);
    const double y = 1.1 * (column % side) + draw.about(0.2);
    const double a = draw.about(3), b = draw.about(3), c = draw.about(3);
    Figure(scene, {x, y, 1.2 + 1.9 * (i / columns)}, {a, b, c}).build();
  }
  return scene;
}

}  // namespace abut::bench
