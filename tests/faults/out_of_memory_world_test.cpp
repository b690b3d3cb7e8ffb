// SPDX-License-Identifier: MIT
// FAULTS class 14: memory runs out in the midst of a call of a world.
#include <cstdio>

#include "faults/failing_calls.hpp"
#include "faults/mixed_world.hpp"

namespace abut::test {
namespace {

struct Mode {
  const char* name;
  StepScheme scheme;
  int substeps;
  bool sleeping;
};

constexpr Mode kModes[] = {
    {"Exact", StepScheme::Exact, 1, false},
    {"RealTime", StepScheme::RealTime, 1, false},
    {"ExactSubsteps", StepScheme::Exact, 3, false},
    {"RealTimeSubsteps", StepScheme::RealTime, 2, true},
    {"ExactSleeping", StepScheme::Exact, 1, true},
    {"RealTimeSleeping", StepScheme::RealTime, 1, true},
};

class OutOfMemory : public testing::TestWithParam<Mode> {
protected:
  OutOfMemory() {
    options_ = GetParam().scheme == StepScheme::Exact ? WorldOptions{} : WorldOptions::realTime();
    options_.substeps = GetParam().substeps;
    options_.sleeping = GetParam().sleeping;
    options_.sleepAfter = 0.2;
    World world = mixedWorld(options_);
    for (int i = 0; i < 40; ++i) world.step(kMixedStep).orThrow();
    is_resting_ = world.isAsleep(kRestBall);
    bytes_ = world.snapshot();
    world.step(kMixedStep).orThrow();
    later_ = world.snapshot();
  }
  /// As after 40 steps, with nothing in the buffers of any stage.
  [[nodiscard]] World cold() const {
    World world(options_);
    world.restore(bytes_, shapes_).orThrow();
    return world;
  }
  /// As after 41, the last of them made here.
  [[nodiscard]] World warm() const {
    World world = cold();
    world.step(kMixedStep).orThrow();
    return world;
  }
  void expectAllOrNothing(const FailingCall& call) const {
    std::size_t tried = failEverywhere([this] { return cold(); }, call, kMixedStep);
    tried += failEverywhere([this] { return warm(); }, call, kMixedStep);
    std::printf("%s: %zu failures\n", call.name.c_str(), tried);
  }

