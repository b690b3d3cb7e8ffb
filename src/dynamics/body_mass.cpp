// SPDX-License-Identifier: MIT
#include "dynamics/body_mass.hpp"

#include <string>
#include <utility>

#include <abut/math/convert.hpp>
#include <abut/shapes/compound_shape.hpp>

#include "dynamics/gravity_scale.hpp"
#include "math/unit_quat.hpp"
#include "shapes/shape_digest.hpp"

namespace abut::inline v0_1 {
namespace {

constexpr double kMinMass = 1e-12, kMaxMass = 1e18;

Status refuse(ObjectId id, StatusCode code, const std::string& what) {
  return Status::failure(code, "body " + std::to_string(id) + ": " + what, id);
}

Status checkVector(ObjectId id, const char* name, const Eigen::Vector3d& v, double most) {
  for (int i = 0; i < 3; ++i) {
    if (absOf(v[i]) <= most) continue;
    return refuse(
        id, isFinite(v[i]) ? StatusCode::OutOfRange : StatusCode::NonFinite,
        std::string(name) + ": expected numbers up to " + toText(most) + ", got " + toText(v[i]));
  }
  return {};
}

Status checkMotion(const BodyDescription& d, ObjectId id) {
  Status status = checkVector(id, "position", d.position, kMaxBodyCoordinate);
  if (status) status = checkVector(id, "linearVelocity", d.linearVelocity, kMaxBodySpeed);
  if (status) status = checkVector(id, "angularVelocity", d.angularVelocity, kMaxBodySpin);
  if (status) status = checkVector(id, "surfaceVelocity", d.surfaceVelocity, kMaxBodySpeed);
  if (!status) return status;
  if (!isUnit(d.orientation)) {
    const double length2 = squaredNorm(d.orientation);
    return refuse(id, isFinite(length2) ? StatusCode::NotARotation : StatusCode::NonFinite,
                  "orientation: expected a quaternion of unit length, got squared length " +
                      toText(length2) + "; normalise it");
  }
  if (!isGravityScale(d.gravityScale)) {
    return refuse(id, isFinite(d.gravityScale) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                  "gravityScale: expected a number up to " + toText(kMaxGravityScale) + ", got " +
                      toText(d.gravityScale));
  }
  return {};
}

Mat3 tensorOf(const MassProperties& m) {
  const Eigen::Vector3d &i = m.inertia, &p = m.products;
  return {{i.x(), p.x(), p.y()}, {p.x(), i.y(), p.z()}, {p.y(), p.z(), i.z()}};
}

/// m (d.d 1 - d d^T): what moving the centre by d adds to an inertia.
Mat3 steiner(double mass, const Vec3& d) {
  const double d2 = squaredNorm(d);
  return {{mass * (d2 - d.x * d.x), -mass * d.x * d.y, -mass * d.x * d.z},
          {-mass * d.x * d.y, mass * (d2 - d.y * d.y), -mass * d.y * d.z},
          {-mass * d.x * d.z, -mass * d.y * d.z, mass * (d2 - d.z * d.z)}};
}

/// Mass, centre and inertia of all shapes at their densities.
Status sumShapes(const std::vector<BodyShape>& shapes, const MaterialTable& materials,
                 BodyFacts& f) {
  double mass = 0.0;
  Vec3 moment;
  std::vector<MassProperties> parts(shapes.size());
  std::vector<Vec3> centers(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const double density = materials.get(shapes[i].material).density;
    const Status status = shapes[i].shape->computeMass(density, parts[i]);
    if (!status) {
      return refuse(f.id, status.getCode(),
                    "shape " + std::to_string(i) + ": " + status.getMessage());
    }
    centers[i] = apply(shapes[i].pose, toVec3(parts[i].center));
    mass += parts[i].mass;
    moment += centers[i] * parts[i].mass;
  }
  f.mass = mass;
  f.center = moment / mass;
  f.inertia.tensor = Mat3{} * 0.0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Mat3& r = shapes[i].pose.rotation;
    const Mat3 turned = r * (tensorOf(parts[i]) * transpose(r));
    f.inertia.tensor = f.inertia.tensor + (turned + steiner(parts[i].mass, centers[i] - f.center));
  }
  return {};
}

/// Moments that files give are rounded; beyond this share a principal one may not exceed the
/// others.
constexpr double kTriangleSlack = 1e-6;
/// Pivots of a symmetric matrix are known to about 1e-16 of its trace.
constexpr double kLeastPivot = 1e-14;

/// Whether a symmetric matrix has no eigenvalue below `least`, by the pivots of M - least 1.
bool isAbove(const Mat3& m, double least) {
  const double a = m.x.x - least;
  if (!(a > 0.0)) return false;
  const double b = (m.y.y - least) - m.x.y * (m.x.y / a);
  const double c = m.y.z - m.x.z * (m.x.y / a);
  if (!(b > 0.0)) return false;
  return (m.z.z - least) - (m.x.z * (m.x.z / a) + c * (c / b)) > 0.0;
}

/// A tensor that a solid can have: positive definite, and no principal moment above the sum of the
/// others, which is to say that trace/2 - tensor has no negative eigenvalue.
bool isPossible(const Mat3& tensor) {
  if (!isFinite(tensor.x) || !isFinite(tensor.y) || !isFinite(tensor.z)) return false;
  const double trace = (tensor.x.x + tensor.y.y) + tensor.z.z;
  const Mat3 half = Mat3{} * (0.5 * trace);
  return isAbove(tensor, kLeastPivot * trace) && isAbove(half - tensor, -kTriangleSlack * trace);
}

std::string describe(const Vec3& v) {
  return toText(v.x) + ", " + toText(v.y) + ", " + toText(v.z);
}

Status checkMass(const BodyDescription& d, ObjectId id) {
  if (d.mass == 0.0 || (d.mass >= kMinMass && d.mass <= kMaxMass)) return {};
  return refuse(id, isFinite(d.mass) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                "mass: expected 0 (from density) or a number from " + toText(kMinMass) + " to " +
                    toText(kMaxMass) + " [kg], got " + toText(d.mass));
}

Status checkInertia(const BodyDescription& d, ObjectId id) {
  const Vec3 i = toVec3(d.inertia), p = toVec3(d.productsOfInertia), c = toVec3(d.centerOfMass);
  const bool finite = isFinite(i) && isFinite(p);
  const auto refuseInertia = [&](const std::string& what) {
    return refuse(id, finite ? StatusCode::OutOfRange : StatusCode::NonFinite, what);
  };
  Status status = checkVector(id, "centerOfMass", d.centerOfMass, kMaxBodyCoordinate);
  if (!status) return status;
  if (i == Vec3{}) {
    if (p == Vec3{} && c == Vec3{}) return {};
    return refuseInertia(std::string(p == Vec3{} ? "centerOfMass" : "productsOfInertia") +
                         ": needs mass and inertia beside it; give them, or leave it out to take "
                         "all of them from the shapes");
  }
  const bool positive = i.x > 0.0 && i.y > 0.0 && i.z > 0.0;
  if (d.mass == 0.0 || !finite || !positive ||
      !isPossible(tensorOf({0.0, {}, d.inertia, d.productsOfInertia}))) {
    const std::string products = p == Vec3{} ? "" : " and products " + describe(p);
    return refuseInertia(
        p == Vec3{}
            ? "inertia: expected three positive moments [kg m^2], none above the sum of the "
              "others, together with a mass; got " +
                  describe(i)
            : "inertia: expected a positive definite tensor [kg m^2], no principal moment above "
              "the "
              "sum of the others, together with a mass; got moments " +
                  describe(i) + products);
  }
  return {};
}

/// Mass and inertia of a body that has no use for them.
Status checkUnused(const BodyDescription& d, ObjectId id) {
  if (isFinite(d.mass) && isFinite(toVec3(d.inertia)) && isFinite(toVec3(d.productsOfInertia)) &&
      isFinite(toVec3(d.centerOfMass))) {
    return {};
  }
  return refuse(id, StatusCode::NonFinite,
                "mass, inertia, productsOfInertia, centerOfMass: expected finite numbers, though a "
                "body that is not dynamic does not use them");
}

Status giveMass(const BodyDescription& d, const std::vector<BodyShape>& shapes,
                const MaterialTable& materials, BodyFacts& f) {
  if (d.type != BodyType::Dynamic && !f.drive->isLimited) return checkUnused(d, f.id);
  Status status = checkMass(d, f.id);
  if (status) status = checkInertia(d, f.id);
  if (!status) return status;
  const bool given = d.mass != 0.0, inertiaGiven = toVec3(d.inertia) != Vec3{};
  if (inertiaGiven || shapes.empty()) {
    if (!inertiaGiven) {
      return refuse(f.id, StatusCode::OutOfRange,
                    "a dynamic body without shapes needs mass and inertia");
    }
    f.mass = d.mass;
    f.center = toVec3(d.centerOfMass);
    f.inertia.tensor = tensorOf({d.mass, d.centerOfMass, d.inertia, d.productsOfInertia});
  } else {
    status = sumShapes(shapes, materials, f);
    if (!status) return status;
    if (given) {
      f.inertia.tensor = f.inertia.tensor * (d.mass / f.mass);
      f.mass = d.mass;
    }
  }
  f.inertia.inverse = inverse(f.inertia.tensor);
  return {};
}

/// Limits of a drive; they are checked, and given to kinematic bodies only.
Status giveLimits(const BodyDescription& d, BodyFacts& f) {
  Drive drive;
  drive.maxForce = toVec3(d.maxForce);
  drive.maxTorque = toVec3(d.maxTorque);
  for (const Vec3& limit : {drive.maxForce, drive.maxTorque}) {
    for (const double most : {limit.x, limit.y, limit.z}) {
      if (!(most > 0.0)) {
        return refuse(
            f.id, isFinite(most) ? StatusCode::OutOfRange : StatusCode::NonFinite,
            "maxForce, maxTorque: expected positive numbers, or kNoLimit, got " + toText(most));
      }
      drive.isLimited = drive.isLimited || isFinite(most);
    }
  }
  if (drive.isLimited && d.type != BodyType::Kinematic) {
    return refuse(f.id, StatusCode::OutOfRange,
                  "maxForce, maxTorque: only a kinematic body has a drive");
  }
  if (drive.isLimited) f.drive.edit() = drive;
  return {};
}

/// A drive's body is moved by its frame: its mass counts there.
void takeDriveMass(BodyFacts& f) {
  Drive& drive = f.drive.edit();
  drive.mass = f.mass;
  drive.inertia.tensor = f.inertia.tensor + steiner(f.mass, f.center);
  drive.inertia.inverse = inverse(drive.inertia.tensor);
  f.mass = 0.0;
  f.center = {};
  f.inertia = LocalInertia{};
}

Status checkShapePose(ObjectId id, std::size_t shape, const Pose& pose) {
  const Mat3& r = pose.rotation;
  const Vec3& t = pose.translation;
  const bool finite = isFinite(r.x) && isFinite(r.y) && isFinite(r.z) && isFinite(t);
  const std::string name = "shape " + std::to_string(shape) + ": ";
  if (!finite) {
    return refuse(id, StatusCode::NonFinite, name + "expected a pose of finite numbers");
  }
  if (!isRotation(r)) {
    return refuse(id, StatusCode::NotARotation,
                  name +
                      "the pose's matrix is no rotation; make it by poseFrom(), and scale the "
                      "shape itself");
  }
  return checkVector(id, (name + "translation").c_str(), toEigen(t), kMaxBodyCoordinate);
}

Status giveShape(std::vector<BodyShape> shapes, const MaterialTable& materials, BodyFacts& f) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (!shapes[i].shape) {
      return refuse(f.id, StatusCode::NullObject, "shape " + std::to_string(i) + " is null");
    }
    if (!materials.contains(shapes[i].material)) {
      return refuse(
          f.id, StatusCode::UnknownObject,
          "shape " + std::to_string(i) + ": no material " + std::to_string(shapes[i].material));
    }
    const Status status = checkShapePose(f.id, i, shapes[i].pose);
    if (!status) return status;
    f.materials.push_back(shapes[i].material);
  }
  if (shapes.size() == 1) {
    f.shape = shapes[0].shape;
    f.shapePose.set(shapes[0].pose);
  } else if (shapes.size() > 1) {
    std::vector<CompoundShape::Child> children;
    for (const BodyShape& s : shapes) {
      if (s.shape->getType() == ShapeType::Plane || s.shape->getType() == ShapeType::Compound) {
        return refuse(f.id, StatusCode::UnsupportedPair,
                      "a plane or a compound must be a body's only shape");
      }
      children.push_back({s.shape, s.pose});
    }
    f.shape = std::make_shared<CompoundShape>(std::move(children));
  }
  if (f.shape) f.shapeDigest = digestOf(*f.shape);
  return {};
}

}  // namespace

