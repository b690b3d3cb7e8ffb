// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/robot_files.hpp"
#include "io/robot/robot_mass.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Roll, pitch and yaw about the fixed x, then y, then z axis.
Pose originOf(const XmlElement& e) {
  const std::optional<XmlElement> origin = e.child("origin");
  if (!origin) return {};
  const Vec3 xyz = vectorOf(*origin, "xyz", {}), rpy = vectorOf(*origin, "rpy", {});
  return poseFromRollPitchYaw(toEigen(xyz), rpy.x, rpy.y, rpy.z);
}

/// xacro is a language, which another program speaks. A stray xmlns:xacro is harmless.
void refuseXacro(const XmlElement& e) {
  const auto refuse = [&](const std::string& what) {
    e.fail(concat(what,
                  " is xacro, a language to write URDF in; expand it first: "
                  "xacro in.xacro > out.urdf"));
  };
  if (e.name().starts_with("xacro:")) refuse(concat("<", printable(e.name()), ">"));
  for (const auto& [name, value] : e.attributes()) {
    if (value.find("${") != std::string::npos || value.find("$(") != std::string::npos)
      refuse(quoted(value));
  }
  for (const XmlElement& child : e.children()) refuseXacro(child);
}

class UrdfReader {
public:
  UrdfReader(const XmlElement& root, const std::string& file, const AssetSource& assets,
             const RobotOptions& options)
      : root_(root), file_(file), assets_(assets), options_(options) {}

  RobotTree run() {
    refuseXacro(root_);
    tree_.name = root_.find("name").value_or("robot");
    for (const XmlElement& e : root_.children()) {
      if (e.name() == "link") {
        addLink(e);
      } else if (e.name() == "joint") {
        joints_.push_back(e);
      } else if (e.name() != "material") {
        ++tree_.lost[concat("<", printable(e.name()), ">")];
      }
    }
    if (links_.empty()) root_.fail("expected <link> elements, found none");
    for (const XmlElement& e : joints_) addJoint(e);
    order();
    if (merged_ > 0)
      tree_.notes.push_back(
          concat("links fixed to their parents are one body with them (", merged_, ")"));
    if (hulls_ > 0) tree_.notes.push_back(concat("meshes are their convex hulls (", hulls_, ")"));
    return std::move(tree_);
  }

private:
  const XmlElement root_;
  const std::string& file_;
  const AssetSource& assets_;
  const RobotOptions& options_;
  RobotTree tree_;
  std::vector<RobotLink> links_;  // In the order of the file.
  std::vector<XmlElement> joints_;
  std::map<std::string, std::size_t> by_name_;
  std::size_t merged_ = 0, hulls_ = 0;

  void addLink(const XmlElement& e) {
    RobotLink link;
    link.name = e.require("name");
    link.place = e.place();
    for (const XmlElement& part : e.children()) {
      if (part.name() == "inertial") {
        link.mass = massOfLink(part, link.name);
      } else if (part.name() == "collision") {
        addShape(part, link);
      } else {
        ++tree_.lost[concat("<", printable(part.name()), "> of a link")];
      }
    }
    if (!by_name_.emplace(link.name, links_.size()).second)
      e.fail(concat("there are two links ", quoted(link.name)));
    links_.push_back(std::move(link));
  }

  /// About the inertial's own origin, in its own axes.
  static RobotMass massOfLink(const XmlElement& e, const std::string& name) {
    RobotMass own;
    if (const std::optional<XmlElement> mass = e.child("mass"))
      own.mass = numberOf(*mass, "value", 0.0);
    if (own.mass < 0.0) e.fail(concat("link ", quoted(name), " has a negative mass"));
    if (const std::optional<XmlElement> i = e.child("inertia")) {
      const auto get = [&](const char* key) { return numberOf(*i, key, 0.0); };
      const double xy = get("ixy"), xz = get("ixz"), yz = get("iyz");
      own.tensor = {{get("ixx"), xy, xz}, {xy, get("iyy"), yz}, {xz, yz, get("izz")}};
    }
    if (own.mass == 0.0) return {};
    const std::string fault = faultOfTensor(own.tensor);
    if (!fault.empty()) e.fail(concat("link ", quoted(name), ": its inertia ", fault));
    return placed(own, originOf(e));
  }

