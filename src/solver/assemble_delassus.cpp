// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include <abut/solver/contact_problem.hpp>

#include "math/vec3.hpp"
#include "solver/prepared_contacts.hpp"

namespace abut::inline v0_1 {
namespace {

/// Solves M X = B for three columns at once, M of n rows and B stored by columns, by elimination
/// with row exchanges. False if M has no inverse.
bool solveThree(std::vector<double>& m, std::vector<double>& columns, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (absOf(m[i * n + k]) > absOf(m[best * n + k])) best = i;
    }
    if (!isFinite(m[best * n + k]) || m[best * n + k] == 0.0) return false;
    for (std::size_t j = 0; j < n && best != k; ++j) std::swap(m[best * n + j], m[k * n + j]);
    for (std::size_t c = 0; c < 3 && best != k; ++c) {
      std::swap(columns[c * n + best], columns[c * n + k]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = m[i * n + k] / m[k * n + k];
      if (factor == 0.0) continue;
      for (std::size_t j = k; j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
      for (std::size_t c = 0; c < 3; ++c) columns[c * n + i] -= factor * columns[c * n + k];
    }
  }
  for (std::size_t c = 0; c < 3; ++c) {
    double* x = columns.data() + c * n;
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) x[i] -= m[i * n + j] * x[j];
      x[i] /= m[i * n + i];
    }
  }
  return true;
}

/// A contact's rows for one body, and M^-1 times them.
struct Side {
  std::uint32_t contact = 0;
  std::size_t rows = 0;          // Into the problem's rows.
  std::vector<double> answered;  // Three columns.
};

/// Blocks by (row, column); those of the same place are summed in the order given.
using Entry = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::array<double, 9>>;

void collect(std::vector<Entry>& entries, std::size_t count, DelassusMatrix& matrix) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.first < b.first; });
  matrix.rowStart.assign(count + 1, 0);
  matrix.column.clear();
  matrix.block.clear();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k > 0 && entries[k].first == entries[k - 1].first) {
      for (std::size_t i = 0; i < 9; ++i) matrix.block.back()[i] += entries[k].second[i];
      continue;
    }
    matrix.column.push_back(entries[k].first.second);
    matrix.block.push_back(entries[k].second);
    ++matrix.rowStart[entries[k].first.first + 1];
  }
  for (std::size_t i = 0; i < count; ++i) matrix.rowStart[i + 1] += matrix.rowStart[i];
}

}  // namespace

bool assembleDelassus(const JacobianProblem& problem, DelassusMatrix& matrix) {
  const std::size_t numBodies = problem.bodySize.size(), count = problem.friction.size();
  std::vector<std::size_t> massAt(numBodies);
  std::size_t next = 0;
  for (std::size_t b = 0; b < numBodies; ++b) {
    massAt[b] = next;
    next += std::size_t{problem.bodySize[b]} * problem.bodySize[b];
  }
  std::vector<std::vector<Side>> sides(numBodies);
  std::vector<double> m;
  next = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t k = problem.first[i]; k < problem.first[i + 1]; ++k) {
      const std::uint32_t b = problem.body[k];
      const std::size_t n = problem.bodySize[b];
      Side side{i, next, {}};
      const double* rows = problem.rows.data() + next;
      side.answered.assign(rows, rows + 3 * n);
      const double* mass = problem.mass.data() + massAt[b];
      m.assign(mass, mass + n * n);
      if (!solveThree(m, side.answered, n)) return false;
      sides[b].push_back(std::move(side));
      next += 3 * n;
    }
  }
  std::vector<Entry> entries;
  for (std::size_t b = 0; b < numBodies; ++b) {
    const std::size_t n = problem.bodySize[b];
    for (const Side& row : sides[b]) {
      for (const Side& column : sides[b]) {
        Entry entry{{row.contact, column.contact}, {}};
        for (std::size_t i = 0; i < 3; ++i) {
          const double* h = problem.rows.data() + row.rows + i * n;
          for (std::size_t j = 0; j < 3; ++j) {
            double sum = 0.0;
            for (std::size_t k = 0; k < n; ++k) sum += h[k] * column.answered[j * n + k];
            entry.second[3 * i + j] = sum;
          }
        }
        entries.push_back(entry);
      }
    }
  }
  collect(entries, count, matrix);
  return true;
}

void assembleDelassus(const ContactProblem& problem, std::span<const BodyVelocity> free,
                      DelassusMatrix& matrix, std::vector<Vec3>& atContacts,
                      std::vector<std::uint32_t>& kept) {
  std::vector<PreparedContact> prepared;
  prepareContacts(problem, prepared);
  struct Touch {
    std::uint32_t contact;  // Among those that are kept.
    const PreparedContact::Side* side;
    double sign;
  };
  std::vector<std::vector<Touch>> touches(problem.bodies.size());
  atContacts.clear();
  kept.clear();
  for (std::uint32_t k = 0; k < prepared.size(); ++k) {
    const PreparedContact& c = prepared[k];
    if (!(c.block.a > 0.0)) continue;
    const auto number = static_cast<std::uint32_t>(kept.size());
    touches[c.side1.body].push_back({number, &c.side1, 1.0});
    touches[c.side2.body].push_back({number, &c.side2, -1.0});
    atContacts.push_back(relativeVelocity(c, free));
    kept.push_back(k);
  }
  std::vector<Entry> entries;
  for (const std::vector<Touch>& ofBody : touches) {
    for (const Touch& row : ofBody) {
      const Vec3(&axis)[3] = prepared[kept[row.contact]].axis;
      for (const Touch& column : ofBody) {
        Entry entry{{row.contact, column.contact}, {}};
        bool answers = row.contact == column.contact;
        for (std::size_t i = 0; i < 3; ++i) {
          for (std::size_t j = 0; j < 3; ++j) {
            const double answer = dot(axis[i], column.side->linear[j]) +
                                  dot(row.side->lever[i], column.side->angular[j]);
            entry.second[3 * i + j] = (row.sign * column.sign) * answer;
            answers = answers || answer != 0.0;
          }
        }
        if (answers) entries.push_back(entry);
      }
    }
  }
  collect(entries, kept.size(), matrix);
}

}  // namespace abut::inline v0_1
