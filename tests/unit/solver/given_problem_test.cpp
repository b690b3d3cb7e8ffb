// SPDX-License-Identifier: MIT
// Problems given by a Delassus matrix, or by masses and Jacobian rows.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <abut/solver/contact_solver.hpp>

#include "math/pose.hpp"
#include "solver/one_contact.hpp"
#include "support/random.hpp"

namespace abut {
namespace {

/// Spheres of 0.5 m in a random cloud, each touching its neighbours and some the ground.
struct Cloud {
  std::vector<BodyMobility> bodies;
  std::vector<BodyVelocity> free;
  std::vector<SolverContact> contacts;

  Cloud(int count, std::uint64_t seed, double friction) {
    test::Random random(seed);
    bodies.push_back({{}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}});
    free.push_back({});
    for (int i = 0; i < count; ++i) {
      const double m = random.between(0.5, 2.0), inertia = 10.0 / m;
      bodies.push_back(
          {{1 / m, 1 / m, 1 / m}, {{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}}});
      free.push_back({random.vector(1.0) + Vec3{0, 0, -1}, random.vector(1.0)});
    }
    for (int k = 0; k < 2 * count; ++k) {
      SolverContact c;
      c.body1 = static_cast<std::uint32_t>(1 + random.below(count));
      c.body2 = static_cast<std::uint32_t>(random.below(count + 1));
      if (c.body1 == c.body2) continue;
      c.normal = random.direction();
      if (c.normal.z < 0) c.normal = c.normal * -1.0;
      c.tangent1 = anyPerpendicular(c.normal);
      c.tangent2 = cross(c.normal, c.tangent1);
      c.arm1 = c.normal * -0.5;
      c.arm2 = c.normal * 0.5;
      c.friction = friction;
      contacts.push_back(c);
    }
  }
};

/// The same by masses and rows.
struct Given {
  std::vector<std::uint32_t> size, first{0}, body;
  std::vector<double> mass, rows, friction;
  std::vector<Vec3> q;
  DelassusMatrix matrix;

  explicit Given(const Cloud& cloud) {
    for (std::size_t b = 1; b < cloud.bodies.size(); ++b) {
      size.push_back(6);
      for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
          const double inverse =
              i < 3 ? cloud.bodies[b].inverseMass.x : cloud.bodies[b].inverseInertia.x.x;
          mass.push_back(i == j ? 1.0 / inverse : 0.0);
        }
      }
    }
    for (const SolverContact& c : cloud.contacts) {
      Vec3 u;
      for (int side = 0; side < 2; ++side) {
        const std::uint32_t b = side == 0 ? c.body1 : c.body2;
        const Vec3 arm = side == 0 ? c.arm1 : c.arm2;
        const double sign = side == 0 ? 1.0 : -1.0;
        const BodyVelocity& v = cloud.free[b];
        u += (v.linear + cross(v.angular, arm)) * sign;
        if (b == 0) continue;
        body.push_back(b - 1);
        for (const Vec3& axis : {c.normal, c.tangent1, c.tangent2}) {
          const Vec3 lever = cross(arm, axis);
          for (const double x : {axis.x, axis.y, axis.z, lever.x, lever.y, lever.z}) {
            rows.push_back(sign * x);
          }
        }
      }
      first.push_back(static_cast<std::uint32_t>(body.size()));
      friction.push_back(c.friction);
      q.push_back({dot(c.normal, u), dot(c.tangent1, u), dot(c.tangent2, u)});
    }
    EXPECT_TRUE(assembleDelassus({size, mass, first, body, rows, q, friction}, matrix));
  }
  [[nodiscard]] DelassusProblem problem() const {
    return {matrix.rowStart, matrix.column, matrix.block, q, friction};
  }
};

/// Coulomb's law, contact by contact, up to a part of the largest velocity and impulse.
void expectLaw(const std::vector<Vec3>& r, const std::vector<Vec3>& u, double friction,
               double part) {
  double most = 0.0, fastest = 0.0;
  for (const Vec3& p : r) most = std::max(most, norm(p));
  for (const Vec3& v : u) fastest = std::max(fastest, norm(v));
  for (std::size_t k = 0; k < r.size(); ++k) {
    const double slip = std::hypot(u[k].y, u[k].z), push = std::hypot(r[k].y, r[k].z);
    EXPECT_GE(u[k].x, -part * fastest) << k;
    EXPECT_LE(r[k].x * u[k].x, part * most * fastest) << k;
    EXPECT_LE(push, friction * r[k].x + part * most) << k;
    // Friction takes out as much power as it can.
    EXPECT_NEAR(r[k].y * u[k].y + r[k].z * u[k].z, -friction * r[k].x * slip, part * most * fastest)
        << k;
  }
}

