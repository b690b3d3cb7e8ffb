// SPDX-License-Identifier: MIT
// Symptom: an L of two boxes that lay with the end of an arm on an edge of a box was reported 1.06
// m deep in it, and jumped by 0.12 m. Cause: two contacts that slip off either side of a seam were
// replaced by one with a face that the two parts share, however deep the body is below that face.
// Mechanism: a body that slips off both sides is a tip over the seam: not many times as deep along
// the face as along its flanks.
#include <gtest/gtest.h>

#include "unit/narrow_phase/composite_support.hpp"

namespace abut {
namespace {

using test::Vector;

/// An L whose bars overlap in the corner, from (-0.4, -0.4), arms 0.5 m wide and thick.
std::shared_ptr<const CompoundShape> letterL() {
  const Pose place1{{}, {0.1, -0.15, 0.0}}, place2{{}, {-0.15, 0.1, 0.0}};
  return std::make_shared<const CompoundShape>(std::vector<CompoundShape::Child>{
      {std::make_shared<const BoxShape>(Vector(0.5, 0.25, 0.25)), place1},
      {std::make_shared<const BoxShape>(Vector(0.25, 0.5, 0.25)), place2}});
}

TEST(SeamsOfCompoundsTooDeep, AnArmOnAnEdge) {
  const Pose below{{{0.066121415118013949, 0.88168835972417092, -0.46717619244744502},
                    {0.028208035661874742, -0.46966538980042438, -0.88239374904161316},
                    {-0.99741278575466918, 0.04516700068098467, -0.055925636899316844}},
                   {}};
  const Pose above{{{0.81945710573087083, 0.51639028988251434, -0.24865864228342682},
                    {0.57244592201439271, -0.71606965587061011, 0.3994369966721138},
                    {0.028208478092167207, -0.46966511096354518, -0.88239388331250623}},
                   {-0.061210773703461764, 0.47551208908335202, 0.59490563016441056}};
  const BoxShape box(Vector(0.5, 0.5, 0.5));
  const auto arms = letterL();
  for (const ObjectId id : {1, 3}) {
    const PlacedShape a{&box, below, id}, b{arms.get(), above, 2};
    const CollisionResult found = test::contacts(a, b, 0.02);
    ASSERT_GT(found.numManifolds(), 0u);
    // No part is deeper than this.
    double deepest = 0.0;
    for (std::size_t i = 0; i < arms->numChildren(); ++i) {
      const CompoundShape::Child& child = arms->getChild(i);
      DistanceResult gap;
      ASSERT_TRUE(distance(a, {child.shape.get(), compose(above, child.pose), 2}, gap));
      deepest = std::max(deepest, -gap.distance);
    }
    EXPECT_LE(found.penetrationDepth(), 4.0 * deepest);
    EXPECT_LT(deepest, 0.01);
  }
}

}  // namespace
}  // namespace abut
