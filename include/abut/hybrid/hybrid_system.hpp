// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

enum class HybridEventKind : std::uint8_t {
  ContactBegin,
  ContactEnd,
  ForceVanishes,  ///< The force law would pull: the contact goes on without force.
  ForceReturns,
  StickBegin,
  SlipBegin,
  Impact,  ///< Velocities jumped.
};
[[nodiscard]] std::string_view toString(HybridEventKind kind);

/// Something that happened between two bodies at an instant.
struct HybridEvent {
  double time = 0.0;  ///< Where it was located [s].
  /// When the surfaces touched [s]: a contact begins at an overlap of 2 zEps, shortly after; this
  /// is the time extrapolated back to distance zero at the speed found. Equals `time` for other
  /// kinds.
  double touchTime = 0.0;
  HybridEventKind kind = HybridEventKind::ContactBegin;
  ObjectPair pair;
  double normalSpeed = 0.0;              ///< Rate of the distance at `time` [m/s]; < 0 approaches.
  Eigen::Vector3d position{0., 0., 0.};  ///< World [m].
  Eigen::Vector3d impulse{0., 0., 0.};   ///< Of an Impact, on pair.first [N s].
};

/// Motion that is smooth between events: what any integrator with root finding can drive.
///
///   system.getState(y); system.initialize(t, y);
///   repeat: integrate y' = computeDerivatives(t, y) until some entry of computeRoots(t, y) changes
///   its sign; go to a time at or just behind that crossing; handleEvent(t, y, events); restart.
///
/// Between two calls of handleEvent() derivatives are a smooth function of (t, y) where forces are,
/// and roots are continuous functions of them; their number is constant. Neither depends on earlier
/// evaluations, so trial steps may be thrown away. After handleEvent() a root that caused it is not
/// zero. See examples/external_integrator.cpp for a Runge-Kutta method of thirty lines.
///
/// A call that fails says time and object in its status and changes nothing.
class HybridSystem {
public:
  virtual ~HybridSystem() = default;
  HybridSystem() = default;
  HybridSystem(const HybridSystem&) = delete;
  HybridSystem& operator=(const HybridSystem&) = delete;

  [[nodiscard]] virtual std::size_t numStates() const = 0;
  [[nodiscard]] virtual std::size_t numRoots() const = 0;
  /// Time and state to begin with. y has numStates() entries, here and below.
  [[nodiscard]] virtual double getStartTime() const = 0;
  virtual void getState(std::span<double> y) const = 0;

  /// Sets the discrete state (contact flags and the like) for a beginning at (t, y).
  virtual Status initialize(double time, std::span<const double> y) = 0;
  virtual Status computeDerivatives(double time, std::span<const double> y,
                                    std::span<double> derivatives) = 0;
  /// `roots` has numRoots() entries.
  virtual Status computeRoots(double time, std::span<const double> y, std::span<double> roots) = 0;
  /// Changes the discrete state, and y where the motion jumps. Appends what happened to `events`;
  /// appends nothing if no root has changed its sign since the last event.
  virtual Status handleEvent(double time, std::span<double> y,
                             std::vector<HybridEvent>& events) = 0;

  /// Who a root function is about, for messages; kNoObject twice if that is not one pair.
  [[nodiscard]] virtual ObjectPair getRootPair(std::size_t /*root*/) const { return {}; }
  /// No step may be longer than this [s] at (t, y), lest a contact be stepped over; infinity if
  /// there is no such danger.
  [[nodiscard]] virtual double longestStep(double time, std::span<const double> y) const;
};

}  // namespace abut::inline v0_1
