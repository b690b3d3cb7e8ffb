// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <abut/core/float_environment.hpp>
#include <abut/dynamics/material_fields.hpp>

#include "core/check.hpp"
#include "core/guard.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {
namespace {

/// Of a material or what holds between two.
constexpr auto doesResist = [](const auto& m) {
  return m.rollingResistance > 0.0 || m.spinningResistance > 0.0;
};
constexpr auto doesGiveWay = [](const auto& m) { return m.stiffness > 0.0; };

template <typename Materials, typename Pairs, typename Does>
bool anyOf(const Materials& materials, const Pairs& pairs, Does does) {
  return std::any_of(materials.begin(), materials.end(), does) ||
         std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) { return does(p.second); });
}

template <typename AnyMaterial>
Status checkFields(const std::string& what, const AnyMaterial& material) {
  Status status;
  forEachField(material, [&](const OptionInfo& info, double value) {
    if (!status || (value >= info.min && value <= info.max)) return;
    status = Status::failure(isFinite(value) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                             what + "::" + std::string(info.name) + ": expected a number from " +
                                 toText(info.min) + " to " + toText(info.max) + ", got " +
                                 toText(value));
  });
  return status;
}

/// Stiffness of two surfaces that give way one after the other [N/m]; 0 stands for rigid ones.
double inSeries(double k, double l) {
  if (!(k > 0.0)) return l;
  if (!(l > 0.0)) return k;
  return k == l ? 0.5 * k : k * (l / (k + l));
}

double meanDissipation(const Material& m, const Material& n) {
  if (!(n.stiffness > 0.0)) return m.stiffness > 0.0 ? m.dissipation : 0.0;
  if (!(m.stiffness > 0.0) || m.dissipation == n.dissipation) return n.dissipation;
  // Each gives way by the inverse of its stiffness.
  const double share = n.stiffness / (m.stiffness + n.stiffness);
  return m.dissipation * share + n.dissipation * (1.0 - share);
}

}  // namespace

void MaterialTable::throwUnknown(MaterialId id) const {
  throw Error(StatusCode::UnknownObject, "MaterialTable: no material " + std::to_string(id) +
                                             "; there are " + std::to_string(size()));
}

MaterialId MaterialTable::add(const Material& material) {
  MaterialId id = 0;
  add(material, id).orThrow();
  return id;
}

Status MaterialTable::add(const Material& m, MaterialId& id) try {
  Status status = checkFields("Material", m);
  if (!status) return status;
  if (materials_.size() > std::numeric_limits<MaterialId>::max()) {
    return Status::failure(StatusCode::LimitExceeded, "MaterialTable::add: 2^32 materials at most");
  }
  materials_.push_back(m);
  id = static_cast<MaterialId>(materials_.size() - 1);
  recall(doesResist(m), doesGiveWay(m));
  return {};
} catch (...) {
  return statusOfException();
}

Status MaterialTable::setPair(MaterialId a, MaterialId b, const PairMaterial& m) try {
  if (!contains(a) || !contains(b)) {
    return Status::failure(StatusCode::UnknownObject, "MaterialTable::setPair: no material " +
                                                          std::to_string(contains(a) ? b : a) +
                                                          "; there are " + std::to_string(size()));
  }
  Status status = checkFields("PairMaterial", m);
  if (!status) return status;
  pairs_[a < b ? std::pair(a, b) : std::pair(b, a)] = m;
  recall(doesResist(m), doesGiveWay(m));
  return {};
} catch (...) {
  return statusOfException();
}

bool MaterialTable::resists() const {
  return has_resistance_ && anyOf(materials_, pairs_, doesResist);
}

bool MaterialTable::givesWay() const {
  return has_stiffness_ && anyOf(materials_, pairs_, doesGiveWay);
}

PairMaterial MaterialTable::between(MaterialId a, MaterialId b) const {
  const FloatEnvironment environment;
  if (!pairs_.empty()) {
    const auto found = pairs_.find(a < b ? std::pair(a, b) : std::pair(b, a));
    if (found != pairs_.end()) return found->second;
  }
  const Material &m = get(a), &n = get(b);
  // Equal factors give the factor itself, not the root of its rounded square.
  const auto mean = [](double x, double y) { return x == y ? x : std::sqrt(x * y); };
  return {mean(m.friction, n.friction),
          maxOf(m.restitution, n.restitution),
          mean(m.rollingResistance, n.rollingResistance),
          mean(m.spinningResistance, n.spinningResistance),
          inSeries(m.stiffness, n.stiffness),
          meanDissipation(m, n)};
}

}  // namespace abut::inline v0_1