std::vector<BodyShape> shapesOf(const BodyFacts& f) {
  std::vector<BodyShape> shapes;
  if (!f.shape) return shapes;
  if (f.shape->getType() != ShapeType::Compound || f.materials.size() < 2) {
    return {{f.shape, *f.shapePose, f.materials.empty() ? MaterialId{0} : f.materials.front()}};
  }
  const auto& compound = static_cast<const CompoundShape&>(*f.shape);
  for (std::size_t i = 0; i < compound.numChildren(); ++i) {
    const CompoundShape::Child& child = compound.getChild(i);
    shapes.push_back({child.shape, compose(*f.shapePose, child.pose), f.materials[i]});
  }
  return shapes;
}

Status changeMass(const MassProperties& mass, const MaterialTable& materials, BodyFacts& f) {
  BodyDescription d;
  d.type = f.type;
  d.mass = mass.mass;
  d.inertia = mass.inertia;
  d.productsOfInertia = mass.products;
  d.centerOfMass = mass.center;
  return giveMass(d, shapesOf(f), materials, f);
}

Mat3 lockedInverse(const Mat3& inertia, std::uint8_t locks) {
  const bool locked[3] = {(locks & kLockRotationX) != 0, (locks & kLockRotationY) != 0,
                          (locks & kLockRotationZ) != 0};
  Mat3 m = inertia;
  double* e = &m.x.x;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!locked[i]) continue;
    for (std::size_t j = 0; j < 3; ++j) e[3 * i + j] = e[3 * j + i] = 0.0;
    e[4 * i] = 1.0;
  }
  Mat3 result = inverse(m);
  double* r = &result.x.x;
  for (std::size_t i = 0; i < 3; ++i) {
    if (locked[i]) r[4 * i] = 0.0;
  }
  return result;
}

Status makeFacts(const BodyDescription& d, const std::vector<BodyShape>& shapes,
                 const MaterialTable& materials, BodyFacts& f) {
  f.type = d.type;
  f.locks = d.type == BodyType::Dynamic ? d.locks : std::uint8_t{kLockNone};
  f.gravityScale = d.gravityScale;
  f.surfaceVelocity = toVec3(d.surfaceVelocity);
  f.filter = d.filter;
  f.sensor = d.sensor;
  Status status = checkMotion(d, f.id);
  if (status) status = giveShape(shapes, materials, f);
  if (status) status = giveLimits(d, f);
  if (status) status = giveMass(d, shapes, materials, f);
  if (status && f.drive->isLimited) takeDriveMass(f);
  return status;
}

}  // namespace abut::inline v0_1
