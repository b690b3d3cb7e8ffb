// SPDX-License-Identifier: MIT
#include <new>
#include <stdexcept>
#include <utility>

#include <abut/core/owned.hpp>

#include "core/guard.hpp"

namespace abut::inline v0_1 {

struct Status::Detail {
  StatusCode code;
  std::string message;
  ObjectId object;
  static const Detail kOutOfMemory;
};

const Status::Detail Status::Detail::kOutOfMemory{
    StatusCode::OutOfMemory,
    "out of memory; the call changed nothing. Use fewer or simpler bodies, or free memory and call "
    "again",
    kNoObject};

std::string_view toString(StatusCode code) {
  switch (code) {
    case StatusCode::Ok:
      return "Ok";
    case StatusCode::NullObject:
      return "NullObject";
    case StatusCode::UnknownObject:
      return "UnknownObject";
    case StatusCode::DuplicateObject:
      return "DuplicateObject";
    case StatusCode::SelfPair:
      return "SelfPair";
    case StatusCode::NonFinite:
      return "NonFinite";
    case StatusCode::OutOfRange:
      return "OutOfRange";
    case StatusCode::NotARotation:
      return "NotARotation";
    case StatusCode::DegenerateGeometry:
      return "DegenerateGeometry";
    case StatusCode::NotSolid:
      return "NotSolid";
    case StatusCode::UnsupportedPair:
      return "UnsupportedPair";
    case StatusCode::UnboundedOverlap:
      return "UnboundedOverlap";
    case StatusCode::LimitExceeded:
      return "LimitExceeded";
    case StatusCode::BadData:
      return "BadData";
    case StatusCode::Locked:
      return "Locked";
    case StatusCode::NotConverged:
      return "NotConverged";
    case StatusCode::OutOfMemory:
      return "OutOfMemory";
  }
  return "Unknown";
}

Status Status::failure(StatusCode code, std::string message, ObjectId object) {
  Status status;
  status.detail_ = std::make_shared<const Detail>(Detail{code, std::move(message), object});
  return status;
}

Status Status::outOfMemory() noexcept {
  Status status;
  // Shares without a count: what it points to lives as long as the program.
  status.detail_ = {std::shared_ptr<const Detail>(), &Detail::kOutOfMemory};
  return status;
}

Status statusOfException() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return Status::outOfMemory();
  } catch (const std::length_error&) {  // More than any memory holds.
    return Status::outOfMemory();
  } catch (const Error& error) {
    try {
      return Status::failure(error.getCode(), error.what());
    } catch (const std::bad_alloc&) {
      return Status::outOfMemory();
    }
  }
}

Status checkNewId(const char* call, ObjectId id) {
  constexpr ObjectId kLast = static_cast<ObjectId>(-1);
  if (id != kLast) return {};
  return Status::failure(
      StatusCode::LimitExceeded,
      std::string(call) + ": ids go up to " + std::to_string(kLast - 1) +
          ", and all after the greatest given are used up; give one that is free",
      id);
}

void throwMovedFrom() {
  throw Error(StatusCode::NullObject,
              "the object was moved from; assign another to it before it is used again");
}

StatusCode Status::getCode() const noexcept {
  return detail_ ? detail_->code : StatusCode::Ok;
}

const std::string& Status::getMessage() const noexcept {
  static const std::string empty;
  return detail_ ? detail_->message : empty;
}

ObjectId Status::getObject() const noexcept {
  return detail_ ? detail_->object : kNoObject;
}

void Status::orThrow() const {
  if (getCode() == StatusCode::OutOfMemory) throw std::bad_alloc();
  if (!isOk()) throw Error(*this);
}

Error::Error(const Status& status)
    : std::invalid_argument(status.getMessage()), code_(status.getCode()) {}

Error::Error(StatusCode code, const std::string& message)
    : std::invalid_argument(message), code_(code) {}

}  // namespace abut::inline v0_1
