// SPDX-License-Identifier: MIT
// Symptom: the depth of two cylinders, two cones, or one of each was up to half too great, and
// changed when the ids were exchanged.
// Cause: the search for nearest points of two rims went along object 2's rim in steps of fixed
// width, and took one minimum from each. Where that rim is much the larger one, both places at
// which a small body meets it lie in one step, and one of the two minima was lost.
// Mechanism: the search goes along the smaller rim, and divides a stretch until the squared
// distance is known to be convex there: one minimum, or none.
#include <cmath>

#include <gtest/gtest.h>

#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>

#include "support/judge.hpp"
#include "support/specimen.hpp"

namespace abut::test {
namespace {

double depthOf(const PlacedShape& a, const PlacedShape& b) {
  DistanceResult gap;
  distance(a, b, gap).orThrow();
  return -gap.distance;
}

TEST(DepthOfRoundPairs, ASmallCylinderAtTheRimOfALargeOne) {
  const CylinderShape large(0.25083211012339751, 0.17637784673470736);
  const CylinderShape small(0.0050552452796527418, 0.016253491464672368);
  const Eigen::Quaterniond turn(0.053757133479722809, 0.73478098997767272, -0.12158110923148878,
                                -0.66515043504873028);
  const Vector at(0.25387129990615087, 0.044343106041776929, 0.091834668366000266);
  for (ObjectId id : {1u, 2u}) {
    const PlacedShape a = place(large, Matrix::Identity(), Vector(0, 0, 0), id);
    const PlacedShape b = place(small, turn.toRotationMatrix(), at, 3 - id);
    EXPECT_NEAR(depthOf(a, b), 0.00163270578, 1e-11);
  }
}

/// Least overlap along the directions of a fine net, each improved by descent: an upper bound on
/// the depth that shares nothing with the library.
double leastOverlapOfNet(const Body& a, const Body& b) {
  const auto overlap = [&](const Vector& n) { return n.dot(b.support(n)) - n.dot(a.support(-n)); };
  constexpr int kDirections = 400, kDescents = 12;
  const double golden = M_PI * (3.0 - std::sqrt(5.0));
  std::vector<std::pair<double, Vector>> net;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / kDirections, r = std::sqrt(1.0 - z * z);
    const Vector n(r * std::cos(golden * i), r * std::sin(golden * i), z);
    net.emplace_back(overlap(n), n);
  }
  std::partial_sort(net.begin(), net.begin() + kDescents, net.end(),
                    [](const auto& x, const auto& y) { return x.first < y.first; });
  double least = net[0].first;
  for (int i = 0; i < kDescents; ++i) {
    Vector n = net[static_cast<std::size_t>(i)].second;
    double h = net[static_cast<std::size_t>(i)].first;
    for (double step = 0.1; step > 1e-9; step *= 0.5) {
      for (int k = 0; k < 6; ++k) {
        Vector way = Vector::Zero();
        way[k / 2] = k % 2 == 0 ? step : -step;
        const Vector next = (n + way).normalized();
        const double value = overlap(next);
        if (value < h) {
          h = value;
          n = next;
          k = -1;
        }
      }
    }
    least = std::min(least, h);
  }
  return least;
}

TEST(DepthOfRoundPairs, IsTheLeastAndTheSameForExchangedIdsAtAllAspectsAndSizes) {
  constexpr std::uint64_t kSeed = 41;
  SCOPED_TRACE(kSeed);
  Generator random(kSeed);
  for (double spread : {1.0, 3.0, 30.0, 1000.0}) {
    for (int i = 0; i < 120; ++i) {
      Body bodies[2];
      for (int k = 0; k < 2; ++k) {
        const double size = k == 0 ? 1.0 : random.logRange(1.0 / spread, spread);
        const double aspect = std::sqrt(random.logRange(1.0 / spread, spread));
        const double r = 0.5 * size * aspect, height = size / aspect;
        const bool cone = (i >> k) % 2 == 1;
        bodies[k] = Body(cone ? Specimen::cone(r, height) : Specimen::cylinder(r, height),
                         random.rotation());
      }
      // The second body about a place on a rim of the first.
      const double angle = random.range(0.0, 2.0 * M_PI);
      const Specimen& first = bodies[0].specimen;
      const Vector rim(first.radius * std::cos(angle), first.radius * std::sin(angle),
                       -0.5 * first.height);
      bodies[1].position = bodies[0].rotation * rim +
                           random.direction() * (random.unit() * bodies[1].specimen.extent());
      const double depth = depthOf(bodies[0].placed(1), bodies[1].placed(2));
      const double exchanged = depthOf(bodies[0].placed(2), bodies[1].placed(1));
      const double size = bodies[0].specimen.extent() + bodies[1].specimen.extent();
      EXPECT_NEAR(depth, exchanged, 1e-13 * size);
      if (depth <= 0.0) continue;
      EXPECT_LE(depth, leastOverlapOfNet(bodies[0], bodies[1]) + 1e-12 * size)
          << spread << " " << i;
    }
  }
}

}  // namespace
}  // namespace abut::test
