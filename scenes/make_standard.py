#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the standard scenes b, c, e and f, whose bodies are jittered: scenes/make_standard.py.

g = 9.81, friction 0.5, restitution 0, density 1000, steps of 1/60 s. The numbers that jitter are
s = s * 1664525 + 1013904223 (32 bits, seed 12345), r = (s >> 8) / 2^24, drawn in the order x, up,
sideways, then yaw; written to the nanometre.
"""
import json
import math
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


class Jitter:
    def __init__(self):
        self.state = 12345

    def unit(self):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self.state >> 8) / 2**24

    def about(self, size):
        return (2 * self.unit() - 1) * size


def grid(count, columns, pitch, jitter, yaw=False, shift=0.0):
    """(position, yaw) of bodies in index order, layer by layer; even layers shifted one way, odd the other."""
    random = Jitter()
    for i in range(count):
        ix, iz, iy = i % columns, i // columns % columns, i // (columns * columns)
        x = (ix - (columns - 1) / 2) * pitch + random.about(jitter)
        up = 1 + iy * pitch + random.about(jitter)
        side = (iz - (columns - 1) / 2) * pitch + random.about(jitter)
        turn = random.unit() * math.pi if yaw else 0.0
        move = shift if iy % 2 == 0 else -shift
        yield [round(x + move, 9), round(side + move, 9), round(up, 9)], round(turn, 9)


def icosahedron(radius):
    golden = (1 + math.sqrt(5)) / 2
    size = radius / math.hypot(1, golden)
    points = []
    for a in (-size, size):
        for b in (-golden * size, golden * size):
            points += [[0, a, b], [a, b, 0], [b, 0, a]]
    return [[round(v, 12) for v in p] for p in points]


CONTAINER = [
    {"name": "floor", "type": "static", "position": [0, 0, -1], "shapes": [{"box": {"size": [20, 20, 2]}}]},
    {"name": "wall x", "type": "static", "position": [-9, 0, 40], "repeat": {"count": 2, "step": [18, 0, 0]},
     "shapes": [{"box": {"size": [2, 20, 80]}}]},
    {"name": "wall y", "type": "static", "position": [0, -9, 40], "repeat": {"count": 2, "step": [0, 18, 0]},
     "shapes": [{"box": {"size": [20, 2, 80]}}]},
]
SPHERE, CUBE = {"sphere": {"radius": 0.5}}, {"box": {"size": [1, 1, 1]}}
MIXED = [("sphere", SPHERE), ("cube", CUBE), ("capsule", {"capsule": {"radius": 0.3, "length": 0.4}}),
         ("cylinder", {"cylinder": {"radius": 0.5, "height": 1}}), ("icosahedron", {"hull": {"points": icosahedron(0.55)}})]


def bodies_of(kinds, places):
    for i, (position, yaw) in enumerate(places):
        name, shape = kinds[i % len(kinds)]
        body = {"name": f"{name} {i}", "position": position, "shapes": [shape]}
        if yaw:
            body["rollPitchYaw"] = [0, 0, yaw]
        yield body


WHY = ("At a frame rate many steps of the fall end before their forces are known to 1e-4 (they do not converge, and the page "
       "marks them); books and overlaps hold all the same.")


def write(name, description, bodies):
    head = {"name": name, "description": f"{description} {WHY}", "step": 1 / 60, "duration": 5,
            "solver": {"scheme": "realTime"}, "record": {"every": 2}}
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    listed = ",\n".join("    " + json.dumps(b) for b in [*CONTAINER, *bodies])
    text = "{\n" + "\n".join(lines) + '\n  "bodies": [\n' + listed + "\n  ]\n}\n"
    (HERE / f"{name}.json").write_text(text)


def main():
    write("standard_b_spheres", "4000 spheres fall into a container.",
          bodies_of([("sphere", SPHERE)], grid(4000, 14, 1.1, 0.05)))
    write("standard_c_mixed", "2000 spheres, cubes, capsules, cylinders and icosahedra fall into a container.",
          bodies_of(MIXED, grid(2000, 13, 1.2, 0.05)))
    write("standard_e_boxes", "2000 turned cubes fall into a container, layers shifted against each other.",
          bodies_of([("cube", CUBE)], grid(2000, 10, 1.5, 0.04, yaw=True, shift=0.25)))
    write("standard_f_towers", "2000 turned cubes fall into a container as 100 towers of 20.",
          bodies_of([("cube", CUBE)], grid(2000, 10, 1.5, 0.04, yaw=True)))


main()
