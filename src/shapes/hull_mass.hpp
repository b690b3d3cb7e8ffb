// SPDX-License-Identifier: MIT
#pragma once

#include "shapes/hull_data.hpp"

namespace abut::inline v0_1 {

/// Integrals over the inside of a polyhedron.
struct VolumeIntegrals {
  double volume = 0.0;  ///< [m^3]
  Vec3 center;          ///< Centre of volume [m].
  Vec3 squares;         ///< Integrals of x^2, y^2, z^2 about the centre [m^5].
  Vec3 products;        ///< Integrals of x y, x z, y z about the centre [m^5].
};

/// Sums the tetrahedra between an inner point and the triangles of each face (divergence theorem).
VolumeIntegrals integrate(const HullData& hull);

Vec3 centerOfVolume(const HullData& hull);

}  // namespace abut::inline v0_1
