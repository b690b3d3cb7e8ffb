// SPDX-License-Identifier: MIT
#include <map>

#include "io/core/text.hpp"
#include "io/export/export.hpp"
#include "io/recording/rows.hpp"

namespace abut::inline v0_1::io {
namespace {

/// In quotes, quotes doubled.
std::string field(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

/// Titles of a record's columns, each after a comma: "normal force [N]", "position x [m]".
template <typename Record>
std::string titles() {
  std::string out;
  for (const Column& column : columnsOf<Record>()) {
    for (std::size_t k = 0; k < column.width; ++k) {
      out += concat(",", titleOf(column.name));
      if (column.width > 1) out += concat(" ", componentOf(column, k).substr(1));
      if (!column.unit.empty()) out += concat(" [", column.unit, "]");
    }
  }
  return out;
}

class CsvWriter {
public:
  explicit CsvWriter(const RunHeader& header) : header_(header) {
    for (const BodyRecord& body : header.bodies) names_[body.id] = field(body.name);
    for (const JointRecord& joint : header.joints) joint_names_[joint.id] = field(joint.name);
  }

  std::string out;

  void bodies(const Frame& frame) {
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      start(frame);
      out += "," + names_[header_.bodies[i].id];
      record(frame.bodies[i]);
      out += '\n';
    }
  }
  template <typename Record>
  void all(const Frame& frame, const std::vector<Record>& records) {
    for (const Record& r : records) {
      start(frame);
      record(r);
      out += '\n';
    }
  }
  void events(const Frame& frame) {
    for (const EventFrame& e : frame.events) {
      out += std::to_string(frame.step);
      record(e);
      out += '\n';
    }
  }
  void energy(const Frame& frame) {
    start(frame);
    record(frame.totalEnergy);
    out += concat(",", frame.totalEnergy.residual());
    record(frame.report);
    out += '\n';
  }

private:
  const RunHeader& header_;
  std::map<ObjectId, std::string> names_, joint_names_;
  std::vector<std::uint64_t> row_;

  void start(const Frame& frame) { out += concat(frame.step, ",", frame.time); }

  template <typename Record>
  void record(const Record& r) {
    row_.resize(rowWidth<Record>());
    toRow(r, row_.data());
    for (const Column& column : columnsOf<Record>())
      for (std::size_t k = 0; k < column.width; ++k) cell(column.holds, row_[column.first + k]);
  }

  void cell(Holds holds, std::uint64_t word) {
    out += ',';
    switch (holds) {
      case Holds::Number:
        out += toText(numberOf(holds, word));
        break;
      case Holds::Kind:
        out += toText(static_cast<EventKind>(word));
        break;
      case Holds::Body:
        if (word != kNoObject) out += names_[word];
        break;
      case Holds::Joint:
        out += joint_names_.contains(word) ? joint_names_[word] : std::to_string(word);
        break;
      case Holds::Island:
        if (word != kNoIsland) out += std::to_string(word);
        break;
      case Holds::Whole:
      case Holds::Flag:
      case Holds::Label:
        out += std::to_string(word);
        break;
    }
  }
};

std::string headOf(CsvTable table) {
  const std::string start = "step,time [s]";
  switch (table) {
    case CsvTable::Bodies:
      return start + ",body" + titles<BodyFrame>() + "\n";
    case CsvTable::Contacts:
      return start + titles<ContactFrame>() + "\n";
    case CsvTable::Energy:
      return start + titles<EnergyAccount>() + ",unaccounted [J]" + titles<StepReport>() + "\n";
    case CsvTable::Events:
      return "step" + titles<EventFrame>() + "\n";
    case CsvTable::Drivers:
      return start + titles<DriverFrame>() + "\n";
    case CsvTable::Joints:
      return start + titles<JointFrame>() + "\n";
  }
  return "";
}

}  // namespace

std::string exportCsv(RecordingReader& recording, CsvTable table) {
  CsvWriter writer(recording.getHeader());
  writer.out = headOf(table);
  Frame frame;
  while (recording.next(frame)) {
    switch (table) {
      case CsvTable::Bodies:
        writer.bodies(frame);
        break;
      case CsvTable::Contacts:
        writer.all(frame, frame.contacts);
        break;
      case CsvTable::Energy:
        writer.energy(frame);
        break;
      case CsvTable::Events:
        writer.events(frame);
        break;
      case CsvTable::Drivers:
        writer.all(frame, frame.drivers);
        break;
      case CsvTable::Joints:
        writer.all(frame, frame.joints);
        break;
    }
  }
  return std::move(writer.out);
}

}  // namespace abut::inline v0_1::io
