// SPDX-License-Identifier: MIT
#pragma once

#include "core/stage_room.hpp"
#include "state/persistent_state.hpp"

namespace abut::inline v0_1 {

/// What a step replaces when it makes the new state the state, for a failure after that. Contacts,
/// touching pairs and what sleeps are taken back by those who change them.
class StepUndo {
public:
  /// A step begins; nothing is to be taken back.
  void begin() noexcept { is_saved_ = false; }
  /// Before the first change. Where memory runs out it throws, and nothing is to be taken back.
  /// With the room's next stage it is gone.
  void save(const PersistentState& state, StageRoom& room);
  /// Takes the changes back, if there were any.
  void restore(PersistentState& state) noexcept;

private:
  bool is_saved_ = false;
  RoomList<Vec3> position_;
  RoomList<Quat> orientation_;
  RoomList<BodyVelocity> velocity_;
  RoomList<double> softness_;
  double time_ = 0.0, last_step_ = 0.0;
  std::uint64_t steps_ = 0;
  EnergyAccount total_;
};

}  // namespace abut::inline v0_1
