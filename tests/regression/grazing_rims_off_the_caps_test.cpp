// SPDX-License-Identifier: MIT
// Symptom: contacts within a margin of two parallel discs lay up to 2e-7 of the size off both.
// Cause: seen along the normal, half a degree off the axes, the rims are ellipses that only graze;
// the circles in their place cross, and their crossings were kept.
// Mechanism: a crossing must lie on both rims, or it is none.
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

TEST(GrazingRims, ContactsLieOnBothDiscs) {
  expectRight(Body(Specimen::cylinder(1.3533223554664149, 0.086216702154556554),
                   rows({-0.53554382962815228, -0.56228291689763688, 0.63010374376946676},
                        {0.60855143635322628, -0.77426856201276051, -0.17370475868875163},
                        {0.58554073800175321, 0.29042402662964611, 0.75683282757593484}),
                   {-0.22862558148565992, 2.0904618007808802, -0.43910172881044612}),
              Body(Specimen::cylinder(0.38342279755449693, 0.085441954353823679),
                   rows({-0.53554382962815228, -0.56228291689763688, 0.63010374376946676},
                        {0.60855143635322628, -0.77426856201276051, -0.17370475868875163},
                        {0.58554073800175321, 0.29042402662964611, 0.75683282757593484}),
                   {-0.2903768777054842, 0.45054873316698285, 1.0813378102324964}));
  expectRight(Body(Specimen::cylinder(1.2935304246654222, 0.060804714207467928),
                   rows({0.58971718706402199, 0.8015308713524425, 0.098903496147969616},
                        {-0.2300837748620112, 0.28413208451152483, -0.93076872266765753},
                        {-0.77414152183340779, 0.52613422319796865, 0.35197682218198045}),
                   {0.57492709567313705, -2.5099729901013021, 1.3607391492650445}),
              Body(Specimen::cylinder(0.54889800510238984, 0.076032683317180827),
                   rows({0.8015308713524425, -0.58971718706402199, 0.098903496147969616},
                        {0.28413208451152483, 0.23008377486201123, -0.93076872266765753},
                        {0.52613422319796865, 0.77414152183340779, 0.35197682218198045}),
                   {2.4402548901353329, -2.6883481954027268, 1.7023931762105291}));
}

}  // namespace
}  // namespace abut::test
