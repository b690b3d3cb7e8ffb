// SPDX-License-Identifier: MIT
// Engines that are not installed have no rows.
#include "joints_peer.hpp"

namespace abut::bench {

#ifndef ABUT_BENCH_BULLET
std::unique_ptr<JointPeer> makeJointBullet() {
  return {};
}
#endif
#ifndef ABUT_BENCH_ODE
std::unique_ptr<JointPeer> makeJointOde() {
  return {};
}
#endif

}  // namespace abut::bench
