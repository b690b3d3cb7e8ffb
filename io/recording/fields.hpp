// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "io/recording/frame.hpp"

/// The one list of what a run tells of itself. Recordings, tables, arrays, the page and the search
/// for differences walk it, so a number added here is in all of them.
namespace abut::inline v0_1::io {

/// The stage of the step that makes a number: differences are looked for in this order.
enum class Stage : std::uint8_t { Detection, Solver, Integration, Events, Ledger };

/// What a field's numbers are, where its type does not say: ids of bodies, labels without a size,
/// numbers of islands (kNoIsland is none), ids of joints.
enum class Holds : std::uint8_t { Number, Whole, Flag, Kind, Body, Label, Island, Joint };

/// How the page of a long run rounds a number; short runs keep all digits.
enum class Digits : std::uint8_t { Short, Place, Rate, Turn, Direction };

struct Field {
  std::string_view name;  ///< In files, arrays and on the page; titles are made of it.
  std::string_view unit;  ///< "" for pure numbers.
  Stage stage = Stage::Solver;
  Digits digits = Digits::Short;
  Holds holds = Holds::Number;  ///< Number: by its type.
};

/// T or const T.
template <typename R, typename T>
concept Is = std::same_as<std::remove_const_t<R>, T>;

// visitFields(record, v) calls v(Field, value) for each field of a record, always in this order.

template <Is<BodyFrame> R, typename V>
void visitFields(R& b, V&& v) {
  v(Field{"position", "m", Stage::Integration, Digits::Place}, b.position);
  v(Field{"orientation", "", Stage::Integration, Digits::Turn}, b.orientation);
  v(Field{"linearVelocity", "m/s", Stage::Solver, Digits::Rate}, b.linearVelocity);
  v(Field{"angularVelocity", "rad/s", Stage::Solver, Digits::Rate}, b.angularVelocity);
  v(Field{"island", "", Stage::Detection, Digits::Short, Holds::Island}, b.island);
  v(Field{"asleep", "", Stage::Ledger}, b.asleep);
}

/// The first three tell one contact from another.
template <Is<ContactFrame> R, typename V>
void visitFields(R& c, V&& v) {
  v(Field{"body1", "", Stage::Detection, Digits::Short, Holds::Body}, c.object1);
  v(Field{"body2", "", Stage::Detection, Digits::Short, Holds::Body}, c.object2);
  v(Field{"id", "", Stage::Detection, Digits::Short, Holds::Label}, c.id);
  v(Field{"position", "m", Stage::Detection, Digits::Place}, c.position);
  v(Field{"normal", "", Stage::Detection, Digits::Direction}, c.normal);
  v(Field{"depth", "m", Stage::Detection}, c.depth);
  v(Field{"friction", "", Stage::Detection}, c.friction);
  v(Field{"island", "", Stage::Detection, Digits::Short, Holds::Island}, c.island);
  v(Field{"impactImpulse", "N s"}, c.impactImpulse);
  v(Field{"normalForce", "N"}, c.normalForce);
  v(Field{"frictionForce", "N"}, c.frictionForce);
  v(Field{"resistingCouple", "N m"}, c.resistingCouple);
  v(Field{"slip", "m/s"}, c.slip);
}

template <Is<EventFrame> R, typename V>
void visitFields(R& e, V&& v) {
  v(Field{"time", "s", Stage::Events}, e.time);
  v(Field{"kind", "", Stage::Events}, e.kind);
  v(Field{"body1", "", Stage::Events, Digits::Short, Holds::Body}, e.object1);
  v(Field{"body2", "", Stage::Events, Digits::Short, Holds::Body}, e.object2);
  v(Field{"impulse", "N s", Stage::Events}, e.impulse);
  v(Field{"normalImpulse", "N s", Stage::Events}, e.normalImpulse);
}

template <Is<DriverFrame> R, typename V>
void visitFields(R& d, V&& v) {
  v(Field{"body", "", Stage::Ledger, Digits::Short, Holds::Body}, d.body);
  v(Field{"work", "J", Stage::Ledger}, d.work);
  v(Field{"force", "N", Stage::Ledger}, d.force);
  v(Field{"torque", "N m", Stage::Ledger}, d.torque);
  v(Field{"stalled", "", Stage::Ledger}, d.stalled);
}

/// The first two tell one axis from another. Units are those of a hinge; a slider has m, m/s, N.
template <Is<JointFrame> R, typename V>
void visitFields(R& j, V&& v) {
  v(Field{"joint", "", Stage::Solver, Digits::Short, Holds::Joint}, j.joint);
  v(Field{"axis", ""}, j.axis);
  v(Field{"position", "rad"}, j.position);
  v(Field{"rate", "rad/s"}, j.rate);
  v(Field{"driveForce", "N m"}, j.driveForce);
  v(Field{"driveWork", "J", Stage::Ledger}, j.driveWork);
  v(Field{"force", "N"}, j.force);
  v(Field{"torque", "N m"}, j.torque);
}

template <Is<EnergyAccount> R, typename V>
void visitFields(R& e, V&& v) {
  v(Field{"kineticBefore", "J", Stage::Ledger}, e.kineticBefore);
  v(Field{"kineticAfter", "J", Stage::Ledger}, e.kineticAfter);
  v(Field{"potentialBefore", "J", Stage::Ledger}, e.potentialBefore);
  v(Field{"potentialAfter", "J", Stage::Ledger}, e.potentialAfter);
  v(Field{"drivers", "J", Stage::Ledger}, e.drivers);
  v(Field{"forces", "J", Stage::Ledger}, e.forces);
  v(Field{"impact", "J", Stage::Ledger}, e.impact);
  v(Field{"friction", "J", Stage::Ledger}, e.friction);
  v(Field{"correction", "J", Stage::Ledger}, e.correction);
  v(Field{"integrator", "J", Stage::Ledger}, e.integrator);
  v(Field{"motors", "J", Stage::Ledger}, e.motors);
  v(Field{"dampers", "J", Stage::Ledger}, e.dampers);
  v(Field{"limits", "J", Stage::Ledger}, e.limits);
  v(Field{"jointFriction", "J", Stage::Ledger}, e.jointFriction);
  v(Field{"joints", "J", Stage::Ledger}, e.joints);
  v(Field{"compliance", "J", Stage::Ledger}, e.compliance);
  v(Field{"elasticBefore", "J", Stage::Ledger}, e.elasticBefore);
  v(Field{"elasticAfter", "J", Stage::Ledger}, e.elasticAfter);
}

template <Is<StepReport> R, typename V>
void visitFields(R& r, V&& v) {
  v(Field{"contacts", ""}, r.contacts);
  v(Field{"islands", ""}, r.islands);
  v(Field{"worstError", ""}, r.worstError);
  v(Field{"worst1", "", Stage::Solver, Digits::Short, Holds::Body}, r.worst1);
  v(Field{"worst2", "", Stage::Solver, Digits::Short, Holds::Body}, r.worst2);
  v(Field{"converged", ""}, r.converged);
  v(Field{"sweeps", ""}, r.sweeps);
  v(Field{"newtonSteps", ""}, r.newtonSteps);
  v(Field{"greatestDepth", "m"}, r.greatestDepth);
  v(Field{"restitutionAsked", "J"}, r.restitutionAsked);
  v(Field{"restitutionDelivered", "J"}, r.restitutionDelivered);
  v(Field{"unfinishedImpacts", ""}, r.unfinishedImpacts);
  v(Field{"presses", ""}, r.presses);
  v(Field{"pressSpeed", "m/s"}, r.pressSpeed);
  v(Field{"pressed1", "", Stage::Solver, Digits::Short, Holds::Body}, r.pressed1);
  v(Field{"pressed2", "", Stage::Solver, Digits::Short, Holds::Body}, r.pressed2);
  v(Field{"asleep", ""}, r.asleep);
}

/// Of the frame itself.
template <Is<Frame> R, typename V>
void visitFields(R& f, V&& v) {
  v(Field{"step", ""}, f.step);
  v(Field{"time", "s"}, f.time);
  v(Field{"hash", "", Stage::Ledger, Digits::Short, Holds::Label}, f.hash);
}

}  // namespace abut::inline v0_1::io
