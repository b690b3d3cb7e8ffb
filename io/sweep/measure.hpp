// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/recording/fields.hpp"
#include "io/scene/node.hpp"

namespace abut::inline v0_1::io {

/// What becomes of a number that changes from step to step.
enum class Digest : std::uint8_t { Last, First, Least, Greatest, Mean, Change };

/// A number of a run that goes into a study's table.
struct Measure {
  enum class Of : std::uint8_t { Body, Joint, Energy, Report };

  std::string name;
  Of of = Of::Body;
  std::string owner;     ///< Name of the body or joint.
  std::size_t axis = 0;  ///< Of the joint.
  std::size_t word = 0;  ///< In the row of the record (rows.hpp).
  Holds holds = Holds::Number;
  Digest digest = Digest::Last;
};

/// Reads {"name", "body" or "joint" or neither, "of", "as"}: "of" is a field as recordings have it,
/// with ".x" for a component; of the ledger or the report where neither is named.
[[nodiscard]] Measure readMeasure(const Node& node);

/// Takes frames in order and keeps what a measure asks for.
class Meter {
public:
  /// Throws InputError where the run has no such body or joint.
  Meter(const Measure& measure, const RunHeader& header);
  void add(const Frame& frame);
  /// NaN where there was no number: a joint that broke at once.
  [[nodiscard]] double result() const;

private:
  [[nodiscard]] std::optional<double> read(const Frame& frame) const;

  const Measure& measure_;
  std::size_t body_ = 0;
  ObjectId joint_ = kNoObject;
  std::uint64_t count_ = 0;
  double first_ = 0.0, last_ = 0.0, least_ = 0.0, greatest_ = 0.0, sum_ = 0.0;
};

}  // namespace abut::inline v0_1::io
