// SPDX-License-Identifier: MIT
#include "io/live/view_answers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "report_template.hpp"

namespace abut::inline v0_1::io {
namespace {

/// The number after "name=" in a query, `otherwise` without one; nothing for what is no number.
std::optional<std::uint64_t> numberIn(const std::string& query, const std::string& name,
                                      std::optional<std::uint64_t> otherwise) {
  std::size_t begin = 0;
  while (begin <= query.size()) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    const std::string part = query.substr(begin, end - begin);
    begin = end + 1;
    if (part.rfind(name + "=", 0) != 0) continue;
    const std::string number = part.substr(name.size() + 1);
    if (number.empty() || number.size() > 18 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    return std::stoull(number);
  }
  return otherwise;
}

}  // namespace

HttpAnswer answerView(LiveRun& live, ViewControl& control, const HttpRequest& request) {
  const auto text = [](std::string s) { return std::make_shared<const std::string>(std::move(s)); };
  if (request.path == "/control") return control.control(request);
  if (request.isPost) return {405, "text/plain", text("only /control takes a POST\n")};
  if (request.path == "/") {
    static const auto page = text(tool::pageTemplate());
    return {200, "text/html; charset=utf-8", page};
  }
  if (request.path == "/header") {
    return {200, "application/octet-stream", text(live.headerBytes())};
  }
  if (request.path == "/state") return control.state();
  if (request.path == "/frames") {
    const auto from = numberIn(request.query, "from", std::nullopt);
    const auto run = numberIn(request.query, "run", 0);
    if (!from || !run)
      return {400, "text/plain", text("ask for /frames?from=N with a whole number N\n")};
    auto bytes = live.framesBytes(*from, *run);
    if (!bytes)
      return {204, "text/plain", text({})};  // That run is gone: /state knows the present.
    return {200, "application/octet-stream", std::move(bytes)};
  }
  return {404, "text/plain", text("there are /, /header, /state, /frames?from=N and /control\n")};
}

}  // namespace abut::inline v0_1::io
