// SPDX-License-Identifier: MIT
#include "io/program/shape_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <abut/math/convert.hpp>

namespace abut::inline v0_1::io {
namespace {

constexpr double kTwoPi = 6.283185307179586;
/// Cosine of the angle between faces from which on their edge is drawn.
constexpr double kCreaseCosine = 0.984807753012208;  // 10 degrees

using Point = Eigen::Vector3d;

/// Strokes of one shape; circles and arcs lie about any two axes.
class Pen {
public:
  Pen(int segments, std::vector<Stroke>& out) : segments_(segments), out_(out) {}

  void line(const Point& a, const Point& b) { out_.push_back({toVec3(a), toVec3(b)}); }

  /// From angle 0 (along u) over `turns` of a circle towards v.
  void arc(const Point& center, const Point& u, const Point& v, double turns = 1.0) {
    const int n = std::max(2, static_cast<int>(std::ceil(segments_ * turns)));
    Point before = center + u;
    for (int i = 1; i <= n; ++i) {
      const double angle = kTwoPi * turns * i / n;
      const Point now = turns == 1.0 && i == n
                            ? Point(center + u)
                            : Point(center + std::cos(angle) * u + std::sin(angle) * v);
      line(before, now);
      before = now;
    }
  }

  void ball(const Point& center, double r) {
    arc(center, x(r), y(r));
    arc(center, y(r), z(r));
    arc(center, z(r), x(r));
  }
  void box(const Vec3& size) {
    const Point half(size.x / 2, size.y / 2, size.z / 2);
    for (int axis = 0; axis < 3; ++axis) {
      for (int k = 0; k < 4; ++k) {
        Point a = half;
        a[(axis + 1) % 3] *= (k & 1) != 0 ? 1.0 : -1.0;
        a[(axis + 2) % 3] *= (k & 2) != 0 ? 1.0 : -1.0;
        Point b = a;
        a[axis] = -half[axis];
        line(a, b);
      }
    }
  }
  void capsule(double r, double length) {
    const Point top = z(length / 2), bottom = z(-length / 2);
    arc(top, x(r), y(r));
    arc(bottom, x(r), y(r));
    for (const Point& side : {x(r), y(r)}) {
      line(bottom + side, top + side);
      line(bottom - side, top - side);
      arc(top, side, z(r), 0.5);
      arc(bottom, side, z(-r), 0.5);
    }
  }
  void cylinder(double r, double height) {
    const Point top = z(height / 2), bottom = z(-height / 2);
    arc(top, x(r), y(r));
    arc(bottom, x(r), y(r));
    for (const Point& side : {x(r), y(r), x(-r), y(-r)}) line(bottom + side, top + side);
  }
  void cone(double r, double height) {
    const Point top = z(height / 2), bottom = z(-height / 2);
    arc(bottom, x(r), y(r));
    for (const Point& side : {x(r), y(r), x(-r), y(-r)}) line(bottom + side, top);
  }
  void plane(const Vec3& normal, double offset, double size) {
    const Point n = toEigen(normal), at = offset * n;
    const Point any = std::fabs(n.z()) < 0.9 ? Point::UnitZ() : Point::UnitX();
    const Point u = any.cross(n).normalized() * (size / 2), v = n.cross(u);
    const std::array<Point, 4> corners{at - u - v, at + u - v, at + u + v, at - u + v};
    for (std::size_t i = 0; i < 4; ++i) line(corners[i], corners[(i + 1) % 4]);
    line(at, at + n * (size / 10));
  }
  void mesh(const ShapeRecord& shape);

private:
  static Point x(double r) { return {r, 0, 0}; }
  static Point y(double r) { return {0, r, 0}; }
  static Point z(double r) { return {0, 0, r}; }

  int segments_;
  std::vector<Stroke>& out_;
};

struct Side {
  std::uint32_t a = 0, b = 0;  // Smaller index first.
  Point normal;
};

/// Edges of one triangle only, of more than two, or of two at an angle.
void Pen::mesh(const ShapeRecord& shape) {
  std::vector<Side> sides;
  for (const auto& t : shape.triangles) {
    const Point p = toEigen(shape.vertices[t[0]]), q = toEigen(shape.vertices[t[1]]),
                r = toEigen(shape.vertices[t[2]]);
    const Point normal = (q - p).cross(r - p).normalized();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
      sides.push_back({a, b, normal});
    }
  }
  std::stable_sort(sides.begin(), sides.end(), [](const Side& s, const Side& t) {
    return std::pair(s.a, s.b) < std::pair(t.a, t.b);
  });
  for (std::size_t i = 0, j = 0; i < sides.size(); i = j) {
    while (j < sides.size() && sides[j].a == sides[i].a && sides[j].b == sides[i].b) ++j;
    const bool smooth = j - i == 2 && sides[i].normal.dot(sides[i + 1].normal) > kCreaseCosine;
    if (!smooth) line(toEigen(shape.vertices[sides[i].a]), toEigen(shape.vertices[sides[i].b]));
  }
}

}  // namespace

void addStrokes(const ShapeRecord& shape, int segments, double planeSize,
                std::vector<Stroke>& strokes) {
  Pen pen(segments, strokes);
  using Type = ShapeType;
  const Type type = shape.type;
  if (type == Type::Sphere) return pen.ball(Point::Zero(), shape.size.x);
  if (type == Type::Box) return pen.box(shape.size);
  if (type == Type::Capsule) return pen.capsule(shape.size.x, shape.size.y);
  if (type == Type::Cylinder) return pen.cylinder(shape.size.x, shape.size.y);
  if (type == Type::Cone) return pen.cone(shape.size.x, shape.size.y);
  if (type == Type::Plane) return pen.plane(shape.size, shape.offset, planeSize);
  if (type == Type::PointCloud) {
    for (const Vec3& v : shape.vertices) pen.ball(toEigen(v), shape.size.x);
    return;
  }
  pen.mesh(shape);  // All others are described by triangles.
}

}  // namespace abut::inline v0_1::io
