// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "io/recording/recording_file.hpp"

namespace abut::inline v0_1::io {

/// A recording as binary glTF 2.0: bodies as nodes, their motion as one animation, y up as glTF
/// demands. Positions are in single precision. Returns the file's bytes. Reads the recording to
/// its end; throws InputError where it is damaged or holds no frame.
[[nodiscard]] std::string exportGltf(RecordingReader& recording);

enum class CsvTable { Bodies, Contacts, Energy, Events, Drivers, Joints };

/// One table of a recording as CSV (RFC 4180): a line of names with units, then one line for each
/// body, contact, frame, event or driver. Numbers read back as the same doubles.
[[nodiscard]] std::string exportCsv(RecordingReader& recording, CsvTable table);

/// All numbers of a recording as a NumPy archive (.npz): arrays by frame and body; contacts, events
/// and drivers in one list each, with the index of their frame. docs/recording.md lists them.
[[nodiscard]] std::string exportNpz(RecordingReader& recording);

}  // namespace abut::inline v0_1::io
