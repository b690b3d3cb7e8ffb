// SPDX-License-Identifier: MIT
#include "io/core/rotation.hpp"
#include "io/core/text.hpp"
#include "io/scene/read_parts.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::size_t kMaxRobots = 1000;

/// Keeps what is read, so that a recording holds the files that its scene needs.
class NotedAssets final : public AssetSource {
public:
  NotedAssets(const AssetSource& assets, std::map<std::string, std::string>& files)
      : assets_(assets), files_(files) {}

  [[nodiscard]] std::string read(const std::string& path, std::size_t mostBytes) const override {
    const std::string fault = faultOfRelativePath(path);
    if (!fault.empty()) throw InputError(concat(quoted(path), ": ", fault));
    std::string content = assets_.read(path, mostBytes);
    files_[path] = content;
    return content;
  }

private:
  const AssetSource& assets_;
  std::map<std::string, std::string>& files_;
};

SceneRobot readRobot(const Node& node) {
  node.allowKeys({"name", "file", "fixed", "packages", "position", "orientation", "rollPitchYaw",
                  "rollPitchYawDegrees"});
  SceneRobot robot;
  robot.name = node.require("name", "a name that no other robot has").text("a name");
  robot.file = node.require("file", "a URDF or MJCF file").text("a file in the scene's folder");
  robot.base = {matrixOf(readOrientation(node)), readPosition(node)};
  if (const std::optional<Node> fixed = node.find("fixed")) robot.fixed = fixed->boolean();
  if (const std::optional<Node> packages = node.find("packages")) {
    if (!packages->isObject()) packages->failExpected("an object of names and folders");
    for (std::size_t i = 0; i < packages->members().size(); ++i)
      robot.packages[packages->members()[i].key] = packages->member(i).text("a folder");
  }
  return robot;
}

}  // namespace

std::vector<std::unique_ptr<const ReadRobot>> readRobots(SceneReader& reader, const Node& list,
                                                         RobotReader robots) {
  if (robots == nullptr) list.fail("robot files cannot be read here; convert them first");
  std::vector<std::unique_ptr<const ReadRobot>> read;
  const NotedAssets assets(reader.assets, reader.scene.files);
  const std::size_t count = list.list("robots", 0, kMaxRobots);
  for (std::size_t i = 0; i < count; ++i) {
    const Node node = list.at(i);
    const SceneRobot robot = readRobot(node);
    std::string text;
    try {
      text = robots(robot, assets);
    } catch (const InputError& error) {
      node.fail(error.what());
    }
    const std::string file = concat(printable(robot.file, 200), " (converted)");
    read.push_back(std::make_unique<const ReadRobot>(ReadRobot{file, parseJson(text, file)}));
  }
  return read;
}

}  // namespace abut::inline v0_1::io
