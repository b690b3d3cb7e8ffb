// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "state/step_shown.hpp"

namespace abut::inline v0_1 {

/// What several steps one after the other show, as one: contacts, events, accounts and reports of
/// parts are gathered, forces are means.
class ShownSums {
public:
  /// Adds a part, which is used up.
  void add(StepShown& part, bool isFirst);
  /// What the parts so far show together; a part of a world that is divided may change it.
  [[nodiscard]] StepShown& getSum() { return sum_; }
  [[nodiscard]] const StepShown& getSum() const { return sum_; }
  /// What `count` parts of equal length show together.
  StepShown& finish(int count);

private:
  void addContacts(const std::vector<WorldContact>& now);
  void addEvents(const std::vector<ContactEvent>& now);
  void addReport(const StepReport& report);

  StepShown sum_;
  std::uint32_t parts_ = 0;
  std::vector<WorldContact> scratch_contacts_;
  std::vector<ContactEvent> scratch_events_;
};

}  // namespace abut::inline v0_1
