// SPDX-License-Identifier: MIT
// Time of ContactManifoldCache::update() for boxes at rest, four points a pair, and its growth with
// the number of pairs. Checks what it times: every point must match by feature.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <abut/manifold/contact_manifold_cache.hpp>

namespace {

using abut::ContactManifold;
using abut::ObjectId;

struct Scene {
  std::vector<ContactManifold> raw;
  std::vector<abut::ObjectPose> poses;
};

/// A row of n + 1 boxes, each in contact with the next at four corners.
Scene makeScene(std::size_t pairs) {
  Scene scene;
  for (ObjectId i = 1; i <= pairs + 1; ++i) {
    abut::ObjectPose pose{i, {}};
    pose.pose.translation.x = static_cast<double>(i);
    scene.poses.push_back(pose);
  }
  for (ObjectId i = 1; i <= pairs; ++i) {
    ContactManifold m;
    m.setObjects(i, i + 1);
    m.setType(abut::ContactType::Face);
    for (std::uint32_t k = 0; k < 4; ++k) {
      abut::ContactPoint p;
      p.position = {static_cast<double>(i) + 0.5, (k & 1) != 0 ? 0.5 : -0.5,
                    (k & 2) != 0 ? 0.5 : -0.5};
      p.normal = {-1.0, 0.0, 0.0};
      p.depth = 1e-5;
      p.feature1 = {abut::Feature::Kind::Vertex, k};
      p.feature2 = {abut::Feature::Kind::Face, 0};
      m.addContact(p);
    }
    scene.raw.push_back(m);
  }
  return scene;
}

/// Median time of an update in ns a contact point; negative if a result was wrong.
double measure(std::size_t pairs, int repeats) {
  const Scene scene = makeScene(pairs);
  abut::ContactManifoldCache cache;
  bool right = static_cast<bool>(cache.update(scene.raw, scene.poses).status);
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const abut::CacheReport report = cache.update(scene.raw, scene.poses);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    times.push_back(time.count() / static_cast<double>(4 * pairs));
    right = right && report.pointsByFeature == 4 * pairs && report.contactsEmitted == 4 * pairs;
  }
  std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
  return right ? times[static_cast<std::size_t>(repeats / 2)] : -1.0;
}

}  // namespace

int main() {
  constexpr double kBar = 60.0;          // ns a contact point at 10 000 pairs.
  constexpr double kLinearWithin = 2.0;  // Caches of the CPU end somewhere in between.
  const double small = measure(1000, 301);
  const double medium = measure(10000, 61);
  const double large = measure(100000, 15);
  std::printf("pairs     ns a contact point (median)\n");
  std::printf("  1 000   %6.1f\n 10 000   %6.1f\n100 000   %6.1f\n", small, medium, large);
  int hold = 0;
  const auto bar = [&hold](const char* name, bool holds) {
    std::printf("%-52s %s\n", name, holds ? "holds" : "FAILS");
    hold += holds ? 1 : 0;
  };
  bar("results right at every size", small > 0 && medium > 0 && large > 0);
  bar("below 60 ns a contact point at 10 000 pairs", medium > 0 && medium < kBar);
  bar("linear: 100 000 pairs within twice the time a point", large < kLinearWithin * medium);
  std::printf("%d of 3 bars hold\n", hold);
  return hold == 3 ? 0 : 1;
}
