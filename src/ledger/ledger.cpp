// SPDX-License-Identifier: MIT
#include <abut/ledger/ledger.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

double EnergyAccount::residual() const {
  const double change = (kineticAfter - kineticBefore) + (potentialAfter - potentialBefore);
  const double bodies = ((((drivers + forces) + impact) + friction) + correction) + integrator;
  const double own = ((((motors + dampers) + limits) + jointFriction) + joints) + compliance;
  return (change + (elasticAfter - elasticBefore)) - (bodies + own);
}

double EnergyAccount::largestEntry() const {
  double largest = 0.0;
  for (const double entry :
       {kineticBefore, kineticAfter, potentialBefore, potentialAfter, drivers, forces, impact,
        friction, correction, integrator, elasticBefore, elasticAfter, motors, dampers, limits,
        jointFriction, joints, compliance}) {
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
  elasticAfter = step.elasticAfter;
  motors += step.motors;
  dampers += step.dampers;
  limits += step.limits;
  jointFriction += step.jointFriction;
  joints += step.joints;
  compliance += step.compliance;
}

}  // namespace abut::inline v0_1
