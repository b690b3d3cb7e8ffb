// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstring>

#include <abut/state/snapshot_source.hpp>

namespace abut::test {

/// A snapshot in memory that comes in pieces of odd lengths.
class SpanSource final : public SnapshotSource {
public:
  explicit SpanSource(std::span<const std::byte> bytes) : all_(bytes), left_(bytes) {}

  void begin() override { left_ = all_; }
  [[nodiscard]] std::size_t read(std::span<std::byte> bytes) override {
    constexpr std::size_t kMost = 1013;
    const std::size_t count = std::min({bytes.size(), left_.size(), kMost});
    if (count > 0) std::memcpy(bytes.data(), left_.data(), count);
    left_ = left_.subspan(count);
    return count;
  }

private:
  std::span<const std::byte> all_, left_;
};

}  // namespace abut::test
