// SPDX-License-Identifier: MIT
#include "events/contact_publisher.hpp"

#include <algorithm>

#include "core/room.hpp"

namespace abut::inline v0_1 {

void ContactPublisher::begin(const StepInput& in, const ContactManifoldCache& cache,
                             std::span<const Touch> touching, std::vector<WorldContact>& contacts,
                             StepReport& report) {
  in_ = &in;
  cache_ = &cache;
  touching_ = touching;
  contacts_ = &contacts;
  report_ = &report;
  is_mixed_ = false;
}

void ContactPublisher::expect(std::size_t count) {
  // All of them are written.
  fitRoom(count, *contacts_);
  contacts_->resize(count);
  facts_.take(in_->room, count);
}

void ContactPublisher::extend(std::size_t count) {
  contacts_->resize(count);
  facts_.resize(count);
}

void ContactPublisher::note(const Depths& depths) {
  report_->greatestDepth = maxOf(report_->greatestDepth, depths.greatest);
  if (depths.isCrushed) report_->converged = false;
}

void ContactPublisher::putInOrder() {
  if (!is_mixed_) return;
  contact_sorter_.sort(*contacts_, [](const WorldContact& a, const WorldContact& b) {
    return a.object1 != b.object1 ? a.object1 < b.object1 : a.object2 < b.object2;
  });
  facts_in_order_.assign(facts_.begin(), facts_.end());
  facts_sorter_.sort(facts_in_order_,
                     [](const ContactFacts& a, const ContactFacts& b) { return a.pair < b.pair; });
  std::copy(facts_in_order_.begin(), facts_in_order_.end(), facts_.begin());
}

}  // namespace abut::inline v0_1
