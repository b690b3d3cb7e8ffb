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

void put(ByteWriter& out, const ShapeRecord& s) {
  out.u8(static_cast<std::uint8_t>(s.type));
  out.vec3(s.size);
  out.f64(s.offset);
  out.vec3(s.position);
  out.quat(s.orientation);
  out.text(s.material);
  out.u64(s.vertices.size());
  for (const Vec3& v : s.vertices) out.vec3(v);
  out.u64(s.triangles.size());
  for (const auto& t : s.triangles)
    for (const std::uint32_t corner : t) out.u32(corner);
}

ShapeRecord takeShape(ByteReader& in) {
  ShapeRecord s;
  s.type = static_cast<ShapeType>(in.choice(kNumShapeTypes));
  s.size = in.vec3();
  s.offset = in.f64();
  s.position = in.vec3();
  s.orientation = in.quat();
  s.material = in.text();
  s.vertices.resize(in.count(kVertexBytes));
  for (Vec3& v : s.vertices) v = in.vec3();
  s.triangles.resize(in.count(kTriangleBytes));
  for (auto& t : s.triangles) {
    for (std::uint32_t& corner : t) {
      corner = in.u32();
      if (corner >= s.vertices.size())
        throw InputError(concat("a triangle refers to vertex ", corner, " of ", s.vertices.size()));
    }
  }
  return s;
}

void put(ByteWriter& out, const BodyRecord& b) {
  out.u64(b.id);
  out.text(b.name);
  out.u8(static_cast<std::uint8_t>(b.type));
  out.u8(b.locks);
  out.f64(b.mass);
  out.vec3(b.inertia);
  out.vec3(b.products);
  out.vec3(b.center);
  out.u64(b.shapes.size());
  for (const ShapeRecord& s : b.shapes) put(out, s);
}

BodyRecord takeBody(ByteReader& in) {
  BodyRecord b;
  b.id = in.u64();
  b.name = in.text();
  b.type = static_cast<BodyType>(in.choice(3));
  b.locks = in.choice(64);
  b.mass = in.f64();
  b.inertia = in.vec3();
  b.products = in.vec3();
  b.center = in.vec3();
  b.shapes.resize(in.count(kShapeBytes));
  for (ShapeRecord& s : b.shapes) s = takeShape(in);
  return b;
}

void put(ByteWriter& out, const MaterialRecord& m) {
  out.text(m.name);
  out.f64(m.material.friction);
  out.f64(m.material.restitution);
  out.f64(m.material.rollingResistance);
  out.f64(m.material.spinningResistance);
  out.f64(m.material.density);
  out.f64(m.material.youngsModulus);
  out.f64(m.material.poissonsRatio);
}

MaterialRecord takeMaterial(ByteReader& in) {
  MaterialRecord m;
  m.name = in.text();
  m.material.friction = in.f64();
  m.material.restitution = in.f64();
  m.material.rollingResistance = in.f64();
  m.material.spinningResistance = in.f64();
  m.material.density = in.f64();
  m.material.youngsModulus = in.f64();
  m.material.poissonsRatio = in.f64();
  return m;
}

void put(ByteWriter& out, const ContactFrame& c) {
  out.u64(c.object1);
  out.u64(c.object2);
  out.u64(c.id);
  out.u32(c.island);
  out.vec3(c.position);
  out.vec3(c.normal);
  out.f64(c.depth);
  out.f64(c.normalForce);
  out.vec3(c.frictionForce);
  out.vec3(c.impactImpulse);
  out.vec3(c.slip);
  out.f64(c.friction);
}

ContactFrame takeContact(ByteReader& in) {
  ContactFrame c;
  c.object1 = in.u64();
  c.object2 = in.u64();
  c.id = in.u64();
  c.island = in.u32();
  c.position = in.vec3();
  c.normal = in.vec3();
  c.depth = in.f64();
  c.normalForce = in.f64();
  c.frictionForce = in.vec3();
  c.impactImpulse = in.vec3();
  c.slip = in.vec3();
  c.friction = in.f64();
  return c;
}

void put(ByteWriter& out, const EnergyAccount& e) {
  for (const double v : {e.kineticBefore, e.kineticAfter, e.potentialBefore, e.potentialAfter,
                         e.drivers, e.forces, e.impact, e.friction, e.correction, e.integrator})
    out.f64(v);
}

EnergyAccount takeEnergy(ByteReader& in) {
  EnergyAccount e;
  for (double* v : {&e.kineticBefore, &e.kineticAfter, &e.potentialBefore, &e.potentialAfter,
                    &e.drivers, &e.forces, &e.impact, &e.friction, &e.correction, &e.integrator})
    *v = in.f64();
  return e;
}

