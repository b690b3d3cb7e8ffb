// SPDX-License-Identifier: MIT
// Contacts of spheres in lean batches: the answer is that of ordinary batches, and which rows share
// a batch changes no bit.
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "solver/link_order.hpp"
#include "solver/manifold_solver.hpp"
#include "unit/solver/own_rows.hpp"

namespace abut {
namespace {

struct Problem {
  std::vector<BodyMobility> mobility;
  std::vector<BodyVelocity> velocities;
  test::OwnRows own;
  LinkOrder order;
};

/// Random contacts between spheres, and with body 0, which moves on its own and never gives way.
void makeProblem(std::uint64_t seed, Problem& p) {
  std::mt19937_64 random(seed);
  const auto next = [&] { return static_cast<double>(random() >> 11u) * 0x1p-52 - 1.0; };
  const auto vector = [&] {
    const double x = next(), y = next();
    return Vec3{x, y, next()};
  };
  constexpr std::uint32_t kBodies = 80, kRows = 300;
  std::vector<Link> links;
  std::vector<std::uint8_t> moves;
  std::vector<double> radius;
  for (std::uint32_t i = 0; i < kBodies; ++i) {
    BodyMobility m{{}, {{}, {}, {}}};
    radius.push_back(1.0 + 0.5 * next());
    if (i > 0) {
      const double inverse = 1.0 + 0.9 * next();
      const double inertia = 2.5 * inverse / (radius[i] * radius[i]);
      m.inverseMass = {inverse, inverse, inverse};
      m.inverseInertia = {{inertia, 0, 0}, {0, inertia, 0}, {0, 0, inertia}};
    }
    p.mobility.push_back(m);
    const Vec3 linear = vector();
    p.velocities.push_back({linear, vector()});
    moves.push_back(i > 0 ? 1 : 0);
  }
  for (std::uint32_t k = 0; k < kRows; ++k) {
    ManifoldRow& r = p.own.add();
    r.body1 = 1 + static_cast<std::uint32_t>(random() % (kBodies - 1));
    do {
      r.body2 = static_cast<std::uint32_t>(random() % kBodies);
    } while (r.body2 == r.body1);
    r.normal = normalized(vector());
    r.count = 1;
    r.points[0].arm1 = r.normal * -radius[r.body1];
    r.points[0].arm2 = r.body2 == 0 ? vector() : r.normal * radius[r.body2];
    r.points[0].bound = random() % 3 == 0 ? -next() * next() : 0.0;
    r.points[0].separation = 0.01 * next();
    r.points[0].normalImpulse = random() % 2 == 0 ? 0.0 : 0.1 + 0.1 * next();
    r.offset = random() % 4 == 0 ? vector() : Vec3{};
    r.friction = 0.5 + 0.4 * next();
    r.isLean = isLean(r, p.mobility);
    EXPECT_TRUE(r.isLean);
    links.push_back({r.body1, r.body2, 0, random(), {r.body1, r.body2}, k});
  }
  p.order.build(links, moves);
  for (std::uint32_t k = 0; k < kRows; ++k) p.own.rows[k].colour = p.order.colourOf(k);
}

std::vector<double> solve(const Problem& p, bool lean, std::size_t lanes) {
  test::OwnRows own = p.own;
  std::vector<ManifoldRow>& rows = own.rows;
  for (ManifoldRow& row : rows) row.isLean = lean;
  SolverOptions options;
  options.maxSweeps = 12;
  options.tolerance = 1e-12;
  ManifoldSolver solver;
  solver.setBodies(p.mobility, p.velocities);
  solver.begin(rows, p.order.getLinks(), lanes);
  std::vector<double> numbers;
  numbers.push_back(solver.solve(options, p.order.getBodies()).error);
  numbers.push_back(solver.work());
  solver.store(rows);
  const auto add = [&](const BodyVelocity& v) {
    numbers.insert(numbers.end(),
                   {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z});
  };
  for (const std::uint32_t b : p.order.getBodies()) add(solver.velocityOf(b));
  for (const ManifoldRow& r : rows) {
    numbers.insert(numbers.end(), {r.points[0].normalImpulse, r.tangentImpulse.x,
                                   r.tangentImpulse.y, r.tangentImpulse.z, r.twistImpulse});
  }
  solver.project(1.0 / 60, 0.2, 4, p.order.getBodies());
  numbers.push_back(solver.approachLeft());
  for (const std::uint32_t b : p.order.getBodies()) add(solver.displacementOf(b));
  return numbers;
}

TEST(LeanBatch, givesTheAnswerOfOrdinaryOnes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Problem p;
    makeProblem(seed, p);
    const std::vector<double> lean = solve(p, true, 4), ordinary = solve(p, false, 4);
    ASSERT_EQ(lean.size(), ordinary.size());
    for (std::size_t i = 0; i < lean.size(); ++i) EXPECT_NEAR(lean[i], ordinary[i], 1e-11) << i;
  }
}

TEST(LeanBatch, lanesDoNotKnowOfEachOther) {
  Problem p;
  makeProblem(9, p);
  const std::vector<double> four = solve(p, true, 4);
  for (const std::size_t lanes : {1u, 2u, 3u}) {
    const std::vector<double> other = solve(p, true, lanes);
    ASSERT_EQ(four.size(), other.size());
    EXPECT_EQ(std::memcmp(four.data(), other.data(), four.size() * sizeof(double)), 0) << lanes;
  }
}

TEST(LeanBatch, takesNoRowThatTurnsItsBodies) {
  Problem p;
  makeProblem(3, p);
  ManifoldRow row = p.own.rows[0];
  const Vec3 straight = row.points[0].arm1;
  row.points[0].arm1 += anyPerpendicular(row.normal) * 1e-6;
  EXPECT_FALSE(isLean(row, p.mobility));
  row.points[0].arm1 = straight;
  EXPECT_TRUE(isLean(row, p.mobility));
  p.mobility[row.body1].inverseInertia.y.y *= 1.001;
  EXPECT_FALSE(isLean(row, p.mobility));
}

}  // namespace
}  // namespace abut
