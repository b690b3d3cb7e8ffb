// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <abut/abut.hpp>

namespace abut::tool {

/// One quantity of a scenario beside its truth. It holds if error <= bar; a NaN does not.
struct VerifyRow {
  std::string what;    ///< With the unit of value and error.
  std::string truth;   ///< A number or a law.
  double value = 0.0;  ///< What the world did.
  double error = 0.0;  ///< >= 0, absolute unless `what` says otherwise.
  double bar = 0.0;
};

using Rows = std::vector<VerifyRow>;

/// A motion with a known answer.
struct VerifyScenario {
  const char* name;
  const char* text;
  Rows (*run)();
};

/// All scenarios, in the order in which they are printed. One list a file.
std::span<const VerifyScenario> freeMotionScenarios();
std::span<const VerifyScenario> frictionScenarios();
std::span<const VerifyScenario> drivenScenarios();
std::span<const VerifyScenario> movingContactScenarios();
std::span<const VerifyScenario> restScenarios();
std::span<const VerifyScenario> impactScenarios();
std::span<const VerifyScenario> blowScenarios();
std::span<const VerifyScenario> fastBodyScenarios();
std::span<const VerifyScenario> yieldingScenarios();
std::span<const VerifyScenario> towerScenarios();
std::span<const VerifyScenario> meshScenarios();
std::span<const VerifyScenario> simBenchmarkScenarios();
std::span<const VerifyScenario> jointScenarios();
std::span<const VerifyScenario> jointDriveScenarios();
std::span<const VerifyScenario> jointForceScenarios();
std::span<const VerifyScenario> quadrupedScenarios();

inline constexpr double kGravity = 9.81;  ///< [m/s^2]
inline constexpr double kFrame = 1.0 / 60;

/// |value - truth|, with the truth as text.
VerifyRow compare(std::string what, double truth, double value, double bar);
/// The same relative to the truth.
VerifyRow compareRelative(std::string what, double truth, double value, double bar);
/// A quantity that is zero by a law.
VerifyRow vanishes(std::string what, const char* law, double value, double bar);

MaterialId addMaterial(World& world, double friction, double restitution = 0.0);
/// A static half-space below the plane through the origin.
ObjectId addGround(World& world, MaterialId material, const Eigen::Vector3d& normal = {0, 0, 1});
/// A dynamic box of the given edge lengths.
ObjectId addBox(World& world, const Eigen::Vector3d& size, double mass, BodyDescription description,
                MaterialId material);
ObjectId addSphere(World& world, double radius, double mass, BodyDescription description,
                   MaterialId material);
BodyMotion motionOf(const World& world, ObjectId id);
void run(World& world, double dt, int steps);

/// Equal numbers on every machine; [0, 1) and a range.
class VerifyRandom {
public:
  explicit VerifyRandom(std::uint64_t seed) : state_(seed) {}
  double unit();
  double between(double low, double high) { return low + (high - low) * unit(); }
  Eigen::Vector3d direction();

private:
  std::uint64_t state_;
};

}  // namespace abut::tool
