// SPDX-License-Identifier: MIT
// Problems that sweeps alone do not solve: corners that land at unequal gaps, bodies wedged between
// contacts that contradict each other a little, resistances.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/solver/contact_solver.hpp>

#include "math/pose.hpp"
#include "support/allocations.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

constexpr double kFall = 9.81 / 60;

struct Hard {
  std::vector<BodyMobility> bodies;
  std::vector<BodyVelocity> start, velocities;
  std::vector<SolverContact> contacts;
  std::vector<Vec3> impulses, couples;

  Hard() : bodies(1), start(1) { bodies[0] = {{}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}; }

  std::uint32_t addCube(double mass, const BodyVelocity& v) {
    const double i = 6.0 / mass;
    bodies.push_back({{1 / mass, 1 / mass, 1 / mass}, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}});
    start.push_back(v);
    return static_cast<std::uint32_t>(bodies.size() - 1);
  }
  SolverContact& addContact(std::uint32_t body1, std::uint32_t body2, const Vec3& normal,
                            const Vec3& arm1, const Vec3& arm2, double friction) {
    SolverContact c;
    c.body1 = body1;
    c.body2 = body2;
    c.normal = normal;
    c.tangent1 = anyPerpendicular(normal);
    c.tangent2 = cross(normal, c.tangent1);
    c.arm1 = arm1;
    c.arm2 = arm2;
    c.friction = friction;
    contacts.push_back(c);
    return contacts.back();
  }
  SolverReport solve(ContactSolver& solver, const SolverOptions& options = {}) {
    impulses.assign(contacts.size(), Vec3{});
    couples.assign(contacts.size(), Vec3{});
    velocities = start;
    return solver.solve({bodies, contacts}, options, impulses, couples, velocities);
  }

  /// Coulomb's law and the resistances, looked at contact by contact, up to a part of the largest
  /// impulse and of the velocities it gives (wedges press hard).
  void expectLaw(double part) const {
    double largest = 0.0, response = 0.0;
    for (const Vec3& p : impulses) largest = std::max(largest, norm(p));
    for (const BodyMobility& m : bodies) {
      response = std::max(response, m.inverseMass.x + m.inverseInertia.x.x);
    }
    const double slow = part * std::max(1.0, largest * response);
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const SolverContact& c = contacts[k];
      const BodyVelocity &v1 = velocities[c.body1], &v2 = velocities[c.body2];
      const Vec3 u = (v1.linear + cross(v1.angular, c.arm1)) -
                     (v2.linear + cross(v2.angular, c.arm2)) + c.offset;
      const Vec3 w = v1.angular - v2.angular;
      const Vec3& p = impulses[k];
      EXPECT_GE(p.x, 0.0);
      EXPECT_GE(dot(c.normal, u), c.bound - slow) << k;
      if (p.x > part * largest) {
        EXPECT_LE(dot(c.normal, u), c.bound + slow) << k;
      }
      const auto expectRubbing = [&](double t1, double t2, double u1, double u2, double limit) {
        const double held = std::hypot(t1, t2), slip = std::hypot(u1, u2);
        EXPECT_LE(held, limit * (1 + 1e-9)) << k;
        if (slip <= slow) return;
        // Against the slip, at the limit.
        EXPECT_NEAR(-(t1 * u1 + t2 * u2), limit * slip, part * largest * slip + slow * limit) << k;
      };
      expectRubbing(p.y, p.z, dot(c.tangent1, u), dot(c.tangent2, u), c.friction * p.x);
      const Vec3& m = couples[k];
      expectRubbing(m.x, 0, dot(c.normal, w), 0, c.spinningResistance * p.x);
      expectRubbing(m.y, m.z, dot(c.tangent1, w), dot(c.tangent2, w), c.rollingResistance * p.x);
    }
  }
};

/// A cube lands with two corners touching and two a little above, sideways motion and spin.
Hard landing(test::Random& random) {
  Hard h;
  const double gap = std::pow(10.0, random.between(-9, -1));
  const Vec3 sideways = random.vector(0.1) * std::pow(10.0, random.between(-4, 0));
  const Vec3 spin = random.vector(0.3) * std::pow(10.0, random.between(-4, 0));
  const std::uint32_t cube = h.addCube(1.0, {sideways + Vec3{0, 0, -kFall}, spin});
  for (int k = 0; k < 4; ++k) {
    const double x = (k & 1) != 0 ? 0.5 : -0.5, y = (k & 2) != 0 ? 0.5 : -0.5;
    SolverContact& c =
        h.addContact(cube, 0, {0, 0, 1}, {x, y, -0.5}, {x, y, 0}, random.between(0.1, 0.9));
    // The gap is also a difference in height, so that not all corners can stick.
    if ((k & 2) != 0) {
      c.bound = -gap;
      c.arm1.z += gap / 60;
    }
  }
  return h;
}

