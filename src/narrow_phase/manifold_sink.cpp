// SPDX-License-Identifier: MIT
#include "narrow_phase/manifold_sink.hpp"

#include <abut/math/convert.hpp>

#include "narrow_phase/reduce.hpp"

namespace abut {

void ManifoldSink::add(PairManifold& raw) {
  if (raw.count == 0) return;
  if (collector_ != nullptr) {
    collector_->take(raw);
    return;
  }
  reduceManifold(raw);
  ContactManifold& manifold = result_->appendManifold();
  manifold.setType(raw.type);
  manifold.setStatus(raw.status);
  manifold.setObjects(object1_, object2_);
  ContactPoint contact;
  contact.normal = toEigen(swapped_ ? -raw.normal : raw.normal);
  for (int i = 0; i < raw.count; ++i) {
    const PairPoint& p = raw.points[i];
    contact.position = toEigen(p.position + origin_);
    contact.depth = maxOf(least_depth_, p.depth);
    contact.feature1 = swapped_ ? p.feature2 : p.feature1;
    contact.feature2 = swapped_ ? p.feature1 : p.feature2;
    manifold.addContact(contact);
  }
  if (swapped_) {
    manifold.setSubShapes(raw.subShape2, raw.subShape1);
  } else {
    manifold.setSubShapes(raw.subShape1, raw.subShape2);
  }
}

void ManifoldSink::markCollision() {
  if (collector_ != nullptr) {
    collector_->markCollision();
  } else {
    result_->markCollision();
  }
}

}  // namespace abut
