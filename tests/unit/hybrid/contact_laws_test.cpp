// SPDX-License-Identifier: MIT
#include <cmath>

#include <gtest/gtest.h>

#include <abut/hybrid/contact_laws.hpp>

namespace abut {
namespace {

TEST(ContactLaws, DampingHasTheFiguresComputedIndependently) {
  EXPECT_NEAR(dampingForRestitution(0.9), 0.166482, 5e-7);
  EXPECT_NEAR(dampingForRestitution(0.7), 0.634828, 5e-7);
  EXPECT_NEAR(dampingForRestitution(0.5), 1.432751, 5e-7);
  EXPECT_NEAR(dampingForRestitution(0.3), 3.087082, 5e-7);
  EXPECT_NEAR(dampingForRestitution(0.1), 9.998159, 5e-7);
  EXPECT_EQ(dampingForRestitution(1.0), 0.0);
}

TEST(ContactLaws, DampingSolvesTheRelation) {
  // Below 0.05 what is left of 1 - e k is lost in the rounding of k.
  for (double e = 0.05; e < 0.999; e += 0.001) {
    const double k = dampingForRestitution(e);
    EXPECT_NEAR(k * (1 + e), std::log1p(k) - std::log1p(-e * k), 1e-6 * k) << e;
  }
}

TEST(ContactLaws, DampingIsMonotoneAlsoWhereTheSeriesTakesOver) {
  double last = dampingForRestitution(0.99);
  for (double e = 0.99; e < 1.0; e += 1e-6) {
    const double k = dampingForRestitution(e);
    EXPECT_LE(k, last) << e;
    last = k;
  }
  EXPECT_NEAR(dampingForRestitution(1 - 1.0001e-4), dampingForRestitution(1 - 0.9999e-4), 1e-7);
}

TEST(ContactLaws, EqualCurvaturesGiveTheBallOnBallLaw) {
  // (4/3) E* sqrt(R).
  EXPECT_NEAR(hertzStiffness(4.0, 4.0, 1e9), 4.0 / 3.0 * 1e9 * 0.5, 1e-6);
  EXPECT_NEAR(hertzStiffness(4.0, 4.0 * (1 + 1e-9), 1e9) / (4.0 / 3.0 * 1e9 * 0.5), 1.0, 1e-9);
}

TEST(ContactLaws, EllipticContactAgreesWithTheDefiningIntegrals) {
  // Hertz: with pressure p0 sqrt(1 - x^2/a^2 - y^2/b^2) the displacement is d - A x^2 - B y^2,
  //   d = (p0 b/E*) K, A = (p0 b/E*) (K - E)/(e^2 a^2), B = (p0 b/E*) ((a/b)^2 E - K)/(e^2 a^2),
  // and f = (2/3) p0 pi a b; the curvatures are 2 A and 2 B. std::comp_ellint is the judge (K is
  // `first`, E is `second`).
  for (const double g : {0.9, 0.5, 0.1, 0.01}) {
    const double e = std::sqrt(1 - g * g), a = 1e-3, b = g * a, modulus = 2e9, p0 = 1e6;
    const double first = std::comp_ellint_1(e), second = std::comp_ellint_2(e);
    const double s = p0 * b / modulus;
    const double d = s * first;
    const double curvature1 = 2 * s * (first - second) / (e * e * a * a);
    const double curvature2 = 2 * s * (second / (g * g) - first) / (e * e * a * a);
    const double force = 2.0 / 3.0 * p0 * M_PI * a * b;
    EXPECT_NEAR(hertzStiffness(curvature1, curvature2, modulus) * d * std::sqrt(d) / force, 1.0,
                1e-12)
        << g;
    EXPECT_EQ(hertzStiffness(curvature1, curvature2, modulus),
              hertzStiffness(curvature2, curvature1, modulus));
  }
}

TEST(ContactLaws, ModulusOfEqualBodiesIsHalfThePlaneStrainModulus) {
  EXPECT_NEAR(contactModulus(2.1e11, 0.3, 2.1e11, 0.3), 2.1e11 / (2 * 0.91), 1e-3);
}

}  // namespace
}  // namespace abut
