// SPDX-License-Identifier: MIT
#include "solver/body_space.hpp"

#include <algorithm>

namespace abut::inline v0_1 {
namespace {

constexpr std::uint32_t kFixed = 0xffffffffu;

bool isZeroRow(const Mat3& m, int i) {
  const double* x = &m.x.x;
  return x[i] == 0.0 && x[3 + i] == 0.0 && x[6 + i] == 0.0;
}

bool isMobile(const BodyMobility& m) {
  return m.inverseMass.x > 0.0 || m.inverseMass.y > 0.0 || m.inverseMass.z > 0.0 ||
         m.inverseInertia.x.x > 0.0 || m.inverseInertia.y.y > 0.0 || m.inverseInertia.z.z > 0.0;
}

/// Sum of three of a contact's rows times a vector, one number for each of the body's six.
void addRows(const double (*row)[6], const Vec3& r, double* to) {
  for (int m = 0; m < 6; ++m) to[m] += (row[0][m] * r.x + row[1][m] * r.y) + row[2][m] * r.z;
}

double along(const double (&row)[6], const double* v) {
  return ((row[0] * v[0] + row[1] * v[1]) + row[2] * v[2]) +
         ((row[3] * v[3] + row[4] * v[4]) + row[5] * v[5]);
}

}  // namespace

void BodySpace::begin(std::span<const BodyMobility> bodies,
                      std::span<const PreparedContact> prepared,
                      std::span<const PreparedCouple> preparedCouples,
                      std::span<const BodyVelocity> free) {
  mobility_ = bodies;
  prepared_ = prepared;
  free_ = free;
  contacts.resize(prepared.size());
  for (std::size_t k = 0; k < prepared.size(); ++k) {
    const ContactBlock& b = prepared[k].block;
    contacts[k] = {prepared[k].friction, b.a, ((b.a + b.t11) + b.t22) / 3.0};
  }
  couples.resize(preparedCouples.size());
  for (std::size_t i = 0; i < couples.size(); ++i) {
    const PreparedCouple& c = preparedCouples[i];
    couples[i] = {c.contact, c.spinning, c.rolling, c.response};
  }
  findCouples();
}

void BodySpace::prepare() {
  rough = false;
  place_.assign(mobility_.size(), kFixed);
  body_at_.clear();
  bodies_.clear();
  for (std::uint32_t b = 0; b < mobility_.size(); ++b) {
    const BodyMobility& m = mobility_[b];
    if (!isMobile(m)) continue;
    place_[b] = static_cast<std::uint32_t>(body_at_.size());
    body_at_.push_back(b);
    Body body;
    body.mobility = m;
    const auto massAlong = [](double inverse) { return inverse > 0.0 ? 1.0 / inverse : 1.0; };
    body.mass = {massAlong(m.inverseMass.x), massAlong(m.inverseMass.y),
                 massAlong(m.inverseMass.z)};
    body.freeLinear = {m.inverseMass.x > 0.0 ? 1.0 : 0.0, m.inverseMass.y > 0.0 ? 1.0 : 0.0,
                       m.inverseMass.z > 0.0 ? 1.0 : 0.0};
    Mat3 filled = m.inverseInertia;
    double angular[3];
    for (int i = 0; i < 3; ++i) {
      const bool locked = isZeroRow(m.inverseInertia, i);
      angular[i] = locked ? 0.0 : 1.0;
      if (locked) (&filled.x.x)[std::ptrdiff_t{4} * i] = 1.0;
    }
    body.freeAngular = {angular[0], angular[1], angular[2]};
    body.inertia = inverse(filled);
    bodies_.push_back(body);
  }
  edges_.clear();
  for (const PreparedContact& c : prepared_) {
    const std::uint32_t a = place_[c.side1.body], b = place_[c.side2.body];
    if (a != kFixed && b != kFixed && a != b) edges_.emplace_back(a, b);
  }
  sizes_.assign(bodies_.size(), 6);
  lu_.analyse(sizes_, edges_);
  rows_.resize(2 * prepared_.size());
  base_.assign(numVectors(), Vec3{});
  block_at_.assign(4 * prepared_.size(), 0);
  for (std::size_t k = 0; k < prepared_.size(); ++k) setRows(k);
}

/// What no impulse changes of a body's velocity: all of it, or along axes that are locked, as those
/// of a driver with limits along which it does not stall.
BodyVelocity BodySpace::givenOf(std::uint32_t body) const {
  const BodyVelocity& v = free_[body];
  if (place_[body] == kFixed) return v;
  const Body& b = bodies_[place_[body]];
  constexpr Vec3 kAll{1.0, 1.0, 1.0};
  return {scaled(kAll - b.freeLinear, v.linear), scaled(kAll - b.freeAngular, v.angular)};
}

/// Rows and constant velocities of a contact, and where its blocks are.
void BodySpace::setRows(std::size_t k) {
  const PreparedContact& c = prepared_[k];
  const bool turns = coupleOf[k] != kNoCouple;
  base_[k] = c.offset;
  for (int side = 0; side < 2; ++side) {
    const PreparedContact::Side& s = side == 0 ? c.side1 : c.side2;
    const double sign = side == 0 ? 1.0 : -1.0;
    setRow(s, c.axis, sign, turns ? 6 : 3, rows_[2 * k + static_cast<std::size_t>(side)]);
    const BodyVelocity v = givenOf(s.body);
    const auto at = [&](int i) {
      return sign * (dot(c.axis[i], v.linear) + dot(s.lever[i], v.angular));
    };
    base_[k] += Vec3{at(0), at(1), at(2)};
    if (!turns) continue;
    base_[contacts.size() + coupleOf[k]] +=
        Vec3{dot(c.axis[0], v.angular), dot(c.axis[1], v.angular), dot(c.axis[2], v.angular)} *
        sign;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const std::uint32_t a = rows_[2 * k + i / 2].place, b = rows_[2 * k + i % 2].place;
    if (a != kFixed && b != kFixed) block_at_[4 * k + i] = lu_.blockAt(a, b);
  }
}

void BodySpace::setRow(const PreparedContact::Side& side, const Vec3 (&axis)[3], double sign,
                       int count, Rows& rows) const {
  rows.place = place_[side.body];
  if (rows.place == kFixed) return;
  const Body& body = bodies_[rows.place];
  for (int i = 0; i < count; ++i) {
    const Vec3 a = i < 3 ? scaled(axis[i], body.freeLinear) * sign : Vec3{};
    const Vec3 b = scaled(i < 3 ? side.lever[i] : axis[i - 3], body.freeAngular) * sign;
    double* out = rows.row[i];
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
    out[3] = b.x;
    out[4] = b.y;
    out[5] = b.z;
  }
}

/// Changes are summed apart and added once: each sum with a large velocity would cost the last bits
/// of a small change.
void BodySpace::stateOf(std::span<const Vec3> r, std::vector<double>& s) {
  s.assign(6 * bodies_.size(), 0.0);
  addImpulses(r, s);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    double* x = s.data() + 6 * i;
    const BodyVelocity& v = free_[body_at_[i]];
    const Vec3 p = scaled(bodies_[i].mobility.inverseMass, Vec3{x[0], x[1], x[2]}) + v.linear;
    const Vec3 l = bodies_[i].mobility.inverseInertia * Vec3{x[3], x[4], x[5]} + v.angular;
    const double values[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
    std::copy_n(values, 6, x);
  }
}

void BodySpace::velocitiesOf(std::span<const double> s, std::span<BodyVelocity> velocities) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double* x = s.data() + 6 * i;
    velocities[body_at_[i]] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
  }
}

