#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes scenes/rattleback.json: a belly of balls on an arc that is turned against the axes of inertia."""
import json
import math
import pathlib

LONG, SHORT, HEIGHT, HALF, POINTS = 0.4, 0.05, 0.02, 0.06, 200
SKEW = math.radians(10)
MASS, INERTIA = 1.0, [2e-4, 2.1e-3, 2.15e-3]


def points():
    for i in range(-POINTS, POINTS + 1):
        angle = HALF / LONG * i / POINTS
        x = (LONG - SHORT) * math.sin(angle)
        z = LONG - HEIGHT - (LONG - SHORT) * math.cos(angle)
        yield [round(x * math.cos(SKEW), 9), round(x * math.sin(SKEW), 9), round(z, 9)]


cloud = json.dumps({"radius": SHORT, "points": list(points())})
text = f"""{{
  "name": "rattleback",
  "description": "It spins willingly one way only: spun the other way it begins to rattle, stops, and turns back.",
  "step": 0.001,
  "duration": 3,
  "record": {{ "every": 5 }},
  "solver": {{ "detectionMargin": 1e-6, "tolerance": 1e-9 }},
  "materials": {{ "wood": {{ "friction": 0.8 }} }},
  "bodies": [
    {{ "name": "table", "type": "static", "shapes": [{{ "plane": {{ "normal": [0, 0, 1] }}, "material": "wood" }}] }},
    {{ "name": "rattleback", "position": [0, 0, {HEIGHT}], "angularVelocity": [0, 0.1, 5],
      "mass": {MASS}, "inertia": {json.dumps(INERTIA)},
      "shapes": [{{ "cloud": {cloud}, "material": "wood" }}] }}
  ]
}}
"""
(pathlib.Path(__file__).resolve().parent / "rattleback.json").write_text(text)
