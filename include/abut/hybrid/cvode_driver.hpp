// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include <abut/core/owned.hpp>
#include <abut/core/status.hpp>
#include <abut/hybrid/hybrid_record.hpp>
#include <abut/hybrid/hybrid_system.hpp>

namespace abut::inline v0_1 {

enum class CvodeMethod : std::uint8_t {
  Bdf,    ///< Implicit, for stiff contacts; Newton with a dense Jacobian up to denseLimit states.
  Adams,  ///< For motion that is not stiff, and for tight tolerances.
};

struct CvodeOptions {
  CvodeMethod method = CvodeMethod::Bdf;
  double relativeTolerance = 1e-8;   ///< Of each state, 1e-14 to 1e-1.
  double absoluteTolerance = 1e-10;  ///< In the states' own units, > 0.
  double maxStep = 0.0;              ///< [s]; 0: only HybridSystem::longestStep() counts.
  double recordInterval = 0.0;       ///< Samples at multiples of this [s], 1e-9 to 1e12; 0: none.
  long maxStepsBetweenEvents = 1000000;
  /// At most so many events without time going on.
  int maxEventsAtOnce = 100;
  std::size_t denseLimit = 200;  ///< Larger systems use GMRES in place of a dense Jacobian.
};

/// Drives a hybrid system by SUNDIALS CVODE, steps and order under error control, events located by
/// its root finding. In the target abut_hybrid, apart from the core library.
///
/// Unlike the core's, these results are the same bits only on the same machine with the same
/// libraries: CVODE calls the C mathematics library.
class CvodeDriver {
public:
  /// Initialises the system at its start. Throws abut::Error for bad options, or with the system's
  /// own status. The system outlives the driver.
  explicit CvodeDriver(HybridSystem& system, const CvodeOptions& options = {});
  ~CvodeDriver();
  CvodeDriver(CvodeDriver&&) noexcept;
  CvodeDriver& operator=(CvodeDriver&&) noexcept;

  /// Goes on to a time [s], and not beyond. Fails with OutOfRange for a time that lies behind;
  /// with the system's status; with NotConverged if the integrator gives up, or if an event cannot
  /// be located. The message says time, pair and remedy. The driver then stays at the last time it
  /// reached, and all that was recorded is kept.
  Status advance(double until);
  /// Begins anew at the present time and state with the same contacts, after forces were changed.
  Status restart();

  [[nodiscard]] double getTime() const;
  [[nodiscard]] std::span<const double> getState() const;
  [[nodiscard]] const HybridRecord& getRecord() const;
  [[nodiscard]] HybridStatistics getStatistics() const;

private:
  struct Impl;
  Owned<Impl> impl_;
};

}  // namespace abut::inline v0_1
