// SPDX-License-Identifier: MIT
// Peers that are not installed have no columns.
#include "broad_peer.hpp"

namespace abut::bench {

#ifndef ABUT_BENCH_FCL
std::vector<std::unique_ptr<BroadPeer>> makeBroadFcl() {
  return {};
}
#endif
#ifndef ABUT_BENCH_BULLET
std::vector<std::unique_ptr<BroadPeer>> makeBroadBullet() {
  return {};
}
#endif
#ifndef ABUT_BENCH_ODE
std::vector<std::unique_ptr<BroadPeer>> makeBroadOde() {
  return {};
}
#endif

}  // namespace abut::bench
