#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every file in scenes/ is a valid scene, and those with known answers give them: scenes_test.py TOOL."""
import json
import pathlib
import re
import subprocess
import sys

SCENES = pathlib.Path(__file__).resolve().parents[2] / "scenes"
TOOL = sys.argv[1]
failures = []


def abut(verb, name):
    done = subprocess.run([TOOL, verb, str(SCENES / f"{name}.json")], capture_output=True, text=True, timeout=1800)
    if done.returncode != 0:
        failures.append(f"abut {verb} {name}: exit code {done.returncode}: {(done.stderr or done.stdout).strip()}")
    if verb == "run" and "did not converge" in done.stdout and "converge" not in description_of(name):
        failures.append(f"{name}: steps that did not converge, and its description does not say why")
    return done.stdout


def description_of(name):
    return json.loads((SCENES / f"{name}.json").read_text()).get("description", "")


def entry(summary, word):
    """Number behind a word of the ledger."""
    found = re.search(rf"{word} ([-+\d.e]+)", summary)
    return float(found.group(1)) if found else float("nan")


def expect(fact, value, truth, tolerance):
    if not abs(value - truth) <= tolerance:
        failures.append(f"{fact}: {value}, expected {truth} within {tolerance}")


names = sorted(p.stem for p in SCENES.glob("*.json"))
for name in names:
    abut("check", name)

# A lever of density 7.874 struck by a driver at 2 pi rad/s: the driver's work is 12.6329 J, half lost.
spin = abut("run", "capsule_spin")
expect("capsule_spin, work of the driver [J]", entry(spin, "drivers"), 12.6329, 5e-5)
expect("capsule_spin, lost in the impact [J]", entry(spin, "impact"), -6.31647, 5e-6)

# Balls of steel with restitution 1: no energy is lost in any of the cradle's impacts.
expect("newtons_cradle, lost in impacts [J]", entry(abut("run", "newtons_cradle"), "impact"), 0, 1e-9)

# Cubes at rest and a ball that rolls: friction does no work.
expect("contact_cache, work of friction [J]", entry(abut("run", "contact_cache"), "friction"), 0, 1e-9)

# A pallet of 28.8 kg with 8 crates of 36.45 kg ends on a rack 1.2 m higher: 320.4 kg x 9.81 m/s2 x 1.2 m.
before, after = re.search(r"potential ([\d.e+]+) -> ([\d.e+]+) J", abut("run", "forklift")).groups()
expect("forklift, energy of the load [J]", float(after) - float(before), 3771.75, 0.5)

# Galperin's billiard with masses 1 : 100^3 has the first four digits of pi collisions.
expect("pi_collisions, impacts", entry(abut("run", "pi_collisions"), "impact"), 3141, 0)

# Bounces end at sqrt(2 h / g) (1 + e) / (1 - e), that is within 5 s for e = 0.8, 0.7 and 0.5: three balls rest.
expect("bouncing_located, balls at rest", entry(abut("run", "bouncing_located"), "begin"), 3, 0)

for name in ("bouncing", "per_contact_depth", "turntable", "standard_d_tower", "marbles_on_felt", "domino_run",
             "arch", "seesaw", "conveyor", "hopper", "wrecking_ball"):
    abut("run", name)

print(f"{len(names)} scenes")
for failure in failures:
    print(f"FAILED {failure}")
sys.exit(1 if failures or len(names) < 20 else 0)
