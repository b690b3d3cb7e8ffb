// SPDX-License-Identifier: MIT
#include "contact_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>

#include "io/core/text.hpp"

namespace abut::tool {
namespace {

using io::concat;
using io::InputError;
using io::printable;

std::string nameOf(const std::string& path) {
  return printable(path, 200);
}

/// Words of a text file that are numbers.
class Numbers {
public:
  explicit Numbers(const std::string& path) : name_(nameOf(path)), in_(path) {
    if (!in_) throw InputError(concat(name_, ": cannot be opened"));
  }
  double number() {
    double x = 0.0;
    if (!(in_ >> x) || !std::isfinite(x)) {
      throw InputError(concat(name_, ": number ", std::to_string(count_ + 1),
                              " is missing or not finite; a contact problem was expected"));
    }
    ++count_;
    return x;
  }
  std::size_t size(std::size_t most) {
    const double x = number();
    if (!(x >= 0.0) || x > static_cast<double>(most) || x != std::floor(x)) {
      throw InputError(concat(name_, ": number ", std::to_string(count_), " is ", std::to_string(x),
                              ", not a count up to ", std::to_string(most)));
    }
    return static_cast<std::size_t>(x);
  }
  void fail(const std::string& what) const { throw InputError(concat(name_, ": ", what)); }

private:
  std::string name_;
  std::ifstream in_;
  std::size_t count_ = 0;
};

constexpr std::size_t kMaxContacts = 1000000, kMaxBlocks = 100000000;

SparseMatrix readDense(Numbers& in, std::size_t size) {
  SparseMatrix w;
  w.rows = in.size(size);
  w.columns = in.size(size);
  for (std::size_t i = 0; i < w.rows; ++i) {
    for (std::size_t j = 0; j < w.columns; ++j) {
      const double x = in.number();
      if (x == 0.0) continue;
      w.row.push_back(static_cast<std::uint32_t>(i));
      w.column.push_back(static_cast<std::uint32_t>(j));
      w.value.push_back(x);
    }
  }
  return w;
}

/// Blocks by rows: index1[i] is where row i begins, index2[k] the column of block k.
SparseMatrix readBlocks(Numbers& in, std::size_t contacts) {
  const std::size_t numBlocks = in.size(kMaxBlocks);
  const std::size_t rows = in.size(contacts), columns = in.size(contacts);
  if (rows != contacts || columns != contacts) in.fail("block rows are not the contacts");
  for (std::size_t i = 0; i < rows + columns; ++i) in.number();  // Cumulative sizes.
  const std::size_t numStarts = in.size(kMaxBlocks), numColumns = in.size(kMaxBlocks);
  if (numStarts < rows + 1 || numColumns < numBlocks) in.fail("its index is too short");
  // They grow with what is read: a file may announce more than it holds.
  std::vector<std::size_t> start, column;
  for (std::size_t i = 0; i < numStarts; ++i) start.push_back(in.size(kMaxBlocks));
  for (std::size_t i = 0; i < numColumns; ++i) column.push_back(in.size(kMaxBlocks));
  SparseMatrix w;
  w.rows = w.columns = 3 * contacts;
  std::size_t row = 0;
  for (std::size_t k = 0; k < numBlocks; ++k) {
    while (row + 1 < numStarts && start[row + 1] <= k) ++row;
    if (in.size(numBlocks) != k || row >= rows || column[k] >= columns) {
      in.fail(concat("block ", std::to_string(k), " is out of place"));
    }
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) {
        w.row.push_back(static_cast<std::uint32_t>(3 * row + i));
        w.column.push_back(static_cast<std::uint32_t>(3 * column[k] + j));
        w.value.push_back(in.number());
      }
    }
  }
  return w;
}

ContactFile readText(const std::string& path) {
  Numbers in(path);
  if (in.size(3) != 3) in.fail("problems in the plane are not read");
  const std::size_t contacts = in.size(kMaxContacts);
  const std::size_t storage = in.size(1);
  in.size(3 * contacts);
  in.size(3 * contacts);
  const SparseMatrix w = storage == 0 ? readDense(in, 3 * contacts) : readBlocks(in, contacts);
  if (w.rows != 3 * contacts || w.columns != 3 * contacts) in.fail("W is not square");
  ContactFile file;
  file.matrix = toBlocks(w);
  for (std::size_t k = 0; k < contacts; ++k) {
    const double x = in.number(), y = in.number(), z = in.number();
    file.free.push_back({x, y, z});
  }
  for (std::size_t k = 0; k < contacts; ++k) file.friction.push_back(in.number());
  return file;
}

