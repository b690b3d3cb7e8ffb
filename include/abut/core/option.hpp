// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string_view>

namespace abut::inline v0_1 {

/// What may be given for an option or a material's field. The lists of these (forEachOption(),
/// forEachField()) are the only place where names, units and ranges stand: constructors, readers of
/// scene files, snapshots and the tests of the schema walk them.
struct OptionInfo {
  std::string_view name;  ///< "WorldOptions::maxStep"
  std::string_view key;   ///< In scene files: "maxStep".
  std::string_view what;  ///< For messages: "a time [s]".
  std::string_view unit;  ///< "" for pure numbers, flags and words.
  double min = 0.0;       ///< Of numbers, both ends included.
  double max = 1.0;
  /// Of enumerations: the words for its values in order; the unused ones are empty.
  std::array<std::string_view, 4> words{};
};

}  // namespace abut::inline v0_1
