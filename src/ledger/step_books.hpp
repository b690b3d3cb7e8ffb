// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/ledger/ledger.hpp>

#include "constraints/exchange.hpp"
#include "dynamics/body_table.hpp"
#include "math/exact_sum.hpp"

namespace abut {

/// One account of a step. Its entries are summed without rounding, so that neither their order nor
/// how they are divided changes a bit.
class Account {
public:
  Account& operator+=(double entry) {
    sum_.add(entry);
    return *this;
  }
  Account& operator-=(double entry) { return *this += -entry; }
  [[nodiscard]] double value() const { return sum_.value(); }
  void clear() { sum_.clear(); }

private:
  ExactSum sum_;
};

/// What a body that drives others had to supply; see DriverReport.
struct DriverAccount {
  std::uint32_t body = 0;
  Account work, impulse[3], moment[3];
};

/// The velocities of all bodies at the beginning and at the end of a phase of the step. Impulses
/// do their work on the mean of the two, exactly.
struct Phase {
  std::span<const BodyVelocity> start, end;
};

/// The books of the step that is being made: every change of energy under its name. Accounts as in
/// EnergyAccount.
struct StepBooks {
  Account kineticBefore, kineticAfter, potentialBefore, potentialAfter;
  Account drivers, forces, impact, friction, correction, integrator;
  std::vector<DriverAccount> driverAccounts;  ///< By index of the body.

  /// Empty books, with an account for each body that drives others.
  void begin(const BodyTable& bodies);
  /// Books what passed between two bodies. Returns the work of drivers in it [J].
  double exchange(const BodyTable& bodies, const Phase& phase, const Exchange& exchange);
  /// Books what a body had before the step. False if nothing more is to be booked of it.
  bool bodyBefore(const BodyTable& bodies, std::size_t i, const Vec3& gravity,
                  const BodyVelocity& before);
  /// Books the work of forces on a body's way and turn, and that of gravity where it did not go
  /// that way. Contacts and forces left it with the angular velocity w in that orientation.
  void bodyOnWay(const BodyTable& bodies, std::size_t i, const Vec3& gravity, const Vec3& way,
                 const Vec3& turn, const Quat& orientation, const Vec3& w, const Vec3& newPosition);
  /// The same for a body that contacts and forces acted on in a phase, under its old orientation;
  /// free rotation leads from `impacted` to its start, or from its end to the new state.
  void bodyInPhase(const BodyTable& bodies, std::size_t i, const Vec3& gravity, double dt,
                   const BodyVelocity& impacted, const Phase& phase, const Vec3& newPosition);
  /// Books what bodies have after the step: the table holds the new state.
  void bodiesAfter(const BodyTable& bodies, const Vec3& gravity);
  [[nodiscard]] EnergyAccount close() const;

private:
  double charge(const BodyFacts& facts, std::uint32_t body, const Vec3& impulse, const Vec3& moment,
                const Phase& phase);
};

/// Whether a body drives others: kinematic, or with a surface that moves.
[[nodiscard]] inline bool isDriver(const BodyFacts& facts) {
  return facts.type == BodyType::Kinematic || facts.surfaceVelocity != Vec3{};
}

}  // namespace abut
