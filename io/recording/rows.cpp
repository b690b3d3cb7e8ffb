// SPDX-License-Identifier: MIT
#include "io/recording/rows.hpp"

#include <cstring>
#include <limits>

#include "io/core/text.hpp"

namespace abut::inline v0_1::io {
namespace {

std::uint64_t bitsOf(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}
double doubleOf(std::uint64_t bits) {
  double v = 0.0;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

/// How a value of type T stands in words.
template <typename T>
struct Words {
  static_assert(std::is_integral_v<T>);
  static constexpr std::size_t kWidth = 1;
  static constexpr Holds kHolds = Holds::Whole;
  static void put(const T& v, std::uint64_t* w) { *w = static_cast<std::uint64_t>(v); }
  static void get(const std::uint64_t* w, T& v) {
    if (*w > static_cast<std::uint64_t>(std::numeric_limits<T>::max()))
      throw InputError(concat("a number of ", *w, " where at most ", std::numeric_limits<T>::max(),
                              " is possible"));
    v = static_cast<T>(*w);
  }
};

template <>
struct Words<double> {
  static constexpr std::size_t kWidth = 1;
  static constexpr Holds kHolds = Holds::Number;
  static void put(const double& v, std::uint64_t* w) { *w = bitsOf(v); }
  static void get(const std::uint64_t* w, double& v) { v = doubleOf(*w); }
};

template <>
struct Words<bool> {
  static constexpr std::size_t kWidth = 1;
  static constexpr Holds kHolds = Holds::Flag;
  static void put(const bool& v, std::uint64_t* w) { *w = v ? 1 : 0; }
  static void get(const std::uint64_t* w, bool& v) {
    if (*w > 1) throw InputError(concat("a flag of ", *w));
    v = *w == 1;
  }
};

template <>
struct Words<EventKind> {
  static constexpr std::size_t kWidth = 1;
  static constexpr Holds kHolds = Holds::Kind;
  static void put(const EventKind& v, std::uint64_t* w) { *w = static_cast<std::uint64_t>(v); }
  static void get(const std::uint64_t* w, EventKind& v) {
    if (*w >= kNumEventKinds) throw InputError(concat("unknown kind ", *w));
    v = static_cast<EventKind>(*w);
  }
};

template <>
struct Words<Vec3> {
  static constexpr std::size_t kWidth = 3;
  static constexpr Holds kHolds = Holds::Number;
  static void put(const Vec3& v, std::uint64_t* w) {
    w[0] = bitsOf(v.x);
    w[1] = bitsOf(v.y);
    w[2] = bitsOf(v.z);
  }
  static void get(const std::uint64_t* w, Vec3& v) {
    v = {doubleOf(w[0]), doubleOf(w[1]), doubleOf(w[2])};
  }
};

template <>
struct Words<Eigen::Vector3d> {
  static constexpr std::size_t kWidth = 3;
  static constexpr Holds kHolds = Holds::Number;
  static void put(const Eigen::Vector3d& v, std::uint64_t* w) {
    for (int k = 0; k < 3; ++k) w[k] = bitsOf(v[k]);
  }
  static void get(const std::uint64_t* w, Eigen::Vector3d& v) {
    for (int k = 0; k < 3; ++k) v[k] = doubleOf(w[k]);
  }
};

template <>
struct Words<Quat> {
  static constexpr std::size_t kWidth = 4;
  static constexpr Holds kHolds = Holds::Number;
  static void put(const Quat& q, std::uint64_t* w) {
    w[0] = bitsOf(q.w);
    w[1] = bitsOf(q.x);
    w[2] = bitsOf(q.y);
    w[3] = bitsOf(q.z);
  }
  static void get(const std::uint64_t* w, Quat& q) {
    q = {doubleOf(w[0]), doubleOf(w[1]), doubleOf(w[2]), doubleOf(w[3])};
  }
};

template <typename Value>
using WordsOf = Words<std::remove_cvref_t<Value>>;

template <typename Record>
std::vector<Column> makeColumns() {
  std::vector<Column> columns;
  std::size_t at = 0;
  const Record record{};
  visitFields(record, [&](const Field& f, const auto& value) {
    using W = WordsOf<decltype(value)>;
    const Holds holds = f.holds == Holds::Number ? W::kHolds : f.holds;
    columns.push_back(
        {std::string(f.name), std::string(f.unit), f.stage, f.digits, holds, W::kWidth, at});
    at += W::kWidth;
  });
  return columns;
}

bool isUpper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

template <typename Record>
const std::vector<Column>& columnsOf() {
  static const std::vector<Column> columns = makeColumns<Record>();
  return columns;
}

template <typename Record>
std::size_t rowWidth() {
  const Column& last = columnsOf<Record>().back();
  return last.first + last.width;
}

template <typename Record>
void toRow(const Record& record, std::uint64_t* row) {
  visitFields(record, [&](const Field& /*field*/, const auto& value) {
    using W = WordsOf<decltype(value)>;
    W::put(value, row);
    row += W::kWidth;
  });
}

template <typename Record>
void fromRow(const std::uint64_t* row, Record& record) {
  visitFields(record, [&](const Field& /*field*/, auto& value) {
    using W = WordsOf<decltype(value)>;
    W::get(row, value);
    row += W::kWidth;
  });
}

template <typename Record>
void toRows(const std::vector<Record>& records, std::vector<std::uint64_t>& words) {
  const std::size_t width = rowWidth<Record>();
  words.resize(records.size() * width);
  for (std::size_t i = 0; i < records.size(); ++i) toRow(records[i], words.data() + i * width);
}

// A template's argument takes no parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define ABUT_ROWS_OF(Record)                                    \
  template const std::vector<Column>& columnsOf<Record>();      \
  template std::size_t rowWidth<Record>();                      \
  template void toRow<Record>(const Record&, std::uint64_t*);   \
  template void fromRow<Record>(const std::uint64_t*, Record&); \
  template void toRows<Record>(const std::vector<Record>&, std::vector<std::uint64_t>&);
// NOLINTEND(bugprone-macro-parentheses)
ABUT_ROWS_OF(Frame)
ABUT_ROWS_OF(BodyFrame)
ABUT_ROWS_OF(ContactFrame)
ABUT_ROWS_OF(EventFrame)
ABUT_ROWS_OF(DriverFrame)
ABUT_ROWS_OF(JointFrame)
ABUT_ROWS_OF(EnergyAccount)
ABUT_ROWS_OF(StepReport)
#undef ABUT_ROWS_OF

double numberOf(Holds holds, std::uint64_t word) {
  return holds == Holds::Number ? doubleOf(word) : static_cast<double>(word);
}

std::string titleOf(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool begins = isUpper(c) || (isDigit(c) && !out.empty());
    if (begins) out += ' ';
    out += isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string snakeOf(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (isUpper(c)) out += '_';
    out += isUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string_view componentOf(const Column& column, std::size_t k) {
  static constexpr std::string_view kVector[] = {".x", ".y", ".z"};
  static constexpr std::string_view kTurn[] = {".w", ".x", ".y", ".z"};
  if (column.width == 1) return "";
  return column.width == 3 ? kVector[k] : kTurn[k];
}

}  // namespace abut::inline v0_1::io
