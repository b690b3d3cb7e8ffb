// SPDX-License-Identifier: MIT
// FAULTS class 14: memory runs out in calls of groups and in queries of pairs.
#include <functional>

#include "faults/failing_calls.hpp"
#include "faults/mixed_world.hpp"

namespace abut::test {
namespace {

CollisionGroup crowd() {
  CollisionGroup group;
  const std::vector<std::shared_ptr<const Shape>> shapes = mixedShapes();
  for (int i = 0; i < 12; ++i) {
    CollisionObject object(shapes[1 + static_cast<std::size_t>(i) % 5]);
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place.translation() = Eigen::Vector3d(0.2 * (i % 4), 0.2 * (i % 3), 0.15 * i);
    object.setTransform(place).orThrow();
    group.add(object).orThrow();
  }
  return group;
}

/// What a group answers, as numbers.
std::vector<double> answersOf(CollisionGroup& group) {
  std::vector<double> answers{static_cast<double>(group.size())};
  CollisionResult result;
  EXPECT_TRUE(group.collide({}, result));
  for (const ContactManifold& m : result.getManifolds()) {
    for (const ContactPoint& c : m.getContacts()) answers.push_back(c.depth);
  }
  GroupDistance distance;
  EXPECT_TRUE(group.distance(distance));
  answers.push_back(distance.result.distance);
  return answers;
}

struct GroupCall {
  const char* name;
  std::function<Status(CollisionGroup&)> run;
};

TEST(OutOfMemoryInGroups, CallsAnswerSoAndChangeNothing) {
  const auto sphere = std::make_shared<SphereShape>(0.4);
  const CollisionObject probe(sphere);
  const GroupCall calls[] = {
      {"add", [&](CollisionGroup& g) { return g.add(CollisionObject(sphere)); }},
      {"remove", [](CollisionGroup& g) { return g.remove(3); }},
      {"setTransform",
       [](CollisionGroup& g) { return g.setTransform(2, Eigen::Isometry3d::Identity()); }},
      {"collide",
       [](CollisionGroup& g) {
         CollisionResult result;
         return g.collide({}, result);
       }},
      {"collide with an object",
       [&](CollisionGroup& g) {
         CollisionResult result;
         return g.collide(probe, {}, result);
       }},
      {"distance",
       [](CollisionGroup& g) {
         GroupDistance result;
         return g.distance(result);
       }},
      {"raycastAll",
       [](CollisionGroup& g) {
         std::vector<GroupRayHit> hits;
         return g.raycastAll({{0, 0, 9}, {0, 0, -20}}, hits);
       }},
  };
  for (const GroupCall& call : calls) {
    CollisionGroup reference = crowd();
    const std::vector<double> before = answersOf(reference);
    ASSERT_TRUE(call.run(reference)) << call.name;
    const std::vector<double> after = answersOf(reference);
    for (const bool all : {false, true}) {
      for (std::size_t n = 1;; n = nextFailure(n)) {
        CollisionGroup group = crowd();
        FailingAllocations failing(n, all);
        const Status status = call.run(group);
        failing.stop();
        if (failing.numFailures() == 0) break;
        if (!status) {
          ASSERT_EQ(status.getCode(), StatusCode::OutOfMemory) << call.name << " " << n;
          ASSERT_EQ(answersOf(group), before) << call.name << " " << n;
          ASSERT_TRUE(call.run(group)) << call.name << " " << n;
        }
        ASSERT_EQ(answersOf(group), after) << call.name << " " << n;
      }
    }
  }
}

}  // namespace
}  // namespace abut::test
