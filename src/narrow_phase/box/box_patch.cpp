// SPDX-License-Identifier: MIT
#include "narrow_phase/box/box_patch.hpp"

#include <limits>

#include "math/split_vec3.hpp"
#include "shapes/box_features.hpp"

namespace abut::inline v0_1 {
namespace {

// Which corners and edges of a face lie where is as good as random: everything is computed for all
// of them, in lanes, and what does not exist is left out at the end.

/// A point, or the difference of two, of the incident face as its image on the reference face.
struct Image {
  double x, y;   ///< Along the reference face's two axes.
  double depth;  ///< Distance along d from the point to the reference face.
};

/// Four of them.
struct Images {
  Pack4d x, y, depth;
};

constexpr std::uint32_t kNext[3] = {1, 2, 0};
constexpr std::uint32_t kAfter[3] = {2, 0, 1};

/// What a face of a box has, by 2 * axis + (on the positive side). Its own axes are the next ones
/// in cyclic order, u and v.
struct FaceFeatures {
  /// As the incident face, by candidate: corners (-,-), (+,-), (+,+), (-,+); the edges that start
  /// there, twice; the face itself, four times.
  Feature incident[16];
  /// As the reference face: the face; rims at -u, +u, -v, +v; corners (-,-), (+,-), (-,+), (+,+).
  Feature reference[9];
};

constexpr FaceFeatures makeFeatures(std::uint32_t axis, std::uint32_t side) {
  using Kind = Feature::Kind;
  const std::uint32_t u = kNext[axis], v = kAfter[axis];
  const std::uint32_t bits = side << axis, plusU = 1u << u, plusV = 1u << v;
  FaceFeatures f{};
  const Feature face{Kind::Face, 2u * axis + side};
  const std::uint32_t around[4] = {bits, bits | plusU, bits | plusU | plusV, bits | plusV};
  for (std::uint32_t k = 0; k < 4; ++k) {
    f.incident[k] = {Kind::Vertex, around[k]};
    f.incident[4 + k] = {Kind::Edge, boxEdge(k % 2u == 0u ? u : v, around[k])};
    f.incident[8 + k] = f.incident[4 + k];
    f.incident[12 + k] = face;
    f.reference[5 + k] = {Kind::Vertex,
                          bits | ((k & 1u) != 0 ? plusU : 0u) | ((k & 2u) != 0 ? plusV : 0u)};
  }
  f.reference[0] = face;
  f.reference[1] = {Kind::Edge, boxEdge(v, bits)};
  f.reference[2] = {Kind::Edge, boxEdge(v, bits | plusU)};
  f.reference[3] = {Kind::Edge, boxEdge(u, bits)};
  f.reference[4] = {Kind::Edge, boxEdge(u, bits | plusV)};
  return f;
}

constexpr FaceFeatures kFeatures[6] = {makeFeatures(0, 0), makeFeatures(0, 1), makeFeatures(1, 0),
                                       makeFeatures(1, 1), makeFeatures(2, 0), makeFeatures(2, 1)};

/// First of reference[] by candidate; rims add where they lie.
constexpr std::uint8_t kReference[16] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 5, 6, 7, 8};

/// What is looked at: the two faces in coordinates of the reference face.
struct Faces {
  double halfX, halfY;  ///< Of the reference face.
  double rimX, rimY;    ///< What is this close to the rim counts as inside, so that flush faces
                        ///< meet corner on corner, and boxes that kiss along an edge meet along it.
  Image center, edge1, edge2;  ///< Of the incident face: its middle and half of two edges.
  const FaceFeatures* reference;
  const FaceFeatures* incident;
  SplitVec3 origin, axisX, axisY;  ///< Of the reference face, in the frame of the query.
};

/// Points that may belong to the patch: the incident face's corners, the starts and the ends of the
/// stretches of its edges within the reference face, the reference face's corners.
struct Candidates {
  double x[16], y[16], depth[16];
  std::uint32_t exist;     ///< By bits.
  std::uint32_t acrossY;   ///< Ends at a rim across the y axis.
  std::uint32_t positive;  ///< At the positive one.

