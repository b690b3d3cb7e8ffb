// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "scheme/exact/carry.hpp"
#include "scheme/exact/stages.hpp"
#include "scheme/step_solver.hpp"

namespace abut::inline v0_1 {

/// StepScheme::Exact: impacts apart from forces, friction at every point, positions by the mean of
/// the velocities before and after.
class ExactSolver final : public StepSolver {
public:
  [[nodiscard]] Status accepts(const SchemeDemands& demands) const override;
  void build(const StepProblem& problem, StepMotion& motion) override;
  [[nodiscard]] bool hasImpactStage() const override { return true; }
  void solveImpacts(const StepProblem& problem, StepMotion& motion, StepReport& report) override;
  [[nodiscard]] std::span<const BlowNode> getBlows() const override { return impacts_.getBlows(); }
  void solveForces(const StepProblem& problem, StepMotion& motion, StepReport& report) override;
  void react(const StepMotion& motion, LimitedDrivers& drivers) const override;
  void move(const StepProblem& problem, StepMotion& motion, HoldBack& guard) override;
  void book(const StepProblem& problem, const StepMotion& motion, StepBooks& books) override;
  void correct(const StepProblem& problem, const HoldBack& guard, StepMotion& motion,
               StepBooks& books, StepReport& report) override;
  void show(const StepProblem& problem, const StepMotion& motion, ContactManifoldCache& cache,
            ContactPublisher& publisher) override;

  [[nodiscard]] std::span<const Link> getLinks() const override { return contacts_.links; }
  [[nodiscard]] const LinkOrder& getOrder() const override { return contacts_.linkOrder; }
  [[nodiscard]] bool haveContact(std::size_t body1, std::size_t body2) const override;
  [[nodiscard]] bool awaits(std::size_t body1, std::size_t body2) const override;
  void findOver(std::vector<std::uint32_t>& hits) const override;
  [[nodiscard]] bool isLinked(std::uint32_t body) const override {
    return contacts_.linkOrder.isLinked(body);
  }

private:
  ExactStep stepOf(const StepProblem& problem, StepMotion& motion, StepReport& report);

  ExactContacts contacts_;
  LateBlows late_;
  YieldWork yielded_;
  BounceWork bounced_;
  LocalProblem local_;
  ContactSolver solver_;
  PressRelief presses_;
  CarryStage carry_;
  ImpactStage impacts_;
  ForceStage forces_;
  MovingContacts moving_;
  DriverFrames frames_;
  std::vector<std::uint32_t> manifolds_, island_of_;
  std::vector<BodyVelocity> turning_;
};

}  // namespace abut::inline v0_1
