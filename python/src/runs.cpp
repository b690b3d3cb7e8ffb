// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <thread>

#include <abut/io/live_view.hpp>
#include <abut/io/recorder.hpp>
#include <abut/io/scene_file.hpp>

#include "bindings.hpp"

namespace abut::python {
namespace {

/// A scene file, and its world as Python holds it.
struct PyScene {
  explicit PyScene(SceneFile file)
      : scene(std::make_shared<SceneFile>(std::move(file))),
        world(std::make_shared<PyWorld>(std::shared_ptr<World>(scene, &scene->world()))) {}

  void step(std::uint64_t count) {
    Status status;
    {
      const BusyWorld busy(*world);
      const py::gil_scoped_release released;
      for (std::uint64_t i = 0; i < count && status; ++i) status = scene->step();
    }
    status.orThrow();
  }

  std::shared_ptr<SceneFile> scene;
  std::shared_ptr<PyWorld> world;
};

/// Keeps the world alive until the recorder has let go of it.
struct PyRecorder {
  PyRecorder(const std::shared_ptr<PyWorld>& w, const std::string& path,
             const RecorderOptions& options)
      : world(w), recorder(w->get(), path, options) {}

  std::shared_ptr<PyWorld> world;
  Recorder recorder;
};

std::unique_ptr<PyRecorder> makeRecorder(const std::shared_ptr<PyWorld>& world,
                                         const std::string& path, const std::string& name,
                                         std::uint32_t every, bool contacts) {
  RecorderOptions options;
  options.name = name;
  options.every = every;
  options.contacts = contacts;
  return std::make_unique<PyRecorder>(world, path, options);
}

/// Keeps the world alive until the view has let go of it.
struct PyLiveView {
  PyLiveView(const std::shared_ptr<PyWorld>& w, const LiveViewOptions& options)
      : world(w), view(w->get(), options) {}

  /// In short waits, so that Ctrl+C ends a program whose page has paused it.
  bool sync(std::optional<double> timeout) {
    constexpr double kPatience = 0.1;  // [s]
    double left = timeout.value_or(std::numeric_limits<double>::infinity());
    for (;;) {
      bool due = false;
      {
        const BusyWorld busy(*world);
        const py::gil_scoped_release released;
        due = view.sync(std::min(left, kPatience));
      }
      if (due) return true;
      left -= kPatience;
      if (!(left > 0.0)) return false;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
  }

  std::shared_ptr<PyWorld> world;
  LiveView view;
};

std::unique_ptr<PyLiveView> makeLiveView(const std::shared_ptr<PyWorld>& world,
                                         const std::string& name, std::uint16_t port, double speed,
                                         double step, bool paused) {
  LiveViewOptions options;
  options.name = name;
  options.port = port;
  options.speed = speed;
  options.step = step;
  options.paused = paused;
  return std::make_unique<PyLiveView>(world, options);
}

/// Steps worlds side by side. Each world is stepped by one thread, so that the bits are those of a
/// world alone.
void stepBatch(const std::vector<std::shared_ptr<PyWorld>>& worlds, double dt, int count,
               unsigned threads) {
  std::vector<std::unique_ptr<BusyWorld>> busy;
  for (const auto& world : worlds) busy.push_back(std::make_unique<BusyWorld>(*world));
  std::vector<Status> results(worlds.size());
  {
    const py::gil_scoped_release released;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t i = next++; i < worlds.size(); i = next++) {
        for (int k = 0; k < count && results[i]; ++k) results[i] = worlds[i]->world->step(dt);
      }
    };
    if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t helpers = std::min<std::size_t>(threads, worlds.size());
    std::vector<std::thread> pool;
    for (std::size_t i = 1; i < helpers; ++i) pool.emplace_back(work);
    work();
    for (std::thread& thread : pool) thread.join();
  }
  busy.clear();
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (!results[i]) {
      throw Error(results[i].getCode(),
                  "world " + std::to_string(i) + " of the batch: " + results[i].getMessage());
    }
  }
}

