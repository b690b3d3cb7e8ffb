// SPDX-License-Identifier: MIT
#include "solver/interior_point.hpp"

#include <algorithm>

namespace abut::inline v0_1 {
namespace {

/// The start: impulses so many times what would stop the velocities one by one.
constexpr double kLargeStart = 10.0;
/// Share of the disc, at most, that tangential impulses start with.
constexpr double kInsideDisc = 0.9;
/// Share of the way to the nearest bound.
constexpr double kStepShare = 0.99;
constexpr double kLeastSigma = 1e-6, kLeastRatio = 1e-8;
/// Contacts that would block a step longer than this are damped, more each time, by at least this
/// part of their response and so many times the compliance; others less and less.
constexpr double kBlocks = 0.1;
/// So many steps that short, and the path is folded: softer contacts find an answer sooner.
constexpr int kMostBlocked = 4;
constexpr double kFirstDamping = 1e-4, kDampingOfSoftness = 3.0, kMostDamping = 10.0;
constexpr double kMoreDamping = 10.0, kLessDamping = 0.3, kNoDamping = 1e-9;
/// The slack is set to what the impulses leave where it is near that and not lost in rounding.
constexpr double kNearSlack = 2.0, kLeastSlack = 1e-6;

double& part(Vec3& v, int i) {
  return (&v.x)[i];
}
double part(const Vec3& v, int i) {
  return (&v.x)[i];
}

}  // namespace

/// Contacts that can give way and their discs.
void InteriorPoint::gather(const ErrorMeasure& by) {
  const ContactSpace& space = *space_;
  contacts_.clear();
  discs_.clear();
  for (std::uint32_t k = 0; k < space.contacts.size(); ++k) {
    const ContactTerms& terms = space.contacts[k];
    if (!(terms.response > 0.0)) continue;
    Contact c{};
    c.index = k;
    c.firstDisc = static_cast<std::uint32_t>(discs_.size());
    c.soft = by.softness * terms.response;
    c.rest = by.rest.empty() ? 0.0 : by.rest[k].x;
    const auto addDisc = [&](std::uint32_t vector, std::uint8_t first, std::uint8_t dims,
                             double coefficient, double response) {
      if (!(coefficient > 0.0) || !(response > 0.0)) return;
      Disc d{};
      d.contact = static_cast<std::uint32_t>(contacts_.size());
      d.vector = vector;
      d.first = first;
      d.dims = dims;
      d.coefficient = coefficient;
      d.response = response;
      d.soft = by.softness * response;
      for (int i = 0; i < dims && !by.rest.empty(); ++i) {
        d.rest[i] = part(by.rest[vector], first + i);
      }
      discs_.push_back(d);
    };
    addDisc(k, 1, 2, terms.friction, terms.response);
    if (space.coupleOf[k] != ContactSpace::kNoCouple) {
      const CoupleTerms& couple = space.couples[space.coupleOf[k]];
      const std::uint32_t vector =
          static_cast<std::uint32_t>(space.contacts.size()) + space.coupleOf[k];
      addDisc(vector, 0, 1, couple.spinning, couple.response);
      addDisc(vector, 1, 2, couple.rolling, couple.response);
    }
    c.endDisc = static_cast<std::uint32_t>(discs_.size());
    contacts_.push_back(c);
  }
  num_products_ = static_cast<double>(contacts_.size() + discs_.size());
}

/// Separation speeds from the velocities without contacts, pushed inside; impulses against them.
void InteriorPoint::start() {
  double mean = 0.0, squares = 0.0;
  for (const Contact& c : contacts_) {
    const ContactTerms& terms = space_->contacts[c.index];
    const Vec3& u = u_[c.index];
    mean += terms.mean;
    if (u.x < 0.0) squares += u.x * u.x;
    if (terms.friction > 0.0) squares += u.y * u.y + u.z * u.z;
  }
  const double count = static_cast<double>(contacts_.size());
  mean /= count;
  constexpr double kAnySpeed = 1e-12;  // Where nothing moves every scale will do.
  speed_ = std::sqrt(squares / count);
  if (!(speed_ > 0.0)) speed_ = kAnySpeed;
  impulse_ = kLargeStart * speed_ / mean;
  for (Contact& c : contacts_) {
    const double separation = maxOf(u_[c.index].x, 0.0);
    c.yn = separation + speed_;
    c.rn = impulse_ * speed_ / c.yn;
    for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
      Disc& d = discs_[i];
      double slip = 0.0;
      for (int m = 0; m < d.dims; ++m) {
        const double v = part(u_[d.vector], d.first + m);
        slip += v * v;
      }
      slip = std::sqrt(slip);
      d.s = slip + speed_;
      const double x0 = d.coefficient * c.rn;
      double square = 0.0;
      for (int m = 0; m < d.dims; ++m) {
        d.x[m] = slip > 0.0 ? -(kInsideDisc * x0 / d.s) * part(u_[d.vector], d.first + m) : 0.0;
        square += d.x[m] * d.x[m];
      }
      d.t = x0 - square / x0;
    }
  }
}

