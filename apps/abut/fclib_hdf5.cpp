// SPDX-License-Identifier: MIT
#include "contact_file.hpp"
#include "io/core/output.hpp"
#include "io/core/text.hpp"

#if ABUT_HAS_HDF5

#include <hdf5.h>
#include <limits>

namespace abut::tool {
namespace {

using io::concat;
using io::InputError;
using io::printable;

/// An open file; closed at the end.
class Hdf5File {
public:
  explicit Hdf5File(const std::string& path) : name_(printable(path, 200)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file_ = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file_ < 0) throw InputError(concat(name_, ": is no HDF5 file that can be read"));
  }
  ~Hdf5File() { H5Fclose(file_); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  [[nodiscard]] bool contains(const char* path) const {
    return H5Lexists(file_, path, H5P_DEFAULT) > 0;
  }
  template <typename T>
  std::vector<T> read(const std::string& path) const {
    const hid_t set = H5Dopen2(file_, path.c_str(), H5P_DEFAULT);
    if (set < 0) throw InputError(concat(name_, ": has no ", path));
    const hid_t space = H5Dget_space(set);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    // What was never written has no bytes of its own, and a thousandfold is what packing saves.
    constexpr hsize_t kLeast = 1000, kMostPacked = 1100;
    if (count > 0 &&
        static_cast<hsize_t>(count) / kMostPacked > kLeast + H5Dget_storage_size(set)) {
      H5Sclose(space);
      H5Dclose(set);
      throw InputError(concat(name_, ": ", path, " announces more numbers than the file holds"));
    }
    std::vector<T> values(count > 0 ? static_cast<std::size_t>(count) : 0);
    const hid_t type = sizeof(T) == sizeof(double) && std::is_floating_point_v<T>
                           ? H5T_NATIVE_DOUBLE
                           : H5T_NATIVE_LONG;
    const herr_t status = H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Sclose(space);
    H5Dclose(set);
    if (status < 0) throw InputError(concat(name_, ": ", path, " cannot be read"));
    return values;
  }
  SparseMatrix matrix(const std::string& file, const std::string& path) const {
    const auto one = [&](const char* name) {
      const std::vector<long> value = read<long>(path + name);
      return value.empty() ? 0 : value.front();
    };
    return SparseMatrix::from(file, one("/m"), one("/n"), one("/nz"), read<long>(path + "/p"),
                              read<long>(path + "/i"), read<double>(path + "/x"));
  }

private:
  std::string name_;
  hid_t file_ = -1;
};

/// A file that is made in memory, and written when it is whole.
class Hdf5Output {
public:
  explicit Hdf5Output(const std::string& path) : path_(path), name_(printable(path, 200)) {
    constexpr std::size_t kGrowth = std::size_t{1} << 20;
    constexpr hbool_t kInMemory = 0;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fapl_core(access, kGrowth, kInMemory) >= 0)
      file_ = H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (file_ < 0) fail("cannot be made");
  }
  ~Hdf5Output() {
    if (file_ >= 0) H5Fclose(file_);
  }
  Hdf5Output(const Hdf5Output&) = delete;
  Hdf5Output& operator=(const Hdf5Output&) = delete;

