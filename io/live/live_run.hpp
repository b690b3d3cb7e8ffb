// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "report_data.hpp"

namespace abut::inline v0_1::io {

/// Frames of a run that goes on, handed out to pages that ask for them. One thread feeds it,
/// another one asks.
class LiveRun : public FrameSink {
public:
  /// The run begins, or begins again, with the same bodies or others: earlier frames are forgotten.
  void onHeader(const RunHeader& header) override;
  void onFrame(const Frame& frame) override;
  void onEnd() override;
  /// Frames follow after all.
  void goOn();

  /// Container with the bodies. Call after onHeader().
  [[nodiscard]] std::string headerBytes();
  /// Container with the frames from number `from` on, as many as fit in one answer. Frames that
  /// were dropped to save memory are passed over; "first" in its head says where it begins.
  /// Whoever asks for the same gets the same bytes, made once. `run` is the number of the run,
  /// from 1 on, that the frames are wanted of, 0 for whichever it is now; null if that one is gone.
  [[nodiscard]] std::shared_ptr<const std::string> framesBytes(std::uint64_t from,
                                                               std::uint64_t run = 0);

private:
  void prepare(std::uint64_t run, const std::shared_ptr<const RunHeader>& header);

  std::mutex mutex_;
  std::deque<std::shared_ptr<const Frame>> frames_;
  std::uint64_t first_ = 0;  // Number of frames_.front().
  std::uint64_t run_ = 0;    // How often it began.
  std::size_t records_ = 0;  // Bodies and contacts in frames_.
  bool over_ = false;
  std::shared_ptr<const RunHeader> header_;
  // Of the asking thread alone: keeps the numbers of contacts of a run.
  tool::PageData data_;
  std::uint64_t data_run_ = 0;
  std::shared_ptr<const std::string> answer_;  // The last one, for frames [begin, end).
  std::uint64_t answer_run_ = 0, answer_begin_ = 0, answer_end_ = 0;
  bool answer_is_last_ = false;
};

}  // namespace abut::inline v0_1::io
