// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <abut/core/object_id.hpp>

namespace abut::inline v0_1 {

/// What a caller can get wrong, and what a query can find it cannot do.
enum class StatusCode {
  Ok,
  NullObject,          ///< A null object or shape was passed.
  UnknownObject,       ///< No object with that id.
  DuplicateObject,     ///< An object with that id exists already.
  SelfPair,            ///< Both sides of a pair are the same object.
  NonFinite,           ///< A NaN or an infinity where a number is needed.
  OutOfRange,          ///< A number outside its permitted range.
  NotARotation,        ///< A matrix that is not a rotation, or a quaternion far from unit length.
  DegenerateGeometry,  ///< Points or triangles that do not form the shape asked for.
  NotSolid,            ///< A surface without volume where a solid is needed.
  UnsupportedPair,     ///< The query is not defined for this pair of shapes.
  UnboundedOverlap,    ///< The overlap has no finite depth (two crossing half-spaces).
  LimitExceeded,       ///< A limit given by the caller was exceeded; the message has the counts.
  BadData,             ///< Bytes that are foreign, truncated or damaged.
  Locked,              ///< No change now: the world makes a step, or is a part of a divided one.
  NotConverged,        ///< An iteration limit was reached; the bound that still holds is reported.
  OutOfMemory,         ///< Memory ran out.
};

/// Stable English name of a code, e.g. "NonFinite".
[[nodiscard]] std::string_view toString(StatusCode code);

/// Outcome of a call: Ok, or what was wrong, with what, and what to do about it.
///
/// A call that returns anything but Ok has changed nothing unless its own comment says otherwise.
/// Every call that returns a Status may return OutOfMemory; those that do not throw std::bad_alloc.
/// Cost of an Ok status: one null pointer, no allocation.
class [[nodiscard]] Status {
public:
  /// Success.
  Status() noexcept = default;

  /// A failure. `message` says where, what, what was expected and what to do; `object` is the
  /// object concerned, if there is one.
  static Status failure(StatusCode code, std::string message, ObjectId object = kNoObject);

  /// OutOfMemory. Takes no memory itself.
  static Status outOfMemory() noexcept;

  [[nodiscard]] bool isOk() const noexcept { return detail_ == nullptr; }
  [[nodiscard]] explicit operator bool() const noexcept { return isOk(); }

  [[nodiscard]] StatusCode getCode() const noexcept;
  /// Empty when Ok.
  [[nodiscard]] const std::string& getMessage() const noexcept;
  /// The object concerned, or kNoObject.
  [[nodiscard]] ObjectId getObject() const noexcept;

  /// Does nothing when Ok, else throws abut::Error with this status.
  void orThrow() const;

private:
  struct Detail;
  std::shared_ptr<const Detail> detail_;
};

/// What constructors, loaders and Status::orThrow() throw.
class Error : public std::invalid_argument {
public:
  explicit Error(const Status& status);
  Error(StatusCode code, const std::string& message);

  [[nodiscard]] StatusCode getCode() const noexcept { return code_; }

private:
  StatusCode code_;
};

}  // namespace abut::inline v0_1
