// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <abut/math/types.hpp>
#include <abut/shapes/shape.hpp>

namespace abut::tool {

/// What the help text says about shapes.
extern const char* const kShapeHelp;

/// A shape from words such as "box 1 1 1". Throws abut::Error that names `option`, the word, what
/// was expected and the nearest known kind.
std::shared_ptr<const Shape> parseShape(const std::string& option, const std::string& text);

/// A pose from "x y z" or "x y z roll pitch yaw" (metres, degrees). Throws abut::Error.
Pose parsePose(const std::string& option, const std::string& text);

}  // namespace abut::tool