TEST(HardContacts, LandingCornersAtUnequalGapsConverge) {
  constexpr std::uint64_t kSeed = 11;
  test::Random random(kSeed);
  ContactSolver solver;
  SolverOptions options;
  options.tolerance = 1e-10;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    Hard h = landing(random);
    const SolverReport report = h.solve(solver, options);
    ASSERT_TRUE(report.converged) << report.error;
    h.expectLaw(1e-9);
  }
}

/// A cube in a groove: contacts whose normals oppose each other, bounds that contradict a little.
TEST(HardContacts, WedgedCubesConverge) {
  constexpr std::uint64_t kSeed = 12;
  test::Random random(kSeed);
  ContactSolver solver;
  SolverOptions options;
  options.tolerance = 1e-9;
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    Hard h;
    const std::uint32_t cube = h.addCube(
        random.between(0.5, 200.0), {random.vector(0.3) + Vec3{0, 0, -kFall}, random.vector(0.5)});
    for (int side = 0; side < 2; ++side) {
      const double lean = random.between(0.3, 0.9);
      const Vec3 n = normalized(Vec3{side == 0 ? 1.0 : -1.0, random.between(-0.2, 0.2), lean});
      for (int k = 0; k < 2; ++k) {
        const Vec3 arm = {side == 0 ? -0.5 : 0.5, k == 0 ? -0.5 : 0.5, random.between(-0.5, 0)};
        h.addContact(cube, 0, n, arm, arm, 0.6).bound = -std::pow(10.0, random.between(-9, -3));
      }
    }
    const SolverReport report = h.solve(solver, options);
    ASSERT_TRUE(report.converged) << report.error;
    h.expectLaw(1e-8);
  }
}

/// Balls and cubes in a chain, each contact with resistances of its own.
TEST(HardContacts, ResistancesConvergeAndHoldTheirLaw) {
  constexpr std::uint64_t kSeed = 13;
  test::Random random(kSeed);
  ContactSolver solver;
  SolverOptions options;
  options.tolerance = 1e-10;
  for (int i = 0; i < 500; ++i) {
    SCOPED_TRACE(i);
    Hard h;
    std::uint32_t below = 0;
    for (int n = 0; n < 4; ++n) {
      const std::uint32_t cube = h.addCube(
          random.between(0.5, 5.0), {random.vector(0.5) + Vec3{0, 0, -kFall}, random.vector(2.0)});
      const int points = random.between(0, 1) < 0.5 ? 1 : 3;
      for (int k = 0; k < points; ++k) {
        const Vec3 arm = points == 1 ? Vec3{0, 0, -0.5}
                                     : Vec3{random.between(-.5, .5), random.between(-.5, .5), -0.5};
        SolverContact& c = h.addContact(cube, below, normalized(Vec3{0, 0, 1} + random.vector(0.1)),
                                        arm, arm + Vec3{0, 0, 1}, random.between(0, 1));
        c.rollingResistance = random.between(0, 1) < 0.7 ? random.between(0, 0.1) : 0.0;
        c.spinningResistance = random.between(0, 1) < 0.7 ? random.between(0, 0.1) : 0.0;
      }
      below = cube;
    }
    const SolverReport report = h.solve(solver, options);
    ASSERT_TRUE(report.converged) << report.error;
    h.expectLaw(1e-8);
  }
}

/// Friction allows several answers here; a problem that is symmetric about x = 0 gets a symmetric
/// one.
TEST(HardContacts, SymmetricLandingStaysSymmetric) {
  ContactSolver solver;
  for (const double gap : {1e-4, 1e-3, 1e-2}) {
    Hard h;
    const std::uint32_t cube = h.addCube(1.0, {{0, 0.02, -kFall}, {gap, 0, 0}});
    for (int k = 0; k < 4; ++k) {
      const double x = (k & 1) != 0 ? 0.5 : -0.5, y = (k & 2) != 0 ? 0.42 : -0.58;
      SolverContact& c = h.addContact(cube, 0, {0, 0, 1}, {x, y, -0.5}, {x, y, 0}, 0.5);
      if (y > 0) {
        c.bound = -gap;
        c.arm1.z += gap / 60;
      }
    }
    EXPECT_TRUE(h.solve(solver).converged);
    const BodyVelocity& v = h.velocities[cube];
    EXPECT_LT(std::fabs(v.linear.x) + std::fabs(v.angular.y) + std::fabs(v.angular.z), 1e-13)
        << gap;
  }
}

TEST(HardContacts, RepeatedSolvesAllocateNothing) {
  constexpr std::uint64_t kSeed = 14;
  test::Random random(kSeed);
  ContactSolver solver;
  std::vector<Hard> problems;
  for (int i = 0; i < 50; ++i) problems.push_back(landing(random));
  int newtonSteps = 0;
  for (Hard& h : problems) newtonSteps += h.solve(solver).newtonSteps;
  ASSERT_GT(newtonSteps, 0);
  const std::size_t before = test::countAllocations();
  for (Hard& h : problems) h.solve(solver);
  EXPECT_EQ(test::countAllocations(), before);
}

}  // namespace
}  // namespace abut
