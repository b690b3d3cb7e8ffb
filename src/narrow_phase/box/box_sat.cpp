// SPDX-License-Identifier: MIT
#include "narrow_phase/box/box_sat.hpp"

#include "math/pack.hpp"
#include "narrow_phase/dispatch/pair_query.hpp"

namespace abut::inline v0_1 {
namespace {

/// By how much of the size another axis must beat a face. Overlaps are exact to a few 1e-16.
constexpr double kFacePreference = 1e-14;

/// Component `lane` of the three vectors a, b, c.
struct Gather {
  Pack4d x, y, z;
  explicit Gather(const Mat3& m)
      : x(makePack(m.x.x, m.y.x, m.z.x, 0.0)),
        y(makePack(m.x.y, m.y.y, m.z.y, 0.0)),
        z(makePack(m.x.z, m.y.z, m.z.z, 0.0)) {}
  /// dot(v, columns), in the order of dot().
  [[nodiscard]] Pack4d dotColumns(const Vec3& v) const { return (x * v.x + y * v.y) + z * v.z; }
};

double component(const Vec3& v, int i) {
  return i == 0 ? v.x : (i == 1 ? v.y : v.z);
}

/// Unit axis a_i x b_j in the frame of box 1, up to sign.
Vec3 edgeDirection(int i, double bNext, double bAfter, double scale) {
  // a_i x b has components -b_{i+2} on axis i+1 and b_{i+1} on axis i+2.
  const double p = -bAfter * scale, q = bNext * scale;
  return i == 0 ? Vec3{0.0, p, q} : (i == 1 ? Vec3{q, 0.0, p} : Vec3{p, q, 0.0});
}

/// Picks the face with the least overlap, box 1's first.
void bestFace(const BoxPair& pair, const Pack4d& faces1, const Pack4d& faces2, BoxAxis& best) {
  const double margin = kFacePreference * pair.size;
  int axis = 0;
  double depth = faces1[0];
  for (int i = 1; i < 3; ++i) {
    if (faces1[i] < depth) {
      depth = faces1[i];
      axis = i;
    }
  }
  int axis2 = -1;
  double toBeat = depth - margin;
  for (int j = 0; j < 3; ++j) {
    if (faces2[j] < toBeat) {
      toBeat = depth = faces2[j];
      axis2 = j;
    }
  }
  best.depth = depth;
  if (axis2 < 0) {
    best.kind = BoxAxis::Kind::Face1;
    best.axis1 = static_cast<std::uint8_t>(axis);
    const double sign = component(pair.center2, axis) < 0.0 ? 1.0 : -1.0;
    best.normal = {axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0};
  } else {
    best.kind = BoxAxis::Kind::Face2;
    best.axis2 = static_cast<std::uint8_t>(axis2);
    const Vec3 b = axis2 == 0 ? pair.axes2.x : (axis2 == 1 ? pair.axes2.y : pair.axes2.z);
    best.normal = component(pair.center2In2, axis2) < 0.0 ? b : -b;
  }
}

/// Overlaps along a_i x b_j for one i and all j, all times |a_i x b_j|.
struct EdgeRow {
  Pack4d overlap;      ///< (r1 + r2 - |offset|) |L|
  Pack4d offset;       ///< center2 . L
  Pack4d length2;      ///< |L|^2
  Pack4d next, after;  ///< Components i+1 and i+2 of b_j.
};

/// `halfNext`, `halfAfter`, `centerNext`, `centerAfter`: box 1's along axes i+1 and i+2.
EdgeRow edgeRow(const Pack4d& next, const Pack4d& after, const Pack4d& half2Next,
                const Pack4d& half2After, double halfNext, double halfAfter, double centerNext,
                double centerAfter) {
  EdgeRow row;
  row.next = next;
  row.after = after;
  // Lane j: (a_i x b_j) . b_{j+1} up to sign, the minor of columns j and j+1.
  const Pack4d minors = next * nextAxis(after) - after * nextAxis(next);
  const Pack4d radius2 = absOf(minors) * half2Next + absOf(afterNextAxis(minors)) * half2After;
  const Pack4d radius1 = absOf(after) * halfNext + absOf(next) * halfAfter;
  row.offset = next * centerAfter - after * centerNext;
  row.overlap = (radius1 + radius2) - absOf(row.offset);
  row.length2 = next * next + after * after;
  return row;
}

/// Takes those of a row's axes that beat `toBeat`.
void takeBetter(const EdgeRow& row, int i, double& toBeat, BoxAxis& best) {
  for (int j = 0; j < 3; ++j) {
    const double length2 = row.length2[j];
    if (!(length2 > 0.0)) continue;
    const double scale = 1.0 / std::sqrt(length2);
    const double depth = row.overlap[j] * scale;
    if (!(depth < toBeat)) continue;
    toBeat = best.depth = depth;
    best.kind = BoxAxis::Kind::Edges;
    best.axis1 = static_cast<std::uint8_t>(i);
    best.axis2 = static_cast<std::uint8_t>(j);
    best.normal = edgeDirection(i, row.next[j], row.after[j], row.offset[j] < 0.0 ? scale : -scale);
  }
}

}  // namespace

BoxPair relateBoxes(const Vec3& half1, const Vec3& half2, const Mat3& rotation1,
                    const Mat3& rotation2, const Vec3& translation2) {
  BoxPair pair;
  pair.half1 = half1;
  pair.half2 = half2;
  pair.axes2 = transposeTimes(rotation1, rotation2);
  pair.center2 = transposeTimes(rotation1, translation2);
  pair.center2In2 = transposeTimes(rotation2, translation2);
  pair.size = ((half1.x + half1.y) + half1.z) + ((half2.x + half2.y) + half2.z);
  return pair;
}

bool findBoxAxis(const BoxPair& pair, double allowed, BoxAxis& best) {
  // Above any overlap: keeps the unused lane out.
  constexpr double kUnused = 1e300;
  const Vec3 &h1 = pair.half1, &h2 = pair.half2, &c = pair.center2;
  const Rows3 columns{makePack(pair.axes2.x, 0.0), makePack(pair.axes2.y, 0.0),
                      makePack(pair.axes2.z, 0.0)};
  const Rows3 rows = transpose(columns);

  const Pack4d limit = splat(-allowed);
  const Pack4d half2 = makePack(h2, kUnused);
  const Pack4d faces2 =
      (half2 + ((absOf(rows.row0) * h1.x + absOf(rows.row1) * h1.y) + absOf(rows.row2) * h1.z)) -
      absOf(makePack(pair.center2In2, 0.0));
  if (anyOf(faces2 < limit)) return false;
  const Pack4d faces1 =
      (makePack(h1, kUnused) +
       ((absOf(columns.row0) * h2.x + absOf(columns.row1) * h2.y) + absOf(columns.row2) * h2.z)) -
      absOf(makePack(c, 0.0));
  if (anyOf(faces1 < limit)) return false;

  const Pack4d half2Next = makePack(h2.y, h2.z, h2.x, 0.0);
  const Pack4d half2After = makePack(h2.z, h2.x, h2.y, 0.0);
  const EdgeRow edges[3] = {
      edgeRow(rows.row1, rows.row2, half2Next, half2After, h1.y, h1.z, c.y, c.z),
      edgeRow(rows.row2, rows.row0, half2Next, half2After, h1.z, h1.x, c.z, c.x),
      edgeRow(rows.row0, rows.row1, half2Next, half2After, h1.x, h1.y, c.x, c.y)};
  const Pack4d zero = splat(0.0);
  const Pack4d allowed2 = splat(allowed * allowed);
  for (const EdgeRow& row : edges) {
    if (anyOf((row.overlap < zero) & (allowed2 * row.length2 < row.overlap * row.overlap))) {
      return false;
    }
  }

  bestFace(pair, faces1, faces2, best);
  double toBeat = best.depth - kFacePreference * pair.size;
  const double touching = kTouchTolerance * pair.size;
  const Pack4d touching2 = splat(touching * touching);
  best.apart = best.depth < -touching;
  for (int i = 0; i < 3; ++i) {
    const EdgeRow& row = edges[i];
    const Pack4d overlap2 = row.overlap * row.overlap;
    if (allowed > touching && !best.apart) {
      best.apart = anyOf((row.overlap < zero) & (touching2 * row.length2 < overlap2));
    }
    if (!(toBeat > 0.0)) continue;
    const Pack4d beat2 = splat(toBeat * toBeat);
    if (anyOf((row.overlap < zero) | (overlap2 < beat2 * row.length2))) {
      takeBetter(row, i, toBeat, best);
    }
  }
  return true;
}

}  // namespace abut::inline v0_1
