// SPDX-License-Identifier: MIT
#include "convert.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "exit_codes.hpp"
#include "io/core/files.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"
#include "io/robot/robot.hpp"
#include "io/scene/scene.hpp"
#include "options.hpp"

namespace abut::tool {
namespace {

/// Files of the caller's own choosing, and which were read.
class ListedAssets final : public io::AssetSource {
public:
  [[nodiscard]] std::string read(const std::string& path, std::size_t mostBytes) const override {
    std::string content = io::readFile(path, mostBytes);
    paths.push_back(path);
    return content;
  }
  mutable std::vector<std::string> paths;
};

}  // namespace

ConvertCommand::ConvertCommand(CLI::App& app) {
  app_ = app.add_subcommand("convert", "Make a scene of a robot file (URDF or MJCF)");
  app_->add_option("robot", robot_, "Robot file")->required()->type_name("ROBOT");
  app_->add_option("-o,--output", output_, "Scene file; without it the scene is printed")
      ->type_name("SCENE");
  app_->add_option("--package", packages_, "Folder of a package:// name, as NAME=FOLDER")
      ->type_name("NAME=FOLDER");
  app_->add_flag("--fixed", fixed_, "The root link of a URDF stays where it is");
  app_->add_option("--position", position_, "Where the root is [m]")
      ->expected(3)
      ->type_name("X Y Z");
  app_->footer(
      "What is not carried over is listed by name and count on standard error. Meshes become\n"
      "their convex hulls, links that are fixed to each other one body.\n\n"
      "Example:\n"
      "  abut convert robot.urdf --fixed -o robot.json && abut view robot.json\n\n"
      "docs/robots.md says which elements are carried over, and how.");
}

int ConvertCommand::run() {
  io::RobotOptions options;
  options.fixed = fixed_;
  for (const std::string& package : packages_) {
    const std::size_t equals = package.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(
          io::concat("convert: --package: expected NAME=FOLDER, got ", io::quoted(package)));
    }
    options.packages[package.substr(0, equals)] = package.substr(equals + 1);
  }
  Pose base;
  if (position_.size() == 3) base.translation = {position_[0], position_[1], position_[2]};
  const ListedAssets assets;
  io::RobotTree tree = io::readRobot(robot_, assets, options);
  io::OutputPaths paths;
  for (const std::string& path : assets.paths) paths.addInput(path);
  if (app_->count("--output") > 0) paths.addOutput("--output", output_);
  const std::string scene = io::writeRobotScene(tree, "", base, true);
  // What was made is read back, so that a scene that no world takes is an error here.
  const io::Scene parsed = io::parseScene(scene, robot_, io::MemoryAssets({}));
  (void)io::buildWorld(parsed);
  for (const std::string& line : io::lossesOf(tree)) fmt::print(stderr, "{}\n", line);
  if (output_.empty()) {
    fmt::print("{}", scene);
    return kExitOk;
  }
  io::writeFileAtomically(output_, scene);
  fmt::print("  {:<12}  {} bodies, {} joints, {} couplings\n", "robot", parsed.bodies.size(),
             parsed.joints.size(), parsed.couplings.size());
  fmt::print("  {:<12}  {}\n", "scene", output_);
  return kExitOk;
}

}  // namespace abut::tool
