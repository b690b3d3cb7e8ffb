// SPDX-License-Identifier: MIT
#include "io/robot/mjcf_model.hpp"

#include <algorithm>
#include <cmath>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr int kMaxIncludes = 32;  // In each other.
constexpr double kRadiansPerDegree = 3.14159265358979323846 / 180.0;
const std::string kMain = "main";

bool isTrue(const XmlElement& e, const char* attribute, const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  e.fail(concat("\"", attribute, "\": expected true or false, got ", quoted(text)));
}

}  // namespace

MjcfModel::MjcfModel(const XmlElement& root, const std::string& file, const AssetSource& assets)
    : file_(file), assets_(assets) {
  include(root, 0);
  for (const XmlElement& e : childrenOf(root)) top_.push_back(e);
  classes_[kMain];
  for (const XmlElement& e : top_) {
    if (e.name() == "compiler") readCompiler(e);
    if (e.name() == "default") readDefaults(e, e.find("class").value_or(kMain), "");
  }
}

/// Loads every file that is included below an element. Paths are from the main file's folder.
void MjcfModel::include(const XmlElement& e, int depth) {
  if (depth > kMaxIncludes) e.fail("files include each other without end");
  for (const XmlElement& child : e.children()) {
    if (child.name() != "include") {
      include(child, depth);
      continue;
    }
    const std::string path = normalPath(folder() + child.require("file"));
    if (included_.count(path) != 0) child.fail(concat(quoted(path), " is included twice"));
    std::unique_ptr<XmlFile> loaded;
    try {
      loaded = std::make_unique<XmlFile>(assets_.read(path, XmlLimits{}.bytes), path);
    } catch (const InputError& error) {
      child.fail(error.what());
    }
    const XmlElement inner = loaded->root();
    included_[path] = std::move(loaded);
    include(inner, depth + 1);
  }
}

std::vector<XmlElement> MjcfModel::childrenOf(const XmlElement& e) const {
  std::vector<XmlElement> all;
  for (const XmlElement& child : e.children()) {
    if (child.name() != "include") {
      all.push_back(child);
      continue;
    }
    const auto file = included_.find(normalPath(folder() + child.require("file")));
    for (const XmlElement& inner : childrenOf(file->second->root())) all.push_back(inner);
  }
  return all;
}

std::vector<XmlElement> MjcfModel::sections(std::string_view name) const {
  std::vector<XmlElement> all;
  for (const XmlElement& e : top_) {
    if (e.name() != name) continue;
    for (const XmlElement& child : childrenOf(e)) all.push_back(child);
  }
  return all;
}

void MjcfModel::readCompiler(const XmlElement& e) {
  for (const auto& [name, value] : e.attributes()) {
    if (name == "angle") {
      if (value != "degree" && value != "radian")
        e.fail(concat("\"angle\": expected degree or radian, got ", quoted(value)));
      compiler_.degrees = value == "degree";
    } else if (name == "autolimits") {
      compiler_.autoLimits = isTrue(e, "autolimits", value);
    } else if (name == "eulerseq") {
      const bool known = value.size() == 3 && value.find_first_not_of("xyzXYZ") == value.npos;
      if (!known) e.fail(concat("\"eulerseq\": expected 3 of xyzXYZ, got ", quoted(value)));
      compiler_.eulerSequence = value;
    } else if (name == "meshdir" || (name == "assetdir" && !e.find("meshdir"))) {
      compiler_.meshFolder = value.empty() || value.back() == '/' ? value : value + "/";
    } else if (name == "strippath") {
      compiler_.stripPath = isTrue(e, "strippath", value);
    } else if (name == "inertiafromgeom") {
      if (value != "auto") compiler_.inertiaFromGeoms = isTrue(e, "inertiafromgeom", value);
    } else if (name == "inertiagrouprange") {
      const std::vector<double> range = e.numbers("inertiagrouprange", value);
      if (range.size() != 2) e.fail("\"inertiagrouprange\": expected 2 numbers");
      compiler_.firstGroup = static_cast<int>(range[0]);
      compiler_.lastGroup = static_cast<int>(range[1]);
    } else if (name == "boundmass") {
      compiler_.boundMass = numberOf(e, "boundmass", 0.0);
    } else if (name == "boundinertia") {
      compiler_.boundInertia = numberOf(e, "boundinertia", 0.0);
    } else if (name == "coordinate" && value != "local") {
      e.fail("only local coordinates are read; save the model with them");
    }
  }
}

void MjcfModel::readDefaults(const XmlElement& e, const std::string& name,
                             const std::string& parent) {
  Class& own = classes_[name];
  if (own.parent.empty() && name != kMain) own.parent = parent.empty() ? kMain : parent;
  for (const XmlElement& child : childrenOf(e)) {
    if (child.name() == "default") {
      readDefaults(child, child.require("class"), name);
      continue;
    }
    for (const auto& [key, value] : child.attributes())
      own.values[std::string(child.name())][key] = value;
  }
}

