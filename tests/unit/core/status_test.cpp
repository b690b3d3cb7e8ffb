// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <abut/core/status.hpp>

namespace abut {
namespace {

TEST(Status, DefaultIsOkAndDoesNotThrow) {
  const Status status;
  EXPECT_TRUE(status.isOk());
  EXPECT_EQ(status.getCode(), StatusCode::Ok);
  EXPECT_NO_THROW(status.orThrow());
}

TEST(Status, FailureCarriesCodeMessageAndObject) {
  const Status status = Status::failure(StatusCode::OutOfRange, "radius: got -1", 7);
  EXPECT_FALSE(status);
  EXPECT_EQ(status.getObject(), 7u);
  try {
    status.orThrow();
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.getCode(), StatusCode::OutOfRange);
    EXPECT_STREQ(error.what(), "radius: got -1");
  }
}

}  // namespace
}  // namespace abut
