// SPDX-License-Identifier: MIT
#include "options.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "io/core/text.hpp"

namespace abut::tool {

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  return CLI::Validator(
      [=](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const char* end = text.data() + text.size();
        const auto [place, error] = std::from_chars(text.data(), end, value);
        if (error == std::errc() && place == end && value >= least && value <= most) return "";
        return fmt::format("expected a whole number from {} to {}, got {}", least, most,
                           io::quoted(text));
      },
      "");
}

std::string unknownArguments(const CLI::App& app) {
  const CLI::App* verb = nullptr;
  for (const CLI::App* sub : app.get_subcommands()) verb = sub;
  if (verb == nullptr) return "";
  std::vector<std::string> names = {"--help"};
  for (const CLI::Option* option : verb->get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string text;
  for (const std::string& word : app.remaining(true)) {
    const bool option = word.size() > 1 && word[0] == '-';
    const std::string_view best = option ? io::nearest(word.substr(0, word.find('=')), views) : "";
    text +=
        fmt::format("{}{} {}{}", text.empty() ? "" : "; ", option ? "unknown option" : "unexpected",
                    io::quoted(word), best.empty() ? "" : fmt::format(", did you mean {}?", best));
  }
  return fmt::format("abut {}: {} (abut {} --help lists the options)", verb->get_name(), text,
                     verb->get_name());
}

}  // namespace abut::tool
