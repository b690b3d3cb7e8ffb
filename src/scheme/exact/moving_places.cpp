// SPDX-License-Identifier: MIT
//
// Where the contacts of an island are at the end of a leg.
#include <abut/math/convert.hpp>
#include <abut/narrow_phase/queries.hpp>

#include "math/rotation_vector.hpp"
#include "scheme/exact/moving_contacts.hpp"
#include "scheme/exact/stages.hpp"

namespace abut::inline v0_1 {
namespace {

/// Gaps that differ by less than this share of the smaller body's size are the same.
constexpr double kSameGap = 1e-11;
/// A rim none of whose points is deeper than the others by more than this share lies flat: it does
/// not roll over one of them.
constexpr double kLiesFlat = 1e-6;
/// Points that are farther apart than this share of it are two; normals that differ by less than
/// the second are those of one plane.
constexpr double kNear = 1e-3, kOnePlane = 1e-3;
/// What lies flush beside other ground is met along the normal of both, or it is its edge that is.
constexpr double kOneNormal = 0.999;
/// Faces that meet in a plane have so many points listed at least. A body that touches in one or
/// two rolls: the point it touches in is another in each step.
constexpr std::size_t kFlatPoints = 3;

bool hasRim(const Shape& shape) {
  return shape.getType() == ShapeType::Cylinder || shape.getType() == ShapeType::Cone;
}

bool hasVertex(const ContactPoint& p) {
  return p.feature1.kind == Feature::Kind::Vertex || p.feature2.kind == Feature::Kind::Vertex;
}

Pose shapePoseAt(const BodyFacts& f, const MovingBody& b) {
  const Mat3 r = toMatrix(b.orientation);
  return compose({r, b.position - r * f.center}, *f.shapePose);
}

/// How far a point of a body went in the leg, at most [m].
double wayOf(const BodyFacts& f, const MovingBody& b) {
  const Vec3 turn = rotationBetween(b.startOrientation, b.orientation);
  const double way = norm(b.position - b.startPosition);
  if (turn == Vec3{}) return way;
  return way + norm(turn) * (f.shape->boundingRadius() + norm(f.shapePose->translation - f.center));
}

const ContactPoint& cachedOf(const ExactStep& s, std::uint32_t contact) {
  return s.cache.getContacts()[s.contacts.all[contact].cacheIndex].contact;
}

}  // namespace

/// How far apart points are looked for at the end [m]. Those that were apart by more than their
/// bodies went do not matter, and all others are no farther apart than twice that. Where there are
/// many triangles within the margins it is worth knowing.
double MovingContacts::reachAtEnd(const ExactStep& s, const StepContact& c) const {
  constexpr double kOfMargin = 0.1;
  const BodyFacts &f = s.in.bodies.facts[c.body1], &g = s.in.bodies.facts[c.body2];
  const double margins = 2.0 * (s.found.margins[c.body1] + s.found.margins[c.body2]);
  const auto hasTriangles = [](const Shape& shape) { return shape.getType() > ShapeType::Plane; };
  if (!hasTriangles(*f.shape) && !hasTriangles(*g.shape)) return margins;
  if (!isFinite(f.shape->boundingRadius()) || !isFinite(g.shape->boundingRadius())) return margins;
  const double way = wayOf(f, bodies_[c.body1]) + wayOf(g, bodies_[c.body2]);
  return minOf(margins, 2.0 * way + kOfMargin * s.in.detectionMargin);
}

/// Contacts where the bodies are predicted to be, pair by pair.
void MovingContacts::placeAtEnd(const ExactStep& s, const Island& island) {
  const std::span<const std::uint32_t> all(s.contacts.order.data() + island.firstContact,
                                           island.numContacts);
  for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
    const StepContact& c = s.contacts.all[all[first]];
    while (end < all.size() && s.contacts.all[all[end]].body1 == c.body1 &&
           s.contacts.all[all[end]].body2 == c.body2)
      ++end;
    const BodyFacts &f = s.in.bodies.facts[c.body1], &g = s.in.bodies.facts[c.body2];
    CollisionOption option;
    option.margin = reachAtEnd(s, c);
    found_.clear();
    const Status status =
        collide({f.shape.get(), shapePoseAt(f, bodies_[c.body1]), f.id},
                {g.shape.get(), shapePoseAt(g, bodies_[c.body2]), g.id}, option, found_);
    if (!status) found_.clear();
    matchPoints(s, all.subspan(first, end - first));
  }
}

