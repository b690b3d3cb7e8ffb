// SPDX-License-Identifier: MIT
#include "scheme/press_relief.hpp"

#include <algorithm>

namespace abut::inline v0_1 {

void PressRelief::begin() {
  counted_.clear();
  pushes_.clear();
}

bool PressRelief::relieve(const PressedIsland& island, std::span<const ObjectId> ids,
                          StepReport& report) {
  const ContactProblem problem{island.mobility, island.contacts};
  if (!PressFinder::mayBePress(problem, island.velocities)) return false;
  const PressReport found = finder_.find(problem, island.velocities);
  if (!found.found) return false;
  const auto body = [&island](std::uint32_t b) {
    return island.bodyOf.empty() ? b : island.bodyOf[b];
  };
  if (!isPress(island.number)) counted_.push_back(island.number);
  report.presses = counted_.size();  // Also where a report was taken back.
  report.converged = false;
  // A press whose walls overlap what is in it may close no faster than it is to part.
  if (found.speed > report.pressSpeed || report.pressed1 == kNoObject) {
    const SolverContact& worst = island.contacts[found.worst];
    report.pressSpeed = found.speed;
    report.pressed1 = ids[body(worst.body1)];
    report.pressed2 = ids[body(worst.body2)];
  }
  for (std::size_t k = 0; k < island.contacts.size(); ++k) {
    SolverContact& c = island.contacts[k];
    c.bound -= finder_.getClosing()[k];
    const Vec3 push = c.normal * squeezeOf(k);
    if (push == Vec3{}) continue;
    pushes_.push_back({body(c.body1), push, cross(c.arm1, push)});
    pushes_.push_back({body(c.body2), -push, -cross(c.arm2, push)});
  }
  return true;
}

bool PressRelief::ease(std::span<const BodyMobility> mobility, std::span<SolverContact> contacts,
                       std::span<const BodyVelocity> velocities, double spare) {
  const ContactProblem problem{mobility, contacts};
  if (!PressFinder::mayBePress(problem, velocities)) return false;
  if (!finder_.find(problem, velocities).found) return false;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    contacts[k].bound -= (1.0 + spare) * finder_.getClosing()[k];
  }
  return true;
}

void PressRelief::tell(LimitedDrivers& drivers) const {
  for (const Push& push : pushes_) drivers.addPress(push.body, push.impulse, push.moment);
}

}  // namespace abut::inline v0_1
