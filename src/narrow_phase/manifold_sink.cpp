// SPDX-License-Identifier: MIT
#include "narrow_phase/manifold_sink.hpp"

#include "narrow_phase/reduce.hpp"

namespace abut {

void ManifoldSink::add(PairManifold& raw) {
  if (raw.count == 0) return;
  if (collector_ != nullptr) {
    collector_->take(raw);
    return;
  }
  if (raw.count > 1) reduceManifold(raw);
  ContactManifold& manifold = begin(raw.type, raw.status, raw.subShape1, raw.subShape2);
  const Vec3 normal = swapped_ ? -raw.normal : raw.normal;
  const std::span<ContactPoint> contacts = manifold.resize(static_cast<std::size_t>(raw.count));
  for (std::size_t i = 0; i < contacts.size(); ++i) write(normal, raw.points[i], contacts[i]);
}

void ManifoldSink::collectPoint(const PairGap& gap, const PairPoint& point) {
  PairManifold raw;
  raw.normal = gap.normal;
  raw.type = ContactType::Point;
  raw.status = gap.status;
  raw.subShape1 = gap.subShape1;
  raw.subShape2 = gap.subShape2;
  raw.add(point.position, point.depth, point.feature1, point.feature2);
  collector_->take(raw);
}

void ManifoldSink::markCollision() {
  if (collector_ != nullptr) {
    collector_->markCollision();
  } else {
    result_->markCollision();
  }
}

}  // namespace abut
