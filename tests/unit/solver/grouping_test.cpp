// SPDX-License-Identifier: MIT
// Which rows share a batch, and in which order the rows of a colour lie, changes no bit.
#include <algorithm>
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
  std::vector<std::uint8_t> moves;
  std::vector<Link> links;
};

/// Random contacts between random bodies, body 0 fixed; a hub has more links than there are
/// colours.
Problem makeProblem(std::uint64_t seed, std::uint32_t bodies, std::uint32_t count, bool resist) {
  std::mt19937_64 random(seed);
  const auto next = [&] { return static_cast<double>(random() >> 11u) * 0x1p-52 - 1.0; };
  const auto vector = [&] {
    const double x = next(), y = next();
    return Vec3{x, y, next()};
  };
  Problem p;
  for (std::uint32_t i = 0; i < bodies; ++i) {
    BodyMobility m{{}, {{}, {}, {}}};
    if (i > 0) {
      const double inverse = 1.0 + 0.9 * next();
      m.inverseMass = {inverse, inverse, inverse};
      m.inverseInertia = {{3 * inverse, 0, 0}, {0, 4 * inverse, 0}, {0, 0, 5 * inverse}};
    }
    p.mobility.push_back(m);
    const Vec3 linear = vector() * (i > 0 ? 1.0 : 0.0);
    p.velocities.push_back({linear, vector() * (i > 0 ? 1.0 : 0.0)});
    p.moves.push_back(i > 0 ? 1 : 0);
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    ManifoldRow& r = p.own.add();
    r.body1 = k % 7 == 0 ? 1 : 1 + static_cast<std::uint32_t>(random() % (bodies - 1));
    do {
      r.body2 = static_cast<std::uint32_t>(random() % bodies);
    } while (r.body2 == r.body1);
    r.normal = normalized(vector());
    r.count = 1 + static_cast<int>(random() % 4);
    const Vec3 at1 = vector() * 0.5, at2 = vector() * 0.5;
    for (int i = 0; i < r.count; ++i) {
      Vec3 off = vector() * 0.3;
      off -= r.normal * dot(r.normal, off);
      r.points[i].arm1 = at1 + off;
      r.points[i].arm2 = at2 + off;
      r.points[i].bound = random() % 3 == 0 ? -next() * next() : 0.0;
      r.points[i].separation = 0.01 * next();
      r.points[i].normalImpulse = random() % 2 == 0 ? 0.0 : 0.1 + 0.1 * next();
    }
    r.friction = 0.5 + 0.4 * next();
    if (resist && k % 3 == 0) r.rolling = r.spinning = 0.05;
    const auto order = static_cast<std::uint64_t>(random() % 50);  // Ranks that are equal, too.
    p.links.push_back(
        {r.body1, r.body2, 2 * static_cast<std::uint32_t>(r.count), order, {r.body1, r.body2}, k});
  }
  return p;
}

struct Answer {
  std::vector<double> numbers;
  int sweeps = 0;
};

Answer solve(const Problem& p, std::span<const std::uint32_t> order,
             std::span<const std::uint32_t> members, std::size_t lanes) {
  ManifoldSolver solver;
  test::OwnRows own = p.own;
  std::vector<ManifoldRow>& rows = own.rows;
  SolverOptions options;
  options.maxSweeps = 40;
  options.tolerance = 1e-9;
  solver.setBodies(p.mobility, p.velocities);
  solver.begin(rows, order, lanes);
  Answer a;
  const SolverReport report = solver.solve(options, members);
  a.sweeps = report.sweeps;
  a.numbers.push_back(report.error);
  solver.store(rows);
  a.numbers.push_back(solver.work());
  for (const std::uint32_t b : members) {
    const BodyVelocity v = solver.velocityOf(b);
    a.numbers.insert(a.numbers.end(),
                     {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z});
  }
  for (const ManifoldRow& r : rows) {
    for (int i = 0; i < r.count; ++i) a.numbers.push_back(r.points[i].normalImpulse);
    a.numbers.insert(a.numbers.end(), {r.tangentImpulse.x, r.twistImpulse, r.resistingImpulse.x});
  }
  solver.project(1.0 / 60, 0.2, 4, members);
  a.numbers.push_back(solver.approachLeft());
  for (const std::uint32_t b : members) {
    const BodyVelocity v = solver.displacementOf(b);
    a.numbers.insert(a.numbers.end(), {v.linear.x, v.linear.y, v.linear.z, v.angular.z});
  }
  return a;
}

bool haveSameBits(const Answer& a, const Answer& b) {
  return a.sweeps == b.sweeps && a.numbers.size() == b.numbers.size() &&
         std::memcmp(a.numbers.data(), b.numbers.data(), a.numbers.size() * sizeof(double)) == 0;
}

TEST(Grouping, ChangesNoBit) {
  for (const bool resist : {false, true}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const Problem p = makeProblem(seed, 60, 400, resist);
      LinkOrder links;
      links.build(p.links, p.moves);
      ASSERT_EQ(links.getIslands().size(), 1u);
      std::vector<std::uint32_t> order(links.getLinks().begin(), links.getLinks().end());
      Problem coloured = p;
      for (std::uint32_t i = 0; i < coloured.own.rows.size(); ++i) {
        coloured.own.rows[i].colour = links.colourOf(i);
      }
      const Answer whole = solve(coloured, order, links.getBodies(), 4);
      for (const std::size_t lanes : {1u, 2u, 3u}) {
        EXPECT_TRUE(haveSameBits(whole, solve(coloured, order, links.getBodies(), lanes)))
            << seed << " " << lanes;
      }
      std::mt19937_64 random(seed);
      for (int round = 0; round < 5; ++round) {
        // Within a colour and a number of points; the last colour keeps its order.
        for (std::size_t first = 0; first < order.size();) {
          const ManifoldRow& lead = coloured.own.rows[order[first]];
          std::size_t end = first + 1;
          while (end < order.size() && lead.colour != ManifoldRow::kLastColour &&
                 coloured.own.rows[order[end]].colour == lead.colour &&
                 coloured.own.rows[order[end]].count == lead.count) {
            ++end;
          }
          std::shuffle(order.begin() + static_cast<std::ptrdiff_t>(first),
                       order.begin() + static_cast<std::ptrdiff_t>(end), random);
          first = end;
        }
        const std::size_t lanes = 1 + random() % 4;
        EXPECT_TRUE(haveSameBits(whole, solve(coloured, order, links.getBodies(), lanes)))
            << seed << " round " << round;
      }
    }
  }
}

TEST(Grouping, LinksInAnyOrderGetTheSameColoursAndPlaces) {
  const Problem p = makeProblem(9, 40, 300, false);
  LinkOrder links;
  links.build(p.links, p.moves);
  std::vector<std::uint32_t> parts;
  for (const std::uint32_t k : links.getLinks()) parts.push_back(p.links[k].part);
  std::mt19937_64 random(1);
  for (int round = 0; round < 5; ++round) {
    std::vector<Link> shuffled = p.links;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    LinkOrder other;
    other.build(shuffled, p.moves);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Link& link = shuffled[other.getLinks()[i]];
      ASSERT_EQ(link.part, parts[i]);
      ASSERT_EQ(other.colourOf(other.getLinks()[i]), links.colourOf(link.part));
    }
  }
}

}  // namespace
}  // namespace abut