  ABUT_ALWAYS_INLINE void set(int first, const Images& points) {
    storePack(x + first, points.x);
    storePack(y + first, points.y);
    storePack(depth + first, points.depth);
  }
};

ABUT_ALWAYS_INLINE Faces lookAt(const BoxFaceView& view, double size) {
  Faces f;
  const std::uint32_t axis = view.axis, u = kNext[axis], v = kAfter[axis];
  const double half[3] = {view.half.x, view.half.y, view.half.z};
  const double d[3] = {view.direction.x, view.direction.y, view.direction.z};
  const bool isUp = !(d[axis] < 0.0);
  const double inverse = 1.0 / d[axis], plane = isUp ? half[axis] : -half[axis];
  f.reference = &kFeatures[2u * axis + (isUp ? 1u : 0u)];

  // The incident face looks most directly against d.
  const Vec3 seen = transposeTimes(view.otherAxes, view.direction);
  const Vec3 a = absOf(seen);
  const std::uint32_t yz = a.y >= a.z ? 1u : 2u;
  const std::uint32_t isX = (a.x >= a.y ? 1u : 0u) & (a.x >= a.z ? 1u : 0u);
  const std::uint32_t face = yz & (isX - 1u), fu = kNext[face], fv = kAfter[face];
  const double seen3[3] = {seen.x, seen.y, seen.z};
  const double otherHalf[3] = {view.otherHalf.x, view.otherHalf.y, view.otherHalf.z};
  const bool positive = seen3[face] < 0.0;
  f.incident = &kFeatures[2u * face + (positive ? 1u : 0u)];

  const auto imageAt = [&](const double* p, double depth) {
    return Image{p[u] + d[u] * depth, p[v] + d[v] * depth, depth};
  };
  const Vec3* columns[3] = {&view.otherAxes.x, &view.otherAxes.y, &view.otherAxes.z};
  const Vec3 c =
      view.otherCenter + *columns[face] * choose(positive, otherHalf[face], -otherHalf[face]);
  const Vec3 e1 = *columns[fu] * otherHalf[fu], e2 = *columns[fv] * otherHalf[fv];
  const double center[3] = {c.x, c.y, c.z};
  const double edge1[3] = {e1.x, e1.y, e1.z}, edge2[3] = {e2.x, e2.y, e2.z};
  f.center = imageAt(center, (plane - center[axis]) * inverse);
  f.edge1 = imageAt(edge1, -edge1[axis] * inverse);
  f.edge2 = imageAt(edge2, -edge2[axis] * inverse);

  f.halfX = half[u];
  f.halfY = half[v];
  f.rimX = f.halfX + kTouchTolerance * size;
  f.rimY = f.halfY + kTouchTolerance * size;
  const Vec3* toWorld[3] = {&view.toWorld.x, &view.toWorld.y, &view.toWorld.z};
  f.axisX = loadSplit(*toWorld[u]);
  f.axisY = loadSplit(*toWorld[v]);
  f.origin = loadSplit(view.origin) + loadSplit(*toWorld[axis]) * plane;
  return f;
}

/// The incident face's corners (-,-), (+,-), (+,+), (-,+).
ABUT_ALWAYS_INLINE Pack4d cornersOf(double center, double edge1, double edge2) {
  const double low = center - edge2, high = center + edge2;
  return makePack(low - edge1, low + edge1, high + edge1, high - edge1);
}

/// Where edges cross the two rims of an axis, as parts of the edge.
struct Cut {
  Pack4d enter, leave;
  Pack4d wideEnter, wideLeave;  ///< The rims with what counts as inside.
  Mask4 isRising;
  Mask4 isOff;  ///< Parallel to the rims, and beyond one.
};

ABUT_ALWAYS_INLINE Cut cutBy(const Pack4d& start, const Pack4d& step, const Pack4d& inverse,
                             double half, double rim) {
  Cut c;
  const Pack4d zero = splat(0.0);
  c.isRising = zero < step;
  const Pack4d toHalf = select(c.isRising, splat(half), splat(-half));
  const Pack4d toRim = select(c.isRising, splat(rim), splat(-rim));
  c.enter = (-toHalf - start) * inverse;
  c.leave = (toHalf - start) * inverse;
  c.wideEnter = (-toRim - start) * inverse;
  c.wideLeave = (toRim - start) * inverse;
  const Mask4 isLevel = equal(step, zero);
  c.isOff = isLevel & (splat(rim) < absOf(start));
  if (anyOf(isLevel)) [[unlikely]] {
    const Pack4d before = splat(-1.0), beyond = splat(2.0);
    c.enter = select(isLevel, before, c.enter);
    c.leave = select(isLevel, beyond, c.leave);
    c.wideEnter = select(isLevel, before, c.wideEnter);
    c.wideLeave = select(isLevel, beyond, c.wideLeave);
  }
  return c;
}

/// The points of edges at parts t of their length, on the face.
ABUT_ALWAYS_INLINE Images pointsAt(const Images& from, const Images& step, const Pack4d& t,
                                   const Faces& f) {
  const auto clamp = [](const Pack4d& a, double half) {
    return atLeast(atMost(a, splat(half)), splat(-half));
  };
  return {clamp(from.x + step.x * t, f.halfX), clamp(from.y + step.y * t, f.halfY),
          from.depth + step.depth * t};
}

/// Liang-Barsky: the stretches [t0, t1] of the edges within the reference face. Their ends count
/// where they are not corners of the incident face. A stretch that lies within rounding of the rim
/// is kept, though it may be empty by the exact cuts.
ABUT_ALWAYS_INLINE void addStretches(const Faces& f, const Images& corners, std::uint32_t inside,
                                     Candidates& c) {
  const auto around = [](double a, double b) { return makePack(a, b, -a, -b); };
  const Image s1{f.edge1.x * 2.0, f.edge1.y * 2.0, f.edge1.depth * 2.0};
  const Image s2{f.edge2.x * 2.0, f.edge2.y * 2.0, f.edge2.depth * 2.0};
  const Pack4d inverse = splat(1.0) / makePack(s1.x, s2.x, s1.y, s2.y);
  const Images step{around(s1.x, s2.x), around(s1.y, s2.y), around(s1.depth, s2.depth)};
  const Cut x = cutBy(corners.x, step.x, {inverse.low, -inverse.low}, f.halfX, f.rimX);
  const Cut y = cutBy(corners.y, step.y, {inverse.high, -inverse.high}, f.halfY, f.rimY);
  const Pack4d zero = splat(0.0), one = splat(1.0);
  Pack4d t0 = atLeast(zero, x.enter), t1 = atMost(one, x.leave);
  const std::uint32_t startAcrossY = bitsOf(t0 < y.enter), endAcrossY = bitsOf(y.leave < t1);
  t0 = atLeast(t0, y.enter);
  t1 = atMost(t1, y.leave);
  const Pack4d wide0 = atLeast(atLeast(zero, x.wideEnter), y.wideEnter);
  const Pack4d wide1 = atMost(atMost(one, x.wideLeave), y.wideLeave);
  const Mask4 isOut = (wide1 < wide0) | x.isOff | y.isOff;
  const Mask4 isRounding = ~isOut & (t1 < t0);
  if (anyOf(isRounding)) [[unlikely]] {
    t0 = select(isRounding, wide0, t0);
    t1 = select(isRounding, wide1, t1);
  }
  const std::uint32_t in = ~bitsOf(isOut) & 15u;
  const std::uint32_t nextInside = (inside >> 1u) | ((inside & 1u) << 3u);
  const std::uint32_t starts = in & ~inside & bitsOf(zero < t0);
  const std::uint32_t ends = in & ~nextInside & bitsOf(t1 < one);
  c.set(4, pointsAt(corners, step, t0, f));
  c.set(8, pointsAt(corners, step, t1, f));
  c.exist |= (starts << 4u) | (ends << 8u);
  c.acrossY = (startAcrossY << 4u) | (endAcrossY << 8u);
  const std::uint32_t up = bitsOf(x.isRising), upY = bitsOf(y.isRising);
  const std::uint32_t atStart = (startAcrossY & ~upY) | (~startAcrossY & ~up);
  const std::uint32_t atEnd = (endAcrossY & upY) | (~endAcrossY & up);
  c.positive = ((atStart & 15u) << 4u) | ((atEnd & 15u) << 8u);
}

/// Corner = center + alpha edge1 + beta edge2 lies over the incident face if |alpha|, |beta| <= 1.
ABUT_ALWAYS_INLINE void addReferenceCorners(const Faces& f, Candidates& c) {
  const double det = f.edge1.x * f.edge2.y - f.edge1.y * f.edge2.x;
  const Pack4d x = makePack(-f.halfX, f.halfX, -f.halfX, f.halfX);
  const Pack4d y = makePack(-f.halfY, -f.halfY, f.halfY, f.halfY);
  const Pack4d dx = x - splat(f.center.x), dy = y - splat(f.center.y);
  const Pack4d alpha = dx * f.edge2.y - dy * f.edge2.x;
  const Pack4d beta = splat(f.edge1.x) * dy - splat(f.edge1.y) * dx;
  const Pack4d bound = splat(absOf(det));
  const Mask4 isOut = (bound < absOf(alpha)) | (bound < absOf(beta));
  const Pack4d depth =
      splat(f.center.depth) + (alpha * f.edge1.depth + beta * f.edge2.depth) / splat(det);
  c.set(12, {x, y, depth});
  c.exist |= absOf(det) > 0.0 ? (~bitsOf(isOut) & 15u) << 12u : 0u;
}

ABUT_ALWAYS_INLINE void findCandidates(const Faces& f, double allowed, Candidates& c) {
  const Images corners{cornersOf(f.center.x, f.edge1.x, f.edge2.x),
                       cornersOf(f.center.y, f.edge1.y, f.edge2.y),
                       cornersOf(f.center.depth, f.edge1.depth, f.edge2.depth)};
  const Mask4 isOut = (splat(f.rimX) < absOf(corners.x)) | (splat(f.rimY) < absOf(corners.y));
  const std::uint32_t inside = ~bitsOf(isOut) & 15u;
  c.set(0, corners);
  c.exist = inside;
  c.acrossY = 0;
  c.positive = 0;
  int count = 4;
  if (inside != 15u) {
    addStretches(f, corners, inside, c);
    addReferenceCorners(f, c);
    count = 16;
  }
  std::uint32_t apart = 0;
  for (int i = 0; i < count; i += 4) {
    apart |= bitsOf(loadPack(c.depth + i) < splat(-allowed)) << i;
  }
  c.exist &= ~apart;
}

}  // namespace

double addBoxPatch(const BoxFaceView& view, double allowed, double size, PairManifold& manifold) {
  const Faces f = lookAt(view, size);
  Candidates c;
  findCandidates(f, allowed, c);
  double deepest = -std::numeric_limits<double>::infinity();
  const SplitVec3 direction = split(view.directionWorld);
  for (std::uint32_t rest = c.exist; rest != 0; rest &= rest - 1u) {
    const auto i = static_cast<std::uint32_t>(__builtin_ctz(rest));
    deepest = maxOf(deepest, c.depth[i]);
    const SplitVec3 onFace = (f.origin + f.axisX * c.x[i]) + f.axisY * c.y[i];
    const SplitVec3 middle = onFace - direction * (0.5 * c.depth[i]);
    const Feature incident = f.incident->incident[i];
    const std::uint32_t rim = ((c.acrossY >> i) & 1u) * 2u + ((c.positive >> i) & 1u);
    const Feature reference = f.reference->reference[kReference[i] + rim];
    if (view.firstIsReference) {
      manifold.add(join(middle), c.depth[i], reference, incident);
    } else {
      manifold.add(join(middle), c.depth[i], incident, reference);
    }
  }
  return deepest;
}

}  // namespace abut::inline v0_1
