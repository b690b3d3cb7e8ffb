// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/core/json.hpp"
#include "io/scene/scene.hpp"
#include "io/sweep/measure.hpp"

/// Studies: one scene, run for many values of some of its numbers (docs/sweep.md).
namespace abut::inline v0_1::io {

struct Parameter {
  std::string name;                              ///< Title of its column.
  std::vector<std::vector<std::string>> places;  ///< Where in the scene, as steps of paths.
  std::vector<JsonValue> values;
};

struct Study {
  std::string name;
  std::string scenePath;  ///< From where the tool was started.
  std::string sceneText;
  std::map<std::string, std::string> files;  ///< That the scene uses, by path from its folder.
  JsonValue scene;                           ///< The same, parsed.
  std::vector<Parameter> parameters;
  std::vector<Measure> measures;
  bool together = false;    ///< The values of one case stand at one index; else all with all.
  std::uint64_t steps = 0;  ///< 0: the scene's duration.
  /// Of everything that the table depends on: study, scene, the files it names, version.
  std::uint64_t digest = 0;

  [[nodiscard]] std::uint64_t numCases() const;
  /// Index of a parameter's value in a case. The last parameter changes fastest.
  [[nodiscard]] std::size_t valueOf(std::uint64_t number, std::size_t parameter) const;
  /// The scene of a case, checked. Throws InputError that names the case.
  [[nodiscard]] Scene sceneOf(std::uint64_t number) const;
  /// "friction 0.3, angle 12"
  [[nodiscard]] std::string describe(std::uint64_t number) const;
};

/// Reads a study; the scene stands in its folder. Throws InputError: places that the scene does not
/// have, bodies and fields that there are not, more than a million cases.
[[nodiscard]] Study loadStudy(const std::string& path);

/// First line of the table: the parameters, what is measured, how the run went, the ledger.
[[nodiscard]] std::string tableHeader(const Study& study);

/// A case as a line of the table.
struct CaseRow {
  std::string line;     ///< Without its end.
  bool sound = true;    ///< Else the last column says why not.
  bool isEnded = true;  ///< False: `goesOn` said no, and there is no line.
};

/// Runs a case on this thread. `goesOn` is asked before each step.
[[nodiscard]] CaseRow runCase(const Study& study, std::uint64_t number, bool (*goesOn)());

}  // namespace abut::inline v0_1::io
