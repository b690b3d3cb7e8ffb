// SPDX-License-Identifier: MIT
// Pairs that made other libraries throw, hang or answer wrongly, by their public reports. Each is
// judged by certificate and branch and bound; where the report implies the answer it is asserted.
#include <cmath>

#include <gtest/gtest.h>

#include "support/judge.hpp"

namespace abut::test {
namespace {

Matrix rows(double a, double b, double c, double d, double e, double f, double g, double h,
            double i) {
  Matrix m;
  m << a, b, c, d, e, f, g, h, i;
  return m;
}

/// Box with whole sides, as the reports give them.
Body box(double x, double y, double z, const Matrix& rotation, const Vector& position) {
  return Body(Specimen::box({0.5 * x, 0.5 * y, 0.5 * z}), rotation, position);
}

Body asHull(const Body& body) {
  return Body(Specimen::hull(body.specimen.corners()), body.rotation, body.position);
}

/// Judges two boxes as boxes, as hulls and mixed.
void expectSound(const Body& a, const Body& b) {
  EXPECT_EQ(judge(a, b).message, "");
  EXPECT_EQ(judge(asHull(a), b).message, "");
  EXPECT_EQ(judge(a, asHull(b)).message, "");
  EXPECT_EQ(judge(asHull(a), asHull(b)).message, "");
}

double signedDistance(const Body& a, const Body& b) {
  DistanceResult result;
  distance(a.placed(1), b.placed(2), result).orThrow();
  return result.distance;
}

// EPA met a triangle without area: a thin plate and a small tilted box.
TEST(KnownKillers, Fcl395ThinPlateAndTiltedBox) {
  const Body plate = box(0.46, 0.48, 0.01, Matrix::Identity(), {-0.721, -0.772, 0.81});
  const Body small =
      box(0.049521, 0.146, 0.0725,
          rows(0.10758262492983036718, -0.6624881850015212903, -0.74130653817877356637,
               0.22682184885125472595, -0.709614040775253474, 0.6670830248314786326,
               -0.96797615037608542021, -0.23991106241273435495, 0.07392465377049164954),
          {-0.42677133002999478872, -0.76596851247746788882, 0.80746731400091054098});
  expectSound(plate, small);
}

// "This should not happen": a vertical box and a cylinder beside it, turned by -15 degrees.
TEST(KnownKillers, Fcl319CylinderAndBox) {
  const Matrix quarter = Eigen::Quaterniond(0.707107, 0.0, 0.0, 0.707107).normalized().matrix();
  const Matrix tilted = Eigen::Quaterniond(0.991445, 0.0, 0.0, -0.130526).normalized().matrix();
  const Body plank = box(0.05, 0.39, 1.47, quarter, {0.8, -0.385, 0.735});
  const Body can(Specimen::cylinder(0.18, 0.18), tilted, {0.4, -0.4, 0.93});
  EXPECT_EQ(judge(plank, can).message, "");
  // The box reaches from x = 0.605 to 0.995, the cylinder to x = 0.58, both across y = -0.4.
  EXPECT_NEAR(signedDistance(plank, can), 0.025, 1e-6);
  // The same pair with the box's corner edge in the cylinder's side.
  const Matrix eighth = Eigen::AngleAxisd(M_PI / 4, Vector::UnitZ()).toRotationMatrix();
  for (const double x : {0.55, 0.57, 0.58, 0.6, 0.7}) {
    const Body edge = box(0.05, 0.39, 1.47, eighth, {x, -0.4, 0.735});
    EXPECT_EQ(judge(edge, can).message, "") << x;
  }
}

// Two equal boxes with one rotation, a face's width apart: GJK says touching, EPA says apart.
TEST(KnownKillers, Fcl493EqualBoxesKissing) {
  const Matrix r = rows(0.96193976625564348026, 0.15401279915737359216, 0.22572537250328919556,
                        -0.19134171618254486313, 0.96936494951283913579, 0.15401279915737359216,
                        -0.19509032201612822033, -0.19134171618254486313, 0.96193976625564348026);
  const Body a =
      box(0.5, 0.5, 0.5, r, {2.0770063995786869349, 0.48468247475641951239, 1.1543291419087275962});
  const Body b = box(0.5, 0.5, 0.5, r, {2.0, 0.0, 1.25});
  expectSound(a, b);
  EXPECT_NEAR(signedDistance(a, b), 0.0, 1e-15);
  CollisionResult result;
  ASSERT_TRUE(collide(a.placed(1), b.placed(2), CollisionOption::fullContacts(), result));
  EXPECT_EQ(result.numContacts(), 4u);
}

// The same with explicit gaps of a few roundings, for several sizes.
TEST(KnownKillers, Fcl495EqualBoxesAFewRoundingsApart) {
  const Matrix r = rows(0.94096063217417758029, 0.29296840037289501035, 0.16959541586174811667,
                        -0.23569836841299879326, 0.92661523595848427348, -0.29296840037289506586,
                        -0.2429801799032638987, 0.23569836841299884878, 0.94096063217417758029);
  for (const double side : {0.01, 0.25, 0.5, 10.0, 1000.0}) {
    for (const double gap : {-1e-15, -2.5e-16, -1e-16, 0.0, 1e-16, 2.5e-16, 1e-15}) {
      const Vector origin(0.0, 0.0, 5.0 * side);
      const Body a = box(side, side, side, r, origin);
      const Body b =
          box(side, side, side, r, origin + r * Vector(0.0, side + gap * std::max(1.0, side), 0.0));
      SCOPED_TRACE(::testing::Message() << "side " << side << " gap " << gap);
      expectSound(a, b);
      EXPECT_NEAR(signedDistance(a, b), gap * std::max(1.0, side), 4e-15 * side);
    }
  }
}

// Box-box "new vertex is colinear": a rod and a block, axes parallel.
TEST(KnownKillers, Fcl415RodAndBlockWithParallelAxes) {
  const Body rod = box(0.02, 0.33, 0.02, Matrix::Identity(), {0.054, -0.772, 0.405});
  const Body block =
      box(0.452, 0.27, 0.42, Matrix::Identity(), {0.121, -0.62960505750432682603, 0.3});
  expectSound(rod, block);
}

// EPA called with the origin outside: a block and a thin wall turned about z.
TEST(KnownKillers, Fcl399BlockAndThinWall) {
  const Body block =
      box(0.23768037557601928711, 0.15702305734157562256, 0.25,
          rows(-0.099432387353076273628, 0.99504432079443971837, 0.0, -0.99504432079443971837,
               -0.099432387353076273628, 0.0, 0.0, 0.0, 1.0),
          {0.29526406526565551758, -0.013230856508016586304, 0.0});
  const Body wall = box(0.01, 0.78165709972381591797, 0.25,
                        rows(0.99506598442099225554, 0.099215354901756730444, 0.0,
                             -0.099215354901756730444, 0.99506598442099225554, 0.0, 0.0, 0.0, 1.0),
                        {0.22759585694545214629, 0.14974093549228112421, 0.0});
  expectSound(block, wall);
}

// Drake 21673: two boxes nearly face to face, rotations a rounding off a quarter turn.
TEST(KnownKillers, Drake21673QuarterTurnsToARounding) {
  const Body a = box(0.05, 0.55, 0.3,
                     rows(0.00079632671073326442932, -0.99999968293183538748, 0.0,
                          0.99999968293183538748, 0.00079632671073326442932, 0.0, 0.0, 0.0, 1.0),
                     {0.75000000000000055511, -2.4083553715553102684e-15, 0.15});
  const Body b = box(
      0.25, 0.2, 0.15,
      rows(6.1232339957367660359e-17, 0.0, 1.0, -1.0, 6.1232339957367660359e-17,
           6.1232339957367660359e-17, -6.1232339957367660359e-17, -1.0, 3.7493994566546440196e-33),
      {0.75, 0.0, 0.15});
  expectSound(a, b);
}

// GJK returned depth 0 and a NaN direction.
TEST(KnownKillers, Libccd25CubesOnTopOfEachOther) {
  const Body a = box(2.0, 2.0, 2.0, Matrix::Identity(), {0.0, 0.0, 0.0});
  const Body b = box(2.0, 2.0, 2.0, Matrix::Identity(), {0.0, 0.0, 1.9});
  expectSound(a, b);
  for (const Body& first : {a, asHull(a)}) {
    CollisionResult result;
    ASSERT_TRUE(collide(first.placed(1), b.placed(2), CollisionOption::fullContacts(), result));
    EXPECT_EQ(result.numContacts(), 4u);
    EXPECT_NEAR(result.penetrationDepth(), 0.1, 1e-15);
    EXPECT_NEAR(result.getContact(0).normal.z(), -1.0, 1e-15);
  }
}

// Identical boxes that overlap along one axis only were reported as apart.
TEST(KnownKillers, IdenticalBoxesOverlappingAlongOneAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const double shift : {0.5, 1.0, 1.5, 1.999, -0.5, -1.25}) {
      const Body a = box(2.0, 2.0, 2.0, Matrix::Identity(), {0.0, 0.0, 0.0});
      const Body b = box(2.0, 2.0, 2.0, Matrix::Identity(), shift * Vector::Unit(axis));
      SCOPED_TRACE(::testing::Message() << "axis " << axis << " shift " << shift);
      expectSound(a, b);
      EXPECT_NEAR(signedDistance(a, b), std::abs(shift) - 2.0, 1e-15);
    }
  }
}

