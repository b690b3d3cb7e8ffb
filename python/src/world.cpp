// SPDX-License-Identifier: MIT
#include <abut/state/option_list.hpp>

#include "bindings.hpp"
#if ABUT_HAS_TBB
#include <abut/tbb/tbb_tasks.hpp>
#endif

namespace abut::python {

std::uint8_t toLocks(const std::vector<std::string>& axes) {
  static const char* const kNames[] = {"x", "y", "z", "rx", "ry", "rz"};
  unsigned locks = 0;
  for (const std::string& axis : axes) locks |= 1u << numberOf("locks", axis, kNames);
  return static_cast<std::uint8_t>(locks);
}

namespace {

/// Null for one thread.
std::shared_ptr<TaskRunner> makeTasks([[maybe_unused]] int threads) {
  if (threads == 1) return nullptr;
#if ABUT_HAS_TBB
  return std::make_shared<TbbTasks>(threads);
#else
  throw Error(StatusCode::OutOfRange,
              "threads: this module was built without oneTBB (libtbb-dev); leave it at 1");
#endif
}

/// sleepAfter -> sleep_after.
std::string snakeCase(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') text += '_';
    text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

template <class T>
void setOption(const OptionInfo& info, const py::handle& given, T& value) {
  if constexpr (std::is_same_v<T, ContactModel>) {
    std::vector<const char*> words;
    for (const std::string_view word : info.words) {
      if (!word.empty()) words.push_back(word.data());
    }
    value =
        static_cast<T>(numberOf(std::string(info.key).c_str(), given.cast<std::string>(), words));
  } else if constexpr (!std::is_enum_v<T>) {
    value = given.cast<T>();
  }
}

/// All options of a world by their names in scenes, in Python's spelling; and its limits.
void setOptions(const py::kwargs& given, WorldOptions& options) {
  std::string known;
  std::size_t taken = 0;
  const auto take = [&](const std::string& name, auto&& set) {
    known += (known.empty() ? "" : ", ") + name;
    if (!given.contains(name.c_str()) || given[name.c_str()].is_none()) return;
    try {
      set(given[name.c_str()]);
    } catch (const py::cast_error&) {
      throw py::type_error(name + ": not a value of its type");
    }
    ++taken;
  };
  forEachOption(options, [&](const OptionInfo& info, auto& value) {
    if (info.key == std::string_view("scheme")) return;
    take(snakeCase(info.key), [&](const py::handle& h) { setOption(info, h, value); });
  });
  WorldLimits& limits = options.limits;
  take("max_pairs", [&](const py::handle& h) { limits.pairs = h.cast<std::size_t>(); });
  take("max_contacts", [&](const py::handle& h) { limits.contacts = h.cast<std::size_t>(); });
  take("max_bytes", [&](const py::handle& h) { limits.bytes = h.cast<std::size_t>(); });
  if (taken == given.size()) return;
  for (const auto& [name, value] : given) {
    if (!value.is_none() &&
        (", " + known + ",").find(", " + name.cast<std::string>() + ",") == std::string::npos) {
      throw py::type_error("World: no option '" + name.cast<std::string>() +
                           "'; there are scheme, threads, " + known);
    }
  }
}

std::shared_ptr<PyWorld> makeWorld(const std::string& scheme, int threads,
                                   const py::kwargs& others) {
  static const char* const kSchemes[] = {"exact", "real_time"};
  WorldOptions options =
      numberOf("scheme", scheme, kSchemes) == 0 ? WorldOptions{} : WorldOptions::realTime();
  setOptions(others, options);
  const std::shared_ptr<TaskRunner> tasks = makeTasks(threads);
  options.tasks = tasks.get();
  auto world = std::make_shared<PyWorld>(std::make_shared<World>(options));
  world->tasks = tasks;
  return world;
}

MaterialId addMaterial(PyWorld& w, double friction, double restitution, double rolling,
                       double spinning, double density, double young, double poisson,
                       double stiffness, double dissipation) {
  Material m;
  m.friction = friction;
  m.restitution = restitution;
  m.rollingResistance = rolling;
  m.spinningResistance = spinning;
  m.density = density;
  m.youngsModulus = young;
  m.poissonsRatio = poisson;
  m.stiffness = stiffness;
  m.dissipation = dissipation;
  MaterialId id = 0;
  w.get().materials().add(m, id).orThrow();
  return id;
}

using Part = std::tuple<ShapePtr, Vector, Quaternion>;

std::vector<BodyShape> toShapes(const py::object& shape, MaterialId material) {
  std::vector<BodyShape> shapes;
  if (shape.is_none()) return shapes;
  if (py::isinstance<Shape>(shape)) return {{shape.cast<ShapePtr>(), Pose{}, material}};
  for (const py::handle item : shape) {
    if (py::isinstance<Shape>(item)) {
      shapes.push_back({item.cast<ShapePtr>(), Pose{}, material});
    } else {
      const auto [part, position, orientation] = item.cast<Part>();
      shapes.push_back({part, toPose(position, orientation), material});
    }
  }
  return shapes;
}

const Vector kNoLimits(kNoLimit, kNoLimit, kNoLimit);

ObjectId addBody(PyWorld& w, const py::object& shape, const std::string& type,
                 const Vector& position, const Quaternion& orientation, const Vector& velocity,
                 const Vector& spin, double mass, const Vector& inertia,
                 const std::vector<std::string>& locks, double gravityScale,
                 const Vector& surfaceVelocity, MaterialId material, ObjectId id,
                 const Vector& centerOfMass, const Vector& products, std::uint32_t category,
                 std::uint32_t mask, std::int32_t group, bool sensor, const Vector& maxForce,
                 const Vector& maxTorque, const std::string& name, std::uint64_t userData) {
  BodyDescription d;
  d.name = name;
  d.userData = userData;
  d.type = toBodyType(type);
  d.position = position;
  d.orientation = toQuat(orientation);
  d.linearVelocity = velocity;
  d.angularVelocity = spin;
  d.mass = mass;
  d.inertia = inertia;
  d.locks = toLocks(locks);
  d.gravityScale = gravityScale;
  d.surfaceVelocity = surfaceVelocity;
  d.maxForce = maxForce;
  d.maxTorque = maxTorque;
  d.id = id;
  d.centerOfMass = centerOfMass;
  d.productsOfInertia = products;
  d.filter = {category, mask, group};
  d.sensor = sensor;
  ObjectId given = kNoObject;
  w.get().addBody(d, toShapes(shape, material), given).orThrow();
  return given;
}

BodyMotion motionOf(const PyWorld& w, ObjectId id) {
  BodyMotion motion;
  w.get().getMotion(id, motion).orThrow();
  return motion;
}

void stepWorld(PyWorld& w, double dt, int count) {
  Status status;
  {
    const BusyWorld busy(w);
    const py::gil_scoped_release released;
    for (int i = 0; i < count && status; ++i) status = w.world->step(dt);
  }
  status.orThrow();
}

py::bytes snapshotOf(const PyWorld& w) {
  const std::vector<std::byte> bytes = w.get().snapshot();
  return py::bytes(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void restoreWorld(PyWorld& w, const py::bytes& snapshot, const std::vector<ShapePtr>& shapes) {
  w.requireNoViews();
  const std::string_view text = snapshot;
  const std::vector<std::shared_ptr<const Shape>> held(shapes.begin(), shapes.end());
  w.get().restore({reinterpret_cast<const std::byte*>(text.data()), text.size()}, held).orThrow();
}

void setPath(PyWorld& w, ObjectId id,
             const std::vector<std::tuple<double, Vector, Quaternion>>& path) {
  std::vector<PathPoint> points;
  for (const auto& [time, position, orientation] : path) {
    PathPoint point;
    point.time = time;
    point.position = position;
    point.orientation = toQuat(orientation);
    points.push_back(point);
  }
  w.get().setPath(id, points).orThrow();
}

void bindMotion(py::module_& module) {
  py::class_<BodyMotion>(module, "Motion", "Where a body is and how it moves.")
      .def_property_readonly(
          "position", [](const BodyMotion& m) { return m.position; },
          "Of the body's frame, world [m].")
      .def_property_readonly(
          "orientation", [](const BodyMotion& m) { return fromQuat(m.orientation); },
          "Quaternion w, x, y, z, body to world.")
      .def_readonly("center_of_mass", &BodyMotion::centerOfMass, "World [m].")
      .def_readonly("linear_velocity", &BodyMotion::linearVelocity, "Of the centre of mass [m/s].")
      .def_readonly("angular_velocity", &BodyMotion::angularVelocity, "World [rad/s].");
}

void bindBodies(WorldClass& c) {
  c.def("add_material", &addMaterial, py::kw_only(), py::arg("friction") = 0.5,
        py::arg("restitution") = 0.0, py::arg("rolling_resistance") = 0.0,
        py::arg("spinning_resistance") = 0.0, py::arg("density") = 1000.0,
        py::arg("youngs_modulus") = 1e9, py::arg("poissons_ratio") = 0.3,
        py::arg("stiffness") = 0.0, py::arg("dissipation") = 0.0,
        "Adds a material and returns its number. Material 0 always exists.");
  c.def(
      "set_pair",
      [](PyWorld& w, MaterialId a, MaterialId b, double friction, double restitution) {
        w.get().materials().setPair(a, b, {friction, restitution}).orThrow();
      },
      py::arg("material1"), py::arg("material2"), py::kw_only(), py::arg("friction"),
      py::arg("restitution"), "What holds between two materials, whatever their own numbers say.");
  c.def("add_body", &addBody, py::arg("shape"), py::kw_only(), py::arg("type") = "dynamic",
        py::arg("position") = Vector(0, 0, 0), py::arg("orientation") = kNoTurn,
        py::arg("linear_velocity") = Vector(0, 0, 0), py::arg("angular_velocity") = Vector(0, 0, 0),
        py::arg("mass") = 0.0, py::arg("inertia") = Vector(0, 0, 0),
        py::arg("locks") = std::vector<std::string>{}, py::arg("gravity_scale") = 1.0,
        py::arg("surface_velocity") = Vector(0, 0, 0), py::arg("material") = 0,
        py::arg("id") = kNoObject, py::arg("center_of_mass") = Vector(0, 0, 0),
        py::arg("products_of_inertia") = Vector(0, 0, 0), py::arg("category") = 1u,
        py::arg("mask") = 0xffffffffu, py::arg("group") = 0, py::arg("sensor") = false,
        py::arg("max_force") = kNoLimits, py::arg("max_torque") = kNoLimits, py::arg("name") = "",
        py::arg("user_data") = 0,
        "Adds a body and returns its id. shape: a Shape, a list of shapes or of (shape, position, "
        "orientation), or None for a body that touches nothing. mass 0 takes mass and inertia from "
        "the shapes' density. locks: of 'x', 'y', 'z', 'rx', 'ry', 'rz'. category, mask and group: "
        "see "
        "set_filter(). A sensor touches without force, see sensor_events. max_force, max_torque: "
        "limits of a kinematic body's drive along and about the world axes. name and user_data are "
        "kept with the body, on pages too; nothing of the motion depends on them.");
  c.def(
      "remove_body", [](PyWorld& w, ObjectId id) { w.get().removeBody(id).orThrow(); },
      py::arg("id"));
  c.def("motion", &motionOf, py::arg("id"), "Where a body is and how it moves.");
  c.def(
      "set_velocity",
      [](PyWorld& w, ObjectId id, const Vector& linear, const Vector& angular) {
        w.get().setVelocity(id, linear, angular).orThrow();
      },
      py::arg("id"), py::arg("linear"), py::arg("angular") = Vector(0, 0, 0),
      "Velocity of a body; for a kinematic one its prescribed motion [m/s, rad/s].");
  c.def(
      "set_pose",
      [](PyWorld& w, ObjectId id, const Vector& position, const Quaternion& orientation) {
        w.get().setPose(id, position, toQuat(orientation)).orThrow();
      },
      py::arg("id"), py::arg("position"), py::arg("orientation") = kNoTurn,
      "Puts a body elsewhere and forgets its contacts.");
  c.def("set_path", &setPath, py::arg("id"), py::arg("path"),
        "Makes a kinematic body follow (time, position, orientation) points.");
  c.def(
      "apply_force",
      [](PyWorld& w, ObjectId id, const Vector& force, const Vector& torque) {
        w.get().applyForce(id, force, torque).orThrow();
      },
      py::arg("id"), py::arg("force"), py::arg("torque") = Vector(0, 0, 0),
      "Force at the centre of mass [N] and torque [N m], world frame, for the next step.");
  c.def(
      "is_asleep", [](const PyWorld& w, ObjectId id) { return w.get().isAsleep(id); },
      py::arg("id"));
  c.def(
      "wake", [](PyWorld& w, ObjectId id) { w.get().wake(id).orThrow(); }, py::arg("id"));
}

void bindState(WorldClass& c) {
  c.def("step", &stepWorld, py::arg("dt"), py::arg("count") = 1,
        "Moves the world on by dt [s], count times, with the interpreter released. Raises Error, "
        "with the state of the last step that was made.");
  c.def_property_readonly(
      "time", [](const PyWorld& w) { return w.get().getTime(); }, "[s]");
  c.def("__len__", [](const PyWorld& w) { return w.get().numBodies(); });
  c.def(
      "hash", [](const PyWorld& w) { return w.get().hash(); },
      "Of all state that the future depends on: the same on every machine.");
  c.def("snapshot", &snapshotOf, "That state as bytes.");
  c.def(
      "restore", &restoreWorld, py::arg("snapshot"), py::arg("shapes") = std::vector<ShapePtr>{},
      "Becomes the world that made the snapshot, to the bit. Shapes come from this world's bodies "
      "and from `shapes`.");
}

}  // namespace

void bindWorld(py::module_& module) {
  bindMotion(module);
  WorldClass c(module, "World", "Bodies in contact, stepped through time. z is up.");
  c.def(py::init(&makeWorld), py::kw_only(), py::arg("scheme") = "exact", py::arg("threads") = 1,
        "scheme: 'exact' (forces to rounding) or 'real_time' (many bodies at a frame rate). "
        "threads: that a step works on, 0 for all there are; bits do not depend on it. Further "
        "options by name, None for the scheme's own: gravity [m/s^2], substeps, sleeping, "
        "sleep_after [s], sleep_speed, tolerance, acceptable, sweeps, direct, model ('exact', "
        "'frictionless', 'decoupled'), detection_margin [m], speculative, baumgarte, "
        "correction_slop [m], correction_share, extrapolates, max_step [s]; and max_pairs, "
        "max_contacts, max_bytes, beyond which a step is refused.");
  bindBodies(c);
  bindState(c);
  bindWorldCalls(module, c);
  bindJoints(module, c);
  bindResults(module, c);
}

}  // namespace abut::python
