// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace abut::inline v0_1 {

/// A list that lives for one query and grows without a bound, on memory that the thread keeps for
/// its next query: nothing is allocated once the longest list has been seen. Lists of one type nest
/// like a stack: only the innermost may grow. Contents never survive, so results cannot depend on
/// earlier queries.
template <typename T>
class ScratchList {
public:
  ScratchList() : first_(storage().size()) {}
  ~ScratchList() { storage().resize(first_); }
  ScratchList(const ScratchList&) = delete;
  ScratchList& operator=(const ScratchList&) = delete;

  void push(const T& item) { storage().push_back(item); }
  void resize(std::size_t count) { storage().resize(first_ + count); }
  [[nodiscard]] std::size_t size() const { return storage().size() - first_; }
  /// The items; valid until a list of this type grows.
  [[nodiscard]] std::span<T> items() { return {storage().data() + first_, size()}; }

private:
  static std::vector<T>& storage() {
    thread_local std::vector<T> items;
    return items;
  }

  std::size_t first_;
};

}  // namespace abut::inline v0_1
