// SPDX-License-Identifier: MIT
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>

#include "broad_peer.hpp"

namespace abut::bench {
namespace {

ObjectId idOf(const fcl::CollisionObjectd* object) {
  return reinterpret_cast<std::uintptr_t>(object->getUserData());
}

bool collect(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
  static_cast<Pairs*>(data)->push_back({idOf(a), idOf(b)});
  return false;
}

/// The dynamic tree. Boxes are written directly: no time goes into geometry. All at once the tree
/// is refitted and rebalanced a little; one by one every leaf that moved is taken out and put back.
class FclPeer final : public BroadPeer {
public:
  FclPeer(std::string name, bool oneByOne) : name_(std::move(name)), one_by_one_(oneByOne) {}
  [[nodiscard]] std::string getName() const override { return name_; }

  void build(const Boxes& boxes) override {
    const auto shape = std::make_shared<fcl::Boxd>(1.0, 1.0, 1.0);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      objects_.push_back(std::make_unique<fcl::CollisionObjectd>(shape));
      objects_.back()->setUserData(reinterpret_cast<void*>(static_cast<std::uintptr_t>(i + 1)));
      place(i, boxes[i]);
    }
    for (const auto& object : objects_) all_.push_back(object.get());
    manager_.registerObjects(all_);
    manager_.setup();
  }
  void step(const Boxes& boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) place(i, boxes[i]);
    if (one_by_one_) {
      manager_.update(all_);
    } else {
      manager_.update();
    }
    pairs_.clear();
    manager_.collide(&pairs_, collect);
  }
  void getPairs(Pairs& pairs) const override { pairs = pairs_; }

private:
  void place(std::size_t i, const Aabb& box) {
    auto& own = const_cast<fcl::AABBd&>(objects_[i]->getAABB());
    own.min_ = box.min_;
    own.max_ = box.max_;
  }

  std::string name_;
  bool one_by_one_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
  std::vector<fcl::CollisionObjectd*> all_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
  Pairs pairs_;
};

}  // namespace

std::vector<std::unique_ptr<BroadPeer>> makeBroadFcl() {
  std::vector<std::unique_ptr<BroadPeer>> peers;
  peers.push_back(std::make_unique<FclPeer>("FCL refit", false));
  peers.push_back(std::make_unique<FclPeer>("FCL insert", true));
  return peers;
}

}  // namespace abut::bench
