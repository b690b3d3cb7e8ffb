// SPDX-License-Identifier: MIT
#include <utility>

#include <abut/core/tasks.hpp>

namespace abut::inline v0_1 {

void SerialTasks::run(std::size_t count, Task task, void* context) {
  for (std::size_t i = 0; i < count; ++i) task(context, i);
}

void ShuffledTasks::run(std::size_t count, Task task, void* context) {
  order_.resize(count);
  for (std::size_t i = 0; i < count; ++i) order_[i] = i;
  for (std::size_t i = count; i > 1; --i) {
    // A linear congruential generator; its high bits are the good ones.
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    std::swap(order_[i - 1], order_[(state_ >> 33u) % i]);
  }
  for (std::size_t i = 0; i < count; ++i) task(context, order_[i]);
}

}  // namespace abut::inline v0_1
