// SPDX-License-Identifier: MIT
// Symptom: a host that had set another rounding mode got other bits, silently; one that traps
// floating-point exceptions was killed inside World::step(). Cause: the library computed in
// whatever environment its caller had. Mechanism now: every public entry that computes sets the
// standard environment and puts the host's back (FloatEnvironment).
#include <array>
#include <cfenv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include <abut/abut.hpp>
#include <abut/core/float_environment.hpp>
#include <abut/hybrid/contact_laws.hpp>

namespace abut {
namespace {

/// What a host may have set. Numbers below are dyadic where the test computes with them, so that
/// the input is the same in all.
enum class Host { Standard, Upward, Downward, TowardZero, FlushToZero, Traps };
constexpr std::array kHosts = {Host::Upward, Host::Downward, Host::TowardZero, Host::FlushToZero,
                               Host::Traps};

class HostEnvironment {
public:
  explicit HostEnvironment(Host host) {
    std::fegetenv(&before_);
    switch (host) {
      case Host::Standard:
        break;
      case Host::Upward:
        std::fesetround(FE_UPWARD);
        break;
      case Host::Downward:
        std::fesetround(FE_DOWNWARD);
        break;
      case Host::TowardZero:
        std::fesetround(FE_TOWARDZERO);
        break;
      case Host::FlushToZero:
        setFlushToZero();
        break;
      case Host::Traps:
        std::feclearexcept(FE_ALL_EXCEPT);
        feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
        break;
    }
    control_ = control();
  }
  ~HostEnvironment() {
    // Traps for inexact results are on: nothing may be computed until this.
    const bool isKept = control() == control_;
    std::fesetenv(&before_);
    EXPECT_TRUE(isKept) << "the host's environment was not put back";
  }
  HostEnvironment(const HostEnvironment&) = delete;
  HostEnvironment& operator=(const HostEnvironment&) = delete;

private:
#if defined(__SSE2__)
  static std::uint64_t control() {
    return _mm_getcsr() & 0xffc0u;
  }
  static void setFlushToZero() {
    _mm_setcsr(_mm_getcsr() | 0x8040u);
  }
#elif defined(__aarch64__)
  static std::uint64_t control() {
    std::uint64_t value;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void setFlushToZero() {
    __asm__ __volatile__("msr fpcr, %0" : : "r"(control() | (std::uint64_t{1} << 24)));
  }
#else
  static std::uint64_t control() {
    return 0;
  }
  static void setFlushToZero() {}
#endif
  std::fenv_t before_{};
  std::uint64_t control_ = 0;
};

/// Bits of all that is given to it.
class Digest {
public:
  void add(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    add(bits);
  }
  void add(std::uint64_t bits) { hash_ = (hash_ ^ bits) * 1099511628211u; }
  void add(const Eigen::Vector3d& v) {
    for (int i = 0; i < 3; ++i) add(v[i]);
  }
  [[nodiscard]] std::uint64_t get() const { return hash_; }

private:
  std::uint64_t hash_ = 1469598103934665603u;
};

using ShapePtr = std::shared_ptr<const Shape>;

std::vector<ShapePtr> makeShapes() {
  using Vector = Eigen::Vector3d;
  const std::vector<Vector> points = {{0.5, 0.1, 0.0},   {-0.4, 0.3, 0.1},  {0.0, -0.5, 0.2},
                                      {0.1, 0.1, 0.6},   {-0.1, 0.2, -0.4}, {0.3, -0.3, -0.3},
                                      {-0.3, -0.3, 0.3}, {0.3, 0.4, 0.3}};
  const std::vector<Vector> corners = {{1, 0, 0}, {-0.7, 0.6, 0}, {-0.7, -0.6, 0}, {0, 0, 0.9}};
  const std::vector<MeshShape::Triangle> triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  const std::vector<double> heights = {0.1, 0.2, 0.15, 0.05, 0.3, 0.1, 0.2, 0.12, 0.07};
  const auto ball = std::make_shared<SphereShape>(0.3);
  const auto box = std::make_shared<BoxShape>(Vector(0.4, 0.3, 0.2));
  Pose aside;
  aside.translation = {0.4, 0.1, 0.0};
  std::vector<CompoundShape::Child> children = {{ball, Pose{}}, {box, aside}};
  return {ball,
          box,
          std::make_shared<CapsuleShape>(0.2, 0.7),
          std::make_shared<CylinderShape>(0.3, 0.7),
          std::make_shared<ConeShape>(0.3, 0.7),
          std::make_shared<PlaneShape>(Vector(0.1, 0.2, 1.0), 0.1),
          std::make_shared<ConvexShape>(points),
          std::make_shared<MeshShape>(corners, triangles),
          std::make_shared<HeightFieldShape>(3, 3, 0.7, 0.7, heights),
          std::make_shared<PointCloudShape>(points, 0.1),
          std::make_shared<CompoundShape>(std::move(children))};
}

void addShapes(Digest& digest) {
  const Pose turned = poseFromRollPitchYaw({0.1, 0.2, 0.3}, 0.4, 0.5, 0.6);
  for (const ShapePtr& shape : makeShapes()) {
    MassProperties mass;
    if (shape->computeMass(1234.5, mass)) {
      digest.add(mass.mass);
      digest.add(mass.inertia);
      digest.add(mass.products);
      digest.add(mass.center);
    }
    digest.add(shape->signedDistance({0.3, 0.2, 0.1}));
    RayHit hit;
    if (shape->raycast({{0.3, 0.2, 3.0}, {-0.1, -0.05, -1.0}, 10.0}, hit)) digest.add(hit.fraction);
    if (shape->isConvex()) digest.add(shape->supportPoint({0.3, -0.7, 0.2}));
    digest.add(shape->computeAabb(turned).volume());
  }
}

void addQueries(Digest& digest) {
  const std::vector<ShapePtr> shapes = makeShapes();
  const Pose pose1 = poseFromRollPitchYaw({0.01, 0.02, 0.03}, 0.1, 0.2, 0.3);
  const Pose pose2 = poseFromRollPitchYaw({0.3, 0.2, 0.4}, 0.7, -0.4, 1.1);
  for (const ShapePtr& a : shapes) {
    for (const ShapePtr& b : shapes) {
      if (a->getType() == ShapeType::Plane && b->getType() == ShapeType::Plane) continue;
      const PlacedShape first{a.get(), pose1, 1}, second{b.get(), pose2, 2};
      CollisionResult result;
      collide(first, second, CollisionOption::fullContacts(), result).orThrow();
      for (const ContactManifold& m : result.getManifolds()) {
        for (const ContactPoint& p : m.getContacts()) {
          digest.add(p.position);
          digest.add(p.normal);
          digest.add(p.depth);
        }
      }
      DistanceResult distant;
      distance(first, second, distant).orThrow();
      digest.add(distant.distance);
      digest.add(distant.point1);
      PlacedShape above = first;
      above.pose.translation.z = 3.0;
      CastResult cast;
      const Motion turn{{0.1, 0.2, -4.0}, {0.3, 0.2, 0.1}};
      if (timeOfImpact(above, turn, second, {}, cast)) digest.add(cast.fraction);
      digest.add(toEigen(poseAt(pose1, turn, 0.3).rotation.x));
    }
  }
}

void addGroup(Digest& digest) {
  CollisionGroup group;
  const std::vector<ShapePtr> shapes = makeShapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
    place(0, 3) = 0.25 * static_cast<double>(i);
    group.add(CollisionObject(shapes[i], place)).orThrow();
  }
  CollisionResult result;
  group.collide(CollisionOption::fullContacts(), result).orThrow();
  for (const ContactManifold& m : result.getManifolds()) {
    for (const ContactPoint& p : m.getContacts()) digest.add(p.depth);
  }
  GroupDistance closest;
  group.distance(closest).orThrow();
  digest.add(closest.result.distance);
  std::vector<GroupRayHit> hits;
  group.raycastAll({{-3.0, 0.05, 0.02}, {1.0, 0.01, 0.03}, 10.0}, hits).orThrow();
  for (const GroupRayHit& hit : hits) digest.add(hit.hit.fraction);
}

World makeWorld(const WorldOptions& options) {
  World world(options);
  MaterialId bouncy = 0;
  world.materials().add({.friction = 0.4, .restitution = 0.6}, bouncy).orThrow();
  world.addBody({.type = BodyType::Static}, PlaneShape({0.1, 0, 1}));
  const ObjectId rotor =
      world.addBody({.type = BodyType::Kinematic, .position = {0, 0, 0.5}}, CapsuleShape(0.2, 1.5));
  world.setVelocity(rotor, {0, 0, 0}, {2, 0, 0.3}).orThrow();
  const std::vector<ShapePtr> shapes = makeShapes();
  int i = 0;
  for (const ShapePtr& shape : shapes) {
    MassProperties mass;
    if (!shape->computeMass(1.0, mass)) continue;
    const ObjectId id =
        world.addBody({.position = {0.25 * (i % 3), 0.125 * (i % 2), 1.0 + 0.5 * i}}, shape,
                      i % 3 == 0 ? bouncy : 0);
    world.applyForce(id, {0.1, 0.2, 0.3}, {0.01, 0.02, 0.03}).orThrow();
    world.applyForce(id, {0.7, 0.1, 0.2}, {0.07, 0.05, 0.04}).orThrow();
    ++i;
  }
  return world;
}

void addWorld(Digest& digest, const WorldOptions& options) {
  World world = makeWorld(options);
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60).orThrow();
  digest.add(world.hash());
  World again = makeWorld(options);
  again.restore(world.snapshot()).orThrow();
  for (int i = 0; i < 10; ++i) again.step(1.0 / 60).orThrow();
  digest.add(again.hash());
}

void addHybrid(Digest& digest) {
  World world;
  world.addBody({.type = BodyType::Static}, PlaneShape({0, 0, 1}));
  const ObjectId ball = world.addBody({.position = {0, 0, 1.1}}, SphereShape(0.3));
  ImpactSimulation impacts(world);
  impacts.advance(0.7).orThrow();
  digest.add(impacts.energy());
  BodyMotion motion;
  impacts.getMotion(ball, motion).orThrow();
  digest.add(motion.centerOfMass);
  CompliantSystem system(world);
  std::vector<double> y(system.numStates()), dy(y.size());
  system.getState(y);
  y[2] = 0.2999;
  system.initialize(0.0, y).orThrow();
  system.computeDerivatives(0.0, y, dy).orThrow();
  for (const double d : dy) digest.add(d);
  digest.add(dampingForRestitution(0.37));
  digest.add(hertzStiffness(1.3, 7.1, 2.1e9));
}

using Part = void (*)(Digest&);

void expectTheSame(const char* what, Part part) {
  const auto run = [&](Host host) {
    Digest digest;
    const HostEnvironment environment(host);
    part(digest);
    return digest.get();
  };
  const std::uint64_t expected = run(Host::Standard);
  for (const Host host : kHosts) {
    EXPECT_EQ(run(host), expected) << what << ", host " << static_cast<int>(host);
  }
}

TEST(HostFloatEnvironment, ChangesNoBitOfShapes) {
  expectTheSame("shapes", addShapes);
}
TEST(HostFloatEnvironment, ChangesNoBitOfQueries) {
  expectTheSame("queries", addQueries);
}
TEST(HostFloatEnvironment, ChangesNoBitOfGroups) {
  expectTheSame("groups", addGroup);
}
TEST(HostFloatEnvironment, ChangesNoBitOfTheExactScheme) {
  expectTheSame("exact", [](Digest& d) { addWorld(d, {}); });
}
TEST(HostFloatEnvironment, ChangesNoBitOfTheRealTimeScheme) {
  expectTheSame("real time", [](Digest& d) { addWorld(d, WorldOptions::realTime()); });
}
TEST(HostFloatEnvironment, ChangesNoBitOfVariableSteps) {
  expectTheSame("hybrid", addHybrid);
}

TEST(HostFloatEnvironment, IsPutBackWhereACallIsRefused) {
  World world = makeWorld({});
  const HostEnvironment environment(Host::Upward);
  EXPECT_FALSE(world.step(-1.0));
  EXPECT_THROW(world.addBody({.type = BodyType::Dynamic}, PlaneShape({0, 0, 1})), Error);
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
}

TEST(HostFloatEnvironment, KeepsSubnormalNumbersWhereTheHostFlushesThem) {
  // 1e-310 m/s is subnormal; the step moves the body by 1e-310 * dt, half of it at least kept.
  const auto run = [](Host host) {
    const HostEnvironment environment(host);
    WorldOptions options;
    options.gravity = {0, 0, 0};
    World world(options);
    const ObjectId id = world.addBody({.mass = 1.0}, SphereShape(1.0));
    world.setVelocity(id, {1e-310, 0, 0}, {0, 0, 0}).orThrow();
    world.step(0.5).orThrow();
    return world.hash();
  };
  EXPECT_EQ(run(Host::FlushToZero), run(Host::Standard));
}

}  // namespace
}  // namespace abut
