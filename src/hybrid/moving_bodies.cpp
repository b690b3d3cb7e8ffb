// SPDX-License-Identifier: MIT
#include "hybrid/moving_bodies.hpp"

#include <algorithm>
#include <string>

#include <abut/hybrid/contact_laws.hpp>
#include <abut/math/convert.hpp>

#include "constraints/contact_site.hpp"
#include "world/world_access.hpp"

namespace abut::inline v0_1 {
MovingBodies::MovingBodies(const World& world) {
  const WorldState& state = WorldAccess::state(world);
  bodies = state.bodies;
  materials = state.materials;
  gravity = toVec3(state.options.gravity);
  startTime = state.time;
  startPosition = bodies.position;
  startOrientation = bodies.orientation;
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    const BodyFacts& f = bodies.facts[i];
    if (!f.path.empty()) {
      // Its velocity jumps at every point of the path, which nobody would see as an event.
      throw Error(StatusCode::OutOfRange,
                  "body " + std::to_string(f.id) +
                      " follows a path, which only World::step() can do yet; give it a velocity");
    }
    if (f.isFiltered()) {
      throw Error(StatusCode::OutOfRange,
                  "body " + std::to_string(f.id) +
                      " is a sensor or has a filter or an excluded pair, which only World::step() "
                      "knows; remove it");
    }
    if (f.drive->isLimited) {
      throw Error(StatusCode::OutOfRange,
                  "body " + std::to_string(f.id) +
                      " has a drive with limits, which only World::step() knows; give it none");
    }
    bodies.force[i] = bodies.torque[i] = {};
    if (f.type == BodyType::Dynamic) dynamic.push_back(i);
    if (!f.shape) continue;
    objects.push_back({{f.shape.get(), bodies.shapePoseOf(i), f.id}, f.type != BodyType::Static});
    bodyOf.push_back(i);
  }
}

void MovingBodies::getState(std::span<double> y) const {
  std::size_t k = 0;
  for (const std::uint32_t i : dynamic) {
    const Vec3 &x = bodies.position[i], &v = bodies.velocity[i].linear;
    const Vec3& w = bodies.velocity[i].angular;
    const Quat& q = bodies.orientation[i];
    for (const double value : {x.x, x.y, x.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z}) {
      y[k++] = value;
    }
  }
}

Status MovingBodies::place(double time, std::span<const double> y) {
  for (std::size_t k = 0; k < dynamic.size(); ++k) {
    const std::uint32_t i = dynamic[k];
    const double* s = y.data() + kStatesPerBody * k;
    const Quat q{s[3], s[4], s[5], s[6]};
    const Vec3 x{s[0], s[1], s[2]}, v{s[7], s[8], s[9]}, w{s[10], s[11], s[12]};
    const double length2 = ((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z;
    if (!isFinite(x) || !isFinite(v) || !isFinite(w) || !(length2 > 0.0) || !isFinite(length2)) {
      return Status::failure(StatusCode::NonFinite,
                             "t = " + toText(time) + " s: body " +
                                 std::to_string(bodies.facts[i].id) +
                                 ": the state is not finite, or its quaternion is zero; smaller "
                                 "steps or tolerances",
                             bodies.facts[i].id);
    }
    bodies.position[i] = x;
    bodies.orientation[i] = normalized(q);
    bodies.velocity[i] = {v, w};
    bodies.refreshMobility(i);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.facts[i].type != BodyType::Kinematic) continue;
    const double elapsed = time - startTime;
    const BodyVelocity& v = bodies.velocity[i];
    bodies.position[i] = startPosition[i] + v.linear * elapsed;
    bodies.orientation[i] =
        normalized(quatFromRotationVector(v.angular * elapsed) * startOrientation[i]);
  }
  for (std::size_t k = 0; k < objects.size(); ++k) {
    if (objects[k].canMove) objects[k].placed.pose = bodies.shapePoseOf(bodyOf[k]);
  }
  return {};
}

Vec3 MovingBodies::surfaceVelocity(std::size_t body, const Vec3& at) const {
  const BodyVelocity& v = bodies.velocity[body];
  return (v.linear + cross(v.angular, at - bodies.position[body])) +
         bodies.facts[body].surfaceVelocity;
}

PairMaterial MovingBodies::materialBetween(std::size_t body1, std::uint64_t subShape1,
                                           std::size_t body2, std::uint64_t subShape2) const {
  return materials.between(materialOf(bodies.facts[body1], subShape1),
                           materialOf(bodies.facts[body2], subShape2));
}

double MovingBodies::modulusBetween(std::size_t body1, std::uint64_t subShape1, std::size_t body2,
                                    std::uint64_t subShape2) const {
  const Material& a = materials.get(materialOf(bodies.facts[body1], subShape1));
  const Material& b = materials.get(materialOf(bodies.facts[body2], subShape2));
  return contactModulus(a.youngsModulus, a.poissonsRatio, b.youngsModulus, b.poissonsRatio);
}

const TrackedObject& MovingBodies::objectOf(std::size_t body) const {
  const auto at = std::lower_bound(bodyOf.begin(), bodyOf.end(), body);
  return objects[static_cast<std::size_t>(at - bodyOf.begin())];
}

}  // namespace abut::inline v0_1
