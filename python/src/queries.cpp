// SPDX-License-Identifier: MIT
#include "bindings.hpp"

namespace abut::python {
namespace {

/// A point of contact of a query.
struct PointRow {
  std::uint64_t object1, object2;
  double position[3], normal[3], depth;
};

py::dtype pointType() {
  const PointRow r{};
  return RecordType()
      .add("object1", "u8", r, r.object1)
      .add("object2", "u8", r, r.object2)
      .add("position", "(3,)f8", r, r.position)
      .add("normal", "(3,)f8", r, r.normal)
      .add("depth", "f8", r, r.depth)
      .of<PointRow>();
}

py::array toPoints(const CollisionResult& result) {
  std::vector<PointRow> rows;
  for (const ContactManifold& m : result.getManifolds()) {
    for (const ContactPoint& p : m.getContacts()) {
      PointRow row{m.getObject1(), m.getObject2(), {}, {}, p.depth};
      for (int i = 0; i < 3; ++i) {
        row.position[i] = p.position[i];
        row.normal[i] = p.normal[i];
      }
      rows.push_back(row);
    }
  }
  return toArray<PointRow>(pointType(), rows);
}

const char* nameOf(QueryStatus status) {
  switch (status) {
    case QueryStatus::Separated:
      return "separated";
    case QueryStatus::Touching:
      return "touching";
    case QueryStatus::Penetrating:
      return "penetrating";
    default:
      return "undecided";
  }
}

py::array collideObjects(const CollisionObject& a, const CollisionObject& b, double margin) {
  CollisionOption option = CollisionOption::fullContacts();
  option.margin = margin;
  CollisionResult result;
  collide(a, b, option, result).orThrow();
  return toPoints(result);
}

py::array collideGroup(CollisionGroup& group, double margin) {
  CollisionOption option = CollisionOption::fullContacts();
  option.margin = margin;
  CollisionResult result;
  group.collide(option, result).orThrow();
  return toPoints(result);
}

CastResult castObject(const CollisionObject& a, const Vector& linear, const CollisionObject& b,
                      const Vector& angular) {
  CastResult result;
  timeOfImpact(a.placed(), {linear, angular}, b.placed(), {}, result).orThrow();
  return result;
}

Ray makeRay(const Vector& origin, const Vector& direction, double maxFraction) {
  return {origin, direction, maxFraction};
}

py::object firstHit(CollisionGroup& group, const Vector& origin, const Vector& direction,
                    double maxFraction, std::uint32_t mask) {
  bool found = false;
  GroupRayHit hit;
  group.raycast(makeRay(origin, direction, maxFraction), found, hit, mask).orThrow();
  return found ? py::cast(hit) : py::none();
}

std::vector<GroupRayHit> allHits(CollisionGroup& group, const Vector& origin,
                                 const Vector& direction, double maxFraction, std::uint32_t mask) {
  std::vector<GroupRayHit> hits;
  group.raycastAll(makeRay(origin, direction, maxFraction), hits, mask).orThrow();
  return hits;
}

void bindObject(py::module_& module) {
  py::class_<CollisionObject>(module, "CollisionObject",
                              "A shape at a place, for queries without a world.")
      .def(py::init([](const ShapePtr& shape, const Vector& position, const Quaternion& orientation,
                       ObjectId id, std::uint32_t category, std::uint32_t mask) {
             CollisionObject object(shape, toEigen(toPose(position, orientation)), id);
             object.setCategory(category);
             object.setMask(mask);
             return object;
           }),
           py::arg("shape"), py::arg("position") = Vector(0, 0, 0),
           py::arg("orientation") = kNoTurn, py::kw_only(), py::arg("id") = kNoObject,
           py::arg("category") = 1u, py::arg("mask") = 0xffffffffu)
      .def_property_readonly("id", &CollisionObject::getId)
      .def(
          "set_pose",
          [](CollisionObject& o, const Vector& position, const Quaternion& orientation) {
            o.setTransform(toEigen(toPose(position, orientation))).orThrow();
          },
          py::arg("position"), py::arg("orientation") = kNoTurn);
}

void bindAnswers(py::module_& module) {
  py::class_<DistanceResult>(module, "Distance", "Signed distance of two objects.")
      .def_readonly("distance", &DistanceResult::distance, "Gap [m]; negative: depth.")
      .def_readonly("normal", &DistanceResult::normal, "Unit, from object 2 to object 1.")
      .def_readonly("point1", &DistanceResult::point1)
      .def_readonly("point2", &DistanceResult::point2)
      .def_property_readonly("status", [](const DistanceResult& r) { return nameOf(r.status); });
  py::class_<CastResult>(module, "Cast", "First contact of objects that move.")
      .def("__bool__", [](const CastResult& r) { return r.hit; })
      .def_readonly("hit", &CastResult::hit)
      .def_readonly("fraction", &CastResult::fraction, "Of the motion, 0 to 1.")
      .def_readonly("normal", &CastResult::normal)
      .def_readonly("point", &CastResult::point)
      .def_readonly("object1", &CastResult::object1)
      .def_readonly("object2", &CastResult::object2)
      .def_property_readonly("status", [](const CastResult& r) { return nameOf(r.status); });
  py::class_<GroupRayHit>(module, "RayHit", "Where a ray meets an object.")
      .def_readonly("object", &GroupRayHit::object)
      .def_property_readonly("fraction", [](const GroupRayHit& h) { return h.hit.fraction; })
      .def_property_readonly("point", [](const GroupRayHit& h) { return Vector(h.hit.point); })
      .def_property_readonly("normal", [](const GroupRayHit& h) { return Vector(h.hit.normal); });
}

void bindGroup(py::module_& module) {
  py::class_<CollisionGroup>(module, "CollisionGroup",
                             "Objects that are queried together: detection without dynamics.")
      .def(py::init([] { return std::make_unique<CollisionGroup>(); }))
      .def("__len__", &CollisionGroup::size)
      .def(
          "add",
          [](CollisionGroup& g, const CollisionObject& object) {
            ObjectId id = kNoObject;
            g.add(object, id).orThrow();
            return id;
          },
          py::arg("object"), "Takes a copy of the object; returns its id.")
      .def(
          "remove", [](CollisionGroup& g, ObjectId id) { g.remove(id).orThrow(); }, py::arg("id"))
      .def(
          "set_pose",
          [](CollisionGroup& g, ObjectId id, const Vector& position, const Quaternion& q) {
            g.setTransform(id, toEigen(toPose(position, q))).orThrow();
          },
          py::arg("id"), py::arg("position"), py::arg("orientation") = kNoTurn)
      .def("collide", &collideGroup, py::arg("margin") = 0.0,
           "Contacts of all pairs as a structured array, sorted by pair.")
      .def(
          "distance",
          [](CollisionGroup& g) {
            GroupDistance d;
            g.distance(d).orThrow();
            return d.found ? py::object(py::make_tuple(d.object1, d.object2, d.result))
                           : py::object(py::none());
          },
          "(id1, id2, Distance) of the closest or deepest pair, or None.")
      .def("raycast", &firstHit, py::arg("origin"), py::arg("direction"),
           py::arg("max_fraction") = 1.0, py::arg("mask") = 0xffffffffu,
           "First hit along origin + f direction, f up to max_fraction; or None.")
      .def("raycast_all", &allHits, py::arg("origin"), py::arg("direction"),
           py::arg("max_fraction") = 1.0, py::arg("mask") = 0xffffffffu)
      .def(
          "cast",
          [](CollisionGroup& g, const CollisionObject& o, const Vector& linear,
             const Vector& angular) {
            CastResult result;
            g.timeOfImpact(o, {linear, angular}, result).orThrow();
            return result;
          },
          py::arg("object"), py::arg("displacement"), py::arg("rotation") = Vector(0, 0, 0),
          "First member that a moving object touches.");
}

}  // namespace

void bindQueries(py::module_& module) {
  bindObject(module);
  bindAnswers(module);
  bindGroup(module);
  module.def("collide", &collideObjects, py::arg("object1"), py::arg("object2"),
             py::arg("margin") = 0.0, "Points of contact as a structured array.");
  module.def(
      "distance", [](const CollisionObject& a, const CollisionObject& b) { return distance(a, b); },
      py::arg("object1"), py::arg("object2"));
  module.def("cast", &castObject, py::arg("object1"), py::arg("displacement"), py::arg("object2"),
             py::arg("rotation") = Vector(0, 0, 0),
             "First contact of object 1 on its way with object 2, which stands.");
}

}  // namespace abut::python
