// SPDX-License-Identifier: MIT
#include "bindings.hpp"

namespace abut::python {
namespace {

MassProperties toMass(double mass, const Vector& center, const Vector& inertia,
                      const Vector& products) {
  MassProperties m;
  m.mass = mass;
  m.center = center;
  m.inertia = inertia;
  m.products = products;
  return m;
}

void bindChanges(WorldClass& c) {
  const auto arg = [](const char* name) { return py::arg(name); };
  c.def(
      "apply_force_at",
      [](PyWorld& w, ObjectId id, const Vector& force, const Vector& point) {
        w.get().applyForceAt(id, force, point).orThrow();
      },
      arg("id"), arg("force"), arg("point"),
      "Force [N] at a point of a body [m], world frame, for the next step.");
  c.def(
      "apply_impulse",
      [](PyWorld& w, ObjectId id, const Vector& impulse, const Vector& point) {
        w.get().applyImpulse(id, impulse, point).orThrow();
      },
      arg("id"), arg("impulse"), arg("point"),
      "Changes the velocity of a dynamic body by an impulse [N s] at a point [m], now.");
  c.def(
      "set_gravity", [](PyWorld& w, const Vector& g) { w.get().setGravity(g).orThrow(); },
      arg("gravity"), "[m/s^2]");
  c.def(
      "set_gravity_scale",
      [](PyWorld& w, ObjectId id, double scale) { w.get().setGravityScale(id, scale).orThrow(); },
      arg("id"), arg("scale"));
  c.def(
      "set_mass",
      [](PyWorld& w, ObjectId id, double mass, const Vector& center, const Vector& inertia,
         const Vector& products) {
        w.get().setMass(id, toMass(mass, center, inertia, products)).orThrow();
      },
      arg("id"), arg("mass"), py::kw_only(), py::arg("center_of_mass") = Vector(0, 0, 0),
      py::arg("inertia") = Vector(0, 0, 0), py::arg("products_of_inertia") = Vector(0, 0, 0),
      "Another mass for a dynamic body, and centre and inertia; mass 0 takes all from densities.");
  c.def(
      "mass",
      [](const PyWorld& w, ObjectId id) {
        const MassProperties m = w.get().mass(id);
        py::dict d;
        d["mass"] = m.mass;
        d["center_of_mass"] = m.center;
        d["inertia"] = m.inertia;
        d["products_of_inertia"] = m.products;
        return d;
      },
      arg("id"), "Mass [kg], centre [m] and inertia about it [kg m^2], in the body's frame.");
  c.def(
      "set_material",
      [](PyWorld& w, ObjectId id, MaterialId material, std::optional<std::size_t> shape) {
        (shape ? w.get().setMaterial(id, *shape, material) : w.get().setMaterial(id, material))
            .orThrow();
      },
      arg("id"), arg("material"), py::arg("shape") = py::none(),
      "Material of all shapes of a body, or of one by its number.");
  c.def(
      "set_surface_velocity",
      [](PyWorld& w, ObjectId id, const Vector& v) { w.get().setSurfaceVelocity(id, v).orThrow(); },
      arg("id"), arg("velocity"), "Of the surface over the body, world frame [m/s]: a conveyor.");
  c.def(
      "set_locks",
      [](PyWorld& w, ObjectId id, const std::vector<std::string>& locks) {
        w.get().setLocks(id, toLocks(locks)).orThrow();
      },
      arg("id"), arg("locks"), "Of 'x', 'y', 'z', 'rx', 'ry', 'rz'.");
  c.def(
      "set_type",
      [](PyWorld& w, ObjectId id, const std::string& type, double mass, const Vector& center,
         const Vector& inertia, const Vector& products) {
        w.get().setType(id, toBodyType(type), toMass(mass, center, inertia, products)).orThrow();
      },
      arg("id"), arg("type"), py::kw_only(), py::arg("mass") = 0.0,
      py::arg("center_of_mass") = Vector(0, 0, 0), py::arg("inertia") = Vector(0, 0, 0),
      py::arg("products_of_inertia") = Vector(0, 0, 0),
      "Makes a body 'static', 'kinematic' or 'dynamic'; mass 0 takes it from densities.");
}

void bindLabels(WorldClass& c) {
  const auto id = py::arg("id");
  c.def(
      "find",
      [](const PyWorld& w, const std::string& name) -> std::optional<ObjectId> {
        const ObjectId found = w.get().find(name);
        return found == kNoObject ? std::nullopt : std::optional(found);
      },
      py::arg("name"), "The body of this name, the one with the smallest id; None without one.");
  c.def(
      "name", [](const PyWorld& w, ObjectId body) { return w.get().name(body); }, id,
      "What the body is called, on pages too; '' without a name.");
  c.def(
      "set_name",
      [](PyWorld& w, ObjectId body, const std::string& name) {
        w.get().setName(body, name).orThrow();
      },
      id, py::arg("name"));
  c.def(
      "user_data", [](const PyWorld& w, ObjectId body) { return w.get().userData(body); }, id,
      "A number kept with the body; 0 unless given.");
  c.def(
      "set_user_data",
      [](PyWorld& w, ObjectId body, std::uint64_t data) {
        w.get().setUserData(body, data).orThrow();
      },
      id, py::arg("data"));
}

void bindFilters(WorldClass& c) {
  c.def(
      "set_filter",
      [](PyWorld& w, ObjectId id, std::uint32_t category, std::uint32_t mask, std::int32_t group) {
        w.get().setFilter(id, {category, mask, group}).orThrow();
      },
      py::arg("id"), py::kw_only(), py::arg("category") = 1u, py::arg("mask") = 0xffffffffu,
      py::arg("group") = 0,
      "What a body may touch: those whose category is in its mask and whose mask has its category. "
      "Bodies of one negative group never touch, of one positive group always.");
  c.def(
      "set_sensor",
      [](PyWorld& w, ObjectId id, bool sensor) { w.get().setSensor(id, sensor).orThrow(); },
      py::arg("id"), py::arg("sensor") = true);
  c.def(
      "exclude_pair",
      [](PyWorld& w, ObjectId a, ObjectId b) { w.get().excludePair(a, b).orThrow(); },
      py::arg("body1"), py::arg("body2"), "Keeps two bodies from touching.");
  c.def(
      "include_pair",
      [](PyWorld& w, ObjectId a, ObjectId b) { w.get().includePair(a, b).orThrow(); },
      py::arg("body1"), py::arg("body2"), "Takes exclude_pair() back.");
}

py::dtype sensorType() {
  const SensorEvent e;
  return RecordType()
      .add("kind", "u1", e, e.kind)
      .add("sensor", "u8", e, e.sensor)
      .add("body", "u8", e, e.body)
      .add("since", "f8", e, e.since)
      .of<SensorEvent>();
}

QueryFilter toFilter(std::uint32_t mask, bool sensors, ObjectId except) {
  QueryFilter filter;
  filter.mask = mask;
  filter.sensors = sensors;
  filter.except = except;
  return filter;
}

template <typename Function, typename... Extra>
void defQuery(WorldClass& c, const char* name, Function function, const char* text,
              const Extra&... extra) {
  c.def(name, function, extra..., py::kw_only(), py::arg("mask") = 0xffffffffu,
        py::arg("sensors") = false, py::arg("ignore") = kNoObject, text);
}

void bindWorldQueries(py::module_& module, WorldClass& c) {
  py::class_<WorldRayHit>(module, "WorldRayHit", "Where a ray enters a body.")
      .def_readonly("body", &WorldRayHit::body)
      .def_readonly("fraction", &WorldRayHit::fraction, "Of the way, 0 to 1.")
      .def_readonly("distance", &WorldRayHit::distance, "From the start [m].")
      .def_readonly("point", &WorldRayHit::point)
      .def_readonly("normal", &WorldRayHit::normal);
  const auto from = py::arg("start"), to = py::arg("end");
  const auto shape = py::arg("shape"), position = py::arg("position");
  const auto orientation = py::arg("orientation") = kNoTurn;
  defQuery(
      c, "raycast",
      [](const PyWorld& w, const Vector& start, const Vector& end, std::uint32_t mask, bool sensors,
         ObjectId except) {
        return w.get().raycast({start, end}, toFilter(mask, sensors, except));
      },
      "First hit of a ray from start to end [m], or None. mask: categories of bodies that are "
      "seen; ignore: a body that is not.",
      from, to);
  defQuery(
      c, "raycast_all",
      [](const PyWorld& w, const Vector& start, const Vector& end, std::uint32_t mask, bool sensors,
         ObjectId except) {
        return w.get().raycastAll({start, end}, toFilter(mask, sensors, except));
      },
      "The first hit on each body, nearest first.", from, to);
  defQuery(
      c, "shape_cast",
      [](const PyWorld& w, const ShapePtr& s, const Vector& p, const Vector& linear,
         const Quaternion& q, const Vector& angular, std::uint32_t mask, bool sensors,
         ObjectId except) {
        return w.get().shapeCast(*s, toPose(p, q), {linear, angular},
                                 toFilter(mask, sensors, except));
      },
      "The first body that a shape touches on its way; object2 is the body.", shape, position,
      py::arg("displacement"), orientation, py::arg("rotation") = Vector(0, 0, 0));
  defQuery(
      c, "overlap",
      [](const PyWorld& w, const ShapePtr& s, const Vector& p, const Quaternion& q,
         std::uint32_t mask, bool sensors, ObjectId except) {
        return w.get().overlap(*s, toPose(p, q), toFilter(mask, sensors, except));
      },
      "Ids of the bodies that a shape touches or overlaps, ascending.", shape, position,
      orientation);
  defQuery(
      c, "closest",
      [](const PyWorld& w, const ShapePtr& s, const Vector& p, double within, const Quaternion& q,
         std::uint32_t mask, bool sensors, ObjectId except) {
        const auto found =
            w.get().closest(*s, toPose(p, q), within, toFilter(mask, sensors, except));
        return found ? py::object(py::make_tuple(found->body, found->result))
                     : py::object(py::none());
      },
      "(id, Distance) of the body nearest to a shape within a distance [m], or None.", shape,
      position, py::arg("within"), orientation);
  c.def(
      "distance", [](const PyWorld& w, ObjectId a, ObjectId b) { return w.get().distance(a, b); },
      py::arg("body1"), py::arg("body2"), "Signed distance of two bodies.");
}

}  // namespace

void bindWorldCalls(py::module_& module, WorldClass& c) {
  bindChanges(c);
  bindLabels(c);
  bindFilters(c);
  bindWorldQueries(module, c);
  c.def_property_readonly(
      "sensor_events",
      [](const PyWorld& w) {
        return toArray<SensorEvent>(sensorType(), w.get().getSensorEvents());
      },
      "Bodies that came into a sensor in the last step (0), were in it (1) or left it (2).");
}

}  // namespace abut::python
