// SPDX-License-Identifier: MIT
#include <abut/ledger/ledger.hpp>

#include "math/vec3.hpp"

namespace abut {

double EnergyAccount::residual() const {
  const double change = (kineticAfter - kineticBefore) + (potentialAfter - potentialBefore);
  return change - (((((drivers + forces) + impact) + friction) + correction) + integrator);
}

double EnergyAccount::largestEntry() const {
  double largest = 0.0;
  for (const double entry : {kineticBefore, kineticAfter, potentialBefore, potentialAfter, drivers,
                             forces, impact, friction, correction, integrator}) {
    largest = maxOf(largest, absOf(entry));
  }
  return largest;
}

void EnergyAccount::append(const EnergyAccount& step) {
  kineticAfter = step.kineticAfter;
  potentialAfter = step.potentialAfter;
  drivers += step.drivers;
  forces += step.forces;
  impact += step.impact;
  friction += step.friction;
  correction += step.correction;
  integrator += step.integrator;
}

}  // namespace abut
