// SPDX-License-Identifier: MIT
#include "solver/prepared_contacts.hpp"

namespace abut::inline v0_1 {
namespace {

void prepareSide(std::uint32_t body, const BodyMobility& mobility, const Vec3 (&axis)[3],
                 const Vec3& arm, PreparedContact::Side& side) {
  side.body = body;
  side.reach = norm(arm);
  for (int i = 0; i < 3; ++i) {
    side.lever[i] = cross(arm, axis[i]);
    side.linear[i] = scaled(mobility.inverseMass, axis[i]);
    side.angular[i] = mobility.inverseInertia * side.lever[i];
  }
}

}  // namespace

void prepareContact(const ContactProblem& problem, std::size_t index, PreparedContact& c) {
  const SolverContact& source = problem.contacts[index];
  c.axis[0] = source.normal;
  c.axis[1] = source.tangent1;
  c.axis[2] = source.tangent2;
  prepareSide(source.body1, problem.bodies[source.body1], c.axis, source.arm1, c.side1);
  prepareSide(source.body2, problem.bodies[source.body2], c.axis, source.arm2, c.side2);
  c.offset = {dot(c.axis[0], source.offset) - source.bound, dot(c.axis[1], source.offset),
              dot(c.axis[2], source.offset)};
  c.friction = source.friction;
  const auto response = [&c](int i, int j) {
    return (dot(c.axis[i], c.side1.linear[j]) + dot(c.side1.lever[i], c.side1.angular[j])) +
           (dot(c.axis[i], c.side2.linear[j]) + dot(c.side2.lever[i], c.side2.angular[j]));
  };
  c.block = {};
  c.block.a = response(0, 0);
  c.block.b1 = response(1, 0);
  c.block.b2 = response(2, 0);
  c.block.t11 = response(1, 1);
  c.block.t12 = response(1, 2);
  c.block.t22 = response(2, 2);
  finishBlock(c.block);
}

void prepareContacts(const ContactProblem& problem, std::vector<PreparedContact>& contacts) {
  contacts.resize(problem.contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) prepareContact(problem, k, contacts[k]);
}

}  // namespace abut::inline v0_1
