// SPDX-License-Identifier: MIT
#include <stdexcept>
#include <string>

#include "digest.hpp"
#include "embedded_scenes.hpp"
#include "io/run/simulation.hpp"

namespace golden {
namespace {

/// Steps that are enough for contacts and short enough for a machine that is emulated.
int stepsFor(std::size_t bodies) {
  constexpr std::size_t kFew = 60, kSome = 400;
  return bodies <= kFew ? 20 : bodies <= kSome ? 3 : 1;
}

}  // namespace

/// The scenes of scenes/, read from their text: what `abut hash` prints.
void scenes() {
  const abut::io::MemoryAssets noFiles(std::map<std::string, std::string>{});
  for (const EmbeddedScene& embedded : kEmbeddedScenes) {
    const std::string name = embedded.name;
    const abut::io::Scene scene = abut::io::parseScene(embedded.text, name + ".json", noFiles);
    abut::io::Simulation simulation(scene);
    const int steps = stepsFor(scene.bodies.size());
    for (int i = 0; i < steps; ++i)
      if (!simulation.step()) throw std::runtime_error(name + ": " + simulation.getFault());
    Digest digest;
    digest.add(simulation.getWorld().hash());
    print("scene/" + name, digest);
  }
}

}  // namespace golden
