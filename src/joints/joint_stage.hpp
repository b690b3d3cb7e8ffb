// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/core/tasks.hpp>

#include "dynamics/step_motion.hpp"
#include "joints/joint_table.hpp"
#include "joints/jointed_island.hpp"
#include "solver/link_order.hpp"

namespace abut::inline v0_1 {

/// A contact that the stage is given, between bodies by index in the table.
struct StageContact {
  std::uint32_t body1 = 0, body2 = 0;
  Vec3 arm1, arm2;
  JointedContact row;  ///< Sides are filled in by the stage.
};

struct StageSetting {
  double dt = 0.0;
  Vec3 gravity;
  bool isExact = true;
  double slowestImpact = 0.0;
  SolverOptions solver;
  TaskRunner* tasks = nullptr;  ///< Islands are shared out; no bit depends on it.
};

struct StageReport {
  int newtonSteps = 0, sweeps = 0;
  bool converged = true;
  double worstError = 0.0;
  std::uint32_t worstContact = 0;  ///< Among the stage's contacts.
};

/// How a body went through the step.
struct JointedMotion {
  Vec3 way, turn;       ///< dt times its mean velocities, over all parts.
  Vec3 closing;         ///< Displacement that closed its joints before [m].
  Vec3 correction;      ///< Displacement that takes overlap out after [m].
  Vec3 correctionTurn;  ///< The same [rad].
  double excess = 0.0;  ///< Energy that the step does not keep where it moves by the new velocity.
  double supplied = 0.0;  ///< Of a drive that stalls: its work on all others [J].
};

/// The islands of a step that have joints: found with the others, moved here.
class JointStage {
public:
  /// Which bodies joints hold in this step. Joints of bodies asleep take no part.
  void begin(const JointTable& table, const BodyTable& bodies);
  [[nodiscard]] bool isActive() const { return !joints_.empty(); }
  /// Whether a body is dynamic and held by a joint.
  [[nodiscard]] bool isJointed(std::size_t body) const {
    return isActive() && root_[body] != kNone;
  }
  /// Finds the islands that have joints, by the links that contacts are: their bodies are moved
  /// here, and their contacts are to be given.
  void findIslands(std::span<const Link> contactLinks, const BodyTable& bodies);
  /// Whether a body is moved here.
  [[nodiscard]] bool moves(std::size_t body) const { return isActive() && taken_[body] != 0; }
  /// The bodies of each island that is.
  [[nodiscard]] std::size_t numIslands() const { return islands_.size(); }
  /// Of these the first have contacts or joints between bodies.
  [[nodiscard]] std::size_t numLinked() const { return num_linked_; }
  [[nodiscard]] std::span<const std::uint32_t> membersOf(std::size_t island) const {
    return {members_.data() + islands_[island].firstBody, islands_[island].numBodies};
  }
  [[nodiscard]] std::uint32_t islandOf(std::size_t body) const { return island_of_[body]; }
  /// Contacts between bodies of these islands, or with what they touch; the caller adds them.
  std::vector<StageContact> contacts;