  void addShape(const XmlElement& e, RobotLink& link) {
    const std::optional<XmlElement> geometry = e.child("geometry");
    const std::vector<XmlElement> kinds =
        geometry ? geometry->children() : std::vector<XmlElement>{};
    if (kinds.size() != 1) e.fail("expected <geometry> with one shape in it");
    const XmlElement& g = kinds[0];
    RobotShape shape;
    shape.pose = originOf(e);
    const auto length = [&](const char* key) {
      const double value = numberOf(g, key, 0.0);
      if (!(value > 0.0)) g.fail(concat("\"", key, "\": expected a positive length [m]"));
      return value;
    };
    if (g.name() == "box") {
      shape.kind = RobotShape::Kind::Box;
      shape.size = vectorOf(g, "size", {});
      if (!(shape.size.x > 0 && shape.size.y > 0 && shape.size.z > 0))
        g.fail("\"size\": expected 3 positive lengths [m]");
    } else if (g.name() == "sphere") {
      shape.size = {length("radius"), 0, 0};
    } else if (g.name() == "cylinder" || g.name() == "capsule") {
      shape.kind = g.name() == "cylinder" ? RobotShape::Kind::Cylinder : RobotShape::Kind::Capsule;
      shape.size = {length("radius"), length("length"), 0};
    } else if (g.name() == "mesh") {
      if (!readMesh(g, shape)) return;
    } else {
      ++tree_.lost[concat("<", printable(g.name()), "> as a shape")];
      return;
    }
    link.shapes.push_back(std::move(shape));
  }

  bool readMesh(const XmlElement& g, RobotShape& shape) {
    MeshPlacement placement;
    placement.scale = vectorOf(g, "scale", {1, 1, 1});
    const std::string path = pathOf(g, g.require("filename"));
    std::optional<RobotMesh> mesh = readRobotMesh(g, path, assets_, placement, tree_.lost);
    if (!mesh) return false;
    shape.kind = RobotShape::Kind::Hull;
    shape.points = std::move(mesh->hull);
    ++hulls_;
    return true;
  }

  /// A file's name as the assets know it.
  std::string pathOf(const XmlElement& e, const std::string& uri) const {
    constexpr std::string_view kPackage = "package://", kFile = "file://";
    if (uri.starts_with(kPackage)) {
      const std::string rest = uri.substr(kPackage.size());
      const std::size_t slash = std::min(rest.find('/'), rest.size());
      const auto folder = options_.packages.find(rest.substr(0, slash));
      if (folder == options_.packages.end()) {
        e.fail(concat(quoted(uri), ": where is the package ", quoted(rest.substr(0, slash)),
                      "? Say it by --package ", printable(rest.substr(0, slash)),
                      "=FOLDER, or \"packages\" in a scene"));
      }
      return folder->second + rest.substr(slash);
    }
    if (uri.starts_with(kFile)) return uri.substr(kFile.size());
    return uri.starts_with("/") ? uri : folderOf(file_) + uri;
  }

  std::size_t linkNamed(const XmlElement& joint, const char* which) const {
    const std::optional<XmlElement> e = joint.child(which);
    if (!e) joint.fail(concat("expected <", which, " link=\"...\"/>"));
    const std::string name = e->require("link");
    const auto at = by_name_.find(name);
    if (at == by_name_.end()) e->fail(concat("no link ", quoted(name)));
    return at->second;
  }

