// SPDX-License-Identifier: MIT
#include "io/sweep/measure.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "io/core/text.hpp"
#include "io/recording/rows.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Finds "position.x" among the columns of a record; complains with those that there are.
template <typename Record>
void findField(const Node& node, Measure& measure) {
  const std::string& wanted = node.text("a field");
  std::vector<std::string> names;
  for (const Column& column : columnsOf<Record>()) {
    // Labels of bodies and contacts are no numbers.
    if (column.holds == Holds::Body || column.holds == Holds::Joint || column.holds == Holds::Label)
      continue;
    for (std::size_t k = 0; k < column.width; ++k) {
      names.push_back(concat(column.name, componentOf(column, k)));
      if (names.back() != wanted) continue;
      measure.word = column.first + k;
      measure.holds = column.holds;
      return;
    }
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  node.fail(concat("no field ", quoted(wanted), suggestion(wanted, views),
                   " (there are: ", join(views), ")"));
}

template <typename Record>
double wordOf(const Record& record, const Measure& measure, std::vector<std::uint64_t>& row) {
  row.resize(rowWidth<Record>());
  toRow(record, row.data());
  return numberOf(measure.holds, row[measure.word]);
}

}  // namespace

Measure readMeasure(const Node& node) {
  node.allowKeys({"name", "body", "joint", "axis", "of", "as"});
  Measure m;
  const Node of = node.require("of", "the field to measure, as \"position.x\"");
  const std::optional<Node> body = node.find("body"), joint = node.find("joint");
  if (body && joint) node.fail("expected a body or a joint, got both; make two measures");
  if (body) {
    m.owner = body->text("the name of a body");
    findField<BodyFrame>(of, m);
  } else if (joint) {
    m.of = Measure::Of::Joint;
    m.owner = joint->text("the name of a joint");
    constexpr std::uint64_t kMostAxes = 6;
    if (const std::optional<Node> v = node.find("axis"))
      m.axis = static_cast<std::size_t>(v->count("number of the axis", 0, kMostAxes - 1));
    findField<JointFrame>(of, m);
  } else {
    const std::string& wanted = of.text("a field");
    bool isOfReport = false;
    for (const Column& column : columnsOf<StepReport>()) isOfReport |= column.name == wanted;
    m.of = isOfReport ? Measure::Of::Report : Measure::Of::Energy;
    if (isOfReport) {
      findField<StepReport>(of, m);
    } else {
      findField<EnergyAccount>(of, m);
    }
  }
  if (node.find("axis") && !joint) node.fail("\"axis\" goes with a joint; remove it");
  if (const std::optional<Node> v = node.find("as"))
    m.digest =
        static_cast<Digest>(v->oneOf({"last", "first", "least", "greatest", "mean", "change"}));
  const std::optional<Node> name = node.find("name");
  m.name = name ? name->text("a title")
                : concat(m.owner, m.owner.empty() ? "" : " ", of.text("a field"));
  return m;
}

Meter::Meter(const Measure& measure, const RunHeader& header) : measure_(measure) {
  if (measure.of == Measure::Of::Body) {
    const auto found =
        std::find_if(header.bodies.begin(), header.bodies.end(),
                     [&](const BodyRecord& body) { return body.name == measure.owner; });
    if (found == header.bodies.end())
      throw InputError(concat("no body ", quoted(measure.owner), " to measure"));
    body_ = static_cast<std::size_t>(found - header.bodies.begin());
  } else if (measure.of == Measure::Of::Joint) {
    const auto found =
        std::find_if(header.joints.begin(), header.joints.end(),
                     [&](const JointRecord& joint) { return joint.name == measure.owner; });
    if (found == header.joints.end())
      throw InputError(concat("no joint ", quoted(measure.owner), " to measure"));
    if (measure.axis >= std::max<std::size_t>(found->axes.size(), 1))
      throw InputError(concat("the joint ", quoted(measure.owner), " has no axis ", measure.axis));
    joint_ = found->id;
  }
}

std::optional<double> Meter::read(const Frame& frame) const {
  std::vector<std::uint64_t> row;
  switch (measure_.of) {
    case Measure::Of::Body:
      return wordOf(frame.bodies[body_], measure_, row);
    case Measure::Of::Joint:
      for (const JointFrame& joint : frame.joints) {
        if (joint.joint == joint_ && joint.axis == measure_.axis)
          return wordOf(joint, measure_, row);
      }
      return std::nullopt;
    case Measure::Of::Energy:
      return wordOf(frame.totalEnergy, measure_, row);
    case Measure::Of::Report:
      return wordOf(frame.report, measure_, row);
  }
  return std::nullopt;
}

void Meter::add(const Frame& frame) {
  const std::optional<double> value = read(frame);
  if (!value) return;
  if (count_ == 0) first_ = least_ = greatest_ = *value;
  last_ = *value;
  least_ = std::min(least_, last_);
  greatest_ = std::max(greatest_, last_);
  sum_ += last_;
  ++count_;
}

double Meter::result() const {
  if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
  switch (measure_.digest) {
    case Digest::Last:
      return last_;
    case Digest::First:
      return first_;
    case Digest::Least:
      return least_;
    case Digest::Greatest:
      return greatest_;
    case Digest::Mean:
      return sum_ / static_cast<double>(count_);
    case Digest::Change:
      return last_ - first_;
  }
  return last_;
}

}  // namespace abut::inline v0_1::io
