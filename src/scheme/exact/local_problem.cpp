// SPDX-License-Identifier: MIT
#include "scheme/exact/local_problem.hpp"

#include <algorithm>

#include "scheme/exact/contact_speed.hpp"

namespace abut::inline v0_1 {

namespace {

/// The heaviest body's mass over the lightest one's; 1 if none moves.
double massRatio(const std::vector<BodyMobility>& mobility) {
  double least = 0.0, most = 0.0;
  for (const BodyMobility& m : mobility) {
    const double inverse = maxOf(maxOf(m.inverseMass.x, m.inverseMass.y), m.inverseMass.z);
    if (!(inverse > 0.0)) continue;
    least = least > 0.0 ? minOf(least, inverse) : inverse;
    most = maxOf(most, inverse);
  }
  return least > 0.0 ? most / least : 1.0;
}

}  // namespace

bool hasUnevenMasses(const std::vector<BodyMobility>& mobility) {
  constexpr double kUneven = 2e4;
  return massRatio(mobility) > kUneven;
}

/// The solver's error counts velocities in the response of the lighter body of a contact; at a mass
/// ratio k the heavier one's force is wrong by k times that. So the tolerance shrinks with the
/// ratio of the island's masses beyond 100, down to what rounding leaves.
SolverOptions tightened(SolverOptions options, const std::vector<BodyMobility>& mobility) {
  constexpr double kRounding = 4e-16, kHarmless = 100.0;
  const double ratio = massRatio(mobility);
  if (ratio > kHarmless) {
    const double wanted = options.tolerance * (kHarmless / ratio);
    options.tolerance = minOf(options.tolerance, maxOf(kRounding, wanted));
  }
  return options;
}

double LocalProblem::fastest(std::span<const BodyVelocity> of) const {
  double speed = 0.0;
  for (const SolverContact& c : contacts) {
    const auto at = [of](std::uint32_t body, const Vec3& arm) {
      return norm(of[body].linear + cross(of[body].angular, arm));
    };
    speed = maxOf(speed, at(c.body1, c.arm1) + at(c.body2, c.arm2) + norm(c.offset));
  }
  return speed;
}

double LocalProblem::momentumAt(double speed) const {
  double mass = 0.0;
  for (std::uint32_t b = 0; b < mobility.size(); ++b) {
    const BodyMobility& m = mobility[b];
    const double inverse = maxOf(maxOf(m.inverseMass.x, m.inverseMass.y), m.inverseMass.z);
    mass += inverse > 0.0 ? 1.0 / inverse : turnedMass(b);
  }
  return mass * speed;
}

double LocalProblem::turnedMass(std::uint32_t body) const {
  double most = 0.0;
  for (const SolverContact& c : contacts) {
    for (const bool isFirst : {true, false}) {
      if ((isFirst ? c.body1 : c.body2) != body) continue;
      const Vec3 lever = cross(isFirst ? c.arm1 : c.arm2, c.normal);
      const double response = dot(lever, mobility[body].inverseInertia * lever);
      if (response > 0.0) most = maxOf(most, 1.0 / response);
    }
  }
  return most;
}

bool LocalProblem::keepsBounds(double speed, double share) const {
  for (const SolverContact& c : contacts) {
    const auto answer = [&](std::uint32_t body, const Vec3& arm) {
      const BodyMobility& m = mobility[body];
      return dot(c.normal, scaled(m.inverseMass, c.normal)) +
             dot(cross(arm, c.normal), m.inverseInertia * cross(arm, c.normal));
    };
    if (!(answer(c.body1, c.arm1) + answer(c.body2, c.arm2) > 0.0)) continue;
    if (normalVelocity(c, velocities) < c.bound - share * maxOf(speed, absOf(c.bound))) {
      return false;
    }
  }
  return true;
}

void LocalProblem::gather(const BodyTable& table, const ExactContacts& all, const Island& island) {
  bodies.clear();
  contacts.clear();
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = all.at(island, k);
    bodies.push_back(c.body1);
    bodies.push_back(c.body2);
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  mobility.resize(bodies.size());
  velocities.resize(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) mobility[i] = table.mobility[bodies[i]];
  const auto place = [this](std::uint32_t body) {
    return static_cast<std::uint32_t>(std::lower_bound(bodies.begin(), bodies.end(), body) -
                                      bodies.begin());
  };
  for (std::uint32_t k = 0; k < island.numContacts; ++k) {
    const StepContact& c = all.at(island, k);
    contacts.push_back(c.row);
    contacts.back().body1 = place(c.body1);
    contacts.back().body2 = place(c.body2);
  }
  impulses.assign(contacts.size(), Vec3{});
  bool resists = false;
  for (const SolverContact& c : contacts) {
    resists = resists || c.rollingResistance > 0.0 || c.spinningResistance > 0.0;
  }
  couples.assign(resists ? contacts.size() : 0, Vec3{});
}

}  // namespace abut::inline v0_1
