# SPDX-License-Identifier: MIT
"""Forces between the boxes of a tower beside the weight above each: python3 stack_forces.py [PICTURE]"""
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import abut

world = abut.World()
world.add_body(abut.Plane([0, 0, 1]), type="static")
for i in range(10):
    world.add_body(abut.Box(size=[1, 1, 1]), position=[0, 0, 0.5 + i], mass=1.0)
dt = 1 / 240
world.step(dt, count=240)
forces = world.events["normal_impulse"] / dt
weights = 9.81 * np.arange(10, 0, -1)
print("largest difference from the weight above: %.1e N" % np.abs(forces - weights).max())

plt.barh(np.arange(10), forces, label="contact force")
plt.plot(weights, np.arange(10), "k|", markersize=18, label="weight above")
plt.xlabel("force [N]")
plt.ylabel("interface, from the floor up")
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "stack_forces.png", dpi=120)
