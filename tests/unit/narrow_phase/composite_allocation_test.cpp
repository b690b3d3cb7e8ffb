// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <new>

#include "unit/narrow_phase/composite_support.hpp"

namespace {

thread_local long allocations = 0;

void* counted(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size);
}
void* operator new[](std::size_t size) {
  return counted(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace abut {
namespace {

using test::ShapePtr;
using test::Vector;

TEST(CompositeAllocation, RepeatedQueriesDoNotAllocate) {
  constexpr std::uint64_t kSeed = 41;
  SCOPED_TRACE(kSeed);
  test::Random random(kSeed);
  const ShapePtr box = std::make_shared<const BoxShape>(Vector(0.3, 0.2, 0.1));
  const ShapePtr ball = test::ballSoup(0.5, 3).shape(), field = test::hills(20, 0.1, 5);
  std::vector<CompoundShape::Child> children{{box, {}}, {ball, random.pose(0.5)}};
  const std::vector<ShapePtr> shapes{std::make_shared<const SphereShape>(0.25),
                                     box,
                                     std::make_shared<const PlaneShape>(Vector(0, 0, 1)),
                                     ball,
                                     field,
                                     test::cloud(200, 0.6, 0.05, 6),
                                     std::make_shared<const CompoundShape>(children)};
  std::vector<Pose> poses;
  for (int i = 0; i < 10; ++i) poses.push_back(random.pose(0.5));
  CollisionResult result;
  CollisionOption option;
  option.margin = 0.02;
  option.maxNumContacts = 100000;
  DistanceResult gap;
  const auto queryAll = [&] {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      for (std::size_t k = i < 3 ? 3 : i; k < shapes.size(); ++k) {
        for (const Pose& pose : poses) {
          result.clear();
          const PlacedShape a{shapes[i].get(), {}, 1}, b{shapes[k].get(), pose, 2};
          EXPECT_TRUE(collide(a, b, option, result));
          EXPECT_TRUE(distance(a, b, gap));
        }
      }
    }
  };
  queryAll();
  const long before = allocations;
  queryAll();
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace abut
