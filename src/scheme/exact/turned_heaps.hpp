// SPDX-License-Identifier: MIT
#pragma once

#include "scheme/exact/exact_step.hpp"

namespace abut::inline v0_1 {

/// Contacts of a heap that a table carries round, put where they are at the end of the step.
///
/// Contacts of heaps are not followed through the step (MovingContacts), and velocities at its end
/// that fit contacts of its beginning lead off the table in a spiral. What turns with the table as
/// if it were one body with it is at the end where it was, turned about the table's axis: so are
/// its contacts, to the second order of the step, and no search is needed. Of those whose normal
/// is the axis; what leans against each other keeps its gaps by where it begins. Not in steps with
/// blows.
void turnWithTable(ExactStep& s, const Island& island);

}  // namespace abut::inline v0_1
