// SPDX-License-Identifier: MIT
#include "shapes/quickhull.hpp"

#include "shapes/exact_orientation.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

struct Facet {
  std::array<std::uint32_t, 3> corners;
  std::array<std::uint32_t, 3> neighbors;
  std::vector<std::uint32_t> outside;  // Points strictly beyond this facet, each in one list only.
  Vec3 normal;                         // Not unit; only ranks the points of one list.
  bool isAlive = true;
  std::uint32_t mark = 0;  // Round in which a point was seen to be beyond or on the facet.
};

struct HorizonEdge {
  std::uint32_t from, to;  // Along the facet that stays, backwards.
  std::uint32_t neighbor;  // The facet that stays.
};

class Builder {
public:
  explicit Builder(std::span<const Vec3> points) : points_(points) {}

  void start(std::array<std::uint32_t, 4> c) {
    if (side(c[0], c[1], c[2], c[3]) > 0) std::swap(c[1], c[2]);
    // Now c[3] is behind the triangle (0, 1, 2).
    addFacet(c[0], c[1], c[2]);
    addFacet(c[0], c[3], c[1]);
    addFacet(c[1], c[3], c[2]);
    addFacet(c[2], c[3], c[0]);
    facets_[0].neighbors = {1, 2, 3};
    facets_[1].neighbors = {3, 2, 0};
    facets_[2].neighbors = {1, 3, 0};
    facets_[3].neighbors = {2, 1, 0};
    for (std::uint32_t p = 0; p < points_.size(); ++p) assign(p, 0);
  }

  void run() {
    for (std::uint32_t f = 0; f < facets_.size(); ++f) {
      if (facets_[f].isAlive && !facets_[f].outside.empty()) addPoint(f, farthest(f));
    }
  }

  [[nodiscard]] std::vector<HullTriangle> take() const {
    std::vector<std::uint32_t> number(facets_.size(), kNone);
    std::uint32_t count = 0;
    for (std::uint32_t f = 0; f < facets_.size(); ++f) {
      if (facets_[f].isAlive) number[f] = count++;
    }
    std::vector<HullTriangle> result;
    result.reserve(count);
    for (const Facet& facet : facets_) {
      if (!facet.isAlive) continue;
      const auto& n = facet.neighbors;
      result.push_back({facet.corners, {number[n[0]], number[n[1]], number[n[2]]}});
    }
    return result;
  }

private:
  [[nodiscard]] int side(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t p) const {
    return orientation(points_[a], points_[b], points_[c], points_[p]);
  }
  [[nodiscard]] int side(const Facet& f, std::uint32_t p) const {
    return side(f.corners[0], f.corners[1], f.corners[2], p);
  }

  std::uint32_t addFacet(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Facet facet;
    facet.corners = {a, b, c};
    facet.neighbors = {kNone, kNone, kNone};
    facet.normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
    facets_.push_back(std::move(facet));
    return static_cast<std::uint32_t>(facets_.size() - 1);
  }

  /// Puts the point on the list of the first facet, from `firstFacet` on, that it is beyond.
  void assign(std::uint32_t p, std::uint32_t firstFacet) {
    for (std::uint32_t f = firstFacet; f < facets_.size(); ++f) {
      if (side(facets_[f], p) > 0) {
        facets_[f].outside.push_back(p);
        return;
      }
    }
  }

  [[nodiscard]] std::uint32_t farthest(std::uint32_t f) const {
    const Facet& facet = facets_[f];
    const Vec3& origin = points_[facet.corners[0]];
    std::uint32_t best = facet.outside[0];
    double bestDistance = dot(facet.normal, points_[best] - origin);
    for (const std::uint32_t p : facet.outside) {
      const double distance = dot(facet.normal, points_[p] - origin);
      if (distance > bestDistance) {
        best = p;
        bestDistance = distance;
      }
    }
    return best;
  }

  /// Facets that the point is beyond or exactly on, found from one that it is beyond. Facets that
  /// it is on go as well: the new facets along the horizon then cannot be degenerate, because the
  /// point is strictly behind the facets that stay.
  void collectVisible(std::uint32_t seed, std::uint32_t p) {
    ++round_;
    visible_.assign(1, seed);
    horizon_.clear();
    facets_[seed].mark = round_;
    for (std::size_t i = 0; i < visible_.size(); ++i) {
      const Facet& facet = facets_[visible_[i]];
      for (const std::uint32_t n : facet.neighbors) {
        if (facets_[n].mark == round_ || side(facets_[n], p) < 0) continue;
        facets_[n].mark = round_;
        visible_.push_back(n);
      }
    }
    for (const std::uint32_t v : visible_) {
      const Facet& facet = facets_[v];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t n = facet.neighbors[k];
        if (facets_[n].mark == round_) continue;
        horizon_.push_back({facet.corners[k], facet.corners[(k + 1) % 3], n});
      }
    }
  }

  void addPoint(std::uint32_t seed, std::uint32_t p) {
    collectVisible(seed, p);
    const std::uint32_t firstNew = static_cast<std::uint32_t>(facets_.size());
    starts_at_.resize(points_.size(), kNone);
    for (const HorizonEdge& edge : horizon_) {
      const std::uint32_t f = addFacet(edge.from, edge.to, p);
      facets_[f].neighbors[0] = edge.neighbor;
      starts_at_[edge.from] = f;
      Facet& stays = facets_[edge.neighbor];
      for (std::size_t k = 0; k < 3; ++k) {
        if (stays.corners[k] == edge.to && stays.corners[(k + 1) % 3] == edge.from) {
          stays.neighbors[k] = f;
        }
      }
    }
    for (std::uint32_t f = firstNew; f < facets_.size(); ++f) {
      const std::uint32_t next = starts_at_[facets_[f].corners[1]];
      facets_[f].neighbors[1] = next;
      facets_[next].neighbors[2] = f;
    }
    for (const std::uint32_t v : visible_) {
      facets_[v].isAlive = false;
      for (const std::uint32_t q : facets_[v].outside) {
        if (q != p) assign(q, firstNew);
      }
      facets_[v].outside = {};
    }
  }

  std::span<const Vec3> points_;
  std::vector<Facet> facets_;
  std::vector<std::uint32_t> visible_;
  std::vector<HorizonEdge> horizon_;
  std::vector<std::uint32_t> starts_at_;
  std::uint32_t round_ = 0;
};

}  // namespace

std::vector<HullTriangle> triangulateHull(std::span<const Vec3> points,
                                          const std::array<std::uint32_t, 4>& first) {
  Builder builder(points);
  builder.start(first);
  builder.run();
  return builder.take();
}

}  // namespace abut::inline v0_1
