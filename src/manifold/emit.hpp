// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include <abut/core/slots.hpp>
#include <abut/core/tasks.hpp>
#include <abut/manifold/persistent_contacts.hpp>

namespace abut::inline v0_1 {

/// The contacts of manifolds, sorted by pair, deeper first within one, and the pairs that have any.
class ContactEmitter {
public:
  void run(std::span<const PersistentManifold> manifolds, TaskRunner* tasks,
           Slots<ContactPlace>& contacts, std::vector<ObjectPair>& touching);

private:
  /// Manifolds of whole pairs.
  struct Part {
    std::size_t begin = 0, end = 0;
    std::size_t firstContact = 0, numContacts = 0, firstPair = 0, numPairs = 0;
  };

  std::vector<Part> parts_;
};

}  // namespace abut::inline v0_1