const std::string* MjcfModel::inClass(const std::string& name, const std::string& kind,
                                      const std::string& attribute) const {
  for (std::string at = name; !at.empty();) {
    const auto found = classes_.find(at);
    if (found == classes_.end()) return nullptr;
    const auto byKind = found->second.values.find(kind);
    if (byKind != found->second.values.end()) {
      const auto value = byKind->second.find(attribute);
      if (value != byKind->second.end()) return &value->second;
    }
    at = found->second.parent;
  }
  return nullptr;
}

std::optional<std::string> MjcfModel::find(const XmlElement& e, const char* attribute,
                                           const std::string& inherited,
                                           const char* otherKind) const {
  if (std::optional<std::string> own = e.find(attribute)) return own;
  const std::optional<std::string> named = e.find("class");
  if (named && classes_.count(*named) == 0) e.fail(concat("no default class ", quoted(*named)));
  const std::string& name = named ? *named : inherited.empty() ? kMain : inherited;
  const std::string* value = inClass(name, std::string(e.name()), attribute);
  if (value == nullptr && otherKind != nullptr) value = inClass(name, otherKind, attribute);
  return value == nullptr ? std::nullopt : std::optional<std::string>(*value);
}

std::vector<double> MjcfModel::numbers(const XmlElement& e, const char* attribute,
                                       const std::string& inherited, std::size_t least,
                                       std::size_t most, const char* otherKind) const {
  const std::optional<std::string> text = find(e, attribute, inherited, otherKind);
  if (!text) return {};
  std::vector<double> values = e.numbers(attribute, *text);
  if (values.size() < least || values.size() > most) {
    e.fail(concat("\"", attribute, "\": expected ", least,
                  least == most ? "" : concat(" to ", most), " numbers, got ", values.size()));
  }
  return values;
}

double MjcfModel::number(const XmlElement& e, const char* attribute, const std::string& inherited,
                         double otherwise, const char* otherKind) const {
  const std::vector<double> v = numbers(e, attribute, inherited, 1, 1, otherKind);
  return v.empty() ? otherwise : v[0];
}

Vec3 MjcfModel::vector(const XmlElement& e, const char* attribute, const std::string& inherited,
                       const Vec3& otherwise) const {
  const std::vector<double> v = numbers(e, attribute, inherited, 3, 3);
  return v.empty() ? otherwise : Vec3{v[0], v[1], v[2]};
}

double MjcfModel::angle(double value) const {
  return compiler_.degrees ? value * kRadiansPerDegree : value;
}

Pose MjcfModel::poseOf(const XmlElement& e, const std::string& inherited) const {
  Pose pose;
  pose.translation = vector(e, "pos", inherited, {});
  const std::vector<double> quat = numbers(e, "quat", inherited, 4, 4);
  const std::vector<double> axisAngle = numbers(e, "axisangle", inherited, 4, 4);
  const std::vector<double> euler = numbers(e, "euler", inherited, 3, 3);
  const std::vector<double> axes = numbers(e, "xyaxes", inherited, 6, 6);
  const std::vector<double> zAxis = numbers(e, "zaxis", inherited, 3, 3);
  if (!axisAngle.empty()) {
    const Vec3 axis = directionOf(e, "axisangle", {axisAngle[0], axisAngle[1], axisAngle[2]});
    pose.rotation = rotationAbout(axis, angle(axisAngle[3]));
  } else if (!euler.empty()) {
    // Small letters turn with the frame, capital ones about the fixed axes.
    for (int k = 0; k < 3; ++k) {
      const char letter = compiler_.eulerSequence[static_cast<std::size_t>(k)];
      const bool fixed = letter <= 'Z';
      const char axis = fixed ? static_cast<char>(letter - 'X' + 'x') : letter;
      const Vec3 along{axis == 'x' ? 1.0 : 0.0, axis == 'y' ? 1.0 : 0.0, axis == 'z' ? 1.0 : 0.0};
      const Mat3 turn = rotationAbout(along, angle(euler[static_cast<std::size_t>(k)]));
      pose.rotation = fixed ? times(turn, pose.rotation) : times(pose.rotation, turn);
    }
  } else if (!axes.empty()) {
    const Vec3 x = directionOf(e, "xyaxes", {axes[0], axes[1], axes[2]});
    Vec3 y{axes[3], axes[4], axes[5]};
    y = directionOf(e, "xyaxes", subtract(y, scaled(x, dotOf(x, y))));
    pose.rotation = {x, y, crossOf(x, y)};
  } else if (!zAxis.empty()) {
    pose.rotation = frameAlong(directionOf(e, "zaxis", {zAxis[0], zAxis[1], zAxis[2]}));
  } else if (!quat.empty()) {
    const double length = std::sqrt((quat[0] * quat[0] + quat[1] * quat[1]) +
                                    (quat[2] * quat[2] + quat[3] * quat[3]));
    if (!(length > 0.0)) e.fail("\"quat\": expected a quaternion, got zeros");
    pose.rotation =
        matrixOf({quat[0] / length, quat[1] / length, quat[2] / length, quat[3] / length});
  }
  return pose;
}

}  // namespace abut::inline v0_1::io
