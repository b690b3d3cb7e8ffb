// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/core/tasks.hpp>
#include <abut/manifold/persistent_manifold.hpp>

#include "constraints/contact_site.hpp"
#include "core/stable_order.hpp"
#include "dynamics/body_table.hpp"
#include "dynamics/point_velocity.hpp"
#include "dynamics/step_motion.hpp"
#include "scheme/step_contact.hpp"
#include "solver/lean_batch.hpp"
#include "solver/link_order.hpp"

namespace abut::inline v0_1 {

/// Where a manifold row comes from.
struct RowSource {
  static constexpr std::uint32_t kNoManifold = 0xffffffffu;  ///< Of a fast pair: not in the cache.
  std::uint32_t manifold = 0;                                ///< Of the cache.
  bool meetsDriver = false;                                  ///< One of its bodies is kinematic.
};

/// The contacts of a step by manifold, and the islands that they make of bodies.
struct ManifoldRows {
  /// Those of this step; RowPoint::contact is that of the cache, or one of `fast`.
  std::span<ManifoldRow> all;
  std::size_t ordinary = 0;        ///< So many of them, the first, are of the cache, by pair.
  std::vector<RowSource> sources;  ///< Of each.
  std::vector<StepContact> fast;   ///< Contacts at the first hits of fast bodies.
  std::vector<Link> links;         ///< One for each row.
  LinkOrder linkOrder;

  /// From the manifolds of the cache and the first hits of fast bodies, without those of bodies
  /// that the stage of joints moves.
  void build(const StepProblem& problem, const StepMotion& motion);

private:
  /// Contacts of whole pairs, and the rows that they make.
  struct Part {
    std::size_t begin = 0, end = 0;
    std::uint32_t firstRow = 0, numRows = 0;
    std::size_t firstPoint = 0, numPoints = 0;  ///< Room for all that their manifolds have.
  };

  void addOrdinary(const StepProblem& problem, const StepMotion& motion);
  void cut(const StepProblem& problem, const StepMotion& motion);
  void fill(const StepProblem& problem, const StepMotion& motion, const Part& part);
  void fillWide(const StepProblem& problem, const StepMotion& motion, const Part& part);
  template <class V>
  void fillAs(const StepProblem& problem, const StepMotion& motion, const Part& part);
  void startRow(const StepInput& in, const ManifoldKey& key, const Vec3& normal,
                SurfacePairs& surfaces, ManifoldRow& row, RowSource& source) const;
  void addFast(const StepProblem& problem, const StepMotion& motion);
  void order(const StepInput& in);
  ManifoldRow& addRow(std::size_t count);

  std::vector<ManifoldRow> storage_;
  std::vector<RowPoint> points_;
  std::size_t num_points_ = 0;         // Of ordinary rows.
  std::vector<std::uint32_t> row_of_;  // Of each manifold of the cache, among those of its part.
  std::vector<Part> parts_;
  std::vector<std::uint8_t> moves_;
  std::vector<Answer> answers_;  // Of each body.
  std::vector<double> slops_;    // Of each body with a shape: with one of its own size [m].
  StableOrder<StepContact> sorter_;
};

/// Approach slower than this does not bounce in a step [m/s].
double slowestBounce(const StepInput& in);

/// Speed at which the bodies of a row part along its normal at one of its points [m/s].
inline double normalVelocity(const ManifoldRow& r, int i, const BodyVelocity& v1,
                             const BodyVelocity& v2) {
  return dot(r.normal, relativeVelocity(v1, r.points[i].arm1, v2, r.points[i].arm2, r.offset));
}

}  // namespace abut::inline v0_1
