# SPDX-License-Identifier: MIT
"""Contact forces of balls in a box, seen from above, and the page: python3 contact_map.py [PICTURE]"""
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import abut

world = abut.World(scheme="real_time")
world.add_body(abut.Plane([0, 0, 1]), type="static")
for normal in ([1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]):
    world.add_body(abut.Plane(normal, -2.0), type="static")
rng = np.random.default_rng(7)
for i in range(120):
    at = [(i % 6) * 0.55 - 1.4, (i // 6 % 5) * 0.6 - 1.3, 0.4 + 0.6 * (i // 30)]
    world.add_body(abut.Sphere(rng.uniform(0.18, 0.25)), position=at + rng.uniform(-0.02, 0.02, 3))
recorder = abut.Recorder(world, every=4)
world.step(1 / 120, count=360)
contacts = world.contacts
floor = contacts[contacts["object1"] == 1]
weight = 9.81 * world.bodies["mass"].sum()
print("the floor bears %.1f N of %.1f N" % (floor["normal_force"].sum(), weight))
try:
    recorder.report("contact_map.html")
except abut.Error as error:
    print(error)  # Built without node: no page.

plt.scatter(contacts["position"][:, 0], contacts["position"][:, 1], c=contacts["normal_force"], s=12, cmap="viridis")
plt.colorbar(label="normal force [N]")
plt.gca().set_aspect("equal")
plt.xlabel("x [m]")
plt.ylabel("y [m]")
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "contact_map.png", dpi=120)
