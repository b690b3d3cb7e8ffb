// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "collision/detection.hpp"
#include "dynamics/step_input.hpp"
#include "dynamics/step_motion.hpp"
#include "manifold/manifold_filter.hpp"
#include "manifold/selection.hpp"

namespace abut::inline v0_1 {

/// Buffers of Seams, reused.
struct SeamRoom {
  /// A manifold of a body with one of the ground.
  struct OnGround {
    std::uint32_t body, ground, manifold;
  };
  /// Such a manifold as the body sees it, places from the origin of the body's shape.
  struct Surface {
    PersistentManifold* manifold;
    const PersistentPoint* deepest;
    std::uint32_t ground;
    double side;     ///< 1 if the body is object 1, else -1.
    Vec3 normal;     ///< Unit, world, towards the body.
    double depth;    ///< Of the deepest point [m].
    double height;   ///< Of the ground there, along the normal [m].
    bool isSettled;  ///< By any other.
    bool isLeftOut;  ///< By one that is not.
  };
  std::vector<OnGround> onGround;
  std::vector<Surface> surfaces;
  std::vector<PersistentPoint> taken;                            ///< What a surface is given.
  std::vector<PersistentPoint> pool;                             ///< With what it has.
  std::vector<Candidate> places;                                 ///< Of these.
  std::vector<std::pair<std::uint32_t, PersistentPoint>> added;  ///< Of all surfaces.
  std::vector<std::uint8_t> settles;  ///< Whether surface i settles k, at i * count + k.
};

/// Tells edges of the ground from those that only seams make: where bodies that nothing moves, or
/// that move as prescribed, lie flush beside each other, what slides or rolls from one onto the
/// next meets the edge or the side of that, which it cannot touch.
///
/// A contact of a body with one of the ground is left out if its contact with another one settles
/// it: the plane of that has the body on its own side, and all that the body would meet on the
/// other, now and at the end of the step by how the ground moves. It is the rule by which contacts
/// with the parts of one composite are welded (ContactSet). What is higher than the plane by no
/// more than the overlap that is left alone is flush with it; what is higher is a step.
///
/// Where the step looks at contacts again at its end, the body may be over the next ground by then:
/// with `goesOn` those points of the settling contact that come over it are contacts with it too,
/// along the normal of that and as high as that ground is, instead of what is left out.
///
/// No bit depends on the order of contacts or bodies: only what nothing settles settles others.
class Seams final : public ManifoldFilter {
public:
  Seams(const StepInput& in, StepMotion& motion, const Detection& found, bool goesOn,
        SeamRoom& room)
      : in_(in), motion_(motion), found_(found), goes_on_(goesOn), room_(room) {}

  void look(std::span<PersistentManifold> manifolds) override;

private:
  using Surface = SeamRoom::Surface;

  bool listGround(std::span<const PersistentManifold> manifolds);
  void lookAtBody(std::uint32_t body, std::span<const SeamRoom::OnGround> all,
                  std::span<PersistentManifold> manifolds);
  void addSurface(const SeamRoom::OnGround& place, PersistentManifold& manifold);
  [[nodiscard]] bool settles(std::uint32_t body, const Surface& by, const Surface& other) const;
  [[nodiscard]] bool holds(std::uint32_t body, const Surface& by) const;
  [[nodiscard]] bool staysBelow(const Surface& by, const Surface& other, double allowed) const;
  [[nodiscard]] double allowedHeight(std::uint32_t body, const Surface& by,
                                     const Surface& other) const;
  [[nodiscard]] bool areInOnePlane(std::uint32_t body, const Surface& a, const Surface& b) const;
  [[nodiscard]] bool comesOver(std::uint32_t body, const Vec3& up, const Vec3& place,
                               std::uint32_t ground) const;
  void takePlaces(std::uint32_t body, const Surface& from, const Surface& to);
  void addTaken(std::uint32_t body, const Surface& to);
  static void leaveOut(const Surface& surface);

  const StepInput& in_;
  StepMotion& motion_;
  const Detection& found_;
  const bool goes_on_;
  SeamRoom& room_;
};

}  // namespace abut::inline v0_1
