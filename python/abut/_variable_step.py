# SPDX-License-Identifier: MIT
"""CompliantSystem with an integrator of SciPy: stops at zero crossings, handles them, goes on."""
import numpy as np


def integrate(system, until, t=0.0, y=None, solver=None, max_events=10_000, **options):
    """Integrates a CompliantSystem to a time [s].

    `solver` is scipy.integrate.solve_ivp or one with its arguments; `options` pass to it (method,
    rtol, atol, max_step). Returns (times, states, events): states has a row for each time, events is
    a list of (time, structured array).
    """
    if solver is None:
        from scipy.integrate import solve_ivp as solver
    y = system.state() if y is None else np.asarray(y, float)
    system.initialize(t, y)

    def root(i):
        def crossing(time, state):
            return system.roots(time, state)[i]
        crossing.terminal = True
        return crossing

    roots = [root(i) for i in range(system.num_roots)]
    times, states, events = [np.array([t])], [y[None, :]], []
    while t < until:
        part = solver(system.derivatives, (t, until), y, events=roots, **options)
        if part.status < 0:
            raise RuntimeError(f"t = {part.t[-1]} s: {part.message}")
        times.append(part.t[1:])
        states.append(part.y.T[1:])
        t, y = float(part.t[-1]), part.y[:, -1]
        if part.status == 0:
            break
        y, happened = system.handle_event(t, y)
        events.append((t, happened))
        if len(events) > max_events:
            raise RuntimeError(f"t = {t} s: more than {max_events} events; raise max_events")
    return np.concatenate(times), np.concatenate(states), events
