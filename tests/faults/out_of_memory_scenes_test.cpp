// SPDX-License-Identifier: MIT
// FAULTS class 14: memory runs out in steps of worlds that need more than a few bodies do: heaps in
// the exact scheme, several threads, meshes, joints in loops, contacts that give way, ranks.
#include <cmath>
#include <cstdio>

#include <abut/ranks/distributed_world.hpp>

#include "faults/failing_calls.hpp"
#include "faults/one_rank.hpp"
#include "support/ragdoll.hpp"

namespace abut::test {
namespace {

constexpr double kStep = 1.0 / 60;

/// Has everything of a step run by several threads, which is how worlds of many bodies are stepped;
/// what they do here happens in one after the other, so that numbers of allocations say the same.
class Turns final : public TaskRunner {
public:
  [[nodiscard]] int numThreads() const override { return 3; }
  void run(std::size_t count, Task task, void* context) override {
    for (std::size_t i = 0; i < count; ++i) task(context, i);
  }
};

/// A world that goes on from a snapshot, with nothing in its buffers.
class Course {
public:
  Course(const WorldOptions& options, const std::function<void(World&)>& build, int steps)
      : options_(options) {
    World world(options_);
    build(world);
    for (const ObjectId id : bodiesOf(world)) {
      BodyDescription d;
      std::vector<BodyShape> shapes;
      describeBody(world, id, d, shapes).orThrow();
      for (const BodyShape& shape : shapes) shapes_.push_back(shape.shape);
    }
    for (int i = 0; i < steps; ++i) world.step(kStep).orThrow();
    bytes_ = world.snapshot();
  }
  [[nodiscard]] World cold() const {
    World world(options_);
    world.restore(bytes_, shapes_).orThrow();
    return world;
  }
  [[nodiscard]] World warm() const {
    World world = cold();
    world.step(kStep).orThrow();
    return world;
  }
  void expectStepsAllOrNothing(const std::string& name) const {
    const FailingCall step{name, [](World& w) { return w.step(kStep); }};
    std::size_t tried = failEverywhere([this] { return cold(); }, step, kStep);
    tried += failEverywhere([this] { return warm(); }, step, kStep);
    std::printf("%s: %zu failures\n", name.c_str(), tried);
    EXPECT_GT(tried, 20u);
  }

private:
  WorldOptions options_;
  std::vector<std::shared_ptr<const Shape>> shapes_;
  std::vector<std::byte> bytes_;
};

const std::shared_ptr<const Shape> kGroundShape =
    std::make_shared<PlaneShape>(Eigen::Vector3d(0, 0, 1));

/// An L, 0.4 m wide: a mesh with a valley.
std::shared_ptr<const MeshShape> bracket() {
  constexpr std::uint32_t kCorners = 6;
  const double x[] = {0, 2, 2, 1, 1, 0}, y[] = {0, 0, 1, 1, 2, 2};
  std::vector<Eigen::Vector3d> points;
  std::vector<MeshShape::Triangle> triangles;
  for (const double z : {0.0, 0.4}) {
    for (std::uint32_t i = 0; i < kCorners; ++i) points.emplace_back(0.2 * x[i], 0.2 * y[i], z);
  }
  for (const MeshShape::Triangle& t :
       {MeshShape::Triangle{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    triangles.push_back({t[0], t[2], t[1]});
    triangles.push_back({t[0] + kCorners, t[1] + kCorners, t[2] + kCorners});
  }
  for (std::uint32_t i = 0; i < kCorners; ++i) {
    const std::uint32_t j = (i + 1) % kCorners;
    triangles.push_back({i, j, j + kCorners});
    triangles.push_back({i, j + kCorners, i + kCorners});
  }
  return std::make_shared<const MeshShape>(points, triangles);
}

/// Three layers of boxes, each upon two to four of the layer below: some hundred contacts.
Course heap(const WorldOptions& options, int steps) {
  const auto box = std::make_shared<BoxShape>(Eigen::Vector3d(0.5, 0.5, 0.5));
  return {options,
          [&](World& world) {
            world.addBody({.type = BodyType::Static}, kGroundShape);
            for (int layer = 0; layer < 3; ++layer) {
              const int side = 4 - layer;
              for (int i = 0; i < side * side; ++i) {
                const double x = i % side + 0.5 * layer, y = i / side + 0.5 * layer;  // NOLINT
                world.addBody({.position = {1.01 * x, 1.01 * y, 0.5 + layer}},
                              std::shared_ptr<const Shape>(box));
              }
            }
          },
          steps};
}

TEST(OutOfMemoryInScenes, InStepsOfExactHeaps) {
  heap({}, 3).expectStepsAllOrNothing("heap that moves");
  heap({}, 60).expectStepsAllOrNothing("heap at rest");
}

TEST(OutOfMemoryInScenes, InStepsOnSeveralThreads) {
  Turns turns;
  WorldOptions options;
  options.tasks = &turns;
  heap(options, 5).expectStepsAllOrNothing("heap, exact");
  options = WorldOptions::realTime();
  options.tasks = &turns;
  heap(options, 5).expectStepsAllOrNothing("heap, real time");
  options.sleeping = true;
  const auto ball = std::make_shared<SphereShape>(0.3);
  Course(
      options,
      [&](World& world) {
        world.addBody({.type = BodyType::Static}, kGroundShape);
        for (int i = 0; i < 300; ++i) {
          world.addBody({.position = {0.55 * (i % 7), 0.55 * (i / 7 % 7), 0.3 + 0.5 * (i / 49)}},
                        std::shared_ptr<const Shape>(ball));
        }
      },
      10)
      .expectStepsAllOrNothing("spheres, real time");
}

TEST(OutOfMemoryInScenes, InStepsOnMeshesAndOfFastBodies) {
  std::vector<double> heights;
  for (int i = 0; i < 100; ++i) heights.push_back(0.2 * std::sin(i * 0.7));
  const auto field = std::make_shared<HeightFieldShape>(10, 10, 1.0, 1.0, heights);
  const auto mesh = bracket();
  const auto ball = std::make_shared<SphereShape>(0.2);
  const auto rod = std::make_shared<CylinderShape>(0.05, 1.0);
  for (const WorldOptions& options : {WorldOptions{}, WorldOptions::realTime()}) {
    Course(
        options,
        [&](World& world) {
          world.addBody({.type = BodyType::Static}, std::shared_ptr<const Shape>(field));
          for (int i = 0; i < 3; ++i) {
            const double x = 2.0 + 2.0 * i;
            world.addBody({.position = {x, 4, 0.8}, .angularVelocity = {1, 2, 0}},
                          std::shared_ptr<const Shape>(mesh));
            world.addBody({.position = {x, 6, 3}, .linearVelocity = {0, 0, -200}},
                          std::shared_ptr<const Shape>(ball));
            world.addBody({.position = {x, 2, 2},
                           .linearVelocity = {0, 0, -90},
                           .angularVelocity = {60, 0, 0}},
                          std::shared_ptr<const Shape>(rod));
          }
        },
        6)
        .expectStepsAllOrNothing("fast bodies and meshes");
  }
}

TEST(OutOfMemoryInScenes, InStepsOfMechanisms) {
  for (const WorldOptions& options : {WorldOptions{}, WorldOptions::realTime()}) {
    Course(
        options,
        [&](World& world) {
          world.addBody({.type = BodyType::Static}, kGroundShape);
          const MaterialId skin = addMaterial(world, 0.6);
          RagdollBuilder(world, skin, {0, 0, 1.0}, {0.4, 0, 0}).build();
          RagdollBuilder(world, skin, {0.1, 0.2, 1.6}, {0, 1.3, 0}).build();
          // A door on two hinges, one of them more than it needs, hit by a ball.
          const ObjectId door = world.addBody({.position = {5, 0, 1}}, BoxShape({0.5, 0.05, 1}));
          JointDescription hinge;
          hinge.type = JointType::Hinge;
          hinge.body2 = door;
          hinge.placement = JointPlacement::InWorld;
          for (const double z : {0.4, 1.6}) {
            hinge.frame1.translation = {4.5, 0, z};
            world.addJoint(hinge);
          }
          world.addBody({.position = {5.2, 0.6, 1}, .linearVelocity = {0, -8, 0}},
                        SphereShape(0.2));
        },
        20)
        .expectStepsAllOrNothing("mechanisms");
  }
}

/// A crane: a driven column, a jib with ends of its way that it meets, a rope, a coupled
/// counterweight and what swings against a post, in steps of parts, within limits, beside a box
/// that sleeps.
TEST(OutOfMemoryInScenes, InPartsOfStepsOfDrivenMechanismsWithinLimits) {
  for (WorldOptions options : {WorldOptions{}, WorldOptions::realTime()}) {
    options.substeps = 3;
    options.sleeping = true;
    options.sleepAfter = 0.1;
    options.limits = {.pairs = 100, .contacts = 200, .bytes = std::size_t{1} << 24u};
    Course(
        options,
        [&](World& world) {
          world.addBody({.type = BodyType::Static}, kGroundShape);
          world.addBody({.position = {9, 9, 0.5}}, BoxShape({0.5, 0.5, 0.5}));
          const ObjectId post = world.addBody({.type = BodyType::Static, .position = {1.3, 0.4, 1}},
                                              BoxShape({0.1, 0.1, 1}));
          const ObjectId column = world.addBody({.position = {0, 0, 2.2}}, BoxShape({0.1, 0.1, 2}));
          const ObjectId jib =
              world.addBody({.position = {1, 0, 4.5}}, BoxShape({0.8, 0.05, 0.05}));
          const ObjectId load = world.addBody({.position = {1.4, 0, 1.4}}, SphereShape(0.3));
          const ObjectId weight =
              world.addBody({.position = {-1, 0, 4.5}}, BoxShape({0.2, 0.2, 0.2}));
          JointDescription joint;
          joint.placement = JointPlacement::InWorld;
          joint.body2 = column;
          joint.frame1.translation = {0, 0, 0.2};
          joint.axes[0].drive = {.mode = DriveMode::Speed, .target = 1.5, .maxForce = 4000};
          const ObjectId turn = world.addJoint(joint);
          joint = {};
          joint.placement = JointPlacement::InWorld;
          joint.type = JointType::Slider;
          joint.body1 = column;
          joint.frame1.rotation = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};
          joint.axes[0].limits = {-0.01, 0.02, 0.3};
          joint.axes[0].friction = 5;
          joint.body2 = jib;
          joint.frame1.translation = {0.2, 0, 4.5};
          const ObjectId out = world.addJoint(joint);
          joint.body2 = weight;
          joint.frame1.translation = {-0.8, 0, 4.5};
          joint.axes[0].limits = {};
          const ObjectId back = world.addJoint(joint);
          world.addCoupling({.joint1 = out, .joint2 = back, .ratio = -1.0});
          joint = {};
          joint.type = JointType::Tether;
          joint.body1 = jib;
          joint.body2 = load;
          joint.frame1.translation = {0.4, 0, 0};
          joint.axes[0].limits.upper = 3.1;
          joint.breakForce = 1e6;
          world.addJoint(joint);
          world.excludePair(post, column).orThrow();
          EXPECT_GT(turn, kNoObject);
        },
        25)
        .expectStepsAllOrNothing("crane");
  }
}

TEST(OutOfMemoryInScenes, InStepsOfContactsThatGiveWay) {
  Course(
      {},
      [&](World& world) {
        Material soft;
        soft.stiffness = 1e5;
        soft.dissipation = 0.02;
        MaterialId id = 0;
        world.materials().add(soft, id).orThrow();
        world.addBody({.type = BodyType::Static}, kGroundShape, id);
        for (int i = 0; i < 6; ++i) {
          world.addBody({.position = {0.3 * (i % 2), 0.3 * (i % 3), 0.4 + 0.7 * i}},
                        SphereShape(0.35), id);
        }
      },
      30)
      .expectStepsAllOrNothing("contacts that give way");
}

TEST(OutOfMemoryInScenes, InDividedWorldsOnOneRank) {
  for (const WorldOptions& options : {WorldOptions{}, WorldOptions::realTime()}) {
    const Course course = heap(options, 3);
    World whole = course.cold();
    whole.step(kStep).orThrow();
    const std::uint64_t expected = whole.hash();
    OneRank alone;
    for (const bool all : {false, true}) {
      for (std::size_t n = 1;; n = nextFailure(n)) {
        World world = course.cold();
        const std::uint64_t before = world.hash();
        DistributedWorld divided(world, alone);
        FailingAllocations failing(n, all);
        const Status status = world.step(kStep);
        failing.stop();
        if (failing.numFailures() == 0) break;
        if (!status) {
          ASSERT_EQ(status.getCode(), StatusCode::OutOfMemory) << n << status.getMessage();
          ASSERT_EQ(divided.hash(), before) << n;
          const Status again = world.step(kStep);
          ASSERT_TRUE(again) << n << again.getMessage();
        }
        ASSERT_EQ(divided.hash(), expected) << n;
      }
    }
  }
}

}  // namespace
}  // namespace abut::test
