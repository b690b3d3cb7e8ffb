// SPDX-License-Identifier: MIT
#include "support/judge.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <sstream>

namespace abut::test {
namespace {

bool sameBits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool sameBits(const Vector& a, const Vector& b) {
  return sameBits(a.x(), b.x()) && sameBits(a.y(), b.y()) && sameBits(a.z(), b.z());
}

bool samePoints(const ContactPoint& a, const ContactPoint& b, bool mirrored) {
  const Vector normal = mirrored ? Vector(-b.normal) : b.normal;
  const Feature& feature1 = mirrored ? b.feature2 : b.feature1;
  const Feature& feature2 = mirrored ? b.feature1 : b.feature2;
  return sameBits(a.position, b.position) && sameBits(a.normal, normal) &&
         sameBits(a.depth, b.depth) && a.feature1 == feature1 && a.feature2 == feature2;
}

bool sameResults(const CollisionResult& a, const CollisionResult& b, bool mirrored) {
  if (a.isCollision() != b.isCollision() || a.numManifolds() != b.numManifolds()) return false;
  for (std::size_t i = 0; i < a.numManifolds(); ++i) {
    const ContactManifold &m = a.getManifold(i), &k = b.getManifold(i);
    if (m.numContacts() != k.numContacts() || m.getType() != k.getType() ||
        m.getStatus() != k.getStatus() ||
        m.getSubShape1() != (mirrored ? k.getSubShape2() : k.getSubShape1()) ||
        m.getSubShape2() != (mirrored ? k.getSubShape1() : k.getSubShape2())) {
      return false;
    }
    for (std::size_t j = 0; j < m.numContacts(); ++j) {
      if (!samePoints(m.getContact(j), k.getContact(j), mirrored)) return false;
    }
  }
  return true;
}

/// Collects what is wrong.
class Bench {
public:
  explicit Bench(Verdict& verdict) : verdict_(verdict) {}