/// Whether a contact is the deepest of its pair, or of those with its features, beyond rounding: of
/// the latter it is the one where a rim or a side touches, and stays that wherever it goes along
/// it.
bool MovingContacts::isDeepest(const ExactStep& s, std::span<const std::uint32_t> contacts,
                               std::uint32_t index, bool ofPair, double tie) const {
  const ContactPoint& own = cachedOf(s, index);
  for (const std::uint32_t other : contacts) {
    if (other == index) continue;
    const ContactPoint& p = cachedOf(s, other);
    if (!ofPair && (p.feature1 != own.feature1 || p.feature2 != own.feature2)) continue;
    if (!(contacts_[index].start.gap < contacts_[other].start.gap - tie)) return false;
  }
  return true;
}

/// The point with a contact's features that no other took: the nearest to where the contact is
/// expected or, if it was the deepest of its kind, the deepest. Its number in found_, or none.
std::size_t MovingContacts::findSame(const ExactStep& s, std::uint32_t index, bool isLowest,
                                     double tie) const {
  const PersistentContact& source = s.cache.getContacts()[s.contacts.all[index].cacheIndex];
  const ManifoldKey& key = s.cache.getManifolds()[source.manifold].key;
  const Vec3 expected = bodies_[s.contacts.all[index].body1].position + contacts_[index].end.arm1;
  std::size_t best = points_.size();
  double bestDistance = 0.0;
  std::size_t n = 0;
  for (const ContactManifold& manifold : found_.getManifolds()) {
    const bool sameParts =
        manifold.getSubShape1() == key.subShape1 && manifold.getSubShape2() == key.subShape2;
    for (const ContactPoint& p : manifold.getContacts()) {
      const std::size_t number = n++;
      if (used_[number] != 0 || !sameParts || p.feature1 != source.contact.feature1 ||
          p.feature2 != source.contact.feature2)
        continue;
      const double distance = norm(toVec3(p.position) - expected);
      if (best < points_.size()) {
        const double deeper = p.depth - points_[best]->depth;
        const bool isBetter =
            isLowest && absOf(deeper) > tie ? deeper > 0.0 : distance < bestDistance;
        if (!isBetter) continue;
      }
      best = number;
      bestDistance = distance;
    }
  }
  return best;
}

/// The nearest point that no other took, if motion can have brought the contact there.
std::size_t MovingContacts::findNearest(const Vec3& expected, double reach) const {
  std::size_t best = points_.size();
  double bestDistance = reach;
  for (std::size_t n = 0; n < points_.size(); ++n) {
    if (used_[n] != 0) continue;
    const double distance = norm(toVec3(points_[n]->position) - expected);
    if (!(distance <= bestDistance) || (best < points_.size() && !(distance < bestDistance)))
      continue;
    best = n;
    bestDistance = distance;
  }
  return best;
}

/// Whether a contact that is not listed, of which the nearest that is listed is another, lies in a
/// plane that its bodies still meet in: of more points than a manifold holds those are listed that
/// rounding makes the deepest.
bool MovingContacts::isLeftOut(const ExactStep& s, std::uint32_t index, std::size_t nearest,
                               double near) const {
  if (points_.size() < kFlatPoints) return false;
  const MovedPlace& end = contacts_[index].end;
  const Vec3 expected = bodies_[s.contacts.all[index].body1].position + end.arm1;
  if (norm(toVec3(points_[nearest]->position) - expected) <= near) return false;
  for (const ContactPoint* p : points_) {
    if (norm(toVec3(p->normal) - end.normal) <= kOnePlane) return true;
  }
  return false;
}

/// A rim may have stood on one of the points that are always listed of it. Where it has rolled on,
/// the deepest point is one between those, without a vertex.
std::size_t MovingContacts::findOnRim(double depth) const {
  std::size_t best = points_.size();
  for (std::size_t n = 0; n < points_.size(); ++n) {
    const ContactPoint& p = *points_[n];
    if (used_[n] != 0 || hasVertex(p) || !(p.depth > depth)) continue;
    best = n;
    depth = p.depth;
  }
  return best;
}

