// SPDX-License-Identifier: MIT
#include "narrow_phase/box_patch.hpp"

#include <limits>

#include "shapes/box_features.hpp"

namespace abut {
namespace {

double component(const Vec3& v, std::uint32_t axis) {
  return axis == 0 ? v.x : (axis == 1 ? v.y : v.z);
}
const Vec3& column(const Mat3& m, std::uint32_t axis) {
  return axis == 0 ? m.x : (axis == 1 ? m.y : m.z);
}

/// A point, or the difference of two, of the incident face as its image on the reference face.
struct Image {
  double x, y;   ///< Along the reference face's two axes.
  double depth;  ///< Distance along d from the point to the reference face.
};

Image operator+(const Image& a, const Image& b) {
  return {a.x + b.x, a.y + b.y, a.depth + b.depth};
}
Image operator-(const Image& a, const Image& b) {
  return {a.x - b.x, a.y - b.y, a.depth - b.depth};
}
Image operator*(const Image& a, double s) {
  return {a.x * s, a.y * s, a.depth * s};
}

class Patch {
public:
  Patch(const BoxFaceView& view, double allowed, double size, PairManifold& manifold);

  void clip();
  [[nodiscard]] double getDeepest() const { return deepest_; }

private:
  Image imageOfVector(const Vec3& e) const {
    const double depth = -component(e, axis_) * inverse_;
    return {component(e, u_) + component(view_.direction, u_) * depth,
            component(e, v_) + component(view_.direction, v_) * depth, depth};
  }
  [[nodiscard]] bool isInside(const Image& p) const {
    return absOf(p.x) <= rimX_ && absOf(p.y) <= rimY_;
  }
  [[nodiscard]] Image ontoFace(const Image& p) const {
    return {clampTo(p.x, -halfX_, halfX_), clampTo(p.y, -halfY_, halfY_), p.depth};
  }
  void add(const Image& p, const Feature& reference, const Feature& incident);
  void clipEdge(std::uint32_t k, const Image& from, const Image& step, const Image& inverse,
                bool fromInside, bool toInside);
  void addReferenceCorners();
  [[nodiscard]] std::uint32_t incidentVertex(std::uint32_t corner) const;
  [[nodiscard]] Feature rimEdge(bool acrossX, bool positive) const;

