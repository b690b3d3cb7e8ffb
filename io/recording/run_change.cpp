// SPDX-License-Identifier: MIT
#include "io/recording/run_change.hpp"

#include "io/core/bytes.hpp"

namespace abut::inline v0_1::io {
namespace {

constexpr std::uint8_t kNumKinds = std::variant_size_v<RunChange>;

struct Writer {
  ByteWriter& out;
  void operator()(const GravityChange& c) const { out.vec3(c.gravity); }
  void operator()(const FrictionChange& c) const {
    out.u32(c.material);
    out.f64(c.friction);
  }
  void operator()(const PullChange& c) const {
    out.u64(c.body);
    out.vec3(c.point);
    out.vec3(c.target);
    out.f64(c.stiffness);
    out.f64(c.damping);
    out.f64(c.maxForce);
  }
  void operator()(const ReleaseChange& /*change*/) const {}
};

// Members are initialised in the order written.
RunChange readChange(std::uint8_t kind, ByteReader& in) {
  switch (kind) {
    case 0:
      return GravityChange{in.vec3()};
    case 1:
      return FrictionChange{in.u32(), in.f64()};
    case 2:
      return PullChange{in.u64(), in.vec3(), in.vec3(), in.f64(), in.f64(), in.f64()};
    default:
      return ReleaseChange{};
  }
}

}  // namespace

std::string encode(const ChangeRecord& record) {
  ByteWriter out;
  out.u64(record.step);
  out.u8(static_cast<std::uint8_t>(record.change.index()));
  std::visit(Writer{out}, record.change);
  return out.get();
}

ChangeRecord decodeChange(std::string_view bytes) {
  ByteReader in(bytes);
  ChangeRecord record;
  record.step = in.u64();
  record.change = readChange(in.choice(kNumKinds), in);
  in.finish();
  return record;
}

}  // namespace abut::inline v0_1::io
