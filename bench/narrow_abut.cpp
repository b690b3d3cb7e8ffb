// SPDX-License-Identifier: MIT
#include <abut/narrow_phase/queries.hpp>

#include "narrow_row.hpp"

namespace abut::bench {
namespace {

class AbutPeer final : public Peer {
public:
  [[nodiscard]] std::string getName() const override { return "Abut"; }

  bool prepare(const Row& row) override {
    placed1_.clear();
    placed2_.clear();
    for (const Query& q : row.queries) {
      const Shape& shape2 = q.body2 != nullptr ? *q.body2->shape : plane_;
      placed1_.push_back(test::place(*q.body1->shape, q.rotation1, q.position1, 1));
      placed2_.push_back(test::place(shape2, q.rotation2, q.position2, 2));
    }
    return true;
  }

  double run(std::span<const std::uint32_t> order) override {
    double sum = 0.0;
    for (const std::uint32_t i : order) {
      result_.clear();
      if (const Status status = collide(placed1_[i], placed2_[i], option_, result_); !status) {
        status.orThrow();
      }
      if (result_.numManifolds() != 0) sum += result_.getManifolds()[0].getContacts()[0].depth;
    }
    return sum;
  }

  Answer ask(std::uint32_t i) override {
    result_.clear();
    collide(placed1_[i], placed2_[i], option_, result_).orThrow();
    if (!result_.isCollision()) return {};
    return {true, result_.penetrationDepth(), result_.getManifold(0).getSharedNormal()};
  }

private:
  PlaneShape plane_{Vector(0.0, 0.0, 1.0)};
  CollisionOption option_ = CollisionOption::fullContacts();
  CollisionResult result_;
  std::vector<PlacedShape> placed1_, placed2_;
};

}  // namespace

std::unique_ptr<Peer> makeAbut() {
  return std::make_unique<AbutPeer>();
}

}  // namespace abut::bench