  void demand(bool holds, const std::string& what) {
    if (!holds) verdict_.message += (verdict_.message.empty() ? "" : "; ") + what;
  }
  void bound(double error, double tolerance, const std::string& what) {
    if (!(error <= tolerance)) {
      std::ostringstream text;
      text << what << ": error " << error << " of the size, allowed " << tolerance;
      demand(false, text.str());
    }
    if (error > verdict_.error) {
      verdict_.error = error;
      verdict_.worst = what;
    }
  }

private:
  Verdict& verdict_;
};

void judgeStatus(Bench& bench, QueryStatus status, double distance, double size) {
  // The library's size of a pair may differ from ours by a small factor.
  constexpr double kTouching = 4e-12;
  switch (status) {
    case QueryStatus::Separated:
      bench.demand(distance > 0.0, "status separated without a gap");
      return;
    case QueryStatus::Touching:
      bench.demand(std::abs(distance) <= kTouching * size, "status touching out of reach");
      return;
    case QueryStatus::Penetrating:
      bench.demand(distance < 0.0, "status penetrating without overlap");
      return;
    case QueryStatus::IterationLimit:
      bench.demand(false, "iteration limit");
      return;
  }
}

void judgeContacts(Bench& bench, const Body& body1, const Body& body2,
                   const CollisionResult& result, double depth, const JudgeOptions& options) {
  const double size = pairSize(body1, body2);
  bench.demand(result.numManifolds() == 1, "not one manifold");
  if (result.numManifolds() != 1) return;
  const ContactManifold& manifold = result.getManifold(0);
  bench.demand(manifold.numContacts() >= 1 && manifold.numContacts() <= 4, "number of contacts");
  judgeStatus(bench, manifold.getStatus(), -depth, size);
  bench.bound(std::abs(result.penetrationDepth() - depth) / size, options.tolerance,
              "greatest depth of the contacts against distance()");
  const Vector n = manifold.getSharedNormal();
  bench.bound(std::abs(n.norm() - 1.0), options.tolerance, "length of the contact normal");
  bench.bound(std::abs(overlapAlong(body1, body2, n) - result.penetrationDepth()) / size,
              options.tolerance, "support depth along the contact normal");
  for (const ContactPoint& c : manifold.getContacts()) {
    bench.demand(sameBits(c.normal, n), "contacts of a manifold with several normals");
    bench.bound((c.point1() - c.point2() + c.depth * c.normal).norm() / size, options.tolerance,
                "p1 - p2 = -depth * normal");
    bench.bound(outsideBy(body1, c.point1()) / size, options.pointTolerance,
                "contact point off body 1");
    bench.bound(outsideBy(body2, c.point2()) / size, options.pointTolerance,
                "contact point off body 2");
  }
}

void judgeCollide(Bench& bench, const Body& body1, const Body& body2, double distance,
                  const JudgeOptions& options, Verdict& verdict) {
  const double size = pairSize(body1, body2);
  const PlacedShape a = body1.placed(1), b = body2.placed(2);
  CollisionOption option = CollisionOption::fullContacts();
  CollisionResult result, mirrored, binary;
  collide(a, b, option, result).orThrow();
  collide(b, a, option, mirrored).orThrow();
  bench.demand(isMirrored(result, mirrored), "collide(b, a) is not the mirror image");
  collide(a, b, CollisionOption::binaryCheck(), binary).orThrow();
  bench.demand(binary.isCollision() == result.isCollision(), "binary check disagrees");
  verdict.contacts = result.numContacts();
  if (distance < 0.0) bench.demand(result.isCollision(), "overlap without contact");
  if (distance > 4e-12 * size) bench.demand(!result.isCollision(), "contact across a gap");
  if (result.isCollision()) judgeContacts(bench, body1, body2, result, -distance, options);

  option.margin = std::max(0.0, distance) + 1e-3 * size;
  result.clear();
  collide(a, b, option, result).orThrow();
  bench.demand(result.isCollision(), "no contact within the margin");
  if (result.isCollision()) judgeContacts(bench, body1, body2, result, -distance, options);
}

}  // namespace

bool isMirrored(const DistanceResult& a, const DistanceResult& b) {
  return sameBits(a.distance, b.distance) && sameBits(a.normal, Vector(-b.normal)) &&
         sameBits(a.point1, b.point2) && sameBits(a.point2, b.point1) && a.feature1 == b.feature2 &&
         a.feature2 == b.feature1 && a.subShape1 == b.subShape2 && a.subShape2 == b.subShape1 &&
         a.status == b.status;
}

bool isSame(const DistanceResult& a, const DistanceResult& b) {
  return sameBits(a.distance, b.distance) && sameBits(a.normal, b.normal) &&
         sameBits(a.point1, b.point1) && sameBits(a.point2, b.point2) && a.feature1 == b.feature1 &&
         a.feature2 == b.feature2 && a.subShape1 == b.subShape1 && a.subShape2 == b.subShape2 &&
         a.status == b.status;
}

bool isMirrored(const CollisionResult& a, const CollisionResult& b) {
  return sameResults(a, b, true);
}

bool isSame(const CollisionResult& a, const CollisionResult& b) {
  return sameResults(a, b, false);
}

Verdict judge(const Body& body1, const Body& body2, const JudgeOptions& options) {
  Verdict verdict;
  Bench bench(verdict);
  try {
    const double size = pairSize(body1, body2);
    const PlacedShape a = body1.placed(1), b = body2.placed(2);
    DistanceResult result, mirrored;
    distance(a, b, result).orThrow();
    distance(b, a, mirrored).orThrow();
    verdict.distance = result.distance;
    bench.demand(isMirrored(result, mirrored), "distance(b, a) is not the mirror image");
    judgeStatus(bench, result.status, result.distance, size);
    std::string worst;
    const double error = certificateError(body1, body2, claimOf(result), worst);
    bench.bound(error, options.tolerance, worst);
    if (options.prove && result.distance < 0.0) {
      const LowestOverlap lowest =
          lowestOverlap(body1, body2, -result.distance, options.tolerance * size, options.maxCells);
      bench.bound((-result.distance - lowest.upper) / size, options.tolerance,
                  "a direction has less overlap");
    }
    judgeCollide(bench, body1, body2, result.distance, options, verdict);
  } catch (const std::exception& e) {
    bench.demand(false, std::string("exception: ") + e.what());
  }
  return verdict;
}

std::string describe(const Body& body1, const Body& body2) {
  static const char* const kNames[] = {"sphere", "box", "capsule", "cylinder", "cone", "hull"};
  std::ostringstream text;
  text.precision(17);
  for (const Body* body : {&body1, &body2}) {
    const Specimen& s = body->specimen;
    text << kNames[static_cast<int>(s.kind)] << " radius " << s.radius << " height " << s.height
         << " half " << s.half.transpose() << " points " << s.points.size() << " rotation (rows) "
         << body->rotation.row(0) << ", " << body->rotation.row(1) << ", " << body->rotation.row(2)
         << " position " << body->position.transpose() << "\n";
  }
  return text.str();
}

}  // namespace abut::test
