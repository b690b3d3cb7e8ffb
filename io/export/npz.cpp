// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "io/core/bytes.hpp"
#include "io/export/export.hpp"

namespace abut::io {
namespace {

/// CRC-32 of ZIP (polynomial 0x04C11DB7 reflected).
std::uint32_t zipCrc(std::string_view bytes) {
  static constexpr auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? (c >> 1) ^ 0xedb88320u : c >> 1;
      table[i] = c;
    }
    return table;
  }();
  std::uint32_t c = 0xffffffffu;
  for (const char b : bytes) c = (c >> 8) ^ kTable[(c ^ static_cast<unsigned char>(b)) & 0xff];
  return ~c;
}

/// A ZIP archive of stored files.
class ZipWriter {
public:
  void add(const std::string& name, std::string_view content) {
    if (out_.get().size() + content.size() > 0xf0000000u)
      throw InputError(
          "the arrays are larger than 4 GiB, which a .npz file cannot hold here; "
          "record fewer frames (record.every)");
    const auto size = static_cast<std::uint32_t>(content.size());
    const std::uint32_t crc = zipCrc(content);
    const auto start = static_cast<std::uint32_t>(out_.get().size());
    out_.u32(0x04034b50);
    common(out_, crc, size, name);
    out_.raw(name);
    out_.raw(content);
    directory_.u32(0x02014b50);
    u16(directory_, 20);
    common(directory_, crc, size, name);
    u16(directory_, 0);  // Comment, disk, attributes.
    u16(directory_, 0);
    u16(directory_, 0);
    directory_.u32(0);
    directory_.u32(start);
    directory_.raw(name);
    ++count_;
  }
  std::string finish() {
    const auto start = static_cast<std::uint32_t>(out_.get().size());
    out_.raw(directory_.get());
    out_.u32(0x06054b50);
    u16(out_, 0);
    u16(out_, 0);
    u16(out_, count_);
    u16(out_, count_);
    out_.u32(static_cast<std::uint32_t>(directory_.get().size()));
    out_.u32(start);
    u16(out_, 0);
    return out_.get();
  }

private:
  ByteWriter out_, directory_;
  std::uint16_t count_ = 0;

  static void u16(ByteWriter& out, std::uint16_t v) {
    out.u8(static_cast<std::uint8_t>(v & 0xff));
    out.u8(static_cast<std::uint8_t>(v >> 8));
  }
  static void common(ByteWriter& out, std::uint32_t crc, std::uint32_t size,
                     const std::string& name) {
    u16(out, 20);      // Version needed.
    u16(out, 0);       // Flags.
    u16(out, 0);       // Stored.
    u16(out, 0);       // Time.
    u16(out, 0x5a21);  // 2025-01-01: the same bytes whenever it is written.
    out.u32(crc);
    out.u32(size);
    out.u32(size);
    u16(out, static_cast<std::uint16_t>(name.size()));
    u16(out, 0);
  }
};

/// Format 1.0 of .npy: a header that is a Python literal, then the numbers.
std::string npy(std::string_view type, const std::vector<std::size_t>& shape,
                std::string_view numbers) {
  std::string dictionary = concat("{'descr': '", type, "', 'fortran_order': False, 'shape': (");
  for (const std::size_t n : shape) dictionary += concat(n, ", ");
  dictionary += "), }";
  constexpr std::size_t kPrefix = 10, kAlign = 64;
  while ((kPrefix + dictionary.size() + 1) % kAlign != 0) dictionary += ' ';
  dictionary += '\n';
  ByteWriter out;
  out.raw("\x93NUMPY");
  out.u8(1);
  out.u8(0);
  out.u8(static_cast<std::uint8_t>(dictionary.size() & 0xff));
  out.u8(static_cast<std::uint8_t>(dictionary.size() >> 8));
  out.raw(dictionary);
  out.raw(numbers);
  return out.get();
}

