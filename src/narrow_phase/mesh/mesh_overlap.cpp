// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/mesh_overlap.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/clear_way.hpp"
#include "narrow_phase/tolerances.hpp"

namespace abut::inline v0_1 {
namespace {

/// Depths within this of the way out, relatively, are that way.
constexpr double kSameWay = 1e-3;
/// Bounds of the cost: places where two meshes cross, and directions that are tried in each.
constexpr std::size_t kMaxPlaces = 32;
constexpr std::size_t kMaxWays = 12;
/// Of more triangles than this fewer directions are tried, but for the likeliest.
constexpr std::size_t kMaxWork = 8192, kLeastWays = 2;
/// Ways are looked for up to the size of a place times these: 1/64, 1/8, 1.
constexpr double kShortest = 1.0 / 64.0, kLonger = 8.0;

/// Where two triangles cross, along normal 2 x normal 1.
struct Cut {
  std::uint32_t triangle1, triangle2;
  Vec3 from, to;
  std::uint32_t place;

  [[nodiscard]] auto key() const { return std::tuple(triangle1, triangle2); }
};

struct Place {
  Bounds box;
  std::uint32_t number;
};

struct Way {
  double weight;
  std::uint32_t number;
  Vec3 normal;

  [[nodiscard]] auto key() const { return std::tuple(-weight, number); }
};

/// The crossing of a segment with a triangle.
bool crossing(const Vec3& from, const Vec3& to, const Vec3* t, const Vec3& normal, Vec3& point) {
  const double h0 = dot(normal, from - t[0]), h1 = dot(normal, to - t[0]);
  if ((h0 < 0.0) == (h1 < 0.0)) return false;
  point = from + (to - from) * (h0 / (h0 - h1));
  const Vec3 along = to - from;
  double side[3];
  for (int k = 0; k < 3; ++k) side[k] = dot(along, cross(t[k] - from, t[(k + 1) % 3] - from));
  return (side[0] >= 0.0 && side[1] >= 0.0 && side[2] >= 0.0) ||
         (side[0] <= 0.0 && side[1] <= 0.0 && side[2] <= 0.0);
}

bool isBeside(const Vec3* t, const Vec3& point, const Vec3& normal) {
  const double h0 = dot(normal, t[0] - point), h1 = dot(normal, t[1] - point);
  const double h2 = dot(normal, t[2] - point);
  return (h0 < 0.0 && h1 < 0.0 && h2 < 0.0) || (h0 > 0.0 && h1 > 0.0 && h2 > 0.0);
}

bool findCut(const MeshPair& pair, const TrianglePair& triangles, Cut& cut) {
  Vec3 a[3], b[3];
  for (int k = 0; k < 3; ++k) b[k] = pair.side2.corner(triangles.triangle2, k);
  for (int k = 0; k < 3; ++k) a[k] = pair.side1.corner(triangles.triangle1, k);
  const Vec3 n1 = pair.side1.normal(triangles.triangle1);
  const Vec3 n2 = pair.side2.normal(triangles.triangle2);
  if (isBeside(a, b[0], n2) || isBeside(b, a[0], n1)) return false;
  int count = 0;
  double longest = -1.0;
  const auto offer = [&](const Vec3& p) {
    if (count++ == 0) {
      cut.from = cut.to = p;
    } else if (norm(p - cut.from) > longest) {
      longest = norm(p - cut.from);
      cut.to = p;
    }
  };
  for (int k = 0; k < 3; ++k) {
    Vec3 p;
    if (crossing(a[k], a[(k + 1) % 3], b, n2, p)) offer(p);
    if (crossing(b[k], b[(k + 1) % 3], a, n1, p)) offer(p);
  }
  if (count == 0) return false;
  if (dot(cut.to - cut.from, cross(n2, n1)) < 0.0) std::swap(cut.from, cut.to);
  cut.triangle1 = triangles.triangle1;
  cut.triangle2 = triangles.triangle2;
  return true;
}

class Overlaps {
public:
  Overlaps(const MeshPair& pair, HeldContacts& held) : pair_(pair), held_(held) {}
  bool find(std::span<const TrianglePair> near);
  void settle();

private:
  std::uint32_t rootOf(std::uint32_t i);
  void join(std::uint32_t i, std::uint32_t k);
  void joinCuts();
  bool listPlaces();
  void settle(const Place& place);
  void listWays(const Place& place);
  void addWay(const Vec3& normal, double weight);
  void add(const Vec3& normal, double depth);
  [[nodiscard]] bool isElsewhere(std::uint32_t place, std::uint32_t t1, std::uint32_t t2);
  [[nodiscard]] bool isAt(const Place& place, const HeldContacts::Contact& contact) const;

