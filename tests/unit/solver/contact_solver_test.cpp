// SPDX-License-Identifier: MIT
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/solver/contact_solver.hpp>

#include "math/pose.hpp"
#include "solver/one_contact.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

constexpr double kG = 9.81, kDt = 1.0 / 60;

struct Problem {
  std::vector<BodyMobility> bodies;
  std::vector<BodyVelocity> velocities;
  std::vector<SolverContact> contacts;
  std::vector<Vec3> impulses;

  Problem() {  // Body 0 is the ground.
    bodies.push_back({{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}});
    velocities.emplace_back();
  }
  /// A unit cube of the given mass that has just been accelerated by gravity for a step.
  std::uint32_t addCube(double mass, const Vec3& velocity = {}) {
    const double i = 6.0 / mass;
    bodies.push_back({{1 / mass, 1 / mass, 1 / mass}, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}});
    velocities.push_back({velocity + Vec3{0, 0, -kG * kDt}, {}});
    return static_cast<std::uint32_t>(bodies.size() - 1);
  }
  /// Four corners of a cube on the body below.
  void rest(std::uint32_t upper, std::uint32_t lower, double friction) {
    for (int k = 0; k < 4; ++k) {
      const double x = (k & 1) != 0 ? 0.5 : -0.5, y = (k & 2) != 0 ? 0.5 : -0.5;
      SolverContact c;
      c.body1 = upper;
      c.body2 = lower;
      c.manifold = upper;
      c.normal = {0, 0, 1};
      c.tangent1 = {1, 0, 0};
      c.tangent2 = {0, 1, 0};
      c.arm1 = {x, y, -0.5};
      c.arm2 = {x, y, lower == 0 ? 0.0 : 0.5};
      c.friction = friction;
      contacts.push_back(c);
    }
  }
  SolverReport solve(ContactSolver& solver, const SolverOptions& options = {}) {
    impulses.resize(contacts.size());
    return solver.solve({bodies, contacts}, options, impulses, velocities);
  }
  [[nodiscard]] double forceUnder(std::uint32_t cube) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (contacts[k].body1 == cube) sum += impulses[k].x / kDt;
    }
    return sum;
  }
};

TEST(OneContact, RandomBlocksSatisfyCoulombsLaw) {
  constexpr std::uint64_t kSeed = 4;
  test::Random random(kSeed);
  for (int i = 0; i < 20000; ++i) {
    // W = A A^T + small diagonal, positive definite.
    double a[3][3];
    for (auto& row : a) {
      for (double& x : row) x = random.between(-1, 1);
    }
    const auto w = [&](int r, int c) {
      double sum = r == c ? 0.05 : 0.0;
      for (int k = 0; k < 3; ++k) sum += a[r][k] * a[c][k];
      return sum;
    };
    ContactBlock block;
    block.a = w(0, 0);
    block.b1 = w(1, 0);
    block.b2 = w(2, 0);
    block.t11 = w(1, 1);
    block.t12 = w(1, 2);
    block.t22 = w(2, 2);
    finishBlock(block);
    const double q1 = random.between(-1, 1), q2 = random.between(-1, 1);
    const double q3 = random.between(-1, 1), mu = random.between(0, 1);
    double alpha = 0.0;
    const Vec3 r = solveOneContact(block, {q1, q2, q3}, mu, alpha);
    const Vec3 u = times(block, r) + Vec3{q1, q2, q3};
    const double slip = std::hypot(u.y, u.z), t = std::hypot(r.y, r.z);
    const double tolerance = 1e-9 * (1.0 + norm(r));
    ASSERT_GE(r.x, 0.0);
    ASSERT_LE(t, mu * r.x * (1 + 1e-12)) << "seed " << kSeed << " block " << i;
    ASSERT_GE(u.x, -tolerance);
    ASSERT_NEAR(r.x * u.x, 0.0, tolerance);
    if (slip > tolerance) {
      ASSERT_NEAR(t, mu * r.x, tolerance) << "seed " << kSeed << " block " << i;
      ASSERT_NEAR(r.y * u.y + r.z * u.z, -t * slip, tolerance);
    }
  }
}

TEST(OneContact, ProjectionWithoutFrictionNeverPulls) {
  EXPECT_EQ(projectOnCone({-1, 0, 0}, 0.0), Vec3{});
  EXPECT_EQ(projectOnCone({-1, 0, 0}, 0.5), Vec3{});
  EXPECT_EQ(projectOnCone({2, 1, 0}, 0.0), (Vec3{2, 0, 0}));
}

