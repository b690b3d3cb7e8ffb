// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <abut/math/types.hpp>

namespace abut::bench {

inline constexpr double kJointGravity = 9.81, kJointFriction = 0.6;
inline constexpr std::size_t kNoLink = static_cast<std::size_t>(-1);

enum class LinkKind { Box, Sphere, Capsule, Ground };

/// A body. `half` holds half sides, or the radius and half the segment's length along z.
struct Link {
  LinkKind kind = LinkKind::Box;
  Vec3 half;
  Vec3 position;
  Quat orientation;
  double mass = 0.0;  ///< 0: it does not move.
  Vec3 inertia;       ///< About its own axes.
};

/// A hinge, or a ball joint with limits of swing and twist about the axis, both in the world.
struct Hold {
  bool isBall = false;
  std::size_t link1 = kNoLink, link2 = 0;  ///< kNoLink: the world.
  Vec3 point, axis;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double swing = std::numeric_limits<double>::infinity();
};

struct JointScene {
  std::string name;
  double step = 1.0 / 60.0;
  bool touches = false;  ///< Whether anything can collide.
  std::vector<Link> links;
  std::vector<Hold> holds;
};

/// A uniform rod of 1 m and 1 kg at an angle to the vertical, hinged at its upper end at the
/// origin.
JointScene makePendulum(double angle);
/// Ten links of 1 kg from the level, a ball of so many kilograms at the end.
JointScene makeChain(double ball);
/// Figures of 11 bodies and 10 joints, ten above each other, that fall on the ground.
JointScene makeRagdolls(int count);

struct LinkMotion {
  Vec3 position;
  Quat orientation;
  Vec3 velocity, spin;
};

/// One engine on one thread, sleeping off, its own defaults.
class JointPeer {
public:
  virtual ~JointPeer() = default;
  [[nodiscard]] virtual std::string getName() const = 0;
  virtual void build(const JointScene& scene) = 0;
  virtual void step() = 0;
  virtual void getMotions(std::vector<LinkMotion>& motions) const = 0;
  /// Steps that the engine itself says it did not solve.
  [[nodiscard]] virtual int numUnsolved() const { return 0; }
};

std::unique_ptr<JointPeer> makeJointAbut(bool isExact, int threads = 1);
/// Null if the engine is not installed.
std::unique_ptr<JointPeer> makeJointBullet();
std::unique_ptr<JointPeer> makeJointOde();

}  // namespace abut::bench