void put(ByteWriter& out, const StepReport& r) {
  out.u64(r.contacts);
  out.u64(r.islands);
  out.f64(r.worstError);
  out.u8(r.converged ? 1 : 0);
  out.u32(static_cast<std::uint32_t>(r.sweeps));
  out.u32(static_cast<std::uint32_t>(r.newtonSteps));
  out.f64(r.greatestDepth);
}

StepReport takeReport(ByteReader& in) {
  StepReport r;
  r.contacts = static_cast<std::size_t>(in.u64());
  r.islands = static_cast<std::size_t>(in.u64());
  r.worstError = in.f64();
  r.converged = in.choice(2) == 1;
  r.sweeps = static_cast<int>(in.u32());
  r.newtonSteps = static_cast<int>(in.u32());
  r.greatestDepth = in.f64();
  return r;
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

std::string encode(const RunHeader& h) {
  ByteWriter out;
  out.text(h.scene);
  out.f64(h.step);
  out.f64(h.duration);
  out.u32(h.every);
  out.vec3(h.gravity);
  out.u64(h.materials.size());
  for (const MaterialRecord& m : h.materials) put(out, m);
  out.u64(h.bodies.size());
  for (const BodyRecord& b : h.bodies) put(out, b);
  return out.get();
}

RunHeader decodeHeader(std::string_view bytes) {
  ByteReader in(bytes);
  RunHeader h;
  h.scene = in.text();
  h.step = in.f64();
  h.duration = in.f64();
  h.every = in.u32();
  h.gravity = in.vec3();
  h.materials.resize(in.count(kMaterialBytes));
  for (MaterialRecord& m : h.materials) m = takeMaterial(in);
  h.bodies.resize(in.count(kBodyRecordBytes));
  for (BodyRecord& b : h.bodies) b = takeBody(in);
  for (std::size_t i = 1; i < h.bodies.size(); ++i)
    if (!(h.bodies[i - 1].id < h.bodies[i].id)) throw InputError("bodies are not sorted by id");
  in.finish();
  return h;
}

std::string encode(const Frame& f) {
  ByteWriter out;
  out.u64(f.step);
  out.f64(f.time);
  out.u64(f.bodies.size());
  for (const BodyFrame& b : f.bodies) {
    out.vec3(b.position);
    out.quat(b.orientation);
    out.vec3(b.linearVelocity);
    out.vec3(b.angularVelocity);
    out.u32(b.island);
  }
  out.u64(f.contacts.size());
  for (const ContactFrame& c : f.contacts) put(out, c);
  out.u64(f.events.size());
  for (const EventFrame& e : f.events) {
    out.u8(static_cast<std::uint8_t>(e.kind));
    out.u64(e.object1);
    out.u64(e.object2);
    out.f64(e.time);
    out.vec3(e.impulse);
    out.f64(e.normalImpulse);
  }
  out.u64(f.drivers.size());
  for (const DriverFrame& d : f.drivers) {
    out.u64(d.body);
    out.f64(d.work);
    out.vec3(d.force);
    out.vec3(d.torque);
  }
  put(out, f.stepEnergy);
  put(out, f.totalEnergy);
  put(out, f.report);
  out.u64(f.hash);
  return out.get();
}

void decodeFrame(std::string_view bytes, Frame& f) {
  ByteReader in(bytes);
  f.step = in.u64();
  f.time = in.f64();
  f.bodies.resize(in.count(kBodyFrameBytes));
  for (BodyFrame& b : f.bodies) {
    b.position = in.vec3();
    b.orientation = in.quat();
    b.linearVelocity = in.vec3();
    b.angularVelocity = in.vec3();
    b.island = in.u32();
  }
  f.contacts.resize(in.count(kContactBytes));
  for (ContactFrame& c : f.contacts) c = takeContact(in);
  f.events.resize(in.count(kEventBytes));
  for (EventFrame& e : f.events) {
    e.kind = static_cast<EventKind>(in.choice(kNumEventKinds));
    e.object1 = in.u64();
    e.object2 = in.u64();
    e.time = in.f64();
    e.impulse = in.vec3();
    e.normalImpulse = in.f64();
  }
  f.drivers.resize(in.count(kDriverBytes));
  for (DriverFrame& d : f.drivers) {
    d.body = in.u64();
    d.work = in.f64();
    d.force = in.vec3();
    d.torque = in.vec3();
  }
  f.stepEnergy = takeEnergy(in);
  f.totalEnergy = takeEnergy(in);
  f.report = takeReport(in);
  f.hash = in.u64();
  in.finish();
}

}  // namespace abut::io
