// SPDX-License-Identifier: MIT
// Symptom: within a margin, nearly parallel capsules had contacts that lay up to 2e-7 of the size
// off the second one, and so too deep.
// Cause: the ends of the line of contact were set in from the caps by the sine of the axes times
// the radii; across a gap the contact lies farther beside the end of the axis than that. Mechanism:
// the inset grows with the gap, and the foot on axis 2 is kept within its segment.
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

TEST(LineOfCapsules, EndsLieOnBothSidesAcrossAGap) {
  expectRight(Body(Specimen::capsule(0.21843169269999582, 0.68840908389786426),
                   rows({-0.60290931694096384, 0.5245337704172458, -0.60113615698745748},
                        {-0.23704916972043302, 0.60167648200766999, 0.76275363134745378},
                        {0.76177952629394963, 0.60237009777274142, -0.23841606201895016}),
                   {1.7468788466140301, -0.43814802712998369, -0.2815493564266906}),
              Body(Specimen::capsule(0.12417519682243848, 0.06709589638889793),
                   rows({-0.60346540306513385, 0.52454825777090708, -0.6005652608775689},
                        {-0.23658244143199483, 0.60146876288490225, 0.76306230130952091},
                        {0.76148424521424796, 0.60256489488121634, -0.23886668195308444}),
                   {1.0229561815830142, -0.52784056943098445, 0.35177616865686817}));
  expectRight(Body(Specimen::capsule(0.68048218907206293, 0.55906087595002185),
                   rows({-0.3328214507808096, 0.85133834721281798, 0.40552792809510074},
                        {-0.010802231333217061, -0.43345864285682079, 0.90110871526744618},
                        {0.9429279896674938, 0.29552770343517909, 0.15346068813851899}),
                   {-0.16732290564929791, 1.5781284389521684, 0.18101916372619442}),
              Body(Specimen::capsule(0.06420100957997113, 0.055938702277042243),
                   rows({-0.33284664002936726, 0.85140667244450075, 0.40536377778255428},
                        {-0.010630569961710789, -0.43323541555995204, 0.90121810106482292},
                        {0.94292104929492926, 0.2956581688734119, 0.15325189060814487}),
                   {-0.77754970701264581, 2.1194906426348776, -0.65843509792257571}));
  expectRight(Body(Specimen::capsule(0.11369506566458537, 0.1307030624337549),
                   rows({0.71367370548518505, -0.69666762393705484, -0.072966182968164636},
                        {0.64607843871132808, 0.6949160622174575, -0.31571239681791946},
                        {0.270651977881888, 0.17817375853385681, 0.94604525189788935}),
                   {1.1977914192029493, -0.54291150673465272, -0.12065651931829674}),
              Body(Specimen::capsule(0.067298195419412496, 0.066027232882595724),
                   rows({0.71366297928070543, -0.69668779135546333, -0.072878483658991522},
                        {0.64611061512303281, 0.69488051408642071, -0.31572479181769675},
                        {0.2706034460784334, 0.17823353365525299, 0.94604787534840873}),
                   {1.0036567692427274, -0.5590758325237557, -0.1441279223240774}));
}

TEST(LineOfCapsules, EndsLieOnBothSidesAtAnyTiltAndGap) {
  constexpr std::uint64_t kSeed = 5;
  Generator random(kSeed);
  for (int i = 0; i < 2000; ++i) {
    Body a(randomSpecimen(random, Specimen::Kind::Capsule, 0.05, 2.0));
    Body b(randomSpecimen(random, Specimen::Kind::Capsule, 0.05, 2.0));
    a.rotation = random.rotation();
    const double tilt = random.logRange(1e-12, 0.02);
    const Vector about = random.direction();
    b.rotation = Eigen::AngleAxisd(tilt, about).toRotationMatrix() * a.rotation;
    a.position = random.direction();
    const double size = a.specimen.extent() + b.specimen.extent();
    const double gap = random.below(2) == 0 ? random.range(-0.05, 1.0) : random.range(-1e-6, 1e-6);
    // Sideways, so that the sides face each other, with some shift along the axes.
    const Vector side = a.rotation * Vector(1.0, 0.0, random.range(-1.5, 1.5));
    if (!placeAtGap(a, b, side.normalized(), gap * size)) continue;
    JudgeOptions options;
    options.prove = false;
    ASSERT_EQ(judge(a, b, options).message, "") << "seed " << kSeed << " pair " << i << "\n"
                                                << describe(a, b);
  }
}

}  // namespace
}  // namespace abut::test
