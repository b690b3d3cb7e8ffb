// SPDX-License-Identifier: MIT
#include "step/shared_motion.hpp"

#include <vector>

namespace abut::inline v0_1 {

Status agree(const StepInput& in, const Status& status) {
  return in.division == nullptr ? status : in.halo()->agree(status);
}

void shareDrivers(const StepInput& in, bool moved, StepMotion& motion) {
  if (in.division == nullptr || in.division->drivers.empty()) return;
  const bool isSoft = moved && !motion.softness.empty();
  const std::size_t each = (moved ? 19 : 12) + (isSoft ? 1 : 0);
  std::vector<double> numbers(each * in.division->drivers.size());
  const auto visit = [&](auto&& one) {
    double* at = numbers.data();
    const auto vector = [&](Vec3& v) {
      for (double* x : {&v.x, &v.y, &v.z}) one(*x, *at++);
    };
    for (const Division::Driver& d : in.division->drivers) {
      for (BodyVelocity* v : {&motion.startVelocity[d.body], &motion.endVelocity[d.body]}) {
        vector(v->linear);
        vector(v->angular);
      }
      if (!moved) continue;
      vector(motion.newPosition[d.body]);
      Quat& q = motion.newOrientation[d.body];
      for (double* x : {&q.w, &q.x, &q.y, &q.z}) one(*x, *at++);
      if (isSoft) one(motion.softness[d.body], *at++);
    }
  };
  visit([](double& value, double& number) { number = value; });
  in.division->shareDrivers(numbers);
  visit([](double& value, double& number) { value = number; });
}

void shareNewPlaces(const StepInput& in, StepMotion& motion) {
  if (in.division == nullptr) return;
  shareDrivers(in, true, motion);
  Halo& halo = *in.halo();
  halo.share(motion.newPosition);
  halo.share(motion.newOrientation);
  halo.share(motion.endVelocity);
}

}  // namespace abut::inline v0_1
