// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "io/run/simulation.hpp"

namespace abut::inline v0_1::io {

/// A simulation as bytes: version, the scene's digest, step, and the world's snapshot; packed and
/// checked like a block of a recording, the same on every machine.
[[nodiscard]] std::string encodeCheckpoint(const Simulation& simulation);

/// Puts a simulation of the same scene where the checkpoint was made: from here on it gives the
/// same bits. `name` is the file's, for messages. Throws InputError, and changes nothing, for bytes
/// that are damaged, of another version or of another scene.
void restoreCheckpoint(Simulation& simulation, std::string_view bytes, const std::string& name);

/// The same through a file, which is replaced atomically: after a crash it holds the old checkpoint
/// or the new one.
void saveCheckpoint(const Simulation& simulation, const std::string& path);
void loadCheckpoint(Simulation& simulation, const std::string& path);

}  // namespace abut::inline v0_1::io
