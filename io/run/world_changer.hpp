// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <abut/world/world.hpp>

#include "io/recording/run_change.hpp"

namespace abut::inline v0_1::io {

/// Changes a world on its way, as the recordings of such runs say: equal changes after equal steps
/// give equal bits.
class WorldChanger {
public:
  /// Pairs of materials that the world has now keep their values whatever happens to a material.
  explicit WorldChanger(const World& world);

  /// Makes a change. Fails, and changes nothing, with UnknownObject for a body or material that is
  /// not there, with OutOfRange or NonFinite for numbers that the world refuses, and with
  /// OutOfRange for a pull on a body that is not dynamic.
  Status apply(World& world, const RunChange& change);

  /// Gives the world the force of the pull for the step that comes; call it before every step.
  void beforeStep(World& world);

  /// Begins anew with a world that was restored. Takes no memory if it has no more materials and
  /// pairs of them than before.
  void restart(const World& world);
  /// Materials that the world has by now can be changed too.
  void addMaterials(const World& world);
  /// Friction of each material, as it was changed.
  [[nodiscard]] const std::vector<double>& getFriction() const { return friction_; }
  /// The pull that holds now, if any.
  [[nodiscard]] const std::optional<PullChange>& getPull() const { return pull_; }

private:
  Status setFriction(World& world, const FrictionChange& change);
  Status setPull(const World& world, const PullChange& change);

  std::vector<double> friction_;                          // Of each material.
  std::vector<std::pair<MaterialId, MaterialId>> given_;  // Pairs that stay; sorted.
  std::optional<PullChange> pull_;
};

/// A pull that suits a body: critically damped at its point, so stiff that the body hangs a tenth
/// of its radius of gyration below the target unless steps of dt [s] are too long for that, and cut
/// at 20 times the body's weight (at 10 m/s^2 where there is less gravity). The body may swing
/// about its point: only the point is damped. `point` is in the centre frame. Fails with
/// UnknownObject, NonFinite, and OutOfRange for a body that is not dynamic.
Status makePull(const World& world, ObjectId body, const Vec3& point, const Vec3& target, double dt,
                PullChange& pull);

}  // namespace abut::inline v0_1::io
