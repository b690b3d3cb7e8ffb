// SPDX-License-Identifier: MIT
#include "solver/natural_error.hpp"

#include <algorithm>

namespace abut::inline v0_1 {

NaturalError measure(const ContactSpace& space, std::span<const Vec3> r, std::span<const Vec3> u,
                     const ErrorMeasure& by) {
  NaturalError error;
  error.largest = by.least;
  double most = 0.0;
  std::fill(by.each.begin(), by.each.end(), 0.0);
  const auto count = [&](double e, double response, std::size_t k) {
    if (!by.each.empty()) by.each[k] = maxOf(by.each[k], e);
    error.speed = maxOf(error.speed, e * response);
    if (e <= most) return;
    most = e;
    error.worst = static_cast<std::uint32_t>(k);
  };
  const auto velocity = [&](std::size_t k, double response) {
    if (!(by.softness > 0.0)) return u[k];
    return u[k] + (r[k] - by.rest[k]) * (by.softness * response);
  };
  const auto floorOf = [&by](std::size_t k) { return by.floors.empty() ? 0.0 : by.floors[k]; };
  for (std::size_t k = 0; k < space.contacts.size(); ++k) {
    const ContactTerms& c = space.contacts[k];
    if (!(c.response > 0.0)) continue;
    const Vec3 v = velocity(k, c.response);
    const double slip = std::sqrt(v.y * v.y + v.z * v.z);
    const double rho = 1.0 / c.response;
    const Vec3 shifted = r[k] - Vec3{v.x + c.friction * slip, v.y, v.z} * rho;
    error.largest = maxOf(error.largest, norm(r[k]));
    error.approach = maxOf(error.approach, -u[k].x);
    count(norm(r[k] - projectOnCone(shifted, c.friction)) - floorOf(k), c.response, k);
  }
  for (std::size_t i = 0; i < space.couples.size(); ++i) {
    const CoupleTerms& c = space.couples[i];
    if (!(c.response > 0.0)) continue;
    const std::size_t at = space.contacts.size() + i;
    const Vec3 w = velocity(at, c.response);
    const Vec3 missing = r[at] - limitCouple(c, r[at] - w * (1.0 / c.response), r[c.contact].x);
    const double arm = maxOf(c.spinning, c.rolling);
    count(norm(missing) / arm - floorOf(c.contact), c.response * (arm * arm), c.contact);
  }
  error.relative = error.largest > 0.0 ? most / error.largest : most;
  return error;
}

void allow(const ContactSpace& space, std::span<Vec3> r) {
  const std::size_t count = space.contacts.size();
  for (std::size_t k = 0; k < count; ++k) {
    const ContactTerms& c = space.contacts[k];
    r[k] = c.response > 0.0 ? projectOnCone(r[k], c.friction) : Vec3{};
  }
  for (std::size_t i = 0; i < space.couples.size(); ++i) {
    const CoupleTerms& c = space.couples[i];
    r[count + i] = c.response > 0.0 ? limitCouple(c, r[count + i], r[c.contact].x) : Vec3{};
  }
}

}  // namespace abut::inline v0_1
