// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include <abut/core/status.hpp>
#include <abut/narrow_phase/contact.hpp>
#include <abut/narrow_phase/queries.hpp>

namespace abut::inline v0_1 {

// The region of contact beyond single points: the line, the whole polygon, the curvatures. World
// frame, SI; normals from object 2 to object 1, depth as in ContactPoint. Exchanging the objects
// negates the normal, exchanges 1 and 2 and turns the polygon round, bit for bit.

/// A line of contact: edge on face, parallel edges, a cylinder's or capsule's side on a face.
struct EdgeContact {
  bool found = false;                  ///< False: the fields below are not set.
  Eigen::Vector3d point1{0., 0., 0.};  ///< Ends of the line, midway between the surfaces [m].
  Eigen::Vector3d point2{0., 0., 0.};
  Eigen::Vector3d edgeDirection{0., 0., 0.};  ///< Unit, from point1 to point2.
  Eigen::Vector3d normal{0., 0., 0.};         ///< Unit.
  double depth1 = 0.0;                        ///< At point1 [m].
  double depth2 = 0.0;                        ///< At point2 [m].
};

/// A flat region of contact: every corner, before the reduction to four contacts. A round rim is
/// given by the eight points anchored in the body where the other shape does not cut it. Reuse it:
/// the vectors keep their memory.
struct FaceContact {
  bool found = false;                    ///< False: the fields below are not set.
  std::vector<Eigen::Vector3d> polygon;  ///< Convex, counter-clockwise about the normal [m].
  std::vector<double> depths;            ///< At the corners [m].
  Eigen::Vector3d normal{0., 0., 0.};    ///< Unit.
  Eigen::Vector3d centroid{0., 0., 0.};  ///< Of the polygon [m].
  double area = 0.0;                     ///< Of the polygon, projected along the normal [m^2].
};

/// A smooth piece of surface and its coordinates (u, v), in the frame of the shape (for a part of a
/// composite shape, of that part).
enum class SurfaceKind : std::uint8_t {
  Flat,         ///< Box face along axis k: coordinates k+1, k+2 (cyclic). Caps: x, y. Hull faces,
                ///< triangles, planes: along two fixed directions in the plane, metres.
  Spherical,    ///< Longitude about z from x, polar angle from +z [rad]; capsule caps about their
                ///< end of the segment.
  Cylindrical,  ///< Longitude [rad], height z [m]: sides of cylinders and capsules.
  Conical,      ///< Longitude [rad], distance from the apex along the side [m].
};

/// Differential geometry of one surface at the contact. The second form is taken against the inward
/// normal, so convex surfaces have positive curvature: 1/R for a ball.
struct SurfacePoint {
  SurfaceKind kind = SurfaceKind::Flat;
  std::array<double, 2> param{};                   ///< (u, v).
  std::array<double, 3> firstFundamentalForm{};    ///< E, F, G: x_u.x_u, x_u.x_v, x_v.x_v.
  std::array<double, 3> secondFundamentalForm{};   ///< L, M, N.
  std::array<double, 2> principalCurvatures{};     ///< Larger first [1/m].
  Eigen::Vector3d principalDirection{0., 0., 0.};  ///< Of the larger one: unit, tangential, world.
};

/// Contact at one point of two smooth surfaces, with what elastic contact (Hertz) needs.
struct ParametricContact {
  bool found = false;                    ///< False: the fields below are not set.
  Eigen::Vector3d position{0., 0., 0.};  ///< Midway between the surfaces [m].
  Eigen::Vector3d normal{0., 0., 0.};    ///< Unit.
  double depth = 0.0;                    ///< [m]
  SurfacePoint surface1;
  SurfacePoint surface2;
  /// Principal curvatures of the gap between the undeformed surfaces, larger first [1/m]: for balls
  /// both are 1/R1 + 1/R2, for a cylinder on a plane 1/R and 0.
  std::array<double, 2> relativeCurvatures{};
  Eigen::Vector3d relativeDirection{0., 0., 0.};  ///< Of the larger one: unit, tangential, world.
};

/// Line of contact of two convex shapes, or of one and a plane. Ok with `found` false if they are
/// farther apart than `margin` [m], or touch at a point or a face. Fails as collide() does, and
/// with UnsupportedPair for composite shapes (query their parts) and for two planes.
Status edgeContact(const PlacedShape& object1, const PlacedShape& object2, EdgeContact& result,
                   double margin = 0.0);

/// Polygon of contact; as edgeContact().
Status faceContact(const PlacedShape& object1, const PlacedShape& object2, FaceContact& result,
                   double margin = 0.0);

/// Curvatures at the deepest, or nearest, point of any two shapes; in the middle of the region
/// where convex shapes touch along a line or a face. Ok with `found` false if they are farther
/// apart than `margin` [m]. Fails as collide() does, and with UnsupportedPair where a vertex, an
/// edge or a rim touches: curvature is not defined there. `result` is written only on success.
Status parametricContact(const PlacedShape& object1, const PlacedShape& object2,
                         ParametricContact& result, double margin = 0.0);

}  // namespace abut::inline v0_1