// Contacts were dropped when the origin lay on a face of GJK's tetrahedron: centres coincide, or
// lie on a symmetry plane of the difference.
TEST(KnownKillers, OriginOnAFaceOfTheSimplex) {
  const Matrix turned = Eigen::AngleAxisd(M_PI / 4, Vector::UnitZ()).toRotationMatrix();
  for (const Vector& shift : {Vector(0.0, 0.0, 0.0), Vector(0.5, 0.0, 0.0), Vector(0.5, 0.5, 0.0),
                              Vector(0.5, 0.5, 0.5), Vector(0.25, 0.0, 0.75)}) {
    for (const Matrix& rotation : {Matrix(Matrix::Identity()), turned}) {
      const Body a = box(2.0, 2.0, 2.0, Matrix::Identity(), {0.0, 0.0, 0.0});
      const Body b = box(1.0, 1.0, 1.0, rotation, shift);
      expectSound(a, b);
    }
  }
  const std::vector<Vector> tetrahedron = {
      {1.0, 1.0, 1.0}, {1.0, -1.0, -1.0}, {-1.0, 1.0, -1.0}, {-1.0, -1.0, 1.0}};
  const Body a(Specimen::hull(tetrahedron));
  for (const Vector& shift : {Vector(0.0, 0.0, 0.0), Vector(1.0, 0.0, 0.0), Vector(0.5, 0.5, 0.5),
                              Vector(1.0 / 3, 1.0 / 3, 1.0 / 3)}) {
    EXPECT_EQ(judge(a, Body(Specimen::hull(tetrahedron), Matrix::Identity(), shift)).message, "");
    EXPECT_EQ(judge(a, Body(Specimen::sphere(0.25), Matrix::Identity(), shift)).message, "");
  }
}

