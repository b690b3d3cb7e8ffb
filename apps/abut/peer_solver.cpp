// SPDX-License-Identifier: MIT
#include "peer_solver.hpp"

#if ABUT_HAS_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <ctime>
#endif

namespace abut::tool {

#if ABUT_HAS_SICONOS

bool hasPeerSolver() {
  return true;
}

double solveByPeer(const ContactFile& file, double tolerance, std::vector<Vec3>& r,
                   std::vector<Vec3>& u) {
  constexpr int kMostIterations = 100000;
  const std::size_t count = file.friction.size();
  const int size = static_cast<int>(3 * count);
  NumericsMatrix* w = NM_create(NM_SPARSE, size, size);
  NM_triplet_alloc(w, static_cast<CS_INT>(9 * file.matrix.block.size()));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = file.matrix.rowStart[i]; k < file.matrix.rowStart[i + 1]; ++k) {
      for (std::size_t m = 0; m < 9; ++m) {
        NM_entry(w, static_cast<int>(3 * i + m / 3),
                 static_cast<int>(3 * file.matrix.column[k] + m % 3), file.matrix.block[k][m]);
      }
    }
  }
  std::vector<double> q, mu = file.friction, reaction(3 * count), velocity(3 * count);
  for (const Vec3& v : file.free) q.insert(q.end(), {v.x, v.y, v.z});
  FrictionContactProblem* problem =
      frictionContactProblem_new_with_data(3, static_cast<int>(count), w, q.data(), mu.data());
  ::SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = kMostIterations;
  const std::clock_t start = std::clock();
  fc3d_driver(problem, reaction.data(), velocity.data(), options);
  const double seconds =
      static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
  for (std::size_t i = 0; i < count; ++i) {
    r[i] = {reaction[3 * i], reaction[3 * i + 1], reaction[3 * i + 2]};
    u[i] = {velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]};
  }
  solver_options_delete(options);
  problem->q = problem->mu = nullptr;  // Ours.
  frictionContactProblem_free(problem);
  return seconds;
}

#else

bool hasPeerSolver() {
  return false;
}

double solveByPeer(const ContactFile&, double, std::vector<Vec3>&, std::vector<Vec3>&) {
  return 0.0;
}

#endif

}  // namespace abut::tool
