// SPDX-License-Identifier: MIT
#include <abut/hybrid/impact_simulation.hpp>

#include "io/core/text.hpp"
#include "io/run/variable_run.hpp"

namespace abut::inline v0_1::io {
namespace {

ImpactOptions optionsOf(const Scene& scene) {
  ImpactOptions options = scene.variable->impacts;
  options.solver = scene.options.solver;
  options.maxSolverError = scene.limits.residual;
  return options;
}

class ImpactRun final : public VariableRun {
public:
  explicit ImpactRun(const Scene& scene)
      : VariableRun(scene), simulation_(world_, optionsOf(scene)) {}

  [[nodiscard]] double getTime() const override { return simulation_.getTime(); }
  [[nodiscard]] HybridStatistics getStatistics() const override {
    return simulation_.getStatistics();
  }

protected:
  Status advanceTo(double time) override { return simulation_.advance(time); }
  [[nodiscard]] const HybridRecord& getRecord() const override { return simulation_.getRecord(); }
  Status getMotion(ObjectId id, BodyMotion& motion) const override {
    return simulation_.getMotion(id, motion);
  }
  std::span<const HybridContact> contactsNow() override { return simulation_.getContacts(); }
  [[nodiscard]] std::vector<ObjectPair> touchingPairs() const override {
    const auto pairs = simulation_.getRestingPairs();
    return {pairs.begin(), pairs.end()};
  }
  [[nodiscard]] double impactWork() const override { return simulation_.impactWork(); }

private:
  ImpactSimulation simulation_;
};

}  // namespace

std::unique_ptr<VariableRun> startImpactRun(const Scene& scene) {
  try {
    return std::make_unique<ImpactRun>(scene);
  } catch (const Error& error) {
    throw InputError(concat(scene.name, ": ", withNames(error.what(), scene)));
  }
}

}  // namespace abut::inline v0_1::io
