// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "scheme/press_relief.hpp"
#include "scheme/real_time/gathered_islands.hpp"
#include "scheme/real_time/manifold_rows.hpp"
#include "scheme/real_time/passed_blows.hpp"
#include "scheme/step_solver.hpp"
#include "solver/row_solver.hpp"

namespace abut::inline v0_1 {

/// StepScheme::RealTime: one solve for impacts and forces, friction as one force and one couple for
/// each manifold, bodies in contact moved by their new velocity.
class RealTimeSolver final : public StepSolver {
public:
  [[nodiscard]] Status accepts(const SchemeDemands& demands) const override;
  void build(const StepProblem& problem, StepMotion& motion) override;
  [[nodiscard]] bool hasImpactStage() const override { return false; }
  void solveImpacts(const StepProblem& problem, StepMotion& motion, StepReport& report) override;
  void solveForces(const StepProblem& problem, StepMotion& motion, StepReport& report) override;
  void react(const StepMotion& motion, LimitedDrivers& drivers) const override;
  void move(const StepProblem& problem, StepMotion& motion, HoldBack& guard) override;
  void book(const StepProblem& problem, const StepMotion& motion, StepBooks& books) override;
  void correct(const StepProblem& problem, const HoldBack& guard, StepMotion& motion,
               StepBooks& books, StepReport& report) override;
  void show(const StepProblem& problem, const StepMotion& motion, ContactManifoldCache& cache,
            ContactPublisher& publisher) override;

  [[nodiscard]] std::span<const Link> getLinks() const override { return rows_.links; }
  [[nodiscard]] const LinkOrder& getOrder() const override { return rows_.linkOrder; }
  [[nodiscard]] bool haveContact(std::size_t body1, std::size_t body2) const override;
  [[nodiscard]] bool isLinked(std::uint32_t body) const override {
    return rows_.linkOrder.isLinked(body);
  }

private:
  /// What rows are shown from and to.
  struct Showing {
    const StepInput& in;
    const StepMotion& motion;
    ContactManifoldCache& cache;
    ContactPublisher& publisher;
    std::size_t numCached;  ///< Contacts of the cache: those of fast bodies come after them.
  };
  void showRows(const Showing& how, std::size_t begin, std::size_t end,
                ContactPublisher::Depths& depths) const;
  void showRowsWide(const Showing& how, std::size_t begin, std::size_t end,
                    ContactPublisher::Depths& depths) const;
  template <class V>
  void showRowsAs(const Showing& how, std::size_t begin, std::size_t end,
                  ContactPublisher::Depths& depths) const;
  template <class V>
  void showRow(const Showing& how, std::size_t row, bool touched,
               ContactPublisher::Depths& depths) const;
  void showFast(const Showing& how, std::size_t row, ContactPublisher::Depths& depths) const;
  [[nodiscard]] double speedAt(const StepMotion& motion, const ManifoldRow& row, int i) const;
  /// Islands among which presses are looked for.
  struct PressScene {
    const BodyTable& bodies;
    std::span<ManifoldRow> rows;
    const LinkOrder& order;
    std::span<const BodyVelocity> start, end;
  };
  void yieldToPresses(const PressScene& scene, PressRelief& presses, StepReport& report);
  void solveOverRanks(const StepProblem& problem, const RowProblem& rows, StepMotion& motion,
                      StepReport& report);
  void nameWorst(Halo& halo, const RowProblem& rows, const RowProblem& gathered,
                 StepReport& report) const;

  ManifoldRows rows_;
  PressRelief presses_, gathered_presses_;
  PassedBlows blows_;
  std::vector<SolverContact> points_;  // Of an island that may be a press.
  RowSolver solver_;
  RowOutcome outcome_;
  // Of a part of a world.
  GatheredIslands gathered_;
  RowSolver gathered_solver_;
  RowOutcome gathered_outcome_;
  std::vector<std::uint32_t> island_of_;          // Of each row.
  RoomList<BodyVelocity> pushed_, mean_;          // Before free rotation; of it and the start.
  RoomList<std::uint8_t> drives_;                 // Of each body: whether it drives others.
  std::vector<ContactPublisher::Depths> depths_;  // Of each part of the rows.
};

}  // namespace abut::inline v0_1
