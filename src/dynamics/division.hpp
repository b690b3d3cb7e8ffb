// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/halo.hpp"
#include "dynamics/body_record.hpp"

namespace abut::inline v0_1 {

/// Shapes by the digest of their geometry, each once: what bodies that come from another rank are
/// given.
class ShapeCatalogue {
public:
  void add(const BodyTable& bodies);
  void add(const BodyFacts& facts);
  /// Throws abut::Error where there is none.
  [[nodiscard]] const std::shared_ptr<const Shape>& find(std::uint64_t digest) const;
  [[nodiscard]] std::vector<std::shared_ptr<const Shape>> getAll() const;

private:
  std::vector<std::pair<std::uint64_t, std::shared_ptr<const Shape>>> shapes_;  // Sorted.
};

/// What stages know of a world that is divided among ranks.
struct Division {
  explicit Division(Communicator& communicator) : halo(communicator) {}

  Halo halo;
  ShapeCatalogue shapes;
  std::vector<std::uint8_t> isDynamic;  ///< By body.
  /// A kinematic body whose drive has limits, which is on all ranks: the rank that has all its
  /// contacts. By index of the body, ascending.
  struct Driver {
    std::uint32_t body;
    std::int32_t home;
  };
  std::vector<Driver> drivers;
  /// Whether there are, on any rank, dynamic bodies that are sensors; such with moving surfaces.
  bool hasSensors = false, hasSurfaces = false;

  /// Whether a contact is counted here.
  [[nodiscard]] bool counts(std::uint32_t body1, std::uint32_t body2) const {
    return halo.counts(body1, body2, isDynamic);
  }
  [[nodiscard]] bool isMine(std::size_t body) const { return halo.isMine[body] != 0; }
  /// Whether contacts of a body are here that are on no other rank, where islands are divided.
  [[nodiscard]] bool hasAllOf(std::size_t body) const;
  /// Numbers of drivers, so many of each one after the other, become those of their homes. All
  /// ranks call it.
  void shareDrivers(std::span<double> numbers) const;
};

/// Adds a body of a table to a message, whole; takes the next one from a message.
void putBody(const BodyTable& bodies, std::size_t body, std::vector<std::byte>& bytes);
[[nodiscard]] BodyRecord takeBody(MessageReader& message, const ShapeCatalogue& shapes);
/// Adds bodies, in any order, to a table that is empty.
void appendSorted(std::vector<BodyRecord>& records, BodyTable& bodies);

}  // namespace abut::inline v0_1
