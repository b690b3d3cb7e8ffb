// SPDX-License-Identifier: MIT
#include "support/oracle.hpp"

#if ABUT_HAVE_QHULL
#include <algorithm>
#include <cstdio>
#include <stdexcept>

extern "C" {
#include <libqhull_r/libqhull_r.h>
}
#endif

namespace abut::test {

#if ABUT_HAVE_QHULL

bool haveQhull() {
  return true;
}

std::vector<HalfSpace> hullFacets(const std::vector<Vector>& points) {
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vector& p : points) coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
  qhT state;
  qh_zero(&state, nullptr);
  std::FILE* sink = std::fopen("/dev/null", "w");
  char options[] = "qhull Pp";
  const int failed = qh_new_qhull(&state, 3, static_cast<int>(points.size()), coordinates.data(), 0,
                                  options, sink, sink);
  std::vector<HalfSpace> result;
  if (failed == 0) {
    for (const facetT* f = state.facet_list; f != nullptr && f->next != nullptr; f = f->next) {
      result.push_back({Vector(f->normal[0], f->normal[1], f->normal[2]), -f->offset});
    }
  }
  qh_freeqhull(&state, !qh_ALL);
  int current = 0, total = 0;
  qh_memfreeshort(&state, &current, &total);
  std::fclose(sink);
  if (failed != 0) throw std::runtime_error("Qhull failed");
  // Merged facets of Qhull may be a few roundings off their outermost point: push each to it.
  for (HalfSpace& h : result) {
    double farthest = h.normal.dot(points[0]);
    for (const Vector& p : points) farthest = std::max(farthest, h.normal.dot(p));
    h.offset = farthest;
  }
  return result;
}

#else

bool haveQhull() {
  return false;
}

std::vector<HalfSpace> hullFacets(const std::vector<Vector>&) {
  return {};
}

#endif

}  // namespace abut::test
