// SPDX-License-Identifier: MIT
#include "shapes/hull_mass.hpp"

namespace abut::inline v0_1 {

VolumeIntegrals integrate(const HullData& hull) {
  // About the mean of the vertices, which is inside: no cancellation between tetrahedra.
  Vec3 mean;
  for (std::uint32_t i = 0; i < hull.numVertices; ++i) mean += hull.vertex(i);
  mean *= 1.0 / static_cast<double>(hull.numVertices);
  double volume6 = 0.0;
  Vec3 first, squares, products;  // Of 24, 120 and 120 times the integrals.
  for (const HullData::Face& face : hull.faces) {
    const Vec3 a = hull.vertex(hull.corners[face.firstCorner]) - mean;
    for (std::uint32_t k = 1; k + 1 < face.numCorners; ++k) {
      const Vec3 b = hull.vertex(hull.corners[face.firstCorner + k]) - mean;
      const Vec3 c = hull.vertex(hull.corners[face.firstCorner + k + 1]) - mean;
      const double v = dot(a, cross(b, c));
      const Vec3 s = (a + b) + c;
      volume6 += v;
      first += s * v;
      squares += (((scaled(a, a) + scaled(b, b)) + scaled(c, c)) + scaled(s, s)) * v;
      const auto mixed = [v](double p1, double q1, double p2, double q2, double p3, double q3,
                             double p,
                             double q) { return (((p1 * q1 + p2 * q2) + p3 * q3) + p * q) * v; };
      products += {mixed(a.x, a.y, b.x, b.y, c.x, c.y, s.x, s.y),
                   mixed(a.x, a.z, b.x, b.z, c.x, c.z, s.x, s.z),
                   mixed(a.y, a.z, b.y, b.z, c.y, c.z, s.y, s.z)};
    }
  }
  VolumeIntegrals result;
  result.volume = volume6 / 6.0;
  const Vec3 offset = first * (1.0 / (4.0 * volume6));
  result.center = mean + offset;
  // Parallel axes: from the mean to the centre.
  result.squares = squares * (1.0 / 120.0) - scaled(offset, offset) * result.volume;
  result.products =
      products * (1.0 / 120.0) -
      Vec3{offset.x * offset.y, offset.x * offset.z, offset.y * offset.z} * result.volume;
  return result;
}

Vec3 centerOfVolume(const HullData& hull) {
  return integrate(hull).center;
}

}  // namespace abut::inline v0_1