void bindScene(py::module_& module) {
  py::class_<PyScene>(module, "Scene", "A scene file on its way: its world, motions and forces.")
      .def(py::init([](const std::string& path) { return PyScene(SceneFile(path)); }),
           py::arg("path"))
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& folder) {
            return PyScene(SceneFile::fromText(text, folder));
          },
          py::arg("text"), py::arg("folder") = ".")
      .def_property_readonly("name", [](const PyScene& s) { return s.scene->getName(); })
      .def_property_readonly("description",
                             [](const PyScene& s) { return s.scene->getDescription(); })
      .def_property_readonly(
          "dt", [](const PyScene& s) { return s.scene->getStep(); }, "[s]")
      .def_property_readonly("num_steps", [](const PyScene& s) { return s.scene->numSteps(); })
      .def_property_readonly("steps_made", [](const PyScene& s) { return s.scene->stepsMade(); })
      .def_property_readonly("is_over", [](const PyScene& s) { return s.scene->isOver(); })
      .def_property_readonly(
          "fault", [](const PyScene& s) { return s.scene->getFault(); },
          "What made the run unsound, or ''.")
      .def_property_readonly("world", [](const PyScene& s) { return s.world; })
      .def(
          "find", [](const PyScene& s, const std::string& name) { return s.scene->find(name); },
          py::arg("name"), "Id of a body by its name, or 0.")
      .def(
          "name_of", [](const PyScene& s, ObjectId id) { return s.scene->nameOf(id); },
          py::arg("id"))
      .def("step", &PyScene::step, py::arg("count") = 1,
           "Motions and forces of this time, then a step; count times.");
}

void bindLiveView(py::module_& module) {
  py::class_<PyLiveView>(
      module, "LiveView",
      "Shows a world in a browser of this machine while it is stepped. Pages opened by `address` "
      "can pause, make single steps, pull bodies, change gravity and friction, and restart.")
      .def(py::init(&makeLiveView), py::arg("world"), py::kw_only(), py::arg("name") = "world",
           py::arg("port") = 0, py::arg("speed") = 1.0, py::arg("step") = 0.0,
           py::arg("paused") = false)
      .def_property_readonly("address", [](const PyLiveView& v) { return v.view.getAddress(); })
      .def_property_readonly("num_restarts",
                             [](const PyLiveView& v) { return v.view.numRestarts(); })
      .def("sync", &PyLiveView::sync, py::arg("timeout") = py::none(),
           "Before every step: shows the last one, makes the changes that pages ask for, waits "
           "while they pause or the clock is behind. False if no step was due within timeout [s].");
}

}  // namespace

void bindRuns(py::module_& module) {
  bindScene(module);
  bindLiveView(module);
  py::class_<PyRecorder>(
      module, "Recorder",
      "Writes down what a world does from now on: as a page to look at, and as a "
      "recording if a path is given.")
      .def(py::init(&makeRecorder), py::arg("world"), py::arg("path") = "", py::kw_only(),
           py::arg("name") = "world", py::arg("every") = 1u, py::arg("contacts") = true)
      .def(
          "set_name",
          [](PyRecorder& r, ObjectId id, const std::string& name) { r.recorder.setName(id, name); },
          py::arg("id"), py::arg("name"), "Name of a body on the page; before the first step.")
      .def_property_readonly("num_frames",
                             [](const PyRecorder& r) { return r.recorder.numFrames(); })
      .def(
          "report", [](PyRecorder& r, const std::string& path) { r.recorder.writeReport(path); },
          py::arg("path"), "Writes the page of everything so far: one HTML file, no network.")
      .def(
          "html", [](PyRecorder& r) { return r.recorder.report(); }, "The same page as text.")
      .def(
          "finish", [](PyRecorder& r) { r.recorder.finish(); }, "Ends the recording file.");
  module.def("write_report", &writeReport, py::arg("recording"), py::arg("page"),
             "The page of a recording.");
  module.def("step_all", &stepBatch, py::arg("worlds"), py::arg("dt"), py::arg("count") = 1,
             py::arg("threads") = 0u,
             "Steps many worlds on threads (0: as many as the machine has), with the interpreter "
             "released. Bits do not depend on the threads.");
}

}  // namespace abut::python
