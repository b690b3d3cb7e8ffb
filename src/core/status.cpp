// SPDX-License-Identifier: MIT
#include <utility>

#include <abut/core/status.hpp>

namespace abut {

struct Status::Detail {
  StatusCode code;
  std::string message;
  ObjectId object;
};

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
  }
  return "Unknown";
}

Status Status::failure(StatusCode code, std::string message, ObjectId object) {
  Status status;
  status.detail_ = std::make_shared<const Detail>(Detail{code, std::move(message), object});
  return status;
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
  if (!isOk()) throw Error(*this);
}

Error::Error(const Status& status)
    : std::invalid_argument(status.getMessage()), code_(status.getCode()) {}

Error::Error(StatusCode code, const std::string& message)
    : std::invalid_argument(message), code_(code) {}

}  // namespace abut
