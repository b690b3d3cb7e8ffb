// SPDX-License-Identifier: MIT
#include <abut/broad_phase/bvh_broad_phase.hpp>

#include "broad_peer.hpp"

namespace abut::bench {
namespace {

class AbutPeer final : public BroadPeer {
public:
  [[nodiscard]] std::string getName() const override { return "Abut"; }

  void build(const Boxes& boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) tree_.add(i + 1, boxes[i]).orThrow();
  }
  void step(const Boxes& boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) tree_.update(i + 1, boxes[i]).orThrow();
    tree_.computePotentialPairs(pairs_);
  }
  void getPairs(Pairs& pairs) const override { pairs = pairs_; }

private:
  BvhBroadPhase tree_;
  Pairs pairs_;
};

}  // namespace

std::unique_ptr<BroadPeer> makeBroadAbut() {
  return std::make_unique<AbutPeer>();
}

}  // namespace abut::bench
