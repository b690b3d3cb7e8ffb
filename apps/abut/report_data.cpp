// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "report_momentum.hpp"
#include "report_series.hpp"

namespace abut::tool {
namespace {

void append(std::vector<double>& out, const Vec3& v) {
  out.insert(out.end(), {v.x, v.y, v.z});
}

double lengthOf(const Vec3& v) {
  return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/// Keeps rows 0, 2, 4, ... of a column with `width` numbers a row.
template <typename T>
void keepEverySecond(std::vector<T>& column, std::size_t width) {
  std::size_t to = 0;
  for (std::size_t row = 0; row * width < column.size(); row += 2)
    for (std::size_t k = 0; k < width; ++k) column[to++] = column[row * width + k];
  column.resize(to);
}

/// Force [N] of a contact on object 1.
Vec3 forceOf(const io::ContactFrame& c) {
  return {c.normalForce * c.normal.x + c.frictionForce.x,
          c.normalForce * c.normal.y + c.frictionForce.y,
          c.normalForce * c.normal.z + c.frictionForce.z};
}

}  // namespace

void PageData::onHeader(const io::RunHeader& header) {
  header_ = header;
}

std::uint32_t PageData::indexOf(ObjectId id) const {
  const auto place = std::lower_bound(
      header_.bodies.begin(), header_.bodies.end(), id,
      [](const io::BodyRecord& body, ObjectId wanted) { return body.id < wanted; });
  return static_cast<std::uint32_t>(place - header_.bodies.begin());
}

void PageData::onFrame(const io::Frame& frame) {
  if (frames_ % series_every_ == 0) addSeries(frame);
  last_is_shown_ = frames_ % poses_every_ == 0;
  if (last_is_shown_) addPoses(frame);
  if (frames_ % contacts_every_ == 0) addContacts(frame);
  addEvents(frame);
  if (series_.time.size() > limits_.series) thinSeries();
  if (poses_.island.size() > limits_.poses && poses_.time.size() > 2) thinPoses();
  if (contacts_.key.size() > limits_.contacts && contacts_.time.size() > 2) thinContacts();
  last_ = frame;
  ++frames_;
}

void PageData::onEnd() {
  // The last state is what many people look for first: it is shown whatever was thinned.
  if (frames_ > 0 && !last_is_shown_) {
    addPoses(last_);
    if (series_.time.back() < last_.time) addSeries(last_);
    if (contacts_.time.back() < last_.time) addContacts(last_);
    last_is_shown_ = true;
  }
  over_ = true;
}

void PageData::clearFrames() {
  series_ = {};
  poses_ = {};
  contacts_ = {};
  events_ = {};
  drivers_ = {};
  frames_ = 0;
}

void PageData::addSeries(const io::Frame& frame) {
  const EnergyAccount& e = frame.totalEnergy;
  double sum = 0.0, largest = 0.0, impulse = 0.0;
  for (const io::ContactFrame& c : frame.contacts) {
    sum += c.normalForce;
    largest = std::max(largest, lengthOf(forceOf(c)));
    impulse = std::max(impulse, lengthOf(c.impactImpulse));
  }
  const Momentum momentum = momentumOf(header_.bodies, frame.bodies);
  series_.time.push_back(frame.time);
  const std::array<double, kNumSeries> row{
      e.kineticAfter - e.kineticBefore,
      e.potentialAfter - e.potentialBefore,
      e.drivers,
      e.forces,
      e.impact,
      e.friction,
      e.correction,
      e.integrator,
      e.residual(),
      frame.report.worstError,
      static_cast<double>(frame.report.contacts),
      static_cast<double>(frame.report.islands),
      std::max(0.0, frame.report.greatestDepth),
      static_cast<double>(frame.report.sweeps + frame.report.newtonSteps),
      frame.report.converged ? 1.0 : 0.0,
      sum,
      largest,
      impulse,
      momentum.linear.x,
      momentum.linear.y,
      momentum.linear.z,
      momentum.angular.x,
      momentum.angular.y,
      momentum.angular.z};
  series_.values.insert(series_.values.end(), row.begin(), row.end());
  for (const io::DriverFrame& d : frame.drivers) {
    drivers_.time.push_back(frame.time);
    drivers_.body.push_back(indexOf(d.body));
    drivers_.work.push_back(d.work);
    append(drivers_.force, d.force);
    append(drivers_.torque, d.torque);
  }
}

void PageData::addPoses(const io::Frame& frame) {
  poses_.time.push_back(frame.time);
  for (const io::BodyFrame& b : frame.bodies) {
    append(poses_.position, b.position);
    const Quat& q = b.orientation;
    // q and -q are the same turn: the sign that changes least compresses best.
    const std::size_t lag = 4 * header_.bodies.size(), at = poses_.orientation.size();
    double sign = 1.0;
    if (at >= lag) {
      const double* before = &poses_.orientation[at - lag];
      if (before[0] * q.w + before[1] * q.x + before[2] * q.y + before[3] * q.z < 0.0) sign = -1.0;
    }
    poses_.orientation.insert(poses_.orientation.end(),
                              {sign * q.w, sign * q.x, sign * q.y, sign * q.z});
    append(poses_.velocity, b.linearVelocity);
    append(poses_.spin, b.angularVelocity);
    poses_.island.push_back(b.island);
  }
}

void PageData::addContacts(const io::Frame& frame) {
  contacts_.time.push_back(frame.time);
  for (const io::ContactFrame& c : frame.contacts) {
    const std::uint32_t body1 = indexOf(c.object1), body2 = indexOf(c.object2);
    const auto [place, isNew] = keys_.try_emplace({body1, body2, c.id}, keys_.size());
    contacts_.key.push_back(place->second);
    contacts_.body1.push_back(body1);
    contacts_.body2.push_back(body2);
    append(contacts_.position, c.position);
    append(contacts_.normal, c.normal);
    contacts_.depth.push_back(c.depth);
    contacts_.normalForce.push_back(c.normalForce);
    append(contacts_.friction, c.frictionForce);
    append(contacts_.impulse, c.impactImpulse);
    append(contacts_.slip, c.slip);
    contacts_.mu.push_back(c.friction);
  }
  contacts_.start.push_back(static_cast<std::uint32_t>(contacts_.key.size()));
}

void PageData::addEvents(const io::Frame& frame) {
  for (const io::EventFrame& e : frame.events) {
    if (events_.time.size() >= limits_.events) {
      ++events_.leftOut;
      continue;
    }
    events_.time.push_back(e.time);
    events_.kind.push_back(static_cast<std::uint8_t>(e.kind));
    events_.body1.push_back(indexOf(e.object1));
    events_.body2.push_back(indexOf(e.object2));
  }
}

void PageData::thinSeries() {
  // Drivers' rows belong to the series' times.
  keepEverySecond(series_.time, 1);
  keepEverySecond(series_.values, kNumSeries);
  Drivers kept;
  for (std::size_t i = 0; i < drivers_.time.size(); ++i) {
    if (!std::binary_search(series_.time.begin(), series_.time.end(), drivers_.time[i])) continue;
    kept.time.push_back(drivers_.time[i]);
    kept.body.push_back(drivers_.body[i]);
    kept.work.push_back(drivers_.work[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      kept.force.push_back(drivers_.force[3 * i + k]);
      kept.torque.push_back(drivers_.torque[3 * i + k]);
    }
  }
  drivers_ = std::move(kept);
  series_every_ *= 2;
}

void PageData::thinPoses() {
  const std::size_t n = header_.bodies.size();
  keepEverySecond(poses_.time, 1);
  keepEverySecond(poses_.position, 3 * n);
  keepEverySecond(poses_.orientation, 4 * n);
  keepEverySecond(poses_.velocity, 3 * n);
  keepEverySecond(poses_.spin, 3 * n);
  keepEverySecond(poses_.island, n);
  poses_every_ *= 2;
  last_is_shown_ = frames_ % poses_every_ == 0;
}

void PageData::thinContacts() {
  Contacts kept;
  const auto copy = [](const auto& from, auto& to, std::size_t begin, std::size_t end) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (std::size_t f = 0; f < contacts_.time.size(); f += 2) {
    const std::size_t begin = contacts_.start[f], end = contacts_.start[f + 1];
    kept.time.push_back(contacts_.time[f]);
    for (auto column : {&Contacts::key, &Contacts::body1, &Contacts::body2})
      copy(contacts_.*column, kept.*column, begin, end);
    for (auto column : {&Contacts::depth, &Contacts::normalForce, &Contacts::mu})
      copy(contacts_.*column, kept.*column, begin, end);
    for (auto column : {&Contacts::position, &Contacts::normal, &Contacts::friction,
                        &Contacts::impulse, &Contacts::slip})
      copy(contacts_.*column, kept.*column, 3 * begin, 3 * end);
    kept.start.push_back(static_cast<std::uint32_t>(kept.key.size()));
  }
  contacts_ = std::move(kept);
  contacts_every_ *= 2;
}

}  // namespace abut::tool
