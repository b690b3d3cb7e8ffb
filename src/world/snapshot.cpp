// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <utility>

#include <abut/core/float_environment.hpp>
#include <abut/math/convert.hpp>
#include <abut/world/world.hpp>

#include "shapes/shape_digest.hpp"
#include "world/visit_state.hpp"

namespace abut {
namespace {

// Layout: magic, version, number of bytes of the payload, payload, checksum of all before it; words
// of eight bytes, least significant first.
constexpr std::uint64_t kMagic = 0x50414e5354554241u;  // "ABUTSNAP" in that order of bytes.
constexpr std::uint64_t kVersion = 2;
constexpr std::size_t kHeaderBytes = 24, kChecksumBytes = 8;

std::uint64_t checksumOf(std::span<const std::byte> bytes) {
  Fnv fnv;
  for (const std::byte b : bytes) fnv.addByte(static_cast<std::uint64_t>(b));
  return fnv.value;
}

BodyRecord recordOf(const BodyTable& bodies, std::size_t i) {
  BodyRecord r;
  r.facts = bodies.facts[i];
  r.hasShape = r.facts.shape ? 1 : 0;
  r.position = bodies.position[i];
  r.orientation = bodies.orientation[i];
  r.velocity = bodies.velocity[i];
  r.force = bodies.force[i];
  r.torque = bodies.torque[i];
  r.rest = bodies.rest[i];
  return r;
}

template <typename A>
void writePairs(A& archive, const MaterialTable& materials) {
  const std::uint64_t pairs = materials.getPairs().size();
  archive(pairs);
  for (const auto& [ids, pair] : materials.getPairs()) {
    archive(ids.first, ids.second);
    visitMaterial(archive, pair);
  }
}

template <typename A>
void writeContacts(A& archive, StepScheme scheme, const ContactManifoldCache& cache,
                   const std::vector<Touch>& touching) {
  const std::uint64_t manifolds = cache.getManifolds().size();
  archive(manifolds);
  for (const PersistentManifold& m : cache.getManifolds()) visitManifold(archive, m, scheme);
  archive.size(touching);
  for (const Touch& t : touching) visitTouch(archive, t);
}

/// Everything that is written and hashed, in order.
template <typename A>
void writeState(A& archive, const WorldState& s) {
  visitOptions(archive, s.options);
  archive(s.nextId, s.time, s.steps, s.lastStep);
  visitAccount(archive, s.total);
  const std::uint64_t materials = s.materials.size();
  archive(materials);
  for (MaterialId i = 0; i < materials; ++i) visitMaterial(archive, s.materials.get(i));
  writePairs(archive, s.materials);
  archive.size(s.bodies.facts);
  for (std::size_t i = 0; i < s.bodies.size(); ++i) {
    const BodyRecord record = recordOf(s.bodies, i);
    visitBody(archive, record, s.options.sleeping);
  }
  const std::uint32_t frame = s.cache.getFrame();
  archive(frame);
  writeContacts(archive, s.options.scheme, s.cache, s.touching);
  if (!s.options.sleeping) return;
  writePairs(archive, s.sleepers.materials);
  writeContacts(archive, s.options.scheme, s.sleepers.cache, s.sleepers.touching);
}

Status bad(const std::string& what) {
  return Status::failure(StatusCode::BadData, "World::restore: " + what);
}

/// What a snapshot holds, before it is believed.
struct Contents {
  struct MaterialPair {
    MaterialId a = 0, b = 0;
    PairMaterial pair;
  };
  WorldOptions options;
  ObjectId nextId = 0;
  double time = 0.0, lastStep = 0.0;
  std::uint64_t steps = 0;
  EnergyAccount total;
  std::vector<Material> materials;
  std::vector<MaterialPair> pairs, pairsBefore;
  std::vector<BodyRecord> bodies;
  std::uint32_t frame = 0;
  std::vector<PersistentManifold> manifolds, manifoldsAsleep;
  std::vector<Touch> touching, touchingAsleep;