  WorldOptions options_;
  std::vector<std::byte> bytes_, later_;
  std::vector<std::shared_ptr<const Shape>> shapes_ = mixedShapes();
  bool is_resting_ = false;
};

TEST_P(OutOfMemory, SleepersAreThere) {
  EXPECT_EQ(is_resting_, GetParam().sleeping);
}

TEST_P(OutOfMemory, InAStep) {
  expectAllOrNothing({"step", [](World& w) { return w.step(kMixedStep); }});
}

TEST_P(OutOfMemory, InAddingAndRemoving) {
  const auto add = [this](const std::string& name, const BodyDescription& d,
                          const std::vector<BodyShape>& given) {
    expectAllOrNothing({name, [&](World& w) {
                          ObjectId id = kNoObject;
                          std::vector<BodyShape> shapes;
                          {
                            const SparedAllocations own;
                            shapes = given;
                          }
                          return w.addBody(d, shapes, id);
                        }});
  };
  add("addBody", {.position = {9, 9, 9}}, {{shapes_[1], Pose{}, 0}});
  add("addBody 15", {.position = {9, 9, 9}, .id = 15}, {{shapes_[5], Pose{}, 0}});
  add("addBody onto what sleeps", {.type = BodyType::Static, .position = {6, 0.1, 0.7}, .id = 16},
      {{shapes_[1], Pose{}, 0}});
  add("addBody of two shapes", {.position = {9, 9, 9}},
      {{shapes_[1], Pose{}, 0}, {shapes_[2], Pose{}, 1}});
  for (const ObjectId id : {ObjectId{kGround}, ObjectId{kGate}, ObjectId{kPusher},
                            ObjectId{kRestBox}, ObjectId{kLink1}, ObjectId{kFirstFaller}}) {
    expectAllOrNothing(
        {"removeBody " + std::to_string(id), [id](World& w) { return w.removeBody(id); }});
  }
}

TEST_P(OutOfMemory, InRestoring) {
  expectAllOrNothing({"restore", [this](World& w) { return w.restore(later_, shapes_); }});
}

TEST_P(OutOfMemory, InChanges) {
  const std::vector<PathPoint> path{{0.0, {3, 0, 0.5}, Quat{}}, {1.0, {4, 0, 0.5}, Quat{}}};
  const MassProperties mass{5.0, {0, 0, 0.01}, {0.1, 0.1, 0.1}, {0, 0, 0}};
  for (const ObjectId id : {ObjectId{kRestBall}, ObjectId{kFirstFaller + 1}, ObjectId{kLink1}}) {
    const std::string of = std::string(1, ' ').append(std::to_string(id));
    const FailingCall calls[] = {
        {"setVelocity" + of,
         [=](World& w) {
           return w.setVelocity(id, {1, 0, 0}, {0, 0, 1});
         }},
        {"setPose" + of,
         [=](World& w) {
           return w.setPose(id, {6, 0, 0.76}, Quat{});
         }},
        {"applyForce" + of,
         [=](World& w) {
           return w.applyForce(id, {1, 0, 0}, {0, 0, 1});
         }},
        {"applyForceAt" + of,
         [=](World& w) {
           return w.applyForceAt(id, {1, 0, 0}, {0, 0, 1});
         }},
        {"applyImpulse" + of,
         [=](World& w) {
           return w.applyImpulse(id, {1, 0, 0}, {0, 0, 1});
         }},
        {"setGravityScale" + of, [=](World& w) { return w.setGravityScale(id, 0.5); }},
        {"setMass" + of, [=](World& w) { return w.setMass(id, mass); }},
        {"setMaterial" + of, [=](World& w) { return w.setMaterial(id, 1); }},
        {"setMaterial of a shape" + of, [=](World& w) { return w.setMaterial(id, 0, 1); }},
        {"setSurfaceVelocity" + of,
         [=](World& w) {
           return w.setSurfaceVelocity(id, {1, 0, 0});
         }},
        {"setLocks" + of, [=](World& w) { return w.setLocks(id, kLockX); }},
        // Of a link its joints want a dynamic body.
        {"setType" + of,
         [=](World& w) {
           return w.setType(id, id == kLink1 ? BodyType::Dynamic : BodyType::Kinematic);
         }},
        {"setFilter" + of,
         [=](World& w) {
           return w.setFilter(id, BodyFilter{2, 2});
         }},
        {"setSensor" + of, [=](World& w) { return w.setSensor(id, true); }},
        {"excludePair" + of, [=](World& w) { return w.excludePair(id, kGround); }},
        {"wake" + of, [=](World& w) { return w.wake(id); }},
    };
    for (const FailingCall& call : calls) expectAllOrNothing(call);
  }
  expectAllOrNothing({"setPose of the ground", [](World& w) {
                        return w.setPose(kGround, {0, 0, -0.001}, Quat{});
                      }});
  expectAllOrNothing({"setPath", [&](World& w) { return w.setPath(kBelt, path); }});
  expectAllOrNothing({"setGravity", [](World& w) { return w.setGravity({0, 0, -5}); }});
  expectAllOrNothing({"a new material", [](World& w) {
                        MaterialId id = 0;
                        return w.materials().add({}, id);
                      }});
  expectAllOrNothing({"a new pair of materials",
                      [](World& w) { return w.materials().setPair(0, 1, {.friction = 0.1}); }});
}

TEST_P(OutOfMemory, InJoints) {
  JointDescription joint;
  joint.type = JointType::Ball;
  joint.body1 = kRestBox;
  joint.body2 = kRestBall;
  joint.frame1.translation = {6, 0, 0.5};
  joint.placement = JointPlacement::InWorld;
  joint.collide = false;
  CouplingDescription coupling;
  coupling.joint1 = kHinge;
  coupling.joint2 = kSecondHinge;
  const FailingCall calls[] = {
      {"addJoint",
       [=](World& w) {
         ObjectId id = kNoObject;
         return w.addJoint(joint, id);
       }},
      {"removeJoint", [](World& w) { return w.removeJoint(kHinge); }},
      {"setJointDrive",
       [](World& w) {
         return w.setJointDrive(kHinge, 0, {.mode = DriveMode::Speed, .target = 1.0});
       }},
      {"addCoupling",
       [=](World& w) {
         ObjectId id = kNoObject;
         return w.addCoupling(coupling, id);
       }},
  };
  for (const FailingCall& call : calls) expectAllOrNothing(call);
}

TEST_P(OutOfMemory, InQueries) {
  const FailingCall calls[] = {
      {"raycast",
       [](World& w) {
         std::optional<WorldRayHit> hit;
         return w.raycast({{0, 0, 9}, {0, 0, -20}}, {}, hit);
       }},
      {"raycastAll",
       [](World& w) {
         std::vector<WorldRayHit> hits;
         return w.raycastAll({{0, 0, 9}, {0, 0, -20}}, {}, hits);
       }},
      {"shapeCast",
       [](World& w) {
         CastResult result;
         Pose start;
         start.translation = {0, 0, 9};
         return w.shapeCast(SphereShape(0.1), start, {{0, 0, -20}, {0, 0, 0}}, {}, result);
       }},
      {"overlap",
       [](World& w) {
         std::vector<ObjectId> bodies;
         return w.overlap(SphereShape(1.0), Pose{}, {}, bodies);
       }},
      {"closest",
       [](World& w) {
         std::optional<WorldDistance> result;
         return w.closest(SphereShape(0.1), Pose{}, 1.0, {}, result);
       }},
      {"distance",
       [](World& w) {
         DistanceResult result;
         return w.distance(kRestBall, kFirstFaller, result);
       }},
      {"describeBody",
       [](World& w) {
         BodyDescription d;
         std::vector<BodyShape> shapes;
         return describeBody(w, kFirstFaller + 3, d, shapes);
       }},
  };
  for (const FailingCall& call : calls) expectAllOrNothing(call);
}

INSTANTIATE_TEST_SUITE_P(Modes, OutOfMemory, testing::ValuesIn(kModes),
                         [](const auto& mode) { return std::string(mode.param.name); });

}  // namespace
}  // namespace abut::test
