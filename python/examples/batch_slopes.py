# SPDX-License-Identifier: MIT
"""64 worlds at once: how far a box slides down a slope, by friction: python3 batch_slopes.py [PICTURE]"""
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import abut

angle, g = 0.4, 9.81
frictions = np.linspace(0.0, 0.63, 64)
worlds, boxes = [], []
for mu in frictions:
    world = abut.World()
    wood = world.add_material(friction=mu)
    normal = np.array([np.sin(angle), 0, np.cos(angle)])
    world.add_body(abut.Plane(normal), type="static", material=wood)
    boxes.append(world.add_body(abut.Box(size=[0.4, 0.4, 0.2]), position=0.1 * normal, material=wood,
                                orientation=[np.cos(angle / 2), 0, np.sin(angle / 2), 0]))
    worlds.append(world)
abut.step_all(worlds, 1 / 240, count=240)
ways = np.array([np.linalg.norm(w.motion(b).center_of_mass - 0.1 * normal) for w, b in zip(worlds, boxes)])
expected = np.maximum(0, 0.5 * g * (np.sin(angle) - frictions * np.cos(angle)))
print("largest difference from g t^2/2 (sin a - mu cos a): %.1e m" % np.abs(ways - expected).max())

plt.plot(frictions, expected, "k-", lw=1, label="formula")
plt.plot(frictions, ways, ".", label="64 worlds")
plt.xlabel("friction")
plt.ylabel("way after 1 s [m]")
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "batch_slopes.png", dpi=120)
