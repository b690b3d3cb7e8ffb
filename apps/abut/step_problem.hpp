// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "contact_file.hpp"
#include "io/scene/scene.hpp"

namespace abut::tool {

/// A contact problem that a world had to solve.
struct StepProblemFile {
  ContactFile problem;
  std::size_t islands = 0;      ///< One after the other in it.
  std::size_t resistances = 0;  ///< Contacts whose rolling or spinning resistance it leaves out.
};

/// The problem of a scene's step, counted from 1, of all islands together; `kind` is force, impact
/// or correction. Throws io::InputError for scenes whose steps have none (real-time scheme,
/// variable step), and for a run that fails before.
StepProblemFile findStepProblem(const io::Scene& scene, std::uint64_t step,
                                const std::string& kind);

}  // namespace abut::tool
