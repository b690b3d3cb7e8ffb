// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// What a program calls a body and keeps with it.
struct BodyLabel {
  std::string name;
  std::uint64_t userData = 0;

  [[nodiscard]] bool isEmpty() const { return name.empty() && userData == 0; }
};

/// The labels of bodies that have one, by id and by name. No part of the state: no bit depends on
/// them, but snapshots carry them.
class BodyLabels {
public:
  /// What a body has; empty without a label.
  [[nodiscard]] const BodyLabel& get(ObjectId id) const;
  /// An empty label takes no room. All or nothing, should memory run out.
  void set(ObjectId id, BodyLabel label);
  void remove(ObjectId id);
  /// Takes labels over of bodies that have none yet. Cannot fail.
  void take(BodyLabels& other);
  /// The smallest id of this name; kNoObject without one or for "".
  [[nodiscard]] ObjectId find(std::string_view name) const;

  [[nodiscard]] const std::map<ObjectId, BodyLabel>& getAll() const { return labels_; }

private:
  std::map<ObjectId, BodyLabel> labels_;
  std::set<std::pair<std::string, ObjectId>> by_name_;
};

}  // namespace abut::inline v0_1
