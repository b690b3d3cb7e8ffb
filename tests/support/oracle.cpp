// SPDX-License-Identifier: MIT
#include "support/oracle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace abut::test {
namespace {

/// Support point of the Minkowski difference 2 - 1, positions taken relative to body 1.
Vector supportOfDifference(const Body& body1, const Body& body2, const Vector& n) {
  const Vector local1 = body1.rotation.transpose() * -n;
  const Vector local2 = body2.rotation.transpose() * n;
  return body2.rotation * body2.specimen.support(local2) -
         body1.rotation * body1.specimen.support(local1) + (body2.position - body1.position);
}

/// A direction and the support point there.
struct Node {
  Vector direction;  // Unit.
  Vector point;
};

struct Cell {
  std::array<Node, 3> corners;
  double lower = 0.0;  // No direction in the cell has less overlap.
};

bool laterOf(const Cell& a, const Cell& b) {
  return a.lower > b.lower;
}

using Values = std::array<double, 3>;

/// Greatest value over 0 <= t <= 1 of the least of (1 - t) a_i + t b_i.
double bestMixture(const Values& a, const Values& b) {
  const auto least = [&](double t) {
    double result = (1.0 - t) * a[0] + t * b[0];
    for (int i = 1; i < 3; ++i) result = std::min(result, (1.0 - t) * a[i] + t * b[i]);
    return result;
  };
  double best = std::max(least(0.0), least(1.0));
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double slope = (b[i] - a[i]) - (b[j] - a[j]);
    if (slope == 0.0) continue;
    const double t = (a[j] - a[i]) / slope;
    if (t > 0.0 && t < 1.0) best = std::max(best, least(t));
  }
  return best;
}

/// Lower bound of h over a cell. Any mixture q of support points lies in the difference, so
/// h(n) >= q . n. With u = sum of l_i c_i, l_i >= 0 and sum l_i = 1 over the corners c_i,
/// n = u / |u|, so q . n >= min q . c_i / |u| with shrink <= |u| <= 1. Mixtures of two points
/// follow the creases of h, where one point alone would bound it to first order only.
double lowerBound(const std::array<Node, 3>& c) {
  std::array<Values, 3> values;
  Values middle;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) values[i][j] = c[i].point.dot(c[j].direction);
  }
  for (int j = 0; j < 3; ++j) middle[j] = (values[0][j] + values[1][j] + values[2][j]) / 3.0;
  double least = std::min({middle[0], middle[1], middle[2]});
  for (int i = 0; i < 3; ++i) {
    least = std::max(least, bestMixture(values[i], values[(i + 1) % 3]));
    least = std::max(least, bestMixture(values[i], middle));
  }
  if (least >= 0.0) return least;
  const Vector normal = (c[1].direction - c[0].direction).cross(c[2].direction - c[0].direction);
  const double length = normal.norm();
  // Distance of the flat triangle's plane from the origin; tiny cells are flat to rounding.
  const double shrink = length > 1e-20 ? std::abs(normal.dot(c[0].direction)) / length : 1.0;
  return least / std::max(shrink, 0.5);
}

}  // namespace

double overlapAlong(const Body& body1, const Body& body2, const Vector& n) {
  return supportOfDifference(body1, body2, n).dot(n);
}

double outsideBy(const Body& body, const Vector& point) {
  const Specimen& s = body.specimen;
  const Vector p = body.rotation.transpose() * (point - body.position);
  const double radial = std::hypot(p.x(), p.y());
  switch (s.kind) {
    case Specimen::Kind::Sphere:
      return p.norm() - s.radius;
    case Specimen::Kind::Box:
      return (p.cwiseAbs() - s.half).maxCoeff();
    case Specimen::Kind::Capsule: {
      const double z = std::clamp(p.z(), -0.5 * s.height, 0.5 * s.height);
      return (p - Vector(0.0, 0.0, z)).norm() - s.radius;
    }
    case Specimen::Kind::Cylinder:
      return std::max(radial - s.radius, std::abs(p.z()) - 0.5 * s.height);
    case Specimen::Kind::Cone: {
      const double slant = std::hypot(s.radius, s.height);
      const double side = (radial * s.height - s.radius * (0.5 * s.height - p.z())) / slant;
      return std::max(side, -0.5 * s.height - p.z());
    }
    case Specimen::Kind::Hull: {
      double largest = -std::numeric_limits<double>::infinity();
      for (const HalfSpace& h : *body.facets) {
        largest = std::max(largest, h.normal.dot(p) - h.offset);
      }
      return haveQhull() ? largest : 0.0;
    }
  }
  return 0.0;
}

double pairSize(const Body& body1, const Body& body2) {
  const auto extent = [](const Specimen& s) {
    return s.kind == Specimen::Kind::Box ? s.half.sum() : s.extent();
  };
  return extent(body1.specimen) + extent(body2.specimen) + (body2.position - body1.position).norm();
}