  const MeshPair& pair_;
  HeldContacts& held_;
  ScratchList<Cut> cuts_;
  ScratchList<Place> places_;
  ScratchList<Way> ways_;
  ScratchList<Meeting> meetings_;
};

std::uint32_t Overlaps::rootOf(std::uint32_t i) {
  const std::span<Cut> all = cuts_.items();
  while (all[i].place != i) i = all[i].place = all[all[i].place].place;
  return i;
}

void Overlaps::join(std::uint32_t i, std::uint32_t k) {
  const std::uint32_t a = rootOf(i), b = rootOf(k);
  cuts_.items()[std::max(a, b)].place = std::min(a, b);
}

/// Cuts of one triangle are in one place.
void Overlaps::joinCuts() {
  const std::span<Cut> all = cuts_.items();
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i].place = i;
  for (std::uint32_t i = 1; i < all.size(); ++i) {
    if (all[i].triangle1 == all[i - 1].triangle1) join(i, i - 1);
  }
  ScratchList<std::uint64_t> second;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    second.push((static_cast<std::uint64_t>(all[i].triangle2) << 32u) | i);
  }
  const std::span<std::uint64_t> keys = second.items();
  std::sort(keys.begin(), keys.end());
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (keys[i] >> 32u != keys[i - 1] >> 32u) continue;
    join(static_cast<std::uint32_t>(keys[i]), static_cast<std::uint32_t>(keys[i - 1]));
  }
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i].place = rootOf(i);
}

/// False if there are too many.
bool Overlaps::listPlaces() {
  places_.resize(0);
  for (const Cut& cut : cuts_.items()) {
    const Bounds box{minOf(cut.from, cut.to), maxOf(cut.from, cut.to)};
    std::size_t at = 0;
    while (at < places_.size() && places_.items()[at].number != cut.place) ++at;
    if (at == kMaxPlaces) return false;
    if (at == places_.size()) {
      places_.push({box, cut.place});
    } else {
      places_.items()[at].box = merged(places_.items()[at].box, box);
    }
  }
  return true;
}

bool Overlaps::find(std::span<const TrianglePair> near) {
  for (const TrianglePair& triangles : near) {
    Cut cut;
    if (findCut(pair_, triangles, cut)) cuts_.push(cut);
  }
  std::sort(cuts_.items().begin(), cuts_.items().end(),
            [](const Cut& a, const Cut& b) { return a.key() < b.key(); });
  if (cuts_.size() == 0) return false;
  joinCuts();
  return listPlaces();
}

void Overlaps::settle() {
  const std::size_t count = places_.size();
  for (std::size_t i = 0; i < count; ++i) {
    Place place = places_.items()[i];
    // A bulge is at most as high as its rim is wide, mostly.
    const Vec3 extent = place.box.max - place.box.min;
    place.box = grown(place.box, 0.5 * norm(extent) + kNearerSlack * pair_.size);
    settle(place);
  }
}

bool Overlaps::isElsewhere(std::uint32_t place, std::uint32_t t1, std::uint32_t t2) {
  const std::span<const Cut> all = cuts_.items();
  const auto at = std::lower_bound(all.begin(), all.end(), std::tuple(t1, t2),
                                   [](const Cut& cut, const auto& key) { return cut.key() < key; });
  return at != all.end() && at->triangle1 == t1 && at->triangle2 == t2 && at->place != place;
}

bool Overlaps::isAt(const Place& place, const HeldContacts::Contact& contact) const {
  for (int i = 0; i < contact.count; ++i) {
    const Vec3 p = transposeTimes(pair_.toQuery, contact.points[i].position);
    if (overlaps(place.box, {p, p})) return true;
  }
  return false;
}

void Overlaps::addWay(const Vec3& normal, double weight) {
  ways_.push({weight, static_cast<std::uint32_t>(ways_.size()), normal});
}

void Overlaps::listWays(const Place& place) {
  ways_.resize(0);
  const Vec3 middle = (place.box.min + place.box.max) * 0.5;
  Vec3 area{};
  double around = 0.0;
  for (const Cut& cut : cuts_.items()) {
    if (cut.place != place.number) continue;
    area += cross(cut.from - middle, cut.to - middle) * 0.5;
    const double length = norm(cut.to - cut.from);
    around += length;
    addWay(pair_.side2.patchNormal(cut.triangle2), length);
    addWay(-pair_.side1.patchNormal(cut.triangle1), length);
  }
  const double touch = kTouchTolerance * pair_.size;
  for (const HeldContacts::Contact& contact : held_.getContacts()) {
    if (contact.points[0].depth <= touch || !isAt(place, contact)) continue;
    addWay(transposeTimes(pair_.toQuery, contact.normal), around + contact.points[0].depth);
  }
  if (norm(area) > 0.0) addWay(normalized(area), 2.0 * (around + pair_.size));
  std::sort(ways_.items().begin(), ways_.items().end(),
            [](const Way& a, const Way& b) { return a.key() < b.key(); });
  // Each once.
  const std::span<Way> all = ways_.items();
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.size() && count < kMaxWays; ++i) {
    bool known = false;
    for (std::size_t k = 0; k < count; ++k) known = known || all[k].normal == all[i].normal;
    if (!known) all[count++] = all[i];
  }
  ways_.resize(count);
}