/// Whether a point is of an edge that only a seam makes: of bodies that a contact of the step's
/// beginning has with both grounds along one normal.
bool MovingContacts::isEdgeOfSeam(const ExactStep& s, std::uint32_t index,
                                  std::size_t point) const {
  const StepContact& c = s.contacts.all[index];
  return s.motion.areFlush(c.body1, c.body2) &&
         dot(toVec3(points_[point]->normal), contacts_[index].end.normal) < kOneNormal;
}

/// Each contact becomes the point found with its features; those without one then the nearest that
/// is left, or they go along with their bodies.
void MovingContacts::matchPoints(const ExactStep& s, std::span<const std::uint32_t> contacts) {
  const StepContact& first = s.contacts.all[contacts.front()];
  const BodyFacts& f = s.in.bodies.facts[first.body1];
  const BodyFacts& g = s.in.bodies.facts[first.body2];
  const double reach = s.found.margins[first.body1] + s.found.margins[first.body2];
  const double tie = kSameGap * minOf(f.shape->boundingRadius(), g.shape->boundingRadius());
  const bool isRound = hasRim(*f.shape) || hasRim(*g.shape);
  const double flat = (kLiesFlat / kSameGap) * tie;
  points_.clear();
  for (const ContactManifold& manifold : found_.getManifolds()) {
    for (const ContactPoint& p : manifold.getContacts()) points_.push_back(&p);
  }
  used_.assign(points_.size(), 0);
  matched_.assign(contacts.size(), 0);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const std::uint32_t index = contacts[k];
    carryAlong(s.contacts.all[index], cachedOf(s, index), contacts_[index]);
    std::size_t best = findSame(s, index, isDeepest(s, contacts, index, false, tie), tie);
    if (isRound && hasVertex(cachedOf(s, index)) && isDeepest(s, contacts, index, true, flat)) {
      const double depth = best < points_.size() ? points_[best]->depth : -contacts_[index].end.gap;
      const std::size_t deeper = findOnRim(depth + tie);
      if (deeper < points_.size()) best = deeper;
    }
    if (best < points_.size() && !isEdgeOfSeam(s, index, best)) take(s, index, best);
    matched_[k] = best < points_.size() ? 1 : 0;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const std::uint32_t index = contacts[k];
    if (matched_[k] != 0) continue;
    const Vec3 expected = bodies_[first.body1].position + contacts_[index].end.arm1;
    const std::size_t best = findNearest(expected, reach);
    if (best < points_.size() && !isEdgeOfSeam(s, index, best) &&
        !isLeftOut(s, index, best, (kNear / kSameGap) * tie))
      take(s, index, best);
  }
}

void MovingContacts::take(const ExactStep& s, std::uint32_t index, std::size_t point) {
  const StepContact& c = s.contacts.all[index];
  const ContactPoint& p = *points_[point];
  used_[point] = 1;
  const Vec3 normal = toVec3(p.normal), at = toVec3(p.position);
  const Vec3 half = normal * (s.in.speculative ? 0.5 * p.depth : 0.0);
  contacts_[index].end = {normal, (at - half) - bodies_[c.body1].position,
                          (at + half) - bodies_[c.body2].position, -p.depth};
}

/// A vertex goes along with its body, the normal with the other; without one the point goes with
/// body 1.
void MovingContacts::carryAlong(const StepContact& c, const ContactPoint& from,
                                MovingContact& m) const {
  const MovingBody &b1 = bodies_[c.body1], &b2 = bodies_[c.body2];
  const auto turned = [](const MovingBody& b, const Vec3& v) {
    return toMatrix(b.orientation) * transposeTimes(toMatrix(b.startOrientation), v);
  };
  const bool isOf2 =
      from.feature2.kind == Feature::Kind::Vertex && from.feature1.kind != Feature::Kind::Vertex;
  const Vec3 arm1 = turned(b1, m.start.arm1), arm2 = turned(b2, m.start.arm2);
  const Vec3 at1 = b1.position + arm1, at2 = b2.position + arm2;
  const Vec3 normal = turned(isOf2 ? b1 : b2, m.start.normal);
  const double gap = dot(normal, at1 - at2);
  if (isOf2) {
    m.end = {normal, (at2 + normal * gap) - b1.position, arm2, gap};
  } else {
    m.end = {normal, arm1, (at1 - normal * gap) - b2.position, gap};
  }
}

}  // namespace abut::inline v0_1
