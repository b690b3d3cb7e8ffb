// SPDX-License-Identifier: MIT
#include "state/snapshot.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <abut/math/convert.hpp>
#include <abut/shapes/compound_shape.hpp>

#include "integration/paths.hpp"
#include "shapes/shape_digest.hpp"
#include "state/visit_state.hpp"

namespace abut::inline v0_1 {
namespace {

// Layout: magic, version, number of bytes of the payload, payload, checksum of all before it; words
// of eight bytes, least significant first.
constexpr std::uint64_t kMagic = 0x50414e5354554241u;  // "ABUTSNAP" in that order of bytes.
constexpr std::uint64_t kVersion = 3;
constexpr std::size_t kHeaderBytes = kSnapshotHeaderBytes, kChecksumBytes = kSnapshotChecksumBytes;

std::uint64_t checksumOf(std::span<const std::byte> bytes) {
  Fnv fnv;
  for (const std::byte b : bytes) fnv.addByte(static_cast<std::uint64_t>(b));
  return fnv.value;
}

Status bad(const std::string& what) {
  return Status::failure(StatusCode::BadData, "World::restore: " + what);
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

// Labels follow the state where there are any: their number, then of each the body, its user data,
// the bytes of the name and the name, eight bytes a word, the last filled up with zeros.

void writeLabels(WriteArchive& archive, const BodyLabels& labels, std::vector<std::byte>& bytes) {
  const std::uint64_t count = labels.getAll().size();
  if (count == 0) return;
  archive(count);
  for (const auto& [id, label] : labels.getAll()) writeLabel(id, label, bytes);
}

/// Of bodies that are all there, or that the filter knows; the archive fails for what cannot be.
void readLabels(ReadArchive& archive, const BodyTable& bodies, const SnapshotFilter* filter,
                BodyLabels& labels) {
  std::uint64_t count = 0;
  archive(count);
  for (std::uint64_t k = 0; k < count && archive.ok(); ++k) {
    ObjectId id = kNoObject;
    BodyLabel label;
    std::uint64_t length = 0;
    archive(id, label.userData, length);
    const bool isHere = bodies.find(id) < bodies.size();
    if (!isHere && (filter == nullptr || !filter->knows(id))) archive.fail();
    for (std::size_t at = 0; at < length && archive.ok(); at += 8) {
      std::uint64_t word = 0;
      archive(word);
      for (std::size_t i = at; i < std::min(at + 8, static_cast<std::size_t>(length)); ++i) {
        label.name.push_back(static_cast<char>((word >> (8 * (i - at))) & 0xff));
      }
      if (length - at < 8 && word >> (8 * (length - at)) != 0) archive.fail();
    }
    if (!labels.get(id).isEmpty() || label.isEmpty()) archive.fail();
    if (archive.ok() && isHere) labels.set(id, std::move(label));
  }
}

}  // namespace

std::uint64_t hashOf(const PersistentState& state) {
  HashArchive archive;
  visitState(archive, state);
  return archive.value();
}

void writeLabel(ObjectId id, const BodyLabel& label, std::vector<std::byte>& bytes) {
  WriteArchive archive(bytes);
  const std::uint64_t length = label.name.size();
  archive(id, label.userData, length);
  for (std::size_t at = 0; at < length; at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = at; i < std::min(at + 8, static_cast<std::size_t>(length)); ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(label.name[i])} << (8 * (i - at));
    }
    archive(word);
  }
}

void beginSnapshot(std::vector<std::byte>& bytes) {
  WriteArchive archive(bytes);
  const std::uint64_t size = 0;  // Known at the end.
  archive(kMagic, kVersion, size);
}

void setSnapshotSize(std::span<std::byte> header, std::uint64_t size) {
  std::vector<std::byte> word;
  WriteArchive archive(word);
  archive(size);
  std::copy(word.begin(), word.end(),
            header.begin() + static_cast<std::ptrdiff_t>(kHeaderBytes - word.size()));
}

void endSnapshot(std::vector<std::byte>& bytes) {
  WriteArchive archive(bytes);
  setSnapshotSize(bytes, bytes.size() - kHeaderBytes);
  const std::uint64_t checksum = checksumOf(bytes);
  archive(checksum);
}

