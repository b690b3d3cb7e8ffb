// SPDX-License-Identifier: MIT
// PageData's containers.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report_container.hpp"
#include "report_data.hpp"
#include "report_series.hpp"

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

const char* nameOf(ShapeType type) {
  switch (type) {
    case ShapeType::Sphere:
      return "sphere";
    case ShapeType::Box:
      return "box";
    case ShapeType::Capsule:
      return "capsule";
    case ShapeType::Cylinder:
      return "cylinder";
    case ShapeType::Cone:
      return "cone";
    case ShapeType::Convex:
      return "convex";
    case ShapeType::Plane:
      return "plane";
    case ShapeType::Mesh:
      return "mesh";
    case ShapeType::HeightField:
      return "height field";
    case ShapeType::PointCloud:
      return "point cloud";
    case ShapeType::Compound:
      break;
  }
  return "compound";
}

nlohmann::json jsonOf(const Vec3& v) {
  return nlohmann::json::array({v.x, v.y, v.z});
}

nlohmann::json jsonOf(const Quat& q) {
  return nlohmann::json::array({q.w, q.x, q.y, q.z});
}

nlohmann::json jsonOf(const io::ShapeRecord& shape) {
  nlohmann::json out{{"type", nameOf(shape.type)},
                     {"size", jsonOf(shape.size)},
                     {"position", jsonOf(shape.position)},
                     {"orientation", jsonOf(shape.orientation)},
                     {"material", shape.material}};
  if (shape.type == ShapeType::Plane) out["offset"] = shape.offset;
  if (shape.vertices.empty()) return out;
  nlohmann::json& vertices = out["vertices"] = nlohmann::json::array();
  for (const Vec3& v : shape.vertices) vertices.push_back(jsonOf(v));
  out["triangles"] = shape.triangles;
  return out;
}

nlohmann::json jsonOf(const io::BodyRecord& body) {
  nlohmann::json out{{"name", body.name},
                     {"type", static_cast<int>(body.type)},
                     {"locks", static_cast<int>(body.locks)},
                     {"mass", body.mass},
                     {"inertia", jsonOf(body.inertia)},
                     {"products", jsonOf(body.products)},
                     {"shapes", nlohmann::json::array()}};
  for (const io::ShapeRecord& shape : body.shapes) out["shapes"].push_back(jsonOf(shape));
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
  out.head["bodies"] = nlohmann::json::array();
  for (const io::BodyRecord& body : header_.bodies) out.head["bodies"].push_back(jsonOf(body));
  return out.bytes();
}

bool PageData::isExact() const {
  return poses_.island.size() <= limits_.exactRecords &&
         contacts_.key.size() <= limits_.exactRecords;
}

std::string PageData::precisionNote(bool exact) const {
  if (exact) return "All numbers are those of the run, to the last digit.";
  return fmt::format(
      "Plots have all digits. Places are rounded to {:.1g} m, velocities to {:.1g} m/s, forces and "
      "depths to 5 digits.",
      kPlaceResolution * largestOf(poses_.position),
      kVelocityResolution * largestOf(poses_.velocity));
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
  if (events_.leftOut > 0)
    note += fmt::format("The last {} events are left out. ", events_.leftOut);
  return note;
}

void PageData::writePoses(PageContainer& out, bool exact, bool plain) const {
  const std::size_t n = header_.bodies.size();
  out.addDoubles("poses.time", poses_.time);
  out.addInts("poses.island", poses_.island);
  const auto add = [&](const char* name, const std::vector<double>& values, std::size_t width,
                       double resolution, int order) {
    if (exact) {
      out.addDoubles(name, values, plain ? 0 : width * n);
    } else {
      out.addSteps(name, values, resolution, width * n, order);
    }
  };
  const auto relative = [](double resolution, const std::vector<double>& values) {
    return resolution * largestOf(values);
  };
  const Poses& p = poses_;
  add("poses.position", p.position, 3, relative(kPlaceResolution, p.position), 2);
  add("poses.orientation", p.orientation, 4, kTurnResolution, 2);
  add("poses.velocity", p.velocity, 3, relative(kVelocityResolution, p.velocity), 1);
  add("poses.spin", p.spin, 3, relative(kVelocityResolution, p.spin), 1);
}

void PageData::writeContacts(PageContainer& out, bool exact) const {
  const Contacts& c = contacts_;
  const char* key = "contacts.key";
  out.addDoubles("contacts.time", c.time);
  out.addInts("contacts.start", c.start);
  out.addInts(key, c.key);
  out.addInts("contacts.body1", c.body1);
  out.addInts("contacts.body2", c.body2);
  // Numbers with a resolution are kept as multiples of it, the others as floats.
  const auto add = [&](const char* name, const std::vector<double>& values, int width,
                       double resolution = 0.0) {
    if (exact) {
      out.addDoubles(name, values);
    } else if (resolution > 0.0) {
      out.addStepsByKey(name, values, resolution, c.key, key, width);
    } else {
      out.addFloatsByKey(name, values, c.key, key, width);
    }
  };
  add("contacts.position", c.position, 3, kPlaceResolution * largestOf(c.position));
  add("contacts.normal", c.normal, 3, kNormalResolution);
  add("contacts.depth", c.depth, 1);
  add("contacts.normalForce", c.normalForce, 1);
  add("contacts.friction", c.friction, 3);
  add("contacts.impulse", c.impulse, 3);
  add("contacts.slip", c.slip, 3);
  add("contacts.mu", c.mu, 1);
}

void PageData::writeRest(PageContainer& out) const {
  out.addDoubles("series.time", series_.time);
  std::vector<double> column(series_.time.size());
  for (std::size_t k = 0; k < kNumSeries; ++k) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = series_.values[i * kNumSeries + k];
    out.addDoubles(fmt::format("series.{}", kSeriesNames[k]), column);
  }
  out.addDoubles("events.time", events_.time);
  out.addBytes("events.kind", events_.kind);
  out.addInts("events.body1", events_.body1);
  out.addInts("events.body2", events_.body2);
  out.addDoubles("drivers.time", drivers_.time);
  out.addInts("drivers.body", drivers_.body);
  out.addDoubles("drivers.work", drivers_.work);
  out.addDoubles("drivers.force", drivers_.force);
  out.addDoubles("drivers.torque", drivers_.torque);
}

void PageData::writeAll(PageContainer& out, bool exact, bool plain) const {
  out.head["kind"] = "frames";
  out.head["frames"] = frames_;
  out.head["notes"] = {{"precision", precisionNote(exact)},
                       {"thinning", thinningNote()},
                       {"contactsEvery", contacts_every_}};
  if (frames_ > 0) out.head["notes"]["hash"] = fmt::format("{:016x}", last_.hash);
  writePoses(out, exact, plain);
  writeContacts(out, exact);
  writeRest(out);
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
