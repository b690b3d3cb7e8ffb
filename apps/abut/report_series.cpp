// SPDX-License-Identifier: MIT
#include "report_series.hpp"

#include <algorithm>
#include <cmath>

#include <abut/math/convert.hpp>

#include "report_momentum.hpp"

namespace abut::tool {
namespace {

double lengthOf(const Vec3& v) {
  return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/// Force [N] of a contact on object 1.
Vec3 forceOf(const io::ContactFrame& c) {
  const Vec3 normal = toVec3(c.normal), friction = toVec3(c.frictionForce);
  return {c.normalForce * normal.x + friction.x, c.normalForce * normal.y + friction.y,
          c.normalForce * normal.z + friction.z};
}

/// A row of single numbers, named where the first is written.
class Row {
public:
  Row(Track& track, const BodyIndex& indexOf)
      : track_(track), index_of_(indexOf), first_(track.columns.empty()) {}

  void put(std::string name, std::string unit, double value, io::Holds holds = io::Holds::Number) {
    if (first_)
      track_.columns.push_back({std::move(name), std::move(unit), io::Digits::Short, holds, 1, {}});
    track_.columns[at_++].values.push_back(value);
  }
  /// What stood there in the frame before; 0 in the first.
  void putAgain(std::string name, std::string unit) {
    const double last =
        first_ || track_.columns[at_].values.empty() ? 0.0 : track_.columns[at_].values.back();
    put(std::move(name), std::move(unit), last);
  }
  /// The fields of a record from `from` on.
  template <typename Record>
  void putAll(const Record& record, std::size_t from = 0) {
    std::vector<std::uint64_t> row(io::rowWidth<Record>());
    io::toRow(record, row.data());
    const std::vector<io::Column>& columns = io::columnsOf<Record>();
    for (std::size_t i = from; i < columns.size(); ++i) {
      const std::uint64_t word = row[columns[i].first];
      const bool body = columns[i].holds == io::Holds::Body;
      put(columns[i].name, columns[i].unit,
          body ? static_cast<double>(index_of_(word)) : io::numberOf(columns[i].holds, word));
    }
  }

private:
  Track& track_;
  const BodyIndex& index_of_;
  bool first_;
  std::size_t at_ = 0;
};

}  // namespace

void addSeries(const io::RunHeader& header, const io::Frame& frame, const BodyIndex& indexOf,
               Track& series) {
  double sum = 0.0, largest = 0.0, impulse = 0.0;
  for (const io::ContactFrame& c : frame.contacts) {
    sum += c.normalForce;
    largest = std::max(largest, lengthOf(forceOf(c)));
    impulse = std::max(impulse, lengthOf(toVec3(c.impactImpulse)));
  }
  const EnergyAccount& e = frame.totalEnergy;
  Row row(series, indexOf);
  row.put("kinetic", "J", e.kineticAfter - e.kineticBefore);
  row.put("potential", "J", e.potentialAfter - e.potentialBefore);
  row.put("elastic", "J", e.elasticAfter - e.elasticBefore);
  constexpr std::size_t kHeld = 4;  // What the bodies hold stands above, as changes.
  row.putAll(e, kHeld);
  row.put("unaccounted", "J", e.residual());
  row.putAll(frame.report);
  // Where contacts are recorded less often than frames, forces are those last recorded.
  if (frame.contacts.empty() && frame.report.contacts > 0) {
    row.putAgain("normalForce", "N");
    row.putAgain("largestForce", "N");
    row.putAgain("impulse", "N s");
  } else {
    row.put("normalForce", "N", sum);
    row.put("largestForce", "N", largest);
    row.put("impulse", "N s", impulse);
  }
  const Momentum momentum = momentumOf(header.bodies, frame.bodies);
  row.put("momentumX", "N s", momentum.linear.x);
  row.put("momentumY", "N s", momentum.linear.y);
  row.put("momentumZ", "N s", momentum.linear.z);
  row.put("angularX", "N m s", momentum.angular.x);
  row.put("angularY", "N m s", momentum.angular.y);
  row.put("angularZ", "N m s", momentum.angular.z);
  series.endFrame(frame.time);
}

}  // namespace abut::tool
