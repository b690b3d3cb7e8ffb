// SPDX-License-Identifier: MIT
#include "io/scene/inspect.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <abut/collision/collision_group.hpp>
#include <abut/hybrid/contact_laws.hpp>
#include <abut/math/convert.hpp>

#include "io/core/rotation.hpp"
#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

/// Ratios and sizes from which on a run deserves a second look.
constexpr double kWideMassRatio = 1e4;
constexpr double kWideSizeRatio = 1e4;

/// Shapes get ids from 1 on; this tells whose they are.
struct Owners final : CollisionFilter {
  std::vector<std::uint32_t> body;  ///< Of id - 1.
  std::vector<ObjectPair> joined;   ///< By joints that keep them from touching, sorted.
  const Scene* scene = nullptr;

  [[nodiscard]] bool ignoresCollision(const CollisionObject& object1,
                                      const CollisionObject& object2) const override {
    const std::uint32_t a = body[object1.getId() - 1], b = body[object2.getId() - 1];
    if (a == b) return true;
    const BodyDescription &d = scene->bodies[a].description, &e = scene->bodies[b].description;
    if (d.type != BodyType::Dynamic && e.type != BodyType::Dynamic) return true;
    const ObjectPair pair = ObjectPair::of(d.id, e.id);
    return d.sensor || e.sensor || !BodyFilter::allows(d.filter, e.filter) ||
           std::binary_search(scene->excluded.begin(), scene->excluded.end(), pair) ||
           std::binary_search(joined.begin(), joined.end(), pair);
  }
};

void addShapes(const Scene& scene, CollisionGroup& group, Owners& owners) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    const Pose at{matrixOf(body.description.orientation), toVec3(body.description.position)};
    for (const BodyShape& shape : body.shapes) {
      owners.body.push_back(static_cast<std::uint32_t>(i));
      CollisionObject object(shape.shape, Eigen::Isometry3d::Identity(), owners.body.size());
      object.setPose(compose(at, shape.pose));
      const Status status = group.add(std::move(object));
      if (status.getCode() == StatusCode::OutOfMemory) status.orThrow();
      if (!status) throw InputError(concat(body.place, ": ", status.getMessage()));
    }
  }
}

void findOverlaps(const Scene& scene, SceneFindings& findings) {
  const auto owners = std::make_shared<Owners>();
  CollisionGroup group;
  owners->scene = &scene;
  for (const SceneJoint& j : scene.joints) {
    const JointDescription& d = j.description;
    if (d.collide || d.body1 == kNoObject || d.body2 == kNoObject) continue;
    owners->joined.push_back(ObjectPair::of(d.body1, d.body2));
  }
  std::sort(owners->joined.begin(), owners->joined.end());
  addShapes(scene, group, *owners);
  group.setFilter(owners);
  CollisionResult contacts;
  group.collide(CollisionOption::fullContacts(), contacts).orThrow();
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> deepest;
  for (const ContactManifold& m : contacts.getManifolds()) {
    const std::uint32_t a = owners->body[m.getObject1() - 1], b = owners->body[m.getObject2() - 1];
    double& depth = deepest[{std::min(a, b), std::max(a, b)}];
    for (const ContactPoint& p : m.getContacts()) depth = std::max(depth, p.depth);
  }
  findings.touching = deepest.size();
  for (const auto& [pair, depth] : deepest) {
    if (depth > scene.options.correctionSlop)
      findings.overlaps.push_back(
          {scene.bodies[pair.first].name, scene.bodies[pair.second].name, depth});
  }
  std::stable_sort(
      findings.overlaps.begin(), findings.overlaps.end(),
      [](const InitialOverlap& a, const InitialOverlap& b) { return a.depth > b.depth; });
}

