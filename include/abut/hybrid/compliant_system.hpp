// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include <Eigen/Core>

#include <abut/dynamics/body.hpp>
#include <abut/events/contact_event_tracker.hpp>
#include <abut/hybrid/hybrid_record.hpp>
#include <abut/hybrid/hybrid_system.hpp>

namespace abut::inline v0_1 {

class World;

enum class FrictionLaw : std::uint8_t {
  /// Coulomb's force, reduced below frictionVelocity: contacts at rest creep.
  Regularised,
  /// A contact at one point whose slip falls below frictionVelocity sticks (an event): a damped
  /// tangential spring holds it until the force leaves Coulomb's cone (an event). Contacts at
  /// several points are regularised.
  StickEvents,
};

struct CompliantOptions {
  ContactEventOptions events{.nzMax = 100};
  FrictionLaw frictionLaw = FrictionLaw::Regularised;
  double frictionVelocity = 1e-3;  ///< Slip with full friction [m/s], > 0.
  double rollingVelocity = 1e-2;   ///< Angular velocity with full rolling resistance [rad/s], > 0.
  /// Contacts that close more slowly [m/s] are damped as if they closed at this speed, > 0.
  double slowestImpact = 1e-3;
  /// Radius of curvature [m] that counts where surfaces are flatter, and at corners and edges;
  /// 0: the smaller bounding radius of the pair.
  double largestRadius = 0.0;
  /// Four root functions for all contacts together in place of three for each.
  bool aggregateRoots = false;
};

/// At the last evaluation.
using CompliantForce = HybridContact;

struct CompliantEnergy {
  double kinetic = 0.0;    ///< [J]
  double potential = 0.0;  ///< In the world's gravity [J].
  double elastic = 0.0;    ///< Stored in contacts [J].
};

/// The bodies of a world with compliant contacts: smooth forces, for integrators with error
/// control.
///
/// Normal force at each point of contact: f = c d^1.5 (1 + k d'/v0), never less than 0, with
/// Hertz's c from the materials' Young's moduli and Poisson's ratios and the curvatures at first
/// touch, and k and v0 such that a free impact has the material's restitution (see
/// contact_laws.hpp). c, k and v0 stay the same while a contact lasts. Friction and resistances
/// follow the material pair.
///
/// State: for each dynamic body by id its centre of mass [m], orientation quaternion w, x, y, z
/// (normalised when read), linear velocity [m/s] and angular velocity [rad/s], world frame: 13
/// numbers. Kinematic bodies move on at their constant velocities; static ones stand.
///
/// Roots: nzMax distances of the tracker; nzMax signs of contact forces; nzMax stick and slip
/// conditions; or the four aggregates. Equal input gives equal bits on every machine.
class CompliantSystem final : public HybridSystem {
public:
  /// Takes bodies, materials, gravity and time from a world, which may change or end afterwards.
  /// Throws abut::Error for bad options, and for a body that follows a path.
  explicit CompliantSystem(const World& world, const CompliantOptions& options = {});
  ~CompliantSystem() override;

  /// A force at the centre of mass [N] and a torque [N m], world frame, from now on; replaces the
  /// last one. Restart the integrator after a change. Fails with UnknownObject or NonFinite.
  Status setForce(ObjectId id, const Eigen::Vector3d& force, const Eigen::Vector3d& torque);

  [[nodiscard]] std::size_t numStates() const override;
  [[nodiscard]] std::size_t numRoots() const override;
  [[nodiscard]] double getStartTime() const override;
  void getState(std::span<double> y) const override;
  Status initialize(double time, std::span<const double> y) override;
  Status computeDerivatives(double time, std::span<const double> y,
                            std::span<double> derivatives) override;
  Status computeRoots(double time, std::span<const double> y, std::span<double> roots) override;
  Status handleEvent(double time, std::span<double> y, std::vector<HybridEvent>& events) override;
  [[nodiscard]] ObjectPair getRootPair(std::size_t root) const override;
  /// What moves the fastest moves by a quarter of the smallest bounding radius.
  [[nodiscard]] double longestStep(double time, std::span<const double> y) const override;

  /// Of a body at (t, y). Fails with UnknownObject.
  Status getMotion(double time, std::span<const double> y, ObjectId id, BodyMotion& motion) const;
  /// At (t, y) with the present contacts.
  Status computeEnergy(double time, std::span<const double> y, CompliantEnergy& energy);
  /// Of the last computeDerivatives(), with the next of which the view ends; sorted by pair, then
  /// deepest first.
  [[nodiscard]] std::span<const CompliantForce> getForces() const;
  [[nodiscard]] const ContactEventTracker& getTracker() const;
  /// Puts the bodies of the world (the same, or one like it) where y has them.
  Status store(double time, std::span<const double> y, World& world) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut::inline v0_1
