// SPDX-License-Identifier: MIT
#pragma once

namespace abut::inline v0_1 {

/// k in f = c d^1.5 (1 + k d'/v0), d' the rate of the depth d and v0 its value at first touch, for
/// which a free impact ends with the speed e v0, exactly: the positive root of
///   k (1 + e) = ln((1 + k) / (1 - e k)).
/// e in (0, 1]; e = 1 gives 0; below kLeastCompliantRestitution, that value counts. Dimensionless.
[[nodiscard]] double dampingForRestitution(double e);

/// k grows as 1/e, so no damping of this form gives e = 0: smaller values count as this one.
inline constexpr double kLeastCompliantRestitution = 0.01;

/// Modulus of a contact [Pa] from Young's moduli [Pa] and Poisson's ratios of the two bodies:
///   1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2.
[[nodiscard]] double contactModulus(double youngsModulus1, double poissonsRatio1,
                                    double youngsModulus2, double poissonsRatio2);

/// c in Hertz's law f = c d^1.5 [N/m^1.5], for elliptic contact (Johnson, Contact Mechanics, 1985,
/// eqs. 4.24-4.28): principal relative curvatures [1/m], both > 0 in any order, and E* [Pa]. Equal
/// curvatures 1/R give (4/3) E* sqrt(R). Ratios of curvatures count up to 1e8.
[[nodiscard]] double hertzStiffness(double curvature1, double curvature2, double modulus);

}  // namespace abut::inline v0_1
