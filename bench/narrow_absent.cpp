// SPDX-License-Identifier: MIT
// Peers that are not installed have no columns.
#include "narrow_row.hpp"

namespace abut::bench {

#ifndef ABUT_BENCH_FCL
std::vector<std::unique_ptr<Peer>> makeFcl() {
  return {};
}
#endif
#ifndef ABUT_BENCH_BULLET
std::vector<std::unique_ptr<Peer>> makeBullet() {
  return {};
}
#endif
#ifndef ABUT_BENCH_ODE
std::vector<std::unique_ptr<Peer>> makeOde() {
  return {};
}
#endif
#ifndef ABUT_BENCH_CCD
std::vector<std::unique_ptr<Peer>> makeCcd() {
  return {};
}
#endif

}  // namespace abut::bench
