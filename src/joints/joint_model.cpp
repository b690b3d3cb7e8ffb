// SPDX-License-Identifier: MIT
#include "joints/joint_model.hpp"

#include <cmath>

#include "math/trigonometry.hpp"

namespace abut::inline v0_1 {
namespace {

const Vec3& column(const Mat3& m, int i) {
  return i == 0 ? m.x : (i == 1 ? m.y : m.z);
}

/// a x b of two different axes of a right-handed frame.
Vec3 third(const Mat3& m, int a, int b) {
  const Vec3& c = column(m, 3 - a - b);
  return (b - a + 3) % 3 == 1 ? c : -c;
}

/// The frames of a joint and what lies between them, in the world.
struct Seen {
  Mat3 frame1, frame2;
  Vec3 arm1, arm2;  ///< From the centres of mass.
  Vec3 d;           ///< From origin 1 to origin 2.
};

Seen look(const JointModel& model, const Placement& p1, const Placement& p2) {
  Seen s;
  s.frame1 = p1.rotation * model.frame1;
  s.frame2 = p2.rotation * model.frame2;
  s.arm1 = p1.rotation * model.arm1;
  s.arm2 = p2.rotation * model.arm2;
  s.d = (p2.position - p1.position) + (s.arm2 - s.arm1);
  return s;
}

double component(const Vec3& v, int i) {
  return i == 0 ? v.x : (i == 1 ? v.y : v.z);
}

Vec3 unitOf(int i) {
  return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
}

/// A unit vector, or zero for one that has no direction.
Vec3 directionOf(const Vec3& v) {
  const double length = norm(v);
  return length > 0.0 ? v * (1.0 / length) : Vec3{};
}

/// Below this sine the direction of a swing is not defined.
constexpr double kNoSwing = 1e-9;
/// Twist has no meaning where z2 is swung round to -z1: its rate would have no bound there. Beyond
/// a swing of 168 degrees, by 1 + cos, forces of a twist fade to nothing.
constexpr double kLeastOpening = 0.02;

void setRow(JointRates& rates, int row, const Vec3& linear1, const Vec3& angular1,
            const Vec3& linear2, const Vec3& angular2) {
  rates.j1.row[row] = toVec6(linear1, angular1);
  rates.j2.row[row] = toVec6(linear2, angular2);
}

/// The rate of d along a direction that does not turn.
void setAlong(JointRates& rates, int row, const Seen& s, const Vec3& n) {
  setRow(rates, row, -n, -cross(s.arm1, n), n, cross(s.arm2, n));
}

void setTurn(JointRates& rates, int row, const Vec3& n) {
  setRow(rates, row, Vec3{}, -n, Vec3{}, n);
}

/// Turning about one of three axes that carry one another, x1, y = z2 x x1 and z2, is what the
/// other two do not see of it.
void setOneOf3(JointRates& rates, int row, RowKind kind, const Vec3& a1, const Vec3& b2) {
  const Vec3 x = directionOf(a1), z = directionOf(b2), between = cross(z, x);
  const double cosine = norm(between);
  if (!(cosine > kNoSwing)) return;
  const Vec3 y = between / cosine;
  if (kind == RowKind::FirstOf3) setTurn(rates, row, cross(y, z) / cosine);
  if (kind == RowKind::SecondOf3) setTurn(rates, row, y);
  if (kind == RowKind::ThirdOf3) setTurn(rates, row, cross(x, y) / cosine);
}

struct Builder {
  JointModel& model;
  void add(RowKind kind, int a = 0, int b = 0, int axis = 0) {
    model.rows[static_cast<std::size_t>(model.numRows++)] = {kind, static_cast<std::uint8_t>(a),
                                                             static_cast<std::uint8_t>(b),
                                                             static_cast<std::uint8_t>(axis)};
  }
  void addPoint() {
    for (int i = 0; i < 3; ++i) add(RowKind::Point, i);
  }
  /// Rotation about axis a only.
  void addParallel(int a) {
    add(RowKind::Dot, a, (a + 1) % 3);
    add(RowKind::Dot, a, (a + 2) % 3);
  }
  void addNoTurn() {
    for (int i = 0; i < 3; ++i) add(RowKind::Dot, i, (i + 1) % 3);
  }
};

void addSixAxis(const JointDescription& d, Builder& build) {
  bool locked[6];
  for (std::size_t i = 0; i < 6; ++i) locked[i] = d.axes[i].locked;
  if (locked[0] && locked[1] && locked[2]) {
    build.addPoint();
  } else {
    for (int i = 0; i < 3; ++i) {
      if (locked[i]) build.add(RowKind::Along, i);
    }
    for (int i = 0; i < 3; ++i) {
      if (!locked[i]) build.add(RowKind::Travel, i, 0, i);
    }
  }
  int free[3], numFree = 0;
  for (int i = 0; i < 3; ++i) {
    if (!locked[3 + i]) free[numFree++] = i;
  }
  if (numFree == 0) build.addNoTurn();
  if (numFree == 1) {
    build.addParallel(free[0]);
    build.add(RowKind::TurnIn1, free[0], (free[0] + 1) % 3, 3 + free[0]);
  }
  if (numFree == 2) {
    build.add(RowKind::Dot, free[0], free[1]);
    build.add(RowKind::TurnIn1, free[0], free[1], 3 + free[0]);
    build.add(RowKind::TurnIn2, free[0], free[1], 3 + free[1]);
  }
  if (numFree == 3 && d.type == JointType::Gimbal) {
    build.add(RowKind::FirstOf3, 0, 2, 3);
    build.add(RowKind::SecondOf3, 0, 2, 4);
    build.add(RowKind::ThirdOf3, 0, 2, 5);
  } else if (numFree == 3) {
    build.add(RowKind::Twist, 2, 0, 5);
    build.add(RowKind::Swing, 2, 0, 3);
  }
}

}  // namespace

int JointModel::rowOfAxis(int axis) const {
  for (int i = 0; i < numRows; ++i) {
    const JointRow& row = rows[static_cast<std::size_t>(i)];
    if (isAxisKind(row.kind) && row.axis == axis) return i;
  }
  return -1;
}

JointModel makeJointModel(const JointDescription& d, const Vec3& center1, const Vec3& center2) {
  JointModel model;
  model.arm1 = d.frame1.translation - center1;
  model.arm2 = d.frame2.translation - center2;
  model.frame1 = d.frame1.rotation;
  model.frame2 = d.frame2.rotation;
  model.length = d.length;
  Builder build{model};
  switch (d.type) {
    case JointType::Fixed:
      build.addPoint();
      build.addNoTurn();
      break;
    case JointType::Ball:
      build.addPoint();
      build.add(RowKind::Twist, 2, 0, 0);
      build.add(RowKind::Swing, 2, 0, 1);
      break;
    case JointType::Hinge:
      build.addPoint();
      build.addParallel(2);
      build.add(RowKind::TurnIn1, 2, 0, 0);
      break;
    case JointType::Slider:
      build.add(RowKind::Along, 0);
      build.add(RowKind::Along, 1);
      build.addNoTurn();
      build.add(RowKind::Travel, 2, 0, 0);
      break;
    case JointType::Universal:
      build.addPoint();
      build.add(RowKind::Dot, 2, 0);
      build.add(RowKind::TurnIn1, 2, 0, 0);
      build.add(RowKind::TurnIn2, 2, 0, 1);
      break;
    case JointType::Distance:
      build.add(RowKind::Length);
      break;
    case JointType::Tether:
      build.add(RowKind::Stretch);
      break;
    case JointType::SixAxis:
    case JointType::Gimbal:
      addSixAxis(d, build);
      break;
  }
  return model;
}

void rowPositions(const JointModel& model, const Placement& p1, const Placement& p2,
                  RowPositions& s) {
  const Seen seen = look(model, p1, p2);
  s.fill(0.0);
  for (int r = 0; r < model.numRows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const JointRow& row = model.rows[at];
    const Vec3& a1 = column(seen.frame1, row.a);
    const Vec3& b2 = column(seen.frame2, row.b);
    const Vec3 &z1 = seen.frame1.z, &z2 = seen.frame2.z;
    if (row.kind == RowKind::Travel) s[at] = dot(seen.d, a1);
    if (row.kind == RowKind::Stretch) s[at] = norm(seen.d);
    if (row.kind == RowKind::TurnIn1 || row.kind == RowKind::FirstOf3) {
      s[at] =
          atan2Of(dot(b2, third(seen.frame1, row.a, row.b)), dot(b2, column(seen.frame1, row.b)));
    }
    if (row.kind == RowKind::TurnIn2 || row.kind == RowKind::ThirdOf3) {
      s[at] =
          atan2Of(dot(a1, third(seen.frame2, row.a, row.b)), dot(a1, column(seen.frame2, row.a)));
    }
    if (row.kind == RowKind::SecondOf3) s[at] = atan2Of(dot(a1, b2), norm(cross(a1, b2)));
    if (row.kind == RowKind::Swing) s[at] = atan2Of(norm(cross(z1, z2)), dot(z1, z2));
    if (row.kind == RowKind::Twist) {
      // 2 atan2(q_z, q_w) of the quaternion of the relative rotation.
      const double sine = dot(seen.frame1.y, seen.frame2.x) - dot(seen.frame1.x, seen.frame2.y);
      const double cosine = dot(seen.frame1.x, seen.frame2.x) + dot(seen.frame1.y, seen.frame2.y);
      s[at] = atan2Of(sine, cosine);
    }
  }
}

double unwound(double angle, double to) {
  constexpr double kTurn = 2.0 * kPi;
  return angle + kTurn * std::floor((to - angle) / kTurn + 0.5);
}

void rowGaps(const JointModel& model, const Placement& p1, const Placement& p2, RowPositions& g) {
  const Seen seen = look(model, p1, p2);
  g.fill(0.0);
  for (int r = 0; r < model.numRows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    const JointRow& row = model.rows[at];
    const Vec3& a1 = column(seen.frame1, row.a);
    if (row.kind == RowKind::Point) g[at] = component(seen.d, row.a);
    if (row.kind == RowKind::Along) g[at] = dot(seen.d, a1);
    if (row.kind == RowKind::Dot) g[at] = dot(a1, column(seen.frame2, row.b));
    if (row.kind == RowKind::Length) {
      const double length = norm(seen.d);
      g[at] = 0.5 * (length - model.length) * (length + model.length);
    }
  }
}

void rowRates(const JointModel& model, const Placement& p1, const Placement& p2, double stretch,
              JointRates& rates) {
  const Seen seen = look(model, p1, p2);
  rates = {};
  for (int r = 0; r < model.numRows; ++r) {
    const JointRow& row = model.rows[static_cast<std::size_t>(r)];
    const Vec3& a1 = column(seen.frame1, row.a);
    const Vec3& b2 = column(seen.frame2, row.b);
    switch (row.kind) {
      case RowKind::None:
        break;
      case RowKind::Point:
        setAlong(rates, r, seen, unitOf(row.a));
        break;
      case RowKind::Along:
      case RowKind::Travel:
        // The direction turns with body 1.
        setRow(rates, r, -a1, cross(a1, seen.d) - cross(seen.arm1, a1), a1, cross(seen.arm2, a1));
        break;
      case RowKind::Dot:
        setRow(rates, r, Vec3{}, cross(a1, b2), Vec3{}, cross(b2, a1));
        break;
      case RowKind::Length:
        setAlong(rates, r, seen, seen.d);
        break;
      case RowKind::Stretch:
        setAlong(rates, r, seen, stretch > 0.0 ? seen.d * (2.0 / stretch) : Vec3{});
        break;
      case RowKind::TurnIn1:
        setTurn(rates, r, directionOf(a1));
        break;
      case RowKind::TurnIn2:
        setTurn(rates, r, directionOf(b2));
        break;
      case RowKind::FirstOf3:
      case RowKind::SecondOf3:
      case RowKind::ThirdOf3:
        setOneOf3(rates, r, row.kind, a1, b2);
        break;
      case RowKind::Swing: {
        const Vec3 n = cross(seen.frame1.z, seen.frame2.z);
        setTurn(rates, r, norm(n) > kNoSwing ? directionOf(n) : Vec3{});
        break;
      }
      case RowKind::Twist: {
        const Vec3 z1 = directionOf(seen.frame1.z), z2 = directionOf(seen.frame2.z);
        const double opening = 1.0 + dot(z1, z2);
        setTurn(rates, r, (z1 + z2) / maxOf(opening, kLeastOpening));
        break;
      }
    }
  }
}

}  // namespace abut::inline v0_1