double InteriorPoint::gap() const {
  return reduced(0.0);
}

/// The sum of all products after a part of the step.
double InteriorPoint::reduced(double length) const {
  double sum = 0.0;
  for (const Contact& c : contacts_) {
    sum += (c.rn + length * c.drn) * (c.yn + length * c.dyn);
    for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
      const Disc& d = discs_[i];
      sum += (d.s + length * d.ds) * (d.t + length * d.dt);
    }
  }
  return sum;
}

void InteriorPoint::getImpulses(std::span<Vec3> r) const {
  for (Vec3& v : r) v = {};
  for (const Contact& c : contacts_) {
    r[c.index].x = c.rn;
    for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
      const Disc& d = discs_[i];
      for (int m = 0; m < d.dims; ++m) part(r[d.vector], d.first + m) = d.x[m];
    }
  }
}

/// What the equations miss, and how the impulses answer velocities.
void InteriorPoint::linearise() {
  gains_.assign(space_->contacts.size(), {});
  for (Contact& c : contacts_) {
    c.missing = u_[c.index].x + c.soft * (c.rn - c.rest) - c.yn;
    for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
      Disc& d = discs_[i];
      const double x0 = d.coefficient * c.rn, ratio = d.s / x0;
      const double square = d.x[0] * d.x[0] + d.x[1] * d.x[1];
      for (int m = 0; m < d.dims; ++m) {
        d.missing[m] =
            part(u_[d.vector], d.first + m) + d.soft * (d.x[m] - d.rest[m]) + ratio * d.x[m];
      }
      d.slack = x0 - square / x0 - d.t;
      d.rim = d.coefficient + square / (d.coefficient * c.rn * c.rn);
    }
    setGain(c, gains_[c.index]);
  }
}

void InteriorPoint::setGain(const Contact& c, ContactGain& gain) {
  const double response = space_->contacts[c.index].response;
  gain.normal = 1.0 / (c.yn / c.rn + (c.soft + c.damping * response));
  for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
    const Disc& d = discs_[i];
    const double x0 = d.coefficient * c.rn, ratio = d.s / x0;
    const double square = d.x[0] * d.x[0] + d.x[1] * d.x[1];
    const double soft = d.soft + c.damping * d.response;
    const double across = 1.0 / (ratio + soft);
    const double outward = 1.0 / ((ratio + soft) + 2.0 * ratio * square / (x0 * d.t));
    const double byNormal = (d.s * d.rim / (x0 * d.t) + ratio / c.rn) * outward * gain.normal;
    if (d.dims == 1) {
      gain.spin = outward;
      gain.spinByNormal = byNormal * d.x[0];
      continue;
    }
    const double length = std::sqrt(square);
    const double e1 = length > 0.0 ? d.x[0] / length : 1.0;
    const double e2 = length > 0.0 ? d.x[1] / length : 0.0;
    DiskDerivative& disk = d.vector == c.index ? gain.slide : gain.roll;
    disk = {outward * e1 * e1 + across * e2 * e2, (outward - across) * e1 * e2,
            outward * e2 * e2 + across * e1 * e1, byNormal * d.x[0], byNormal * d.x[1]};
  }
}

/// Sets what the products are to become, with the last direction's second order where corrected.
void InteriorPoint::aim(double target, bool corrected) {
  for (Contact& c : contacts_) {
    const double second = corrected ? c.drn * c.dyn : 0.0;
    c.aimed = (target - second) / c.rn - c.yn;
    for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
      Disc& d = discs_[i];
      d.aimed = (target - d.s * d.t) - (corrected ? d.ds * d.dt : 0.0);
    }
  }
}

/// Change of a contact's impulse and couple for changes of its velocities.
Vec3 InteriorPoint::answer(const Contact& c, const Vec3& change, Vec3& couple,
                           const Vec3& turning) const {
  Vec3 z{c.aimed - c.missing - change.x, 0.0, 0.0}, w{};
  for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
    const Disc& d = discs_[i];
    const double outward = (d.aimed - d.s * d.slack) / (d.coefficient * c.rn * d.t);
    const bool slides = d.vector == c.index;
    for (int m = 0; m < d.dims; ++m) {
      part(slides ? z : w, d.first + m) =
          -d.missing[m] - part(slides ? change : turning, d.first + m) - d.x[m] * outward;
    }
  }
  const ContactGain& gain = gains_[c.index];
  couple = gainTimes(gain, z.x, w);
  return gainTimes(gain, z);
}

