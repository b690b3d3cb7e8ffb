// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <abut/joints/joint.hpp>

#include "joints/block_elimination.hpp"
#include "joints/joint_model.hpp"

namespace abut::inline v0_1 {

/// In place of the number of a body: the world, which does not move.
inline constexpr std::uint32_t kWorldBody = 0xffffffffu;

/// A body of a mechanism at the beginning of a step.
struct MechanismBody {
  bool isMobile = true;  ///< Else it moves as prescribed.
  std::uint8_t locks = 0;
  double mass = 1.0;
  Mat3 inertia;                 ///< About the centre of mass, in the body's frame.
  Vec3 position;                ///< Of the centre of mass.
  Quat orientation;             ///< Body to world; unit.
  Vec3 velocity, spin;          ///< World.
  Vec3 force, torque;           ///< Over the step, gravity included.
  Vec3 nextPosition;            ///< At the end of the step, of a body that moves as prescribed.
  Quat nextOrientation;         ///< The same.
  Vec3 lastVelocity, lastSpin;  ///< Of such a body: how it moved until the step began.
  Vec6 carried{};       ///< Of a drive that stalls on some axes: its velocity along those it holds.
  Vec3 turn;            ///< Sum of dt times the mean spin, over what was stepped so far [rad].
  double excess = 0.0;  ///< Energy that steps by the new velocity did not keep [J].
  double held = 0.0;    ///< Of a drive that stalls on some axes: its work along those it holds [J].
};

/// The part of a velocity or momentum along locked axes of the world, by bits of BodyLock.
inline Vec6 lockedPart(std::uint8_t locks, const Vec6& v) {
  double e[6];
  for (int i = 0; i < 6; ++i) e[i] = (locks >> i & 1) != 0 ? v[i] : 0.0;
  return makeVec6(e[0], e[1], e[2], e[3], e[4], e[5]);
}

/// What a joint keeps from step to step, by row.
struct JointMemory {
  std::array<double, kJointRows> force{};     ///< Mean of the last step [N], [N m].
  std::array<double, kJointRows> position{};  ///< Of axes; angles unwound.
  std::array<double, kJointRows> rotor{};     ///< Rate of an axis' armature.
};

/// What a joint did in a step.
struct JointOutcome {
  Vec3 impulse, moment;                    ///< On body 2, about the origin of frame 2.
  std::array<double, kJointRows> drive{};  ///< Impulse of the drives, by row.
  JointWork work;
  double armature = 0.0;  ///< Work on armatures that they do not keep as energy (integrator).
  double held = 0.0;      ///< Work of what the joint locks: rounding, or what an impact took.
  double drivers = 0.0;   ///< Work of prescribed motion through the joint.
  bool isAtLimit = false;

  void append(const JointOutcome& later);
};

struct MechanismJoint {
  const JointModel* model = nullptr;
  const std::array<JointAxis, kMaxJointAxes>* axes = nullptr;
  std::uint32_t body1 = kWorldBody, body2 = kWorldBody;
  JointMemory memory;
  JointOutcome outcome;
  /// By row: the way in which axes slide, where they slide on (see MotionSetting::slidesOn).
  std::array<bool, kJointRows> isForward{};
};

/// position2 = ratio position1 + offset of rows of two joints.
struct MechanismCoupling {
  std::uint32_t joint1 = 0, joint2 = 0;
  int row1 = 0, row2 = 0;
  double ratio = 1.0, offset = 0.0;
  double force = 0.0;  ///< Mean of the last step, along position2.
};

/// Bodies that joints connect, each by number.
struct Mechanism {
  std::vector<MechanismBody> bodies;
  std::vector<MechanismJoint> joints;
  std::vector<MechanismCoupling> couplings;

  void clear();
};

/// Share of the energy that a spring about a twist stores at a swing: where z2 is swung round to
/// -z1 the twist has no meaning, and from 154 degrees on its spring fades to nothing there.
[[nodiscard]] double twistShare(double swing);
/// The rows of a joint's twist and swing, if it has both and a spring about the twist.
struct TwistRows {
  bool isThere = false;
  std::size_t twist = 0, swing = 0;
};
[[nodiscard]] TwistRows sprungTwistOf(const MechanismJoint& joint);

/// Kinetic energy of a body [J].
[[nodiscard]] double kineticEnergy(const MechanismBody& body);
/// Where it is.
[[nodiscard]] Placement placementOf(const MechanismBody& body);
/// Energy of springs and armatures of a joint [J].
struct JointEnergy {
  double springs = 0.0, armatures = 0.0;
};
[[nodiscard]] JointEnergy energyOf(const MechanismJoint& joint);
/// Greatest gap of what the joints lock [m, or rad].
[[nodiscard]] double greatestGap(const Mechanism& mechanism);
/// Moves a body by a way and a rotation vector (of cayley.hpp); its spin turns with it.
void displace(MechanismBody& body, const Vec6& shift);
/// Whether limits of an axis push like contacts, apart from its law: not where a motor that nothing
/// stops is to stop at them.
[[nodiscard]] bool areLimitsApart(const JointAxis& axis);
/// Sets the positions in the memories from where the bodies are, angles next to the present ones.
void readPositions(Mechanism& mechanism);

}  // namespace abut::inline v0_1
