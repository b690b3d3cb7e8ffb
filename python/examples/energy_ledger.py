# SPDX-License-Identifier: MIT
"""Where the energy of a sliding, bouncing box goes: python3 energy_ledger.py [PICTURE]"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import abut

world = abut.World()
rubber = world.add_material(friction=0.3, restitution=0.5)
world.add_body(abut.Plane([0, 0, 1]), type="static", material=rubber)
world.add_body(abut.Box(size=[0.4, 0.3, 0.2]), position=[0, 0, 1], linear_velocity=[3, 0, 0], angular_velocity=[2, 1, 0], material=rubber)
names = ["kinetic_after", "potential_after", "impact", "friction", "integrator"]
times, rows = [], []
for _ in range(480):
    world.step(1 / 240)
    times.append(world.time)
    rows.append([getattr(world.ledger, name) for name in names])
print("energy unaccounted for after %g s: %.1e J" % (world.time, world.ledger.residual))

for name, values in zip(names, zip(*rows)):
    plt.plot(times, values, label=name.replace("_after", ""))
plt.xlabel("time [s]")
plt.ylabel("energy [J]")
plt.legend()
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "energy_ledger.png", dpi=120)
