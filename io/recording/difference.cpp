// SPDX-License-Identifier: MIT
#include "io/recording/difference.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "io/core/text.hpp"

namespace abut::io {
namespace {

std::uint64_t bitsOf(double v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof bits);
  return bits;
}

class Comparer {
public:
  Comparer(const RunHeader& header, const Frame& a, const Frame& b)
      : header_(header), a_(a), b_(b) {
    out_.step = b.step;
    out_.time = b.time;
  }

  bool run() {
    return step() || detection() || velocities() || forces() || places() || events() || drivers() ||
           books() || hashes();
  }
  Difference take() { return std::move(out_); }

private:
  const RunHeader& header_;
  const Frame &a_, &b_;
  Difference out_;
  // What is being compared; put into words only where a difference is found.
  std::string_view stage_, object_;
  ObjectId first_ = kNoObject, second_ = kNoObject;

  [[nodiscard]] std::string nameOf(ObjectId id) const {
    for (const BodyRecord& body : header_.bodies)
      if (body.id == id) return printable(body.name);
    return concat("body ", id);
  }
  [[nodiscard]] std::string pairOf(ObjectId a, ObjectId b) const {
    return concat(nameOf(a), "/", nameOf(b));
  }

  void at(std::string_view stage, std::string_view object, ObjectId first = kNoObject,
          ObjectId second = kNoObject) {
    stage_ = stage;
    object_ = object;
    first_ = first;
    second_ = second;
  }

  bool found(std::string_view field, std::string detail) {
    out_.stage = stage_;
    out_.object = object_;
    if (second_ != kNoObject) {
      out_.object += concat(" of ", pairOf(first_, second_));
    } else if (first_ != kNoObject) {
      out_.object += concat(" ", nameOf(first_));
    }
    out_.field = field;
    out_.detail = std::move(detail);
    return true;
  }
  bool same(std::string_view field, double a, double b) {
    if (bitsOf(a) == bitsOf(b)) return true;
    const std::uint64_t ulps = ulpsBetween(a, b);
    constexpr std::uint64_t kMany = 1'000'000;
    found(field,
          ulps <= kMany ? concat(ulps, " ulp") : concat(toText(a), " before, ", toText(b), " now"));
    return false;
  }
  bool sameCount(std::string_view field, std::uint64_t a, std::uint64_t b) {
    if (a == b) return true;
    found(field, concat(a, " before, ", b, " now"));
    return false;
  }
  bool same(const std::string& field, const Vec3& a, const Vec3& b) {
    return same(field + ".x", a.x, b.x) && same(field + ".y", a.y, b.y) &&
           same(field + ".z", a.z, b.z);
  }

  bool step() {
    at("step", "step");
    return !(sameCount("number", a_.step, b_.step) && same("time", a_.time, b_.time) &&
             sameCount("bodies", a_.bodies.size(), b_.bodies.size()));
  }

  bool detection() {
    at("narrow_phase", "contacts");
    if (!sameCount("count", a_.contacts.size(), b_.contacts.size())) return true;
    for (std::size_t i = 0; i < a_.contacts.size(); ++i) {
      const ContactFrame &p = a_.contacts[i], &q = b_.contacts[i];
      at("narrow_phase", "contact", q.object1, q.object2);
      if (!(sameCount("object1", p.object1, q.object1) &&
            sameCount("object2", p.object2, q.object2) && sameCount("id", p.id, q.id) &&
            same("position", p.position, q.position) && same("normal", p.normal, q.normal) &&
            same("depth", p.depth, q.depth) && same("friction", p.friction, q.friction) &&
            sameCount("island", p.island, q.island)))
        return true;
    }
    return false;
  }