TEST(ContactSolver, SlidingCubeLosesExactlyFrictionAtEveryHeading) {
  ContactSolver solver;
  for (int i = 0; i < 24; ++i) {
    const double heading = 0.25 * i, mu = 0.5;
    Problem p;
    const Vec3 v0{10 * std::cos(heading), 10 * std::sin(heading), 0};
    const std::uint32_t cube = p.addCube(1.0, v0);
    p.rest(cube, 0, mu);
    const SolverReport report = p.solve(solver);
    EXPECT_TRUE(report.converged);
    const Vec3 expected = v0 * (1.0 - mu * kG * kDt / 10.0);
    EXPECT_LT(norm(p.velocities[cube].linear - expected), 1e-12);
    EXPECT_LT(norm(p.velocities[cube].angular), 1e-11);
  }
}

TEST(ContactSolver, TowerCarriesTheWeightAboveFromAColdStart) {
  ContactSolver solver;
  Problem p;
  constexpr std::uint32_t kCubes = 20;
  for (std::uint32_t i = 1; i <= kCubes; ++i) p.rest(p.addCube(1.0), i - 1, 0.5);
  const SolverReport report = p.solve(solver);
  EXPECT_TRUE(report.converged);
  for (std::uint32_t i = 1; i <= kCubes; ++i) {
    const double weight = (kCubes + 1 - i) * kG;
    EXPECT_NEAR(p.forceUnder(i) / weight, 1.0, 1e-10);
    EXPECT_LT(norm(p.velocities[i].linear), 1e-12);
  }
}

TEST(ContactSolver, HeavyOnLightHolds) {
  for (const double top : {1e4, 1e6}) {
    ContactSolver solver;
    Problem p;
    for (std::uint32_t i = 1; i <= 10; ++i) p.rest(p.addCube(i == 10 ? top : 1.0), i - 1, 0.5);
    const SolverReport report = p.solve(solver);
    EXPECT_TRUE(report.converged) << top;
    for (std::uint32_t i = 1; i <= 10; ++i) {
      EXPECT_NEAR(p.forceUnder(i) / ((top + (10 - i)) * kG), 1.0, 1e-9) << top << " cube " << i;
    }
  }
}

TEST(ContactSolver, WarmStartAtTheSolutionTakesOneSweep) {
  ContactSolver solver;
  Problem p;
  for (std::uint32_t i = 1; i <= 10; ++i) p.rest(p.addCube(1.0), i - 1, 0.5);
  const std::vector<BodyVelocity> start = p.velocities;
  const SolverReport cold = p.solve(solver);
  p.velocities = start;
  const SolverReport warm = p.solve(solver);
  EXPECT_TRUE(warm.converged);
  EXPECT_EQ(warm.newtonSteps, 0);
  EXPECT_LE(3 * warm.sweeps, cold.sweeps);  // A third of the sweeps, and usually one.
}

TEST(ContactSolver, SeparatingContactsGiveNoImpulse) {
  ContactSolver solver;
  Problem p;
  const std::uint32_t cube = p.addCube(1.0, {0, 0, 1.0});
  p.rest(cube, 0, 0.5);
  EXPECT_TRUE(p.solve(solver).converged);
  for (const Vec3& r : p.impulses) EXPECT_EQ(r, Vec3{});
}

TEST(ContactSolver, DrivenGroundDragsUpToTheFrictionLimit) {
  // A kinematic ground at 2 m/s: friction accelerates the cube by mu g dt.
  ContactSolver solver;
  Problem p;
  p.velocities[0].linear = {2.0, 0, 0};
  const std::uint32_t cube = p.addCube(1.0);
  p.rest(cube, 0, 0.3);
  EXPECT_TRUE(p.solve(solver).converged);
  EXPECT_NEAR(p.velocities[cube].linear.x, 0.3 * kG * kDt, 1e-13);
  EXPECT_EQ(p.velocities[0].linear, (Vec3{2.0, 0, 0}));
}

TEST(ContactSolver, RepeatedSolveGivesTheSameBits) {
  Problem p;
  for (std::uint32_t i = 1; i <= 6; ++i) p.rest(p.addCube(i == 6 ? 500.0 : 1.0), i - 1, 0.3);
  Problem q = p;
  ContactSolver a, b;
  EXPECT_TRUE(p.solve(a).converged);
  EXPECT_TRUE(q.solve(b).converged);
  EXPECT_EQ(p.impulses, q.impulses);
}

}  // namespace
}  // namespace abut
