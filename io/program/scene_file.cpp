// SPDX-License-Identifier: MIT
#include <utility>

#include <abut/io/scene_file.hpp>

#include "io/core/text.hpp"
#include "io/run/simulation.hpp"
#include "io/scene/scene.hpp"

namespace abut::inline v0_1 {
namespace {

io::Scene requireFixedStep(io::Scene scene) {
  if (!scene.variable) return scene;
  throw io::InputError(io::concat(io::quoted(scene.name),
                                  ": has a variable step, which SceneFile does not make; run it by "
                                  "the tool, or give the scene a fixed step"));
}

}  // namespace

struct SceneFile::Impl {
  explicit Impl(io::Scene read) : scene(requireFixedStep(std::move(read))), simulation(scene) {}

  const io::Scene scene;
  io::Simulation simulation;  // Refers to the scene.
};

SceneFile::SceneFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SceneFile::SceneFile(const std::string& path)
    : SceneFile(std::make_unique<Impl>(io::loadScene(path, io::readRobotFile))) {}
SceneFile SceneFile::fromText(const std::string& text, const std::string& folder) {
  return SceneFile(std::make_unique<Impl>(
      io::parseScene(text, "scene", io::FolderAssets(folder), io::readRobotFile)));
}
SceneFile::~SceneFile() = default;
SceneFile::SceneFile(SceneFile&&) noexcept = default;
SceneFile& SceneFile::operator=(SceneFile&&) noexcept = default;

const std::string& SceneFile::getName() const {
  return impl_->scene.name;
}
const std::string& SceneFile::getDescription() const {
  return impl_->scene.description;
}
double SceneFile::getStep() const {
  return impl_->scene.step;
}
std::uint64_t SceneFile::numSteps() const {
  return impl_->scene.numSteps;
}
std::uint64_t SceneFile::stepsMade() const {
  return impl_->simulation.getStep();
}

ObjectId SceneFile::find(const std::string& name) const {
  for (const io::SceneBody& body : impl_->scene.bodies) {
    if (body.name == name) return body.description.id;
  }
  return kNoObject;
}

std::string SceneFile::nameOf(ObjectId body) const {
  const io::SceneBody* found = io::findBody(impl_->scene, body);
  return found != nullptr ? found->name : "";
}

World& SceneFile::world() {
  return impl_->simulation.getWorld();
}
const World& SceneFile::world() const {
  return std::as_const(impl_->simulation).getWorld();
}

Status SceneFile::step() {
  return impl_->simulation.step();
}

const std::string& SceneFile::getFault() const {
  return impl_->simulation.getFault();
}

}  // namespace abut::inline v0_1
