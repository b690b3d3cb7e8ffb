// SPDX-License-Identifier: MIT
#include <string>

#include <abut/math/convert.hpp>

#include "shapes/density.hpp"
#include "shapes/mesh_data.hpp"

namespace abut::inline v0_1 {
namespace {

std::string edgeFault(const MeshData& mesh) {
  const MeshReport& r = mesh.report;
  // Every triangle has three edges; each edge of a surface is shared by two unless it is counted.
  std::size_t edges = 0;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int k = 0; k < 3; ++k) edges += mesh.triangles[t].edge[k] == 3 * t + k ? 1 : 0;
  }
  std::string text = "mesh: ";
  const char* sort = " are open";
  std::size_t count = r.openEdges;
  if (count == 0) {
    sort = " have more than two triangles";
    count = r.nonManifoldEdges;
  }
  if (count == 0) {
    sort = " have two triangles that disagree about the outside";
    count = r.flippedEdges;
  }
  text += std::to_string(count) + " of " + std::to_string(edges) + " edges" + sort;
  return text + ", so it has no volume; give mass and inertia, or use its convex hull";
}

}  // namespace

Status meshMass(const MeshData& mesh, double density, MassProperties& result) {
  Status status = checkDensity(density);
  if (!status) return status;
  if (!mesh.solid) return Status::failure(StatusCode::NotSolid, edgeFault(mesh));
  // Sum over tetrahedra from a point amid the mesh to each triangle, signed by orientation:
  //   V = det(a, b, c) / 6,  integral of x = V (a + b + c) / 4,
  //   integral of x_i x_j = V / 20 (sum_k v_ki v_kj + s_i s_j),  s = a + b + c.
  const Bounds& box = mesh.bvh.getBounds();
  const Vec3 amid = (box.min + box.max) * 0.5;
  double volume6 = 0.0;
  Vec3 first{}, squares{}, mixed{};
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.corner(t, 0) - amid, b = mesh.corner(t, 1) - amid;
    const Vec3 c = mesh.corner(t, 2) - amid;
    const double det = dot(a, cross(b, c));
    const Vec3 s = (a + b) + c;
    volume6 += det;
    first += s * det;
    squares += (((scaled(a, a) + scaled(b, b)) + scaled(c, c)) + scaled(s, s)) * det;
    const auto products = [](const Vec3& v) { return Vec3{v.x * v.y, v.x * v.z, v.y * v.z}; };
    mixed += (((products(a) + products(b)) + products(c)) + products(s)) * det;
  }
  const double volume = volume6 / 6.0;
  if (!(volume > 0.0)) {
    return Status::failure(StatusCode::NotSolid, "mesh: its triangles face inwards (volume " +
                                                     toText(volume) +
                                                     " m^3); reverse the order of their corners");
  }
  const Vec3 center = first * (1.0 / (24.0 * volume));
  squares = squares * (density / 120.0);
  mixed = mixed * (density / 120.0);
  const double mass = density * volume;
  result.mass = mass;
  result.center = toEigen(center + amid);
  const Vec3 about = squares - scaled(center, center) * mass;
  result.inertia = {about.y + about.z, about.z + about.x, about.x + about.y};
  result.products = {-(mixed.x - mass * center.x * center.y),
                     -(mixed.y - mass * center.x * center.z),
                     -(mixed.z - mass * center.y * center.z)};
  return {};
}

}  // namespace abut::inline v0_1
