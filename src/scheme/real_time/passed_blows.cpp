// SPDX-License-Identifier: MIT
#include "scheme/real_time/passed_blows.hpp"

#include <algorithm>

namespace abut::inline v0_1 {
namespace {

/// Larger islands are solved at once: blows would cost more than their solve.
constexpr std::size_t kMostRows = 48;
constexpr int kBlowsPerContact = 20;
/// Approach below this part of the fastest is no blow.
constexpr double kOfFastest = 1e-9;

}  // namespace

/// Whether a body that is struck touches another that bounces. Bodies with several points of
/// contact come to rest on each other sooner if they are solved at once.
bool PassedBlows::isPassedOn(const Scene& s, std::span<const std::uint32_t> rows) const {
  const auto isFree = [&s](std::uint32_t b) { return s.bodies.facts[b].type == BodyType::Dynamic; };
  std::size_t bouncing = 0;
  bool struck = false, among = false;
  for (const std::uint32_t r : rows) {
    const ManifoldRow& row = s.rows[r];
    if (!(row.restitution > 0.0)) continue;
    ++bouncing;
    if (row.count > 1) return false;
    struck = struck || row.points[0].bound > 0.0;
    among = among || (isFree(row.body1) && isFree(row.body2));
  }
  return struck && among && bouncing > 1;
}

void PassedBlows::gather(const Scene& s, std::span<const std::uint32_t> rows) {
  members_.clear();
  points_.clear();
  contacts_.clear();
  restitution_.clear();
  for (const std::uint32_t r : rows) {
    members_.push_back(s.rows[r].body1);
    members_.push_back(s.rows[r].body2);
  }
  std::sort(members_.begin(), members_.end());
  members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
  mobility_.clear();
  velocities_.clear();
  for (const std::uint32_t b : members_) {
    mobility_.push_back(s.bodies.mobility[b]);
    velocities_.push_back(s.start[b]);
  }
  const auto indexOf = [this](std::uint32_t b) {
    const auto at = std::lower_bound(members_.begin(), members_.end(), b);
    return static_cast<std::uint32_t>(at - members_.begin());
  };
  for (const std::uint32_t r : rows) {
    const ManifoldRow& row = s.rows[r];
    if (!(row.restitution > 0.0)) continue;
    SolverContact c;
    c.body1 = indexOf(row.body1);
    c.body2 = indexOf(row.body2);
    c.normal = row.normal;
    c.tangent1 = anyPerpendicular(row.normal);
    c.tangent2 = cross(row.normal, c.tangent1);
    c.arm1 = row.points[0].arm1;
    c.arm2 = row.points[0].arm2;
    c.offset = row.offset;
    c.friction = row.friction;
    contacts_.push_back(c);
    points_.push_back({r, maxOf(0.0, row.points[0].separation), false});
    restitution_.push_back(row.restitution);
  }
}

/// Blows until none is left; false if that takes too many.
bool PassedBlows::strike(const Scene& s) {
  prepareContacts({mobility_, contacts_}, prepared_);
  speed_.resize(contacts_.size());
  const int most = kBlowsPerContact * static_cast<int>(contacts_.size());
  double first = 0.0;
  RestitutionWork work;
  for (int count = 0; count < most; ++count) {
    double fastest = 0.0;
    const auto closes = [&](std::size_t k) {
      return speed_[k] < -s.slowest && speed_[k] * s.dt < -points_[k].gap &&
             speed_[k] < kOfFastest * first;
    };
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      speed_[k] = relativeVelocity(prepared_[k], velocities_).x;
      if (closes(k)) fastest = minOf(fastest, speed_[k]);
    }
    if (!(fastest < 0.0)) return true;
    if (count == 0) first = fastest;
    tied_.clear();
    for (std::uint32_t k = 0; k < contacts_.size(); ++k) {
      if (!closes(k) || !(speed_[k] <= fastest * (1.0 - kTiedSpeeds))) continue;
      tied_.push_back(k);
      points_[k].isStruck = true;
    }
    (void)group_.throwBack({mobility_, contacts_}, prepared_, restitution_, tied_, velocities_,
                           work);
  }
  return false;
}

void PassedBlows::run(const Scene& s) {
  const auto islands = s.order.getIslands();
  for (std::uint32_t k = 0; k < islands.size(); ++k) {
    const auto rows = s.order.getLinks().subspan(islands[k].firstLink, islands[k].numLinks);
    if (rows.size() > kMostRows || rows.size() < 2 || s.order.isSpread(k)) continue;
    if (!isPassedOn(s, rows)) continue;
    gather(s, rows);
    if (!strike(s)) continue;
    for (std::size_t p = 0; p < points_.size(); ++p) {
      if (!points_[p].isStruck) continue;
      ManifoldRow& row = s.rows[points_[p].row];
      row.points[0].bound =
          maxOf(-points_[p].gap / s.dt, relativeVelocity(prepared_[p], velocities_).x);
    }
  }
}

}  // namespace abut::inline v0_1
