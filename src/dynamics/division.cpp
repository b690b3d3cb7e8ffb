// SPDX-License-Identifier: MIT
#include "dynamics/division.hpp"

#include <algorithm>
#include <string>

#include "dynamics/visit_bodies.hpp"
#include "math/archive.hpp"

namespace abut::inline v0_1 {

bool Division::hasAllOf(std::size_t body) const {
  for (const Driver& d : drivers) {
    if (d.body == body) return d.home == halo.comm.getRank();
  }
  return isMine(body);
}

void Division::shareDrivers(std::span<double> numbers) const {
  if (drivers.empty()) return;
  const std::size_t each = numbers.size() / drivers.size();  // deny-ok: integers
  std::vector<std::uint64_t> bits(numbers.size(), 0);
  for (std::size_t d = 0; d < drivers.size(); ++d) {
    if (drivers[d].home != halo.comm.getRank()) continue;
    std::memcpy(&bits[d * each], &numbers[d * each], each * sizeof(double));
  }
  halo.comm.add(bits);  // All but one are zero.
  std::memcpy(numbers.data(), bits.data(), bits.size() * sizeof(double));
}

void ShapeCatalogue::add(const BodyTable& bodies) {
  for (const BodyFacts& f : bodies.facts) {
    if (f.shape) shapes_.push_back({f.shapeDigest, f.shape});
  }
  const auto digest = [](const auto& a, const auto& b) { return a.first < b.first; };
  std::stable_sort(shapes_.begin(), shapes_.end(), digest);
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  shapes_.erase(std::unique(shapes_.begin(), shapes_.end(), same), shapes_.end());
}

void ShapeCatalogue::add(const BodyFacts& f) {
  if (!f.shape) return;
  const auto at =
      std::lower_bound(shapes_.begin(), shapes_.end(), f.shapeDigest,
                       [](const auto& s, std::uint64_t wanted) { return s.first < wanted; });
  if (at == shapes_.end() || at->first != f.shapeDigest)
    shapes_.insert(at, {f.shapeDigest, f.shape});
}

const std::shared_ptr<const Shape>& ShapeCatalogue::find(std::uint64_t digest) const {
  const auto at =
      std::lower_bound(shapes_.begin(), shapes_.end(), digest,
                       [](const auto& s, std::uint64_t wanted) { return s.first < wanted; });
  if (at == shapes_.end() || at->first != digest) {
    throw Error(StatusCode::BadData,
                "a body came from another rank with a shape that is not known on this one; all "
                "ranks begin with the same world");
  }
  return at->second;
}

std::vector<std::shared_ptr<const Shape>> ShapeCatalogue::getAll() const {
  std::vector<std::shared_ptr<const Shape>> all;
  for (const auto& [digest, shape] : shapes_) all.push_back(shape);
  return all;
}

void putBody(const BodyTable& bodies, std::size_t body, std::vector<std::byte>& bytes) {
  BodyRecord record = recordOf(bodies, body);
  const std::size_t at = bytes.size();
  put(bytes, std::uint64_t{0});
  WriteArchive archive(bytes);
  visitBody(archive, record, true);
  archive(record.mark);  // Which bodies share an origin is known of the whole alone.
  const std::uint64_t size = bytes.size() - at - sizeof(std::uint64_t);
  std::memcpy(bytes.data() + at, &size, sizeof size);
}

BodyRecord takeBody(MessageReader& message, const ShapeCatalogue& shapes) {
  const auto size = message.take<std::uint64_t>();
  ReadArchive archive(message.piece(static_cast<std::size_t>(size)));
  BodyRecord record;
  visitBody(archive, record, true);
  archive(record.mark);
  if (!archive.complete()) {
    throw Error(StatusCode::BadData, "a body that came from another rank cannot be read");
  }
  if ((record.hasShape & kHasShape) != 0)
    record.facts.shape = shapes.find(record.facts.shapeDigest);
  return record;
}

void appendSorted(std::vector<BodyRecord>& records, BodyTable& bodies) {
  std::vector<std::uint32_t> order(records.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return records[a].facts.id < records[b].facts.id;
  });
  for (const std::uint32_t i : order) append(records[i], bodies);
}

}  // namespace abut::inline v0_1
