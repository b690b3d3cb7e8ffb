// SPDX-License-Identifier: MIT
#include "core/halo.hpp"

#include "core/check.hpp"

namespace abut::inline v0_1 {

void MessageReader::requireThere(bool isThere) {
  if (!isThere) {
    throw Error(StatusCode::BadData, "a message between ranks is shorter than what it announces");
  }
}

void Halo::swap(std::size_t itemSize) {
  received_.resize(incoming.size());
  out_.clear();
  in_.clear();
  for (std::size_t r = 0; r < outgoing.size(); ++r) {
    received_[r].resize(incoming[r].size() * itemSize);
    const int rank = static_cast<int>(r);
    if (!sent_[r].empty()) out_.push_back({rank, sent_[r]});
    if (!received_[r].empty()) in_.push_back({rank, received_[r]});
  }
  comm.swap(out_, in_);
}

bool Halo::any(bool here) {
  return total(here ? 1 : 0) != 0;
}

double Halo::greatest(double here) {
  comm.greatest({&here, 1});
  return here;
}

std::uint64_t Halo::total(std::uint64_t here) {
  comm.add({&here, 1});
  return here;
}

Status Halo::agree(const Status& here) {
  if (!any(!here)) return {};
  std::vector<std::byte> mine;
  if (!here) {
    put(mine, static_cast<std::int32_t>(here.getCode()));
    put(mine, here.getObject());
    const std::string& text = here.getMessage();
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    mine.insert(mine.end(), from, from + text.size());
  }
  std::vector<std::vector<std::byte>> all;
  comm.gatherAll(mine, all);
  Status first;
  for (const std::vector<std::byte>& bytes : all) {
    if (bytes.empty()) continue;
    MessageReader in(bytes);
    const auto code = static_cast<StatusCode>(in.take<std::int32_t>());
    const auto object = in.take<ObjectId>();
    constexpr std::size_t kHead = sizeof(std::int32_t) + sizeof(ObjectId);
    const std::span<const std::byte> text = in.piece(bytes.size() - kHead);
    if (!first && first.getObject() <= object) continue;
    first = Status::failure(
        code, std::string(reinterpret_cast<const char*>(text.data()), text.size()), object);
  }
  return first;
}

}  // namespace abut::inline v0_1
