// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <abut/hybrid/hybrid_system.hpp>

/// An integrator from outside: the classic Runge-Kutta method with a fixed step, events located by
/// bisection. It knows abut::HybridSystem and nothing else of the library.
class RungeKutta {
public:
  RungeKutta(abut::HybridSystem& system, double step) : system_(system), step_(step) {
    time = system.getStartTime();
    y.resize(system.numStates());
    system.getState(y);
    system.initialize(time, y).orThrow();
  }

  void advance(double until) {
    while (time < until) {
      const double h = until - time < step_ ? until - time : step_;
      const std::vector<double> before = rootsAt(time, y);
      const std::vector<double> end = stepped(h);
      if (!crosses(before, rootsAt(time + h, end))) {
        time = h < step_ ? until : time + h;
        y = end;
        continue;
      }
      // Some root changes its sign: close in on the first change, and stop just behind it.
      double low = 0.0, high = h;
      for (int i = 0; i < 60 && time + low < time + high; ++i) {
        const double middle = 0.5 * (low + high);
        (crosses(before, rootsAt(time + middle, stepped(middle))) ? high : low) = middle;
      }
      y = stepped(high);
      time += high;
      system_.handleEvent(time, y, events).orThrow();
    }
  }

  double time = 0.0;
  std::vector<double> y;
  std::vector<abut::HybridEvent> events;

private:
  using State = std::vector<double>;

  State rootsAt(double t, const State& state) {
    State roots(system_.numRoots());
    system_.computeRoots(t, state, roots).orThrow();
    return roots;
  }
  static bool crosses(const State& a, const State& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if ((a[i] > 0.0) != (b[i] > 0.0)) return true;
    }
    return false;
  }
  State slope(double t, const State& state) {
    State k(state.size());
    system_.computeDerivatives(t, state, k).orThrow();
    return k;
  }
  static State moved(const State& state, const State& k, double h) {
    State result = state;
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += h * k[i];
    return result;
  }
  State stepped(double h) {
    const State k1 = slope(time, y);
    const State k2 = slope(time + 0.5 * h, moved(y, k1, 0.5 * h));
    const State k3 = slope(time + 0.5 * h, moved(y, k2, 0.5 * h));
    const State k4 = slope(time + h, moved(y, k3, h));
    State result = y;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    return result;
  }

  abut::HybridSystem& system_;
  double step_;
};
