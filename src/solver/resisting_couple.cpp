// SPDX-License-Identifier: MIT
#include "solver/resisting_couple.hpp"

namespace abut::inline v0_1 {

void prepareAnswer(std::span<const BodyMobility> bodies, PreparedCouple& c) {
  for (int i = 0; i < 3; ++i) {
    c.answer1[i] = bodies[c.body1].inverseInertia * c.axis[i];
    c.answer2[i] = bodies[c.body2].inverseInertia * c.axis[i];
  }
  const auto response = [&c](int i, int j) {
    return dot(c.axis[i], c.answer1[j]) + dot(c.axis[i], c.answer2[j]);
  };
  c.spinResponse = response(0, 0);
  c.rollBlock = {};
  c.rollBlock.a = 1.0;
  c.rollBlock.t11 = response(1, 1);
  c.rollBlock.t12 = response(1, 2);
  c.rollBlock.t22 = response(2, 2);
  finishBlock(c.rollBlock);
  c.response = maxOf(c.spinResponse, maxOf(c.rollBlock.t11, c.rollBlock.t22));
}

void prepareCouples(const ContactProblem& problem, std::vector<PreparedCouple>& couples) {
  couples.clear();
  for (std::uint32_t k = 0; k < problem.contacts.size(); ++k) {
    const SolverContact& source = problem.contacts[k];
    if (!(source.rollingResistance > 0.0 || source.spinningResistance > 0.0)) continue;
    PreparedCouple c;
    c.contact = k;
    c.body1 = source.body1;
    c.body2 = source.body2;
    c.axis[0] = source.normal;
    c.axis[1] = source.tangent1;
    c.axis[2] = source.tangent2;
    c.spinning = source.spinningResistance;
    c.rolling = source.rollingResistance;
    prepareAnswer(problem.bodies, c);
    couples.push_back(c);
  }
}

Vec3 limitCouple(const PreparedCouple& c, const Vec3& m, double normalImpulse) {
  const double spin = c.spinning * normalImpulse, roll = c.rolling * normalImpulse;
  const double length = std::sqrt(m.y * m.y + m.z * m.z);
  const double back = length > roll ? roll / length : 1.0;
  return {minOf(maxOf(m.x, -spin), spin), m.y * back, m.z * back};
}

Vec3 relaxCouple(const PreparedCouple& c, const Vec3& w, const Vec3& m, double normalImpulse,
                 double& alpha) {
  Vec3 next;
  if (c.spinResponse > 0.0) {
    const double limit = c.spinning * normalImpulse;
    next.x = minOf(maxOf(m.x - w.x / c.spinResponse, -limit), limit);
  }
  const double limit = c.rolling * normalImpulse;
  const double across = c.rollBlock.t11 + c.rollBlock.t22;
  if (!(limit > 0.0) || !(across > 0.0)) return next;
  // What the change of the spin adds across is left to the next visit, as a neighbour's would be.
  // A normal velocity of -1 against a response of 1 makes the "normal impulse" 1, and the friction
  // coefficient the limit.
  const Vec3 q = {-1.0, w.y - (c.rollBlock.t11 * m.y + c.rollBlock.t12 * m.z),
                  w.z - (c.rollBlock.t12 * m.y + c.rollBlock.t22 * m.z)};
  const Vec3 r = solveOneContact(c.rollBlock, q, limit, alpha);
  next.y = r.y;
  next.z = r.z;
  return next;
}

}  // namespace abut::inline v0_1
