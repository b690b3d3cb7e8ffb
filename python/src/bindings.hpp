// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <span>
#include <string>
#include <vector>

#include <abut/abut.hpp>
#include <abut/world/inspect.hpp>

namespace abut::python {

namespace py = pybind11;

using Vector = Eigen::Vector3d;
using Quaternion = std::array<double, 4>;  ///< w, x, y, z
using ShapePtr = std::shared_ptr<Shape>;

inline constexpr Quaternion kNoTurn{1.0, 0.0, 0.0, 0.0};

/// A world as Python holds it: its own, or that of a scene file.
struct PyWorld {
  std::shared_ptr<TaskRunner> tasks;  ///< Outlives the world; null for one thread.
  std::shared_ptr<World> world;
  std::atomic<bool> isBusy{false};
  std::atomic<int> views{0};  ///< Arrays that show its memory without a copy.

  explicit PyWorld(std::shared_ptr<World> held) : world(std::move(held)) {}

  /// The world, unless another thread steps it right now: then this is a clear error rather than a
  /// race.
  [[nodiscard]] World& get() const {
    if (isBusy) {
      throw std::runtime_error(
          "the world is being stepped on another thread; wait for that call to return");
    }
    return *world;
  }
  /// What a step replaces must not be shown any more.
  void requireNoViews() const {
    if (views > 0) {
      throw std::runtime_error(
          "arrays of contacts_view are in use, and this would end them; delete them first, or take "
          "world.contacts, which is a copy");
    }
  }
};

/// Steps a world without the interpreter's lock.
class BusyWorld {
public:
  explicit BusyWorld(PyWorld& world) : world_(world) {
    world_.requireNoViews();
    if (world_.isBusy.exchange(true)) {
      throw std::runtime_error(
          "the world is being stepped on another thread; wait for that call to return");
    }
  }
  ~BusyWorld() { world_.isBusy = false; }
  BusyWorld(const BusyWorld&) = delete;
  BusyWorld& operator=(const BusyWorld&) = delete;

private:
  PyWorld& world_;
};

/// The layout of a struct as numpy knows it: add(name, format, sample, member) for each field.
class RecordType {
public:
  template <class Struct, class Member>
  RecordType& add(const char* name, const char* format, const Struct& sample,
                  const Member& member) {
    names_.append(name);
    formats_.append(format);
    offsets_.append(reinterpret_cast<const char*>(&member) -
                    reinterpret_cast<const char*>(&sample));
    return *this;
  }
  template <class Struct>
  [[nodiscard]] py::dtype of() const {
    return py::dtype(names_, formats_, offsets_, sizeof(Struct));
  }

private:
  py::list names_, formats_, offsets_;
};

/// A layout, made once and never destroyed: the interpreter ends first.
template <py::dtype (*kMake)()>
const py::dtype& known() {
  static const py::dtype* const type = new py::dtype(kMake());
  return *type;
}

/// One copy of the structs as a structured array that owns its memory; as bytes, because numpy
/// copies structs one by one.
template <class Struct>
py::array toArray(const py::dtype& type, std::span<const Struct> values) {
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(values.size())};
  py::array array(type, shape);
  if (!values.empty()) {
    std::memcpy(array.mutable_data(), static_cast<const void*>(values.data()), values.size_bytes());
  }
  return array;
}

using WorldClass = py::class_<PyWorld, std::shared_ptr<PyWorld>>;

/// The number of a name in a list; throws Error that has the list.
[[nodiscard]] std::size_t numberOf(const char* what, const std::string& name,
                                   std::span<const char* const> names);

[[nodiscard]] Quat toQuat(const Quaternion& q);
[[nodiscard]] Quaternion fromQuat(const Quat& q);
/// A placement; throws Error unless the quaternion has unit length within 1e-6.
[[nodiscard]] Pose toPose(const Vector& position, const Quaternion& orientation);
[[nodiscard]] BodyType toBodyType(const std::string& name);
[[nodiscard]] const char* nameOf(BodyType type);

/// BodyLock bits of 'x', 'y', 'z', 'rx', 'ry', 'rz'.
[[nodiscard]] std::uint8_t toLocks(const std::vector<std::string>& axes);

void bindShapes(py::module_& module);
void bindQueries(py::module_& module);
void bindWorld(py::module_& module);
void bindWorldCalls(py::module_& module, WorldClass& world);
void bindJoints(py::module_& module, WorldClass& world);
void bindResults(py::module_& module, WorldClass& world);
void bindRuns(py::module_& module);
void bindVariableStep(py::module_& module);

}  // namespace abut::python
