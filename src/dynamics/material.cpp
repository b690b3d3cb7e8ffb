// SPDX-License-Identifier: MIT
#include <cmath>
#include <span>
#include <string>

#include <abut/dynamics/material.hpp>

#include "core/check.hpp"
#include "math/vec3.hpp"

namespace abut {
namespace {

struct Range {
  const char* name;
  double value, min, max;
};

Status checkRanges(const char* what, std::span<const Range> ranges) {
  for (const Range& r : ranges) {
    if (r.value >= r.min && r.value <= r.max) continue;
    return Status::failure(isFinite(r.value) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           std::string(what) + "::" + r.name + ": expected a number from " +
                               toText(r.min) + " to " + toText(r.max) + ", got " + toText(r.value));
  }
  return {};
}

// Resistances are refused until the solver honours them: ignoring them in silence would be worse.
constexpr double kMaxFriction = 1e6, kMaxArm = 0.0, kMinDensity = 1e-9, kMaxDensity = 1e12;

}  // namespace

Status MaterialTable::add(const Material& m, MaterialId& id) {
  const Range ranges[] = {{"friction", m.friction, 0.0, kMaxFriction},
                          {"restitution", m.restitution, 0.0, 1.0},
                          {"rollingResistance", m.rollingResistance, 0.0, kMaxArm},
                          {"spinningResistance", m.spinningResistance, 0.0, kMaxArm},
                          {"density", m.density, kMinDensity, kMaxDensity}};
  Status status = checkRanges("Material", ranges);
  if (!status) return status;
  id = static_cast<MaterialId>(materials_.size());
  materials_.push_back(m);
  return {};
}

Status MaterialTable::setPair(MaterialId a, MaterialId b, const PairMaterial& m) {
  if (!contains(a) || !contains(b)) {
    return Status::failure(StatusCode::UnknownObject, "MaterialTable::setPair: no material " +
                                                          std::to_string(contains(a) ? b : a) +
                                                          "; there are " + std::to_string(size()));
  }
  const Range ranges[] = {{"friction", m.friction, 0.0, kMaxFriction},
                          {"restitution", m.restitution, 0.0, 1.0},
                          {"rollingResistance", m.rollingResistance, 0.0, kMaxArm},
                          {"spinningResistance", m.spinningResistance, 0.0, kMaxArm}};
  Status status = checkRanges("PairMaterial", ranges);
  if (!status) return status;
  pairs_[a < b ? std::pair(a, b) : std::pair(b, a)] = m;
  return {};
}

PairMaterial MaterialTable::between(MaterialId a, MaterialId b) const {
  if (!pairs_.empty()) {
    const auto found = pairs_.find(a < b ? std::pair(a, b) : std::pair(b, a));
    if (found != pairs_.end()) return found->second;
  }
  const Material &m = materials_[a], &n = materials_[b];
  // Equal factors give the factor itself, not the root of its rounded square.
  const auto mean = [](double x, double y) { return x == y ? x : std::sqrt(x * y); };
  return {mean(m.friction, n.friction), maxOf(m.restitution, n.restitution),
          mean(m.rollingResistance, n.rollingResistance),
          mean(m.spinningResistance, n.spinningResistance)};
}

}  // namespace abut
