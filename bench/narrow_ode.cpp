// SPDX-License-Identifier: MIT
// ODE: dCollide() with up to eight contacts. It has no cones.
#include <map>
#include <ode/ode.h>

#include <abut/shapes/convex_shape.hpp>

#include "narrow_row.hpp"

namespace abut::bench {
namespace {

using Kind = Specimen::Kind;

/// Planes, points and polygons of a hull as ODE wants them; it keeps pointers into this.
struct HullArrays {
  std::vector<dReal> planes, points;
  std::vector<unsigned> polygons;

  explicit HullArrays(const ConvexShape& hull) {
    for (std::size_t i = 0; i < hull.numVertices(); ++i) {
      const Vector v = hull.getVertex(i);
      points.insert(points.end(), {v.x(), v.y(), v.z()});
    }
    for (std::size_t i = 0; i < hull.numFaces(); ++i) {
      const auto face = hull.getFace(i);
      const Vector n = hull.getFaceNormal(i);
      planes.insert(planes.end(), {n.x(), n.y(), n.z(), n.dot(hull.getVertex(face[0]))});
      polygons.push_back(static_cast<unsigned>(face.size()));
      polygons.insert(polygons.end(), face.begin(), face.end());
    }
  }
};

class OdePeer final : public Peer {
public:
  OdePeer() { dInitODE2(0); }
  ~OdePeer() override {
    release();
    dCloseODE();
  }
  [[nodiscard]] std::string getName() const override { return "ODE"; }

  bool prepare(const Row& row) override {
    release();
    for (const Query& q : row.queries) {
      const dGeomID geom1 = makeGeom(*q.body1);
      if (geom1 == nullptr) return false;
      place(geom1, q.rotation1, q.position1);
      geom1_.push_back(geom1);
      dGeomID geom2 = nullptr;
      if (q.body2 == nullptr) {
        const Vector n = q.rotation2.col(2);
        geom2 = dCreatePlane(nullptr, n.x(), n.y(), n.z(), n.dot(q.position2));
      } else {
        geom2 = makeGeom(*q.body2);
        if (geom2 == nullptr) return false;
        place(geom2, q.rotation2, q.position2);
      }
      geom2_.push_back(geom2);
    }
    return true;
  }

  double run(std::span<const std::uint32_t> order) override {
    double sum = 0.0;
    for (const std::uint32_t i : order) sum += ask(i).depth;
    return sum;
  }

  Answer ask(std::uint32_t i) override {
    dContactGeom contacts[kMaxContacts];
    const int count = dCollide(geom1_[i], geom2_[i], kMaxContacts, contacts, sizeof(dContactGeom));
    if (count == 0) return {};
    int deepest = 0;
    for (int k = 1; k < count; ++k) {
      if (contacts[k].depth > contacts[deepest].depth) deepest = k;
    }
    const dReal* n = contacts[deepest].normal;
    return {true, contacts[deepest].depth, Vector(n[0], n[1], n[2])};
  }

private:
  static constexpr int kMaxContacts = 8;

  dGeomID makeGeom(const Body& body) {
    const Specimen& s = body.specimen;
    switch (s.kind) {
      case Kind::Sphere:
        return dCreateSphere(nullptr, s.radius);
      case Kind::Box:
        return dCreateBox(nullptr, 2.0 * s.half.x(), 2.0 * s.half.y(), 2.0 * s.half.z());
      case Kind::Capsule:
        return dCreateCapsule(nullptr, s.radius, s.height);
      case Kind::Cylinder:
        return dCreateCylinder(nullptr, s.radius, s.height);
      case Kind::Cone:
        return nullptr;
      case Kind::Hull: {
        std::unique_ptr<HullArrays>& a = hulls_[&body];
        if (!a) a = std::make_unique<HullArrays>(static_cast<const ConvexShape&>(*body.shape));
        return dCreateConvex(nullptr, a->planes.data(), static_cast<unsigned>(a->planes.size() / 4),
                             a->points.data(), static_cast<unsigned>(a->points.size() / 3),
                             a->polygons.data());
      }
    }
    return nullptr;
  }

  static void place(dGeomID geom, const Matrix& r, const Vector& p) {
    const dMatrix3 rotation = {r(0, 0), r(0, 1), r(0, 2), 0.0,     r(1, 0), r(1, 1),
                               r(1, 2), 0.0,     r(2, 0), r(2, 1), r(2, 2), 0.0};
    dGeomSetRotation(geom, rotation);
    dGeomSetPosition(geom, p.x(), p.y(), p.z());
    dReal box[6];
    dGeomGetAABB(geom, box);  // Computed once and kept, as in a space.
  }

  void release() {
    for (const dGeomID g : geom1_) dGeomDestroy(g);
    for (const dGeomID g : geom2_) dGeomDestroy(g);
    geom1_.clear();
    geom2_.clear();
    hulls_.clear();
  }

  std::vector<dGeomID> geom1_, geom2_;
  std::map<const Body*, std::unique_ptr<HullArrays>> hulls_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> makeOde() {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(std::make_unique<OdePeer>());
  return peers;
}

}  // namespace abut::bench
