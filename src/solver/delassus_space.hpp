// SPDX-License-Identifier: MIT
#pragma once

#include <abut/solver/contact_solver.hpp>

#include "solver/contact_space.hpp"

namespace abut::inline v0_1 {

/// Contacts given by their Delassus matrix: the state is the velocity at each contact, u = W r + q;
/// the matrix of a Newton step I + W K, on the graph of the contacts.
class DelassusSpace final : public ContactSpace {
public:
  /// Keeps a view of the problem.
  void begin(const DelassusProblem& problem);

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

  /// (W r + q) at one contact.
  [[nodiscard]] Vec3 velocityOf(std::size_t contact, std::span<const Vec3> r) const;
  /// Response of a contact to its own impulse, symmetrised; see ContactBlock.
  [[nodiscard]] const ContactBlock& blockOf(std::size_t contact) const { return blocks_[contact]; }

private:
  DelassusProblem problem_;
  std::vector<ContactBlock> blocks_;
  std::vector<std::size_t> block_at_;  // Of each block of W.
  mutable std::vector<Vec3> scratch_;
};

}  // namespace abut::inline v0_1
