// SPDX-License-Identifier: MIT
#pragma once

#include <abut/dynamics/material.hpp>

#include "dynamics/body_table.hpp"
#include "math/vec3.hpp"

namespace abut::inline v0_1 {

/// A contact point as its two bodies see it: what every scheme begins with.
struct ContactSite {
  Vec3 normal;      ///< From body 2 to body 1, world.
  Vec3 arm1, arm2;  ///< From the centres of mass to where each body is pushed [m].
};

/// Each body is pushed where its own surface is: across a gap the midpoint is on neither. With
/// depth 0 both are pushed at `position`, midway.
inline ContactSite siteAt(const Vec3& position, const Vec3& normal, double depth,
                          const Vec3& center1, const Vec3& center2) {
  const Vec3 half = normal * (0.5 * depth);
  return {normal, (position - half) - center1, (position + half) - center2};
}

/// Material of the part of a body that touches.
inline MaterialId materialOf(const BodyFacts& facts, std::uint64_t subShape) {
  const std::size_t child = static_cast<std::uint32_t>(subShape >> 32);
  return child < facts.materials.size() ? facts.materials[child] : facts.materials.front();
}

/// What the surfaces of two bodies are to each other, looked up once for contacts alike: most are
/// of the same materials as the one before.
class SurfacePairs {
public:
  explicit SurfacePairs(const MaterialTable& materials) : materials_(materials) {}

  const PairMaterial& between(const BodyFacts& f, std::uint64_t subShape1, const BodyFacts& g,
                              std::uint64_t subShape2) {
    const MaterialId a = materialOf(f, subShape1), b = materialOf(g, subShape2);
    if (!known_ || a != first_ || b != second_) pair_ = materials_.between(a, b);
    known_ = true;
    first_ = a;
    second_ = b;
    return pair_;
  }

private:
  const MaterialTable& materials_;
  bool known_ = false;
  MaterialId first_ = 0, second_ = 0;
  PairMaterial pair_;
};

/// Velocity of surface 1 over surface 2 that the bodies' own motion does not have [m/s].
inline Vec3 surfaceOffset(const BodyFacts& f, const BodyFacts& g) {
  return f.surfaceVelocity - g.surfaceVelocity;
}

}  // namespace abut::inline v0_1
