// SPDX-License-Identifier: MIT
#include "io/core/text.hpp"
#include "io/run/variable_run.hpp"

#if ABUT_HAS_CVODE

#include <algorithm>
#include <limits>

#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/cvode_driver.hpp>
#include <abut/math/convert.hpp>

namespace abut::inline v0_1::io {
namespace {

class CompliantRun final : public VariableRun {
public:
  explicit CompliantRun(const Scene& scene)
      : VariableRun(scene), system_(world_, scene.variable->compliant), driver_(start()) {}

  [[nodiscard]] double getTime() const override { return driver_.getTime(); }
  [[nodiscard]] HybridStatistics getStatistics() const override { return driver_.getStatistics(); }

protected:
  Status advanceTo(double time) override {
    while (driver_.getTime() < time) {
      const double change = nextChange(), next = std::min(time, change);
      Status status = driver_.advance(next);
      if (status && next == change) {
        setForces(next);
        status = driver_.restart();
      }
      if (!status) return status;
    }
    return {};
  }
  [[nodiscard]] const HybridRecord& getRecord() const override { return driver_.getRecord(); }
  Status getMotion(ObjectId id, BodyMotion& motion) const override {
    return system_.getMotion(driver_.getTime(), driver_.getState(), id, motion);
  }
  std::span<const HybridContact> contactsNow() override {
    // The integrator's last evaluation may have been at a state that it gave up.
    std::vector<double> rates(system_.numStates());
    system_.computeDerivatives(driver_.getTime(), driver_.getState(), rates).orThrow();
    return system_.getForces();
  }
  [[nodiscard]] std::vector<ObjectPair> touchingPairs() const override {
    std::vector<ObjectPair> pairs;
    for (const TrackedContact& p : system_.getTracker().getContacts()) pairs.push_back(p.pair);
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }
  double storedEnergy() override {
    CompliantEnergy energy;
    system_.computeEnergy(driver_.getTime(), driver_.getState(), energy).orThrow();
    return energy.elastic;
  }

private:
  /// The driver begins with the forces of time 0.
  CvodeDriver start() {
    setForces(0.0);
    return CvodeDriver(system_, scene_.variable->cvode);
  }

  /// When the next force begins or ends.
  [[nodiscard]] double nextChange() const {
    double next = std::numeric_limits<double>::infinity();
    for (const SceneBody& body : scene_.bodies) {
      for (const ForceSpan& span : body.forces) {
        for (const double t : {span.from, span.to})
          if (t > driver_.getTime()) next = std::min(next, t);
      }
    }
    return next;
  }

  void setForces(double time) {
    for (const SceneBody& body : scene_.bodies) {
      if (body.forces.empty()) continue;
      Vec3 force, torque;
      for (const ForceSpan& span : body.forces) {
        if (time < span.from || time >= span.to) continue;
        force = {force.x + span.force.x, force.y + span.force.y, force.z + span.force.z};
        torque = {torque.x + span.torque.x, torque.y + span.torque.y, torque.z + span.torque.z};
      }
      system_.setForce(body.description.id, toEigen(force), toEigen(torque)).orThrow();
    }
  }

  CompliantSystem system_;
  CvodeDriver driver_;
};

}  // namespace

std::unique_ptr<VariableRun> startCompliantRun(const Scene& scene) {
  try {
    return std::make_unique<CompliantRun>(scene);
  } catch (const Error& error) {
    throw InputError(concat(scene.name, ": ", withNames(error.what(), scene)));
  }
}

}  // namespace abut::inline v0_1::io

#else

namespace abut::inline v0_1::io {

std::unique_ptr<VariableRun> startCompliantRun(const Scene& scene) {
  throw InputError(concat(scene.name,
                          ": compliant contacts need SUNDIALS CVODE, which this program was built "
                          "without; install libsundials-dev (scripts/setup) and build again, or "
                          "use \"step\": {\"variable\": \"impacts\"}"));
}

}  // namespace abut::inline v0_1::io

#endif
