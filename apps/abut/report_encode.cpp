// SPDX-License-Identifier: MIT
// PageData's containers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "report_container.hpp"
#include "report_data.hpp"

namespace abut::tool {
namespace {

/// Resolution of what is not kept exactly, as a share of the largest number in the column: a
/// float's own for places, less where nobody can see it.
constexpr double kPlaceResolution = 1.0 / (1 << 23);
constexpr double kVelocityResolution = 1.0 / (1 << 18);
constexpr double kTurnResolution = 1.0 / (1 << 18);
constexpr double kNormalResolution = 1.0 / (1 << 15);

double largestOf(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double v : values)
    if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
  return largest > 0.0 ? largest : 1.0;
}

/// The step of a column that is kept in whole steps, or 0.
double resolutionOf(const TrackColumn& column) {
  switch (column.digits) {
    case io::Digits::Place:
      return kPlaceResolution * largestOf(column.values);
    case io::Digits::Rate:
      return kVelocityResolution * largestOf(column.values);
    case io::Digits::Turn:
      return kTurnResolution;
    case io::Digits::Direction:
      return kNormalResolution;
    case io::Digits::Short:
      break;
  }
  return 0.0;
}

std::vector<std::uint32_t> wholeOf(const std::vector<double>& values) {
  std::vector<std::uint32_t> out(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = static_cast<std::uint32_t>(values[i]);
  return out;
}

/// Says in the head what the track's columns are, by which the page finds and shows them.
void beginTrack(PageContainer& out, const std::string& name, const Track& track) {
  io::JsonText& list = out.head["tracks"][name] = io::JsonText::array();
  for (const TrackColumn& c : track.columns)
    list.push_back({{"name", c.name}, {"unit", c.unit}, {"width", c.width}});
  if (name != "events") out.addDoubles(name + ".time", track.time);
}

/// A track as it is; not `exact`, what is not a time with few digits.
void writePlain(PageContainer& out, const std::string& name, const Track& track,
                bool exact = true) {
  beginTrack(out, name, track);
  for (const TrackColumn& c : track.columns) {
    if (c.holds != io::Holds::Number) {
      out.addInts(name + "." + c.name, wholeOf(c.values));
    } else if (exact || c.unit == "s") {
      out.addDoubles(name + "." + c.name, c.values);
    } else {
      out.addFloats(name + "." + c.name, c.values);
    }
  }
}

/// "height field" for HeightField.
std::string nameOf(ShapeType type) {
  std::string name;
  for (const char c : toString(type)) {
    const bool isCapital = c >= 'A' && c <= 'Z';
    if (isCapital && !name.empty()) name += ' ';
    name += isCapital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

io::JsonText jsonOf(const Vec3& v) {
  return io::JsonText::array({v.x, v.y, v.z});
}

io::JsonText jsonOf(const Quat& q) {
  return io::JsonText::array({q.w, q.x, q.y, q.z});
}

io::JsonText jsonOf(const io::ShapeRecord& shape) {
  io::JsonText out{{"type", nameOf(shape.type)},
                   {"size", jsonOf(shape.size)},
                   {"position", jsonOf(shape.position)},
                   {"orientation", jsonOf(shape.orientation)},
                   {"material", shape.material}};
  if (shape.type == ShapeType::Plane) out["offset"] = shape.offset;
  if (shape.vertices.empty()) return out;
  io::JsonText& vertices = out["vertices"] = io::JsonText::array();
  for (const Vec3& v : shape.vertices) vertices.push_back(jsonOf(v));
  out["triangles"] = shape.triangles;
  return out;
}

io::JsonText jsonOf(const io::BodyRecord& body) {
  io::JsonText out{{"name", body.name},
                   {"type", static_cast<int>(body.type)},
                   {"locks", static_cast<int>(body.locks)},
                   {"mass", body.mass},
                   {"inertia", jsonOf(body.inertia)},
                   {"products", jsonOf(body.products)},
                   {"shapes", io::JsonText::array()}};
  for (const io::ShapeRecord& shape : body.shapes) out["shapes"].push_back(jsonOf(shape));
  return out;
}

/// Limits that there are not are left out; numbers of types and modes are those of joint.hpp.
io::JsonText jsonOf(const io::JointRecord& joint, std::uint32_t body1, std::uint32_t body2) {
  io::JsonText out{{"name", joint.name},
                   {"type", static_cast<int>(joint.type)},
                   {"body1", body1},
                   {"body2", body2},
                   {"position1", jsonOf(joint.position1)},
                   {"orientation1", jsonOf(joint.orientation1)},
                   {"position2", jsonOf(joint.position2)},
                   {"orientation2", jsonOf(joint.orientation2)},
                   {"axes", io::JsonText::array()}};
  for (const io::JointAxisRecord& axis : joint.axes) {
    io::JsonText one{{"turns", axis.turns}, {"drive", static_cast<int>(axis.drive)}};
    if (std::isfinite(axis.lower)) one["lower"] = axis.lower;
    if (std::isfinite(axis.upper)) one["upper"] = axis.upper;
    out["axes"].push_back(one);
  }
  return out;
}

}  // namespace

std::string PageData::headerBytes() const {
  PageContainer out;
  out.head["kind"] = "header";
  out.head["tool"] = "abut " ABUT_VERSION;
  out.head["scene"] = header_.scene;
  out.head["step"] = header_.step;
  out.head["planned"] = header_.duration;
  out.head["every"] = header_.every;
  out.head["gravity"] = jsonOf(header_.gravity);
  out.head["bodies"] = io::JsonText::array();
  for (const io::BodyRecord& body : header_.bodies) out.head["bodies"].push_back(jsonOf(body));
  out.head["joints"] = io::JsonText::array();
  for (const io::JointRecord& joint : header_.joints)
    out.head["joints"].push_back(jsonOf(joint, indexOf(joint.body1), indexOf(joint.body2)));
  return out.bytes();
}

bool PageData::isExact() const {
  return tracks_.poses.numRows() <= limits_.exactRecords &&
         tracks_.contacts.numRows() <= limits_.exactRecords;
}

std::string PageData::precisionNote(bool exact) const {
  if (exact) return "All numbers are those of the run, to the last digit.";
  double place = 0.0, velocity = 0.0;
  for (const TrackColumn& c : tracks_.poses.columns) {
    if (c.digits == io::Digits::Place) place = largestOf(c.values);
    if (c.name == "linearVelocity") velocity = largestOf(c.values);
  }
  return fmt::format(
      "Plots have all digits. Places are rounded to {:.1g} m, velocities to {:.1g} m/s, forces and "
      "depths to 5 digits.",
      kPlaceResolution * place, kVelocityResolution * velocity);
}

std::string PageData::thinningNote() const {
  std::string note;
  const auto say = [&note](const char* what, std::size_t every) {
    if (every > 1) note += fmt::format("{} of every {}th recorded frame are kept. ", what, every);
  };
  if (header_.every > 1) note += fmt::format("One frame was recorded in {} steps. ", header_.every);
  say("Numbers in plots", series_every_);
  say("Places", poses_every_);
  say("Contacts", contacts_every_);
  if (frames_without_contacts_ > 0)
    note += fmt::format("Contacts of {} frames were not recorded. ", frames_without_contacts_);
  say("Joints", joints_every_);
  if (tracks_.eventsLeftOut > 0)
    note += fmt::format("The last {} events are left out. ", tracks_.eventsLeftOut);
  return note;
}

void PageData::writePoses(PageContainer& out, bool exact, bool plain) const {
  const Track& track = tracks_.poses;
  beginTrack(out, "poses", track);
  for (const TrackColumn& c : track.columns) {
    const std::string name = "poses." + c.name;
    const std::size_t lag = c.width * header_.bodies.size();
    const bool smooth = c.digits == io::Digits::Place || c.digits == io::Digits::Turn;
    if (c.holds != io::Holds::Number) {
      out.addInts(name, wholeOf(c.values));
    } else if (exact) {
      out.addDoubles(name, c.values, plain ? 0 : lag);
    } else if (const double step = resolutionOf(c); step > 0.0) {
      out.addSteps(name, c.values, step, lag, smooth ? 2 : 1);
    } else {
      out.addFloats(name, c.values);
    }
  }
}

void PageData::writeContacts(PageContainer& out, bool exact) const {
  const Track& track = tracks_.contacts;
  beginTrack(out, "contacts", track);
  out.addInts("contacts.start", track.start);
  constexpr std::string_view kKey = "contacts.key";
  const std::vector<std::uint32_t> keys = wholeOf(track.columns.back().values);
  for (const TrackColumn& c : track.columns) {
    const std::string name = "contacts." + c.name;
    const auto width = static_cast<int>(c.width);
    if (c.holds != io::Holds::Number) {
      out.addInts(name, wholeOf(c.values));
    } else if (exact) {
      out.addDoubles(name, c.values);
    } else if (const double step = resolutionOf(c); step > 0.0) {
      out.addStepsByKey(name, c.values, step, keys, kKey, width);
    } else {
      out.addFloatsByKey(name, c.values, keys, kKey, width);
    }
  }
}

void PageData::writeAll(PageContainer& out, bool exact, bool plain) const {
  out.head["kind"] = "frames";
  out.head["frames"] = frames_;
  out.head["notes"] = {{"precision", precisionNote(exact)},
                       {"thinning", thinningNote()},
                       {"contactsEvery", std::lcm(contacts_every_, told_every_)}};
  if (frames_ > 0) out.head["notes"]["hash"] = fmt::format("{:016x}", last_.hash);
  writePoses(out, exact, plain);
  writeContacts(out, exact);
  writePlain(out, "series", tracks_.series);
  writePlain(out, "drivers", tracks_.drivers);
  out.addInts("drivers.start", tracks_.drivers.start);
  writePlain(out, "joints", tracks_.joints, exact);
  out.addInts("joints.start", tracks_.joints.start);
  writePlain(out, "events", tracks_.events, exact);
}

std::string PageData::framesBytes() const {
  PageContainer out;
  out.head["over"] = over_;
  writeAll(out, isExact(), false);
  return out.bytes();
}

std::string PageData::chunkBytes(std::uint64_t first, bool last) const {
  PageContainer out;
  out.head["first"] = first;
  out.head["over"] = last;
  writeAll(out, true, true);
  return out.bytes();
}

}  // namespace abut::tool
