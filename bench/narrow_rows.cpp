// SPDX-License-Identifier: MIT
// The pairs and the mix of poses: one third separated, one third touching, one third overlapping.
#include "narrow_row.hpp"

namespace abut::bench {
namespace {

using Kind = Specimen::Kind;

struct Plan {
  const char* name;
  Kind kind1, kind2;
  int vertices1, vertices2;
  bool plane;
  bool simple;
};

constexpr Plan kPlans[] = {
    {"sphere-sphere", Kind::Sphere, Kind::Sphere, 0, 0, false, true},
    {"sphere-box", Kind::Sphere, Kind::Box, 0, 0, false, true},
    {"capsule-capsule", Kind::Capsule, Kind::Capsule, 0, 0, false, true},
    {"capsule-box", Kind::Capsule, Kind::Box, 0, 0, false, true},
    {"box-box", Kind::Box, Kind::Box, 0, 0, false, true},
    {"sphere-plane", Kind::Sphere, Kind::Sphere, 0, 0, true, true},
    {"capsule-plane", Kind::Capsule, Kind::Sphere, 0, 0, true, true},
    {"box-plane", Kind::Box, Kind::Sphere, 0, 0, true, true},
    {"cylinder-sphere", Kind::Cylinder, Kind::Sphere, 0, 0, false, false},
    {"cylinder-capsule", Kind::Cylinder, Kind::Capsule, 0, 0, false, false},
    {"cylinder-box", Kind::Cylinder, Kind::Box, 0, 0, false, false},
    {"cylinder-cylinder", Kind::Cylinder, Kind::Cylinder, 0, 0, false, false},
    {"cone-box", Kind::Cone, Kind::Box, 0, 0, false, false},
    {"cone-cone", Kind::Cone, Kind::Cone, 0, 0, false, false},
    {"cylinder-cone", Kind::Cylinder, Kind::Cone, 0, 0, false, false},
    {"hull20-box", Kind::Hull, Kind::Box, 20, 0, false, false},
    {"hull20-hull20", Kind::Hull, Kind::Hull, 20, 20, false, false},
    {"hull100-hull100", Kind::Hull, Kind::Hull, 100, 100, false, false},
};

/// Bodies of a row; queries take pairs of them.
constexpr int kVariants = 8;

Specimen makeSpecimen(test::Generator& random, Kind kind, int vertices) {
  if (kind == Kind::Hull) {
    const double radius = random.range(0.4, 0.6);
    return Specimen::hull(test::randomPoints(random, vertices, radius, 1.2));
  }
  return test::randomSpecimen(random, kind, 0.3, 0.6);
}

/// Signed gap aimed at [m]: clearly apart; within a thousandth either way, as bodies at rest are;
/// deep.
double drawGap(test::Generator& random, Regime regime) {
  switch (regime) {
    case Regime::Separated:
      return random.range(0.02, 0.5);
    case Regime::Touching:
      return random.range(-1e-3, 1e-3);
    case Regime::Overlapping:
      return -random.range(0.01, 0.2);
  }
  return 0.0;
}

Query drawPlaneQuery(test::Generator& random, const Body& body, Regime regime) {
  Query q;
  q.body1 = &body;
  q.rotation1 = random.rotation();
  q.rotation2 = random.rotation();
  q.position2 = random.direction();
  q.regime = regime;
  Body placed = body;
  placed.rotation = q.rotation1;
  placed.position.setZero();
  const Vector normal = q.rotation2.col(2);
  const double lowest = placed.support(-normal).dot(normal);
  const Vector along = normal.unitOrthogonal() * random.range(-1.0, 1.0);
  q.position1 = q.position2 + along + normal * (drawGap(random, regime) - lowest);
  return q;
}

Query drawQuery(test::Generator& random, const Body& body1, const Body& body2, Regime regime) {
  Query q;
  q.body1 = &body1;
  q.body2 = &body2;
  q.regime = regime;
  Body placed1 = body1, placed2 = body2;
  do {
    placed1.rotation = random.rotation();
    placed2.rotation = random.rotation();
    placed1.position = random.direction();
  } while (!test::placeAtGap(placed1, placed2, random.direction(), drawGap(random, regime)));
  q.rotation1 = placed1.rotation;
  q.rotation2 = placed2.rotation;
  q.position1 = placed1.position;
  q.position2 = placed2.position;
  return q;
}

Row makeRow(const Plan& plan, int perRegime, std::uint64_t seed) {
  test::Generator random(seed);
  Row row;
  row.name = plan.name;
  row.isSimple = plan.simple;
  for (int i = 0; i < kVariants; ++i) {
    row.bodies.push_back(std::make_unique<Body>(makeSpecimen(random, plan.kind1, plan.vertices1)));
    row.bodies.push_back(std::make_unique<Body>(makeSpecimen(random, plan.kind2, plan.vertices2)));
  }
  for (int i = 0; i < 3 * perRegime; ++i) {
    const Regime regime = static_cast<Regime>(i % 3);
    const Body& body1 = *row.bodies[std::size_t{2} * random.below(kVariants)];
    const Body& body2 = *row.bodies[std::size_t{2} * random.below(kVariants) + 1];
    row.queries.push_back(plan.plane ? drawPlaneQuery(random, body1, regime)
                                     : drawQuery(random, body1, body2, regime));
  }
  return row;
}

}  // namespace

std::vector<Row> makeRows(int perRegime) {
  std::vector<Row> rows;
  std::uint64_t seed = 2024;
  for (const Plan& plan : kPlans) rows.push_back(makeRow(plan, perRegime, ++seed));
  return rows;
}

}  // namespace abut::bench
