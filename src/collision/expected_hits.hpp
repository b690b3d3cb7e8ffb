// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <abut/core/status.hpp>

#include "collision/blow_node.hpp"
#include "collision/course.hpp"
#include "collision/detector.hpp"
#include "core/stable_order.hpp"
#include "dynamics/contact_lookup.hpp"
#include "dynamics/step_input.hpp"
#include "dynamics/step_motion.hpp"

namespace abut::inline v0_1 {

/// Hits that no motion of the beginning leads to: bodies that blows of the step send elsewhere than
/// their boxes reach, or that were cast along a course which a blow ended.
///
/// Such bodies are cast along the ways that blows gave them, against all that is near these. Of the
/// hits with a pair that has no contact yet those are taken that come first for both bodies, since
/// a hit changes what comes later; blows are then made anew. Bodies that stay within their boxes
/// and are not fast cost a comparison for each of their blows.
class ExpectedHits {
public:
  /// Adds hits to what was detected; `found` says whether there are any. Fails as the kernels of
  /// the shapes do.
  Status find(const StepInput& in, const StepMotion& motion, std::span<const BlowNode> blows,
              const ContactLookup& contacts, Detector& detector, bool& found);
  /// Says of which bodies the last find(), if it found no more, knew all meetings: those that went
  /// as it thought they would.
  void noteForeseen(const StepInput& in, const ContactLookup& contacts, Detector& detector,
                    StepMotion& motion) const;
  /// Of a part of a world, after find(): fails, on all ranks, where a blow sends a body to one of
  /// another rank, which no island of the step has both of. All ranks call it.
  Status refuseForeign(const StepInput& in, const StepMotion& motion, Detector& detector);

private:
  struct Scene {
    const StepInput& in;
    const StepMotion& motion;
    const ContactLookup& contacts;
    Detector& detector;
  };
  /// A body that blows sent elsewhere: its blows, and all that it sweeps over.
  struct Leaver {
    std::uint32_t body = 0;
    Aabb swept;
  };
  struct Hit {
    FastHit hit;
    Pose pose1, pose2;
  };
  void findLeavers(const Scene& s);
  static bool isBall(const Scene& s, std::uint32_t body);
  [[nodiscard]] bool haveMet(const Scene& s, std::uint32_t i, std::uint32_t j, double time) const;
  Status castLeg(const Scene& s, std::uint32_t i, std::uint32_t j, double from, double to,
                 bool& isHit);
  [[nodiscard]] std::span<const BlowNode> blowsOf(std::uint32_t body) const;
  [[nodiscard]] BlowNode nodeAt(const Scene& s, std::uint32_t body, double time) const;
  [[nodiscard]] Course courseOf(const Scene& s, std::uint32_t body, double from, double to) const;
  [[nodiscard]] double lengthOf(const Scene& s, std::uint32_t body) const;
  [[nodiscard]] bool isCandidate(const Scene& s, std::uint32_t i, std::uint32_t j) const;
  Status castLeaver(const Scene& s, const Leaver& leaver);
  Status castPair(const Scene& s, std::uint32_t i, std::uint32_t j);
  Status keepFirst(const Scene& s, bool& found);

  bool is_whole_ = false;        // The last search found nothing that was not known.
  std::vector<BlowNode> nodes_;  // By body, then by time.
  StableOrder<BlowNode> sorter_;
  std::vector<Leaver> leavers_;
  std::vector<std::uint8_t> fast_;       // By body: in a pair that was cast.
  std::vector<std::uint8_t> is_leaver_;  // By body.
  std::vector<Hit> hits_;
  std::vector<double> first_;  // By body: time of its first hit [s].
  std::vector<double> times_;
  std::vector<ObjectId> near_;
};

}  // namespace abut::inline v0_1
