// SPDX-License-Identifier: MIT
// Engines that are not installed have no rows.
#include "scenes_peer.hpp"

namespace abut::bench {

#ifndef ABUT_BENCH_BULLET
std::unique_ptr<ScenePeer> makeSceneBullet() {
  return {};
}
#endif
#ifndef ABUT_BENCH_ODE
std::unique_ptr<ScenePeer> makeSceneOde() {
  return {};
}
#endif

}  // namespace abut::bench