  const BoxFaceView& view_;
  PairManifold& manifold_;
  double allowed_;
  std::uint32_t axis_, u_, v_;      // Of the reference box.
  std::uint32_t face_, fu_, fv_;    // Of the incident box.
  std::uint32_t side_, otherSide_;  // Sign bits of the faces.
  double halfX_, halfY_, rimX_, rimY_, inverse_;
  Image center_, edge1_, edge2_;
  Vec3 faceOrigin_, worldX_, worldY_;
  double deepest_ = -std::numeric_limits<double>::infinity();
};

Patch::Patch(const BoxFaceView& view, double allowed, double size, PairManifold& manifold)
    : view_(view), manifold_(manifold), allowed_(allowed), axis_(view.axis) {
  u_ = (axis_ + 1u) % 3u;
  v_ = (axis_ + 2u) % 3u;
  const double along = component(view.direction, axis_);
  inverse_ = 1.0 / along;
  side_ = along < 0.0 ? 0u : 1u << axis_;
  const double plane = along < 0.0 ? -component(view.half, axis_) : component(view.half, axis_);

  // The incident face looks most directly against d.
  const Vec3 seen = transposeTimes(view.otherAxes, view.direction);
  const Vec3 a = absOf(seen);
  face_ = a.x >= a.y && a.x >= a.z ? 0u : (a.y >= a.z ? 1u : 2u);
  fu_ = (face_ + 1u) % 3u;
  fv_ = (face_ + 2u) % 3u;
  const bool positive = component(seen, face_) < 0.0;
  otherSide_ = positive ? 1u << face_ : 0u;
  const double reach = component(view.otherHalf, face_);
  const Vec3 center =
      view.otherCenter + column(view.otherAxes, face_) * (positive ? reach : -reach);

  const double depth = (plane - component(center, axis_)) * inverse_;
  center_ = {component(center, u_) + component(view.direction, u_) * depth,
             component(center, v_) + component(view.direction, v_) * depth, depth};
  edge1_ = imageOfVector(column(view.otherAxes, fu_) * component(view.otherHalf, fu_));
  edge2_ = imageOfVector(column(view.otherAxes, fv_) * component(view.otherHalf, fv_));

  halfX_ = component(view.half, u_);
  halfY_ = component(view.half, v_);
  // What is this close to the rim counts as inside, so that flush faces meet corner on corner, and
  // boxes that kiss along an edge meet along it.
  rimX_ = halfX_ + kTouchTolerance * size;
  rimY_ = halfY_ + kTouchTolerance * size;
  worldX_ = column(view.toWorld, u_);
  worldY_ = column(view.toWorld, v_);
  faceOrigin_ = view.origin + column(view.toWorld, axis_) * plane;
}

void Patch::add(const Image& p, const Feature& reference, const Feature& incident) {
  if (p.depth < -allowed_) return;
  deepest_ = maxOf(deepest_, p.depth);
  const Vec3 onFace = (faceOrigin_ + worldX_ * p.x) + worldY_ * p.y;
  const Vec3 middle = onFace - view_.directionWorld * (0.5 * p.depth);
  if (view_.firstIsReference) {
    manifold_.add(middle, p.depth, reference, incident);
  } else {
    manifold_.add(middle, p.depth, incident, reference);
  }
}

/// Corners run (-,-), (+,-), (+,+), (-,+) along the incident face's two axes.
std::uint32_t Patch::incidentVertex(std::uint32_t corner) const {
  const std::uint32_t plus1 = corner == 1u || corner == 2u ? 1u << fu_ : 0u;
  const std::uint32_t plus2 = corner >= 2u ? 1u << fv_ : 0u;
  return otherSide_ | plus1 | plus2;
}

Feature Patch::rimEdge(bool acrossX, bool positive) const {
  const std::uint32_t along = acrossX ? v_ : u_, across = acrossX ? u_ : v_;
  return {Feature::Kind::Edge, boxEdge(along, side_ | (positive ? 1u << across : 0u))};
}

/// Liang-Barsky: the stretch [t0, t1] of the edge from corner k within the rectangle. Its ends are
/// added where they are not corners of the incident face. A stretch that lies within rounding of
/// the rim is kept, though it may be empty by the exact cuts.
void Patch::clipEdge(std::uint32_t k, const Image& from, const Image& step, const Image& inverse,
                     bool fromInside, bool toInside) {
  double t0 = 0.0, t1 = 1.0, wide0 = 0.0, wide1 = 1.0;
  Feature rim0, rim1;
  const auto cut = [&](double start, double inv, double direction, double half, double wideHalf,
                       bool acrossX) {
    if (direction == 0.0) return absOf(start) <= wideHalf;
    const bool rising = direction > 0.0;
    const double enter = ((rising ? -half : half) - start) * inv;
    const double leave = ((rising ? half : -half) - start) * inv;
    if (enter > t0) {
      t0 = enter;
      rim0 = rimEdge(acrossX, !rising);
    }
    if (leave < t1) {
      t1 = leave;
      rim1 = rimEdge(acrossX, rising);
    }
    wide0 = maxOf(wide0, ((rising ? -wideHalf : wideHalf) - start) * inv);
    wide1 = minOf(wide1, ((rising ? wideHalf : -wideHalf) - start) * inv);
    return wide0 <= wide1;
  };
  if (!cut(from.x, inverse.x, step.x, halfX_, rimX_, true)) return;
  if (!cut(from.y, inverse.y, step.y, halfY_, rimY_, false)) return;
  if (t0 > t1) {
    t0 = wide0;
    t1 = wide1;
  }
  const std::uint32_t along = k % 2u == 0u ? fu_ : fv_;
  const Feature edge{Feature::Kind::Edge, boxEdge(along, incidentVertex(k))};
  if (!fromInside && t0 > 0.0) add(ontoFace(from + step * t0), rim0, edge);
  if (!toInside && t1 < 1.0) add(ontoFace(from + step * t1), rim1, edge);
}

/// Corner = center + alpha edge1 + beta edge2 lies over the incident face if |alpha|, |beta| <= 1.
void Patch::addReferenceCorners() {
  const double det = edge1_.x * edge2_.y - edge1_.y * edge2_.x;
  const double bound = absOf(det);
  if (!(bound > 0.0)) return;
  const Feature face{Feature::Kind::Face, boxFace(face_, otherSide_)};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const double x = (k & 1u) != 0 ? halfX_ : -halfX_, y = (k & 2u) != 0 ? halfY_ : -halfY_;
    const double dx = x - center_.x, dy = y - center_.y;
    const double alpha = dx * edge2_.y - dy * edge2_.x, beta = edge1_.x * dy - edge1_.y * dx;
    if (absOf(alpha) > bound || absOf(beta) > bound) continue;
    const double depth = center_.depth + (alpha * edge1_.depth + beta * edge2_.depth) / det;
    const std::uint32_t vertex =
        side_ | ((k & 1u) != 0 ? 1u << u_ : 0u) | ((k & 2u) != 0 ? 1u << v_ : 0u);
    add({x, y, depth}, {Feature::Kind::Vertex, vertex}, face);
  }
}

void Patch::clip() {
  const Image low = center_ - edge2_, high = center_ + edge2_;
  const Image corners[4] = {low - edge1_, low + edge1_, high + edge1_, high - edge1_};
  const Feature face{Feature::Kind::Face, boxFace(axis_, side_)};
  bool inside[4];
  int numInside = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    inside[k] = isInside(corners[k]);
    if (!inside[k]) continue;
    ++numInside;
    add(corners[k], face, {Feature::Kind::Vertex, incidentVertex(k)});
  }
  if (numInside == 4) return;
  const Image step1 = edge1_ * 2.0, step2 = edge2_ * 2.0;
  const Image inverse1{1.0 / step1.x, 1.0 / step1.y, 0.0};
  const Image inverse2{1.0 / step2.x, 1.0 / step2.y, 0.0};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const std::uint32_t next = (k + 1u) % 4u;
    if (inside[k] && inside[next]) continue;
    const double sign = k < 2u ? 1.0 : -1.0;
    const Image& step = k % 2u == 0u ? step1 : step2;
    const Image& inverse = k % 2u == 0u ? inverse1 : inverse2;
    clipEdge(k, corners[k], step * sign, inverse * sign, inside[k], inside[next]);
  }
  addReferenceCorners();
}

}  // namespace

double addBoxPatch(const BoxFaceView& view, double allowed, double size, PairManifold& manifold) {
  Patch patch(view, allowed, size, manifold);
  patch.clip();
  return patch.getDeepest();
}

}  // namespace abut
