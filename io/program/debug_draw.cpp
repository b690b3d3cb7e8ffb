// SPDX-License-Identifier: MIT
#include <cmath>
#include <string>
#include <vector>

#include <abut/io/debug_draw.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/inspect.hpp>

#include "io/core/text.hpp"
#include "io/export/tessellate.hpp"
#include "io/program/shape_edges.hpp"
#include "io/recording/frame.hpp"

namespace abut::inline v0_1 {
namespace {

/// Lengths and scales beyond this would be drawn to places that are no numbers.
constexpr double kMostDrawn = 1e30;
constexpr double kContactPixels = 6.0, kCenterPixels = 5.0;

void requireRange(const char* name, double value, bool holds, const char* expected) {
  if (holds && value <= kMostDrawn) return;
  throw Error(StatusCode::OutOfRange,
              io::concat("DebugDrawOptions::", name, ": expected ", expected, ", got ", value));
}

void requireSound(const DebugDrawOptions& o) {
  requireRange("normalLength", o.normalLength, o.normalLength >= 0.0, "a length [m]");
  requireRange("axisLength", o.axisLength, o.axisLength >= 0.0, "a length [m]");
  requireRange("forceScale", o.forceScale, o.forceScale >= 0.0, "a scale [m/N]");
  requireRange("planeSize", o.planeSize, o.planeSize > 0.0, "a length [m]");
  requireRange("segments", o.segments, o.segments >= 3 && o.segments <= 1000, "3 to 1000");
}

/// One body, with what it takes to draw its parts in the world.
class BodyPen {
public:
  BodyPen(const World& world, ObjectId id, DebugDraw& draw, const DebugDrawOptions& options)
      : draw_(draw), options_(options), motion_(world.motion(id)) {
    describeBody(world, id, description_, shapes_).orThrow();
    color_ = colorOf(world.isAsleep(id));
  }

  void shapes() {
    for (const BodyShape& shape : shapes_) {
      std::vector<io::ShapeRecord> records;
      io::describeShape(*shape.shape, shape.pose, "", records);
      for (const io::ShapeRecord& record : records) {
        const Eigen::Isometry3d at = toEigen(motion_.pose) * placeOf(record);
        if (options_.faces) faces(record, at);
        if (options_.edges) edges(record, at);
      }
    }
  }
  void center() {
    if (description_.type == BodyType::Dynamic)
      draw_.point(motion_.centerOfMass, kCenterPixels, options_.colors.center);
  }
  void axes() {
    if (description_.type == BodyType::Static) return;
    const Eigen::Isometry3d at = toEigen(motion_.pose);
    const Eigen::Vector3d origin = at.translation();
    for (int k = 0; k < 3; ++k) {
      const DebugColor color{k == 0 ? 0.9F : 0.2F, k == 1 ? 0.8F : 0.2F, k == 2 ? 0.95F : 0.2F,
                             1.0F};
      draw_.line(origin, origin + options_.axisLength * at.linear().col(k), color);
    }
  }

private:
  [[nodiscard]] DebugColor colorOf(bool asleep) const {
    const DebugColors& c = options_.colors;
    if (description_.sensor) return c.sensor;
    if (description_.type == BodyType::Static) return c.fixed;
    if (description_.type == BodyType::Kinematic) return c.kinematic;
    return asleep ? c.asleep : c.dynamic;
  }
  [[nodiscard]] static Eigen::Isometry3d placeOf(const io::ShapeRecord& record) {
    const Quat& q = record.orientation;
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    at.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
    at.translation() = toEigen(record.position);
    return at;
  }
  void edges(const io::ShapeRecord& record, const Eigen::Isometry3d& at) {
    std::vector<io::Stroke> strokes;
    io::addStrokes(record, options_.segments, options_.planeSize, strokes);
    for (const io::Stroke& s : strokes)
      draw_.line(at * toEigen(s.from), at * toEigen(s.to), color_);
  }
  void faces(const io::ShapeRecord& record, const Eigen::Isometry3d& at) {
    const io::DrawMesh mesh = io::tessellate(record);
    const auto corner = [&](std::size_t i) -> Eigen::Vector3d {
      const auto& p = mesh.positions[mesh.indices[i]];
      return at * Eigen::Vector3d(p[0], p[1], p[2]);
    };
    for (std::size_t i = 0; i + 2 < mesh.indices.size(); i += 3)
      draw_.triangle(corner(i), corner(i + 1), corner(i + 2), color_);
  }

  DebugDraw& draw_;
  const DebugDrawOptions& options_;
  BodyMotion motion_;
  BodyDescription description_;
  std::vector<BodyShape> shapes_;
  DebugColor color_;
};

void drawContact(const WorldContact& contact, DebugDraw& draw, const DebugDrawOptions& options) {
  const Eigen::Vector3d& at = contact.position;
  if (options.contacts) {
    draw.point(at, kContactPixels, options.colors.contact);
    draw.line(at, at + options.normalLength * contact.normal, options.colors.normal);
  }
  if (!options.forces) return;
  const Eigen::Vector3d force = contact.normalForce * contact.normal + contact.frictionForce;
  if (force.squaredNorm() > 0.0)
    draw.line(at, at + options.forceScale * force, options.colors.force);
}

}  // namespace

void drawWorld(const World& world, DebugDraw& draw, const DebugDrawOptions& options) {
  requireSound(options);
  for (const ObjectId id : bodiesOf(world)) {
    BodyPen pen(world, id, draw, options);
    if (options.edges || options.faces) pen.shapes();
    if (options.centers) pen.center();
    if (options.axes) pen.axes();
  }
  if (!options.contacts && !options.forces) return;
  for (const WorldContact& contact : world.getContacts()) drawContact(contact, draw, options);
}

}  // namespace abut::inline v0_1