Touch touchAlong(const Body& body1, const Body& body2, const Vector& d) {
  Body moved1 = body1, moved2 = body2;
  moved1.position.setZero();
  moved2.position.setZero();
  const Vector e = -d / d.norm();  // The ray that leaves the difference.
  const double tolerance = 1e-15 * pairSize(moved1, moved2);
  const auto support = [&](const Vector& n) { return supportOfDifference(moved1, moved2, n); };

  Vector v1 = support(e);
  if (v1.cross(e).norm() <= tolerance) return {v1.dot(e), e};
  Vector n = v1.cross(e);
  Vector v2 = support(n);
  n = v1.cross(v2);
  if (n.dot(e) < 0.0) {
    std::swap(v1, v2);
    n = -n;
  }
  Vector v3 = support(n);
  for (int i = 0; i < 1000; ++i) {
    if (v3.cross(v1).dot(e) < 0.0) {
      v2 = v3;
    } else if (v2.cross(v3).dot(e) < 0.0) {
      v1 = v3;
    } else {
      break;
    }
    n = v1.cross(v2);
    v3 = support(n);
  }
  for (int i = 0; i < 500; ++i) {
    const Vector normal = (v2 - v1).cross(v3 - v1);
    if (!(normal.norm() > 0.0)) break;
    n = normal.normalized();
    if (n.dot(e) < 0.0) n = -n;
    const Vector w = support(n);
    if (n.dot(w - v1) <= 1e-13 * pairSize(moved1, moved2)) break;
    const double s1 = v1.cross(w).dot(e), s2 = v2.cross(w).dot(e), s3 = v3.cross(w).dot(e);
    if (s2 >= 0.0 && s1 <= 0.0) {
      v3 = w;
    } else if (s3 >= 0.0 && s2 <= 0.0) {
      v1 = w;
    } else {
      v2 = w;
    }
  }
  n.normalize();
  return {support(n).dot(n) / n.dot(e), n};
}

bool placeAtGap(const Body& body1, Body& body2, const Vector& d, double gap) {
  const Touch touch = touchAlong(body1, body2, d);
  const double cosine = -touch.normal.dot(d) / d.norm();
  constexpr double kShallow = 0.2;
  if (!(cosine > kShallow)) return false;
  body2.position = body1.position + d * ((touch.travel + gap / cosine) / d.norm());
  return true;
}

LowestOverlap lowestOverlap(const Body& body1, const Body& body2, double known, double tolerance,
                            long maxCells, double enough) {
  LowestOverlap result;
  result.upper = known;
  const auto nodeAt = [&](const Vector& direction) {
    const Node node{direction, supportOfDifference(body1, body2, direction)};
    ++result.cells;
    if (node.point.dot(direction) < result.upper) {
      result.upper = node.point.dot(direction);
      result.normal = direction;
    }
    return node;
  };
  const auto between = [&](const Node& a, const Node& b) {
    return nodeAt((a.direction + b.direction).normalized());
  };
  std::vector<Cell> queue;  // A heap: the cell with the least lower bound first.
  const auto add = [&](const Node& a, const Node& b, const Node& c) {
    Cell cell{{a, b, c}, 0.0};
    cell.lower = lowerBound(cell.corners);
    if (cell.lower >= result.upper - tolerance) return;
    queue.push_back(cell);
    std::push_heap(queue.begin(), queue.end(), laterOf);
  };
  std::array<Node, 6> axes;
  for (int i = 0; i < 6; ++i) axes[i] = nodeAt((i % 2 == 0 ? 1.0 : -1.0) * Vector::Unit(i / 2));
  for (int i = 0; i < 8; ++i) add(axes[i & 1], axes[2 + (i >> 1 & 1)], axes[4 + (i >> 2)]);
  while (!queue.empty() && queue.front().lower < result.upper - tolerance) {
    if (result.cells > maxCells || result.upper < enough) return result;
    std::pop_heap(queue.begin(), queue.end(), laterOf);
    const std::array<Node, 3> c = queue.back().corners;
    queue.pop_back();
    const Node m0 = between(c[0], c[1]), m1 = between(c[1], c[2]), m2 = between(c[2], c[0]);
    add(c[0], m0, m2);
    add(c[1], m1, m0);
    add(c[2], m2, m1);
    add(m0, m1, m2);
  }
  result.lower = result.upper - tolerance;
  result.complete = true;
  return result;
}

double certificateError(const Body& body1, const Body& body2, const Claim& claim,
                        std::string& worst) {
  const double size = pairSize(body1, body2);
  double error = 0.0;
  const auto note = [&](double value, const char* name) {
    if (value > error || !(value == value)) {
      error = value == value ? value : std::numeric_limits<double>::infinity();
      worst = name;
    }
  };
  note(std::abs(claim.normal.norm() - 1.0), "length of the normal");
  note(std::abs(overlapAlong(body1, body2, claim.normal) + claim.distance) / size,
       "support depth along the normal");
  note((claim.point1 - claim.point2 - claim.distance * claim.normal).norm() / size,
       "p1 - p2 = distance * normal");
  note(outsideBy(body1, claim.point1) / size, "point 1 outside body 1");
  note(outsideBy(body2, claim.point2) / size, "point 2 outside body 2");
  return error;
}

double certificateError(const Body& body1, const Body& body2, const Claim& claim) {
  std::string worst;
  return certificateError(body1, body2, claim, worst);
}

Claim claimOf(const DistanceResult& result) {
  return {result.distance, result.normal, result.point1, result.point2};
}

double polytopeDepth(const Body& body1, const Body& body2) {
  std::vector<Vector> difference;
  for (const Vector& a : body1.specimen.corners()) {
    for (const Vector& b : body2.specimen.corners()) {
      difference.push_back(body2.rotation * b - body1.rotation * a +
                           (body2.position - body1.position));
    }
  }
  double depth = std::numeric_limits<double>::infinity();
  for (const HalfSpace& h : hullFacets(difference)) depth = std::min(depth, h.offset);
  if (depth < 0.0) return -std::numeric_limits<double>::infinity();
  const auto radius = [](const Specimen& s) { return s.isPolytope() ? 0.0 : s.radius; };
  return depth + radius(body1.specimen) + radius(body2.specimen);
}

}  // namespace abut::test