/// Texts as NumPy's fixed-length UTF-32.
std::string namesNpy(const RunHeader& header) {
  std::vector<std::vector<std::uint32_t>> names;
  std::size_t longest = 1;
  for (const BodyRecord& body : header.bodies) {
    std::vector<std::uint32_t> codes;
    for (std::size_t i = 0; i < body.name.size();) {
      const auto at = [&](std::size_t k) {
        return std::uint32_t{static_cast<unsigned char>(body.name[i + k])};
      };
      const std::size_t length = std::max<std::size_t>(utf8Length(body.name.substr(i, 4)), 1);
      std::uint32_t code = length == 1 ? at(0) : at(0) & (0xffu >> (length + 1));
      for (std::size_t k = 1; k < length; ++k) code = code << 6 | (at(k) & 0x3f);
      codes.push_back(code);
      i += length;
    }
    longest = std::max(longest, codes.size());
    names.push_back(std::move(codes));
  }
  ByteWriter out;
  for (const auto& codes : names)
    for (std::size_t i = 0; i < longest; ++i) out.u32(i < codes.size() ? codes[i] : 0);
  return npy(concat("<U", longest), {names.size()}, out.get());
}

struct Arrays {
  std::size_t frames = 0, contacts = 0;
  ByteWriter step, time, hash, position, orientation, linear, angular, energy, residual;
  ByteWriter contactFrame, contactBodies, contactPosition, contactNormal, contactDepth,
      contactNormalForce, contactFrictionForce, contactImpact, contactSlip;

  void add(const Frame& frame) {
    step.u64(frame.step);
    time.f64(frame.time);
    hash.u64(frame.hash);
    residual.f64(frame.report.worstError);
    for (const BodyFrame& b : frame.bodies) {
      position.vec3(b.position);
      orientation.quat(b.orientation);
      linear.vec3(b.linearVelocity);
      angular.vec3(b.angularVelocity);
    }
    const EnergyAccount& e = frame.totalEnergy;
    for (const double v : {e.kineticBefore, e.kineticAfter, e.potentialBefore, e.potentialAfter,
                           e.drivers, e.forces, e.impact, e.friction, e.correction, e.integrator})
      energy.f64(v);
    for (const ContactFrame& c : frame.contacts) {
      contactFrame.u64(frames);
      contactBodies.u64(c.object1);
      contactBodies.u64(c.object2);
      contactPosition.vec3(c.position);
      contactNormal.vec3(c.normal);
      contactDepth.f64(c.depth);
      contactNormalForce.f64(c.normalForce);
      contactFrictionForce.vec3(c.frictionForce);
      contactImpact.vec3(c.impactImpulse);
      contactSlip.vec3(c.slip);
      ++contacts;
    }
    ++frames;
  }
};

}  // namespace

std::string exportNpz(RecordingReader& recording) {
  const RunHeader& header = recording.getHeader();
  Arrays a;
  Frame frame;
  while (recording.next(frame)) a.add(frame);
  const std::size_t f = a.frames, b = header.bodies.size(), n = a.contacts;
  ByteWriter ids, masses;
  for (const BodyRecord& body : header.bodies) {
    ids.u64(body.id);
    masses.f64(body.mass);
  }
  ZipWriter zip;
  const auto put = [&](const char* name, std::string_view type, std::vector<std::size_t> shape,
                       const ByteWriter& numbers) {
    zip.add(concat(std::string_view(name), ".npy"), npy(type, shape, numbers.get()));
  };
  zip.add("name.npy", namesNpy(header));
  put("id", "<u8", {b}, ids);
  put("mass", "<f8", {b}, masses);
  put("step", "<u8", {f}, a.step);
  put("time", "<f8", {f}, a.time);
  put("hash", "<u8", {f}, a.hash);
  put("position", "<f8", {f, b, 3}, a.position);
  put("orientation", "<f8", {f, b, 4}, a.orientation);
  put("linear_velocity", "<f8", {f, b, 3}, a.linear);
  put("angular_velocity", "<f8", {f, b, 3}, a.angular);
  put("energy", "<f8", {f, 10}, a.energy);
  put("residual", "<f8", {f}, a.residual);
  put("contact_frame", "<u8", {n}, a.contactFrame);
  put("contact_ids", "<u8", {n, 2}, a.contactBodies);
  put("contact_position", "<f8", {n, 3}, a.contactPosition);
  put("contact_normal", "<f8", {n, 3}, a.contactNormal);
  put("contact_depth", "<f8", {n}, a.contactDepth);
  put("contact_normal_force", "<f8", {n}, a.contactNormalForce);
  put("contact_friction_force", "<f8", {n, 3}, a.contactFrictionForce);
  put("contact_impact", "<f8", {n, 3}, a.contactImpact);
  put("contact_slip", "<f8", {n, 3}, a.contactSlip);
  return zip.finish();
}

}  // namespace abut::io
