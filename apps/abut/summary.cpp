// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/core/text.hpp"
#include "progress.hpp"

namespace abut::tool {
namespace {

/// Five digits; "0" for what is rounding beside the largest entry.
std::string joules(double value, double largest, bool sign) {
  constexpr double kRounding = 1e-13;
  if (std::fabs(value) <= kRounding * largest) return "0";
  return sign ? fmt::format("{:+.6g}", value) : fmt::format("{:.6g}", value);
}

}  // namespace

void RunStatistics::add(const StepReport& report) {
  worstResidual = std::max(worstResidual, report.worstError);
  tolerance = std::max(tolerance, report.tolerance);
  deepest = std::max(deepest, report.greatestDepth);
  mostContacts = std::max(mostContacts, report.contacts);
  sweeps += static_cast<std::uint64_t>(report.sweeps);
  if (!report.converged) ++notConverged;
}

void RunStatistics::add(const io::Frame& frame) {
  add(frame.report);
  for (const io::EventFrame& e : frame.events) ++events[static_cast<std::size_t>(e.kind)];
  energy = frame.totalEnergy;
  contacts = frame.report.contacts;
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void printLine(const std::string& label, const std::string& text) {
  fmt::print("  {:<12}  {}\n", label, text);
}

void printSummary(const io::Simulation& simulation, const RunStatistics& statistics,
                  double seconds) {
  const io::Scene& scene = simulation.getScene();
  const World& world = simulation.getWorld();
  const std::uint64_t steps = simulation.getStep(), made = steps - statistics.firstStep;
  printLine(io::printable(scene.name),
            fmt::format("{}, {} of {}, {}", counted(simulation.numBodies(), "body", "bodies"),
                        counted(steps, "step", "steps"), readableTime(scene.step),
                        made == 0 ? "none made here"
                                  : grouped(static_cast<double>(made) / std::max(seconds, 1e-9)) +
                                        " steps/s"));
  printLine("contacts",
            fmt::format("{} at the end, most {}, deepest {}, residual {:.1e}{}{}",
                        simulation.numContacts(), statistics.mostContacts,
                        readableLength(statistics.deepest), statistics.worstResidual,
                        statistics.tolerance > scene.options.solver.tolerance
                            ? fmt::format(" (allowed {:.0e})", statistics.tolerance)
                            : "",
                        statistics.notConverged == 0
                            ? ""
                            : fmt::format(", {} did not converge",
                                          counted(statistics.notConverged, "step", "steps"))));
  const EnergyAccount& e = world.getLedger();
  const double largest = e.largestEntry();
  const auto plain = [&](double v) { return joules(v, largest, false); };
  const auto change = [&](double v) { return joules(v, largest, true); };
  printLine("energy",
            fmt::format("kinetic {} -> {} J, potential {} -> {} J", plain(e.kineticBefore),
                        plain(e.kineticAfter), plain(e.potentialBefore), plain(e.potentialAfter)));
  printLine("", fmt::format("drivers {}  forces {}  impact {}  friction {}  correction {}  "
                            "integrator {}",
                            change(e.drivers), change(e.forces), change(e.impact),
                            change(e.friction), change(e.correction), change(e.integrator)));
  if (simulation.numJoints() > 0 || e.joints != 0.0) {
    printLine("", fmt::format("motors {}  dampers {}  limits {}  joint friction {}  joints {}  "
                              "springs {}",
                              change(e.motors), change(e.dampers), change(e.limits),
                              change(e.jointFriction), change(e.joints),
                              change(e.elasticBefore - e.elasticAfter)));
  }
  if (e.compliance != 0.0) {
    printLine("", fmt::format("compliance of contacts {}", change(e.compliance)));
  }
  printLine("", fmt::format("unaccounted {:.1e} J of {:.3g} J", std::fabs(e.residual()), largest));
  printLine("hash", io::toHex(simulation.hash()) + "  (the same on every machine)");
}

void printVariableSummary(const io::VariableRun& run, const RunStatistics& statistics,
                          double seconds) {
  const io::Scene& scene = run.getScene();
  const bool compliant = scene.variable->contacts == io::VariableStep::Contacts::Compliant;
  printLine(io::printable(scene.name),
            fmt::format("{}, {} with a variable step: {} {}, computed in {}",
                        counted(scene.bodies.size(), "body", "bodies"), readableTime(run.getTime()),
                        grouped(static_cast<double>(run.getStatistics().steps)),
                        compliant ? "steps of the integrator" : "flights between impacts",
                        readableTime(seconds)));
  printLine("contacts",
            fmt::format("{} at the end, most {} in a frame, deepest {}", statistics.contacts,
                        statistics.mostContacts, readableLength(statistics.deepest)));
  std::string kinds;
  for (std::size_t i = 0; i < statistics.events.size(); ++i) {
    if (statistics.events[i] == 0) continue;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ",
                         toText(static_cast<io::EventKind>(i)), statistics.events[i]);
  }
  printLine("events", kinds.empty() ? "none" : kinds);
  const EnergyAccount& e = statistics.energy;
  const double largest = e.largestEntry();
  const auto plain = [&](double v) { return joules(v, largest, false); };
  printLine("energy",
            fmt::format("kinetic {} -> {} J, potential {}{} -> {} J", plain(e.kineticBefore),
                        plain(e.kineticAfter), compliant ? "and elastic " : "",
                        plain(e.potentialBefore), plain(e.potentialAfter)));
  const std::string rest = joules(e.residual(), largest, true);
  printLine("", compliant ? fmt::format("contacts, drivers and forces {}", rest)
                          : fmt::format("impact {}  lasting contacts and drivers {}",
                                        joules(e.impact, largest, true), rest));
  printLine("hash", io::toHex(run.hash()) + (compliant ? "  (on this machine: CVODE's bits vary)"
                                                       : "  (the same on every machine)"));
}

}  // namespace abut::tool