/// Groups of coordinates that the mass matrix joins, numbered by their first coordinate.
std::vector<std::uint32_t> groupsOf(const SparseMatrix& mass) {
  std::vector<std::uint32_t> root(mass.rows);
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&root](std::uint32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::size_t k = 0; k < mass.value.size(); ++k) {
    if (mass.value[k] == 0.0) continue;
    const std::uint32_t a = find(mass.row[k]), b = find(mass.column[k]);
    root[std::max(a, b)] = std::min(a, b);
  }
  for (std::uint32_t i = 0; i < root.size(); ++i) root[i] = find(i);
  return root;
}

}  // namespace

SparseMatrix SparseMatrix::from(const std::string& file, long rows, long columns, long nz,
                                const std::vector<long>& p, const std::vector<long>& i,
                                const std::vector<double>& x) {
  const auto fail = [&file] { throw InputError(concat(nameOf(file), ": a matrix is damaged")); };
  if (rows <= 0 || columns <= 0 || rows > 3000000 || columns > 3000000) fail();
  SparseMatrix m;
  m.rows = static_cast<std::size_t>(rows);
  m.columns = static_cast<std::size_t>(columns);
  const auto add = [&](long r, long c, double entry) {
    if (r < 0 || r >= rows || c < 0 || c >= columns || !std::isfinite(entry)) fail();
    m.row.push_back(static_cast<std::uint32_t>(r));
    m.column.push_back(static_cast<std::uint32_t>(c));
    m.value.push_back(entry);
  };
  if (nz >= 0) {
    const std::size_t count = static_cast<std::size_t>(nz);
    if (p.size() < count || i.size() < count || x.size() < count) fail();
    for (std::size_t k = 0; k < count; ++k) add(i[k], p[k], x[k]);
    return m;
  }
  const bool byColumns = nz == -1;
  const std::size_t lines = byColumns ? m.columns : m.rows;
  if (p.size() < lines + 1) fail();
  for (std::size_t line = 0; line < lines; ++line) {
    if (p[line] < 0 || p[line + 1] < p[line] ||
        static_cast<std::size_t>(p[line + 1]) > std::min(i.size(), x.size())) {
      fail();
    }
    for (std::size_t k = static_cast<std::size_t>(p[line]);
         k < static_cast<std::size_t>(p[line + 1]); ++k) {
      const long here = static_cast<long>(line);
      add(byColumns ? i[k] : here, byColumns ? here : i[k], x[k]);
    }
  }
  return m;
}

DelassusMatrix toBlocks(const SparseMatrix& w) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::array<double, 9>> blocks;
  const std::size_t count = w.rows / 3;
  for (std::uint32_t i = 0; i < count; ++i) blocks[{i, i}] = {};
  for (std::size_t k = 0; k < w.value.size(); ++k) {
    blocks[{w.row[k] / 3, w.column[k] / 3}][3 * (w.row[k] % 3) + w.column[k] % 3] += w.value[k];
  }
  DelassusMatrix m;
  m.rowStart.assign(count + 1, 0);
  for (const auto& [at, block] : blocks) {
    m.column.push_back(at.second);
    m.block.push_back(block);
    ++m.rowStart[at.first + 1];
  }
  for (std::size_t i = 0; i < count; ++i) m.rowStart[i + 1] += m.rowStart[i];
  return m;
}

