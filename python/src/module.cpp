// SPDX-License-Identifier: MIT
#include <cmath>

#include "bindings.hpp"
#include "io/core/text.hpp"

namespace abut::python {

Quat toQuat(const Quaternion& q) {
  return {q[0], q[1], q[2], q[3]};
}

Quaternion fromQuat(const Quat& q) {
  return {q.w, q.x, q.y, q.z};
}

Pose toPose(const Vector& position, const Quaternion& q) {
  const double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  constexpr double kUnit = 1e-6;  // As World::setPose().
  if (!(std::fabs(length2 - 1.0) <= kUnit)) {
    throw Error(
        StatusCode::NotARotation,
        "orientation: expected a quaternion (w, x, y, z) of unit length, got squared length " +
            std::to_string(length2));
  }
  const Eigen::Quaterniond turn = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  return poseFrom(Eigen::Isometry3d(Eigen::Translation3d(position) * turn));
}

std::size_t numberOf(const char* what, const std::string& name,
                     std::span<const char* const> names) {
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return i;
    const char* const between = i == 0 ? "'" : i + 1 == names.size() ? " or '" : ", '";
    known += std::string(between) + names[i] + "'";
  }
  throw Error(StatusCode::OutOfRange,
              std::string(what) + ": expected " + known + ", got '" + name + "'");
}

namespace {

constexpr const char* kBodyTypes[] = {"static", "kinematic", "dynamic"};  // As BodyType has them.

}  // namespace

BodyType toBodyType(const std::string& name) {
  return static_cast<BodyType>(numberOf("type", name, kBodyTypes));
}

const char* nameOf(BodyType type) {
  return kBodyTypes[static_cast<std::size_t>(type)];
}

namespace {

void bindErrors(py::module_& module) {
  static py::exception<Error> error(module, "Error", PyExc_ValueError);
  error.doc() =
      "What Abut refuses; the message says what was given, what was expected, what to do.";
  static py::exception<io::InputError> inputError(module, "InputError", PyExc_ValueError);
  inputError.doc() = "A file that cannot be used; the message names file, line and column.";
  py::register_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised) std::rethrow_exception(raised);
    } catch (const Error& e) {
      error(e.what());
    } catch (const io::InputError& e) {
      inputError(e.what());
    }
  });
}

}  // namespace
}  // namespace abut::python

PYBIND11_MODULE(_abut, module) {
  module.doc() = "Rigid-body contact, from shapes to forces. See the package abut.";
  using namespace abut::python;
  bindErrors(module);
  bindShapes(module);
  bindQueries(module);
  bindWorld(module);
  bindRuns(module);
  bindVariableStep(module);
  module.attr("__version__") = ABUT_VERSION;
}
