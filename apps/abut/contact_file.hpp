// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <abut/solver/contact_solver.hpp>

namespace abut::tool {

/// A contact problem as a file holds it: u = W r + q with a friction coefficient for each contact,
/// in the order normal, tangent, tangent.
struct ContactFile {
  DelassusMatrix matrix;
  std::vector<Vec3> free;
  std::vector<double> friction;

  [[nodiscard]] DelassusProblem problem() const {
    return {matrix.rowStart, matrix.column, matrix.block, free, friction};
  }
};

/// A sparse matrix as fclib files have it: nz >= 0 triplets, -1 compressed columns, -2 compressed
/// rows.
struct SparseMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<std::uint32_t> row, column;
  std::vector<double> value;

  /// From the arrays of such a file. Throws io::InputError if they do not fit together.
  static SparseMatrix from(const std::string& file, long rows, long columns, long nz,
                           const std::vector<long>& p, const std::vector<long>& i,
                           const std::vector<double>& x);
};

/// Error of an answer as the benchmarks of such problems measure it: |r - P(r - u^)| over the
/// largest of |q|, |r| and |u|, with u^ = u + (mu |u_T|, 0, 0) and P the projection on the cones.
double errorOf(const ContactFile& file, const std::vector<Vec3>& r, const std::vector<Vec3>& u);

/// Reads a problem, by the file's ending: .dat (dense or sparse blocks), .hdf5 (fclib). Throws
/// io::InputError.
ContactFile readContactFile(const std::string& path);

/// The matrix of 3 x 3 blocks.
DelassusMatrix toBlocks(const SparseMatrix& w);
/// W = H^T M^-1 H and q = H^T M^-1 f + w.
ContactFile fromMasses(const std::string& file, const SparseMatrix& mass, const SparseMatrix& rows,
                       const std::vector<double>& force, const std::vector<double>& offset,
                       const std::vector<double>& friction);

/// Writes a problem as an fclib file (fclib_local: W by compressed rows, q, mu). Throws
/// io::InputError if that fails, or where the tool was built without HDF5.
void writeFclib(const std::string& path, const ContactFile& problem, const std::string& title,
                const std::string& description);

/// The fclib reader; throws io::InputError where the tool was built without HDF5.
ContactFile readFclib(const std::string& path);

}  // namespace abut::tool