  void addGroup(const char* path) {
    const hid_t group = H5Gcreate2(file_, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0 || H5Gclose(group) < 0) fail(path);
  }
  void write(const char* path, const std::vector<int>& values) {
    add(path, H5T_NATIVE_INT, values.size(), values.data());
  }
  void write(const char* path, int value) { add(path, H5T_NATIVE_INT, 1, &value); }
  void write(const char* path, const std::vector<double>& values) {
    add(path, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void write(const char* path, const std::string& text) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, text.size() + 1);
    put(path, type, space, text.c_str());
    H5Tclose(type);
  }
  /// Writes the file; what was there stays until it is whole.
  void close() {
    if (H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0) fail("cannot be made");
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    std::string image(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
    if (size <= 0 || H5Fget_file_image(file_, image.data(), image.size()) != size)
      fail("cannot be made");
    io::writeFileAtomically(path_, image);
  }

private:
  [[noreturn]] void fail(const char* what) const {
    throw InputError(concat(name_, ": as HDF5: ", what));
  }
  void add(const char* path, hid_t type, std::size_t count, const void* values) {
    const hsize_t size = count;
    put(path, type, H5Screate_simple(1, &size, nullptr), values);
  }
  void put(const char* path, hid_t type, hid_t space, const void* values) {
    const hid_t set = H5Dcreate2(file_, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool written =
        set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    if (!written) fail(path);
  }

  std::string path_, name_;
  hid_t file_ = -1;
};

}  // namespace

void writeFclib(const std::string& path, const ContactFile& problem, const std::string& title,
                const std::string& description) {
  const std::size_t count = problem.friction.size();
  const DelassusMatrix& w = problem.matrix;
  if (9 * w.block.size() > std::size_t{std::numeric_limits<int>::max()}) {
    throw InputError(concat(printable(path, 200), ": more entries than an fclib file can number"));
  }
  std::vector<int> starts{0}, columns;
  std::vector<double> values, q;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::uint32_t k = w.rowStart[i]; k < w.rowStart[i + 1]; ++k) {
        for (std::size_t column = 0; column < 3; ++column) {
          columns.push_back(static_cast<int>(std::size_t{3} * w.column[k] + column));
          values.push_back(w.block[k][3 * row + column]);
        }
      }
      starts.push_back(static_cast<int>(values.size()));
    }
    q.insert(q.end(), {problem.free[i].x, problem.free[i].y, problem.free[i].z});
  }
  constexpr int kByRows = -2;
  const int size = static_cast<int>(3 * count);
  Hdf5Output out(path);
  for (const char* group :
       {"/fclib_local", "/fclib_local/W", "/fclib_local/vectors", "/fclib_local/info"}) {
    out.addGroup(group);
  }
  out.write("/fclib_local/spacedim", 3);
  out.write("/fclib_local/W/nzmax", static_cast<int>(values.size()));
  out.write("/fclib_local/W/m", size);
  out.write("/fclib_local/W/n", size);
  out.write("/fclib_local/W/nz", kByRows);
  out.write("/fclib_local/W/p", starts);
  out.write("/fclib_local/W/i", columns);
  out.write("/fclib_local/W/x", values);
  out.write("/fclib_local/vectors/q", q);
  out.write("/fclib_local/vectors/mu", problem.friction);
  out.write("/fclib_local/info/title", title);
  out.write("/fclib_local/info/description", description);
  out.write("/fclib_local/info/math_info", std::string());
  out.close();
}

ContactFile readFclib(const std::string& path) {
  const Hdf5File in(path);
  if (in.contains("/fclib_global")) {
    const std::string root = "/fclib_global";
    return fromMasses(path, in.matrix(path, root + "/M"), in.matrix(path, root + "/H"),
                      in.read<double>(root + "/vectors/f"), in.read<double>(root + "/vectors/w"),
                      in.read<double>(root + "/vectors/mu"));
  }
  if (!in.contains("/fclib_local")) {
    throw InputError(concat(printable(path, 200), ": holds neither fclib_local nor fclib_global"));
  }
  const std::string root = "/fclib_local";
  const SparseMatrix w = in.matrix(path, root + "/W");
  const std::vector<double> q = in.read<double>(root + "/vectors/q");
  ContactFile file;
  file.friction = in.read<double>(root + "/vectors/mu");
  if (w.rows != 3 * file.friction.size() || w.columns != w.rows || q.size() != w.rows) {
    throw InputError(concat(printable(path, 200), ": W, q and mu do not fit together"));
  }
  file.matrix = toBlocks(w);
  for (std::size_t k = 0; k < file.friction.size(); ++k) {
    file.free.push_back({q[3 * k], q[3 * k + 1], q[3 * k + 2]});
  }
  return file;
}

}  // namespace abut::tool

#else

namespace abut::tool {

void writeFclib(const std::string& path, const ContactFile&, const std::string&,
                const std::string&) {
  throw io::InputError(io::concat(io::printable(path, 200),
                                  ": this abut was built without HDF5; install libhdf5-dev and "
                                  "build again"));
}

ContactFile readFclib(const std::string& path) {
  throw io::InputError(io::concat(io::printable(path, 200),
                                  ": this abut was built without HDF5; install libhdf5-dev and "
                                  "build again, or give the problem as .dat"));
}

}  // namespace abut::tool

#endif