void Overlaps::settle(const Place& place) {
  const auto isOther = [&](std::uint32_t t1, std::uint32_t t2) {
    return isElsewhere(place.number, t1, t2);
  };
  listWays(place);
  ClearWay clear(pair_, place.box);
  const std::size_t few = std::max(kLeastWays, kMaxWork / (clear.size() + 1));
  ways_.resize(std::min(ways_.size(), few));
  double best = norm(place.box.max - place.box.min);
  const double most = best;
  Vec3 normal{};
  // Short ways first: what is looked at grows with them.
  for (double limit = most * kShortest; !(best < most) && limit <= most; limit *= kLonger) {
    best = limit;
    for (const Way& way : ways_.items()) {
      const double depth = clear.along(way.normal, best, isOther, meetings_);
      if (!(depth < best)) continue;
      best = depth;
      normal = way.normal;
    }
    if (best == limit) best = most;
  }
  if (!(best < most)) return;
  const double limit = best * (1.0 + kSameWay) + kNearerSlack * pair_.size;
  double deepest = 0.0;
  for (HeldContacts::Contact& contact : held_.getContacts()) {
    if (contact.points[0].depth <= 0.0 || !isAt(place, contact)) continue;
    if (contact.points[0].depth > limit) {
      contact.dropped = true;
    } else {
      deepest = maxOf(deepest, contact.points[0].depth);
    }
  }
  if (deepest >= best * (1.0 - kSameWay)) return;
  clear.along(normal, best * 2.0, isOther, meetings_);
  add(normal, best);
}

Feature featureOf(const MeshData& mesh, std::uint32_t t, Feature local) {
  if (local.kind == Feature::Kind::Vertex)
    return {local.kind, mesh.triangles[t].vertex[local.index]};
  if (local.kind == Feature::Kind::Edge) return {local.kind, mesh.triangles[t].edge[local.index]};
  return {Feature::Kind::Face, faceOf(mesh, t)};
}

void Overlaps::add(const Vec3& normal, double depth) {
  PairManifold m;
  m.normal = normal;
  const MeshSide &side1 = pair_.side1, &side2 = pair_.side2;
  std::uint32_t t1 = MeshData::kNone, t2 = MeshData::kNone;
  double deepest = -1.0;
  for (const Meeting& meeting : meetings_.items()) {
    if (meeting.end > depth || !(meeting.end > 0.0)) continue;
    const bool isFront = dot(side1.normal(meeting.triangle1), normal) < 0.0 &&
                         dot(side2.normal(meeting.triangle2), normal) > 0.0;
    if (!isFront && meeting.end < depth) continue;
    if (m.count == PairManifold::kMaxPoints) reduceManifold(m);
    m.add(meeting.point + normal * (0.5 * meeting.end), meeting.end,
          featureOf(side1.mesh, meeting.triangle1, meeting.feature1),
          featureOf(side2.mesh, meeting.triangle2, meeting.feature2));
    if (meeting.end <= deepest) continue;
    deepest = meeting.end;
    t1 = meeting.triangle1;
    t2 = meeting.triangle2;
  }
  if (m.count == 0) return;
  m.subShape1 = faceOf(side1.mesh, t1);
  m.subShape2 = faceOf(side2.mesh, t2);
  m.status = statusOfGap(-deepest, pair_.size);
  reduceManifold(m);
  m.type =
      m.count == 1 ? ContactType::Point : (m.count == 2 ? ContactType::Edge : ContactType::Face);
  m.normal = pair_.toQuery * m.normal;
  for (int i = 0; i < m.count; ++i) m.points[i].position = pair_.toQuery * m.points[i].position;
  held_.take(m);
}

}  // namespace

void settleOverlaps(const MeshPair& pair, std::span<const TrianglePair> near, HeldContacts& held) {
  if (!pair.side1.hasInside || !pair.side2.hasInside) return;
  Overlaps overlaps(pair, held);
  if (overlaps.find(near)) overlaps.settle();
}

}  // namespace abut::inline v0_1
