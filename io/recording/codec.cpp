// SPDX-License-Identifier: MIT
#include "io/recording/codec.hpp"

#include <abut/dynamics/material_fields.hpp>

#include "io/core/bytes.hpp"

namespace abut::inline v0_1::io {
namespace {

// Least bytes of an item, by which a count is checked before memory is taken for it.
constexpr std::size_t kTextBytes = 8, kVertexBytes = 24, kTriangleBytes = 12;
constexpr std::size_t kShapeBytes = 113, kMaterialBytes = 64, kBodyRecordBytes = 106;
constexpr std::size_t kJointBytes = 153, kAxisBytes = 18;
constexpr std::uint8_t kNumBodyTypes = 3, kNumLocks = 64, kNumJointTypes = 9, kNumDriveModes = 4;

/// Writes fields. The lists of fields below serve this and Reader, so that they cannot differ.
class Writer {
public:
  template <typename T>
  using Of = const T;

  ByteWriter out;

  void operator()(double v) { out.f64(v); }
  void operator()(const Vec3& v) { out.vec3(v); }
  void operator()(const Quat& v) { out.quat(v); }
  void operator()(const std::string& v) { out.text(v); }
  void operator()(std::uint32_t v) { out.u32(v); }
  void operator()(std::uint64_t v) { out.u64(v); }
  template <typename T>
  void choice(const T& v, std::uint8_t /*limit*/) {
    out.u8(static_cast<std::uint8_t>(v));
  }
  template <typename T>
  const std::vector<T>& items(const std::vector<T>& list, std::size_t /*leastBytes*/) {
    out.u64(list.size());
    return list;
  }
};

/// Reads them; throws InputError for what cannot be.
class Reader {
public:
  template <typename T>
  using Of = T;

  explicit Reader(std::string_view bytes) : in(bytes) {}
  ByteReader in;

  void operator()(double& v) { v = in.f64(); }
  void operator()(Vec3& v) { v = in.vec3(); }
  void operator()(Quat& v) { v = in.quat(); }
  void operator()(std::string& v) { v = in.text(); }
  void operator()(std::uint32_t& v) { v = in.u32(); }
  void operator()(std::uint64_t& v) { v = in.u64(); }
  template <typename T>
  void choice(T& v, std::uint8_t limit) {
    v = static_cast<T>(in.choice(limit));
  }
  template <typename T>
  std::vector<T>& items(std::vector<T>& list, std::size_t leastBytes) {
    list.resize(in.count(leastBytes));
    return list;
  }
};

/// Several fields, one after the other.
template <typename A, typename... Fields>
void all(A& a, Fields&... fields) {
  (a(fields), ...);
}

template <typename A>
void visit(A& a, typename A::template Of<ShapeRecord>& s) {
  a.choice(s.type, kNumShapeTypes);
  all(a, s.size, s.offset, s.position, s.orientation, s.material);
  for (auto& v : a.items(s.vertices, kVertexBytes)) a(v);
  for (auto& triangle : a.items(s.triangles, kTriangleBytes)) {
    for (auto& corner : triangle) {
      a(corner);
      if (corner >= s.vertices.size())
        throw InputError(concat("a triangle refers to vertex ", corner, " of ", s.vertices.size()));
    }
  }
}

template <typename A>
void visit(A& a, typename A::template Of<BodyRecord>& b) {
  all(a, b.id, b.name);
  a.choice(b.type, kNumBodyTypes);
  a.choice(b.locks, kNumLocks);
  all(a, b.mass, b.inertia, b.products, b.center);
  for (auto& s : a.items(b.shapes, kShapeBytes)) visit(a, s);
}

template <typename A>
void visit(A& a, typename A::template Of<MaterialRecord>& m) {
  a(m.name);
  forEachRigidField(m.material, [&](const OptionInfo& /*info*/, auto& value) { a(value); });
}

template <typename A>
void visit(A& a, typename A::template Of<JointRecord>& j) {
  all(a, j.id, j.name);
  a.choice(j.type, kNumJointTypes);
  all(a, j.body1, j.body2, j.position1, j.orientation1, j.position2, j.orientation2);
  for (auto& axis : a.items(j.axes, kAxisBytes)) {
    a.choice(axis.turns, 2);
    all(a, axis.lower, axis.upper);
    a.choice(axis.drive, kNumDriveModes);
  }
}

template <typename A>
void visit(A& a, typename A::template Of<RunHeader>& h) {
  all(a, h.scene, h.step, h.duration, h.every, h.gravity);
  for (auto& m : a.items(h.materials, kMaterialBytes)) visit(a, m);
  for (auto& b : a.items(h.bodies, kBodyRecordBytes)) visit(a, b);
}

}  // namespace

std::string encode(const SceneSource& source) {
  ByteWriter out;
  out.text(source.file);
  out.text(source.text);
  out.u64(source.files.size());
  for (const auto& [path, content] : source.files) {
    out.text(path);
    out.text(content);
  }
  return out.get();
}

SceneSource decodeSource(std::string_view bytes) {
  ByteReader in(bytes);
  SceneSource source;
  source.file = in.text();
  source.text = in.text();
  const std::size_t count = in.count(2 * kTextBytes);
  for (std::size_t i = 0; i < count; ++i) {
    std::string path = in.text();
    std::string content = in.text();
    if (!source.files.emplace(std::move(path), std::move(content)).second)
      throw InputError("a file stands twice in it");
  }
  in.finish();
  return source;
}

std::string encode(const RunHeader& header) {
  Writer writer;
  visit(writer, header);
  // Last, and left out where there are none: recordings without joints are as they always were.
  if (!header.joints.empty()) {
    for (const JointRecord& j : writer.items(header.joints, kJointBytes)) visit(writer, j);
  }
  return writer.out.get();
}

RunHeader decodeHeader(std::string_view bytes) {
  Reader reader(bytes);
  RunHeader h;
  visit(reader, h);
  for (std::size_t i = 1; i < h.bodies.size(); ++i)
    if (!(h.bodies[i - 1].id < h.bodies[i].id)) throw InputError("bodies are not sorted by id");
  if (!reader.in.isAtEnd()) {
    for (JointRecord& j : reader.items(h.joints, kJointBytes)) visit(reader, j);
  }
  for (std::size_t i = 1; i < h.joints.size(); ++i)
    if (!(h.joints[i - 1].id < h.joints[i].id)) throw InputError("joints are not sorted by id");
  reader.in.finish();
  return h;
}

}  // namespace abut::inline v0_1::io