std::vector<std::byte> writeSnapshot(const PersistentState& state, const BodyLabels& labels) {
  std::vector<std::byte> bytes;
  beginSnapshot(bytes);
  WriteArchive archive(bytes);
  visitState(archive, state);
  writeLabels(archive, labels, bytes);
  endSnapshot(bytes);
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

/// Reads a state and believes nothing: the first thing that cannot be ends it, with a reason.
class SnapshotReader : public ReadArchive {
public:
  SnapshotReader(std::span<const std::byte> bytes, const ShapeList& shapes)
      : ReadArchive(bytes), shapes_(shapes) {}
  SnapshotReader(PieceSource& pieces, std::uint64_t size, const ShapeList& shapes,
                 SnapshotFilter& filter)
      : ReadArchive(pieces, size), shapes_(shapes), filter_(&filter) {}

  void take(const Status& status) {
    if (status || !ok()) return;
    status_ = status.getCode() == StatusCode::OutOfMemory ? status : bad(status.getMessage());
    fail();
  }
  /// Material 0 is there already, and the same in every table.
  void takeMaterial(std::uint64_t number, const Material& material, MaterialTable& table) {
    MaterialId id = 0;
    if (number > 0) {
      take(table.add(material, id));
    } else if (!isSame(material, table.get(0))) {
      refuse(bad("its material 0 is another than this library's"));
    }
    materials_ = &table;
  }
  void takeBody(BodyRecord& record, BodyTable& bodies) {
    if (!ok()) return;
    const bool isTaken =
        filter_ == nullptr || record.facts.type != BodyType::Dynamic || filter_->takesBody(record);
    refuse(check(record, isTaken));
    if (record.facts.sensor) sensors_.push_back(record.facts.id);
    last_ = record.facts.id;
    if (ok() && isTaken) append(record, bodies);
    bodies_ = &bodies;
  }
  [[nodiscard]] bool takesPair(const ObjectPair& pair) const {
    return filter_ == nullptr || filter_->takesPair(pair);
  }
  /// Of all bodies, taken or not.
  [[nodiscard]] std::size_t numSensors() const { return sensors_.size(); }
  /// New bodies come after all that were read.
  void checkNextId(ObjectId next) {
    if (ok() && next <= last_) refuse(bad("its next id is one that a body has"));
  }
  /// Of bodies that are all there.
  void checkFilters(const PersistentState& s) {
    for (const BodyFacts& f : s.bodies.facts) {
      ObjectId last = f.id;
      for (const ObjectId id : f.excluded) {
        if (id <= last || !isThere(s.bodies, id)) {
          refuse(bad("body " + std::to_string(f.id) + ": its excluded pairs are impossible"));
        }
        last = id;
      }
    }
    for (std::size_t i = 0; i < s.sensed.size(); ++i) {
      const Sensed& one = s.sensed[i];
      const bool isOfOne = std::binary_search(sensors_.begin(), sensors_.end(), one.sensor);
      if ((i > 0 && !(s.sensed[i - 1] < one)) || !isOfOne || !isFinite(one.since)) {
        refuse(bad("what its sensors hold is impossible"));
      }
    }
  }
  void takeContacts(const std::vector<PersistentManifold>& manifolds, std::uint32_t frame,
                    ContactManifoldCache& cache) {
    if (!ok()) return;
    for (const PersistentManifold& m : manifolds) {
      refuse(checkPair(m.key.pair));
      if (ok()) refuse(checkParts(m.key));
    }
    if (ok()) take(cache.restore(manifolds, frame));
  }
  void takeJoints(const BodyTable& bodies, JointTable& joints) {
    if (filter_ != nullptr) return;
    if (ok()) take(checkRestored(bodies, joints));
    if (ok()) joints.deriveAll(bodies);
  }
  /// What follows is of bodies asleep.
  void beginSleepers(PersistentState& s) {
    asleep_ = true;
    for (MaterialId i = 1; i < s.materials.size(); ++i) {
      MaterialId id = 0;
      take(s.asleep.materials.add(s.materials.get(i), id));
    }
  }
  /// Why it failed, or that there is something left.
  [[nodiscard]] Status finish() const {
    if (!status_) return status_;
    return complete() ? Status()
                      : bad("damaged, or of an earlier version: its parts do not fit together");
  }

private:
  void refuse(const Status& status) {
    if (status || !ok()) return;
    status_ = status;
    fail();
  }
  [[nodiscard]] static bool isSame(const Material& a, const Material& b) {
    HashArchive first, second;
    visitMaterial(first, a, true);
    visitMaterial(second, b, true);
    return first.value() == second.value();
  }
  [[nodiscard]] bool isThere(const BodyTable& bodies, ObjectId id) const {
    return bodies.find(id) < bodies.size() || (filter_ != nullptr && filter_->knows(id));
  }
  [[nodiscard]] Status check(BodyRecord& r, bool isTaken) const;
  [[nodiscard]] Status checkPair(const ObjectPair& pair) const;
  [[nodiscard]] Status checkParts(const ManifoldKey& key) const;

  const ShapeList& shapes_;
  const MaterialTable* materials_ = nullptr;
  const BodyTable* bodies_ = nullptr;
  SnapshotFilter* filter_ = nullptr;
  ObjectId last_ = kNoObject;  // The body that was read last.
  std::vector<ObjectId> sensors_;
  bool asleep_ = false;
  Status status_;
};

std::size_t numParts(const Shape& shape) {
  if (shape.getType() != ShapeType::Compound) return 1;
  return static_cast<const CompoundShape&>(shape).numChildren();
}

/// Whether a body can be, and is the next by id; finds the shape of one that is taken.
Status SnapshotReader::check(BodyRecord& r, bool isTaken) const {
  const std::string name = "body " + std::to_string(r.facts.id);
  if (r.facts.id <= last_ || !isPossible(r)) return bad(name + ": its state is impossible");
  if (!r.facts.path.empty() && (r.facts.type != BodyType::Kinematic || !checkPath(r.facts.path))) {
    return bad(name + ": its path is impossible");
  }
  for (const MaterialId m : r.facts.materials) {
    if (materials_ == nullptr || !materials_->contains(m)) {
      return bad(name + ": no material " + std::to_string(m));
    }
  }
  if ((r.hasShape & kHasShape) == 0) {
    return r.facts.materials.empty() ? Status() : bad(name + ": has materials but no shape");
  }
  if (!isRotation(r.facts.shapePose->rotation)) {
    return bad(name + ": the pose of its shape is no rotation");
  }
  if (!isTaken) return {};
  const auto at =
      std::lower_bound(shapes_.begin(), shapes_.end(), r.facts.shapeDigest,
                       [](const auto& s, std::uint64_t digest) { return s.first < digest; });
  if (at == shapes_.end() || at->first != r.facts.shapeDigest || r.facts.materials.empty()) {
    return Status::failure(StatusCode::UnknownObject,
                           "World::restore: " + name +
                               ": neither a body of this world nor the shapes given have its "
                               "shape; give the shapes that the snapshot's bodies had",
                           r.facts.id);
  }
  if (r.facts.materials.size() != 1 && r.facts.materials.size() != numParts(*at->second)) {
    return bad(name + ": has other materials than its shape has parts");
  }
  r.facts.shape = at->second;
  return {};
}

/// Contacts are of bodies awake, or of bodies asleep and what they rest on.
Status SnapshotReader::checkPair(const ObjectPair& pair) const {
  const std::size_t count = bodies_ == nullptr ? 0 : bodies_->size();
  const std::size_t i = count == 0 ? 0 : bodies_->find(pair.first);
  const std::size_t j = count == 0 ? 0 : bodies_->find(pair.second);
  const bool isWhole = i < count && j < count;
  if (!isWhole && filter_ != nullptr && isThere(*bodies_, pair.first) &&
      isThere(*bodies_, pair.second)) {
    return {};  // With a body that is not taken.
  }
  if (!isWhole) return bad("a contact is of a body that is not there");
  const auto fits = [&](std::size_t b) {
    return bodies_->facts[b].type != BodyType::Dynamic || bodies_->rest[b].isAsleep() == asleep_;
  };
  const auto hasShape = [&](std::size_t b) { return !bodies_->facts[b].materials.empty(); };
  if (!hasShape(i) || !hasShape(j)) return bad("a contact is of a body without a shape");
  const bool any = bodies_->rest[i].isAsleep() || bodies_->rest[j].isAsleep();
  if (!fits(i) || !fits(j) || any != asleep_) {
    return bad("a contact joins a body asleep to one awake");
  }
  return {};
}

/// Contacts are of parts that compounds have.
Status SnapshotReader::checkParts(const ManifoldKey& key) const {
  const auto has = [this](ObjectId id, std::uint64_t subShape) {
    const std::size_t i = bodies_->find(id);
    if (i == bodies_->size() || bodies_->facts[i].shape == nullptr) return true;  // Not taken.
    const std::uint64_t child = subShape >> 32u;
    return child < numParts(*bodies_->facts[i].shape);
  };
  if (has(key.pair.first, key.subShape1) && has(key.pair.second, key.subShape2)) return {};
  return bad("a contact is of a part that its shape does not have");
}

/// Of what the reader has no reason to look at.
Status checkClocks(const PersistentState& s) {
  bool sound = isFinite(s.time) && s.time >= 0.0 && isFinite(s.lastStep) && s.lastStep >= 0.0;
  // A NaN makes no entry the largest.
  const EnergyAccount& a = s.total;
  for (const double entry :
       {a.kineticBefore, a.kineticAfter, a.potentialBefore, a.potentialAfter, a.drivers, a.forces,
        a.impact, a.friction, a.correction, a.integrator, a.elasticBefore, a.elasticAfter, a.motors,
        a.dampers, a.limits, a.jointFriction, a.joints, a.compliance}) {
    sound = sound && isFinite(entry);
  }
  return sound ? Status() : bad("its time or accounts are impossible");
}

}  // namespace

