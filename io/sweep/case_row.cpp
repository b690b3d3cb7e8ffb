// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "io/core/text.hpp"
#include "io/recording/rows.hpp"
#include "io/run/scene_run.hpp"
#include "io/sweep/study.hpp"

namespace abut::inline v0_1::io {
namespace {

/// A cell that readers of tables take as one, whatever stands in it.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out + '"';
}

std::string cellOf(const JsonValue& value) {
  return cell(value.kind == JsonValue::Kind::Text ? value.text() : writeJson(value));
}

/// What a study keeps of the reports of a run's steps.
struct Course {
  double deepest = 0.0, worstError = 0.0;
  std::uint64_t mostContacts = 0, notConverged = 0;

  void add(const StepReport& report) {
    deepest = std::max(deepest, report.greatestDepth);
    worstError = std::max(worstError, report.worstError);
    mostContacts = std::max<std::uint64_t>(mostContacts, report.contacts);
    if (!report.converged) ++notConverged;
  }
};

std::string lineOf(const Study& study, std::uint64_t number, const std::vector<Meter>& meters,
                   const SceneRun& run, const Frame& frame, const Course& course) {
  std::string line = std::to_string(number);
  const auto add = [&](const auto& value) { line += concat(",", value); };
  for (std::size_t i = 0; i < study.parameters.size(); ++i)
    add(cellOf(study.parameters[i].values[study.valueOf(number, i)]));
  for (const Meter& meter : meters) add(meter.result());
  add(run.getStep());
  add(run.getTime());
  add(frame.report.contacts);
  add(course.mostContacts);
  add(course.deepest);
  add(course.worstError);
  add(course.notConverged);
  visitFields(frame.totalEnergy, [&](const Field&, double value) { add(value); });
  add(std::fabs(frame.totalEnergy.residual()));
  const std::optional<VariableStep>& variable = run.getScene().variable;
  const bool hasHash = !variable || variable->contacts != VariableStep::Contacts::Compliant;
  add(hasHash ? toHex(run.hash()) : std::string());
  add(cell(run.getFault()));
  return line;
}

}  // namespace

std::string tableHeader(const Study& study) {
  std::string line = "case";
  for (const Parameter& p : study.parameters) line += concat(",", cell(p.name));
  for (const Measure& m : study.measures) line += concat(",", cell(m.name));
  line += ",steps,time [s],contacts,most contacts,deepest [m],worst error,steps not converged";
  const EnergyAccount none;
  visitFields(none, [&](const Field& field, double) {
    line += concat(",", titleOf(field.name), " [", field.unit, "]");
  });
  return line + ",unaccounted [J],hash,fault";
}

CaseRow runCase(const Study& study, std::uint64_t number, bool (*goesOn)()) {
  const Scene scene = study.sceneOf(number);
  const std::unique_ptr<SceneRun> run = startRun(scene);
  std::vector<Meter> meters;
  for (const Measure& measure : study.measures) meters.emplace_back(measure, run->getHeader());
  const std::uint64_t steps = study.steps > 0 ? study.steps : scene.numSteps;
  Course course;
  Frame frame;
  run->capture(frame);
  for (Meter& meter : meters) meter.add(frame);
  while (run->getStep() < steps) {
    if (!goesOn()) return {{}, true, false};
    if (!run->advance()) break;
    run->capture(frame);
    course.add(frame.report);
    for (Meter& meter : meters) meter.add(frame);
  }
  return {lineOf(study, number, meters, *run, frame, course), run->getFault().empty(), true};
}

}  // namespace abut::inline v0_1::io
