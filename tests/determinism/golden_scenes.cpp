// SPDX-License-Identifier: MIT
#include <memory>
#include <stdexcept>
#include <string>

#include "digest.hpp"
#include "embedded_scenes.hpp"
#include "io/run/simulation.hpp"
#include "io/run/variable_run.hpp"

namespace golden {
namespace {

/// Steps that are enough for contacts and short enough for a machine that is emulated.
int stepsFor(std::size_t bodies) {
  constexpr std::size_t kFew = 60, kSome = 400;
  return bodies <= kFew ? 20 : bodies <= kSome ? 3 : 1;
}

/// Of runs with a variable step: up to the first impacts.
constexpr int kFrames = 420;

}  // namespace

using Contacts = abut::io::VariableStep::Contacts;

/// The scenes of scenes/, read from their text: what `abut hash` prints.
void scenes() {
  const abut::io::MemoryAssets noFiles(std::map<std::string, std::string>{});
  for (const EmbeddedScene& embedded : kEmbeddedScenes) {
    const std::string name = embedded.name;
    const abut::io::Scene scene = abut::io::parseScene(embedded.text, name + ".json", noFiles);
    // CVODE's bits are the machine's own.
    if (scene.variable && scene.variable->contacts == Contacts::Compliant) continue;
    const std::unique_ptr<abut::io::SceneRun> run =
        scene.variable ? std::unique_ptr<abut::io::SceneRun>(abut::io::startImpactRun(scene))
                       : std::make_unique<abut::io::Simulation>(scene);
    const int steps = scene.variable ? kFrames : stepsFor(scene.bodies.size());
    for (int i = 0; i < steps; ++i)
      if (!run->advance()) throw std::runtime_error(name + ": " + run->getFault());
    Digest digest;
    digest.add(run->hash());
    print("scene/" + name, digest);
  }
}

}  // namespace golden
