// SPDX-License-Identifier: MIT
#include "view_live.hpp"

#include <algorithm>
#include <vector>

namespace abut::tool {
namespace {

/// Bodies and contacts kept, about 400 MB; older frames are dropped.
constexpr std::size_t kMostRecords = 2'000'000;
/// Bodies and contacts in one answer.
constexpr std::size_t kAnswerRecords = 60'000;

std::size_t recordsOf(const io::Frame& frame) {
  return frame.bodies.size() + frame.contacts.size();
}

}  // namespace

void LiveRun::onHeader(const io::RunHeader& header) {
  const std::scoped_lock lock(mutex_);
  data_.onHeader(header);
}

void LiveRun::onFrame(const io::Frame& frame) {
  auto copy = std::make_shared<const io::Frame>(frame);
  const std::scoped_lock lock(mutex_);
  records_ += recordsOf(*copy);
  frames_.push_back(std::move(copy));
  while (records_ > kMostRecords && frames_.size() > 1) {
    records_ -= recordsOf(*frames_.front());
    frames_.pop_front();
    ++first_;
  }
}

void LiveRun::onEnd() {
  const std::scoped_lock lock(mutex_);
  over_ = true;
}

std::string LiveRun::headerBytes() {
  const std::scoped_lock lock(mutex_);
  return data_.headerBytes();
}

std::shared_ptr<const std::string> LiveRun::framesBytes(std::uint64_t from) {
  std::vector<std::shared_ptr<const io::Frame>> some;
  std::uint64_t begin = 0;
  bool last = false;
  {
    const std::scoped_lock lock(mutex_);
    begin = std::max(from, first_);
    std::size_t records = 0, i = static_cast<std::size_t>(begin - first_);
    for (; i < frames_.size() && records < kAnswerRecords; ++i) {
      some.push_back(frames_[i]);
      records += recordsOf(*frames_[i]);
    }
    last = over_ && i >= frames_.size();
  }
  const std::uint64_t end = begin + some.size();
  if (answer_ && answer_begin_ == begin && answer_end_ == end && answer_is_last_ == last)
    return answer_;
  data_.clearFrames();
  for (const auto& frame : some) data_.onFrame(*frame);
  answer_ = std::make_shared<const std::string>(data_.chunkBytes(begin, last));
  answer_begin_ = begin;
  answer_end_ = end;
  answer_is_last_ = last;
  return answer_;
}

}  // namespace abut::tool
