// SPDX-License-Identifier: MIT
#include "bindings.hpp"

namespace abut::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::span<const double> stateOf(const CompliantSystem& system, const Numbers& y) {
  if (y.ndim() != 1 || static_cast<std::size_t>(y.shape(0)) != system.numStates()) {
    throw Error(StatusCode::OutOfRange, "y: expected " + std::to_string(system.numStates()) +
                                            " numbers, got " + std::to_string(y.size()));
  }
  return {y.data(), static_cast<std::size_t>(y.size())};
}

py::array_t<double> zeros(std::size_t n) {
  py::array_t<double> out(static_cast<py::ssize_t>(n));
  std::fill(out.mutable_data(), out.mutable_data() + n, 0.0);
  return out;
}

std::span<double> viewOf(py::array_t<double>& a) {
  return {a.mutable_data(), static_cast<std::size_t>(a.size())};
}

struct EventRow {
  double time;
  std::uint8_t kind;
  std::uint64_t object1, object2;
};

py::array eventsOf(std::span<const HybridEvent> events) {
  const EventRow r{};
  const py::dtype type = RecordType()
                             .add("time", "f8", r, r.time)
                             .add("kind", "u1", r, r.kind)
                             .add("object1", "u8", r, r.object1)
                             .add("object2", "u8", r, r.object2)
                             .of<EventRow>();
  std::vector<EventRow> rows;
  for (const HybridEvent& e : events) {
    EventRow row{};
    row.time = e.time;
    row.kind = static_cast<std::uint8_t>(e.kind);
    row.object1 = e.pair.first;
    row.object2 = e.pair.second;
    rows.push_back(row);
  }
  return toArray<EventRow>(type, rows);
}

void bindImpacts(py::module_& module) {
  py::class_<ImpactSimulation>(
      module, "ImpactSimulation",
      "A world in which nothing gives: flights, and impacts located in time.")
      .def(py::init([](const PyWorld& w) { return std::make_unique<ImpactSimulation>(w.get()); }),
           py::arg("world"), "Takes bodies, materials, gravity and time from a world.")
      .def(
          "advance",
          [](ImpactSimulation& s, double until) {
            Status status;
            {
              const py::gil_scoped_release released;
              status = s.advance(until);
            }
            status.orThrow();
          },
          py::arg("until"), "Goes on to a time [s].")
      .def_property_readonly("time", &ImpactSimulation::getTime)
      .def_property_readonly("energy", &ImpactSimulation::energy, "Kinetic and potential [J].")
      .def_property_readonly("num_impacts", &ImpactSimulation::numImpacts)
      .def_property_readonly(
          "events", [](const ImpactSimulation& s) { return eventsOf(s.getRecord().events); },
          "Impacts, and contacts that begin or end to last, as a structured array.")
      .def(
          "motion",
          [](const ImpactSimulation& s, ObjectId id) {
            BodyMotion motion;
            s.getMotion(id, motion).orThrow();
            return motion;
          },
          py::arg("id"));
}

void bindCompliant(py::module_& module) {
  py::class_<CompliantSystem>(
      module, "CompliantSystem",
      "The bodies of a world with compliant contacts, as a system of equations for an integrator "
      "with error control and zero crossings, e.g. of SciPy: y' = derivatives(t, y), stop where a "
      "root changes its sign, handle_event(t, y), go on.")
      .def(py::init([](const PyWorld& w, double frictionVelocity, bool aggregate) {
             CompliantOptions options;
             options.frictionVelocity = frictionVelocity;
             options.aggregateRoots = aggregate;
             return std::make_unique<CompliantSystem>(w.get(), options);
           }),
           py::arg("world"), py::kw_only(), py::arg("friction_velocity") = 1e-3,
           py::arg("aggregate_roots") = true)
      .def_property_readonly("num_states", &CompliantSystem::numStates)
      .def_property_readonly("num_roots", &CompliantSystem::numRoots)
      .def(
          "state",
          [](const CompliantSystem& s) {
            py::array_t<double> y = zeros(s.numStates());
            s.getState(viewOf(y));
            return y;
          },
          "13 numbers a dynamic body: centre, quaternion, velocity, angular velocity.")
      .def(
          "initialize",
          [](CompliantSystem& s, double t, const Numbers& y) {
            s.initialize(t, stateOf(s, y)).orThrow();
          },
          py::arg("t"), py::arg("y"))
      .def(
          "derivatives",
          [](CompliantSystem& s, double t, const Numbers& y) {
            py::array_t<double> d = zeros(s.numStates());
            s.computeDerivatives(t, stateOf(s, y), viewOf(d)).orThrow();
            return d;
          },
          py::arg("t"), py::arg("y"))
      .def(
          "roots",
          [](CompliantSystem& s, double t, const Numbers& y) {
            py::array_t<double> r = zeros(s.numRoots());
            s.computeRoots(t, stateOf(s, y), viewOf(r)).orThrow();
            return r;
          },
          py::arg("t"), py::arg("y"), "Functions of which a zero crossing is an event.")
      .def(
          "handle_event",
          [](CompliantSystem& s, double t, const Numbers& y) {
            py::array_t<double> after = zeros(s.numStates());
            const std::span<const double> before = stateOf(s, y);
            std::copy(before.begin(), before.end(), after.mutable_data());
            std::vector<HybridEvent> events;
            s.handleEvent(t, viewOf(after), events).orThrow();
            return py::make_tuple(after, eventsOf(events));
          },
          py::arg("t"), py::arg("y"), "(y after the event, events).")
      .def(
          "energy",
          [](CompliantSystem& s, double t, const Numbers& y) {
            CompliantEnergy e;
            s.computeEnergy(t, stateOf(s, y), e).orThrow();
            return py::make_tuple(e.kinetic, e.potential, e.elastic);
          },
          py::arg("t"), py::arg("y"), "(kinetic, potential, elastic) [J].");
}

}  // namespace

void bindVariableStep(py::module_& module) {
  bindImpacts(module);
  bindCompliant(module);
}

}  // namespace abut::python
