// SPDX-License-Identifier: MIT
#include "io/live/live_run.hpp"

#include <algorithm>
#include <vector>

namespace abut::inline v0_1::io {
namespace {

/// Bodies and contacts kept, about 400 MB; older frames are dropped.
constexpr std::size_t kMostRecords = 2'000'000;
/// Bodies and contacts in one answer.
constexpr std::size_t kAnswerRecords = 60'000;

std::size_t recordsOf(const Frame& frame) {
  return frame.bodies.size() + frame.contacts.size();
}

}  // namespace

void LiveRun::onHeader(const RunHeader& header) {
  auto copy = std::make_shared<const RunHeader>(header);
  const std::scoped_lock lock(mutex_);
  ++run_;
  header_ = std::move(copy);
  frames_.clear();
  first_ = 0;
  records_ = 0;
  over_ = false;
}

void LiveRun::onFrame(const Frame& frame) {
  auto copy = std::make_shared<const Frame>(frame);
  const std::scoped_lock lock(mutex_);
  const std::size_t records = recordsOf(*copy);
  frames_.push_back(std::move(copy));
  records_ += records;
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

void LiveRun::goOn() {
  const std::scoped_lock lock(mutex_);
  over_ = false;
}

void LiveRun::prepare(std::uint64_t run, const std::shared_ptr<const RunHeader>& header) {
  if (data_run_ == run) return;
  data_ = tool::PageData();
  data_.onHeader(*header);
  data_run_ = run;
}

std::string LiveRun::headerBytes() {
  std::uint64_t run = 0;
  std::shared_ptr<const RunHeader> header;
  {
    const std::scoped_lock lock(mutex_);
    run = run_;
    header = header_;
  }
  prepare(run, header);
  return data_.headerBytes();
}

std::shared_ptr<const std::string> LiveRun::framesBytes(std::uint64_t from, std::uint64_t run) {
  std::vector<std::shared_ptr<const Frame>> some;
  std::uint64_t begin = 0, of = 0;
  std::shared_ptr<const RunHeader> header;
  bool last = false;
  {
    const std::scoped_lock lock(mutex_);
    if (run != 0 && run != run_) return nullptr;
    of = run_;
    header = header_;
    begin = std::clamp(from, first_, first_ + frames_.size());
    std::size_t records = 0, i = static_cast<std::size_t>(begin - first_);
    for (; i < frames_.size() && records < kAnswerRecords; ++i) {
      some.push_back(frames_[i]);
      records += recordsOf(*frames_[i]);
    }
    last = over_ && i >= frames_.size();
  }
  const std::uint64_t end = begin + some.size();
  if (answer_ && answer_run_ == of && answer_begin_ == begin && answer_end_ == end &&
      answer_is_last_ == last)
    return answer_;
  prepare(of, header);
  data_.clearFrames();
  for (const auto& frame : some) data_.onFrame(*frame);
  answer_ = std::make_shared<const std::string>(data_.chunkBytes(begin, last));
  answer_run_ = of;
  answer_begin_ = begin;
  answer_end_ = end;
  answer_is_last_ = last;
  return answer_;
}

}  // namespace abut::inline v0_1::io