Status readSnapshot(std::span<const std::byte> snapshot, const BodyTable& present,
                    std::span<const std::shared_ptr<const Shape>> shapes, PersistentState& state,
                    BodyLabels& labels) {
  std::span<const std::byte> payload;
  Status status = openSnapshot(snapshot, payload);
  if (!status) return status;
  const ShapeList atHand = shapesAtHand(present, shapes);
  SnapshotReader reader(payload, atHand);
  try {
    visitState(reader, state);
    reader.checkNextId(state.nextId);
    if (reader.ok() && !reader.complete()) readLabels(reader, state.bodies, nullptr, labels);
    status = reader.finish();
    if (status) status = checkClocks(state);
    if (status) requireInRange(state.options);
  } catch (const Error& error) {
    return bad(error.what());
  }
  return status;
}

namespace {

/// The bytes of a source, with their checksum.
class SourcePieces final : public PieceSource {
public:
  explicit SourcePieces(SnapshotSource& source) : source_(source), buffer_(kPiece) {}

  /// Exactly so many bytes, or none.
  [[nodiscard]] std::span<const std::byte> take(std::size_t size) {
    std::size_t filled = 0;
    while (filled < size) {
      const std::size_t more = source_.read(std::span(buffer_).subspan(filled, size - filled));
      if (more == 0) return {};
      filled += more;
    }
    return std::span(buffer_).first(size);
  }
  void announce(std::uint64_t size) { left_ = size; }
  [[nodiscard]] std::span<const std::byte> next() override {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kPiece));
    const std::span<const std::byte> piece = take(size);
    left_ -= piece.size();
    add(piece);
    return piece;
  }
  void add(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) sum_.addByte(static_cast<std::uint64_t>(b));
  }
  [[nodiscard]] std::uint64_t checksum() const { return sum_.value; }

