// SPDX-License-Identifier: MIT
#include "io/run/simulation.hpp"
#include "io/run/variable_run.hpp"

namespace abut::inline v0_1::io {

std::unique_ptr<SceneRun> startRun(const Scene& scene) {
  if (!scene.variable) return std::make_unique<Simulation>(scene);
  if (scene.variable->contacts == VariableStep::Contacts::Impacts) return startImpactRun(scene);
  return startCompliantRun(scene);
}

}  // namespace abut::inline v0_1::io