void BodySpace::changesAt(std::span<const double> ds, std::span<Vec3> du) const {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    double u[6] = {};
    const int numRows = coupleOf[k] != kNoCouple ? 6 : 3;
    for (std::size_t side = 0; side < 2; ++side) {
      const Rows& rows = rows_[2 * k + side];
      if (rows.place == kFixed) continue;
      for (int i = 0; i < numRows; ++i)
        u[i] += along(rows.row[i], ds.data() + std::size_t{6} * rows.place);
    }
    du[k] = {u[0], u[1], u[2]};
    if (numRows == 6) du[contacts.size() + coupleOf[k]] = {u[3], u[4], u[5]};
  }
}

void BodySpace::velocitiesAt(std::span<const double> s, std::span<Vec3> u) const {
  changesAt(s, u);
  for (std::size_t k = 0; k < u.size(); ++k) u[k] += base_[k];
}

void BodySpace::addImpulses(std::span<const Vec3> r, std::vector<double>& d) const {
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    for (std::size_t side = 0; side < 2; ++side) {
      const Rows& rows = rows_[2 * k + side];
      if (rows.place == kFixed) continue;
      double* to = d.data() + std::size_t{6} * rows.place;
      addRows(rows.row, r[k], to);
      if (coupleOf[k] != kNoCouple) addRows(rows.row + 3, r[contacts.size() + coupleOf[k]], to);
    }
  }
}

