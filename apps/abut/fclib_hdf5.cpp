// SPDX-License-Identifier: MIT
#include "contact_file.hpp"
#include "io/core/text.hpp"

#if ABUT_HAS_HDF5

#include <hdf5.h>

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

}  // namespace

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

ContactFile readFclib(const std::string& path) {
  throw io::InputError(io::concat(io::printable(path, 200),
                                  ": this abut was built without HDF5; install libhdf5-dev and "
                                  "build again, or give the problem as .dat"));
}

}  // namespace abut::tool

#endif
