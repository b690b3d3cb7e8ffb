// SPDX-License-Identifier: MIT
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include "broad_peer.hpp"

namespace abut::bench {
namespace {

btVector3 toBullet(const Eigen::Vector3d& v) {
  return btVector3(v.x(), v.y(), v.z());
}

ObjectId idOf(const btBroadphaseProxy* proxy) {
  return reinterpret_cast<std::uintptr_t>(proxy->m_clientObject);
}

class BulletPeer final : public BroadPeer {
public:
  [[nodiscard]] std::string getName() const override { return "Bullet dbvt"; }

  void build(const Boxes& boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      proxies_.push_back(broadphase_.createProxy(
          toBullet(boxes[i].min_), toBullet(boxes[i].max_), 0,
          reinterpret_cast<void*>(static_cast<std::uintptr_t>(i + 1)), 1, -1, nullptr));
    }
  }
  void step(const Boxes& boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      broadphase_.setAabb(proxies_[i], toBullet(boxes[i].min_), toBullet(boxes[i].max_), nullptr);
    }
    broadphase_.calculateOverlappingPairs(nullptr);
  }
  void getPairs(Pairs& pairs) const override {
    pairs.clear();
    const btBroadphasePairArray& found = const_cast<btDbvtBroadphase&>(broadphase_)
                                             .getOverlappingPairCache()
                                             ->getOverlappingPairArray();
    for (int i = 0; i < found.size(); ++i) {
      if (found[i].m_pProxy0 == nullptr || found[i].m_pProxy1 == nullptr) continue;
      pairs.push_back({idOf(found[i].m_pProxy0), idOf(found[i].m_pProxy1)});
    }
  }

private:
  btDbvtBroadphase broadphase_;
  std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::vector<std::unique_ptr<BroadPeer>> makeBroadBullet() {
  std::vector<std::unique_ptr<BroadPeer>> peers;
  peers.push_back(std::make_unique<BulletPeer>());
  return peers;
}

}  // namespace abut::bench
