// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <string>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <abut/core/float_environment.hpp>
#include <abut/hybrid/cvode_driver.hpp>

namespace abut::inline v0_1 {
namespace {

std::string toText(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

void require(const char* what, double value, double min, double max) {
  if (value >= min && value <= max) return;
  throw Error(std::isfinite(value) ? StatusCode::OutOfRange : StatusCode::NonFinite,
              std::string("CvodeOptions::") + what + ": expected a number from " + toText(min) +
                  " to " + toText(max) + ", got " + toText(value));
}

void mustHold(bool holds, const char* what) {
  if (!holds)
    throw Error(StatusCode::NotConverged, std::string("CvodeDriver: ") + what + " failed");
}

std::span<double> viewOf(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

}  // namespace

struct CvodeDriver::Impl {
  HybridSystem& system;
  CvodeOptions options;
  SUNContext context = nullptr;
  void* cvode = nullptr;
  N_Vector y = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver fixedPoint = nullptr;
  double time = 0.0;
  double nextSample = 0.0;
  long sampleCount = 0;
  int eventsHere = 0;  // Since time last went on.
  double lastEventTime = 0.0;
  long stepsSinceEvent = 0, stalledSteps = 0;
  bool fresh = true;      // No step was made since the last start.
  Status failure;         // Of the system, inside a callback.
  std::string complaint;  // CVODE's own last message.
  std::string refusal;    // The last trial state that the system refused, and why.
  std::vector<double> scratch, accepted;
  HybridRecord record;
  HybridStatistics statistics;

  Impl(HybridSystem& s, const CvodeOptions& o) : system(s), options(o) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    CVodeFree(&cvode);
    if (linear != nullptr) SUNLinSolFree(linear);
    if (fixedPoint != nullptr) SUNNonlinSolFree(fixedPoint);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    if (y != nullptr) N_VDestroy(y);
    SUNContext_Free(&context);
  }

  void create();
  void collectStatistics();
  Status begin();
  Status handleEvent();
  Status watchProgress(double from, double reached);
  void sampleUpTo(double until, double from);
  void sampleHere();
  Status explain(int flag);
  std::string nearestPair();

  static int derivatives(realtype t, N_Vector y, N_Vector dydt, void* data) {
    Impl& s = *static_cast<Impl*>(data);
    Status status = s.system.computeDerivatives(t, viewOf(y), viewOf(dydt));
    if (status) return 0;
    s.failure = status;
    s.refusal = status.getMessage();
    // A trial state that is not finite may go away with a shorter step.
    return status.getCode() == StatusCode::NonFinite ? 1 : -1;
  }
  static int roots(realtype t, N_Vector y, realtype* values, void* data) {
    Impl& s = *static_cast<Impl*>(data);
    Status status = s.system.computeRoots(t, viewOf(y), {values, s.system.numRoots()});
    if (!status) s.failure = status;
    return status ? 0 : -1;
  }
  static void complain(int /*code*/, const char* /*module*/, const char* function, char* message,
                       void* data) {
    static_cast<Impl*>(data)->complaint = std::string(function) + ": " + message;
  }
};

void CvodeDriver::Impl::create() {
  mustHold(SUNContext_Create(nullptr, &context) == 0, "SUNContext_Create");
  const auto n = static_cast<sunindextype>(system.numStates());
  y = N_VNew_Serial(n, context);
  const bool stiff = options.method == CvodeMethod::Bdf;
  cvode = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, context);
  mustHold(y != nullptr && cvode != nullptr, "CVodeCreate");
  time = lastEventTime = system.getStartTime();
  system.getState(viewOf(y));
  system.initialize(time, viewOf(y)).orThrow();
  mustHold(CVodeSetErrHandlerFn(cvode, complain, this) == 0, "CVodeSetErrHandlerFn");
  mustHold(CVodeInit(cvode, derivatives, time, y) == 0, "CVodeInit");
  mustHold(CVodeSStolerances(cvode, options.relativeTolerance, options.absoluteTolerance) == 0,
           "CVodeSStolerances");
  mustHold(CVodeSetUserData(cvode, this) == 0, "CVodeSetUserData");
  mustHold(CVodeSetMaxNumSteps(cvode, options.maxStepsBetweenEvents) == 0, "CVodeSetMaxNumSteps");
  if (!stiff) {
    fixedPoint = SUNNonlinSol_FixedPoint(y, 0, context);
    mustHold(CVodeSetNonlinearSolver(cvode, fixedPoint) == 0, "CVodeSetNonlinearSolver");
  } else if (system.numStates() <= options.denseLimit) {
    matrix = SUNDenseMatrix(n, n, context);
    linear = SUNLinSol_Dense(y, matrix, context);
    mustHold(CVodeSetLinearSolver(cvode, linear, matrix) == 0, "CVodeSetLinearSolver");
  } else {
    linear = SUNLinSol_SPGMR(y, SUN_PREC_NONE, 0, context);
    mustHold(CVodeSetLinearSolver(cvode, linear, nullptr) == 0, "CVodeSetLinearSolver");
  }
  mustHold(CVodeRootInit(cvode, static_cast<int>(system.numRoots()), roots) == 0, "CVodeRootInit");
  mustHold(CVodeSetNoInactiveRootWarn(cvode) == 0, "CVodeSetNoInactiveRootWarn");
  accepted.assign(viewOf(y).begin(), viewOf(y).end());
  if (options.recordInterval > 0.0) sampleHere();
}

/// CVODE forgets its counts when it begins anew.
void CvodeDriver::Impl::collectStatistics() {
  long steps = 0, evaluations = 0, rootEvaluations = 0, rejected = 0, jacobians = 0, more = 0;
  CVodeGetNumSteps(cvode, &steps);
  CVodeGetNumRhsEvals(cvode, &evaluations);
  CVodeGetNumGEvals(cvode, &rootEvaluations);
  CVodeGetNumErrTestFails(cvode, &rejected);
  if (linear != nullptr) {
    CVodeGetNumJacEvals(cvode, &jacobians);
    CVodeGetNumLinRhsEvals(cvode, &more);
  }
  statistics.steps += steps;
  statistics.derivativeEvaluations += evaluations + more;
  statistics.rootEvaluations += rootEvaluations;
  statistics.rejectedSteps += rejected;
  statistics.jacobians += jacobians;
}

Status CvodeDriver::Impl::begin() {
  if (!fresh) collectStatistics();
  fresh = true;
  stepsSinceEvent = stalledSteps = 0;
  std::copy(accepted.begin(), accepted.end(), viewOf(y).begin());
  if (CVodeReInit(cvode, time, y) != 0) return explain(CV_MEM_FAIL);
  return {};
}

std::string CvodeDriver::Impl::nearestPair() {
  scratch.resize(system.numRoots());
  if (!system.computeRoots(time, accepted, scratch)) return "no pair known";
  std::size_t nearest = 0;
  ObjectPair pair;
  for (std::size_t i = 0; i < scratch.size(); ++i) {
    const ObjectPair p = system.getRootPair(i);
    if (p.second == kNoObject) continue;
    if (pair.second != kNoObject && std::fabs(scratch[i]) >= std::fabs(scratch[nearest])) continue;
    nearest = i;
    pair = p;
  }
  if (pair.second == kNoObject) return "no pair near";
  return "pair " + std::to_string(pair.first) + "/" + std::to_string(pair.second);
}

Status CvodeDriver::Impl::explain(int flag) {
  const std::string where = "CvodeDriver, t = " + toText(time) + " s, " + nearestPair() + ": ";
  if (!failure.isOk()) {
    return Status::failure(failure.getCode(), where + failure.getMessage(), failure.getObject());
  }
  char* name = CVodeGetReturnFlagName(flag);
  const std::string text = name == nullptr ? "?" : name;
  std::free(name);
  const char* remedy = "loosen the tolerances or reduce maxStep";
  if (flag == CV_TOO_MUCH_WORK) remedy = "raise maxStepsBetweenEvents, or use CvodeMethod::Bdf";
  if (flag == CV_TOO_MUCH_ACC) remedy = "raise relativeTolerance";
  return Status::failure(StatusCode::NotConverged, where + "the integrator gave up (" + text +
                                                       ", " + complaint + "); " + remedy +
                                                       "; all up to this time is kept");
}

void CvodeDriver::Impl::sampleHere() {
  record.times.push_back(time);
  record.states.insert(record.states.end(), accepted.begin(), accepted.end());
  nextSample = system.getStartTime() + options.recordInterval * static_cast<double>(++sampleCount);
}

/// Dense output: samples between two times within the last step.
void CvodeDriver::Impl::sampleUpTo(double until, double from) {
  if (!(options.recordInterval > 0.0)) return;
  N_Vector at = nullptr;
  while (nextSample <= until) {
    if (at == nullptr) at = N_VClone(y);
    if (nextSample < from || CVodeGetDky(cvode, nextSample, 0, at) != 0) break;
    record.times.push_back(nextSample);
    const std::span<double> state = viewOf(at);
    record.states.insert(record.states.end(), state.begin(), state.end());
    ++sampleCount;
    nextSample = system.getStartTime() + options.recordInterval * static_cast<double>(sampleCount);
  }
  if (at != nullptr) N_VDestroy(at);
}

/// Single steps are asked for, so CVODE itself neither counts them nor sees that time stands still.
Status CvodeDriver::Impl::watchProgress(double from, double reached) {
  constexpr double kStandstill = 1e-15;
  constexpr long kMaxStalled = 100;
  const bool stalled = reached - from <= kStandstill * std::max(1.0, std::fabs(reached));
  stalledSteps = stalled ? stalledSteps + 1 : 0;
  if (stalledSteps > kMaxStalled) {
    complaint =
        "steps below 1e-15 of the time" + (refusal.empty() ? "" : ", because of: " + refusal);
    return explain(CV_CONV_FAILURE);
  }
  if (++stepsSinceEvent <= options.maxStepsBetweenEvents) return {};
  complaint = std::to_string(options.maxStepsBetweenEvents) + " steps since the last event";
  return explain(CV_TOO_MUCH_WORK);
}

Status CvodeDriver::Impl::handleEvent() {
  scratch.assign(accepted.begin(), accepted.end());
  Status status = system.handleEvent(time, scratch, record.events);
  if (!status) {
    failure = status;
    return explain(0);
  }
  accepted = scratch;
  ++statistics.events;
  // CVODE locates to 100 roundings of the time.
  constexpr double kSameTime = 1e-12;
  const bool here = time - lastEventTime <= kSameTime * std::max(1.0, std::fabs(time));
  eventsHere = here ? eventsHere + 1 : 1;
  lastEventTime = time;
  if (eventsHere > options.maxEventsAtOnce) {
    return Status::failure(StatusCode::NotConverged,
                           "CvodeDriver, t = " + toText(time) + " s, " + nearestPair() +
                               ": an event cannot be located: " + std::to_string(eventsHere) +
                               " at the same time; raise zEps or the friction velocity; all up to "
                               "this time is kept");
  }
  return begin();
}

CvodeDriver::CvodeDriver(HybridSystem& system, const CvodeOptions& options) {
  const FloatEnvironment environment;
  require("relativeTolerance", options.relativeTolerance, 1e-14, 1e-1);
  require("absoluteTolerance", options.absoluteTolerance, 1e-300, 1e6);
  require("maxStep", options.maxStep, 0.0, 1e12);
  // A run of shorter ones would not end.
  if (options.recordInterval != 0.0) require("recordInterval", options.recordInterval, 1e-9, 1e12);
  require("maxStepsBetweenEvents", static_cast<double>(options.maxStepsBetweenEvents), 1.0, 1e18);
  require("maxEventsAtOnce", options.maxEventsAtOnce, 1.0, 1e9);
  impl_ = std::make_unique<Impl>(system, options);
  impl_->create();
}
CvodeDriver::~CvodeDriver() = default;
CvodeDriver::CvodeDriver(CvodeDriver&&) noexcept = default;
CvodeDriver& CvodeDriver::operator=(CvodeDriver&&) noexcept = default;

Status CvodeDriver::advance(double until) {
  const FloatEnvironment environment;
  Impl& s = *impl_;
  if (until == s.time) return {};
  if (!(until > s.time) || !std::isfinite(until)) {
    return Status::failure(std::isfinite(until) ? StatusCode::OutOfRange : StatusCode::NonFinite,
                           "CvodeDriver::advance: expected a time after " + toText(s.time) +
                               " s, got " + toText(until));
  }
  s.failure = {};
  while (s.time < until) {
    const double longest = s.system.longestStep(s.time, s.accepted);
    const double bound = s.options.maxStep > 0.0 ? std::min(longest, s.options.maxStep) : longest;
    CVodeSetMaxStep(s.cvode, std::isfinite(bound) ? bound : 0.0);
    CVodeSetStopTime(s.cvode, until);
    const double from = s.time;
    double reached = from;
    const int flag = CVode(s.cvode, until, s.y, &reached, CV_ONE_STEP);
    s.fresh = false;
    if (flag < 0) return s.explain(flag);
    if (Status status = s.watchProgress(from, reached); !status) return status;
    s.failure = {};  // Of trial states that were given up.
    s.sampleUpTo(reached, from);
    s.time = reached;
    s.accepted.assign(viewOf(s.y).begin(), viewOf(s.y).end());
    if (flag != CV_ROOT_RETURN) continue;
    Status status = s.handleEvent();
    if (!status) return status;
  }
  return {};
}

Status CvodeDriver::restart() {
  return impl_->begin();
}

double CvodeDriver::getTime() const {
  return impl_->time;
}
std::span<const double> CvodeDriver::getState() const {
  return impl_->accepted;
}
const HybridRecord& CvodeDriver::getRecord() const {
  return impl_->record;
}
HybridStatistics CvodeDriver::getStatistics() const {
  Impl& s = *impl_;
  const HybridStatistics before = s.statistics;
  if (!s.fresh) s.collectStatistics();
  const HybridStatistics now = s.statistics;
  s.statistics = before;
  return now;
}

}  // namespace abut::inline v0_1
