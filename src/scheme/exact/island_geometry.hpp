// SPDX-License-Identifier: MIT
#pragma once

#include <abut/narrow_phase/queries.hpp>

#include "scheme/exact/blows.hpp"
#include "scheme/exact/exact_step.hpp"

namespace abut::inline v0_1 {

/// Contacts of an island where its bodies are when they close.
class IslandGeometry final : public BlowGeometry {
public:
  IslandGeometry(ExactStep& step, const Island& island, CollisionResult& found)
      : s_(step), island_(island), found_(found) {}

  void look(std::uint32_t contact, std::span<const BodyVelocity> ways, SolverContact& row,
            double& gap) override;
  void leaveCourse(std::uint32_t contact, std::span<const BodyVelocity> ways, SolverContact& row,
                   double& gap) override;
  void meet(std::uint32_t contact, std::span<const BodyVelocity> ways, SolverContact& row,
            double& gap) override;
  bool isSame(std::uint32_t contact, std::span<const BodyVelocity> ways,
              const SolverContact& row) override;
  /// Whether the bodies of a contact are apart at some displacements.
  bool areApart(std::uint32_t contact, const BodyVelocity& way1, const BodyVelocity& way2);

private:
  /// A contact seen from the first body of its pair, about the centres of then.
  struct Sight {
    Vec3 normal, arm1, arm2;
    double depth = 0.0;
  };
  bool collideAt(const StepContact& c, const BodyVelocity& way1, const BodyVelocity& way2,
                 double margin);
  bool nearestOf(const StepContact& c, const BodyVelocity& way1, const BodyVelocity& way2,
                 Sight& sight) const;

  ExactStep& s_;
  const Island& island_;
  CollisionResult& found_;
};

}  // namespace abut::inline v0_1
