// SPDX-License-Identifier: MIT
#include <ode/ode.h>

#include "broad_peer.hpp"

namespace abut::bench {
namespace {

ObjectId idOf(dGeomID geom) {
  return reinterpret_cast<std::uintptr_t>(dGeomGetData(geom));
}

void collect(void* data, dGeomID a, dGeomID b) {
  static_cast<Pairs*>(data)->push_back({idOf(a), idOf(b)});
}

/// Initialises the library once.
void startOde() {
  static const bool started = dInitODE2(0) != 0;
  (void)started;
}

class OdePeer final : public BroadPeer {
public:
  OdePeer(std::string name, bool sweep) : name_(std::move(name)), sweep_(sweep) {
    startOde();
    space_ = sweep ? dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ) : dHashSpaceCreate(nullptr);
  }
  ~OdePeer() override { dSpaceDestroy(space_); }
  OdePeer(const OdePeer&) = delete;
  OdePeer& operator=(const OdePeer&) = delete;
  [[nodiscard]] std::string getName() const override { return name_; }
  /// The hash space's time grows with the square: 28 us an object at 100 000.
  [[nodiscard]] bool accepts(std::size_t count) const override { return sweep_ || count <= 20000; }

  void build(const Boxes& boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Eigen::Vector3d size = boxes[i].max_ - boxes[i].min_;
      geoms_.push_back(dCreateBox(space_, size.x(), size.y(), size.z()));
      dGeomSetData(geoms_.back(), reinterpret_cast<void*>(static_cast<std::uintptr_t>(i + 1)));
    }
    step(boxes);
  }
  void step(const Boxes& boxes) override {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Eigen::Vector3d center = boxes[i].center();
      dGeomSetPosition(geoms_[i], center.x(), center.y(), center.z());
    }
    pairs_.clear();
    dSpaceCollide(space_, &pairs_, collect);
  }
  void getPairs(Pairs& pairs) const override { pairs = pairs_; }

private:
  std::string name_;
  bool sweep_;
  dSpaceID space_;
  std::vector<dGeomID> geoms_;
  Pairs pairs_;
};

}  // namespace

std::vector<std::unique_ptr<BroadPeer>> makeBroadOde() {
  std::vector<std::unique_ptr<BroadPeer>> peers;
  peers.push_back(std::make_unique<OdePeer>("ODE sap", true));
  peers.push_back(std::make_unique<OdePeer>("ODE hash", false));
  return peers;
}

}  // namespace abut::bench
