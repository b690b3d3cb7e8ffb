// SPDX-License-Identifier: MIT
#pragma once

#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "narrow_phase/dispatch/scratch.hpp"

namespace abut::inline v0_1 {

/// Contacts of one pair of parts after reduction, in the frame of the pair's query.
struct PartManifold {
  Vec3 normal;  ///< Unit, from object 2 to object 1.
  ContactType type;
  QueryStatus status;
  std::uint64_t subShape1, subShape2;
  int count;
  PairPoint points[ContactManifold::kMaxContacts];
  bool dropped;
};

/// All contacts of one composite pair, made to look like contacts of whole surfaces.
///
/// 1. Two contacts that slip off either side of a seam become one with the face they share; see
///    weld_seam.hpp.
/// 2. A contact is dropped if another one settles it: with normal n and depth d of the other, the
///    parts of the dropped one lie on their own sides of the other's planes, so moving object 1 by
///    d along n parts them too, and not the other way round. This is what removes the edges of
///    parts that meet flush (seams of compounds, of meshes that touch, rims under a resting body).
/// 3. Contacts with the same normal in the same plane become one manifold.
///
/// The outcome does not depend on the order of the manifolds.
class ContactSet final : public ManifoldCollector {
public:
  explicit ContactSet(const PairQuery& query) : query_(query) {}

  void take(PairManifold& manifold) override;
  void markCollision() override { collision_ = true; }

  /// Welds what was taken. Call once.
  void weld();
  /// What was taken and is left; after weld() sorted by sub-shapes.
  [[nodiscard]] std::span<const PartManifold> getManifolds() { return manifolds_.items(); }
  /// Hands the manifolds on.
  void emit(ManifoldSink& sink);
  /// The deepest point of all, ties to the smaller sub-shapes. False if there is none.
  bool deepest(PairGap& result);
  [[nodiscard]] bool isEmpty() const { return manifolds_.size() == 0; }
  void clear() { manifolds_.resize(0); }

private:
  [[nodiscard]] bool settles(const PartManifold& by, const PartManifold& contact) const;
  void sort(bool deepestFirst);
  void removeDropped();
  void bridgeSeams();
  void dropSettled();
  void mergeFlush();

  const PairQuery& query_;
  ScratchList<PartManifold> manifolds_;
  bool collision_ = false;
};

/// Largest n . x over the part of a placed shape that a sub-shape names (the whole of a convex
/// shape, the planar patch of a triangle, a ball), in the frame of the pose. Infinite for a plane.
double partSupport(const Shape& shape, const Pose& pose, std::uint64_t subShape, const Vec3& n);

}  // namespace abut::inline v0_1
