// SPDX-License-Identifier: MIT
// Symptom: the normal of boxes 2e-4 of their size apart was off by 1e-12.
// Cause: it was the direction between the nearest points, whose rounding the short gap magnifies.
// Mechanism: a direction that does not prove the distance gives way to GJK's normal.
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

TEST(ShortBoxGaps, NormalProvesTheDistance) {
  expectRight(Body(Specimen::box({0.095078960913115268, 0.10865065172319469, 0.14034412974182334}),
                   rows({-0.0771842377314651, 0.9863900902730689, -0.14517983075103813},
                        {0.96586022825125162, 0.1100932212696335, 0.2345069340401601},
                        {0.24729863106829608, -0.12212318552004303, -0.96121241909901722}),
                   {-0.47987340975673737, 2.121855148780837, 1.7177007499629382}),
              Body(Specimen::box({1.4299364223412008, 0.34833259965866858, 0.31602908782770789}),
                   rows({0.98632611159329941, 0.077224479862092285, -0.14559251800581036},
                        {0.11020395859463981, -0.9659097528011652, 0.23425079925939038},
                        {-0.12253933694660567, -0.24709255179713865, -0.96121245401163291}),
                   {0.34232119356810159, 2.3271321072652364, 1.1678435924053363}));
  expectRight(Body(Specimen::box({0.10372408524738735, 0.10090163574710215, 0.73408179245316652}),
                   rows({0.78493992686891234, -0.5881873458843585, 0.19469195501751116},
                        {-0.35154115431985455, -0.16405282541918176, 0.92168621954081964},
                        {-0.51018440590289582, -0.79191054836610031, -0.33554367131569007}),
                   {0.52112420687127448, -0.30694760350551747, -2.5242500464683419}),
              Body(Specimen::box({1.5037932131148291, 0.16614469949971894, 0.094905515133426446}),
                   rows({-0.19461316160261977, -0.58834279445698756, 0.78484296107028673},
                        {-0.92173364302939187, -0.16395456381218929, -0.35146264710907854},
                        {0.33545910129075135, -0.79181541865241423, -0.51038763126226316}),
                   {0.25417090265614123, -0.23078396080921887, -2.597183327056316}));
}

}  // namespace
}  // namespace abut::test
