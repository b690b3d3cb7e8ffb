// SPDX-License-Identifier: MIT
//
// Mechanisms for scenarios with joints.
#pragma once

#include "scenario.hpp"

namespace abut::tool {

/// A joint at a place of the world, with z along an axis.
JointDescription jointAt(JointType type, ObjectId body1, ObjectId body2,
                         const Eigen::Vector3d& point, const Eigen::Vector3d& axis);
/// A dynamic body that touches nothing.
ObjectId addLink(World& world, double mass, const Eigen::Vector3d& inertia, BodyDescription d);
/// A thin rod between two places.
ObjectId addRod(World& world, double mass, const Eigen::Vector3d& from, const Eigen::Vector3d& to);
JointState stateOf(const World& world, ObjectId joint);
/// Greatest distance between the origins of a joint that holds them together [m].
double jointGap(const World& world);

/// The worst of what a run should keep, looked at after each step.
struct Watch {
  double drift = 0.0;     ///< Of the energy [J].
  double residual = 0.0;  ///< Of the books of a step [J].
  double gap = 0.0;       ///< Of the joints [m].

  void look(const World& world);

private:
  bool first_ = true;
  double start_ = 0.0;
};

}  // namespace abut::tool
