// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/dynamics/step_report.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/solver/contact_solver.hpp>

#include "collision/blow_node.hpp"
#include "collision/detection.hpp"
#include "dynamics/contact_lookup.hpp"
#include "dynamics/step_input.hpp"
#include "dynamics/step_motion.hpp"
#include "events/contact_publisher.hpp"
#include "integration/hold_back.hpp"
#include "integration/limited_drivers.hpp"
#include "ledger/step_books.hpp"
#include "solver/link_order.hpp"

namespace abut::inline v0_1 {

/// What a scheme makes a step of.
struct StepProblem {
  const StepInput& in;
  const SolverOptions& solver;
  const Detection& found;
  const ContactManifoldCache& cache;  ///< Contacts of this step, with the last one's impulses.
};

/// What a world asks of a scheme besides bodies and contacts.
struct SchemeDemands {
  const SolverOptions& solver;
  double baumgarte = 0.0;
  bool extrapolates = false;
  bool hasResistance = false;  ///< A material or pair resists rolling or spinning.
  bool hasStiffness = false;   ///< A material or pair gives way.
  bool hasJoints = false;
  bool sleeps = false;
};

/// The stage in which schemes differ: contacts become velocities, places, work and forces. A step
/// calls all of it once, in the order of the declarations, and what comes before book() again for
/// each time that drives with limits did not stall as thought, with react() only where there are
/// such. A scheme keeps what it needs from one call to the next, and nothing of it from step to
/// step but memory.
///
/// A new scheme is a class of its own in a folder beside exact/ and real_time/, a value of
/// StepScheme, and a line in makeStepSolver().
class StepSolver : public ContactLookup {
public:
  virtual ~StepSolver() = default;

  /// Refuses what the scheme does not know, with the remedy: ignoring it in silence would be worse.
  [[nodiscard]] virtual Status accepts(const SchemeDemands& demands) const = 0;

  /// Contacts, and which bodies they join. Writes the times of late impacts.
  virtual void build(const StepProblem& problem, StepMotion& motion) = 0;
  /// Whether impacts are a stage of their own, apart from forces.
  [[nodiscard]] virtual bool hasImpactStage() const = 0;
  /// From the velocities at the beginning to those after impacts.
  virtual void solveImpacts(const StepProblem& problem, StepMotion& motion, StepReport& report) = 0;
  /// Blows within the step that changed how bodies move, if the scheme knows their times.
  [[nodiscard]] virtual std::span<const BlowNode> getBlows() const { return {}; }
  /// Hits of fast bodies that do not happen, since blows before them lead elsewhere.
  virtual void findOver(std::vector<std::uint32_t>& hits) const { hits.clear(); }
  /// From those to the velocities at the end.
  virtual void solveForces(const StepProblem& problem, StepMotion& motion, StepReport& report) = 0;
  /// What contacts did to drives with limits, which say after move() whether this stands; if not,
  /// the calls from build() to move() are made again.
  virtual void react(const StepMotion& motion, LimitedDrivers& drivers) const = 0;
  /// New places. Bodies that are turned without dynamics are noted in `guard`, which is new.
  virtual void move(const StepProblem& problem, StepMotion& motion, HoldBack& guard) = 0;
  /// What contacts and forces did.
  virtual void book(const StepProblem& problem, const StepMotion& motion, StepBooks& books) = 0;
  /// Takes overlap out by displacement, and energy back that the step had no right to, also
  /// from what the guard held back.
  virtual void correct(const StepProblem& problem, const HoldBack& guard, StepMotion& motion,
                       StepBooks& books, StepReport& report) = 0;
  /// Contacts for the caller, sorted by pair; impulses for the next step.
  virtual void show(const StepProblem& problem, const StepMotion& motion,
                    ContactManifoldCache& cache, ContactPublisher& publisher) = 0;

  /// What joins bodies in the step, and the islands that it makes of them.
  [[nodiscard]] virtual std::span<const Link> getLinks() const = 0;
  [[nodiscard]] virtual const LinkOrder& getOrder() const = 0;
};

}  // namespace abut::inline v0_1
