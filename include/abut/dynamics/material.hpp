// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// How a surface rubs and bounces, and what it weighs.
struct Material {
  double friction = 0.5;     ///< Coulomb's coefficient, >= 0.
  double restitution = 0.0;  ///< Speed after over speed before a normal impact, 0 to 1.
  /// Arm of the couple against rolling [m]: it is at most this times the normal force.
  double rollingResistance = 0.0;
  double spinningResistance = 0.0;  ///< The same against spinning about the normal [m].
  double density = 1000.0;          ///< [kg/m^3], > 0.
  double youngsModulus = 1e9;       ///< [Pa], > 0; for compliant contact.
  double poissonsRatio = 0.3;       ///< 0 to 0.5; for compliant contact.
  /// Of a surface that gives way in steps of fixed length [N/m], at each point of a contact: a box
  /// on its face has four. 0: rigid. Surfaces that give way do not bounce by their restitution:
  /// springs throw back, and dissipation takes from that.
  double stiffness = 0.0;
  /// Of such a surface [s]: it resists with stiffness (depth + dissipation * closing speed).
  double dissipation = 0.0;
};

/// What counts between two surfaces.
struct PairMaterial {
  double friction = 0.5;
  double restitution = 0.0;
  double rollingResistance = 0.0;
  double spinningResistance = 0.0;
  double stiffness = 0.0;    ///< [N/m]; 0: rigid.
  double dissipation = 0.0;  ///< [s]
};

using MaterialId = std::uint32_t;

/// Materials by number, and exceptions for pairs of them. Material 0 always exists. What is in a
/// table stays in it: bodies of a world refer to it, so a table can be copied but not assigned.
class MaterialTable {
public:
  MaterialTable() = default;
  MaterialTable(const MaterialTable&) = default;
  ~MaterialTable() = default;

  /// Fails with OutOfRange or NonFinite, naming the field; `id` is then unchanged.
  Status add(const Material& material, MaterialId& id);
  /// The same; throws abut::Error on failure and returns the id.
  MaterialId add(const Material& material);
  /// What holds between two materials from now on, whatever their own numbers say.
  Status setPair(MaterialId a, MaterialId b, const PairMaterial& pair);

  [[nodiscard]] bool contains(MaterialId id) const { return id < materials_.size(); }
  /// Throws abut::Error(UnknownObject) unless contains(id), as between() does.
  [[nodiscard]] const Material& get(MaterialId id) const {
    if (!contains(id)) throwUnknown(id);
    return materials_[id];
  }
  [[nodiscard]] std::size_t size() const { return materials_.size(); }

  /// The pair's own entry if there is one; else friction and resistances are geometric means,
  /// restitution is the greater, and surfaces give way one after the other: 1 / k = 1 / k1 + 1 /
  /// k2, with the mean of the dissipations, each weighted by how much its surface gives way.
  [[nodiscard]] PairMaterial between(MaterialId a, MaterialId b) const;
  /// The entries made by setPair(), smaller id first, sorted.
  [[nodiscard]] const std::map<std::pair<MaterialId, MaterialId>, PairMaterial>& getPairs() const {
    return pairs_;
  }

  /// True once a material or pair with a rolling or spinning resistance was given.
  [[nodiscard]] bool hasResistance() const { return has_resistance_; }
  /// True once a material or pair with a stiffness was given.
  [[nodiscard]] bool hasStiffness() const { return has_stiffness_; }
  /// Whether one resists or has a stiffness now; linear in their number once one did.
  [[nodiscard]] bool resists() const;
  [[nodiscard]] bool givesWay() const;

protected:
  /// Without material 0, to be swapped with another.
  struct Nothing {};
  explicit MaterialTable(Nothing) noexcept : materials_() {}
  MaterialTable& operator=(const MaterialTable&) = default;
  void swap(MaterialTable& other) noexcept {
    materials_.swap(other.materials_);
    pairs_.swap(other.pairs_);
    std::swap(has_resistance_, other.has_resistance_);
    std::swap(has_stiffness_, other.has_stiffness_);
  }
  /// That such a material or pair was given, although its entry says otherwise by now.
  void recall(bool resistance, bool stiffness) {
    has_resistance_ = has_resistance_ || resistance;
    has_stiffness_ = has_stiffness_ || stiffness;
  }

private:
  [[noreturn]] void throwUnknown(MaterialId id) const;

  std::vector<Material> materials_ = std::vector<Material>(1);
  std::map<std::pair<MaterialId, MaterialId>, PairMaterial> pairs_;  // Smaller id first.
  bool has_resistance_ = false, has_stiffness_ = false;
};

}  // namespace abut::inline v0_1
