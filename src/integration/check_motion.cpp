// SPDX-License-Identifier: MIT
#include "integration/check_motion.hpp"

#include <atomic>
#include <string>

#include <abut/math/convert.hpp>

namespace abut::inline v0_1 {
namespace {

/// What of a new state cannot be, or null. False for NaN, so that it is caught here.
const char* impossible(const Vec3& x, const Quat& q, const BodyVelocity& v) {
  const auto within = [](const Vec3& a, double most) {
    return absOf(a.x) <= most && absOf(a.y) <= most && absOf(a.z) <= most;
  };
  if (!within(v.linear, kMaxBodySpeed)) return "linear velocity";
  if (!within(v.angular, kMaxBodySpin)) return "angular velocity";
  if (!within(x, kMaxBodyCoordinate)) return "position";
  if (!isFinite(((q.w + q.x) + q.y) + q.z)) return "orientation";
  return nullptr;
}

/// Bodies that a thread takes at once.
constexpr std::size_t kBodyGrain = 256;

bool isAnyImpossible(const BodyTable& bodies, const StepMotion& motion, TaskRunner* tasks) {
  std::atomic<bool> any{false};
  forChunks(tasks, bodies.size(), kBodyGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (bodies.rest[i].isAsleep() || impossible(motion.newPosition[i], motion.newOrientation[i],
                                                  motion.endVelocity[i]) == nullptr) {
        continue;
      }
      any.store(true, std::memory_order_relaxed);
      return;
    }
  });
  return any.load(std::memory_order_relaxed);
}

}  // namespace

Status checkMotion(const BodyTable& bodies, const StepMotion& motion, std::uint64_t step,
                   double time, TaskRunner* tasks) {
  if (!isAnyImpossible(bodies, motion, tasks)) return {};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.rest[i].isAsleep()) continue;
    const Vec3& x = motion.newPosition[i];
    const BodyVelocity& v = motion.endVelocity[i];
    const char* what = impossible(x, motion.newOrientation[i], v);
    if (what == nullptr) continue;
    const bool finite = isFinite(x) && isFinite(v.linear) && isFinite(v.angular);
    return Status::failure(
        finite ? StatusCode::OutOfRange : StatusCode::NonFinite,
        "step " + std::to_string(step) + ", t = " + toText(time) + " s, stage integration, body " +
            std::to_string(bodies.facts[i].id) + ": the new " + what +
            (finite ? " is beyond the limits of a body" : " is not finite") +
            "; the step was not made. Look at the forces and velocities given to it",
        bodies.facts[i].id);
  }
  return {};
}

}  // namespace abut::inline v0_1
