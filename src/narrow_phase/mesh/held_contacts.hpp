// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "narrow_phase/dispatch/manifold_sink.hpp"
#include "narrow_phase/dispatch/scratch.hpp"

namespace abut::inline v0_1 {

/// Contacts of two meshes that wait for a look at what overlaps.
class HeldContacts final : public ManifoldCollector {
public:
  struct Contact {
    Vec3 normal;
    ContactType type;
    QueryStatus status;
    std::uint64_t subShape1, subShape2;
    int count;
    PairPoint points[ContactManifold::kMaxContacts];
    bool dropped;
  };

  explicit HeldContacts(double size) : size_(size) {}
  void take(PairManifold& manifold) override;
  void markCollision() override { collision_ = true; }

  [[nodiscard]] std::span<Contact> getContacts() { return contacts_.items(); }
  /// Hands on what was not dropped; returns how many.
  int emit(ManifoldSink& sink);

private:
  double size_;
  bool collision_ = false;
  ScratchList<Contact> contacts_;
};

}  // namespace abut::inline v0_1
