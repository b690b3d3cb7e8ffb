// SPDX-License-Identifier: MIT
#include "query.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <abut/abut.hpp>

#include "exit_codes.hpp"
#include "parse_shape.hpp"

namespace abut::tool {
namespace {

std::string describe(const Feature& feature) {
  switch (feature.kind) {
    case Feature::Kind::None:
      return "-";
    case Feature::Kind::Vertex:
      return fmt::format("vertex {}", feature.index);
    case Feature::Kind::Edge:
      return fmt::format("edge {}", feature.index);
    case Feature::Kind::Face:
      return fmt::format("face {}", feature.index);
  }
  return "-";
}

std::string triple(const Eigen::Vector3d& v, const char* form) {
  return fmt::format(fmt::runtime(form), v.x(), v.y(), v.z());
}

void printText(const PlacedShape& object1, const PlacedShape& object2, const DistanceResult& d,
               const CollisionResult& result) {
  constexpr const char* kPoint = "({: .6f}, {: .6f}, {: .6f})";
  fmt::print("{} and {}: {}\n", toString(object1.shape->getType()),
             toString(object2.shape->getType()), toString(d.status));
  fmt::print("  signed distance  {:.17g} m\n", d.distance);
  fmt::print("  normal           {}  from 2 to 1\n", triple(d.normal, kPoint));
  fmt::print("  point on 1       {}\n", triple(d.point1, kPoint));
  fmt::print("  point on 2       {}\n", triple(d.point2, kPoint));
  fmt::print("contacts: {} in {} manifold{}\n", result.numContacts(), result.numManifolds(),
             result.numManifolds() == 1 ? "" : "s");
  for (const ContactManifold& manifold : result.getManifolds()) {
    fmt::print("  {} contact, normal {}\n", toString(manifold.getType()),
               triple(manifold.getSharedNormal(), kPoint));
    for (const ContactPoint& p : manifold.getContacts()) {
      fmt::print("    at {}  depth {:.9g} m  {} on {}\n", triple(p.position, kPoint), p.depth,
                 describe(p.feature1), describe(p.feature2));
    }
  }
}

void printJson(const DistanceResult& d, const CollisionResult& result) {
  constexpr const char* kPoint = "[{:.17g}, {:.17g}, {:.17g}]";
  fmt::print("{{\n  \"status\": \"{}\",\n  \"distance\": {:.17g},\n", toString(d.status),
             d.distance);
  fmt::print("  \"normal\": {},\n  \"point1\": {},\n  \"point2\": {},\n", triple(d.normal, kPoint),
             triple(d.point1, kPoint), triple(d.point2, kPoint));
  fmt::print("  \"contacts\": [");
  bool first = true;
  for (const ContactManifold& manifold : result.getManifolds()) {
    for (const ContactPoint& p : manifold.getContacts()) {
      fmt::print(
          "{}\n    {{ \"position\": {}, \"normal\": {}, \"depth\": {:.17g}, \"type\": \"{}\" }}",
          first ? "" : ",", triple(p.position, kPoint), triple(p.normal, kPoint), p.depth,
          toString(manifold.getType()));
      first = false;
    }
  }
  fmt::print("{}]\n}}\n", first ? "" : "\n  ");
}

}  // namespace

QueryCommand::QueryCommand(CLI::App& app) {
  CLI::App* command = app_ =
      app.add_subcommand("query", "Contacts and signed distance of two shapes");
  command->add_option("--shape1", shape1_, "First shape, e.g. \"box 1 1 1\"")->required();
  command->add_option("--shape2", shape2_, "Second shape, e.g. \"capsule 0.2 1\"")->required();
  command->add_option("--pose1", pose1_, "\"x y z\" [m] or \"x y z roll pitch yaw\" [m, degrees]");
  command->add_option("--pose2", pose2_, "Likewise for the second shape");
  command->add_option("--margin", margin_, "Report gaps up to this length too [m]");
  command->add_flag("--json", json_, "Print JSON with all digits");
  command->footer(std::string(kShapeHelp) +
                  "\n\nExample: a capsule leaning over the edge of a box\n"
                  "  abut query --shape1 \"box 1 1 1\" --shape2 \"capsule 0.2 1\" "
                  "--pose2 \"0.6 0 0.7 0 45 0\"");
}

int QueryCommand::run() {
  std::shared_ptr<const Shape> shape1, shape2;
  DistanceResult d;
  CollisionResult result;
  PlacedShape object1, object2;
  try {
    shape1 = parseShape("--shape1", shape1_);
    shape2 = parseShape("--shape2", shape2_);
    object1 = {shape1.get(), parsePose("--pose1", pose1_), 1};
    object2 = {shape2.get(), parsePose("--pose2", pose2_), 2};
    CollisionOption option;
    option.margin = margin_;
    distance(object1, object2, d).orThrow();
    collide(object1, object2, option, result).orThrow();
  } catch (const Error& error) {
    throw UsageError(fmt::format("query: {}", error.what()));  // All of it came from the command.
  }
  if (json_) {
    printJson(d, result);
  } else {
    printText(object1, object2, d, result);
  }
  return kExitOk;
}

}  // namespace abut::tool
