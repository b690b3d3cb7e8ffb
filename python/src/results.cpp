// SPDX-License-Identifier: MIT
#include "bindings.hpp"

namespace abut::python {
namespace {

struct BodyRow {
  std::uint64_t id;
  std::uint8_t type, asleep;
  double mass, position[3], orientation[4], center[3], linear[3], angular[3];
};

py::dtype bodyType() {
  const BodyRow r{};
  return RecordType()
      .add("id", "u8", r, r.id)
      .add("type", "u1", r, r.type)
      .add("asleep", "?", r, r.asleep)
      .add("mass", "f8", r, r.mass)
      .add("position", "(3,)f8", r, r.position)
      .add("orientation", "(4,)f8", r, r.orientation)
      .add("center_of_mass", "(3,)f8", r, r.center)
      .add("linear_velocity", "(3,)f8", r, r.linear)
      .add("angular_velocity", "(3,)f8", r, r.angular)
      .of<BodyRow>();
}

void put(double* out, const Vector& v) {
  for (int i = 0; i < 3; ++i) out[i] = v[i];
}

py::array bodiesOf(const PyWorld& w) {
  const World& world = w.get();
  std::vector<BodyRow> rows;
  rows.reserve(world.numBodies());
  BodyDescription description;
  std::vector<BodyShape> shapes;
  for (const ObjectId id : bodiesOf(world)) {
    BodyMotion m;
    world.getMotion(id, m).orThrow();
    describeBody(world, id, description, shapes).orThrow();
    BodyRow row{};
    row.id = id;
    row.type = static_cast<std::uint8_t>(description.type);
    row.asleep = world.isAsleep(id) ? 1 : 0;
    row.mass = description.mass;
    put(row.position, toEigen(m.pose.translation));
    const Quaternion q = fromQuat(m.orientation);
    for (std::size_t i = 0; i < 4; ++i) row.orientation[i] = q[i];
    put(row.center, m.centerOfMass);
    put(row.linear, m.linearVelocity);
    put(row.angular, m.angularVelocity);
    rows.push_back(row);
  }
  return toArray<BodyRow>(known<bodyType>(), rows);
}

py::dtype contactType() {
  const WorldContact c;
  return RecordType()
      .add("object1", "u8", c, c.object1)
      .add("object2", "u8", c, c.object2)
      .add("position", "(3,)f8", c, c.position)
      .add("normal", "(3,)f8", c, c.normal)
      .add("depth", "f8", c, c.depth)
      .add("normal_force", "f8", c, c.normalForce)
      .add("friction_force", "(3,)f8", c, c.frictionForce)
      .add("resisting_couple", "(3,)f8", c, c.resistingCouple)
      .add("impact_impulse", "(3,)f8", c, c.impactImpulse)
      .add("slip", "(3,)f8", c, c.slip)
      .add("friction", "f8", c, c.friction)
      .add("island", "u4", c, c.island)
      .add("id", "u8", c, c.id)
      .of<WorldContact>();
}

/// The world's own memory. Its owner keeps the world, and keeps it from going on.
py::array contactsView(const std::shared_ptr<PyWorld>& w) {
  const std::span<const WorldContact> contacts = w->get().getContacts();
  if (contacts.empty()) return toArray<WorldContact>(known<contactType>(), contacts);
  using Held = std::shared_ptr<PyWorld>;
  const py::capsule owner(new Held(w), [](void* held) {
    const std::unique_ptr<Held> last(static_cast<Held*>(held));
    --(*last)->views;
  });
  ++w->views;
  py::array view(known<contactType>(), {static_cast<py::ssize_t>(contacts.size())},
                 {static_cast<py::ssize_t>(sizeof(WorldContact))}, contacts.data(), owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

py::dtype eventType() {
  const ContactEvent e;
  return RecordType()
      .add("kind", "u1", e, e.kind)
      .add("object1", "u8", e, e.object1)
      .add("object2", "u8", e, e.object2)
      .add("since", "f8", e, e.since)
      .add("impulse", "(3,)f8", e, e.impulse)
      .add("normal_impulse", "f8", e, e.normalImpulse)
      .of<ContactEvent>();
}

py::dtype driverType() {
  const DriverReport d;
  return RecordType()
      .add("body", "u8", d, d.body)
      .add("work", "f8", d, d.work)
      .add("force", "(3,)f8", d, d.force)
      .add("torque", "(3,)f8", d, d.torque)
      .add("stalled", "?", d, d.stalled)
      .of<DriverReport>();
}

py::dtype sleepType() {
  const SleepEvent e;
  return RecordType().add("body", "u8", e, e.body).add("kind", "u1", e, e.kind).of<SleepEvent>();
}

py::dtype ledgerType() {
  const EnergyAccount a;
  return RecordType()
      .add("kinetic_before", "f8", a, a.kineticBefore)
      .add("kinetic_after", "f8", a, a.kineticAfter)
      .add("potential_before", "f8", a, a.potentialBefore)
      .add("potential_after", "f8", a, a.potentialAfter)
      .add("drivers", "f8", a, a.drivers)
      .add("forces", "f8", a, a.forces)
      .add("impact", "f8", a, a.impact)
      .add("friction", "f8", a, a.friction)
      .add("correction", "f8", a, a.correction)
      .add("integrator", "f8", a, a.integrator)
      .add("motors", "f8", a, a.motors)
      .add("dampers", "f8", a, a.dampers)
      .add("limits", "f8", a, a.limits)
      .add("joint_friction", "f8", a, a.jointFriction)
      .add("joints", "f8", a, a.joints)
      .add("compliance", "f8", a, a.compliance)
      .add("elastic_before", "f8", a, a.elasticBefore)
      .add("elastic_after", "f8", a, a.elasticAfter)
      .of<EnergyAccount>();
}

void bindLedger(py::module_& module) {
  py::class_<EnergyAccount>(
      module, "Ledger",
      "Energy accounts [J]: change of kinetic and potential energy = drivers + "
      "forces + impact + friction + correction + integrator.")
      .def_readonly("kinetic_before", &EnergyAccount::kineticBefore)
      .def_readonly("kinetic_after", &EnergyAccount::kineticAfter)
      .def_readonly("potential_before", &EnergyAccount::potentialBefore)
      .def_readonly("potential_after", &EnergyAccount::potentialAfter)
      .def_readonly("drivers", &EnergyAccount::drivers, "Work of kinematic bodies and belts.")
      .def_readonly("forces", &EnergyAccount::forces, "Work of applied forces.")
      .def_readonly("impact", &EnergyAccount::impact, "Lost in impacts; <= 0.")
      .def_readonly("friction", &EnergyAccount::friction)
      .def_readonly("correction", &EnergyAccount::correction)
      .def_readonly("integrator", &EnergyAccount::integrator)
      .def_readonly("motors", &EnergyAccount::motors, "Work of the drives of joints.")
      .def_readonly("dampers", &EnergyAccount::dampers)
      .def_readonly("limits", &EnergyAccount::limits)
      .def_readonly("joint_friction", &EnergyAccount::jointFriction)
      .def_readonly("joints", &EnergyAccount::joints)
      .def_readonly("compliance", &EnergyAccount::compliance,
                    "Taken up (< 0) and given back by contacts that give way a little.")
      .def_readonly("elastic_before", &EnergyAccount::elasticBefore, "In the springs of joints.")
      .def_readonly("elastic_after", &EnergyAccount::elasticAfter)
      .def_property_readonly("residual", &EnergyAccount::residual,
                             "What the books do not explain; rounding only.")
      .def_property_readonly("array", [](const EnergyAccount& a) {
        return toArray<EnergyAccount>(known<ledgerType>(), {&a, 1});
      });
}

void bindReport(py::module_& module) {
  py::class_<StepReport>(module, "StepReport", "How the last step went.")
      .def_readonly("contacts", &StepReport::contacts)
      .def_readonly("islands", &StepReport::islands)
      .def_readonly("worst_error", &StepReport::worstError)
      .def_readonly("worst1", &StepReport::worst1)
      .def_readonly("worst2", &StepReport::worst2)
      .def_readonly("converged", &StepReport::converged)
      .def_readonly("tolerance", &StepReport::tolerance)
      .def_readonly("rigid_error", &StepReport::rigidError)
      .def_readonly("approach", &StepReport::approach)
      .def_readonly("softness", &StepReport::softness)
      .def_readonly("compliant_islands", &StepReport::compliantIslands)
      .def_readonly("sweeps", &StepReport::sweeps)
      .def_readonly("newton_steps", &StepReport::newtonSteps)
      .def_readonly("greatest_depth", &StepReport::greatestDepth)
      .def_readonly("restitution_asked", &StepReport::restitutionAsked)
      .def_readonly("restitution_delivered", &StepReport::restitutionDelivered)
      .def_readonly("unfinished_impacts", &StepReport::unfinishedImpacts)
      .def_readonly("presses", &StepReport::presses)
      .def_readonly("press_speed", &StepReport::pressSpeed)
      .def_readonly("pressed1", &StepReport::pressed1)
      .def_readonly("pressed2", &StepReport::pressed2)
      .def_readonly("asleep", &StepReport::asleep);
}

}  // namespace

void bindResults(py::module_& module, WorldClass& c) {
  bindLedger(module);
  bindReport(module);
  c.def_property_readonly("bodies", &bodiesOf,
                          "All bodies by id, as a structured array; type 0 static, 1 kinematic, 2 "
                          "dynamic.");
  c.def_property_readonly(
      "ids",
      [](const PyWorld& w) {
        const std::span<const ObjectId> ids = bodiesOf(w.get());
        return py::array_t<std::uint64_t>(static_cast<py::ssize_t>(ids.size()), ids.data());
      },
      "Ids of all bodies, ascending.");
  c.def_property_readonly(
      "contacts",
      [](const PyWorld& w) {
        return toArray<WorldContact>(known<contactType>(), w.get().getContacts());
      },
      "Contacts of the last step with their forces, as a structured array: sorted by pair, deeper "
      "first.");
  c.def_property_readonly(
      "contacts_view", &contactsView,
      "The same without a copy, read only. While the array, or anything cut from it, is alive, the "
      "world refuses to step.");
  c.def_property_readonly(
      "events",
      [](const PyWorld& w) {
        return toArray<ContactEvent>(known<eventType>(), w.get().getEvents());
      },
      "What pairs did in the last step, as a structured array; kind 0 begin, 1 persist, 2 end.");
  c.def_property_readonly(
      "drivers",
      [](const PyWorld& w) {
        return toArray<DriverReport>(known<driverType>(), w.get().getDrivers());
      },
      "What kinematic bodies had to supply in the last step.");
  c.def_property_readonly(
      "sleep_events",
      [](const PyWorld& w) {
        return toArray<SleepEvent>(known<sleepType>(), w.get().getSleepEvents());
      },
      "Bodies that fell asleep (0) or woke up (1).");
  c.def_property_readonly(
      "ledger", [](const PyWorld& w) { return w.get().getLedger(); },
      "Energy accounts since the beginning.");
  c.def_property_readonly(
      "step_ledger", [](const PyWorld& w) { return w.get().getStepLedger(); },
      "Energy accounts of the last step.");
  c.def_property_readonly("report", [](const PyWorld& w) { return w.get().getReport(); });
}

}  // namespace abut::python
