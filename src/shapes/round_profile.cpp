// SPDX-License-Identifier: MIT
#include "shapes/round_profile.hpp"

#include <abut/math/convert.hpp>

namespace abut::inline v0_1 {

Status checkDensity(const char* where, double density) {
  if (density > 0.0 && isFinite(density)) return {};
  return Status::failure(
      StatusCode::OutOfRange,
      std::string(where) + ": expected a positive finite density [kg/m^3], got " + toText(density));
}

ScaledRay::ScaledRay(const Ray& ray)
    : origin(toVec3(ray.origin)),
      direction(toVec3(ray.direction)),
      scale(maxElement(absOf(direction))),
      maxFraction(ray.maxFraction) {
  if (scale > 0.0) direction = direction / scale;
}

bool ScaledRay::finish(const RayInterval& inside, RayHit& hit) const {
  if (!(scale > 0.0) || !(inside.enter <= inside.leave) || !(inside.leave >= 0.0)) return false;
  const double t = maxOf(inside.enter, 0.0);
  const double fraction = t / scale;
  if (!(fraction <= maxFraction)) return false;
  const Vec3 back = -normalized(direction);
  const double length = norm(inside.normal);
  Vec3 normal = inside.enter >= 0.0 && length > 0.0 ? inside.normal / length : back;
  // At a grazing hit rounding may turn the surface normal along the ray.
  if (dot(normal, back) < 0.0) normal = back;
  hit.fraction = fraction;
  hit.point = toEigen(origin + direction * t);
  hit.normal = toEigen(normal);
  hit.subShape = 0;
  return true;
}

void discFeature(double radius, double z, bool top, SupportFeature& result) {
  constexpr double kDiagonal = 0.70710678118654752440;  // cos 45 degrees
  constexpr double kCos[kNumRimPoints] = {1.0,  kDiagonal,  0.0, -kDiagonal,
                                          -1.0, -kDiagonal, 0.0, kDiagonal};
  result.count = kNumRimPoints;
  for (int i = 0; i < kNumRimPoints; ++i) {
    const int k = top ? i : (kNumRimPoints - i) % kNumRimPoints;
    // sin(k 45 degrees) = cos((k - 2) 45 degrees).
    result.vertices[i] = {radius * kCos[k], radius * kCos[(k + kNumRimPoints - 2) % kNumRimPoints],
                          z};
    result.vertexIds[i] = static_cast<std::uint32_t>(top ? kNumRimPoints + k : k);
    result.edgeIds[i] = top ? 1 : 0;
  }
  result.normal = {0.0, 0.0, top ? 1.0 : -1.0};
  result.isDisc = true;
  result.discCenter = {0.0, 0.0, z};
  result.discRadius = radius;
}

}  // namespace abut::inline v0_1