  /// Moves all bodies taken: end velocities, new places, contacts' impulses, joints' outcomes.
  StageReport solve(const StageSetting& setting, const JointTable& table, const BodyTable& bodies,
                    StepMotion& motion);
  [[nodiscard]] const JointedMotion& motionOf(std::size_t body) const { return motions_[body]; }
  /// Velocities that impulses of the step do their work on, of all bodies.
  [[nodiscard]] const std::vector<BodyVelocity>& meanVelocities() const { return means_; }
  /// Of joints that took part, by index in the table; others have none.
  [[nodiscard]] std::span<const std::uint32_t> activeJoints() const { return joints_; }
  [[nodiscard]] bool tookPart(std::size_t joint) const {
    return isActive() && active_of_[joint] != kNone;
  }
  [[nodiscard]] const MechanismJoint& resultOf(std::size_t joint) const { return results_[joint]; }
  [[nodiscard]] double couplingForce(std::size_t coupling) const {
    return coupling_forces_[coupling];
  }
  /// Of an island that was moved here: energy that closing its joints gave springs [J].
  [[nodiscard]] double springCorrection(std::size_t island) const {
    return results_of_[island].springCorrection;
  }
  /// The same: energy taken from velocities by the guard against gains [J].
  [[nodiscard]] double taken(std::size_t island) const { return results_of_[island].taken; }

private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Member {
    std::uint32_t mechanism = kNone, body = kNone;
  };
  /// Where each body, joint and coupling of the tables is: its mechanism, and its index there.
  struct Places {
    std::vector<Member> bodies, joints, couplings;
  };
  /// What links bodies in this step, joints and contacts alike.
  struct Graph {
    std::vector<Link> links;
    std::vector<std::uint8_t> isDynamic;  ///< Of each body.
    LinkOrder order;
  };
  struct IslandRange {
    std::uint32_t firstBody = 0, numBodies = 0;
    std::uint32_t firstContact = 0, numContacts = 0;    ///< Into contacts_of_island_.
    std::uint32_t firstJoint = 0, numJoints = 0;        ///< Into of_island_.
    std::uint32_t firstCoupling = 0, numCouplings = 0;  ///< Into couplings_of_island_.
  };

  /// Who moves islands, one after the other.
  struct Worker {
    JointedIsland island;
    ContactSolver solver;
  };
  struct IslandResult {
    IslandReport report;
    double springCorrection = 0.0, taken = 0.0;
  };

  std::uint32_t rootOf(std::uint32_t body);
  void unite(std::uint32_t a, std::uint32_t b);
  void gather(const IslandRange& range, const StageSetting& setting, const JointTable& table,
              const BodyTable& bodies, const StepMotion& motion, JointedIsland& island);
  std::uint32_t addBody(Mechanism& mechanism, std::uint32_t body, const StageSetting& setting,
                        const BodyTable& bodies, const StepMotion& motion);
  void takeIsland(std::span<const std::uint32_t> members);
  [[nodiscard]] std::uint32_t islandOf(const StageContact& contact) const;
  void sortContacts();
  void sortJoints(const JointTable& table, const BodyTable& bodies);
  void addJoint(std::uint32_t active, const StageSetting& setting, const JointTable& table,
                const BodyTable& bodies, const StepMotion& motion, JointedIsland& island);
  void addCoupling(std::uint32_t coupling, const JointTable& table, JointedIsland& island);
  void addContacts(const IslandRange& range, const BodyTable& bodies, const StepMotion& motion,
                   JointedIsland& island);
  [[nodiscard]] std::uint32_t heldBy(std::uint32_t active, const BodyTable& bodies) const;
  void store(const IslandRange& range, const StageSetting& setting, const BodyTable& bodies,
             JointedIsland& island, StepMotion& motion);
  void solveIsland(std::size_t number, const StageSetting& setting, const JointTable& table,
                   const BodyTable& bodies, Worker& worker, Crew& crew, StepMotion& motion);
  void sumUp();

  std::vector<std::uint32_t> joints_;               ///< Indices into the table, ascending.
  std::vector<std::uint32_t> root_;                 ///< Of each body: its mechanism's, or kNone.
  std::vector<std::array<std::uint32_t, 2>> ends_;  ///< Bodies of each active joint, or kNone.
  std::vector<IslandRange> islands_;
  std::vector<std::uint32_t> members_;
  std::vector<std::uint8_t> taken_;
  std::vector<JointedMotion> motions_;
  std::vector<BodyVelocity> means_;
  std::vector<MechanismJoint> results_;
  std::vector<double> coupling_forces_;
  std::vector<std::uint32_t> of_island_;  ///< Places in joints_, by island.
  std::vector<std::uint32_t> couplings_of_island_, contacts_of_island_, island_of_, active_of_;
  Graph graph_;
  Places place_of_;
  std::vector<std::uint32_t> mechanism_of_root_;
  std::vector<Worker> workers_;
  std::vector<IslandResult> results_of_;  ///< Of each island.
  StageReport report_;
  std::size_t num_linked_ = 0;
};

}  // namespace abut::inline v0_1
