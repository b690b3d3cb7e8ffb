// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Geometry>

#include <abut/shapes/shape.hpp>

namespace abut::inline v0_1 {

struct CompoundData;

/// Several shapes at fixed places in one frame.
class CompoundShape final : public Shape {
public:
  struct Child {
    std::shared_ptr<const Shape> shape;
    Pose pose;  ///< Child's frame in the compound's frame.
  };

  /// Children may be of any type but planes; a compound's own children are taken over in its
  /// place. Throws for no children, a null child or a plane (with its index).
  explicit CompoundShape(std::vector<Child> children);
  ~CompoundShape() override;
  /// A copy: both are the same shape from then on.
  CompoundShape(CompoundShape&&) noexcept;

  /// Children after nested compounds were flattened.
  [[nodiscard]] std::size_t numChildren() const;
  [[nodiscard]] const Child& getChild(std::size_t i) const;

  /// Of height fields among the children, that of their surfaces.
  [[nodiscard]] Aabb computeLocalAabb() const override;
  /// Of all that is inside: with a height field without end below it.
  [[nodiscard]] Aabb computeAabb(const Pose& pose) const override;
  [[nodiscard]] double boundingRadius() const override;
  /// Sum over children; overlapping parts count twice. Fails if a child fails.
  Status computeMass(double density, MassProperties& result) const override;
  [[nodiscard]] double signedDistance(const Eigen::Vector3d& point) const override;
  [[nodiscard]] bool raycast(const Ray& ray, RayHit& hit) const override;

  /// The library's own view of the children.
  [[nodiscard]] const CompoundData& getCompound() const { return *compound_; }

private:
  std::shared_ptr<const CompoundData> compound_;
};

}  // namespace abut::inline v0_1
