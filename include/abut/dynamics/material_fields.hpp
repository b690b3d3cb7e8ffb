// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <abut/core/option.hpp>
#include <abut/dynamics/material.hpp>

namespace abut::inline v0_1 {

/// Calls v(OptionInfo, value) for each field of a Material or PairMaterial that a rigid surface
/// has, in the order in which snapshots hold them. `material` may be const.
template <class AnyMaterial, class Visitor>
void forEachRigidField(AnyMaterial& material, Visitor&& v) {
  constexpr double kMaxFriction = 1e6, kMaxArm = 1e6;
  v(OptionInfo{"friction", "friction", "Coulomb's coefficient", "", 0.0, kMaxFriction},
    material.friction);
  v(OptionInfo{"restitution", "restitution", "a ratio", ""}, material.restitution);
  v(OptionInfo{"rollingResistance", "rollingResistance", "a length [m]", "m", 0.0, kMaxArm},
    material.rollingResistance);
  v(OptionInfo{"spinningResistance", "spinningResistance", "a length [m]", "m", 0.0, kMaxArm},
    material.spinningResistance);
  if constexpr (std::is_same_v<std::remove_const_t<AnyMaterial>, Material>) {
    v(OptionInfo{"density", "density", "a density [kg/m^3]", "kg/m^3", 1e-9, 1e12},
      material.density);
    v(OptionInfo{"youngsModulus", "youngsModulus", "a modulus [Pa]", "Pa", 1.0, 1e15},
      material.youngsModulus);
    v(OptionInfo{"poissonsRatio", "poissonsRatio", "a ratio", "", 0.0, 0.5},
      material.poissonsRatio);
  }
}

/// The same for the fields of a surface that gives way.
template <class AnyMaterial, class Visitor>
void forEachSpringField(AnyMaterial& material, Visitor&& v) {
  constexpr double kMaxStiffness = 1e15, kMaxTime = 1e3;
  v(OptionInfo{"stiffness", "stiffness", "a stiffness [N/m]", "N/m", 0.0, kMaxStiffness},
    material.stiffness);
  v(OptionInfo{"dissipation", "dissipation", "a time [s]", "s", 0.0, kMaxTime},
    material.dissipation);
}

/// The same for all fields.
template <class AnyMaterial, class Visitor>
void forEachField(AnyMaterial& material, Visitor&& v) {
  forEachRigidField(material, v);
  forEachSpringField(material, v);
}

}  // namespace abut::inline v0_1
