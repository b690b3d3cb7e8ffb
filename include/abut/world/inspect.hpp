// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/world/world.hpp>

namespace abut::inline v0_1 {

// What is in a world.

/// Ids of all bodies, ascending. The view ends when a body comes or goes.
[[nodiscard]] std::span<const ObjectId> bodiesOf(const World& world);

/// A body as it is now, and its shapes with their places and materials (compounds as their parts).
/// The description has the mass, centre and inertia in use. Fails with UnknownObject.
Status describeBody(const World& world, ObjectId id, BodyDescription& description,
                    std::vector<BodyShape>& shapes);

/// The same as values; throws abut::Error for an unknown body.
struct DescribedBody {
  BodyDescription description;
  std::vector<BodyShape> shapes;
};
[[nodiscard]] DescribedBody describeBody(const World& world, ObjectId id);

[[nodiscard]] const WorldOptions& optionsOf(const World& world);
[[nodiscard]] const MaterialTable& materialsOf(const World& world);

}  // namespace abut::inline v0_1
