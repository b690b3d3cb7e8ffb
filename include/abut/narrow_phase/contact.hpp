// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include <Eigen/Core>

#include <abut/core/object_id.hpp>
#include <abut/shapes/feature.hpp>

namespace abut::inline v0_1 {

// Conventions of every query:
// - Objects are 1 and 2. The normal points FROM object 2 TO object 1, unit length, world frame.
// - depth > 0: overlap; 0: touching; < 0: a gap, reported only within the caller's margin.
// - Witness points: point1 on object 1, point2 on object 2, point1 - point2 = -depth * normal;
//   `position` is their midpoint. Distance queries use the same normal, and distance = -depth.
// - Exchanging the objects exchanges 1 and 2 and negates the normal, bit for bit.

/// How a query ended.
enum class QueryStatus : std::uint8_t {
  Separated,       ///< A gap larger than rounding.
  Touching,        ///< |signed distance| within 1e-12 of the shapes' size.
  Penetrating,     ///< Overlap larger than rounding.
  IterationLimit,  ///< Not converged: the depth reported is an upper bound.
};
[[nodiscard]] std::string_view toString(QueryStatus status);

/// What the contact region looks like.
enum class ContactType : std::uint8_t {
  Point,    ///< One point: sphere on anything, vertex on face, crossing edges.
  Edge,     ///< A line: edge on face, parallel edges, a cylinder's side on a face.
  Face,     ///< A polygon in a plane: face on face.
  Patch,    ///< A curved region.
  Unknown,  ///< Mixed.
};
[[nodiscard]] std::string_view toString(ContactType type);

/// One point of contact.
struct ContactPoint {
  Eigen::Vector3d position{0., 0., 0.};  ///< Midpoint of the witness points, world frame [m].
  Eigen::Vector3d normal{0., 0., 0.};    ///< Unit, from object 2 to object 1, world frame.
  double depth = 0.0;                    ///< Overlap at this point along the normal [m].
  Feature feature1;                      ///< What of object 1 touches here.
  Feature feature2;                      ///< What of object 2 touches here.

  /// Witness points on the two surfaces, world frame [m].
  [[nodiscard]] Eigen::Vector3d point1() const;
  [[nodiscard]] Eigen::Vector3d point2() const;

  /// Shorter normals than this count as missing.
  static constexpr double kNormalEpsilon = 1e-6;
  [[nodiscard]] static bool isZeroNormal(const Eigen::Vector3d& n);
};

/// Contacts of one pair that share a normal: at most four points, each with its own depth along it.
///
/// The greatest depth equals the support depth along the normal. Points are sorted deepest first,
/// then by features. A composite shape (mesh, height field, compound, point cloud) yields several
/// manifolds for one pair, told apart by the sub-shapes.
class ContactManifold {
public:
  static constexpr std::size_t kMaxContacts = 4;

  [[nodiscard]] std::size_t numContacts() const { return count_; }
  [[nodiscard]] bool hasContacts() const { return count_ != 0; }
  /// Throws std::out_of_range.
  [[nodiscard]] const ContactPoint& getContact(std::size_t i) const;
  [[nodiscard]] std::span<const ContactPoint> getContacts() const {
    return {contacts_.data(), count_};
  }

  [[nodiscard]] ContactType getType() const { return type_; }
  void setType(ContactType type) { type_ = type; }

  /// The normal that all points share; zero if there are none.
  [[nodiscard]] Eigen::Vector3d getSharedNormal() const;

  [[nodiscard]] ObjectId getObject1() const { return object1_; }
  [[nodiscard]] ObjectId getObject2() const { return object2_; }
  void setObjects(ObjectId object1, ObjectId object2) {
    object1_ = object1;
    object2_ = object2;
  }

  /// Which part of a composite shape touches; 0 for simple shapes. The low 32 bits number the
  /// triangle, cell or point, the high 32 bits the child of a compound.
  [[nodiscard]] std::uint64_t getSubShape1() const { return sub_shape1_; }
  [[nodiscard]] std::uint64_t getSubShape2() const { return sub_shape2_; }
  void setSubShapes(std::uint64_t subShape1, std::uint64_t subShape2) {
    sub_shape1_ = subShape1;
    sub_shape2_ = subShape2;
  }

  [[nodiscard]] QueryStatus getStatus() const { return status_; }
  void setStatus(QueryStatus status) { status_ = status; }

  /// Greatest depth of a point [m]; 0 if there are none.
  [[nodiscard]] double penetrationDepth() const;

  /// Adds a point; returns false, and adds nothing, if four are there already.
  bool addContact(const ContactPoint& contact);
  void clear() { count_ = 0; }

  /// For the narrow phase: has `count` <= kMaxContacts points from now on, to be filled in place.
  [[nodiscard]] std::span<ContactPoint> resize(std::size_t count) {
    count_ = static_cast<std::uint32_t>(count);
    return {contacts_.data(), count};
  }

private:
  std::uint32_t count_ = 0;
  ContactType type_ = ContactType::Unknown;
  QueryStatus status_ = QueryStatus::Separated;
  ObjectId object1_ = kNoObject;
  ObjectId object2_ = kNoObject;
  std::uint64_t sub_shape1_ = 0;
  std::uint64_t sub_shape2_ = 0;
  std::array<ContactPoint, kMaxContacts> contacts_;
};

}  // namespace abut::inline v0_1
