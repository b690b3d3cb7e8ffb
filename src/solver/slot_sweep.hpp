// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/inline.hpp"
#include "math/pack_wide.hpp"
#include "solver/manifold_batch.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

namespace abut::inline v0_1 {

/// Which lanes of a slot have their turn in a sweep. A row that does not push waits for some
/// sweeps, lane by lane: a byte of the slot counts them.
class SlotTurn {
public:
  ABUT_ALWAYS_INLINE SlotTurn(const BatchSlot& slot, bool all)
      : waits_(all || slot.passOver == 0 ? 0 : positiveBytes(slot.passOver)),
        has_lanes_(waits_ != slot.used) {}

  [[nodiscard]] ABUT_ALWAYS_INLINE bool hasLanes() const { return has_lanes_; }
  /// Whether no lane waits.
  [[nodiscard]] ABUT_ALWAYS_INLINE bool isWhole() const { return waits_ == 0; }
  /// The lanes that wait, as bits.
  [[nodiscard]] ABUT_ALWAYS_INLINE unsigned without() const {
    return ((waits_ >> 7u) & 1u) | ((waits_ >> 14u) & 2u) | ((waits_ >> 21u) & 4u) |
           ((waits_ >> 28u) & 8u);
  }
  /// After a visit in which the lanes of those bits pushed: the others wait; those that were left
  /// out come a sweep closer.
  ABUT_ALWAYS_INLINE void end(BatchSlot& slot, unsigned pushes) const {
    if (waits_ == 0 && pushes == kAllLanes && slot.used == kTops) {
      slot.passOver = 0;
      return;
    }
    const std::uint32_t idle = (slot.used >> 7u) & ~(toOnes(pushes) | (waits_ >> 7u));
    const std::uint32_t waiting = (waits_ >> 7u) * 0xffu;
    slot.passOver = ((slot.passOver & waiting) - (waits_ >> 7u)) | (idle * kPassOver);
  }
  /// Without a visit.
  ABUT_ALWAYS_INLINE void passOver(BatchSlot& slot, const SweepTerms& terms) const {
    slot.passOver -= waits_ >> 7u;
    for (int lane = 0; lane < 4; ++lane) terms.change[lane] = terms.size[lane] = 0.0;
  }

private:
  /// Sweeps for which a row without impulses is left out.
  static constexpr std::uint32_t kPassOver = 3;
  /// Bits of four lanes.
  static constexpr unsigned kAllLanes = 0xfu;
  /// In each byte: one, and its highest bit.
  static constexpr std::uint32_t kOnes = 0x01010101u, kTops = 0x80808080u;

  /// The bytes that are not zero, by their highest bits; none is above 127.
  static ABUT_ALWAYS_INLINE std::uint32_t positiveBytes(std::uint32_t bytes) {
    return (bytes + (kTops - kOnes)) & kTops;
  }
  static ABUT_ALWAYS_INLINE std::uint32_t toOnes(unsigned lanes) {
    return (lanes & 1u) | ((lanes & 2u) << 7u) | ((lanes & 4u) << 14u) | ((lanes & 8u) << 21u);
  }

  std::uint32_t waits_;
  bool has_lanes_;
};

ABUT_ALWAYS_INLINE void storeLanes(const Pack4d& lanes, double* to) {
  __builtin_memcpy(to, &lanes, sizeof lanes);
}
#if ABUT_HAS_WIDE
/// The vector itself: copied as a struct it goes through memory number by number.
ABUT_ALWAYS_INLINE void storeLanes(const Wide4d& lanes, double* to) {
  const Double4 v = lanes.v;
  __builtin_memcpy(to, &v, sizeof v);
}
#endif

template <class P>
ABUT_ALWAYS_INLINE void storeTerms(const SweepTerms& terms, const P& change, const P& size) {
  storeLanes(change, terms.change);
  storeLanes(size, terms.size);
}

/// To the terms of the next slot.
ABUT_ALWAYS_INLINE void advance(SweepTerms& terms) {
  terms.change += 4;
  terms.size += 4;
}

}  // namespace abut::inline v0_1

#pragma GCC diagnostic pop
