// SPDX-License-Identifier: MIT
#include <cmath>
#include <span>
#include <string>

#include <abut/core/float_environment.hpp>
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

constexpr double kMaxFriction = 1e6, kMaxArm = 1e6, kMinDensity = 1e-9, kMaxDensity = 1e12;
constexpr double kMinModulus = 1.0, kMaxModulus = 1e15, kMaxPoissonsRatio = 0.5;

}  // namespace

Status MaterialTable::add(const Material& m, MaterialId& id) {
  const Range ranges[] = {{"friction", m.friction, 0.0, kMaxFriction},
                          {"restitution", m.restitution, 0.0, 1.0},
                          {"rollingResistance", m.rollingResistance, 0.0, kMaxArm},
                          {"spinningResistance", m.spinningResistance, 0.0, kMaxArm},
                          {"density", m.density, kMinDensity, kMaxDensity},
                          {"youngsModulus", m.youngsModulus, kMinModulus, kMaxModulus},
                          {"poissonsRatio", m.poissonsRatio, 0.0, kMaxPoissonsRatio}};
  Status status = checkRanges("Material", ranges);
  if (!status) return status;
  id = static_cast<MaterialId>(materials_.size());
  materials_.push_back(m);
  has_resistance_ = has_resistance_ || m.rollingResistance > 0.0 || m.spinningResistance > 0.0;
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
  has_resistance_ = has_resistance_ || m.rollingResistance > 0.0 || m.spinningResistance > 0.0;
  return {};
}

PairMaterial MaterialTable::between(MaterialId a, MaterialId b) const {
  const FloatEnvironment environment;
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