private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;
  SnapshotSource& source_;
  std::vector<std::byte> buffer_;
  std::uint64_t left_ = 0;
  Fnv sum_;
};

}  // namespace

Status readSnapshotPart(SnapshotSource& source, const BodyTable& present,
                        std::span<const std::shared_ptr<const Shape>> shapes,
                        SnapshotFilter& filter, PersistentState& state, BodyLabels& labels) {
  source.begin();
  SourcePieces pieces(source);
  const std::span<const std::byte> head = pieces.take(kHeaderBytes);
  std::uint64_t magic = 0, version = 0, size = 0, checksum = 0;
  ReadArchive header(head);
  header(magic, version, size);
  if (magic != kMagic || version != kVersion || size % 8 != 0) {
    return bad("these bytes are not a snapshot of version " + std::to_string(kVersion));
  }
  pieces.add(head);
  pieces.announce(size);
  const ShapeList atHand = shapesAtHand(present, shapes);
  SnapshotReader reader(pieces, size, atHand, filter);
  try {
    visitState(reader, state);
    reader.checkNextId(state.nextId);
    if (reader.ok() && !reader.complete()) readLabels(reader, state.bodies, &filter, labels);
    Status status = reader.finish();
    if (status) status = checkClocks(state);
    if (!status) return status;
    requireInRange(state.options);
  } catch (const Error& error) {
    return bad(error.what());
  }
  ReadArchive tail(pieces.take(kChecksumBytes));
  tail(checksum);
  if (!tail.complete() || checksum != pieces.checksum()) {
    return bad("damaged: the checksum does not agree with the bytes");
  }
  return pieces.take(1).empty() ? Status() : bad("too long");
}

}  // namespace abut::inline v0_1
