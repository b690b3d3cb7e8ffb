// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include <abut/joints/joint.hpp>

namespace abut::inline v0_1 {

inline void add(const JointWork& more, JointWork& sum) {
  sum.motors += more.motors;
  sum.dampers += more.dampers;
  sum.springs += more.springs;
  sum.limits += more.limits;
  sum.friction += more.friction;
}

/// What a joint carried in a step.
struct JointShown {
  ObjectId joint = kNoObject;
  Vec3 impulse, moment;                       ///< On body 2, about the origin of frame 2.
  std::array<double, kMaxJointAxes> drive{};  ///< Impulses of drives, by axis.
  double duration = 0.0;                      ///< [s]
  JointWork work;

  void append(const JointShown& later) {
    impulse = {impulse.x + later.impulse.x, impulse.y + later.impulse.y,
               impulse.z + later.impulse.z};
    moment = {moment.x + later.moment.x, moment.y + later.moment.y, moment.z + later.moment.z};
    for (std::size_t i = 0; i < drive.size(); ++i) drive[i] += later.drive[i];
    duration += later.duration;
    add(later.work, work);
  }
};

/// Of those of a step, ascending by id: that of a joint, or null.
template <typename Shown>
auto findShown(Shown& shown, ObjectId joint) -> decltype(shown.data()) {
  const auto at =
      std::lower_bound(shown.begin(), shown.end(), joint,
                       [](const JointShown& s, ObjectId wanted) { return s.joint < wanted; });
  return at != shown.end() && at->joint == joint ? &*at : nullptr;
}

}  // namespace abut::inline v0_1
