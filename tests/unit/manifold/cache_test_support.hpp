// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <abut/manifold/contact_manifold_cache.hpp>

#include "support/random.hpp"

namespace abut::test {

/// A raw contact with an up or given normal.
inline ContactPoint rawPoint(double x, double y, double depth, std::uint32_t vertex,
                             const Eigen::Vector3d& normal = {0, 0, 1}) {
  ContactPoint p;
  p.position = {x, y, 0.0};
  p.normal = normal;
  p.depth = depth;
  p.feature1 = {Feature::Kind::Vertex, vertex};
  p.feature2 = {Feature::Kind::Face, 5};
  return p;
}

inline ContactManifold rawManifold(ObjectId a, ObjectId b, const std::vector<ContactPoint>& points,
                                   ContactType type = ContactType::Face) {
  ContactManifold m;
  m.setObjects(a, b);
  m.setType(type);
  for (const ContactPoint& p : points) m.addContact(p);
  return m;
}

/// Poses of objects 1..n at the origin.
inline std::vector<ObjectPose> posesAtOrigin(ObjectId n) {
  std::vector<ObjectPose> poses;
  for (ObjectId i = 1; i <= n; ++i) poses.push_back({i, Pose{}});
  return poses;
}

/// Four corners of a square of the given half side, vertices 0..3.
inline std::vector<ContactPoint> square(double half, double depth) {
  return {rawPoint(-half, -half, depth, 0), rawPoint(half, -half, depth, 1),
          rawPoint(half, half, depth, 2), rawPoint(-half, half, depth, 3)};
}

template <typename T>
void shuffle(Random& random, std::vector<T>& items) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.bits() % i]);
}

/// FNV-1a over everything that update() gives out.
inline std::uint64_t hashOf(const ContactManifoldCache& cache) {
  std::uint64_t h = 14695981039346656037u;
  const auto add = [&h](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) h = (h ^ bytes[i]) * 1099511628211u;
  };
  for (const PersistentContact& c : cache.getContacts()) {
    add(&c.pair.first, 8);
    add(&c.pair.second, 8);
    add(c.contact.position.data(), 24);
    add(c.contact.normal.data(), 24);
    add(&c.contact.depth, 8);
    add(&c.contact.feature1.index, 4);
    add(&c.contact.feature2.index, 4);
    add(&c.normalImpulse, 8);
    add(c.tangentImpulse.data(), 24);
    add(&c.id, 8);
    add(&c.age, 4);
  }
  return h;
}

}  // namespace abut::test
