// SPDX-License-Identifier: MIT
// libccd at its default tolerances, with support functions written for each kind of body.
#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <cmath>

#include "narrow_row.hpp"

namespace abut::bench {
namespace {

using Kind = Specimen::Kind;

struct Placed {
  const Specimen* specimen;
  ccd_quat_t rotation, inverse;
  ccd_vec3_t position;
};

void localSupport(const Specimen& s, const ccd_vec3_t& d, ccd_vec3_t& v) {
  const auto sign = [](double a, double x) { return x < 0.0 ? -a : a; };
  const double dx = d.v[0], dy = d.v[1], dz = d.v[2];
  switch (s.kind) {
    case Kind::Sphere:
    case Kind::Capsule: {
      const double length = std::sqrt(dx * dx + dy * dy + dz * dz);
      const double scale = length > 0.0 ? s.radius / length : 0.0;
      ccdVec3Set(&v, dx * scale, dy * scale, dz * scale + sign(0.5 * s.height, dz));
      return;
    }
    case Kind::Box:
      ccdVec3Set(&v, sign(s.half.x(), dx), sign(s.half.y(), dy), sign(s.half.z(), dz));
      return;
    case Kind::Cylinder: {
      const double length = std::sqrt(dx * dx + dy * dy);
      const double scale = length > 0.0 ? s.radius / length : 0.0;
      ccdVec3Set(&v, dx * scale, dy * scale, sign(0.5 * s.height, dz));
      return;
    }
    case Kind::Cone: {
      const double length = std::sqrt(dx * dx + dy * dy);
      const double scale = length > 0.0 ? s.radius / length : 0.0;
      if (dz * s.height >= s.radius * length) {
        ccdVec3Set(&v, 0.0, 0.0, 0.5 * s.height);
      } else {
        ccdVec3Set(&v, dx * scale, dy * scale, -0.5 * s.height);
      }
      return;
    }
    case Kind::Hull: {
      double best = -1e300;
      const Vector* farthest = nullptr;
      for (const Vector& p : s.points) {
        const double value = p.x() * dx + p.y() * dy + p.z() * dz;
        if (value > best) {
          best = value;
          farthest = &p;
        }
      }
      ccdVec3Set(&v, farthest->x(), farthest->y(), farthest->z());
      return;
    }
  }
}

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* v) {
  const Placed& p = *static_cast<const Placed*>(object);
  ccd_vec3_t d = *direction;
  ccdQuatRotVec(&d, &p.inverse);
  localSupport(*p.specimen, d, *v);
  ccdQuatRotVec(v, &p.rotation);
  ccdVec3Add(v, &p.position);
}

void centre(const void* object, ccd_vec3_t* c) {
  *c = static_cast<const Placed*>(object)->position;
}

Placed place(const Body& body, const Matrix& rotation, const Vector& position) {
  Placed p;
  p.specimen = &body.specimen;
  const Eigen::Quaterniond q(rotation);
  ccdQuatSet(&p.rotation, q.x(), q.y(), q.z(), q.w());
  ccdQuatInvert2(&p.inverse, &p.rotation);
  ccdVec3Set(&p.position, position.x(), position.y(), position.z());
  return p;
}

class CcdPeer final : public Peer {
public:
  explicit CcdPeer(bool portal) : portal_(portal) {
    CCD_INIT(&ccd_);
    ccd_.support1 = support;
    ccd_.support2 = support;
    ccd_.center1 = centre;
    ccd_.center2 = centre;
    ccd_.max_iterations = 1000;
  }

  [[nodiscard]] std::string getName() const override { return portal_ ? "ccd MPR" : "ccd EPA"; }

  bool prepare(const Row& row) override {
    placed1_.clear();
    placed2_.clear();
    for (const Query& q : row.queries) {
      if (q.body2 == nullptr) return false;
      placed1_.push_back(place(*q.body1, q.rotation1, q.position1));
      placed2_.push_back(place(*q.body2, q.rotation2, q.position2));
    }
    return true;
  }

  double run(std::span<const std::uint32_t> order) override {
    double sum = 0.0;
    for (const std::uint32_t i : order) sum += ask(i).depth;
    return sum;
  }

  Answer ask(std::uint32_t i) override {
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    const auto query = portal_ ? ccdMPRPenetration : ccdGJKPenetration;
    if (query(&placed1_[i], &placed2_[i], &ccd_, &depth, &direction, &position) != 0) return {};
    // libccd's direction moves object 2 away from object 1.
    return {true, depth, -Vector(direction.v[0], direction.v[1], direction.v[2])};
  }

private:
  bool portal_;
  ccd_t ccd_;
  std::vector<Placed> placed1_, placed2_;
};

}  // namespace

std::vector<std::unique_ptr<Peer>> makeCcd() {
  std::vector<std::unique_ptr<Peer>> peers;
  peers.push_back(std::make_unique<CcdPeer>(false));
  peers.push_back(std::make_unique<CcdPeer>(true));
  return peers;
}

}  // namespace abut::bench