ContactFile fromMasses(const std::string& file, const SparseMatrix& mass, const SparseMatrix& rows,
                       const std::vector<double>& force, const std::vector<double>& offset,
                       const std::vector<double>& friction) {
  const std::size_t n = mass.rows, contacts = friction.size();
  if (mass.columns != n || rows.rows != n || rows.columns != 3 * contacts || force.size() != n ||
      offset.size() != 3 * contacts) {
    throw InputError(concat(nameOf(file), ": M, H, f, w and mu do not fit together"));
  }
  const std::vector<std::uint32_t> root = groupsOf(mass);
  std::vector<std::uint32_t> group(n), place(n), size;
  std::map<std::uint32_t, std::uint32_t> number;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto [at, isNew] = number.try_emplace(root[i], static_cast<std::uint32_t>(size.size()));
    if (isNew) size.push_back(0);
    group[i] = at->second;
    place[i] = size[at->second]++;
  }
  std::vector<std::size_t> start(size.size() + 1, 0);
  for (std::size_t g = 0; g < size.size(); ++g) {
    start[g + 1] = start[g] + std::size_t{size[g]} * size[g];
  }
  std::vector<double> masses(start.back(), 0.0);
  for (std::size_t k = 0; k < mass.value.size(); ++k) {
    const std::uint32_t i = mass.row[k], j = mass.column[k];
    if (mass.value[k] == 0.0) continue;
    masses[start[group[i]] + std::size_t{place[i]} * size[group[i]] + place[j]] += mass.value[k];
  }
  // One contact more whose first row is f: its column of W is H^T M^-1 f.
  std::vector<std::map<std::uint32_t, std::vector<double>>> moved(contacts + 1);
  const auto add = [&](std::size_t contact, std::size_t row, std::uint32_t i, double x) {
    std::vector<double>& block = moved[contact][group[i]];
    block.resize(3 * std::size_t{size[group[i]]}, 0.0);
    block[row * size[group[i]] + place[i]] += x;
  };
  for (std::size_t k = 0; k < rows.value.size(); ++k) {
    add(rows.column[k] / 3, rows.column[k] % 3, rows.row[k], rows.value[k]);
  }
  for (std::uint32_t i = 0; i < n; ++i) add(contacts, 0, i, force[i]);
  std::vector<std::uint32_t> first(1, 0), body;
  std::vector<double> values;
  for (const auto& contact : moved) {
    for (const auto& [b, block] : contact) {
      body.push_back(b);
      values.insert(values.end(), block.begin(), block.end());
    }
    first.push_back(static_cast<std::uint32_t>(body.size()));
  }
  std::vector<double> withForce = friction;
  withForce.push_back(0.0);
  DelassusMatrix all;
  if (!assembleDelassus({size, masses, first, body, values, {}, withForce}, all)) {
    throw InputError(concat(nameOf(file), ": M has no inverse"));
  }
  ContactFile out;
  out.friction = friction;
  out.matrix.rowStart.assign(1, 0);
  for (std::size_t i = 0; i < contacts; ++i) {
    Vec3 q{offset[3 * i], offset[3 * i + 1], offset[3 * i + 2]};
    bool hasOwn = false;
    for (std::uint32_t k = all.rowStart[i]; k < all.rowStart[i + 1]; ++k) {
      const std::array<double, 9>& b = all.block[k];
      if (all.column[k] == contacts) {
        q = {q.x + b[0], q.y + b[3], q.z + b[6]};
        continue;
      }
      hasOwn = hasOwn || all.column[k] == i;
      out.matrix.column.push_back(all.column[k]);
      out.matrix.block.push_back(b);
    }
    if (!hasOwn) throw InputError(concat(nameOf(file), ": a contact moves nothing"));
    out.matrix.rowStart.push_back(static_cast<std::uint32_t>(out.matrix.column.size()));
    out.free.push_back(q);
  }
  return out;
}

namespace {

/// What a solver takes for granted.
void checkNumbers(const std::string& path, const ContactFile& file) {
  const auto require = [&path](bool sound, const char* what, std::size_t contact) {
    if (sound) return;
    throw InputError(concat(nameOf(path), ": contact ", std::to_string(contact), ": ", what));
  };
  for (std::size_t k = 0; k < file.friction.size(); ++k) {
    const Vec3& q = file.free[k];
    require(std::isfinite(file.friction[k]) && file.friction[k] >= 0.0,
            "its friction is no number >= 0", k);
    require(std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z),
            "its velocity without impulses is not finite", k);
    for (std::uint32_t i = file.matrix.rowStart[k]; i < file.matrix.rowStart[k + 1]; ++i) {
      for (const double x : file.matrix.block[i]) {
        require(std::isfinite(x), "its response is not finite", k);
      }
    }
  }
}

}  // namespace

ContactFile readContactFile(const std::string& path) {
  const auto endsWith = [&path](const std::string& end) {
    return path.size() >= end.size() &&
           path.compare(path.size() - end.size(), end.size(), end) == 0;
  };
  const bool isFclib = endsWith(".hdf5") || endsWith(".h5");
  if (!isFclib && !endsWith(".dat")) {
    throw InputError(concat(nameOf(path), ": ends neither in .dat nor in .hdf5"));
  }
  ContactFile file = isFclib ? readFclib(path) : readText(path);
  checkNumbers(path, file);
  return file;
}

double errorOf(const ContactFile& file, const std::vector<Vec3>& r, const std::vector<Vec3>& u) {
  double missing = 0.0, ofQ = 0.0, ofR = 0.0, ofU = 0.0;
  const auto square = [](const Vec3& v) { return v.x * v.x + v.y * v.y + v.z * v.z; };
  for (std::size_t k = 0; k < r.size(); ++k) {
    const double mu = file.friction[k];
    const double zn = r[k].x - (u[k].x + mu * std::hypot(u[k].y, u[k].z));
    const double z1 = r[k].y - u[k].y, z2 = r[k].z - u[k].z, t = std::hypot(z1, z2);
    Vec3 p{};
    if (t <= mu * zn) {
      p = {zn, z1, z2};
    } else if (mu * t > -zn) {
      const double n = (zn + mu * t) / (1.0 + mu * mu);
      p = {n, t > 0.0 ? mu * n * z1 / t : 0.0, t > 0.0 ? mu * n * z2 / t : 0.0};
    }
    missing += square({r[k].x - p.x, r[k].y - p.y, r[k].z - p.z});
    ofQ += square(file.free[k]);
    ofR += square(r[k]);
    ofU += square(u[k]);
  }
  const double size = std::max(ofQ, std::max(ofR, ofU));
  return size > 0.0 ? std::sqrt(missing / size) : std::sqrt(missing);
}

}  // namespace abut::tool
