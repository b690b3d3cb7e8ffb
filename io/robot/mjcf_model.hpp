// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/robot/robot_files.hpp"
#include "io/robot/xml.hpp"

namespace abut::inline v0_1::io {

/// <compiler> of an MJCF file.
struct MjcfCompiler {
  bool degrees = true;
  bool autoLimits = true;
  std::string eulerSequence = "xyz";
  std::string meshFolder;
  bool stripPath = false;
  std::optional<bool> inertiaFromGeoms;  ///< None: where there is no <inertial>.
  int firstGroup = 0, lastGroup = 5;     ///< Of geoms that count for inertia.
  double boundMass = 0.0, boundInertia = 0.0;
};

/// Defaults, includes and settings of an MJCF file: what its elements mean.
class MjcfModel {
public:
  /// Reads included files and all sections that say how others are to be read.
  MjcfModel(const XmlElement& root, const std::string& file, const AssetSource& assets);

  [[nodiscard]] const MjcfCompiler& compiler() const { return compiler_; }
  [[nodiscard]] std::string folder() const { return folderOf(file_); }
  /// Children of an element with included files in their places.
  [[nodiscard]] std::vector<XmlElement> childrenOf(const XmlElement& e) const;
  /// All children of all sections of this name at the top.
  [[nodiscard]] std::vector<XmlElement> sections(std::string_view name) const;

  /// An attribute of an element: its own, or that of its class (its own, else `inherited`, else the
  /// main one) for elements of its kind or of `otherKind`.
  [[nodiscard]] std::optional<std::string> find(const XmlElement& e, const char* attribute,
                                                const std::string& inherited,
                                                const char* otherKind = nullptr) const;
  [[nodiscard]] std::vector<double> numbers(const XmlElement& e, const char* attribute,
                                            const std::string& inherited, std::size_t least,
                                            std::size_t most,
                                            const char* otherKind = nullptr) const;
  [[nodiscard]] double number(const XmlElement& e, const char* attribute,
                              const std::string& inherited, double otherwise,
                              const char* otherKind = nullptr) const;
  [[nodiscard]] Vec3 vector(const XmlElement& e, const char* attribute,
                            const std::string& inherited, const Vec3& otherwise) const;

  /// Angle of the file in radians.
  [[nodiscard]] double angle(double value) const;
  /// pos and quat, axisangle, euler, xyaxes or zaxis.
  [[nodiscard]] Pose poseOf(const XmlElement& e, const std::string& inherited) const;

private:
  struct Class {
    std::string parent;
    std::map<std::string, std::map<std::string, std::string>> values;  // By kind, attribute.
  };

  void include(const XmlElement& e, int depth);
  void readCompiler(const XmlElement& e);
  void readDefaults(const XmlElement& e, const std::string& name, const std::string& parent);
  [[nodiscard]] const std::string* inClass(const std::string& name, const std::string& kind,
                                           const std::string& attribute) const;

  std::string file_;
  const AssetSource& assets_;
  std::vector<XmlElement> top_;  // Children of the root, included ones in their places.
  std::map<std::string, std::unique_ptr<XmlFile>> included_;
  std::map<std::string, Class> classes_;
  MjcfCompiler compiler_;
};

}  // namespace abut::inline v0_1::io
