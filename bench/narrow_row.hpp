// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <abut/shapes/plane_shape.hpp>

#include "support/oracle.hpp"

namespace abut::bench {

using test::Body;
using test::Matrix;
using test::Specimen;
using test::Vector;

/// Which third of the mix a query belongs to.
enum class Regime : std::uint8_t { Separated, Touching, Overlapping };

/// Two placed shapes; the second one is body2, or the half-space z <= 0 if body2 is null.
struct Query {
  const Body* body1 = nullptr;
  const Body* body2 = nullptr;
  Matrix rotation1, rotation2;
  Vector position1, position2;
  Regime regime = Regime::Separated;
};

/// One line of the table: a pair of shape kinds and its queries.
struct Row {
  std::string name;
  bool isSimple = false;  ///< Sphere, capsule, box, plane: the bar is the fastest peer.
  std::vector<std::unique_ptr<Body>> bodies;
  std::vector<Query> queries;
  double size = 1.0;  ///< Typical size of a pair [m].
};

/// What a library said about one query.
struct Answer {
  bool hit = false;
  double depth = 0.0;                     ///< Greatest depth of a contact [m].
  Vector normal = Vector(0.0, 0.0, 0.0);  ///< From 2 to 1; zero if the library gives none.
};

/// One way of asking one library. Everything but the query itself is made in prepare().
class Peer {
public:
  virtual ~Peer() = default;
  [[nodiscard]] virtual std::string getName() const = 0;
  /// Builds the library's shapes and poses. False if the library lacks the pair.
  virtual bool prepare(const Row& row) = 0;
  /// The queries in the given order; returns a checksum so that nothing is optimised away.
  virtual double run(std::span<const std::uint32_t> order) = 0;
  /// The answer to one query.
  virtual Answer ask(std::uint32_t index) = 0;
};

std::unique_ptr<Peer> makeAbut();
std::vector<std::unique_ptr<Peer>> makeFcl();
std::vector<std::unique_ptr<Peer>> makeBullet();
std::vector<std::unique_ptr<Peer>> makeOde();
std::vector<std::unique_ptr<Peer>> makeCcd();

/// All rows with `perRegime` queries of each regime, from a fixed seed.
std::vector<Row> makeRows(int perRegime);

}  // namespace abut::bench
