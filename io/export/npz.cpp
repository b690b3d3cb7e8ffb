// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "io/core/bytes.hpp"
#include "io/export/export.hpp"
#include "io/recording/rows.hpp"

namespace abut::inline v0_1::io {
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
std::string namesNpy(const std::vector<std::string>& texts) {
  std::vector<std::vector<std::uint32_t>> names;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    std::vector<std::uint32_t> codes;
    for (std::size_t i = 0; i < text.size();) {
      const auto at = [&](std::size_t k) {
        return std::uint32_t{static_cast<unsigned char>(text[i + k])};
      };
      const std::size_t length = std::max<std::size_t>(utf8Length(text.substr(i, 4)), 1);
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

/// The columns of one kind of record as arrays.
template <typename Record>
class Arrays {
public:
  Arrays() : columns_(columnsOf<Record>().size()) {}

  void add(const Record& record) {
    row_.resize(rowWidth<Record>());
    toRow(record, row_.data());
    const std::vector<Column>& columns = columnsOf<Record>();
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t k = 0; k < columns[i].width; ++k)
        columns_[i].u64(row_[columns[i].first + k]);
    ++count_;
  }
  [[nodiscard]] std::size_t size() const { return count_; }

  /// Each as `prefix` and its name; `shape` is that of the records.
  void put(ZipWriter& zip, const std::string& prefix, const std::vector<std::size_t>& shape) const {
    const std::vector<Column>& columns = columnsOf<Record>();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<std::size_t> whole = shape;
      if (columns[i].width > 1) whole.push_back(columns[i].width);
      const char* type = columns[i].holds == Holds::Number ? "<f8" : "<u8";
      zip.add(concat(prefix, snakeOf(columns[i].name), ".npy"),
              npy(type, whole, columns_[i].get()));
    }
  }

private:
  std::vector<ByteWriter> columns_;
  std::vector<std::uint64_t> row_;
  std::size_t count_ = 0;
};

/// Records of which a frame has any number, with the index of their frame.
template <typename Record>
struct Lists {
  Arrays<Record> arrays;
  ByteWriter frame;

  void add(std::size_t index, const std::vector<Record>& records) {
    for (const Record& r : records) {
      frame.u64(index);
      arrays.add(r);
    }
  }
  void put(ZipWriter& zip, const std::string& prefix) const {
    zip.add(prefix + "frame.npy", npy("<u8", {arrays.size()}, frame.get()));
    arrays.put(zip, prefix, {arrays.size()});
  }
};

struct Content {
  Arrays<Frame> frames;
  Arrays<BodyFrame> bodies;
  Arrays<EnergyAccount> energy;
  Arrays<StepReport> report;
  Lists<ContactFrame> contacts;
  Lists<EventFrame> events;
  Lists<DriverFrame> drivers;
  Lists<JointFrame> joints;

  void add(const Frame& frame) {
    const std::size_t index = frames.size();
    for (const BodyFrame& b : frame.bodies) bodies.add(b);
    energy.add(frame.totalEnergy);
    report.add(frame.report);
    contacts.add(index, frame.contacts);
    events.add(index, frame.events);
    drivers.add(index, frame.drivers);
    joints.add(index, frame.joints);
    frames.add(frame);
  }
};

}  // namespace

std::string exportNpz(RecordingReader& recording) {
  const RunHeader& header = recording.getHeader();
  Content all;
  Frame frame;
  while (recording.next(frame)) all.add(frame);
  const std::size_t f = all.frames.size(), b = header.bodies.size();
  ByteWriter ids, masses;
  std::vector<std::string> names;
  for (const BodyRecord& body : header.bodies) {
    names.push_back(body.name);
    ids.u64(body.id);
    masses.f64(body.mass);
  }
  ZipWriter zip;
  zip.add("name.npy", namesNpy(names));
  zip.add("id.npy", npy("<u8", {b}, ids.get()));
  zip.add("mass.npy", npy("<f8", {b}, masses.get()));
  all.frames.put(zip, "", {f});
  all.bodies.put(zip, "", {f, b});
  all.energy.put(zip, "energy_", {f});
  all.report.put(zip, "report_", {f});
  all.contacts.put(zip, "contact_");
  all.events.put(zip, "event_");
  all.drivers.put(zip, "driver_");
  if (!header.joints.empty()) {
    all.joints.put(zip, "joint_");
    ByteWriter jointIds;
    std::vector<std::string> jointNames;
    for (const JointRecord& joint : header.joints) {
      jointIds.u64(joint.id);
      jointNames.push_back(joint.name);
    }
    zip.add("joint_id.npy", npy("<u8", {jointNames.size()}, jointIds.get()));
    zip.add("joint_name.npy", namesNpy(jointNames));
  }
  return zip.finish();
}

}  // namespace abut::inline v0_1::io
