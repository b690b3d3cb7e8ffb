// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <abut/shapes/shape.hpp>

namespace golden {

/// The shapes of the golden scenes in the order of ShapeType: for each type one with round numbers,
/// where ties and signed zeros live, and one without.
const std::vector<std::shared_ptr<const abut::Shape>>& specimens();

/// Name of a specimen: type and number, e.g. "Box1".
std::string nameOf(std::size_t specimen);

}  // namespace golden
