// SPDX-License-Identifier: MIT
#include <abut/core/status_of.hpp>

namespace abut::inline v0_1 {

Status statusOf(void (*work)(void*), void* context) {
  try {
    work(context);
    return {};
  } catch (const Error& error) {
    return Status::failure(error.getCode(), error.what());
  }
}

}  // namespace abut::inline v0_1
