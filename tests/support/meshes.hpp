// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>

#include <abut/shapes/mesh_shape.hpp>

namespace abut::test {

struct Soup {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<MeshShape::Triangle> triangles;

  [[nodiscard]] std::shared_ptr<const MeshShape> shape() const {
    return std::make_shared<const MeshShape>(vertices, triangles);
  }
};

/// A box of 6 n^2 * 2 triangles around the origin, each face an n x n grid; faces do not share
/// vertex numbers.
inline Soup boxSoup(const Eigen::Vector3d& half, int n = 1) {
  Soup soup;
  for (int face = 0; face < 6; ++face) {
    const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double sign = face % 2 == 0 ? -1.0 : 1.0;
    const auto base = static_cast<std::uint32_t>(soup.vertices.size());
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        Eigen::Vector3d p;
        p[axis] = sign * half[axis];
        p[u] = (2.0 * i / n - 1.0) * half[u];
        p[v] = (2.0 * j / n - 1.0) * half[v];
        soup.vertices.push_back(p);
      }
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const auto a = static_cast<std::uint32_t>(base + j * (n + 1) + i);
        const auto b = a + 1, c = static_cast<std::uint32_t>(a + n + 2),
                   d = static_cast<std::uint32_t>(a + n + 1);
        if (sign > 0.0) {
          soup.triangles.push_back({a, b, c});
          soup.triangles.push_back({a, c, d});
        } else {
          soup.triangles.push_back({a, c, b});
          soup.triangles.push_back({a, d, c});
        }
      }
    }
  }
  return soup;
}

/// A grid of nx x ny cells in the plane z = 0, centred, facing up.
inline Soup gridSoup(int nx, int ny, double spacing) {
  Soup soup;
  for (int j = 0; j <= ny; ++j) {
    for (int i = 0; i <= nx; ++i) {
      soup.vertices.emplace_back((i - 0.5 * nx) * spacing, (j - 0.5 * ny) * spacing, 0.0);
    }
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      const auto a = static_cast<std::uint32_t>(j * (nx + 1) + i);
      const auto d = static_cast<std::uint32_t>(a + nx + 1);
      if ((i + j) % 2 == 0) {
        soup.triangles.push_back({a, a + 1, d + 1});
        soup.triangles.push_back({a, d + 1, d});
      } else {
        soup.triangles.push_back({a, a + 1, d});
        soup.triangles.push_back({a + 1, d + 1, d});
      }
    }
  }
  return soup;
}

}  // namespace abut::test
