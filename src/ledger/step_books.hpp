// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <vector>

#include <abut/core/tasks.hpp>
#include <abut/dynamics/step_report.hpp>
#include <abut/ledger/ledger.hpp>

#include "constraints/exchange.hpp"
#include "dynamics/body_table.hpp"
#include "dynamics/division.hpp"
#include "math/exact_sum.hpp"

namespace abut::inline v0_1 {

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
  void merge(const Account& other) { sum_.merge(other.sum_); }
  [[nodiscard]] ExactSum& getSum() { return sum_; }

private:
  ExactSum sum_;
};

/// What a body that drives others had to supply; see DriverReport.
struct DriverAccount {
  std::uint32_t body = 0;
  Account work, impulse[3], moment[3];

  void begin(std::uint32_t of);  ///< Empty, of that body.
  [[nodiscard]] std::array<Account*, 7> accounts();
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
  Account elasticBefore, elasticAfter, motors, dampers, limits, jointFriction, joints, compliance;
  /// Of the report: no accounts of energy.
  Account restitutionAsked, restitutionDelivered;
  std::vector<DriverAccount> driverAccounts;  ///< By index of the body.
  /// What springs of contacts may give back in the step: what the last one left in them, and in the
  /// first whatever they hold [J]. No account; set by begin().
  double springsMayGive = 0.0;

  /// Empty books, with an account for each body that drives others.
  void begin(const BodyTable& bodies, double springs);
  /// Books what passed between two bodies. Returns the work of drivers in it [J].
  double exchange(const BodyTable& bodies, const Phase& phase, const Exchange& exchange);
  /// Books the work of a body that drives others through a joint, and the impulse and moment about
  /// its centre of mass that it gives.
  void drive(std::uint32_t body, double work, const Vec3& impulse, const Vec3& moment);
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
  /// Books what bodies of a range have after the step: the table holds the new state.
  void bodiesAfter(const BodyTable& bodies, const Vec3& gravity, std::size_t begin, std::size_t end,
                   const Division* division = nullptr);
  /// Adds what other ranks booked in the step: of bodies that are not dynamic all ranks have the
  /// same, of dynamic ones their owners get it. All ranks call it.
  void addOverRanks(std::span<const ObjectId> ids, const Division& division);
  /// Calls book(part, begin, end) for parts of [0, count), each with books of its own that are
  /// added to these: no bit depends on how entries are divided.
  template <class Book>
  void inParts(TaskRunner* tasks, std::size_t count, std::size_t grain, Book&& book);
  [[nodiscard]] EnergyAccount close() const;
  /// What each driver supplied in a step of dt [s]; whether it stalled, others know.
  void showDrivers(std::span<const ObjectId> ids, double dt,
                   std::vector<DriverReport>& reports) const;

private:
  [[nodiscard]] std::array<Account*, 20> accounts();
  DriverAccount* findDriver(std::uint32_t body);
  void addSurfacesOverRanks(std::span<const ObjectId> ids, const Division& division);
  void clearAccounts();
  /// Empty books with the same drivers.
  void beginLike(const StepBooks& other);
  void merge(const StepBooks& other);

  std::vector<StepBooks> parts_;

  double charge(const BodyFacts& facts, std::uint32_t body, const Vec3& impulse, const Vec3& moment,
                const Phase& phase);
};

template <class Book>
void StepBooks::inParts(TaskRunner* tasks, std::size_t count, std::size_t grain, Book&& book) {
  if (tasks == nullptr || count <= grain) return book(*this, std::size_t{0}, count);
  const std::size_t parts = (count + grain - 1) / grain;
  if (parts_.size() < parts) parts_.resize(parts);
  forChunks(tasks, count, grain, [&](std::size_t begin, std::size_t end) {
    StepBooks& part = parts_[begin / grain];
    part.beginLike(*this);
    book(part, begin, end);
  });
  for (std::size_t i = 0; i < parts; ++i) merge(parts_[i]);
}

/// Closes what springs of contacts hold, in a step that follows on `last`, the account of all steps
/// before; null in the first step. `givesWay`: contacts may still give way; else there are only
/// what their springs last held, which is no more, and springs of joints. What geometry makes of
/// the overlap of contacts that give way, from the end of a step to the beginning of the next, is
/// the integrator's. What springs hold at the end counts up to what there was to store: no more can
/// come back.
void carryElastic(const EnergyAccount* last, bool givesWay, EnergyAccount& account);

/// Whether a body drives others: kinematic, or with a surface that moves.
[[nodiscard]] inline bool isDriver(const BodyFacts& facts) {
  return facts.type == BodyType::Kinematic || facts.surfaceVelocity != Vec3{};
}

}  // namespace abut::inline v0_1
