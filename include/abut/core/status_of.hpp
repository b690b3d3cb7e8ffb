// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>

#include <abut/core/status.hpp>

namespace abut::inline v0_1 {

/// Calls `work(context)`; what it throws as abut::Error comes back as a Status with the same code
/// and message.
Status statusOf(void (*work)(void*), void* context);

/// The Status form of what has none, for programs that want no exceptions: constructors and calls
/// that give values back.
///
///     std::shared_ptr<const abut::Shape> hull;
///     const abut::Status status = abut::statusOf([&] {
///       hull = std::make_shared<abut::ConvexShape>(points);
///     });
///
/// Nothing but abut::Error is caught, and only inside the library: the caller may be compiled with
/// -fno-exceptions.
template <class Work>
Status statusOf(Work&& work) {
  using Plain = std::remove_reference_t<Work>;
  return statusOf([](void* context) { (*static_cast<Plain*>(context))(); },
                  const_cast<std::remove_const_t<Plain>*>(&work));
}

}  // namespace abut::inline v0_1
