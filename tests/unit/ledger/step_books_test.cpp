// SPDX-License-Identifier: MIT
#include "ledger/step_books.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <abut/shapes/sphere_shape.hpp>

namespace abut {
namespace {

/// A kinematic body, one with a moving surface and six others.
BodyTable someBodies() {
  BodyTable bodies;
  MaterialTable materials;
  for (ObjectId id = 1; id <= 8; ++id) {
    BodyDescription d;
    d.position = {1.0 * static_cast<double>(id), 0.3, 0.7};
    d.linearVelocity = {0.1, 0.2 * static_cast<double>(id), -0.3};
    d.type = id == 1 ? BodyType::Kinematic : BodyType::Dynamic;
    if (id == 2) d.surfaceVelocity = {0.7, 0, 0};
    bodies.add(d, {{std::make_shared<SphereShape>(0.5), Pose{}, 0}}, materials, id, 0).orThrow();
  }
  return bodies;
}

std::vector<Exchange> someExchanges(int count) {
  std::mt19937_64 random(7);
  const auto number = [&random] {
    // Of both signs and of sizes from 1e-6 to 1e6, so that running sums would show their order.
    const double mantissa = static_cast<double>(random() % 2000001) * 1e-6 - 1.0;
    constexpr double kSizes[] = {1e-6, 1e-3, 1.0, 1e3, 1e6};
    return mantissa * kSizes[random() % 5];
  };
  std::vector<Exchange> exchanges(static_cast<std::size_t>(count));
  for (Exchange& e : exchanges) {
    e.body1 = static_cast<std::uint32_t>(random() % 4);
    e.body2 = 4 + static_cast<std::uint32_t>(random() % 4);
    e.impulse = {number(), number(), number()};
    e.moment1 = {number(), number(), number()};
    e.moment2 = {number(), number(), number()};
    e.normalWork = number();
    e.frictionWork = number();
  }
  return exchanges;
}

TEST(StepBooks, OrderOfEntriesChangesNoBit) {
  const BodyTable bodies = someBodies();
  const Phase phase{bodies.velocity, bodies.velocity};
  std::vector<Exchange> exchanges = someExchanges(3000);
  const auto book = [&] {
    StepBooks books;
    books.begin(bodies, 0.0);
    for (const Exchange& e : exchanges) books.exchange(bodies, phase, e);
    std::vector<double> sums = {books.impact.value(), books.friction.value(),
                                books.drivers.value()};
    for (const DriverAccount& d : books.driverAccounts) {
      sums.push_back(d.work.value());
      for (int k = 0; k < 3; ++k) {
        sums.push_back(d.impulse[k].value());
        sums.push_back(d.moment[k].value());
      }
    }
    return sums;
  };
  const std::vector<double> first = book();
  EXPECT_EQ(first.size(), 3u + 2 * 7);
  std::mt19937_64 random(11);
  for (int i = 0; i < 5; ++i) {
    for (std::size_t k = exchanges.size(); k > 1; --k) {
      std::swap(exchanges[k - 1], exchanges[random() % k]);
    }
    EXPECT_EQ(book(), first) << i;
  }
}

TEST(StepBooks, DriversPayByTheirOwnMotionAndTheirSurface) {
  const BodyTable bodies = someBodies();
  const Phase phase{bodies.velocity, bodies.velocity};
  StepBooks books;
  books.begin(bodies, 0.0);
  ASSERT_EQ(books.driverAccounts.size(), 2u);
  Exchange e;
  e.body1 = 0;  // Kinematic, at (0.1, 0.2, -0.3) m/s.
  e.body2 = 1;  // Its surface moves at (0.7, 0, 0) m/s; its own motion is paid for by others.
  e.impulse = {2, 3, 4};
  // On body 1 acts the impulse, so the driver gives its opposite; on body 2 the other way round.
  EXPECT_DOUBLE_EQ(books.exchange(bodies, phase, e), -(0.2 + 0.6 - 1.2) + 1.4);
  EXPECT_DOUBLE_EQ(books.driverAccounts[0].work.value(), 0.4);
  EXPECT_DOUBLE_EQ(books.driverAccounts[1].work.value(), 1.4);
  EXPECT_EQ(books.driverAccounts[0].impulse[2].value(), -4.0);
  EXPECT_EQ(books.driverAccounts[1].impulse[2].value(), 4.0);
}

}  // namespace
}  // namespace abut
