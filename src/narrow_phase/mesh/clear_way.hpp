// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>

#include "narrow_phase/dispatch/scratch.hpp"
#include "narrow_phase/mesh/mesh_mesh.hpp"

namespace abut::inline v0_1 {

/// Two triangles that meet while mesh 1 moves along a direction.
struct Meeting {
  std::uint32_t triangle1, triangle2;
  double begin, end;           ///< Of the way on which they meet [m].
  Vec3 point;                  ///< Of triangle 1, where it is now, that they part at [m].
  Feature feature1, feature2;  ///< That part there; of the triangles.

  [[nodiscard]] auto key() const { return std::tuple(begin, end, triangle1, triangle2); }
};

/// Parts of two meshes that overlap in one place, and the ways out of it.
class ClearWay {
public:
  /// Of mesh 1 the triangles that reach into the box; mesh 2 is looked at along the way.
  ClearWay(const MeshPair& pair, const Bounds& box);

  /// How far mesh 1 has to go along n until nothing of what now overlaps is crossed any more, and
  /// nothing that it comes to cross before; infinite if that is not below the limit, or if it does
  /// not come out in front of mesh 2. With `isOther(t1, t2)` pairs are left out.
  template <typename IsOther>
  double along(const Vec3& n, double limit, IsOther isOther, ScratchList<Meeting>& meetings) {
    begin(n, limit);
    meetings.resize(0);
    std::size_t looks = 0;
    const MeshSide& other = pair_.side2;
    for (const std::uint32_t t1 : triangles_.items()) {
      const Flat a = flatten(pair_.side1, t1);
      other.mesh.bvh.forEachOverlap(boxOfWay(t1), [&](std::uint32_t t2) {
        if (++looks > kMaxLooks) return;
        Meeting m;
        if (meet(a, flatten(other, t2), m) && !(m.begin <= 0.0 && isOther(t1, t2)))
          meetings.push(m);
      });
      if (looks > kMaxLooks) return std::numeric_limits<double>::infinity();
    }
    return follow(n, meetings);
  }

  /// Triangles of mesh 1 that are looked at.
  [[nodiscard]] std::size_t size() const { return triangles_.size(); }

private:
  /// A triangle seen along the way: x and y across, z along.
  struct Flat {
    std::uint32_t triangle;
    Vec3 corner[3];
    Bounds box;
  };

  /// Bounds the cost of a direction: pairs of triangles that are looked at.
  static constexpr std::size_t kMaxLooks = std::size_t{1} << 18u;

  void begin(const Vec3& n, double limit);
  /// Where a triangle of mesh 1 comes along, in the frame of mesh 2.
  [[nodiscard]] Bounds boxOfWay(std::uint32_t t) const;
  [[nodiscard]] Flat flatten(const MeshSide& side, std::uint32_t t) const;
  bool meet(const Flat& a, const Flat& b, Meeting& result) const;
  double follow(const Vec3& n, ScratchList<Meeting>& meetings) const;

  const MeshPair& pair_;
  Mat3 axes_;  // Across, across, along.
  double limit_ = 0.0;
  ScratchList<std::uint32_t> triangles_;  // Of mesh 1.
};

/// Triangles of a placed mesh whose boxes overlap a box of the working frame, ascending.
void findWithin(const MeshSide& side, const Bounds& box, ScratchList<std::uint32_t>& result);

}  // namespace abut::inline v0_1
