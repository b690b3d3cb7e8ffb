// SPDX-License-Identifier: MIT
#include "narrow_phase/curved/round.hpp"

namespace abut::inline v0_1::curved {
namespace {

/// A point in the meridian plane of a body: u outwards from the axis, and along the axis.
struct Profile {
  Vec3 u;
  double rho;
  double t;
};

Profile profileOf(const Round& body, const Vec3& p) {
  const Vec3 d = p - body.c;
  const double t = dot(d, body.a);
  // Projected twice: near the axis the first difference is mostly rounding and leans along it.
  Vec3 perp = d - body.a * t;
  perp = perp - body.a * dot(perp, body.a);
  const double rho = norm(perp);
  return {rho > 0.0 ? perp / rho : anyPerpendicular(body.a), rho, t};
}

struct Normal2 {
  double rho;
  double z;
  double distance;
};

Normal2 corner(double rho, double z) {
  const double length = std::sqrt(rho * rho + z * z);
  if (!(length > 0.0)) return {1.0, 0.0, 0.0};
  return {rho / length, z / length, length};
}

Normal2 nearestInProfile(const Round& b, const Profile& p) {
  if (!b.cone) {
    const double side = p.rho - b.r, cap = absOf(p.t) - b.hz;
    const double sign = p.t < 0.0 ? -1.0 : 1.0;
    if (side > 0.0 && cap > 0.0) {
      Normal2 n = corner(side, cap);
      n.z *= sign;
      return n;
    }
    if (side >= cap) return {1.0, 0.0, side};
    return {0.0, sign, cap};
  }
  const double drop = b.hz - p.t, below = -b.hz - p.t;
  const double v = p.rho * b.cosSide - drop * b.sinSide;
  if (v <= 0.0 && below <= 0.0) {
    if (v >= below) return {b.cosSide, b.sinSide, v};
    return {0.0, -1.0, below};
  }
  if (below > 0.0 && p.rho <= b.r) return {0.0, -1.0, below};
  const double u = p.rho * b.sinSide + drop * b.cosSide;
  if (u <= 0.0) return corner(p.rho, -drop);
  // Length of the side: r sinSide + 2 hz cosSide.
  if (u < b.r * b.sinSide + 2.0 * b.hz * b.cosSide) return {b.cosSide, b.sinSide, v};
  return corner(p.rho - b.r, -below);
}

}  // namespace

Round makeRound(const ConvexCore& core, const Pose& pose, bool mirror) {
  Round body;
  body.c = mirror ? -pose.translation : pose.translation;
  body.a = mirror ? -pose.rotation.z : pose.rotation.z;
  body.r = core.half.x;
  body.hz = core.half.z;
  body.cone = core.kind == ConvexCore::Kind::Cone;
  if (body.cone) {
    const double length = std::sqrt(body.r * body.r + 4.0 * body.hz * body.hz);
    body.sinSide = body.r / length;
    body.cosSide = 2.0 * body.hz / length;
  }
  return body;
}

Vec3 nearestNormal(const Round& body, const Vec3& w) {
  const Profile p = profileOf(body, -w);
  const Normal2 n = nearestInProfile(body, p);
  return p.u * n.rho + body.a * n.z;
}

double signedDistanceTo(const Round& body, const Vec3& p) {
  return nearestInProfile(body, profileOf(body, p)).distance;
}

}  // namespace abut::inline v0_1::curved
