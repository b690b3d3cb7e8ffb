// SPDX-License-Identifier: MIT
#include "io/recording/codec.hpp"

#include "io/core/bytes.hpp"

namespace abut::io {
namespace {

// Least bytes of an item, by which a count is checked before memory is taken for it.
constexpr std::size_t kTextBytes = 8, kVertexBytes = 24, kTriangleBytes = 12;
constexpr std::size_t kShapeBytes = 113, kMaterialBytes = 64, kBodyRecordBytes = 106;
constexpr std::size_t kBodyFrameBytes = 108, kContactBytes = 172, kEventBytes = 57;
constexpr std::size_t kDriverBytes = 64;
constexpr std::uint8_t kNumBodyTypes = 3, kNumLocks = 64;

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
  void flag(bool v) { out.u8(v ? 1 : 0); }
  void size(std::size_t v) { out.u64(v); }
  void integer(int v) { out.u32(static_cast<std::uint32_t>(v)); }
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
  void flag(bool& v) { v = in.choice(2) == 1; }
  void size(std::size_t& v) { v = static_cast<std::size_t>(in.u64()); }
  void integer(int& v) { v = static_cast<int>(in.u32()); }
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
  auto& v = m.material;
  all(a, m.name, v.friction, v.restitution, v.rollingResistance, v.spinningResistance, v.density,
      v.youngsModulus, v.poissonsRatio);
}

template <typename A>
void visit(A& a, typename A::template Of<RunHeader>& h) {
  all(a, h.scene, h.step, h.duration, h.every, h.gravity);
  for (auto& m : a.items(h.materials, kMaterialBytes)) visit(a, m);
  for (auto& b : a.items(h.bodies, kBodyRecordBytes)) visit(a, b);
}

template <typename A>
void visit(A& a, typename A::template Of<BodyFrame>& b) {
  all(a, b.position, b.orientation, b.linearVelocity, b.angularVelocity, b.island);
}

template <typename A>
void visit(A& a, typename A::template Of<ContactFrame>& c) {
  all(a, c.object1, c.object2, c.id, c.island, c.position, c.normal, c.depth, c.normalForce,
      c.frictionForce, c.impactImpulse, c.slip, c.friction);
}

template <typename A>
void visit(A& a, typename A::template Of<EventFrame>& e) {
  a.choice(e.kind, kNumEventKinds);
  all(a, e.object1, e.object2, e.time, e.impulse, e.normalImpulse);
}

template <typename A>
void visit(A& a, typename A::template Of<DriverFrame>& d) {
  all(a, d.body, d.work, d.force, d.torque);
}

template <typename A>
void visit(A& a, typename A::template Of<EnergyAccount>& e) {
  all(a, e.kineticBefore, e.kineticAfter, e.potentialBefore, e.potentialAfter, e.drivers, e.forces,
      e.impact, e.friction, e.correction, e.integrator);
}

template <typename A>
void visit(A& a, typename A::template Of<StepReport>& r) {
  a.size(r.contacts);
  a.size(r.islands);
  a(r.worstError);
  a.flag(r.converged);
  a.integer(r.sweeps);
  a.integer(r.newtonSteps);
  a(r.greatestDepth);
}

template <typename A>
void visit(A& a, typename A::template Of<Frame>& f) {
  all(a, f.step, f.time);
  for (auto& b : a.items(f.bodies, kBodyFrameBytes)) visit(a, b);
  for (auto& c : a.items(f.contacts, kContactBytes)) visit(a, c);
  for (auto& e : a.items(f.events, kEventBytes)) visit(a, e);
  for (auto& d : a.items(f.drivers, kDriverBytes)) visit(a, d);
  visit(a, f.stepEnergy);
  visit(a, f.totalEnergy);
  visit(a, f.report);
  a(f.hash);
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
  return writer.out.get();
}

RunHeader decodeHeader(std::string_view bytes) {
  Reader reader(bytes);
  RunHeader h;
  visit(reader, h);
  for (std::size_t i = 1; i < h.bodies.size(); ++i)
    if (!(h.bodies[i - 1].id < h.bodies[i].id)) throw InputError("bodies are not sorted by id");
  reader.in.finish();
  return h;
}

std::string encode(const Frame& frame) {
  Writer writer;
  visit(writer, frame);
  return writer.out.get();
}

void decodeFrame(std::string_view bytes, Frame& frame) {
  Reader reader(bytes);
  visit(reader, frame);
  reader.in.finish();
}

}  // namespace abut::io
