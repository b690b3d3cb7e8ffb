// SPDX-License-Identifier: MIT
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>

#include "narrow_phase/pairs/closed_form.hpp"
#include "narrow_phase/pairs/pairs.hpp"

namespace abut::inline v0_1 {
namespace {

struct RoundPair {
  double radius;      // Of the sphere.
  double tube, half;  // Radius and half height of the cylinder.
  double size;
};

ABUT_ALWAYS_INLINE RoundPair relate(const PairQuery& query) {
  const auto& cylinder = static_cast<const CylinderShape&>(query.shape2);
  RoundPair pair;
  pair.radius = static_cast<const SphereShape&>(query.shape1).getRadius();
  pair.tube = cylinder.getRadius();
  pair.half = 0.5 * cylinder.getHeight();
  pair.size = (pair.radius + pair.tube) + pair.half;
  return pair;
}

/// The sphere's centre against side, caps and rims. With `side` and `cap` its distances from the
/// tube and from the nearer cap's plane: beyond both the rim is nearest, else the greater of the
/// two is the signed distance. On the axis the side's normal is the cylinder's x axis, midway
/// between the caps theirs is +z.
ABUT_ALWAYS_INLINE void sphereCylinderGap(const PairQuery& query, const RoundPair& pair,
                                          PairGap& result) {
  const Mat3& r2 = query.pose2.rotation;
  const Vec3 p = transposeTimes(r2, -query.pose2.translation);
  const double rho = std::sqrt(p.x * p.x + p.y * p.y);
  const double side = rho - pair.tube, cap = absOf(p.z) - pair.half;
  const bool top = p.z >= 0.0;
  const double up = top ? 1.0 : -1.0;
  const Vec3 radial = rho > 0.0 ? Vec3{p.x / rho, p.y / rho, 0.0} : Vec3{1.0, 0.0, 0.0};
  double distance = side;
  Vec3 n = radial;
  result.feature2 = {Feature::Kind::Face, 0};
  if (side > 0.0 && cap > 0.0) {
    distance = std::sqrt(side * side + cap * cap);
    n = {radial.x * (side / distance), radial.y * (side / distance), up * (cap / distance)};
    result.feature2 = {Feature::Kind::Edge, top ? 1u : 0u};
  } else if (cap > side) {
    distance = cap;
    n = {0.0, 0.0, up};
    result.feature2 = {Feature::Kind::Face, top ? 2u : 1u};
  }
  result.feature1 = kRoundFeature;
  result.normal = r2 * n;
  result.gap = distance - pair.radius;
  result.p1 = result.normal * -pair.radius;
  result.p2 = result.normal * -distance;
  result.status = statusOfGap(result.gap, pair.size);
}

template <bool>
ABUT_ALWAYS_INLINE bool collideKernel(const PairQuery& query, ManifoldSink& sink) {
  const RoundPair pair = relate(query);
  const double allowed = reportedGap(query, pair.size);
  const double bound = pair.size + allowed;
  if (squaredNorm(query.pose2.translation) > bound * bound) return true;
  PairGap gap;
  sphereCylinderGap(query, pair, gap);
  if (gap.gap <= allowed) addSinglePoint(query, gap, sink);
  return true;
}

}  // namespace

ABUT_DEFINE_COLLIDE(Sphere, Cylinder, collideKernel)

void distanceSphereCylinder(const PairQuery& query, PairGap& result) {
  sphereCylinderGap(query, relate(query), result);
}

}  // namespace abut::inline v0_1
