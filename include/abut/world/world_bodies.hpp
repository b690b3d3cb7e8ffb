// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include <abut/core/status.hpp>
#include <abut/dynamics/body.hpp>
#include <abut/dynamics/path.hpp>
#include <abut/world/world_queries.hpp>

namespace abut::inline v0_1 {

/// The bodies of a World: how they come, go and change between steps.
class WorldBodies : public WorldQueries {
public:
  /// Adds a body. On failure nothing changes and `id` is not written.
  Status addBody(const BodyDescription& description, const std::vector<BodyShape>& shapes,
                 ObjectId& id);
  Status addBody(const BodyDescription& description, std::shared_ptr<const Shape> shape,
                 MaterialId material, ObjectId& id);
  /// The same; throw abut::Error on failure and return the id.
  ObjectId addBody(const BodyDescription& description, const std::vector<BodyShape>& shapes);
  ObjectId addBody(const BodyDescription& description, std::shared_ptr<const Shape> shape,
                   MaterialId material = 0);
  template <class AnyShape, class = std::enable_if_t<std::is_base_of_v<Shape, AnyShape>>>
  ObjectId addBody(const BodyDescription& description, AnyShape shape, MaterialId material = 0) {
    return addBody(description,
                   std::shared_ptr<const Shape>(std::make_shared<AnyShape>(std::move(shape))),
                   material);
  }
  /// Removes a body with its joints and forgets its contacts. Fails with UnknownObject.
  Status removeBody(ObjectId id);
  [[nodiscard]] std::size_t numBodies() const;
  /// Ids of all bodies, ascending. The view ends when a body comes or goes.
  [[nodiscard]] std::span<const ObjectId> bodies() const;

  // What the program calls its bodies and keeps with them: in snapshots, but not in the hash, since
  // nothing of the motion depends on it. Several bodies may have one name.

  /// The body of this name, the one with the smallest id if there are several; kNoObject if none.
  [[nodiscard]] ObjectId find(std::string_view name) const;
  /// Throw abut::Error for an unknown body. The name ends with the next change of it.
  [[nodiscard]] const std::string& name(ObjectId id) const;
  [[nodiscard]] std::uint64_t userData(ObjectId id) const;
  /// Fail with UnknownObject.
  Status setName(ObjectId id, std::string_view name);
  Status setUserData(ObjectId id, std::uint64_t data);

  // Values. Where a call gives one back instead of a Status it throws abut::Error for what the
  // Status form would refuse.

  /// Where a body is. Fails with UnknownObject.
  Status getMotion(ObjectId id, BodyMotion& motion) const;
  [[nodiscard]] BodyMotion motion(ObjectId id) const;
  /// Mass, centre of mass and inertia in the body's frame; mass 0 unless dynamic. Fails with
  /// UnknownObject.
  Status getMass(ObjectId id, MassProperties& mass) const;
  [[nodiscard]] MassProperties mass(ObjectId id) const;

  // Changes. Each fails with UnknownObject, and with OutOfRange or NonFinite for what a
  // BodyDescription may not have; a call that fails changes nothing. A change wakes the bodies it
  // concerns. What calls between steps add to the energy of bodies is booked under `forces`, bodies
  // that come and go included.

  /// Sets the velocity of a body; for a kinematic one this is its prescribed motion.
  Status setVelocity(ObjectId id, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular);
  /// Makes a kinematic body follow a path from now on: it is put where the path is at this time,
  /// and at the end of every step it is exactly where the path is then; in between it moves evenly.
  /// No points, setVelocity() or setPose() end it. Fails with UnknownObject, OutOfRange (a body
  /// that is not kinematic, times that do not increase), NonFinite or NotARotation.
  Status setPath(ObjectId id, std::span<const PathPoint> path);
  /// Puts a body elsewhere and forgets its contacts.
  Status setPose(ObjectId id, const Eigen::Vector3d& position, const Quat& orientation);
  Status setPose(ObjectId id, const Pose& pose);
  /// Adds a force at the centre of mass [N] and a torque [N m], world frame, for the next step.
  Status applyForce(ObjectId id, const Eigen::Vector3d& force, const Eigen::Vector3d& torque);
  /// Adds a force [N] that acts at a point [m] of a body, world frame, for the next step.
  Status applyForceAt(ObjectId id, const Eigen::Vector3d& force, const Eigen::Vector3d& point);
  /// Changes the velocity of a dynamic body by an impulse [N s] at a point [m], world frame, now.
  Status applyImpulse(ObjectId id, const Eigen::Vector3d& impulse, const Eigen::Vector3d& point);
  Status setGravity(const Eigen::Vector3d& gravity);
  /// A factor of gravity for one body; OutOfRange beyond 1e30 either way, NonFinite for none.
  Status setGravityScale(ObjectId id, double scale);
  /// Gives a dynamic body another mass, centre and inertia about it, in the body's frame, which
  /// stays where it is; mass 0 takes them from the shapes' densities.
  Status setMass(ObjectId id, const MassProperties& mass);
  /// Gives all shapes of a body a material, or one of them; the mass stays what it is.
  Status setMaterial(ObjectId id, MaterialId material);
  Status setMaterial(ObjectId id, std::size_t shape, MaterialId material);
  Status setSurfaceVelocity(ObjectId id, const Eigen::Vector3d& velocity);
  /// BodyLock bits of a dynamic body; motion that they forbid ends.
  Status setLocks(ObjectId id, std::uint8_t locks);
  /// Makes a body static, kinematic or dynamic, with this mass (0: from densities). A static one
  /// stands still; otherwise it keeps its velocity. Its path ends.
  Status setType(ObjectId id, BodyType type, const MassProperties& mass = {});
  /// What the body may touch from now on; pairs that may not are contacts no longer.
  Status setFilter(ObjectId id, const BodyFilter& filter);
  /// Makes a body a sensor (see BodyDescription) or a body again.
  Status setSensor(ObjectId id, bool sensor);
  /// Keeps two bodies from touching, whatever their filters say; it ends when one is removed. Fails
  /// with SelfPair for twice the same body.
  Status excludePair(ObjectId body1, ObjectId body2);
  /// Takes that back. Fails with UnknownObject if the pair was not excluded.
  Status includePair(ObjectId body1, ObjectId body2);

  /// Whether a body is asleep (see WorldOptions::sleeping); false if there is none with this id.
  [[nodiscard]] bool isAsleep(ObjectId id) const;
  /// Wakes a body and all that are asleep with it, or those that rest on a body that is not
  /// dynamic. Velocities, forces and poses given to a body do so by themselves. Fails with
  /// UnknownObject.
  Status wake(ObjectId id);

protected:
  WorldBodies() = default;
  ~WorldBodies() = default;
  WorldBodies(WorldBodies&&) noexcept = default;
  WorldBodies& operator=(WorldBodies&&) noexcept = default;
};

}  // namespace abut::inline v0_1
