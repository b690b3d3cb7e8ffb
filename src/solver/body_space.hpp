// SPDX-License-Identifier: MIT
#pragma once

#include "solver/contact_space.hpp"

namespace abut::inline v0_1 {

/// Contacts among rigid bodies: the state is the velocity of each mobile body, six numbers; the
/// matrix of a Newton step M + sum over contacts of J^T K J, on the graph of the bodies.
class BodySpace final : public ContactSpace {
public:
  /// Keeps views of bodies, contacts and couples, and what `free` says of velocities without
  /// contacts.
  void begin(std::span<const BodyMobility> bodies, std::span<const PreparedContact> contacts,
             std::span<const PreparedCouple> couples, std::span<const BodyVelocity> free);

  void prepare() override;
  void stateOf(std::span<const Vec3> r, std::vector<double>& s) override;
  void velocitiesAt(std::span<const double> s, std::span<Vec3> u) const override;
  void changesAt(std::span<const double> ds, std::span<Vec3> du) const override;
  void defectOf(std::span<const double> s, std::span<const Vec3> r,
                std::vector<double>& d) const override;
  void addImpulses(std::span<const Vec3> r, std::vector<double>& d) const override;
  [[nodiscard]] double squareOf(std::span<const double> d) const override;
  void speedsAt(std::span<const double> s, std::span<const Vec3> r,
                std::span<double> speeds) const override;
  bool factorise(std::span<const ContactGain> gains) override;
  void apply(std::span<const ContactGain> gains, std::span<const double> x,
             std::vector<double>& out) const override;

  /// Velocities of all bodies in a state.
  void velocitiesOf(std::span<const double> s, std::span<BodyVelocity> velocities) const;
  /// Of a body, along the axes [1/kg].
  [[nodiscard]] double largestInverseMass(std::size_t body) const {
    const Vec3& m = mobility_[body].inverseMass;
    return maxOf(maxOf(m.x, m.y), m.z);
  }

private:
  /// Mass matrix of a body; locked axes carry a 1 and no lever.
  struct Body {
    Vec3 mass;
    Mat3 inertia;
    Vec3 freeLinear, freeAngular;  // 1 or 0 for each axis.
    BodyMobility mobility;
  };
  /// The rows of a contact's Jacobian for one body, and from the fourth on the couple's.
  struct Rows {
    std::uint32_t place;
    double row[6][6];
  };

  [[nodiscard]] BodyVelocity givenOf(std::uint32_t body) const;
  void setRows(std::size_t k);
  void setRow(const PreparedContact::Side& side, const Vec3 (&axis)[3], double sign, int count,
              Rows& rows) const;
  void addBlock(const Rows& a, const Rows& b, const ContactGain& gain, int numRows, double* to);

  std::span<const PreparedContact> prepared_;
  std::span<const BodyMobility> mobility_;
  std::span<const BodyVelocity> free_;
  std::vector<Body> bodies_;  // Mobile ones.
  std::vector<std::uint32_t> place_, body_at_;
  std::vector<Rows> rows_;  // Two for each contact.
  std::vector<Vec3> base_;  // Velocities that do not depend on the state, of all vectors.
  std::vector<std::size_t> block_at_;  // Four for each contact.
};

}  // namespace abut::inline v0_1
