// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report_data.hpp"

namespace abut::tool {

/// Collects a run and writes it as one HTML file that needs no network.
///
///   ReportSink report("run.html");   // throws abut::Error if the tool was built without its page
///   ... the run calls onHeader(), onFrame() and onEnd(), which writes the file ...
class ReportSink : public PageData {
public:
  explicit ReportSink(std::string path, const PageLimits& limits = {});

  void onEnd() override;

private:
  /// A half page never stands there. Throws io::InputError naming the file.
  void write() const;

  std::string path_;
};

/// The page with the containers in it. Names inside cannot end the script elements: the data is
/// base64 of compressed bytes.
[[nodiscard]] std::string embedInPage(const std::string& page, const PageData& data);

}  // namespace abut::tool
