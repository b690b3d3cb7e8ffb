// SPDX-License-Identifier: MIT
#include "fc3d.hpp"

#include <cmath>
#include <ctime>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "contact_file.hpp"
#include "exit_codes.hpp"
#include "io/core/text.hpp"
#include "peer_solver.hpp"

namespace abut::tool {
namespace {

constexpr double kGood = 1e-8, kExact = 1e-12;

double processorSeconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

const char* nameOf(SolverStage stage) {
  switch (stage) {
    case SolverStage::Empty:
      return "empty";
    case SolverStage::Sweeps:
      return "sweeps";
    case SolverStage::Newton:
      return "newton";
    case SolverStage::InteriorPoint:
      return "interior+newton";
  }
  return "";
}

/// The same problems by another solver, on a line of its own.
class Peer {
public:
  void solve(const ContactFile& file, double tolerance) {
    std::vector<Vec3> r(file.friction.size()), u(file.friction.size());
    const double seconds = solveByPeer(file, tolerance, r, u), error = errorOf(file, r, u);
    total_ += seconds;
    good_ += error <= kGood ? 1 : 0;
    exact_ += error <= kExact ? 1 : 0;
    ++count_;
    fmt::print("{:<44} {:>8} {:<30} {:>9.1e} {:>9.1f}\n", "", "", "Siconos, Gauss-Seidel", error,
               1e3 * seconds);
  }
  void print() const {
    fmt::print("Siconos: {} problems: {} to 1e-8, {} to 1e-12, {:.2f} s\n", count_, good_, exact_,
               total_);
  }

private:
  std::size_t count_ = 0, good_ = 0, exact_ = 0;
  double total_ = 0.0;
};

}  // namespace

Fc3dCommand::Fc3dCommand(CLI::App& app) {
  app_ = app.add_subcommand("fc3d", "Solve frictional contact problems that files hold");
  app_->add_option("files", files_, "Problems: .dat, or .hdf5 of fclib")
      ->required()
      ->type_name("FILE");
  app_->add_option("--tolerance", tolerance_, "Instead of the solver's own, > 0");
  app_->add_flag("--peer", peer_, "Solve them with Siconos too, if the tool was built beside it");
  app_->footer(
      "A problem is u = W r + q with Coulomb's law at each contact, given by W and q or by masses\n"
      "and Jacobian rows. Printed are contacts, the stage that gave the answer with its sweeps "
      "and\n"
      "Newton steps, the error |r - P(r - u^)| / max(|q|, |r|, |u|), and the time to solve.\n\n"
      "Example:\n"
      "  abut fc3d problems/*.dat problems/*.hdf5");
}

int Fc3dCommand::run() {
  SolverOptions options;
  if (app_->count("--tolerance") > 0) {
    if (!(tolerance_ > 0.0)) throw io::InputError("--tolerance must be > 0");
    options.tolerance = tolerance_;
  }
  if (peer_ && !hasPeerSolver()) {
    fmt::print("Siconos is not beside: build where libsiconos-numerics-dev is installed\n");
  }
  Peer peer;
  std::size_t good = 0, exact = 0;
  double total = 0.0;
  fmt::print("{:<44} {:>8} {:<16} {:>6} {:>6} {:>9} {:>9}\n", "problem", "contacts", "stage",
             "sweeps", "newton", "error", "ms");
  ContactSolver solver;
  for (const std::string& path : files_) {
    const ContactFile file = readContactFile(path);
    std::vector<Vec3> r(file.friction.size()), u(file.friction.size());
    const double start = processorSeconds();
    const SolverReport report = solver.solve(file.problem(), options, r, u);
    const double seconds = processorSeconds() - start;
    const double error = errorOf(file, r, u);
    total += seconds;
    good += error <= kGood ? 1 : 0;
    exact += error <= kExact ? 1 : 0;
    const std::size_t slash = path.find_last_of('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    fmt::print("{:<44} {:>8} {:<16} {:>6} {:>6} {:>9.1e} {:>9.1f}\n", io::printable(name, 44),
               r.size(), nameOf(report.stage), report.sweeps, report.newtonSteps, error,
               1e3 * seconds);
    if (peer_ && hasPeerSolver()) peer.solve(file, kExact);
  }
  fmt::print("{} problems: {} to 1e-8, {} to 1e-12, {:.2f} s\n", files_.size(), good, exact, total);
  if (peer_ && hasPeerSolver()) peer.print();
  return good == files_.size() ? kExitOk : kExitVerification;
}

}  // namespace abut::tool
