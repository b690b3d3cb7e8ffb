// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "io/recording/frame.hpp"
#include "report_track.hpp"

namespace abut::tool {

/// How much of a run a page holds. What exceeds a limit is thinned to every second, fourth, ...
/// frame, and the page says so.
struct PageLimits {
  std::size_t series = 20'000;        ///< Frames of the plots.
  std::size_t poses = 1'200'000;      ///< Bodies times frames.
  std::size_t contacts = 400'000;     ///< Contacts summed over frames.
  std::size_t joints = 400'000;       ///< Axes of joints, the same.
  std::size_t events = 200'000;       ///< Later ones are left out, and the page says how many.
  std::size_t exactRecords = 60'000;  ///< Up to so many poses and contacts all digits are kept.
};

/// Numbers contacts 0, 1, 2, ... in the order they are met; a number stays with its contact.
using ContactKeys =
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::uint32_t>;

/// Collects a run for the page.
class PageData : public io::FrameSink {
public:
  explicit PageData(const PageLimits& limits = {}) : limits_(limits) {}

  void onHeader(const io::RunHeader& header) override;
  void onFrame(const io::Frame& frame) override;
  void onEnd() override;

  /// Container with the bodies and what else stays the same.
  [[nodiscard]] std::string headerBytes() const;
  /// Container with all frames.
  [[nodiscard]] std::string framesBytes() const;
  /// The same for a reader on this machine: all digits, plainly. `first` is the number of the first
  /// frame, `last` says that none will follow.
  [[nodiscard]] std::string chunkBytes(std::uint64_t first, bool last) const;

  /// Forgets the frames, but not the header and the numbers of contacts.
  void clearFrames();
  [[nodiscard]] std::size_t numFrames() const { return frames_; }
  [[nodiscard]] const io::RunHeader& getHeader() const { return header_; }

private:
  [[nodiscard]] std::uint32_t indexOf(ObjectId id) const;
  [[nodiscard]] std::uint32_t indexOfJoint(ObjectId id) const;
  void addPlots(const io::Frame& frame);
  void addPoses(const io::Frame& frame);
  void addContacts(const io::Frame& frame);
  void addJoints(const io::Frame& frame);
  void addEvents(const io::Frame& frame);
  [[nodiscard]] std::size_t numEvents() const;
  [[nodiscard]] bool isExact() const;
  [[nodiscard]] std::string precisionNote(bool exact) const;
  [[nodiscard]] std::string thinningNote() const;
  void writeAll(class PageContainer& out, bool exact, bool plain) const;
  void writePoses(class PageContainer& out, bool exact, bool plain) const;
  void writeContacts(class PageContainer& out, bool exact) const;

  PageLimits limits_;
  io::RunHeader header_;
  struct Tracks {
    Tracks();
    Track series, poses, contacts, drivers, joints;
    Track events;  // Rows without frames.
    std::size_t eventsLeftOut = 0;
  };
  Tracks tracks_;
  ContactKeys keys_;
  std::size_t frames_ = 0;
  std::size_t series_every_ = 1, poses_every_ = 1, contacts_every_ = 1, joints_every_ = 1;
  std::size_t frames_without_contacts_ = 0;
  std::size_t untold_ = 0,
              told_every_ = 1;  // Frames since contacts were told; the most there were.
  io::Frame last_;
  bool last_is_shown_ = false;
  bool over_ = false;
};

}  // namespace abut::tool
