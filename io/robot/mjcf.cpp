// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <set>

#include "io/core/text.hpp"
#include "io/robot/geometry.hpp"
#include "io/robot/mjcf_build.hpp"

namespace abut::inline v0_1::io {
namespace {

/// A loop's frame: a point of a body, with the axes of the body.
std::size_t linkNamed(const MjcfBuild& b, const XmlElement& e, const char* attribute) {
  const std::string name = e.require(attribute);
  const auto at = b.linkByName.find(name);
  if (at == b.linkByName.end()) e.fail(concat("no body ", quoted(name)));
  return at->second;
}

/// The body that a link is part of: the nearest above that has joints, or the world.
std::size_t movingLink(const RobotTree& tree, std::size_t link) {
  while (link != 0 && tree.links[link].joints.empty() && !tree.links[link].isFree)
    link = tree.links[link].parent;
  return link;
}

/// Pairs of bodies, jointed to each other apart, none of whose geoms may touch by their bits.
void excludeByBits(MjcfBuild& b) {
  const bool plain = std::all_of(b.geoms.begin(), b.geoms.end(), [](const MjcfGeom& g) {
    return g.contype == 1 && g.conaffinity == 1;
  });
  if (plain) return;
  std::set<std::pair<std::size_t, std::size_t>> met, apart;
  for (std::size_t i = 0; i < b.geoms.size(); ++i) {
    for (std::size_t j = i + 1; j < b.geoms.size(); ++j) {
      const MjcfGeom &g = b.geoms[i], &h = b.geoms[j];
      const std::size_t l = movingLink(b.tree, g.link), m = movingLink(b.tree, h.link);
      if (l == m) continue;
      const bool touch = (g.contype & h.conaffinity) != 0 || (h.contype & g.conaffinity) != 0;
      (touch ? met : apart).emplace(std::min(l, m), std::max(l, m));
    }
  }
  std::size_t mixed = 0;
  for (const auto& pair : apart) {
    if (met.count(pair) == 0) {
      b.tree.excluded.push_back(pair);
    } else {
      ++mixed;
    }
  }
  if (mixed > 0) {
    b.tree.notes.push_back(
        concat("pairs of bodies some of whose geoms may touch and some not touch "
               "with all of them (",
               mixed, ")"));
  }
}

void readOptions(MjcfBuild& b, const XmlElement& root) {
  for (const XmlElement& e : b.model.childrenOf(root)) {
    if (e.name() == "option") {
      for (const auto& [name, value] : e.attributes()) {
        if (name == "gravity") {
          b.tree.gravity = vectorOf(e, "gravity", {});
        } else if (name == "timestep") {
          b.tree.step = numberOf(e, "timestep", 0.002);
        } else {
          ++b.tree.lost[concat("option ", printable(name))];
        }
      }
      for (const XmlElement& flag : b.model.childrenOf(e)) b.lose(flag, " of <option>");
    } else if (e.name() != "compiler" && e.name() != "default" && e.name() != "worldbody" &&
               e.name() != "asset" && e.name() != "contact" && e.name() != "equality" &&
               e.name() != "actuator" && e.name() != "tendon" && e.name() != "keyframe") {
      b.lose(e);
    }
  }
  for (const XmlElement& e : b.model.sections("asset"))
    if (e.name() != "mesh" && e.name() != "hfield") b.lose(e, " of <asset>");
}

}  // namespace

void readMjcfContacts(MjcfBuild& b) {
  excludeByBits(b);
  const auto linkOfGeom = [&](const XmlElement& e, const char* attribute) {
    const std::string name = e.require(attribute);
    for (const MjcfGeom& g : b.geoms)
      if (g.name == name) return movingLink(b.tree, g.link);
    e.fail(concat("no geom ", quoted(name), " that may touch"));
  };
  for (const XmlElement& e : b.model.sections("contact")) {
    if (e.name() == "exclude") {
      const std::size_t l = linkNamed(b, e, "body1"), m = linkNamed(b, e, "body2");
      b.tree.excluded.emplace_back(std::min(l, m), std::max(l, m));
    } else if (e.name() == "pair") {
      const std::size_t l = linkOfGeom(e, "geom1"), m = linkOfGeom(e, "geom2");
      std::erase(b.tree.excluded, std::pair(std::min(l, m), std::max(l, m)));
      if (e.find("friction")) ++b.tree.lost["friction of a <pair>"];
    } else {
      b.lose(e);
    }
  }
}

void readMjcfEqualities(MjcfBuild& b) {
  std::size_t number = 0;
  for (const XmlElement& e : b.model.sections("equality")) {
    const std::string name = e.find("name").value_or(concat("equality", ++number));
    if (e.find("active").value_or("true") == "false") {
      b.lose(e, " that is not active");
    } else if ((e.name() == "connect" || e.name() == "weld") && e.find("body1")) {
      RobotLoop loop;
      loop.name = name;
      loop.link1 = linkNamed(b, e, "body1");
      loop.link2 = e.find("body2") ? linkNamed(b, e, "body2") : 0;
      loop.isWeld = e.name() == "weld";
      if (!loop.isWeld) loop.frame1.translation = vectorOf(e, "anchor", {});
      if (loop.isWeld && e.find("relpose")) ++b.tree.lost["relpose of a <weld>"];
      b.tree.loops.push_back(std::move(loop));
    } else if (e.name() == "joint") {
      const std::vector<double> c = b.model.numbers(e, "polycoef", "", 1, 5);
      const bool linear =
          c.size() < 3 || std::all_of(c.begin() + 2, c.end(), [](double x) { return x == 0.0; });
      const auto first = b.jointByName.find(e.require("joint1"));
      const auto second = b.jointByName.find(e.find("joint2").value_or(""));
      if (!linear || second == b.jointByName.end() || first == b.jointByName.end()) {
        b.lose(e, linear ? " without a second joint" : " of more than a line");
        continue;
      }
      const double a0 = c.empty() ? 0.0 : c[0], a1 = c.size() > 1 ? c[1] : 1.0;
      // From the positions of the model as it stands: q1 - ref1 = a0 + a1 (q2 - ref2).
      const double ref1 = b.jointOf(first->second).zero, ref2 = b.jointOf(second->second).zero;
      if (a1 == 0.0) {
        b.lose(e, " with a factor of 0");
        continue;
      }
      b.tree.couplings.push_back({name, second->first, first->first, a1, (a0 + ref1) - a1 * ref2});
    } else {
      b.lose(e, " of <equality>");
    }
  }
}

RobotTree readMjcf(const XmlElement& root, const std::string& file, const AssetSource& assets,
                   const RobotOptions& options) {
  if (options.fixed)
    root.fail("the root of an MJCF file is the world; only a URDF has a base to fix");
  const MjcfModel model(root, file, assets);
  MjcfBuild build{model, assets, {}, {}, {}, {}};
  build.tree.name = root.find("model").value_or("robot");
  build.tree.rootIsWorld = build.tree.rootMeetsChildren = true;
  build.tree.takesGreaterFriction = true;
  build.tree.materials = {RobotMaterial{1.0, 0.0, 0.0}};
  build.tree.leastMass = model.compiler().boundMass;
  build.tree.leastInertia = model.compiler().boundInertia;
  readOptions(build, root);
  readMjcfBodies(build);
  readMjcfContacts(build);
  readMjcfEqualities(build);
  readMjcfActuators(build);
  if (build.merged > 0) {
    build.tree.notes.push_back(
        concat("bodies without joints are one with their parents (", build.merged, ")"));
  }
  if (build.hulls > 0)
    build.tree.notes.push_back(
        concat("meshes and ellipsoids are convex hulls (", build.hulls, ")"));
  return std::move(build.tree);
}

}  // namespace abut::inline v0_1::io
