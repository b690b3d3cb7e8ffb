// SPDX-License-Identifier: MIT
#pragma once

#include <Eigen/Core>

namespace abut::inline v0_1 {

class World;

/// Red, green, blue and opacity, 0 to 1.
struct DebugColor {
  float r = 1.0F, g = 1.0F, b = 1.0F, a = 1.0F;

  friend bool operator==(const DebugColor&, const DebugColor&) = default;
};

/// What drawWorld() draws with: derive from it and hand things on to your own renderer. All places
/// are in the world [m], z as the program has it.
class DebugDraw {
public:
  virtual ~DebugDraw() = default;

  virtual void line(const Eigen::Vector3d& from, const Eigen::Vector3d& to,
                    const DebugColor& color) = 0;
  /// Counter-clockwise seen from outside. Only asked for by DebugDrawOptions::faces.
  virtual void triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                        const Eigen::Vector3d& c, const DebugColor& color) = 0;
  /// A spot of this diameter on the screen [pixels].
  virtual void point(const Eigen::Vector3d& at, double size, const DebugColor& color) = 0;
};

/// Colours of bodies by what they are, and of the rest.
struct DebugColors {
  DebugColor fixed{0.60F, 0.63F, 0.66F, 1.0F};      ///< Static bodies.
  DebugColor kinematic{0.85F, 0.60F, 0.24F, 1.0F};  ///< Kinematic ones.
  DebugColor dynamic{0.36F, 0.56F, 0.78F, 1.0F};    ///< Dynamic ones that are awake,
  DebugColor asleep{0.40F, 0.42F, 0.48F, 1.0F};     ///< and asleep.
  DebugColor sensor{0.35F, 0.75F, 0.45F, 1.0F};     ///< Sensors, whatever their type.
  DebugColor contact{0.95F, 0.85F, 0.20F, 1.0F};    ///< Points of contact,
  DebugColor normal{0.10F, 0.60F, 0.55F, 1.0F};     ///< their normals
  DebugColor force{0.90F, 0.35F, 0.10F, 1.0F};      ///< and forces.
  DebugColor center{1.0F, 1.0F, 1.0F, 1.0F};        ///< Centres of mass.
};

/// What drawWorld() draws.
struct DebugDrawOptions {
  bool edges = true;          ///< Edges of shapes; three circles of a ball, and so on.
  bool faces = false;         ///< Triangles of shapes; a half-space as a square of 20 m.
  bool contacts = true;       ///< A point for each contact of the last step, with its normal.
  bool forces = true;         ///< A line from each contact, along the force on object 1.
  bool centers = true;        ///< A point at each dynamic body's centre of mass.
  bool axes = false;          ///< The frames of bodies that are not static: x red, y green, z blue.
  double normalLength = 0.1;  ///< [m], >= 0
  double axisLength = 0.2;    ///< [m], >= 0
  double forceScale = 1e-3;   ///< Length of a force's line [m/N], >= 0
  double planeSize = 10.0;    ///< Side of the square that stands for a half-space [m], > 0
  int segments = 24;          ///< Of a circle, 3 to 1000.
  DebugColors colors{};
};

/// Draws a world as it is now. Forces are the means over the last step, impulses of impacts not
/// counted, on object 1, the body with the smaller id; normals point from object 2 to object 1.
///
/// Order: bodies by id, then contacts by pair; equal worlds give equal calls. Changes nothing.
/// Cost: in proportion to what is drawn; edges of meshes are looked for in each call, so leave out
/// large ones that stand still by drawing them once yourself. Throws abut::Error for options out of
/// range.
void drawWorld(const World& world, DebugDraw& draw, const DebugDrawOptions& options = {});

}  // namespace abut::inline v0_1
