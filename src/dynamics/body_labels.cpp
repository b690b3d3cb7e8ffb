// SPDX-License-Identifier: MIT
#include "dynamics/body_labels.hpp"

namespace abut::inline v0_1 {

const BodyLabel& BodyLabels::get(ObjectId id) const {
  static const BodyLabel none;
  const auto at = labels_.find(id);
  return at == labels_.end() ? none : at->second;
}

void BodyLabels::set(ObjectId id, BodyLabel label) {
  if (label.isEmpty()) return remove(id);
  // What may run out of memory comes first, in containers whose nodes move for nothing.
  BodyLabels one;
  if (!label.name.empty()) one.by_name_.emplace(label.name, id);
  one.labels_.emplace(id, std::move(label));
  remove(id);
  take(one);
}

void BodyLabels::take(BodyLabels& other) {
  labels_.merge(other.labels_);
  by_name_.merge(other.by_name_);
}

void BodyLabels::remove(ObjectId id) {
  const auto at = labels_.find(id);
  if (at == labels_.end()) return;
  std::pair<std::string, ObjectId> key(std::move(at->second.name), id);
  by_name_.erase(key);
  labels_.erase(at);
}

ObjectId BodyLabels::find(std::string_view name) const {
  if (name.empty()) return kNoObject;
  const auto at = by_name_.lower_bound({std::string(name), kNoObject});
  return at != by_name_.end() && at->first == name ? at->second : kNoObject;
}

}  // namespace abut::inline v0_1
