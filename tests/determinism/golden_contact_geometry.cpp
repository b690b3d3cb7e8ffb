// SPDX-License-Identifier: MIT
#include <abut/narrow_phase/contact_geometry.hpp>

#include "digest.hpp"
#include "pair_scene.hpp"
#include "results.hpp"

namespace golden {
namespace {

using namespace abut;

void add(Digest& digest, const EdgeContact& edge) {
  digest.add(edge.found), digest.add(edge.point1), digest.add(edge.point2);
  digest.add(edge.edgeDirection), digest.add(edge.normal);
  digest.add(edge.depth1), digest.add(edge.depth2);
}

void add(Digest& digest, const FaceContact& face) {
  digest.add(face.found), digest.add(face.polygon.size());
  for (const Eigen::Vector3d& corner : face.polygon) digest.add(corner);
  for (const double depth : face.depths) digest.add(depth);
  digest.add(face.normal), digest.add(face.centroid), digest.add(face.area);
}

void add(Digest& digest, const SurfacePoint& surface) {
  digest.add(surface.kind), digest.add(surface.principalDirection);
  for (const double value : surface.param) digest.add(value);
  for (const double value : surface.firstFundamentalForm) digest.add(value);
  for (const double value : surface.secondFundamentalForm) digest.add(value);
  for (const double value : surface.principalCurvatures) digest.add(value);
}

void add(Digest& digest, const ParametricContact& contact) {
  digest.add(contact.found), digest.add(contact.position), digest.add(contact.normal);
  digest.add(contact.depth), add(digest, contact.surface1), add(digest, contact.surface2);
  for (const double value : contact.relativeCurvatures) digest.add(value);
  digest.add(contact.relativeDirection);
}

}  // namespace

void contactGeometry() {
  forEachTypePair([](const std::string& name, std::span<const PairOfSpecimens> candidates) {
    Generator random(81);
    Digest digest;
    for (const PairOfSpecimens& pair : candidates) {
      for (const Placing placing : kPlacings) {
        const auto [object1, object2] = place(pair, placing, random);
        EdgeContact edge;
        add(digest, edgeContact(object1, object2, edge, 0.05));
        add(digest, edge);
        FaceContact face;
        add(digest, faceContact(object1, object2, face, 0.05));
        add(digest, face);
        ParametricContact contact;
        add(digest, parametricContact(object1, object2, contact, 0.05));
        add(digest, contact);
      }
    }
    print("contactGeometry." + name, digest);
  });
}

}  // namespace golden
