#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes scenes of machines beside this file: make_machines.py."""
import json
import math
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
STEP = 1 / 240


def write(file, name, description, duration, bodies, joints, **more):
    """One object a line, so that differences are read easily."""
    def lines(key, rows):
        return f'  "{key}": [\n' + ",\n".join("    " + json.dumps(r) for r in rows) + "\n  ]"

    head = {"$schema": "../docs/scene.schema.json", "name": name, "description": description,
            "step": more.pop("step", STEP), "duration": duration}
    couplings = more.pop("couplings", None)
    parts = [f'  "{k}": {json.dumps(v)}' for k, v in {**head, **more}.items()]
    parts += [lines("bodies", bodies), lines("joints", joints)]
    if couplings:
        parts.append(lines("couplings", couplings))
    (FOLDER / f"{file}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")


GROUND = {"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]}


def planetary():
    """Wheels of 20, 20 and 60 teeth, module 10 mm: the ring stands, the carrier turns at a quarter of the sun's rate."""
    def disc(name, x, y, radius, mass, **more):
        inertia = mass * radius * radius / 2
        return {"name": name, "position": [x, y, 1], "mass": mass, "inertia": [inertia / 2, inertia / 2, inertia],
                "filter": {"group": -1}, "shapes": [{"cylinder": {"radius": radius, "height": 0.04}}], **more}
    bodies = [disc("sun", 0, 0, 0.1, 1.0)]
    bodies.append({"name": "carrier", "position": [0, 0, 1], "mass": 1.5, "inertia": [0.03, 0.03, 0.06],
                   "filter": {"group": -1},
                   "shapes": [{"box": {"size": [0.4, 0.03, 0.02]}, "position": [0, 0, 0.05]},
                              {"box": {"size": [0.03, 0.4, 0.02]}, "position": [0, 0, 0.05]}]})
    joints = [{"name": "motor", "type": "hinge", "body2": "sun", "frame": {"position": [0, 0, 1], "axis": [0, 0, 1]},
               "drive": {"mode": "speed", "target": 8.0, "maxForce": 2.0}},
              {"name": "bearing", "type": "hinge", "body1": "carrier", "body2": "sun",
               "frame": {"position": [0, 0, 1], "axis": [0, 0, 1]}},
              {"name": "output", "type": "hinge", "body2": "carrier", "damping": 0.2,
               "frame": {"position": [0, 0, 1], "axis": [0, 0, 1]}}]
    couplings = []
    for i in range(3):
        angle = 2 * math.pi * i / 3
        x, y = 0.2 * math.cos(angle), 0.2 * math.sin(angle)
        bodies.append(disc(f"planet {i}", x, y, 0.1, 1.0))
        joints.append({"name": f"axle {i}", "type": "hinge", "body1": "carrier", "body2": f"planet {i}",
                       "frame": {"position": [x, y, 1], "axis": [0, 0, 1]}})
        # As the carrier sees it, the planet turns against the sun; and three times as fast as it goes round in the ring.
        couplings += [{"name": f"sun and planet {i}", "joint1": "bearing", "joint2": f"axle {i}", "ratio": -1},
                      {"name": f"planet {i} and ring", "joint1": "output", "joint2": f"axle {i}", "ratio": -3}]
    write("planetary_gear", "planetary gear",
          "A motor turns the sun of a planetary gear whose ring stands: the carrier follows at a quarter of its rate, against a damper.",
          4, bodies, joints, gravity=[0, 0, 0], couplings=couplings)


def ragdoll():
    bodies, joints = [dict(GROUND)], []
    for i in range(8):
        bodies.append({"name": f"stair {i}", "type": "static", "position": [0.35 * i + 0.175, 0, 1.8 - 0.225 * i - 0.5],
                       "shapes": [{"box": {"size": [0.35, 2.4, 1.0]}, "material": "wood"}]})
    at = (-0.25, 0.05, 2.75)

    def part(name, place, shape, turn=None):
        body = {"name": name, "position": [at[k] + place[k] for k in range(3)], "linearVelocity": [1.6, 0, 0],
                "shapes": [{**shape, "material": "flesh"}]}
        if turn:
            body["rollPitchYawDegrees"] = turn
        bodies.append(body)

    def joint(name, kind, one, two, place, axis, axes):
        frame = {"position": [at[k] + place[k] for k in range(3)], "axis": axis}
        j = {"name": name, "type": kind, "body1": one, "body2": two, "frame": frame}
        if kind == "hinge":
            j.update(axes[0])
        else:
            j["axes"] = axes
        joints.append(j)

    def ball(swing, twist):
        return [{"lower": -twist, "upper": twist, "damping": 0.5}, {"upper": swing, "damping": 0.5}]

    bodies.append({"name": "landing", "type": "static", "position": [-0.6, 0, 1.3],
                   "shapes": [{"box": {"size": [1.2, 2.4, 1.0]}, "material": "wood"}]})
    part("pelvis", (0, 0, 0), {"box": {"size": [0.2, 0.3, 0.16]}})
    part("chest", (0, 0, 0.27), {"box": {"size": [0.22, 0.34, 0.3]}})
    part("head", (0, 0, 0.57), {"sphere": {"radius": 0.11}})
    joint("waist", "ball", "pelvis", "chest", (0, 0, 0.1), [0, 0, 1], ball(0.6, 0.4))
    joint("neck", "ball", "chest", "head", (0, 0, 0.44), [0, 0, 1], ball(0.7, 0.8))
    for side, s in (("left", 1), ("right", -1)):
        part(f"{side} arm", (0, 0.34 * s, 0.38), {"capsule": {"radius": 0.05, "length": 0.22, "axis": "y"}})
        part(f"{side} hand", (0, 0.63 * s, 0.38), {"capsule": {"radius": 0.04, "length": 0.22, "axis": "y"}})
        part(f"{side} thigh", (0, 0.1 * s, -0.28), {"capsule": {"radius": 0.07, "length": 0.3}})
        part(f"{side} shin", (0, 0.1 * s, -0.7), {"capsule": {"radius": 0.05, "length": 0.32}})
        joint(f"{side} shoulder", "ball", "chest", f"{side} arm", (0, 0.2 * s, 0.38), [0, s, 0], ball(1.5, 1.0))
        joint(f"{side} elbow", "hinge", f"{side} arm", f"{side} hand", (0, 0.49 * s, 0.38), [0, 0, -s],
              [{"lower": -0.05, "upper": 2.3, "damping": 0.3}])
        joint(f"{side} hip", "ball", "pelvis", f"{side} thigh", (0, 0.1 * s, -0.1), [0, 0, -1], ball(1.2, 0.5))
        joint(f"{side} knee", "hinge", f"{side} thigh", f"{side} shin", (0, 0.1 * s, -0.49), [0, 1, 0],
              [{"lower": -0.05, "upper": 2.3, "damping": 0.5}])
    write("ragdoll_stairs", "ragdoll on stairs",
          "A figure of 11 bodies walks too fast to the edge of the stairs and falls down all of them. One step of the fall, in which several limbs strike at once, does not converge to the tolerance; joints and books hold all the same.",
          5, bodies, joints, step=1 / 120, solver={"scheme": "realTime"},
          materials={"flesh": {"friction": 0.5, "density": 1000}, "wood": {"friction": 0.5}})


def quadruped():
    thigh, height = 0.25, 0.53
    bodies = [{**GROUND, "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "rubber"}]}]
    joints = []
    bodies.append({"name": "base", "position": [0, 0, height], "mass": 20.0, "filter": {"group": -1},
                   "shapes": [{"box": {"size": [0.5, 0.24, 0.16]}}]})

    def target(mid, swing, phase, lift):
        """Two legs at a time bend and straighten: a trot in place."""
        rows = [{"time": 0, "target": 0.0}, {"time": 1.0, "target": mid}]
        for k in range(1, 41):
            t = 1.0 + 0.25 * k / 2
            up = (k + phase) % 4 in (1,)
            rows.append({"time": t, "target": mid + (lift if up else 0.0)})
        rows.append({"time": 7.0, "target": mid})
        return rows

    for x in (-1, 1):
        for y in (-1, 1):
            name = ("hind" if x < 0 else "fore") + (" right" if y < 0 else " left")
            bend = -0.35 * x
            hip = [0.22 * x, 0.12 * y, height]
            top = [hip[0], hip[1] + 0.05 * y, hip[2]]
            down = (math.sin(bend), -math.cos(bend))
            knee = [top[0] + thigh * down[0], top[1], top[2] + thigh * down[1]]
            foot = [knee[0] - thigh * down[0], knee[1], knee[2] + thigh * down[1]]
            degrees = math.degrees(bend)
            bodies += [
                {"name": f"{name} hip", "position": [hip[0], hip[1] + 0.03 * y, hip[2]], "mass": 1.0,
                 "filter": {"group": -1}, "shapes": [{"sphere": {"radius": 0.05}}]},
                {"name": f"{name} thigh", "position": [(a + b) / 2 for a, b in zip(top, knee)], "mass": 1.5,
                 "rollPitchYawDegrees": [0, -degrees, 0],
                 "filter": {"group": -1}, "shapes": [{"capsule": {"radius": 0.025, "length": 0.2}}]},
                {"name": f"{name} shank", "position": foot, "mass": 0.4, "inertia": [0.004, 0.004, 0.0005],
                 "rollPitchYawDegrees": [0, degrees, 0], "filter": {"group": -1},
                 "shapes": [{"sphere": {"radius": 0.03}, "material": "rubber"},
                            {"capsule": {"radius": 0.015, "length": 0.18}, "position": [0, 0, 0.12], "material": "rubber"}]}]
            servo = {"mode": "position", "stiffness": 900, "damping": 30, "maxForce": 80}
            phase = 0 if x * y > 0 else 2
            frames = ((f"{name} roll", "base", f"{name} hip", hip, [1, 0, 0], {**servo, "target": 0.0}),
                      (f"{name} swing", f"{name} hip", f"{name} thigh", top, [0, 1, 0],
                       {**servo, "targets": target(0.0, 0.0, phase, 0.35 * -x), "interpolation": "linear"}),
                      (f"{name} knee", f"{name} thigh", f"{name} shank", knee, [0, 1, 0],
                       {**servo, "targets": target(0.0, 0.0, phase, -0.7 * -x), "interpolation": "linear"}))
            for joint, one, two, at, axis, drive in frames:
                joints.append({"name": joint, "type": "hinge", "body1": one, "body2": two,
                               "frame": {"position": at, "axis": axis}, "drive": drive})
    write("quadruped", "quadruped",
          "A robot of 13 bodies stands on four feet, trots in place on two of them at a time, and stands still again; twelve servos of at most 80 N m.",
          9, bodies, joints, materials={"rubber": {"friction": 0.8, "density": 1000}})


def gripper():
    bodies = [{**GROUND, "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "rubber"}]},
              {"name": "crate", "position": [0, 0, 0.05], "mass": 1.0, "shapes": [{"box": {"size": [0.1, 0.1, 0.1]}, "material": "rubber"}]},
              {"name": "carriage", "position": [0, 0, 0.3], "mass": 2.0, "filter": {"group": -1},
               "shapes": [{"box": {"size": [0.3, 0.08, 0.04]}}]}]
    joints = [{"name": "lift", "type": "slider", "body2": "carriage", "frame": {"position": [0, 0, 0.3], "axis": [0, 0, 1]},
               "drive": {"mode": "position", "stiffness": 4e4, "damping": 800, "maxForce": 200, "interpolation": "linear",
                         "targets": [{"time": 0, "target": 0}, {"time": 1, "target": 0}, {"time": 2.5, "target": 0.4},
                                     {"time": 3.5, "target": 0.4}, {"time": 5, "target": 0.0}]}}]
    for name, s in (("left", 1), ("right", -1)):
        bodies.append({"name": f"{name} jaw", "position": [0.1 * s, 0, 0.14], "mass": 0.3, "filter": {"group": -1},
                       "shapes": [{"box": {"size": [0.02, 0.08, 0.28]}, "material": "rubber"}]})
        joints.append({"name": f"{name} rail", "type": "slider", "body1": "carriage", "body2": f"{name} jaw", "damping": 20,
                       "lower": -0.1, "upper": 0.09,
                       "frame": {"position": [0.1 * s, 0, 0.3], "axis": [-s, 0, 0]},
                       "drive": {"mode": "force", "targets": [{"time": 0, "target": 0.0}, {"time": 0.2, "target": 20.0},
                                                              {"time": 5.2, "target": -5.0}]}})
    write("gripper", "gripper",
          "Two jaws press a crate of 1 kg with 20 N each and lift it by friction alone, hold it, and set it down.",
          6, bodies, joints, materials={"rubber": {"friction": 0.8, "density": 1000}})


def vehicle():
    bodies = [{**GROUND, "shapes": [{"plane": {"normal": [0, 0, 1]}, "material": "rubber"}]}]
    for i, (x, y) in enumerate(((3.0, 0.7), (3.8, -0.7), (4.6, 0.7), (5.4, -0.7), (7.0, 0.0))):
        width = 1.0 if y else 3.0
        bodies.append({"name": f"bump {i}", "type": "static", "position": [x, y, -0.17],
                       "shapes": [{"cylinder": {"radius": 0.25, "height": width, "axis": "y"}, "material": "rubber"}]})
    bodies.append({"name": "chassis", "position": [0, 0, 0.55], "mass": 400, "filter": {"group": -1},
                   "shapes": [{"box": {"size": [2.2, 1.0, 0.3]}}, {"box": {"size": [1.0, 0.9, 0.3]}, "position": [-0.1, 0, 0.3]}]})
    joints = []
    for end, x in (("front", 0.8), ("rear", -0.8)):
        for side, y in (("left", 0.7), ("right", -0.7)):
            name = f"{end} {side}"
            bodies.append({"name": f"{name} wheel", "position": [x, y, 0.3], "mass": 20, "filter": {"group": -1},
                           "shapes": [{"cylinder": {"radius": 0.3, "height": 0.2, "axis": "y"}, "material": "rubber"}]})
            locked = {"locked": True}
            spring = {"stiffness": 2e4, "rest": -0.05, "damping": 1500, "lower": -0.25, "upper": 0.2}
            turn = {"drive": {"mode": "speed", "maxForce": 120, "targets": [{"time": 0, "target": 0.0}, {"time": 0.5, "target": 8.0}, {"time": 4.5, "target": 0.0}]}} \
                if end == "rear" else {"damping": 0.05}
            joints.append({"name": f"{name} suspension", "type": "sixAxis", "body1": "chassis", "body2": f"{name} wheel",
                           "frame": {"position": [x, y, 0.3], "axis": [0, 0, 1]},
                           "axes": [locked, locked, spring, locked, turn, locked]})
    write("vehicle", "vehicle with suspension",
          "A car of 480 kg on four sprung and damped wheels drives over bumps, brakes and comes to rest; the rear wheels have motors of at most 120 N m.",
          7, bodies, joints, materials={"rubber": {"friction": 0.9, "density": 1000}})


def chain():
    """Links along a line that goes up, over the drum and down: their middles stay clear of it by a millimetre."""
    drum, radius, up, over, down = 0.5, 0.04, 3, 9, 8
    half = math.pi / (2 * over)
    orbit = (drum + radius + 1e-3) / math.cos(half)
    length = 2 * orbit * math.sin(half)
    points = [(-orbit, 3 - (up - i) * length) for i in range(up)]
    points += [(-orbit * math.cos(2 * half * i), 3 + orbit * math.sin(2 * half * i)) for i in range(over + 1)]
    points += [(orbit, 3 - (i + 1) * length) for i in range(down)]
    bodies = [GROUND, {"name": "drum", "type": "static", "position": [0, 0, 3],
                       "shapes": [{"cylinder": {"radius": drum, "height": 1.0, "axis": "y"}, "material": "steel"}]}]
    joints = []
    for i, ((x0, z0), (x1, z1)) in enumerate(zip(points, points[1:])):
        turn = math.atan2(x1 - x0, z1 - z0)
        bodies.append({"name": f"link {i}", "position": [(x0 + x1) / 2, 0, (z0 + z1) / 2],
                       "orientation": [math.cos(turn / 2), 0, math.sin(turn / 2), 0], "filter": {"group": -1},
                       "shapes": [{"capsule": {"radius": radius, "length": length}, "material": "steel"}]})
        if i:
            joints.append({"name": f"pin {i}", "type": "hinge", "body1": f"link {i - 1}", "body2": f"link {i}",
                           "frame": {"position": [x0, 0, z0], "axis": [0, 1, 0]}})
    write("chain_on_drum", "chain on a drum",
          "A chain of steel links lies over a fixed drum, longer on one side: its weight draws it over the drum against friction, and it falls.",
          2, bodies, joints, solver={"scheme": "realTime"}, materials={"steel": {"friction": 0.1, "density": 7800}})


for make in (planetary, ragdoll, quadruped, gripper, vehicle, chain):
    make()