/// M (v0 - v) + J^T r.
void BodySpace::defectOf(std::span<const double> s, std::span<const Vec3> r,
                         std::vector<double>& d) const {
  d.resize(6 * bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double* x = s.data() + 6 * i;
    const BodyVelocity& v = free_[body_at_[i]];
    const Vec3 p = scaled(bodies_[i].mass, v.linear - Vec3{x[0], x[1], x[2]});
    const Vec3 l = bodies_[i].inertia * (v.angular - Vec3{x[3], x[4], x[5]});
    const double values[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
    std::copy_n(values, 6, d.data() + 6 * i);
  }
  addImpulses(r, d);
}

double BodySpace::squareOf(std::span<const double> d) const {
  double square = 0.0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double* x = d.data() + 6 * i;
    const Vec3 p = {x[0], x[1], x[2]}, l = {x[3], x[4], x[5]};
    square += dot(p, scaled(bodies_[i].mobility.inverseMass, p)) +
              dot(l, bodies_[i].mobility.inverseInertia * l);
  }
  return square;
}

void BodySpace::speedsAt(std::span<const double> s, std::span<const Vec3>,
                         std::span<double> speeds) const {
  const auto speedOf = [&](const PreparedContact::Side& side) {
    if (place_[side.body] == kFixed) {
      return norm(free_[side.body].linear) + side.reach * norm(free_[side.body].angular);
    }
    const double* x = s.data() + std::size_t{6} * place_[side.body];
    return norm(Vec3{x[0], x[1], x[2]}) + side.reach * norm(Vec3{x[3], x[4], x[5]});
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const PreparedContact& c = prepared_[k];
    speeds[k] = (speedOf(c.side1) + speedOf(c.side2)) + norm(c.offset);
  }
}