TEST(GivenProblem, ByMassesHasTheVelocitiesOfTheBodies) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Cloud cloud(12, seed, 0.4);
    const Given given(cloud);
    ContactSolver solver;
    std::vector<Vec3> r(given.q.size()), u(given.q.size());
    const SolverReport report = solver.solve(given.problem(), {}, r, u);
    EXPECT_TRUE(report.converged) << seed << ": " << report.error;
    expectLaw(r, u, 0.4, 1e-10);
    // The velocities at the contacts are those of bodies pushed by these impulses.
    std::vector<BodyVelocity> v = cloud.free;
    for (std::size_t k = 0; k < r.size(); ++k) {
      const SolverContact& c = cloud.contacts[k];
      const Vec3 p = (c.normal * r[k].x + c.tangent1 * r[k].y) + c.tangent2 * r[k].z;
      v[c.body1].linear += scaled(cloud.bodies[c.body1].inverseMass, p);
      v[c.body1].angular += cloud.bodies[c.body1].inverseInertia * cross(c.arm1, p);
      v[c.body2].linear -= scaled(cloud.bodies[c.body2].inverseMass, p);
      v[c.body2].angular -= cloud.bodies[c.body2].inverseInertia * cross(c.arm2, p);
    }
    for (std::size_t k = 0; k < r.size(); ++k) {
      const SolverContact& c = cloud.contacts[k];
      const Vec3 w = (v[c.body1].linear + cross(v[c.body1].angular, c.arm1)) -
                     (v[c.body2].linear + cross(v[c.body2].angular, c.arm2));
      EXPECT_NEAR(dot(c.normal, w), u[k].x, 1e-11);
      EXPECT_NEAR(dot(c.tangent1, w), u[k].y, 1e-11);
    }
  }
}

// Both ways to the matrix agree; contacts between bodies that nothing moves are left out, and
// bounds and offsets are part of q.
TEST(GivenProblem, ThatOfBodiesIsThatOfTheirMasses) {
  Cloud cloud(12, 4, 0.4);
  const Given given(cloud);
  SolverContact idle = cloud.contacts.front();
  idle.body1 = idle.body2 = 0;
  cloud.contacts.insert(cloud.contacts.begin() + 3, idle);
  DelassusMatrix matrix;
  std::vector<Vec3> q;
  std::vector<std::uint32_t> kept;
  assembleDelassus({cloud.bodies, cloud.contacts}, cloud.free, matrix, q, kept);
  ASSERT_EQ(kept.size(), given.q.size());
  EXPECT_EQ(kept[2], 2u);
  EXPECT_EQ(kept[3], 4u);
  ASSERT_EQ(matrix.rowStart, given.matrix.rowStart);
  ASSERT_EQ(matrix.column, given.matrix.column);
  for (std::size_t k = 0; k < matrix.block.size(); ++k) {
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(matrix.block[k][i], given.matrix.block[k][i], 1e-13) << k;
    }
  }
  for (std::size_t k = 0; k < q.size(); ++k) EXPECT_LT(norm(q[k] - given.q[k]), 1e-14);
  cloud.contacts[0].bound = 0.25;
  cloud.contacts[0].offset = cloud.contacts[0].tangent1 * 0.5;
  const Vec3 before = q[0];
  assembleDelassus({cloud.bodies, cloud.contacts}, cloud.free, matrix, q, kept);
  EXPECT_NEAR(q[0].x, before.x - 0.25, 1e-14);
  EXPECT_NEAR(q[0].y, before.y + 0.5, 1e-14);
}

TEST(GivenProblem, TheMatrixNeedNotBeSymmetric) {
  test::Random random(5);
  const Cloud cloud(12, 3, 0.3);
  Given given(cloud);
  for (auto& block : given.matrix.block) {
    for (double& w : block) w *= 1.0 + random.between(-1e-3, 1e-3);
  }
  ContactSolver solver;
  std::vector<Vec3> r(given.q.size()), u(given.q.size());
  const SolverReport report = solver.solve(given.problem(), {}, r, u);
  EXPECT_TRUE(report.converged) << report.error;
  expectLaw(r, u, 0.3, 1e-10);
}

TEST(GivenProblem, AMassWithoutInverseIsRefused) {
  const Cloud cloud(3, 1, 0.3);
  Given given(cloud);
  for (std::size_t i = 0; i < 36; ++i) given.mass[i] = 0.0;
  DelassusMatrix matrix;
  EXPECT_FALSE(assembleDelassus(
      {given.size, given.mass, given.first, given.body, given.rows, given.q, given.friction},
      matrix));
}

/// A row that ends behind the matrix is refused before it is read, though the last does not.
TEST(GivenProblem, RowsBehindTheMatrixAreRefused) {
  const std::vector<std::array<double, 9>> block(2, {1, 0, 0, 0, 1, 0, 0, 0, 1});
  const std::vector<std::uint32_t> column{0, 1};
  const std::vector<std::uint32_t> rowStart{0, 500, 2};
  const std::vector<Vec3> free(2, Vec3{-1, 0, 0});
  const std::vector<double> friction(2, 0.5);
  DelassusProblem problem;
  problem.rowStart = rowStart;
  problem.column = column;
  problem.block = block;
  problem.free = free;
  problem.friction = friction;
  std::vector<Vec3> impulses(2), velocities(2);
  EXPECT_THROW(ContactSolver().solve(problem, {}, impulses, velocities), Error);
}

}  // namespace
}  // namespace abut
