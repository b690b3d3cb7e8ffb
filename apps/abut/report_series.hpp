// SPDX-License-Identifier: MIT
#pragma once

#include "io/recording/frame.hpp"
#include "report_track.hpp"

namespace abut::tool {

/// Appends a frame's numbers for the plots: changes of kinetic and potential energy and the
/// ledger's entries since the beginning [J], the step's report, sums over contacts, momenta.
void addSeries(const io::RunHeader& header, const io::Frame& frame, const BodyIndex& indexOf,
               Track& series);

}  // namespace abut::tool
