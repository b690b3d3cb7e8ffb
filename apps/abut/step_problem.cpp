// SPDX-License-Identifier: MIT
#include "step_problem.hpp"

#include <map>

#include <abut/solver/problem_observer.hpp>

#include "io/core/text.hpp"
#include "io/run/simulation.hpp"

namespace abut::tool {
namespace {

/// The last problem of a kind for each island, by the least id of its bodies.
class Collector final : public ProblemObserver {
public:
  explicit Collector(ProblemKind kind) : kind_(kind) {}

  void onProblem(const ObservedProblem& seen) override {
    if (seen.kind != kind_) return;
    ObjectId least = kNoObject;
    for (std::size_t i = 0; i < seen.ids.size(); ++i) {
      const bool answers = seen.problem.bodies[i].inverseMass.x > 0.0 ||
                           seen.problem.bodies[i].inverseMass.y > 0.0 ||
                           seen.problem.bodies[i].inverseMass.z > 0.0 ||
                           seen.problem.bodies[i].inverseInertia.x.x > 0.0 ||
                           seen.problem.bodies[i].inverseInertia.y.y > 0.0 ||
                           seen.problem.bodies[i].inverseInertia.z.z > 0.0;
      if (answers && (least == kNoObject || seen.ids[i] < least)) least = seen.ids[i];
    }
    Part& part = parts_[least];
    part.resistances = 0;
    std::vector<std::uint32_t> kept;
    assembleDelassus(seen.problem, seen.free, part.file.matrix, part.file.free, kept);
    part.file.friction.clear();
    for (const std::uint32_t k : kept) {
      const SolverContact& c = seen.problem.contacts[k];
      part.file.friction.push_back(c.friction);
      part.resistances += c.rollingResistance > 0.0 || c.spinningResistance > 0.0 ? 1 : 0;
    }
  }
  void clear() { parts_.clear(); }

  /// All islands one after the other.
  [[nodiscard]] StepProblemFile join() const {
    StepProblemFile all;
    DelassusMatrix& to = all.problem.matrix;
    to.rowStart = {0};
    for (const auto& [id, part] : parts_) {
      const DelassusMatrix& from = part.file.matrix;
      const auto first = static_cast<std::uint32_t>(all.problem.friction.size());
      const auto blocks = static_cast<std::uint32_t>(to.block.size());
      for (std::size_t i = 1; i < from.rowStart.size(); ++i) {
        to.rowStart.push_back(blocks + from.rowStart[i]);
      }
      for (const std::uint32_t column : from.column) to.column.push_back(first + column);
      to.block.insert(to.block.end(), from.block.begin(), from.block.end());
      const ContactFile& f = part.file;
      all.problem.free.insert(all.problem.free.end(), f.free.begin(), f.free.end());
      all.problem.friction.insert(all.problem.friction.end(), f.friction.begin(), f.friction.end());
      all.islands += f.friction.empty() ? 0 : 1;
      all.resistances += part.resistances;
    }
    return all;
  }

private:
  struct Part {
    ContactFile file;
    std::size_t resistances = 0;
  };
  ProblemKind kind_;
  std::map<ObjectId, Part> parts_;
};

}  // namespace

StepProblemFile findStepProblem(const io::Scene& scene, std::uint64_t step,
                                const std::string& kind) {
  if (scene.variable) {
    throw io::InputError(
        "--fclib: a variable step has no contact problem of a step; scenes with "
        "steps of equal length do");
  }
  if (scene.options.scheme != StepScheme::Exact) {
    throw io::InputError(
        "--fclib: only steps of the exact scheme have contact problems with "
        "friction at every point; set \"solver\": {\"scheme\": \"exact\"}");
  }
  Collector collector(kind == "impact"       ? ProblemKind::Impact
                      : kind == "correction" ? ProblemKind::Correction
                                             : ProblemKind::Force);
  io::Simulation run(scene);
  for (std::uint64_t i = 0; i < step; ++i) {
    if (i + 1 == step) run.getWorld().setProblemObserver(&collector);
    collector.clear();
    if (const Status status = run.step(); !status) {
      throw io::InputError(
          io::concat("--fclib: step ", std::to_string(i + 1), ": ", status.getMessage()));
    }
  }
  run.getWorld().setProblemObserver(nullptr);
  return collector.join();
}

}  // namespace abut::tool
