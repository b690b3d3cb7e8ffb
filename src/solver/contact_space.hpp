// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/allowance.hpp"
#include "solver/block_lu.hpp"

namespace abut::inline v0_1 {

/// What the laws of a contact need to know of it.
struct ContactTerms {
  double friction = 0.0;
  double response = 0.0;  ///< Of the normal velocity to the normal impulse; 0: nothing gives way.
  double mean = 0.0;      ///< Mean response of the three directions.
};

/// The same of the couple at a contact; see PreparedCouple.
struct CoupleTerms {
  std::uint32_t contact = 0;
  double spinning = 0.0, rolling = 0.0;
  double response = 0.0;
};

/// How the impulse and the couple of a contact answer a change of its velocities:
///   dr = -K du, row by row: the normal by itself, the others by themselves and by the normal.
struct ContactGain {
  double normal = 0.0;
  DiskDerivative slide, roll;  ///< byNormal: by the normal velocity.
  double spin = 0.0, spinByNormal = 0.0;
  /// The normal impulse answers slip as friction answers the normal velocity, which no law of
  /// friction does but its convex neighbour (Equilibrium).
  bool isSymmetric = false;
};

/// A contact problem as Newton's method sees it: impulses r of the contacts, then the couples, and
/// a state s that follows from them linearly, s = s0 + (response of the state to impulses) r. It is
/// the velocities of bodies, or those of the contacts. All linear algebra is behind this interface.
///
/// Equal input gives equal bits: sums run in the order of contacts.
class ContactSpace {
public:
  virtual ~ContactSpace() = default;

  std::vector<ContactTerms> contacts;
  std::vector<CoupleTerms> couples;
  TaskRunner* tasks = nullptr;  ///< Of factorisations.
  bool rough = false;           ///< Factorise in single precision, where the space can.

  [[nodiscard]] std::size_t numVectors() const { return contacts.size() + couples.size(); }

  /// Symbolic work; to be called before what follows.
  virtual void prepare() = 0;
  /// Multiplications of one factorisation, about.
  [[nodiscard]] double stepCost() const { return lu_.cost(); }

  /// The state that belongs to impulses.
  virtual void stateOf(std::span<const Vec3> r, std::vector<double>& s) = 0;
  /// Velocities at the contacts, less bounds, and turning at the couples.
  virtual void velocitiesAt(std::span<const double> s, std::span<Vec3> u) const = 0;
  /// Their changes for a change of the state.
  virtual void changesAt(std::span<const double> ds, std::span<Vec3> du) const = 0;
  /// What state and impulses miss of belonging together, as the right side of a Newton step.
  virtual void defectOf(std::span<const double> s, std::span<const Vec3> r,
                        std::vector<double>& d) const = 0;
  /// Adds to a right side what impulses do.
  virtual void addImpulses(std::span<const Vec3> r, std::vector<double>& d) const = 0;
  /// Square of a right side in the norm of the energy.
  [[nodiscard]] virtual double squareOf(std::span<const double> d) const = 0;
  /// Size of the terms that each contact's velocity is a sum of.
  virtual void speedsAt(std::span<const double> s, std::span<const Vec3> r,
                        std::span<double> speeds) const = 0;

  /// Factorises the matrix of a Newton step, with the contacts' answers in it.
  virtual bool factorise(std::span<const ContactGain> gains) = 0;
  /// Solves with it, in place.
  void solve(std::vector<double>& x) { lu_.solve(x); }
  /// Solves with it for a right side, which is lost, and so many times for what is missing then.
  /// Where factors are rough and that does not bring the answer much nearer, they are made again in
  /// double precision, and from then on. False if there are none.
  bool solveRefined(std::span<const ContactGain> gains, std::vector<double>& right, int times,
                    std::vector<double>& x);
  /// That matrix times x.
  virtual void apply(std::span<const ContactGain> gains, std::span<const double> x,
                     std::vector<double>& out) const = 0;

  /// Number among all of the couple of a contact; those of contacts without one are kNoCouple.
  static constexpr std::uint32_t kNoCouple = 0xffffffffu;
  std::vector<std::uint32_t> coupleOf;
  void findCouples() {
    coupleOf.assign(contacts.size(), kNoCouple);
    for (std::uint32_t i = 0; i < couples.size(); ++i) coupleOf[couples[i].contact] = i;
  }

protected:
  /// Factors on the graph of what the state is made of: unknowns of its nodes, and who touches
  /// whom.
  BlockLu lu_;
  std::vector<std::uint8_t> sizes_;
  std::vector<BlockLu::Edge> edges_;

private:
  std::vector<double> added_, product_;
};

inline bool ContactSpace::solveRefined(std::span<const ContactGain> gains,
                                       std::vector<double>& right, int times,
                                       std::vector<double>& x) {
  // A time leaves at most this of a right side, in the norm of the energy, squared: so that a
  // second one brings it to a thousandth, with which Newton's method loses no step. Where rough
  // factors do, they leave 1e-6.
  constexpr double kNearer = 1e-3;
  double square = rough ? squareOf(right) : 0.0;
  x = right;
  solve(x);
  if (times > 0) added_ = x;
  for (int i = 0; i < times; ++i) {
    apply(gains, added_, product_);
    for (std::size_t k = 0; k < right.size(); ++k) right[k] -= product_[k];
    if (rough) {
      const double left = squareOf(right);
      if (!(left <= kNearer * square)) {
        rough = false;
        if (!factorise(gains)) return false;
      }
      square = left;
    }
    added_ = right;
    solve(added_);
    for (std::size_t k = 0; k < right.size(); ++k) x[k] += added_[k];
  }
  return true;
}

/// K times a contact's velocities.
inline Vec3 gainTimes(const ContactGain& k, const Vec3& u) {
  const double bySlip = k.isSymmetric ? k.slide.byNormal1 * u.y + k.slide.byNormal2 * u.z : 0.0;
  return {k.normal * u.x + bySlip,
          k.slide.byNormal1 * u.x + (k.slide.d11 * u.y + k.slide.d12 * u.z),
          k.slide.byNormal2 * u.x + (k.slide.d12 * u.y + k.slide.d22 * u.z)};
}

/// The couple's part of it, from the normal velocity and the turning.
inline Vec3 gainTimes(const ContactGain& k, double normal, const Vec3& w) {
  return {k.spinByNormal * normal + k.spin * w.x,
          k.roll.byNormal1 * normal + (k.roll.d11 * w.y + k.roll.d12 * w.z),
          k.roll.byNormal2 * normal + (k.roll.d12 * w.y + k.roll.d22 * w.z)};
}

/// The nearest couple that a normal impulse allows.
inline Vec3 limitCouple(const CoupleTerms& c, const Vec3& m, double normalImpulse) {
  const double spin = c.spinning * normalImpulse, roll = c.rolling * normalImpulse;
  const double length = std::sqrt(m.y * m.y + m.z * m.z);
  const double back = length > roll ? roll / length : 1.0;
  return {minOf(maxOf(m.x, -spin), spin), m.y * back, m.z * back};
}

}  // namespace abut::inline v0_1
