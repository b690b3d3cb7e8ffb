// SPDX-License-Identifier: MIT
#include "report_data.hpp"

#include <algorithm>

#include "report_series.hpp"

namespace abut::tool {
namespace {

/// Without contacts though there are some: they were not recorded, and the last ones stay.
bool tellsContacts(const io::Frame& frame) {
  return !frame.contacts.empty() || frame.report.contacts == 0;
}

}  // namespace

PageData::Tracks::Tracks()
    : poses(trackOf<io::BodyFrame>()),
      contacts(trackOf<io::ContactFrame>()),
      drivers(trackOf<io::DriverFrame>()),
      joints(trackOf<io::JointFrame>()),
      events(trackOf<io::EventFrame>()) {
  contacts.columns.push_back({"key", "", io::Digits::Short, io::Holds::Whole, 1, {}});
}

void PageData::onHeader(const io::RunHeader& header) {
  header_ = header;
}

std::uint32_t PageData::indexOf(ObjectId id) const {
  const auto place = std::lower_bound(
      header_.bodies.begin(), header_.bodies.end(), id,
      [](const io::BodyRecord& body, ObjectId wanted) { return body.id < wanted; });
  if (place == header_.bodies.end() || place->id != id) return kNoBody;
  return static_cast<std::uint32_t>(place - header_.bodies.begin());
}

std::uint32_t PageData::indexOfJoint(ObjectId id) const {
  const auto place = std::lower_bound(
      header_.joints.begin(), header_.joints.end(), id,
      [](const io::JointRecord& joint, ObjectId wanted) { return joint.id < wanted; });
  if (place == header_.joints.end() || place->id != id) return kNoBody;
  return static_cast<std::uint32_t>(place - header_.joints.begin());
}

std::size_t PageData::numEvents() const {
  return tracks_.events.columns[0].values.size();
}

void PageData::onFrame(const io::Frame& frame) {
  if (frames_ % series_every_ == 0) addPlots(frame);
  last_is_shown_ = frames_ % poses_every_ == 0;
  if (last_is_shown_) addPoses(frame);
  if (tellsContacts(frame)) {
    told_every_ = std::max(told_every_, untold_ + 1);
    untold_ = 0;
  } else {
    ++frames_without_contacts_;
    ++untold_;
  }
  if (tellsContacts(frame) && frames_ % contacts_every_ == 0) addContacts(frame);
  if (frames_ % joints_every_ == 0) addJoints(frame);
  addEvents(frame);
  if (tracks_.series.numFrames() > limits_.series) {
    tracks_.series.keepEverySecondFrame();
    tracks_.drivers.keepEverySecondFrame();
    series_every_ *= 2;
  }
  if (tracks_.joints.numRows() > limits_.joints && tracks_.joints.numFrames() > 2) {
    tracks_.joints.keepEverySecondFrame();
    joints_every_ *= 2;
  }
  if (tracks_.poses.numRows() > limits_.poses && tracks_.poses.numFrames() > 2) {
    tracks_.poses.keepEverySecondFrame();
    poses_every_ *= 2;
    last_is_shown_ = frames_ % poses_every_ == 0;
  }
  if (tracks_.contacts.numRows() > limits_.contacts && tracks_.contacts.numFrames() > 2) {
    tracks_.contacts.keepEverySecondFrame();
    contacts_every_ *= 2;
  }
  last_ = frame;
  ++frames_;
}

void PageData::onEnd() {
  // The last state is what many people look for first: it is shown whatever was thinned.
  if (frames_ > 0 && !last_is_shown_) {
    addPoses(last_);
    if (tracks_.series.time.back() < last_.time) addPlots(last_);
    const std::vector<double>& told = tracks_.contacts.time;
    if (tellsContacts(last_) && (told.empty() || told.back() < last_.time)) addContacts(last_);
    if (tracks_.joints.time.back() < last_.time) addJoints(last_);
    last_is_shown_ = true;
  }
  over_ = true;
}

void PageData::clearFrames() {
  tracks_ = {};
  frames_ = 0;
  frames_without_contacts_ = 0;
  untold_ = 0;
  told_every_ = 1;
}

void PageData::addPlots(const io::Frame& frame) {
  const auto index = [this](ObjectId id) { return indexOf(id); };
  addSeries(header_, frame, index, tracks_.series);
  tracks_.drivers.add(frame.time, frame.drivers, index);
}

void PageData::addPoses(const io::Frame& frame) {
  tracks_.poses.add(frame.time, frame.bodies, [this](ObjectId id) { return indexOf(id); });
  // q and -q are the same turn: the sign that changes least compresses best.
  TrackColumn* turn = tracks_.poses.find("orientation");
  if (turn == nullptr) return;
  std::vector<double>& q = turn->values;
  const std::size_t lag = 4 * frame.bodies.size();
  if (lag == 0 || q.size() < 2 * lag) return;
  for (std::size_t i = q.size() - lag; i < q.size(); i += 4) {
    const std::size_t b = i - lag;
    const double same =
        q[b] * q[i] + q[b + 1] * q[i + 1] + q[b + 2] * q[i + 2] + q[b + 3] * q[i + 3];
    if (same >= 0.0) continue;
    for (std::size_t k = 0; k < 4; ++k) q[i + k] = -q[i + k];
  }
}

void PageData::addContacts(const io::Frame& frame) {
  const auto index = [this](ObjectId id) { return indexOf(id); };
  for (const io::ContactFrame& c : frame.contacts) {
    tracks_.contacts.addRow(c, index);
    const auto [place, isNew] = keys_.try_emplace({indexOf(c.object1), indexOf(c.object2), c.id},
                                                  static_cast<std::uint32_t>(keys_.size()));
    tracks_.contacts.columns.back().values.push_back(place->second);
  }
  tracks_.contacts.endFrame(frame.time);
}

void PageData::addJoints(const io::Frame& frame) {
  tracks_.joints.add(frame.time, frame.joints, [this](ObjectId id) { return indexOfJoint(id); });
}

void PageData::addEvents(const io::Frame& frame) {
  for (const io::EventFrame& e : frame.events) {
    if (numEvents() >= limits_.events) {
      ++tracks_.eventsLeftOut;
      continue;
    }
    tracks_.events.addRow(e, [this](ObjectId id) { return indexOf(id); });
  }
}

}  // namespace abut::tool
