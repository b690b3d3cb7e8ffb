// SPDX-License-Identifier: MIT
#include "narrow_phase/dispatch/manifold_sink.hpp"

#include "narrow_phase/dispatch/reduce.hpp"

namespace abut::inline v0_1 {

void ManifoldSink::add(PairManifold& raw) {
  if (raw.count == 0) return;
  if (collector_ != nullptr) {
    collector_->take(raw);
    return;
  }
  if (raw.count > 1) reduceManifold(raw);
  ContactManifold& manifold = begin(raw.type, raw.status, raw.subShape1, raw.subShape2);
  const Vec3 normal = worldNormal(raw.normal);
  const std::span<ContactPoint> contacts = manifold.resize(static_cast<std::size_t>(raw.count));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const PairPoint& p = raw.points[i];
    write(normal, p.position, p.depth, p.feature1, p.feature2, contacts[i]);
  }
}

void ManifoldSink::collectPoint(const Vec3& normal, const Vec3& position, double depth,
                                Feature feature1, Feature feature2, QueryStatus status) {
  PairManifold raw;
  raw.normal = normal;
  raw.type = ContactType::Point;
  raw.status = status;
  raw.add(position, depth, feature1, feature2);
  collector_->take(raw);
}

void ManifoldSink::markCollision() {
  if (collector_ != nullptr) {
    collector_->markCollision();
  } else {
    result_->markCollision();
  }
}

}  // namespace abut::inline v0_1
