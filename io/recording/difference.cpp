// SPDX-License-Identifier: MIT
#include "io/recording/difference.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/core/text.hpp"
#include "io/recording/rows.hpp"

namespace abut::inline v0_1::io {
namespace {

/// No record has more words.
constexpr std::size_t kMostWords = 64;

std::uint64_t bitsOf(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

/// The first word in which two rows differ, or the number of words.
template <typename Record>
std::size_t firstDifference(const Record& a, const Record& b, std::optional<Stage> stage) {
  const std::size_t width = rowWidth<Record>();
  std::array<std::uint64_t, kMostWords> p{}, q{};
  toRow(a, p.data());
  toRow(b, q.data());
  for (const Column& column : columnsOf<Record>()) {
    if (stage && column.stage != *stage) continue;
    for (std::size_t k = column.first; k < column.first + column.width; ++k)
      if (p[k] != q[k]) return k;
  }
  return width;
}

class Comparer {
public:
  Comparer(const RunHeader& header, const Frame& a, const Frame& b)
      : header_(header), a_(a), b_(b) {
    out_.step = b.step;
    out_.time = b.time;
  }

  bool run() {
    return step() || contacts(Stage::Detection, "narrow_phase") || bodies(Stage::Detection) ||
           bodies(Stage::Solver) || contacts(Stage::Solver, "solver") || report() ||
           bodies(Stage::Integration) || joints() || events() || drivers() || books() ||
           bodies(Stage::Ledger) || hashes();
  }
  Difference take() { return std::move(out_); }

private:
  const RunHeader& header_;
  const Frame &a_, &b_;
  Difference out_;

  [[nodiscard]] std::string nameOf(ObjectId id) const {
    for (const BodyRecord& body : header_.bodies)
      if (body.id == id) return printable(body.name);
    return concat("body ", id);
  }
  [[nodiscard]] std::string nameOfJoint(ObjectId id) const {
    for (const JointRecord& joint : header_.joints)
      if (joint.id == id) return printable(joint.name);
    return concat("", id);
  }
  [[nodiscard]] std::string pairOf(ObjectId a, ObjectId b) const {
    return concat(nameOf(a), "/", nameOf(b));
  }

  bool found(std::string_view stage, std::string object, std::string field, std::string detail) {
    out_.stage = stage;
    out_.object = std::move(object);
    out_.field = std::move(field);
    out_.detail = std::move(detail);
    return true;
  }
  bool counts(std::string_view stage, std::string_view object, std::string_view field,
              std::uint64_t a, std::uint64_t b) {
    return a != b &&
           found(stage, std::string(object), std::string(field), concat(a, " before, ", b, " now"));
  }

  /// Compares the fields of one stage, or all; `object` is asked only where they differ.
  template <typename Record, typename Object>
  bool records(std::string_view name, const Record& a, const Record& b, std::optional<Stage> stage,
               const Object& object) {
    const std::size_t word = firstDifference(a, b, stage);
    if (word == rowWidth<Record>()) return false;
    std::array<std::uint64_t, kMostWords> p{}, q{};
    toRow(a, p.data());
    toRow(b, q.data());
    for (const Column& column : columnsOf<Record>()) {
      if (word < column.first || word >= column.first + column.width) continue;
      found(name, object(), concat(column.name, componentOf(column, word - column.first)),
            detailOf(column.holds, p[word], q[word]));
    }
    return true;
  }
  static std::string detailOf(Holds holds, std::uint64_t p, std::uint64_t q) {
    if (holds != Holds::Number) return concat(p, " before, ", q, " now");
    const double a = numberOf(holds, p), b = numberOf(holds, q);
    const std::uint64_t ulps = ulpsBetween(a, b);
    constexpr std::uint64_t kMany = 1'000'000;
    return ulps <= kMany ? concat(ulps, " ulp") : concat(toText(a), " before, ", toText(b), " now");
  }

  bool step() {
    return counts("step", "step", "number", a_.step, b_.step) ||
           records("step", a_, b_, Stage::Solver, [] { return std::string("step"); }) ||
           counts("step", "step", "bodies", a_.bodies.size(), b_.bodies.size());
  }

  bool contacts(Stage stage, std::string_view name) {
    if (counts(name, "contacts", "count", a_.contacts.size(), b_.contacts.size())) return true;
    for (std::size_t i = 0; i < a_.contacts.size(); ++i) {
      const ContactFrame& c = b_.contacts[i];
      if (records(name, a_.contacts[i], c, stage,
                  [&] { return concat("contact of ", pairOf(c.object1, c.object2)); }))
        return true;
    }
    return false;
  }

  bool bodies(Stage stage) {
    for (std::size_t i = 0; i < a_.bodies.size(); ++i) {
      const ObjectId id = i < header_.bodies.size() ? header_.bodies[i].id : kNoObject;
      if (!records(nameOf(stage), a_.bodies[i], b_.bodies[i], stage,
                   [&] { return concat("body ", nameOf(id)); }))
        continue;
      nameAPair(id);
      // Without a contact the solver has no part in it.
      if (stage == Stage::Solver && out_.pair.empty()) out_.stage = "integration";
      return true;
    }
    return false;
  }
  static std::string_view nameOf(Stage stage) {
    switch (stage) {
      case Stage::Detection:
        return "narrow_phase";
      case Stage::Solver:
        return "solver";
      case Stage::Integration:
        return "integration";
      case Stage::Events:
        return "events";
      case Stage::Ledger:
        return "ledger";
    }
    return "";
  }
  /// One contact of a body, if it has any.
  void nameAPair(ObjectId id) {
    for (const ContactFrame& c : b_.contacts) {
      if (c.object1 != id && c.object2 != id) continue;
      out_.pair = pairOf(c.object1, c.object2);
      return;
    }
  }

  bool report() {
    return records("solver", a_.report, b_.report, std::nullopt,
                   [] { return std::string("step"); });
  }

  bool events() {
    if (counts("events", "events", "count", a_.events.size(), b_.events.size())) return true;
    for (std::size_t i = 0; i < a_.events.size(); ++i) {
      const EventFrame& e = b_.events[i];
      if (records("events", a_.events[i], e, std::nullopt,
                  [&] { return concat("event of ", pairOf(e.object1, e.object2)); }))
        return true;
    }
    return false;
  }

  bool drivers() {
    if (counts("ledger", "drivers", "count", a_.drivers.size(), b_.drivers.size())) return true;
    for (std::size_t i = 0; i < a_.drivers.size(); ++i) {
      const DriverFrame& d = b_.drivers[i];
      if (records("ledger", a_.drivers[i], d, std::nullopt,
                  [&] { return concat("driver ", nameOf(d.body)); }))
        return true;
    }
    return false;
  }

  bool joints() {
    if (counts("solver", "joints", "count", a_.joints.size(), b_.joints.size())) return true;
    for (std::size_t i = 0; i < a_.joints.size(); ++i) {
      const JointFrame& j = b_.joints[i];
      if (records("solver", a_.joints[i], j, std::nullopt,
                  [&] { return concat("joint ", nameOfJoint(j.joint)); }))
        return true;
    }
    return false;
  }

  bool books() {
    return records("ledger", a_.stepEnergy, b_.stepEnergy, std::nullopt,
                   [] { return std::string("energy of the step"); }) ||
           records("ledger", a_.totalEnergy, b_.totalEnergy, std::nullopt,
                   [] { return std::string("energy of the run"); });
  }

  bool hashes() {
    if (a_.hash == b_.hash) return false;
    return found("manifold", "remembered contacts", "hash",
                 concat(toHex(a_.hash), " before, ", toHex(b_.hash), " now"));
  }
};

}  // namespace

std::uint64_t ulpsBetween(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<std::uint64_t>::max();
  // Doubles as integers in their own order: the negative ones run backwards.
  const auto ordered = [](double v) {
    const std::uint64_t bits = bitsOf(v);
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    return (bits & kSign) != 0 ? kSign - (bits & ~kSign) : kSign + bits;
  };
  const std::uint64_t p = ordered(a), q = ordered(b);
  return p < q ? q - p : p - q;
}

std::optional<Difference> findDifference(const RunHeader& header, const Frame& a, const Frame& b) {
  Comparer comparer(header, a, b);
  if (!comparer.run()) return std::nullopt;
  return comparer.take();
}

std::string Difference::toText() const {
  return concat("first difference at step ", step, ", stage ", stage, ", ", object, ", ", field,
                ", ", detail, pair.empty() ? "" : concat(" (pair ", pair, ")"));
}

}  // namespace abut::inline v0_1::io
