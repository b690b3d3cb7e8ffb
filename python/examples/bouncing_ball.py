# SPDX-License-Identifier: MIT
"""Impacts located in time beside the formula: python3 bouncing_ball.py [PICTURE]"""
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import abut

e, g = 0.8, 9.81
world = abut.World()
rubber = world.add_material(restitution=e)
world.add_body(abut.Plane([0, 0, 1]), type="static", material=rubber)
ball = world.add_body(abut.Sphere(0.1), position=[0, 0, 1.1], material=rubber)
simulation = abut.ImpactSimulation(world)
times = np.linspace(0, 3, 601)
heights = []
for t in times[1:]:
    simulation.advance(t)
    heights.append(simulation.motion(ball).center_of_mass[2] - 0.1)
found = simulation.events["time"][:6]
first = np.sqrt(2 / g)
expected = first + np.cumsum([0] + [2 * first * e**k for k in range(1, 6)])
print("largest error of the first six impacts: %.1e s" % np.abs(found - expected).max())

plt.plot(times[1:], heights)
plt.plot(found, np.zeros(len(found)), "k^", label="impacts")
plt.xlabel("time [s]")
plt.ylabel("height [m]")
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "bouncing_ball.png", dpi=120)
