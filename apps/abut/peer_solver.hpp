// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "contact_file.hpp"

namespace abut::tool {

/// Whether the tool was built beside Siconos (Debian: libsiconos-numerics-dev).
bool hasPeerSolver();

/// Solves a problem with the nonsmooth Gauss-Seidel method of Siconos, to its own measure of the
/// tolerance or its limit of iterations; r and u are those of errorOf(). Nothing where
/// hasPeerSolver() is false. Returns the processor time [s].
double solveByPeer(const ContactFile& file, double tolerance, std::vector<Vec3>& r,
                   std::vector<Vec3>& u);

}  // namespace abut::tool