/// Adds rows(a)^T K rows(b) for the bodies a and b of a contact.
void BodySpace::addBlock(const Rows& a, const Rows& b, const ContactGain& k, int numRows,
                         double* to) {
  double right[6][6];  // K rows(b).
  for (int n = 0; n < 6; ++n) {
    const double z = b.row[0][n], x = b.row[1][n], y = b.row[2][n];
    right[0][n] = k.normal * z;
    right[1][n] = k.slide.byNormal1 * z + (k.slide.d11 * x + k.slide.d12 * y);
    right[2][n] = k.slide.byNormal2 * z + (k.slide.d12 * x + k.slide.d22 * y);
  }
  for (int n = 0; k.isSymmetric && n < 6; ++n) {
    right[0][n] += k.slide.byNormal1 * b.row[1][n] + k.slide.byNormal2 * b.row[2][n];
  }
  if (numRows == 6) {
    for (int n = 0; n < 6; ++n) {
      const double z = b.row[0][n], s = b.row[3][n], p = b.row[4][n], q = b.row[5][n];
      right[3][n] = k.spinByNormal * z + k.spin * s;
      right[4][n] = k.roll.byNormal1 * z + (k.roll.d11 * p + k.roll.d12 * q);
      right[5][n] = k.roll.byNormal2 * z + (k.roll.d12 * p + k.roll.d22 * q);
    }
  }
  for (int m = 0; m < 6; ++m) {
    double sum[6];
    for (int n = 0; n < 6; ++n) {
      sum[n] = (a.row[0][m] * right[0][n] + a.row[1][m] * right[1][n]) + a.row[2][m] * right[2][n];
    }
    for (int i = 3; i < numRows; ++i) {
      for (int n = 0; n < 6; ++n) sum[n] += a.row[i][m] * right[i][n];
    }
    for (int n = 0; n < 6; ++n) to[6 * m + n] += sum[n];
  }
}

bool BodySpace::factorise(std::span<const ContactGain> gains) {
  lu_.clear();
  double* entries = lu_.entries();
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    double* block = entries + lu_.blockAt(i, i);
    const double mass[3] = {bodies_[i].mass.x, bodies_[i].mass.y, bodies_[i].mass.z};
    const double* inertia = &bodies_[i].inertia.x.x;
    for (std::size_t k = 0; k < 3; ++k) {
      block[7 * k] = mass[k];
      for (std::size_t m = 0; m < 3; ++m) block[6 * (3 + k) + 3 + m] = inertia[3 * m + k];
    }
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!(gains[k].normal > 0.0)) continue;
    const int numRows = coupleOf[k] != kNoCouple ? 6 : 3;
    for (std::size_t i = 0; i < 4; ++i) {
      const Rows &a = rows_[2 * k + i / 2], &b = rows_[2 * k + i % 2];
      if (a.place == kFixed || b.place == kFixed) continue;
      addBlock(a, b, gains[k], numRows, entries + block_at_[4 * k + i]);
    }
  }
  if (rough && lu_.factorise(tasks, true)) return true;
  rough = false;
  return lu_.factorise(tasks);
}

void BodySpace::apply(std::span<const ContactGain> gains, std::span<const double> x,
                      std::vector<double>& out) const {
  out.resize(6 * bodies_.size());
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double* v = x.data() + 6 * i;
    const Vec3 p = scaled(bodies_[i].mass, Vec3{v[0], v[1], v[2]});
    const Vec3 l = bodies_[i].inertia * Vec3{v[3], v[4], v[5]};
    const double values[6] = {p.x, p.y, p.z, l.x, l.y, l.z};
    std::copy_n(values, 6, out.data() + 6 * i);
  }
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (!(gains[k].normal > 0.0)) continue;
    double u[6] = {};
    const int numRows = coupleOf[k] != kNoCouple ? 6 : 3;
    for (std::size_t side = 0; side < 2; ++side) {
      const Rows& rows = rows_[2 * k + side];
      if (rows.place == kFixed) continue;
      for (int i = 0; i < numRows; ++i)
        u[i] += along(rows.row[i], x.data() + std::size_t{6} * rows.place);
    }
    const Vec3 push = gainTimes(gains[k], Vec3{u[0], u[1], u[2]});
    const Vec3 turn = numRows == 6 ? gainTimes(gains[k], u[0], Vec3{u[3], u[4], u[5]}) : Vec3{};
    for (std::size_t side = 0; side < 2; ++side) {
      const Rows& rows = rows_[2 * k + side];
      if (rows.place == kFixed) continue;
      addRows(rows.row, push, out.data() + std::size_t{6} * rows.place);
      if (numRows == 6) addRows(rows.row + 3, turn, out.data() + std::size_t{6} * rows.place);
    }
  }
}

}  // namespace abut::inline v0_1
