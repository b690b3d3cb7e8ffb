// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/scene/grid.hpp"
#include "io/scene/node.hpp"
#include "io/scene/scene.hpp"

namespace abut::inline v0_1::io {

/// What the parts of a scene share while it is read.
struct SceneReader {
  const AssetSource& assets;
  Scene scene;
  std::map<std::string, MaterialId> materialsByName;
  std::map<std::string, std::shared_ptr<const Shape>> shapesByFile;  ///< One shape for one use.
  std::size_t assetBytes = 0;
  std::size_t parts = 0;                    ///< Shapes, forces, keys and waypoints of all bodies.
  std::vector<SceneGrid>* grids = nullptr;  ///< Takes grids that need not become lists.
};

inline constexpr std::size_t kMaxBodies = 100'000;              ///< As one list.
inline constexpr std::uint64_t kMaxCopies = 1'000'000'000'000;  ///< Of a grid that is no list.
inline constexpr std::size_t kMaxShapes = 1000;
inline constexpr int kMaxThreads = 4096;
inline constexpr std::size_t kMaxParts = 2'000'000;
inline constexpr double kMaxCoordinate = 1e9;  ///< [m]
inline constexpr double kMaxVelocity = 1e9;    ///< [m/s], [rad/s]
inline constexpr double kMaxTime = 1e9;        ///< [s]

/// Orientation from `orientation`, `rollPitchYaw` or `rollPitchYawDegrees`, at most one of them.
[[nodiscard]] Quat readOrientation(const Node& node);
/// Position within kMaxCoordinate; the origin if absent.
[[nodiscard]] Vec3 readPosition(const Node& node);

/// `shapes` of a body.
[[nodiscard]] std::vector<BodyShape> readShapes(SceneReader& reader, const Node& list);
[[nodiscard]] std::vector<ForceSpan> readForces(const Node& list);
/// `motion` of a kinematic body; a path begins where the body stands.
[[nodiscard]] KinematicMotion readMotion(const Node& node, const Node& body, double step);
/// Three numbers of a magnitude up to `most`; `what` says what they are.
[[nodiscard]] Vec3 boundedVec3(const Node& node, std::string_view what, double most);
/// The same for a key that may be absent: zero.
[[nodiscard]] Vec3 optionalVec3(const Node& node, std::string_view key, std::string_view what,
                                double most);
/// `step` that is an object.
[[nodiscard]] VariableStep readVariableStep(const Node& node);
/// Complain about what a run with a variable step would have to ignore, or cannot do.
void refuseInVariableScene(const Node& root, const VariableStep& step);
void refuseInVariableBody(const Node& body, const VariableStep& step);
/// Complains about rolling and spinning resistance where impacts are located.
void refuseResistance(const Node& material, const Scene& scene);
void readMaterials(SceneReader& reader, const Node& node);
void readPairs(SceneReader& reader, const Node& list);
/// Appends the body with its copies to the scene.
void readBody(SceneReader& reader, const Node& node);

/// A robot of the scene, converted.
struct ReadRobot {
  std::string file;
  JsonValue json;
};
/// `robots`: their files, converted.
[[nodiscard]] std::vector<std::unique_ptr<const ReadRobot>> readRobots(SceneReader& reader,
                                                                       const Node& list,
                                                                       RobotReader robots);

/// `joints` and `couplings`, after the bodies.
void readJoints(SceneReader& reader, const Node& list);
void readCouplings(SceneReader& reader, const Node& list);

/// What `repeat` asks for, from the outermost entry on; counts of at most `most`.
[[nodiscard]] std::vector<Repeat> readRepeat(const Node& node, std::uint64_t most);
/// All copies of it. Complains beyond `most`.
[[nodiscard]] std::vector<Copy> expand(const std::vector<Repeat>& entries, const Node& node,
                                       std::size_t most);

}  // namespace abut::inline v0_1::io
