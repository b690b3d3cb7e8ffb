// SPDX-License-Identifier: MIT
#include "narrow_phase/surface/surface_geometry.hpp"

#include "math/trigonometry.hpp"
#include "shapes/hull_data.hpp"

namespace abut::inline v0_1 {
namespace {

/// A contact normal that differs from a face's normal by less than this is the face's: narrow-phase
/// normals are right to about 1e-14, and no shape bends by so little.
constexpr double kSameNormal = 1e-9;

bool isNear(const Vec3& a, const Vec3& b) {
  return squaredNorm(a - b) <= kSameNormal * kSameNormal;
}

void setFlat(double u, double v, const Vec3& along, SurfacePoint& surface, Vec3& direction) {
  surface.kind = SurfaceKind::Flat;
  surface.param = {u, v};
  surface.firstFundamentalForm = {1.0, 0.0, 1.0};
  surface.secondFundamentalForm = {0.0, 0.0, 0.0};
  surface.principalCurvatures = {0.0, 0.0};
  direction = along;
}

/// A plane through no particular origin, by two directions that depend on its normal alone.
void setPlane(const Vec3& normal, const Vec3& point, SurfacePoint& surface, Vec3& direction) {
  const Vec3 t1 = anyPerpendicular(normal), t2 = cross(normal, t1);
  setFlat(dot(t1, point), dot(t2, point), t1, surface, direction);
}

/// x(u, v) = R (sin v cos u, sin v sin u, cos v).
void setSphere(double radius, const Vec3& outward, SurfacePoint& surface, Vec3& direction) {
  const double s = std::sqrt(outward.x * outward.x + outward.y * outward.y), c = outward.z;
  const double u = atan2Of(outward.y, outward.x), v = atan2Of(s, c);
  surface.kind = SurfaceKind::Spherical;
  surface.param = {u, v};
  surface.firstFundamentalForm = {(radius * s) * (radius * s), 0.0, radius * radius};
  surface.secondFundamentalForm = {radius * s * s, 0.0, radius};
  surface.principalCurvatures = {1.0 / radius, 1.0 / radius};
  // Along the meridian.
  direction = s > 0.0 ? Vec3{c * (outward.x / s), c * (outward.y / s), -s} : Vec3{c, 0.0, 0.0};
}

/// x(u, v) = (R cos u, R sin u, v).
void setCylinder(double radius, const Vec3& outward, double height, SurfacePoint& surface,
                 Vec3& direction) {
  surface.kind = SurfaceKind::Cylindrical;
  surface.param = {atan2Of(outward.y, outward.x), height};
  surface.firstFundamentalForm = {radius * radius, 0.0, 1.0};
  surface.secondFundamentalForm = {radius, 0.0, 0.0};
  surface.principalCurvatures = {1.0 / radius, 0.0};
  direction = normalized(Vec3{-outward.y, outward.x, 0.0});
}

/// x(u, v) = (v sin a cos u, v sin a sin u, H/2 - v cos a), a the half angle at the apex. With the
/// distance r = v sin a from the axis: E = r^2, G = 1, L = r cos a, and the curvature around is
/// cos a / r.
bool setCone(const ConvexCore& core, const Vec3& point, const Vec3& outward, SurfacePoint& surface,
             Vec3& direction) {
  const double base = core.half.x, height = 2.0 * core.half.z;
  const double side = std::sqrt(base * base + height * height);
  const double sine = base / side, cosine = height / side;
  const double v = (core.half.z - point.z) / cosine, r = v * sine;
  if (!(r > 0.0)) return false;
  surface.kind = SurfaceKind::Conical;
  surface.param = {atan2Of(outward.y, outward.x), v};
  surface.firstFundamentalForm = {r * r, 0.0, 1.0};
  surface.secondFundamentalForm = {r * cosine, 0.0, 0.0};
  surface.principalCurvatures = {cosine / r, 0.0};
  direction = normalized(Vec3{-outward.y, outward.x, 0.0});
  return true;
}

bool setCapsule(const ConvexCore& core, const Vec3& point, const Vec3& outward,
                SurfacePoint& surface, Vec3& direction) {
  const double end = core.half.z;
  const bool isBetween = absOf(point.z - core.radius * outward.z) < end * (1.0 - kSameNormal);
  if (isBetween || absOf(outward.z) <= kSameNormal) {
    setCylinder(core.radius, outward, clampTo(point.z, -end, end), surface, direction);
  } else {
    setSphere(core.radius, outward, surface, direction);
  }
  return true;
}

bool setBoxFace(const Vec3& point, const Vec3& outward, SurfacePoint& surface, Vec3& direction) {
  const Vec3 a = absOf(outward);
  if (isNear(a, {1.0, 0.0, 0.0})) {
    setFlat(point.y, point.z, {0.0, 1.0, 0.0}, surface, direction);
  } else if (isNear(a, {0.0, 1.0, 0.0})) {
    setFlat(point.z, point.x, {0.0, 0.0, 1.0}, surface, direction);
  } else if (isNear(a, {0.0, 0.0, 1.0})) {
    setFlat(point.x, point.y, {1.0, 0.0, 0.0}, surface, direction);
  } else {
    return false;
  }
  return true;
}

bool setHullFace(const HullData& hull, const Vec3& point, const Vec3& outward,
                 SurfacePoint& surface, Vec3& direction) {
  for (const HullData::Face& face : hull.faces) {
    if (!isNear(face.normal, outward)) continue;
    setPlane(face.normal, point, surface, direction);
    return true;
  }
  return false;
}

bool setTriangle(const ConvexCore& core, const Vec3& point, const Vec3& outward,
                 SurfacePoint& surface, Vec3& direction) {
  const Vec3 n =
      normalized(cross(core.corners[1] - core.corners[0], core.corners[2] - core.corners[0]));
  if (!isNear(n, outward) && !isNear(-n, outward)) return false;
  setPlane(n, point, surface, direction);
  return true;
}

}  // namespace

bool surfaceAt(const MovingPart& part, const Vec3& point, const Vec3& outward,
               SurfacePoint& surface, Vec3& direction) {
  using Kind = ConvexCore::Kind;
  if (part.isPlane) {
    setPlane(part.planeNormal, point, surface, direction);
    return true;
  }
  const ConvexCore& core = part.core;
  const Vec3& h = core.half;
  switch (core.kind) {
    case Kind::Point:
      setSphere(core.radius, outward, surface, direction);
      return true;
    case Kind::Segment:
      return setCapsule(core, point, outward, surface, direction);
    case Kind::Triangle:
      return setTriangle(core, point, outward, surface, direction);
    case Kind::Box:
      return setBoxFace(point, outward, surface, direction);
    case Kind::Hull:
      return setHullFace(*core.hull, point, outward, surface, direction);
    case Kind::Cylinder:
      if (isNear(absOf(outward), {0.0, 0.0, 1.0})) {
        setFlat(point.x, point.y, {1.0, 0.0, 0.0}, surface, direction);
        return true;
      }
      if (absOf(outward.z) > kSameNormal) return false;
      setCylinder(h.x, outward, point.z, surface, direction);
      return true;
    case Kind::Cone: {
      if (isNear(outward, {0.0, 0.0, -1.0})) {
        setFlat(point.x, point.y, {1.0, 0.0, 0.0}, surface, direction);
        return true;
      }
      // The side's normal rises by the half angle at the apex.
      const double rise = h.x / std::sqrt(h.x * h.x + 4.0 * (h.z * h.z));
      if (absOf(outward.z - rise) > kSameNormal) return false;
      return setCone(core, point, outward, surface, direction);
    }
  }
  return false;
}

}  // namespace abut::inline v0_1
