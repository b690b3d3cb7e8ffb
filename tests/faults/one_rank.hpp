// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/communicator.hpp>

namespace abut::test {

/// A rank without others.
class OneRank final : public Communicator {
public:
  [[nodiscard]] int getRank() const override { return 0; }
  [[nodiscard]] int getSize() const override { return 1; }
  void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override { in = out; }
  // Of messages, not of objects. NOLINTNEXTLINE(bugprone-exception-escape)
  void swap(std::span<const Outgoing>, std::span<const Incoming>) override {}
  void gatherAll(std::span<const std::byte> mine, std::vector<Bytes>& all) override {
    all.assign(1, Bytes(mine.begin(), mine.end()));
  }
  void add(std::span<std::uint64_t>) override {}
  void greatest(std::span<double>) override {}
  [[nodiscard]] Traffic getTraffic() const override { return {}; }
};

}  // namespace abut::test
