// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

class World;

/// How a Recorder goes about it.
struct RecorderOptions {
  std::string name = "world";  ///< Title of the page and of the recording.
  std::uint32_t every = 1;     ///< Steps from frame to frame, >= 1.
  bool contacts = true;        ///< Whether frames hold contacts.
};

/// Writes down what a program's own world does: as a recording, which the tool and readers take,
/// and as a page to look at.
///
///     abut::Recorder recorder(world);           // or (world, "run.abut") for a recording as well
///     for (int i = 0; i < 480; ++i) world.step(1.0 / 240).orThrow();
///     recorder.writeReport("run.html");
///
/// It watches the steps itself: it is the world's observer (World::setObserver()) until it ends,
/// and no bit of the world depends on it. The first step fixes which bodies there are; if one is
/// added or removed after that, the recording ends there, and writeReport() and finish() say so.
///
/// Recorder and world must not be moved while one watches the other; whichever ends first must be
/// the recorder. Errors of the file are kept and thrown by finish() and writeReport().
class Recorder {
public:
  /// Without a path nothing is written until writeReport(). Throws io::InputError if the file
  /// cannot be written, abut::Error for options out of range.
  explicit Recorder(World& world, const std::string& path = "",
                    const RecorderOptions& options = {});
  /// Ends the recording; errors are lost here, so call finish() to see them.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Name of a body on the page in place of World::name(); "body 7" without one. Before the first
  /// step.
  void setName(ObjectId body, const std::string& name);

  /// Frames so far; the first is the state before the first step.
  [[nodiscard]] std::uint64_t numFrames() const;

  /// The page of everything so far, as one HTML file that needs no network. Recording goes on.
  /// Throws abut::Error if it cannot be written, if there was no step yet, or for what ended the
  /// recording early; io::InputError for a path that is empty, a folder, or the recording itself.
  void writeReport(const std::string& path);
  /// The same page as text.
  [[nodiscard]] std::string report();

  /// Ends the recording file and stops watching. Throws what went wrong, if anything did.
  void finish();

private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The page of a recording. Throws io::InputError for a file that is not one and for a page that is
/// to replace it or has no name, abut::Error if the page cannot be written.
void writeReport(const std::string& recording, const std::string& page);

}  // namespace abut::inline v0_1
