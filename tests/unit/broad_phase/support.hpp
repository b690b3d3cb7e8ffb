// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <abut/broad_phase/brute_force_broad_phase.hpp>
#include <abut/broad_phase/bvh_broad_phase.hpp>

namespace abut::test {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// SplitMix64: the same numbers everywhere.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double between(double lo, double hi) { return lo + (hi - lo) * unit(); }
  std::uint64_t below(std::uint64_t n) { return bits() % n; }
  Eigen::Vector3d vector(double reach) {
    const double x = between(-reach, reach);
    const double y = between(-reach, reach);
    const double z = between(-reach, reach);
    return {x, y, z};
  }

private:
  std::uint64_t state_;
};

inline Aabb boxAt(const Eigen::Vector3d& center, const Eigen::Vector3d& half) {
  return {center - half, center + half};
}

/// Kinds of scenes that have broken broad phases.
enum class Scene {
  Sparse,
  Dense,
  MixedSizes,  ///< Sizes over six decades.
  FewHuge,     ///< Planes, and boxes that cover everything.
  OnePoint,    ///< All in one place.
  Line,        ///< All on a line.
  Flat,        ///< All on a plane.
  FarAway,     ///< Around (1e6, -1e6, 1e6).
  Outliers,    ///< A few 1e9 away.
  Grid,        ///< Touching to the bit.
  Extreme,     ///< 1e-300 to 1e300, infinite sides.
};
inline constexpr int kNumScenes = 11;

inline Aabb randomBox(Scene scene, Random& random, std::size_t count) {
  const double side = std::cbrt(static_cast<double>(count));
  Eigen::Vector3d center = random.vector(0.8 * side);
  Eigen::Vector3d half = random.vector(0.5).cwiseAbs();
  const std::uint64_t dice = random.below(100);
  const double decades = random.between(-3.0, 3.0);
  switch (scene) {
    case Scene::Sparse:
      break;
    case Scene::Dense:
      center *= 0.3;
      break;
    case Scene::MixedSizes:
      half *= std::pow(10.0, decades);
      break;
    case Scene::FewHuge:
      if (dice == 0) half *= 1000.0;
      if (dice == 1)
        return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, center.z()}};
      if (dice == 2) return Aabb::infinite();
      break;
    case Scene::OnePoint:
      if (dice < 50) half.setZero();
      center.setConstant(1.25);
      break;
    case Scene::Line:
      center = Eigen::Vector3d(center.x() * side, 1.0, -2.0);
      break;
    case Scene::Flat:
      center = Eigen::Vector3d(center.x() * 1.5, center.y() * 1.5, 0.01 * center.z());
      break;
    case Scene::FarAway:
      center += Eigen::Vector3d(1e6, -1e6, 1e6);
      break;
    case Scene::Outliers:
      if (dice < 2) center *= 1e9;
      break;
    case Scene::Grid:
      half.setConstant(0.5);
      center =
          Eigen::Vector3d(std::floor(center.x()), std::floor(center.y()), std::floor(center.z()));
      break;
    case Scene::Extreme:
      center *= std::pow(10.0, 100.0 * decades);
      half *= std::pow(10.0, 100.0 * random.between(-3.0, 3.0));
      if (dice == 0) half.x() = kInfinity;
      break;
  }
  return boxAt(center, half);
}

/// Ids over the whole range, strictly ascending with i; neighbours differ by more than one.
inline ObjectId spreadId(std::size_t i) {
  return 1 + i * 0x10000000001u;
}

}  // namespace abut::test
