// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>

namespace abut::tool {

/// Columns of the page's plots after the time, as web/src/data/run.js names them. Energies are
/// changes since the beginning [J].
inline constexpr std::size_t kNumSeries = 24;
inline constexpr std::array<const char*, kNumSeries> kSeriesNames{
    "kinetic",    "potential",  "drivers",     "forces",      "impact",       "friction",
    "correction", "integrator", "unaccounted", "error",       "contacts",     "islands",
    "depth",      "sweeps",     "converged",   "normalForce", "largestForce", "impulse",
    "momentumX",  "momentumY",  "momentumZ",   "angularX",    "angularY",     "angularZ"};

}  // namespace abut::tool