  bool velocities() {
    for (std::size_t i = 0; i < a_.bodies.size(); ++i) {
      const BodyFrame &p = a_.bodies[i], &q = b_.bodies[i];
      at("solver", "body", idOf(i));
      if (!(same("linearVelocity", p.linearVelocity, q.linearVelocity) &&
            same("angularVelocity", p.angularVelocity, q.angularVelocity))) {
        nameAPair(i);
        if (out_.pair.empty()) out_.stage = "integration";
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] ObjectId idOf(std::size_t i) const {
    return i < header_.bodies.size() ? header_.bodies[i].id : kNoObject;
  }
  /// One contact of a body, if it has any.
  void nameAPair(std::size_t i) {
    const ObjectId id = idOf(i);
    for (const ContactFrame& c : b_.contacts) {
      if (c.object1 != id && c.object2 != id) continue;
      out_.pair = pairOf(c.object1, c.object2);
      return;
    }
  }

  bool forces() {
    for (std::size_t i = 0; i < a_.contacts.size(); ++i) {
      const ContactFrame &p = a_.contacts[i], &q = b_.contacts[i];
      at("solver", "contact", q.object1, q.object2);
      if (!(same("impactImpulse", p.impactImpulse, q.impactImpulse) &&
            same("normalForce", p.normalForce, q.normalForce) &&
            same("frictionForce", p.frictionForce, q.frictionForce) &&
            same("slip", p.slip, q.slip)))
        return true;
    }
    at("solver", "step");
    return !(same("worstError", a_.report.worstError, b_.report.worstError) &&
             sameCount("sweeps", static_cast<std::uint64_t>(a_.report.sweeps),
                       static_cast<std::uint64_t>(b_.report.sweeps)));
  }

  bool places() {
    for (std::size_t i = 0; i < a_.bodies.size(); ++i) {
      const BodyFrame &p = a_.bodies[i], &q = b_.bodies[i];
      at("integration", "body", idOf(i));
      if (!(same("position", p.position, q.position) &&
            same("orientation.w", p.orientation.w, q.orientation.w) &&
            same("orientation.x", p.orientation.x, q.orientation.x) &&
            same("orientation.y", p.orientation.y, q.orientation.y) &&
            same("orientation.z", p.orientation.z, q.orientation.z))) {
        nameAPair(i);
        return true;
      }
    }
    return false;
  }

  bool events() {
    at("events", "events");
    if (!sameCount("count", a_.events.size(), b_.events.size())) return true;
    for (std::size_t i = 0; i < a_.events.size(); ++i) {
      const EventFrame &p = a_.events[i], &q = b_.events[i];
      at("events", "event", q.object1, q.object2);
      if (!(sameCount("object1", p.object1, q.object1) &&
            sameCount("object2", p.object2, q.object2) &&
            sameCount("kind", static_cast<std::uint64_t>(p.kind),
                      static_cast<std::uint64_t>(q.kind)) &&
            same("time", p.time, q.time) && same("impulse", p.impulse, q.impulse) &&
            same("normalImpulse", p.normalImpulse, q.normalImpulse)))
        return true;
    }
    return false;
  }

  bool drivers() {
    at("ledger", "drivers");
    if (!sameCount("count", a_.drivers.size(), b_.drivers.size())) return true;
    for (std::size_t i = 0; i < a_.drivers.size(); ++i) {
      const DriverFrame &p = a_.drivers[i], &q = b_.drivers[i];
      at("ledger", "driver", q.body);
      if (!(sameCount("body", p.body, q.body) && same("work", p.work, q.work) &&
            same("force", p.force, q.force) && same("torque", p.torque, q.torque)))
        return true;
    }
    return false;
  }

  bool sameBooks(const EnergyAccount& p, const EnergyAccount& q) {
    return same("kineticBefore", p.kineticBefore, q.kineticBefore) &&
           same("kineticAfter", p.kineticAfter, q.kineticAfter) &&
           same("potentialBefore", p.potentialBefore, q.potentialBefore) &&
           same("potentialAfter", p.potentialAfter, q.potentialAfter) &&
           same("drivers", p.drivers, q.drivers) && same("forces", p.forces, q.forces) &&
           same("impact", p.impact, q.impact) && same("friction", p.friction, q.friction) &&
           same("correction", p.correction, q.correction) &&
           same("integrator", p.integrator, q.integrator);
  }

  bool books() {
    at("ledger", "energy of the step");
    if (!sameBooks(a_.stepEnergy, b_.stepEnergy)) return true;
    at("ledger", "energy of the run");
    return !sameBooks(a_.totalEnergy, b_.totalEnergy);
  }

  bool hashes() {
    at("manifold", "remembered contacts");
    if (a_.hash == b_.hash) return false;
    return found("hash", concat(toHex(a_.hash), " before, ", toHex(b_.hash), " now"));
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

}  // namespace abut::io