void noteMass(const World& world, const SceneBody& body, SceneFindings& findings) {
  MassProperties mass;
  world.getMass(body.description.id, mass).orThrow();
  if (findings.lightest.empty() || mass.mass < findings.leastMass) {
    findings.leastMass = mass.mass;
    findings.lightest = body.name;
  }
  if (findings.heaviest.empty() || mass.mass > findings.greatestMass) {
    findings.greatestMass = mass.mass;
    findings.heaviest = body.name;
  }
}

void noteSize(const SceneBody& body, SceneFindings& findings) {
  for (const BodyShape& shape : body.shapes) {
    ++findings.numShapes;
    if (shape.shape->getType() == ShapeType::Plane) continue;
    const Eigen::Vector3d half = shape.shape->computeLocalAabb().halfExtents();
    const double size = 2.0 * std::max({half.x(), half.y(), half.z()});
    if (findings.smallest.empty() || size < findings.leastSize) {
      findings.leastSize = size;
      findings.smallest = body.name;
    }
    if (findings.largest.empty() || size > findings.greatestSize) {
      findings.greatestSize = size;
      findings.largest = body.name;
    }
  }
}

template <typename Warn>
void addVariableWarnings(const Scene& scene, Warn warn) {
  if (scene.variable->contacts != VariableStep::Contacts::Compliant) return;
  for (const SceneMaterial& m : scene.materials) {
    if (m.material.restitution >= kLeastCompliantRestitution || m.name == "default") continue;
    warn(concat("compliant contacts bounce with a restitution of at least ",
                kLeastCompliantRestitution, "; that of ", printable(m.name), " is ",
                m.material.restitution));
  }
}

void addWarnings(const Scene& scene, SceneFindings& f) {
  const auto warn = [&](std::string text) { f.warnings.push_back(std::move(text)); };
  if (!f.overlaps.empty()) {
    const InitialOverlap& o = f.overlaps.front();
    warn(concat(f.overlaps.size(), f.overlaps.size() == 1 ? " pair overlaps" : " pairs overlap",
                " at the start, deepest ", printable(o.body1), " and ", printable(o.body2), " by ",
                o.depth, " m; they will be pushed apart"));
  }
  if (f.numDynamic > 0 && f.greatestMass > kWideMassRatio * f.leastMass) {
    warn(concat("masses from ", f.leastMass, " kg (", printable(f.lightest), ") to ",
                f.greatestMass, " kg (", printable(f.heaviest),
                "): watch the residual where they touch"));
  }
  if (f.greatestSize > kWideSizeRatio * f.leastSize) {
    warn(concat("sizes from ", f.leastSize, " m (", printable(f.smallest), ") to ", f.greatestSize,
                " m (", printable(f.largest), "): is one of them in another unit?"));
  }
  if (f.numDynamic == 0) warn("no dynamic body: nothing will move by itself");
  if (scene.variable) {
    addVariableWarnings(scene, warn);
    return;
  }
  // A body that falls over one step covers g dt^2; beyond its own size contacts are guesswork.
  const Vec3 g = toVec3(scene.options.gravity);
  const double fall = std::sqrt((g.x * g.x + g.y * g.y) + g.z * g.z) * scene.step * scene.step;
  if (!f.smallest.empty() && fall > f.leastSize) {
    warn(concat("in a step of ", scene.step, " s gravity alone moves a body by ", fall,
                " m, more than the size of ", printable(f.smallest), "; use a shorter step"));
  }
}

}  // namespace

SceneFindings inspectScene(const Scene& scene) {
  const World world = buildWorld(scene);
  SceneFindings findings;
  for (const SceneBody& body : scene.bodies) {
    noteSize(body, findings);
    switch (body.description.type) {
      case BodyType::Static:
        ++findings.numStatic;
        break;
      case BodyType::Kinematic:
        ++findings.numKinematic;
        break;
      case BodyType::Dynamic:
        ++findings.numDynamic;
        noteMass(world, body, findings);
        break;
    }
  }
  findOverlaps(scene, findings);
  addWarnings(scene, findings);
  return findings;
}

}  // namespace abut::inline v0_1::io
