// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <abut/core/object_id.hpp>
#include <abut/math/aabb.hpp>

namespace abut::bench {

/// Boxes of all objects at one moment; object i has id i + 1.
using Boxes = std::vector<Aabb>;
using Pairs = std::vector<ObjectPair>;

/// One library's broad phase.
class BroadPeer {
public:
  virtual ~BroadPeer() = default;
  [[nodiscard]] virtual std::string getName() const = 0;
  /// False if the library would take minutes for so many objects.
  [[nodiscard]] virtual bool accepts(std::size_t count) const { return count > 0; }
  virtual void build(const Boxes& boxes) = 0;
  /// What is timed: gives every object its new box and finds all pairs.
  virtual void step(const Boxes& boxes) = 0;
  /// The pairs that the last step found, in any order; more than overlap if boxes are kept fat.
  virtual void getPairs(Pairs& pairs) const = 0;
};

std::unique_ptr<BroadPeer> makeBroadAbut();
std::vector<std::unique_ptr<BroadPeer>> makeBroadFcl();
std::vector<std::unique_ptr<BroadPeer>> makeBroadBullet();
std::vector<std::unique_ptr<BroadPeer>> makeBroadOde();

}  // namespace abut::bench
