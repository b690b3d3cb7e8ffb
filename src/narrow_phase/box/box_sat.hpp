// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/pose.hpp"

namespace abut::inline v0_1 {

/// Two boxes seen from the first one's frame.
struct BoxPair {
  Vec3 half1, half2;
  Mat3 axes2;       ///< Axes of box 2 (columns).
  Vec3 center2;     ///< Centre of box 2.
  Vec3 center2In2;  ///< The same vector in the frame of box 2.
  double size;      ///< What tolerances are multiples of [m].
};

BoxPair relateBoxes(const Vec3& half1, const Vec3& half2, const Mat3& rotation1,
                    const Mat3& rotation2, const Vec3& translation2);

/// The separating axis with the least overlap.
struct BoxAxis {
  enum class Kind : std::uint8_t { Face1, Face2, Edges };

  double depth;  ///< Overlap along the axis; negative: a gap [m].
  Kind kind;
  std::uint8_t axis1, axis2;  ///< Face1: axis1; Face2: axis2; Edges: of both boxes.
  Vec3 normal;                ///< Unit, from box 2 to box 1, in the frame of box 1.
  bool apart;                 ///< Some axis shows a gap beyond touching: depth is not the distance.
};

/// The fifteen axes of two boxes. Returns false if the boxes are farther apart than `allowed` [m]
/// (>= touching) along one of them; `result` is not complete then.
///
/// On the axis a_i x b_j every term is made of the products' own components: box 2's extent comes
/// from 2x2 minors of its axes. All terms then shrink with |a_i x b_j|, so parallel edges need no
/// epsilon and cannot show a gap that is not there. No square root and no division before an edge
/// axis is better than the faces. Faces are preferred by kFacePreference of the size, box 1's
/// first.
bool findBoxAxis(const BoxPair& pair, double allowed, BoxAxis& result);

}  // namespace abut::inline v0_1
