// SPDX-License-Identifier: MIT
#pragma once

#include <abut/dynamics/material.hpp>

namespace abut::inline v0_1 {

/// A table that its owner may replace as a whole, as restoring a world does.
class OwnMaterials final : public MaterialTable {
public:
  OwnMaterials() = default;
  explicit OwnMaterials(const MaterialTable& other) : MaterialTable(other) {}
  OwnMaterials(const OwnMaterials&) = default;
  OwnMaterials(OwnMaterials&& other) noexcept : MaterialTable(Nothing{}) { swap(other); }
  OwnMaterials& operator=(const OwnMaterials&) = default;
  OwnMaterials& operator=(OwnMaterials&& other) noexcept {
    swap(other);
    return *this;
  }
  ~OwnMaterials() = default;

  void assign(const MaterialTable& other) { *this = OwnMaterials(other); }
  using MaterialTable::recall;
};

}  // namespace abut::inline v0_1
