// SPDX-License-Identifier: MIT
#include "bindings.hpp"

namespace abut::python {
namespace {

using Points = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Indices = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>;

std::vector<Vector> toPoints(const Points& array, const char* what) {
  if (array.ndim() != 2 || array.shape(1) != 3) {
    throw Error(StatusCode::OutOfRange, std::string(what) + ": expected an array of shape (n, 3)");
  }
  const auto view = array.unchecked<2>();
  std::vector<Vector> points;
  for (py::ssize_t i = 0; i < view.shape(0); ++i)
    points.emplace_back(view(i, 0), view(i, 1), view(i, 2));
  return points;
}

std::shared_ptr<MeshShape> makeMesh(const Points& vertices, const Indices& triangles) {
  if (triangles.ndim() != 2 || triangles.shape(1) != 3) {
    throw Error(StatusCode::OutOfRange, "triangles: expected an array of shape (m, 3)");
  }
  const auto view = triangles.unchecked<2>();
  std::vector<MeshShape::Triangle> corners;
  for (py::ssize_t i = 0; i < view.shape(0); ++i)
    corners.push_back({view(i, 0), view(i, 1), view(i, 2)});
  return std::make_shared<MeshShape>(toPoints(vertices, "vertices"), corners);
}

std::shared_ptr<HeightFieldShape> makeHeightField(const Points& heights, double dx, double dy) {
  if (heights.ndim() != 2) {
    throw Error(StatusCode::OutOfRange, "heights: expected an array of shape (ny, nx)");
  }
  const auto nx = static_cast<std::size_t>(heights.shape(1));
  const auto ny = static_cast<std::size_t>(heights.shape(0));
  return std::make_shared<HeightFieldShape>(nx, ny, dx, dy,
                                            std::span<const double>(heights.data(), nx * ny));
}

std::shared_ptr<CompoundShape> makeCompound(
    const std::vector<std::tuple<ShapePtr, Vector, Quaternion>>& parts) {
  std::vector<CompoundShape::Child> children;
  for (const auto& [shape, position, orientation] : parts)
    children.push_back({shape, toPose(position, orientation)});
  return std::make_shared<CompoundShape>(std::move(children));
}

std::shared_ptr<BoxShape> makeBox(const std::optional<Vector>& size,
                                  const std::optional<Vector>& half) {
  if (size.has_value() == half.has_value()) {
    throw Error(StatusCode::OutOfRange, "Box: give either size (full lengths) or half_extents");
  }
  return std::make_shared<BoxShape>(half ? *half : Vector(0.5 * *size));
}

py::dict massOf(const Shape& shape, double density) {
  MassProperties mass;
  shape.computeMass(density, mass).orThrow();
  py::dict out;
  out["mass"] = mass.mass;
  out["center"] = mass.center;
  out["inertia"] = mass.inertia;
  out["products"] = mass.products;
  return out;
}

void bindBase(py::module_& module) {
  py::class_<Shape, ShapePtr>(
      module, "Shape", "Geometry in its own frame; immutable, shared by any number of bodies.")
      .def_property_readonly("is_convex", &Shape::isConvex)
      .def_property_readonly("bounding_radius", &Shape::boundingRadius,
                             "Largest distance of a point from the frame's origin [m].")
      .def_property_readonly(
          "bounds",
          [](const Shape& s) {
            const Aabb box = s.computeLocalAabb();
            return std::make_pair(box.min_, box.max_);
          },
          "Smallest box around the shape in its frame: (low, high) [m].")
      .def("mass", &massOf, py::arg("density"),
           "Mass [kg], center [m], inertia (Ixx, Iyy, Izz) and products (Ixy, Ixz, Iyz) [kg m^2] "
           "for "
           "a density [kg/m^3], as a dict.")
      .def("signed_distance", &Shape::signedDistance, py::arg("point"),
           "Distance of a point (shape's frame) from the surface [m]; negative inside.");
}

}  // namespace

void bindShapes(py::module_& module) {
  bindBase(module);
  py::class_<SphereShape, Shape, std::shared_ptr<SphereShape>>(module, "Sphere")
      .def(py::init<double>(), py::arg("radius"))
      .def_property_readonly("radius", &SphereShape::getRadius);
  py::class_<BoxShape, Shape, std::shared_ptr<BoxShape>>(module, "Box")
      .def(py::init(&makeBox), py::arg("size") = py::none(), py::kw_only(),
           py::arg("half_extents") = py::none(), "size: full side lengths [m].")
      .def_property_readonly("half_extents", &BoxShape::getHalfExtents);
  py::class_<CapsuleShape, Shape, std::shared_ptr<CapsuleShape>>(module, "Capsule")
      .def(py::init<double, double>(), py::arg("radius"), py::arg("length"),
           "Along z; length of the segment without the caps [m].");
  py::class_<CylinderShape, Shape, std::shared_ptr<CylinderShape>>(module, "Cylinder")
      .def(py::init<double, double>(), py::arg("radius"), py::arg("height"), "Along z, centred.");
  py::class_<ConeShape, Shape, std::shared_ptr<ConeShape>>(module, "Cone")
      .def(py::init<double, double>(), py::arg("radius"), py::arg("height"),
           "Along z, apex at +height/2.");
  py::class_<PlaneShape, Shape, std::shared_ptr<PlaneShape>>(module, "Plane")
      .def(py::init<const Vector&, double>(), py::arg("normal"), py::arg("offset") = 0.0,
           "Half-space, solid below offset [m] along the normal.");
  py::class_<ConvexShape, Shape, std::shared_ptr<ConvexShape>>(module, "Convex")
      .def(py::init([](const Points& p) {
             return std::make_shared<ConvexShape>(toPoints(p, "points"));
           }),
           py::arg("points"), "Hull of points, an array of shape (n, 3) [m].")
      .def_property_readonly("num_vertices", &ConvexShape::numVertices)
      .def_property_readonly("num_faces", &ConvexShape::numFaces);
  py::class_<MeshShape, Shape, std::shared_ptr<MeshShape>>(module, "Mesh")
      .def(py::init(&makeMesh), py::arg("vertices"), py::arg("triangles"),
           "Arrays of shapes (n, 3) [m] and (m, 3), counter-clockwise from outside.")
      .def_property_readonly("is_solid", &MeshShape::isSolid)
      .def_property_readonly("num_triangles", &MeshShape::numTriangles);
  py::class_<HeightFieldShape, Shape, std::shared_ptr<HeightFieldShape>>(module, "HeightField")
      .def(py::init(&makeHeightField), py::arg("heights"), py::arg("dx"), py::arg("dy"),
           "heights[j, i] [m] at x = i dx, y = j dy, centred on the origin.");
  py::class_<PointCloudShape, Shape, std::shared_ptr<PointCloudShape>>(module, "PointCloud")
      .def(py::init([](const Points& p, double radius) {
             return std::make_shared<PointCloudShape>(toPoints(p, "points"), radius);
           }),
           py::arg("points"), py::arg("radius"), "Balls of one radius [m].");
  py::class_<CompoundShape, Shape, std::shared_ptr<CompoundShape>>(module, "Compound")
      .def(py::init(&makeCompound), py::arg("parts"),
           "List of (shape, position, orientation as w, x, y, z).");
}

}  // namespace abut::python