  void read(ReadArchive& archive);
};

void readPairs(ReadArchive& archive, std::vector<Contents::MaterialPair>& pairs) {
  archive.size(pairs);
  for (Contents::MaterialPair& p : pairs) {
    archive(p.a, p.b);
    visitMaterial(archive, p.pair);
  }
}

void readContacts(ReadArchive& archive, StepScheme scheme,
                  std::vector<PersistentManifold>& manifolds, std::vector<Touch>& touching) {
  archive.size(manifolds);
  for (PersistentManifold& m : manifolds) {
    if (!archive.ok()) return;
    visitManifold(archive, m, scheme);
  }
  archive.size(touching);
  for (Touch& t : touching) visitTouch(archive, t);
}

void Contents::read(ReadArchive& archive) {
  visitOptions(archive, options);
  archive(nextId, time, steps, lastStep);
  visitAccount(archive, total);
  archive.size(materials);
  for (Material& m : materials) visitMaterial(archive, m);
  readPairs(archive, pairs);
  archive.size(bodies);
  for (BodyRecord& r : bodies) {
    if (!archive.ok()) return;
    visitBody(archive, r, options.sleeping);
  }
  archive(frame);
  readContacts(archive, options.scheme, manifolds, touching);
  if (!options.sleeping) return;
  readPairs(archive, pairsBefore);
  readContacts(archive, options.scheme, manifoldsAsleep, touchingAsleep);
}

/// The payload of bytes that are a snapshot of this version, whole and undamaged.
Status openSnapshot(std::span<const std::byte> bytes, std::span<const std::byte>& payload) {
  std::uint64_t magic = 0, version = 0, size = 0, checksum = 0;
  ReadArchive header(bytes.first(std::min(bytes.size(), kHeaderBytes)));
  header(magic, version, size);
  if (bytes.size() >= 8 && magic != kMagic) {
    return bad("these bytes are not a snapshot: they do not begin with ABUTSNAP");
  }
  if (bytes.size() < kHeaderBytes + kChecksumBytes) {
    return bad("truncated: " + std::to_string(bytes.size()) + " bytes; a snapshot has at least " +
               std::to_string(kHeaderBytes + kChecksumBytes));
  }
  if (version != kVersion) {
    return bad("the snapshot has version " + std::to_string(version) + "; this library reads " +
               std::to_string(kVersion) + ". Make it anew with this version");
  }
  const std::uint64_t held = bytes.size() - kHeaderBytes - kChecksumBytes;
  if (size != held) {
    return bad((size > held ? "truncated: " : "too long: ") + std::to_string(held) +
               " bytes of state where " + std::to_string(size) + " are announced");
  }
  ReadArchive tail(bytes.last(kChecksumBytes));
  tail(checksum);
  if (checksum != checksumOf(bytes.first(bytes.size() - kChecksumBytes))) {
    return bad("damaged: the checksum does not agree with the bytes");
  }
  payload = bytes.subspan(kHeaderBytes, static_cast<std::size_t>(size));
  return {};
}

}  // namespace

std::uint64_t World::hash() const {
  HashArchive archive;
  writeState(archive, *state_);
  return archive.value();
}

std::vector<std::byte> World::snapshot() const {
  std::vector<std::byte> payload, bytes;
  WriteArchive body(payload);
  writeState(body, *state_);
  WriteArchive archive(bytes);
  archive(kMagic, kVersion);
  const std::uint64_t size = payload.size();
  archive(size);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  const std::uint64_t checksum = checksumOf(bytes);
  archive(checksum);
  return bytes;
}

namespace {

/// Shapes by digest: those of the bodies that are there, and those given.
using ShapeList = std::vector<std::pair<std::uint64_t, std::shared_ptr<const Shape>>>;

ShapeList shapesAtHand(const BodyTable& bodies,
                       std::span<const std::shared_ptr<const Shape>> given) {
  ShapeList shapes;
  for (const BodyFacts& f : bodies.facts) {
    if (f.shape) shapes.push_back({f.shapeDigest, f.shape});
  }
  for (const auto& shape : given) {
    if (shape) shapes.push_back({digestOf(*shape), shape});
  }
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return shapes;
}

constexpr double kLongAgo = 1e300;  // [s]

bool isUnit(const Quat& q) {
  constexpr double kUnit = 1e-6;
  return absOf((((q.w * q.w + q.x * q.x) + q.y * q.y) + q.z * q.z) - 1.0) <= kUnit;
}

/// Only dynamic bodies sleep, and those that do stand still.
bool isRestPossible(const BodyRecord& r) {
  const BodyRest& rest = r.rest;
  if (!isFinite(rest.still) || !(rest.still >= 0.0) || !isFinite(rest.step)) return false;
  if (!(rest.step >= 0.0)) return false;
  const bool still = r.velocity.linear == Vec3{} && r.velocity.angular == Vec3{} &&
                     r.force == Vec3{} && r.torque == Vec3{};
  return !rest.isAsleep() || (still && r.facts.type == BodyType::Dynamic && !rest.woken);
}

bool isPossible(const BodyRecord& r) {
  const BodyFacts& f = r.facts;
  const auto within = [](const Vec3& v, double most) {
    return absOf(v.x) <= most && absOf(v.y) <= most && absOf(v.z) <= most;
  };
  const auto finite = [](const Mat3& m) { return isFinite(m.x) && isFinite(m.y) && isFinite(m.z); };
  return f.id != kNoObject && f.type <= BodyType::Dynamic && isFinite(f.mass) &&
         (f.type == BodyType::Dynamic ? f.mass > 0.0 : f.mass == 0.0) && finite(f.inertia.tensor) &&
         finite(f.inertia.inverse) && isFinite(f.center) && isFinite(f.gravityScale) &&
         within(f.surfaceVelocity, kMaxBodySpeed) && within(r.position, kMaxBodyCoordinate) &&
         within(r.velocity.linear, kMaxBodySpeed) && within(r.velocity.angular, kMaxBodySpin) &&
         isFinite(r.force) && isFinite(r.torque) && isUnit(r.orientation) &&
         finite(f.shapePose.rotation) && isFinite(f.shapePose.translation) && r.hasShape <= 1 &&
         isRestPossible(r);
}

Status restoreBodies(std::vector<BodyRecord>& records, const ShapeList& shapes,
                     const MaterialTable& materials, BodyTable& bodies) {
  ObjectId last = kNoObject;
  for (BodyRecord& r : records) {
    const std::string name = "body " + std::to_string(r.facts.id);
    if (r.facts.id <= last || !isPossible(r)) return bad(name + ": its state is impossible");
    last = r.facts.id;
    double previous = -kLongAgo;
    for (const PathPoint& p : r.facts.path) {
      if (!(p.time > previous) || !isFinite(toVec3(p.position)) || !isUnit(p.orientation) ||
          r.facts.type != BodyType::Kinematic) {
        return bad(name + ": its path is impossible");
      }
      previous = p.time;
    }
    for (const MaterialId m : r.facts.materials) {
      if (!materials.contains(m)) return bad(name + ": no material " + std::to_string(m));
    }
    if (r.hasShape != 0) {
      const auto at =
          std::lower_bound(shapes.begin(), shapes.end(), r.facts.shapeDigest,
                           [](const auto& s, std::uint64_t digest) { return s.first < digest; });
      if (at == shapes.end() || at->first != r.facts.shapeDigest || r.facts.materials.empty()) {
        return Status::failure(
            StatusCode::UnknownObject,
            "World::restore: " + name +
                ": neither a body of this world nor the shapes given have its shape; "
                "give the shapes that the snapshot's bodies had",
            r.facts.id);
      }
      r.facts.shape = at->second;
    }
    bodies.append(std::move(r.facts), r.position, r.orientation, r.velocity);
    bodies.force.back() = r.force;
    bodies.torque.back() = r.torque;
    bodies.rest.back() = r.rest;
  }
  return {};
}

Status restoreMaterials(const Contents& c, const std::vector<Contents::MaterialPair>& pairs,
                        MaterialTable& materials) {
  if (c.materials.empty()) return bad("no materials");
  Status status;
  for (std::size_t i = 1; i < c.materials.size() && status; ++i) {
    MaterialId id = 0;
    status = materials.add(c.materials[i], id);
  }
  for (std::size_t i = 0; i < pairs.size() && status; ++i) {
    status = materials.setPair(pairs[i].a, pairs[i].b, pairs[i].pair);
  }
  return status ? status : bad(status.getMessage());
}

/// Contacts of bodies awake, or of bodies asleep and what they rest on.
Status restoreContacts(const std::vector<PersistentManifold>& manifolds, std::uint32_t frame,
                       bool asleep, const BodyTable& bodies, ContactManifoldCache& cache) {
  for (const PersistentManifold& m : manifolds) {
    const std::size_t i = bodies.find(m.key.pair.first), j = bodies.find(m.key.pair.second);
    if (i == bodies.size() || j == bodies.size()) {
      return bad("a contact is of a body that is not there");
    }
    const auto fits = [&](std::size_t b) {
      return bodies.facts[b].type != BodyType::Dynamic || bodies.rest[b].isAsleep() == asleep;
    };
    const bool any = bodies.rest[i].isAsleep() || bodies.rest[j].isAsleep();
    if (!fits(i) || !fits(j) || any != asleep) {
      return bad("a contact joins a body asleep to one awake");
    }
  }
  const Status status = cache.restore(manifolds, frame);
  return status ? status : bad(status.getMessage());
}

/// A fresh world's state from what a snapshot holds.
Status build(Contents& c, const ShapeList& shapes, WorldState& s) {
  Status status = restoreMaterials(c, c.pairs, s.materials);
  if (status) status = restoreMaterials(c, c.pairsBefore, s.sleepers.materials);
  if (status) status = restoreBodies(c.bodies, shapes, s.materials, s.bodies);
  if (!status) return status;
  const bool sound = isFinite(c.time) && c.time >= 0.0 && isFinite(c.lastStep) &&
                     c.lastStep >= 0.0 && isFinite(c.total.largestEntry());
  if (!sound) return bad("its time or accounts are impossible");
  status = restoreContacts(c.manifolds, c.frame, false, s.bodies, s.cache);
  if (status) {
    status = restoreContacts(c.manifoldsAsleep, 0, true, s.bodies, s.sleepers.cache);
  }
  if (!status) return status;
  s.nextId = c.nextId;
  s.time = c.time;
  s.steps = c.steps;
  s.lastStep = c.lastStep;
  s.total = c.total;
  s.touching = std::move(c.touching);
  s.sleepers.touching = std::move(c.touchingAsleep);
  return {};
}

}  // namespace

Status World::restore(std::span<const std::byte> snapshot,
                      std::span<const std::shared_ptr<const Shape>> shapes) {
  const FloatEnvironment environment;
  std::span<const std::byte> payload;
  Status status = openSnapshot(snapshot, payload);
  if (!status) return status;
  Contents contents;
  ReadArchive archive(payload);
  contents.read(archive);
  if (!archive.complete()) return bad("damaged: its parts do not fit together");
  try {
    World fresh(contents.options);
    status = build(contents, shapesAtHand(state_->bodies, shapes), *fresh.state_);
    if (status) status = fresh.state_->addAllToBroadPhase();
    if (!status) return status;
    state_->takeOver(*fresh.state_);
  } catch (const Error& error) {
    return bad(error.what());
  }
  return {};
}

}  // namespace abut
