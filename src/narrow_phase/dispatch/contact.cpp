// SPDX-License-Identifier: MIT
#include <stdexcept>

#include <abut/math/convert.hpp>
#include <abut/narrow_phase/contact.hpp>

#include "math/vec3.hpp"

namespace abut::inline v0_1 {

std::string_view toString(QueryStatus status) {
  switch (status) {
    case QueryStatus::Separated:
      return "separated";
    case QueryStatus::Touching:
      return "touching";
    case QueryStatus::Penetrating:
      return "penetrating";
    case QueryStatus::IterationLimit:
      return "iteration limit";
  }
  return "unknown";
}

std::string_view toString(ContactType type) {
  switch (type) {
    case ContactType::Point:
      return "point";
    case ContactType::Edge:
      return "edge";
    case ContactType::Face:
      return "face";
    case ContactType::Patch:
      return "patch";
    case ContactType::Unknown:
      return "unknown";
  }
  return "unknown";
}

Eigen::Vector3d ContactPoint::point1() const {
  return toEigen(toVec3(position) - toVec3(normal) * (0.5 * depth));
}

Eigen::Vector3d ContactPoint::point2() const {
  return toEigen(toVec3(position) + toVec3(normal) * (0.5 * depth));
}

bool ContactPoint::isZeroNormal(const Eigen::Vector3d& n) {
  return squaredNorm(toVec3(n)) < kNormalEpsilon * kNormalEpsilon;
}

const ContactPoint& ContactManifold::getContact(std::size_t i) const {
  if (i >= count_)
    throw std::out_of_range("ContactManifold::getContact: index beyond numContacts()");
  return contacts_[i];
}

Eigen::Vector3d ContactManifold::getSharedNormal() const {
  return count_ == 0 ? Eigen::Vector3d(0.0, 0.0, 0.0) : contacts_[0].normal;
}

double ContactManifold::penetrationDepth() const {
  double greatest = count_ == 0 ? 0.0 : contacts_[0].depth;
  for (const ContactPoint& contact : getContacts()) greatest = maxOf(greatest, contact.depth);
  return greatest;
}

bool ContactManifold::addContact(const ContactPoint& contact) {
  if (count_ == kMaxContacts) return false;
  contacts_[count_++] = contact;
  return true;
}

}  // namespace abut::inline v0_1
