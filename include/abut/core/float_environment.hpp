// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace abut::inline v0_1 {

/// The floating-point environment that all results are defined in: rounding to nearest, subnormal
/// numbers kept, no exception traps. A host may have set another one (a rounding mode, flush to
/// zero by a library built with -ffast-math, traps to find its own faults).
///
/// Every public entry that computes begins with
///
///     const FloatEnvironment environment;
///
/// which sets the standard environment if there is another, and puts that one back on return,
/// exceptions included; the flags that the library's arithmetic raises are not left behind then.
/// What the library calls back (observers, filters, systems of equations) runs in the standard one.
///
/// Costs one read of the control register, a mask and two comparisons; nested ones find the
/// standard. Where a machine has no such register (WebAssembly) it is nothing.
class FloatEnvironment {
public:
  FloatEnvironment() noexcept : host_(readControl()) {
    if (!isStandard(host_)) [[unlikely]]
      writeControl(kStandard);
  }
  ~FloatEnvironment() {
    if (!isStandard(host_)) [[unlikely]]
      writeControl(host_);
  }
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

  /// For results that are returned in a register: `return environment.keep(a - b);`. They are
  /// computed here; otherwise a compiler may move the arithmetic behind the end of the scope.
  [[nodiscard]] static double keep(double result) noexcept {
#if defined(__SSE2__)
    __asm__ __volatile__("" : "+x"(result));
#elif defined(__aarch64__)
    __asm__ __volatile__("" : "+w"(result));
#endif
    return result;
  }
  /// Whether the thread is in the standard environment.
  [[nodiscard]] static bool isStandardHere() noexcept {
    return isStandard(readControl());
  }

private:
  // Writing clobbers memory, so that no load or store moves across it; what the library computes
  // comes from memory and goes there.
#if defined(__SSE2__)
  // MXCSR: bits 0-5 are flags of what happened; 6 denormals are zero, 7-12 masks of exceptions,
  // 13-14 rounding, 15 flush to zero.
  using Control = std::uint32_t;
  static constexpr Control kRules = 0xffc0u, kStandard = 0x1f80u;
  static Control readControl() noexcept {
    Control value;
    __asm__ __volatile__("stmxcsr %0" : "=m"(value));
    return value;
  }
  static void writeControl(Control value) noexcept {
    __asm__ __volatile__("ldmxcsr %0" : : "m"(value) : "memory");
  }
#elif defined(__aarch64__)
  // FPCR: traps, rounding, flush to zero, default NaN; the flags are in another register.
  using Control = std::uint64_t;
  static constexpr Control kRules = ~std::uint64_t{0}, kStandard = 0;
  static Control readControl() noexcept {
    Control value;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void writeControl(Control value) noexcept {
    __asm__ __volatile__("msr fpcr, %0" : : "r"(value) : "memory");
  }
#else
  using Control = std::uint32_t;
  static constexpr Control kRules = 0, kStandard = 0;
  static Control readControl() noexcept {
    return 0;
  }
  static void writeControl(Control) noexcept {}
#endif
  static bool isStandard(Control value) noexcept {
    return (value & kRules) == kStandard;
  }

  Control host_;
};

}  // namespace abut::inline v0_1
