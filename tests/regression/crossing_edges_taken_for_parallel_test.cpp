// SPDX-License-Identifier: MIT
// Symptom: a contact of two cones side by side lay 2e-10 of the size off the second one.
// Cause: edges up to 1e-9 of the size apart counted as lying on each other.
// Mechanism: sharp edges are on each other within rounding only; farther apart they cross.
#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace abut::test {
namespace {

Matrix rows(const Vector& x, const Vector& y, const Vector& z) {
  Matrix m;
  m << x.transpose(), y.transpose(), z.transpose();
  return m;
}

void expectRight(const Body& body1, const Body& body2) {
  EXPECT_EQ(judge(body1, body2).message, "") << describe(body1, body2);
}

TEST(CrossingEdges, ContactsLieOnBothCones) {
  expectRight(Body(Specimen::cone(0.15907146574396877, 1.3334816304074484),
                   rows({0.66272315627960643, 0.68644250991542233, -0.299323735630524},
                        {0.5643363634703944, -0.72053490161157163, -0.40293166222650478},
                        {-0.4922626199457027, 0.098112874489633906, -0.86489963398279612}),
                   {2.3877607572167996, 0.13230257302442316, 1.443917389987651}),
              Body(Specimen::cone(0.091904295588680601, 0.86824991455127076),
                   rows({-0.66272315711462415, 0.68644250896505743, 0.29932373596122064},
                        {-0.56433636271236365, -0.72053490251577812, 0.4029316616712541},
                        {0.49226261969055191, 0.098112874498383934, 0.86489963412702398}),
                   {1.2805116582212968, 0.40275994476506444, 1.219372466703359}));
}

}  // namespace
}  // namespace abut::test
