// SPDX-License-Identifier: MIT
#include "shapes/exact_orientation.hpp"

#include <gtest/gtest.h>

#include "shape_checks.hpp"

namespace abut {
namespace {

/// Sign by integer arithmetic; exact for coordinates below 2^38.
int signByIntegers(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  __extension__ using Wide = __int128;
  const auto wide = [](double x) { return static_cast<Wide>(x); };
  const Wide bx = wide(b.x - a.x), by = wide(b.y - a.y), bz = wide(b.z - a.z);
  const Wide cx = wide(c.x - a.x), cy = wide(c.y - a.y), cz = wide(c.z - a.z);
  const Wide dx = wide(d.x - a.x), dy = wide(d.y - a.y), dz = wide(d.z - a.z);
  const Wide volume =
      (by * cz - bz * cy) * dx + (bz * cx - bx * cz) * dy + (bx * cy - by * cx) * dz;
  return volume > 0 ? 1 : (volume < 0 ? -1 : 0);
}

TEST(Orientation, AgreesWithIntegersNearAndOnThePlane) {
  test::Generator random(71);
  int zeros = 0;
  for (int i = 0; i < 20000; ++i) {
    const double reach = i % 2 == 0 ? 8.0 : 0x1p37;
    const auto lattice = [&] {
      const double x = random.range(-reach, reach);
      const double y = random.range(-reach, reach);
      const double z = random.range(-reach, reach);
      return Vec3{std::floor(x), std::floor(y), std::floor(z)};
    };
    const Vec3 a = lattice(), b = lattice(), c = lattice();
    Vec3 d = lattice();
    // Half of them on the plane, or one unit beside it.
    if (i % 4 >= 2) d = a + (b - a) * std::floor(random.range(-3.0, 3.0)) + (c - a);
    if (i % 8 >= 6) d.z += 1.0;
    if (maxElement(absOf(d)) > 0x1p38) continue;
    const int expected = signByIntegers(a, b, c, d);
    ASSERT_EQ(orientation(a, b, c, d), expected) << i;
    ASSERT_EQ(orientation(b, a, c, d), -expected) << i;
    ASSERT_EQ(orientation(b, c, d, a), -expected) << i;
    zeros += expected == 0 ? 1 : 0;
  }
  EXPECT_GT(zeros, 1000);
}

TEST(Orientation, SeesAStepOfOneUlpOffThePlane) {
  const Vec3 a{0.1, 0.1, 0.1}, b{0.7, 0.1, 0.1}, c{0.1, 0.9, 0.1};
  EXPECT_EQ(orientation(a, b, c, {0.3, 0.2, 0.1}), 0);
  EXPECT_EQ(orientation(a, b, c, {0.3, 0.2, 0.1 + 0x1p-56}), 1);
  EXPECT_EQ(orientation(a, b, c, {0.3, 0.2, 0.1 - 0x1p-56}), -1);
}

}  // namespace
}  // namespace abut