// Faces parallel to rounding and close: the witness may be anywhere, the value may not.
TEST(KnownKillers, ParallelCloseFaces) {
  for (const double tilt : {0.0, 1e-16, 1e-15, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6}) {
    for (const double gap : {-1e-3, -1e-9, -1e-14, 0.0, 1e-14, 1e-9, 1e-3}) {
      const Matrix tilted = Eigen::AngleAxisd(tilt, Vector(0.6, 0.8, 0.0)).toRotationMatrix();
      const Body a = box(2.0, 2.0, 0.5, Matrix::Identity(), {0.0, 0.0, 0.0});
      const Body b = box(1.0, 1.0, 0.5, tilted, {0.1, 0.2, 0.5 + gap});
      SCOPED_TRACE(::testing::Message() << "tilt " << tilt << " gap " << gap);
      expectSound(a, b);
      const Body can(Specimen::cylinder(0.5, 0.5), tilted, {0.1, 0.2, 0.5 + gap});
      EXPECT_EQ(judge(a, can).message, "");
    }
  }
}

// FCL 628: a slab inside a cube, three pairs of faces flush; the way out is through the side.
TEST(KnownKillers, Fcl628SlabInsideACubeWithFlushFaces) {
  const Body cube = box(1.0, 1.0, 1.0, Matrix::Identity(), {0.5, 0.5, 0.5});
  const Body slab = box(1.0, 0.2, 1.0, Matrix::Identity(), {0.5, 0.9, 0.5});
  expectSound(cube, slab);
  EXPECT_NEAR(signedDistance(cube, slab), -0.2, 1e-15);
}

// ncollide 157: distance 0, "intersecting", and no contact, for a cylinder beside a thin wall.
TEST(KnownKillers, Ncollide157CylinderAndThinWall) {
  // Its cylinders stand along y with half height 0.925 and radius 0.5.
  const Matrix upright = Eigen::AngleAxisd(-M_PI / 2, Vector::UnitX()).toRotationMatrix();
  const Body can(Specimen::cylinder(0.5, 1.85), upright, {10.97, 0.925, 61.02});
  const Body wall = box(0.1, 1.5, 1.0, Matrix::Identity(), {11.5, 0.75, 60.5});
  EXPECT_EQ(judge(can, wall).message, "");
}

}  // namespace
}  // namespace abut::test