  void addJoint(const XmlElement& e) {
    const std::string name = e.require("name"), type = e.require("type");
    const std::size_t parent = linkNamed(e, "parent");
    RobotLink& link = links_[linkNamed(e, "child")];
    if (link.parent != RobotLink::kNoParent)
      e.fail(concat("link ", quoted(link.name), " has two parents; URDF knows trees only"));
    link.parent = parent;
    link.pose = originOf(e);
    if (type == "fixed") {
      ++merged_;
      return;
    }
    if (type == "floating") {
      link.isFree = true;
      return;
    }
    RobotJoint joint;
    joint.name = name;
    const std::optional<XmlElement> axis = e.child("axis");
    joint.axis =
        axis ? directionOf(*axis, "xyz", vectorOf(*axis, "xyz", {1, 0, 0})) : Vec3{1, 0, 0};
    readLaw(e, type, joint.law);
    if (type == "planar") {
      const Mat3 frame = frameAlong(joint.axis);
      RobotJoint slide = joint;
      slide.kind = RobotJoint::Kind::Slide;
      slide.law = {};
      for (const Vec3& along : {frame.x, frame.y}) {
        slide.axis = along;
        slide.name = concat(name, along == frame.x ? " x" : " y");
        link.joints.push_back(slide);
      }
    } else if (type == "prismatic") {
      joint.kind = RobotJoint::Kind::Slide;
    } else if (type != "revolute" && type != "continuous") {
      e.fail(concat("type ", quoted(type),
                    " is none of fixed, revolute, continuous, prismatic, planar, floating"));
    }
    link.joints.push_back(std::move(joint));
  }

  void readLaw(const XmlElement& e, const std::string& type, JointAxis& law) {
    const bool limited = type == "revolute" || type == "prismatic";
    const std::optional<XmlElement> limit = e.child("limit");
    if (limited && !limit) e.fail(concat("a ", type, " joint needs <limit>"));
    if (limited) {
      law.limits.lower = numberOf(*limit, "lower", 0.0);
      law.limits.upper = numberOf(*limit, "upper", 0.0);
      if (!(law.limits.lower <= law.limits.upper))
        limit->fail(concat("lower ", law.limits.lower, " is above upper ", law.limits.upper));
    }
    if (limit) {
      // Zero stands for "not given" in many files.
      const double effort = numberOf(*limit, "effort", 0.0);
      if (effort > 0.0) law.drive.maxForce = effort;
      if (numberOf(*limit, "velocity", 0.0) > 0.0) ++tree_.lost["velocity limit of a joint"];
    }
    for (const XmlElement& part : e.children()) {
      if (part.name() == "dynamics") {
        law.damping = numberOf(part, "damping", 0.0);
        law.friction = numberOf(part, "friction", 0.0);
      } else if (part.name() == "mimic") {
        const std::string name = e.require("name");
        tree_.couplings.push_back({concat(name, " mimics"), part.require("joint"), name,
                                   numberOf(part, "multiplier", 1.0),
                                   numberOf(part, "offset", 0.0)});
      } else if (part.name() != "origin" && part.name() != "parent" && part.name() != "child" &&
                 part.name() != "axis" && part.name() != "limit") {
        ++tree_.lost[concat("<", printable(part.name()), "> of a joint")];
      }
    }
  }

  /// Parents before children, from the one root on.
  void order() {
    std::vector<std::vector<std::size_t>> children(links_.size());
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i].parent == RobotLink::kNoParent) {
        roots.push_back(i);
      } else {
        children[links_[i].parent].push_back(i);
      }
    }
    if (roots.size() != 1) {
      root_.fail(roots.empty()
                     ? std::string("every link has a parent; one must be the root")
                     : concat("expected one root, but neither ", quoted(links_[roots[0]].name),
                              " nor ", quoted(links_[roots[1]].name), " has a parent"));
    }
    std::vector<std::size_t> queue = roots, newIndex(links_.size(), 0);
    for (std::size_t k = 0; k < queue.size(); ++k) {
      newIndex[queue[k]] = k;
      for (const std::size_t c : children[queue[k]]) queue.push_back(c);
    }
    if (queue.size() != links_.size()) root_.fail("some links are not joined to the root");
    for (const std::size_t i : queue) {
      RobotLink link = std::move(links_[i]);
      if (link.parent != RobotLink::kNoParent) link.parent = newIndex[link.parent];
      tree_.links.push_back(std::move(link));
    }
    // By custom a root named "world" is the world.
    tree_.rootIsWorld = options_.fixed || tree_.links[0].name == "world";
  }
};

}  // namespace

RobotTree readUrdf(const XmlElement& root, const std::string& file, const AssetSource& assets,
                   const RobotOptions& options) {
  return UrdfReader(root, file, assets, options).run();
}

}  // namespace abut::inline v0_1::io
