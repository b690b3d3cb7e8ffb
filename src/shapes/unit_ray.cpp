// SPDX-License-Identifier: MIT
#include "shapes/unit_ray.hpp"

#include <abut/math/convert.hpp>

namespace abut::inline v0_1 {

bool toUnitRay(const Ray& ray, UnitRay& result) {
  const Vec3 direction = toVec3(ray.direction), origin = toVec3(ray.origin);
  const double largest = maxElement(absOf(direction));
  if (!(largest > 0.0) || !isFinite(direction) || !isFinite(origin)) return false;
  if (!(ray.maxFraction >= 0.0)) return false;
  const Vec3 d = direction / largest;
  const double length = norm(d);
  result = {origin,          d / length, (ray.maxFraction * length) * largest,
            ray.maxFraction, largest,    length};
  return true;
}

bool writeHit(const UnitRay& ray, double distance, const Vec3& point, const Vec3& normal,
              RayHit& hit) {
  if (!(distance <= ray.maxDistance) || !isFinite(distance)) return false;
  hit.fraction = minOf((distance / ray.length) / ray.scale, ray.maxFraction);
  hit.point = toEigen(point);
  hit.normal = toEigen(normal);
  hit.subShape = 0;
  return true;
}

bool writeInsideHit(const UnitRay& ray, RayHit& hit) {
  return writeHit(ray, 0.0, ray.origin, -ray.direction, hit);
}

}  // namespace abut::inline v0_1
