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

void RunStatistics::add(const World& world) {
  const StepReport& report = world.getReport();
  worstResidual = std::max(worstResidual, report.worstError);
  deepest = std::max(deepest, report.greatestDepth);
  mostContacts = std::max(mostContacts, report.contacts);
  if (!report.converged) ++notConverged;
}

void printLine(const std::string& label, const std::string& text) {
  fmt::print("  {:<12}  {}\n", label, text);
}

void printSummary(const io::Simulation& simulation, const RunStatistics& statistics,
                  double seconds) {
  const io::Scene& scene = simulation.getScene();
  const World& world = simulation.getWorld();
  const std::uint64_t steps = simulation.getStep();
  printLine(
      io::printable(scene.name),
      fmt::format("{} {}, {} steps of {}, {} steps/s", scene.bodies.size(),
                  scene.bodies.size() == 1 ? "body" : "bodies", steps, readableTime(scene.step),
                  grouped(static_cast<double>(steps) / std::max(seconds, 1e-9))));
  printLine("contacts",
            fmt::format("{} at the end, most {}, deepest {}, residual {:.1e}{}",
                        world.getContacts().size(), statistics.mostContacts,
                        readableLength(statistics.deepest), statistics.worstResidual,
                        statistics.notConverged == 0
                            ? ""
                            : fmt::format(", {} steps did not converge", statistics.notConverged)));
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
  printLine("", fmt::format("unaccounted {:.1e} J of {:.3g} J", std::fabs(e.residual()), largest));
  printLine("hash", io::toHex(world.hash()) + "  (the same on every machine)");
}

}  // namespace abut::tool
