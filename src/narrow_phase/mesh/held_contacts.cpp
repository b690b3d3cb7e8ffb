// SPDX-License-Identifier: MIT
#include "narrow_phase/mesh/held_contacts.hpp"

#include "narrow_phase/dispatch/reduce.hpp"
#include "narrow_phase/weld/weld_outline.hpp"

namespace abut::inline v0_1 {
namespace {

/// Points closer than this times the size are one point.
constexpr double kSamePoint = 1e-10;

}  // namespace

void HeldContacts::take(PairManifold& m) {
  if (m.count == 0) return;
  if (m.count > static_cast<int>(ContactManifold::kMaxContacts)) keepOutline(m, kSamePoint * size_);
  reduceManifold(m);
  Contact contact;
  contact.normal = m.normal;
  contact.type = m.type;
  contact.status = m.status;
  contact.subShape1 = m.subShape1;
  contact.subShape2 = m.subShape2;
  contact.count = m.count;
  contact.dropped = false;
  for (int i = 0; i < m.count; ++i) contact.points[i] = m.points[i];
  contacts_.push(contact);
}

int HeldContacts::emit(ManifoldSink& sink) {
  int emitted = 0;
  if (collision_) sink.markCollision();
  for (const Contact& contact : contacts_.items()) {
    if (contact.dropped) continue;
    PairManifold m;
    m.normal = contact.normal;
    m.type = contact.type;
    m.status = contact.status;
    m.subShape1 = contact.subShape1;
    m.subShape2 = contact.subShape2;
    m.count = contact.count;
    for (int i = 0; i < contact.count; ++i) m.points[i] = contact.points[i];
    sink.add(m);
    ++emitted;
  }
  return emitted;
}

}  // namespace abut::inline v0_1