/// Solves for the steps of all unknowns; refinements are for those that are gone. False if there
/// are no factors for that.
bool InteriorPoint::findDirection(int refinements) {
  const std::size_t count = space_->contacts.size();
  for (Vec3& v : pushes_) v = {};
  const auto coupleAt = [&](const Contact& c) {
    const std::uint32_t i = space_->coupleOf[c.index];
    return i == ContactSpace::kNoCouple ? pushes_.size() : count + i;
  };
  Vec3 couple;
  for (const Contact& c : contacts_) {
    pushes_[c.index] = answer(c, {}, couple, {});
    if (coupleAt(c) < pushes_.size()) pushes_[coupleAt(c)] = couple;
  }
  space_->defectOf(state_, r_, right_);
  space_->addImpulses(pushes_, right_);
  if (!space_->solveRefined(gains_, right_, refinements, step_)) return false;
  space_->changesAt(step_, du_);
  for (Contact& c : contacts_) {
    const std::size_t at = coupleAt(c);
    const Vec3 dr = answer(c, du_[c.index], couple, at < du_.size() ? du_[at] : Vec3{});
    c.drn = dr.x;
    c.dyn = c.aimed - (c.yn / c.rn) * c.drn;
    for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
      Disc& d = discs_[i];
      double inward = 0.0;
      for (int m = 0; m < d.dims; ++m) {
        d.dx[m] = part(d.vector == c.index ? dr : couple, d.first + m);
        inward += d.x[m] * d.dx[m];
      }
      d.dt = d.rim * c.drn - 2.0 * inward / (d.coefficient * c.rn) + d.slack;
      d.ds = (d.aimed - d.s * d.dt) / d.t;
    }
  }
  return true;
}

/// Longest step after which all of a contact's unknowns are still positive.
double InteriorPoint::longest(const Contact& c) const {
  constexpr double kFar = 1e30;
  double length = kFar;
  const auto limit = [&length](double x, double dx) {
    if (dx < 0.0) length = minOf(length, -x / dx);
  };
  limit(c.rn, c.drn);
  limit(c.yn, c.dyn);
  for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
    limit(discs_[i].s, discs_[i].ds);
    limit(discs_[i].t, discs_[i].dt);
  }
  return length;
}

void InteriorPoint::advance(double length) {
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += length * step_[i];
  for (Contact& c : contacts_) {
    c.rn += length * c.drn;
    c.yn += length * c.dyn;
    for (std::uint32_t i = c.firstDisc; i < c.endDisc; ++i) {
      Disc& d = discs_[i];
      d.s += length * d.ds;
      d.t += length * d.dt;
      for (int m = 0; m < d.dims; ++m) d.x[m] += length * d.dx[m];
      const double x0 = d.coefficient * c.rn;
      const double slack = x0 - (d.x[0] * d.x[0] + d.x[1] * d.x[1]) / x0;
      if (slack * kNearSlack > d.t && slack < kNearSlack * d.t && slack > kLeastSlack * x0) {
        d.t = slack;
      }
    }
  }
}

InteriorPoint::Result InteriorPoint::solve(ContactSpace& space, const ErrorMeasure& by,
                                           double tolerance, double enough, int maxIterations,
                                           std::span<Vec3> impulses) {
  Result result;
  space_ = &space;
  gather(by);
  if (contacts_.empty()) return result;
  u_.assign(space.numVectors(), Vec3{});
  du_ = pushes_ = r_ = u_;
  space.stateOf(r_, state_);
  space.velocitiesAt(state_, u_);
  start();
  const double leastDamping = maxOf(kFirstDamping, kDampingOfSoftness * by.softness);
  bool hasBest = false;
  int blocked = 0;
  for (;; ++result.iterations) {
    // Error of the nearest impulses that the law allows.
    getImpulses(pushes_);
    allow(space, pushes_);
    space.stateOf(pushes_, step_);
    space.velocitiesAt(step_, u_);
    const NaturalError error = measure(space, pushes_, u_, by);
    if (!isFinite(error.relative) || !isFinite(error.largest)) break;
    if (!hasBest || error.relative < result.error.relative) {
      hasBest = true;
      result.error = error;
      std::copy(pushes_.begin(), pushes_.end(), impulses.begin());
    }
    result.solved = result.error.relative <= tolerance || result.error.speed <= enough;
    if (result.solved || result.iterations == maxIterations) break;
    getImpulses(r_);
    space.velocitiesAt(state_, u_);
    linearise();
    if (!space.factorise(gains_)) break;
    aim(0.0, false);
    findDirection(0);
    double affine = 1.0;
    for (const Contact& c : contacts_) affine = minOf(affine, longest(c));
    const double all = gap();
    const double ratio = maxOf(reduced(affine) / all, kLeastRatio);
    const double sigma = minOf(1.0, maxOf(ratio * ratio * ratio, kLeastSigma));
    aim(sigma * all / num_products_, true);
    if (!findDirection(1)) break;
    double length = 1.0;
    for (Contact& c : contacts_) {
      const double own = longest(c);
      length = minOf(length, kStepShare * own);
      if (own < kBlocks) {
        c.damping = minOf(kMostDamping, maxOf(leastDamping, c.damping * kMoreDamping));
      } else {
        c.damping *= kLessDamping;
        if (c.damping < kNoDamping) c.damping = 0.0;
      }
    }
    advance(length);
    blocked += length < kBlocks ? 1 : 0;
    result.eased = result.eased && length >= kBlocks;
    if (blocked > kMostBlocked) break;
  }
  return result;
}

}  // namespace abut::inline v0_1
