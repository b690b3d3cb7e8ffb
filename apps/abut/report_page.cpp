// SPDX-License-Identifier: MIT
#include "report_page.hpp"

#include <cstdint>
#include <zlib.h>

#include <fmt/format.h>

#include "io/core/output.hpp"
#include "report_template.hpp"

namespace abut::tool {
namespace {

constexpr std::string_view kDataMark = "<!--DATA-->";

std::string compress(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 6);
  if (status != Z_OK) {
    throw Error(StatusCode::LimitExceeded,
                fmt::format("report: zlib cannot compress {} bytes (code {}); record fewer frames "
                            "(\"record\": {{\"every\": N}})",
                            bytes.size(), status));
  }
  out.resize(size);
  return out;
}

std::string base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(bytes.size() / 3 * 4 + 4);
  const auto at = [&bytes](std::size_t i) {
    return i < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) : 0u;
  };
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t three = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    out += kDigits[three >> 18];
    out += kDigits[three >> 12 & 63];
    out += i + 1 < bytes.size() ? kDigits[three >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kDigits[three & 63] : '=';
  }
  return out;
}

std::string element(const std::string& container) {
  return "<script type=\"application/x-abut\">" + base64(compress(container)) + "</script>\n";
}

}  // namespace

std::string embedInPage(const std::string& page, const PageData& data) {
  const std::size_t mark = page.find(kDataMark);
  if (mark == std::string::npos)
    throw Error(StatusCode::DegenerateGeometry,
                "report: the page's template has no place for data");
  std::string out = page.substr(0, mark);
  out += element(data.headerBytes());
  out += element(data.framesBytes());
  out += page.substr(mark + kDataMark.size());
  return out;
}

ReportSink::ReportSink(std::string path, const PageLimits& limits)
    : PageData(limits), path_(std::move(path)) {
  if (const std::string reason = pageMissingBecause(); !reason.empty()) {
    throw Error(StatusCode::UnknownObject, fmt::format("report {}: {}", path_, reason));
  }
}

void ReportSink::onEnd() {
  PageData::onEnd();
  write();
}

void ReportSink::write() const {
  io::writeFileAtomically(path_, embedInPage(pageTemplate(), *this));
}

}  // namespace abut::tool
