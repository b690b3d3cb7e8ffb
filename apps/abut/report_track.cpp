// SPDX-License-Identifier: MIT
#include "report_track.hpp"

namespace abut::tool {

template <typename Record>
Track trackOf() {
  Track track;
  for (const io::Column& c : io::columnsOf<Record>())
    if (c.holds != io::Holds::Label)
      track.columns.push_back({c.name, c.unit, c.digits, c.holds, c.width, {}});
  return track;
}

template <typename Record>
void Track::addRow(const Record& record, const BodyIndex& indexOf) {
  row_.resize(io::rowWidth<Record>());
  io::toRow(record, row_.data());
  std::size_t at = 0;
  for (const io::Column& c : io::columnsOf<Record>()) {
    if (c.holds == io::Holds::Label) continue;
    TrackColumn& column = columns[at++];
    for (std::size_t k = 0; k < c.width; ++k) {
      const std::uint64_t word = row_[c.first + k];
      const bool isIndex = c.holds == io::Holds::Body || c.holds == io::Holds::Joint;
      column.values.push_back(isIndex ? static_cast<double>(indexOf(word))
                                      : io::numberOf(c.holds, word));
    }
  }
}

template <typename Record>
void Track::add(double when, const std::vector<Record>& records, const BodyIndex& indexOf) {
  for (const Record& record : records) addRow(record, indexOf);
  endFrame(when);
}

void Track::endFrame(double when) {
  time.push_back(when);
  const std::size_t rows = columns.empty() ? 0 : columns[0].values.size() / columns[0].width;
  start.push_back(static_cast<std::uint32_t>(rows));
}

TrackColumn* Track::find(std::string_view name) {
  for (TrackColumn& column : columns)
    if (column.name == name) return &column;
  return nullptr;
}

void Track::keepEverySecondFrame() {
  Track kept;
  for (const TrackColumn& c : columns)
    kept.columns.push_back({c.name, c.unit, c.digits, c.holds, c.width, {}});
  for (std::size_t f = 0; f < time.size(); f += 2) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::vector<double>& from = columns[i].values;
      const auto begin = static_cast<std::ptrdiff_t>(start[f] * columns[i].width);
      const auto end = static_cast<std::ptrdiff_t>(start[f + 1] * columns[i].width);
      std::vector<double>& to = kept.columns[i].values;
      to.insert(to.end(), from.begin() + begin, from.begin() + end);
    }
    kept.endFrame(time[f]);
  }
  *this = std::move(kept);
}

template Track trackOf<io::BodyFrame>();
template Track trackOf<io::ContactFrame>();
template Track trackOf<io::EventFrame>();
template Track trackOf<io::DriverFrame>();
template Track trackOf<io::JointFrame>();
template void Track::addRow(const io::BodyFrame&, const BodyIndex&);
template void Track::addRow(const io::ContactFrame&, const BodyIndex&);
template void Track::addRow(const io::EventFrame&, const BodyIndex&);
template void Track::add(double, const std::vector<io::BodyFrame>&, const BodyIndex&);
template void Track::add(double, const std::vector<io::DriverFrame>&, const BodyIndex&);
template void Track::add(double, const std::vector<io::JointFrame>&, const BodyIndex&);

}  // namespace abut::tool
