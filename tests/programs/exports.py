#!/usr/bin/env python3
"""A recording of every shape, exported as glTF, passes the Khronos validator; and the other exports
open in Python. Arguments: the tool, the folder with node_modules. Exit code 77: skipped."""
import ast
import csv
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

TOOL, WEB = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SHAPES = {
    "sphere": {"radius": 0.4},
    "box": {"size": [1, 0.5, 0.7]},
    "capsule": {"radius": 0.2, "length": 1, "axis": "x"},
    "cylinder": {"radius": 0.3, "height": 0.6},
    "cone": {"radius": 0.4, "height": 0.8},
    "hull": {"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},
    "mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
             "triangles": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]},
    "cloud": {"points": [[0, 0, 0], [0.5, 0, 0]], "radius": 0.2},
    "compound": {"shapes": [{"sphere": {"radius": 0.3}}, {"box": {"size": [1, 0.2, 0.2]}, "position": [0.4, 0, 0]}]},
}
BODIES = [
    {"name": "ground", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
    {"name": "hill", "type": "static", "position": [0, 9, 0],
     "shapes": [{"heightField": {"spacing": [1, 1], "heights": [[0, 0.5, 0], [0, 1, 0.2]]}}]},
    {"name": "<b>\"turning\" \u00e9\u4e2d\U0001f600</b>", "type": "kinematic", "position": [0, 0, 3], "angularVelocity": [0, 0, 3],
     "shapes": [{"box": {"size": [1, 1, 0.1]}}]},
] + [{"name": kind, "position": [2.0 * i + 2, 0, 1.5], "shapes": [{kind: shape}]}
     for i, (kind, shape) in enumerate(SHAPES.items())]

VALIDATE = """
const fs = require('fs');
const validator = require(process.argv[2] + '/node_modules/gltf-validator');
validator.validateBytes(new Uint8Array(fs.readFileSync(process.argv[1]))).then(
    (report) => console.log(JSON.stringify(report)));
"""


def tool(folder, *arguments):
    subprocess.run([TOOL, *arguments], cwd=folder, check=True, stdout=subprocess.PIPE)


def check_tables(folder):
    tool(folder, "export", "all.abut", "all.csv")
    with open(folder / "all.csv", newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    assert len(rows) == 1 + 51 * len(BODIES), len(rows)
    assert {row[2] for row in rows[1:]} == {body["name"] for body in BODIES}
    for table in ("contacts", "energy", "events"):
        tool(folder, "export", "all.abut", f"{table}.csv", "--table", table)
        with open(folder / f"{table}.csv", newline="", encoding="utf-8") as f:
            rows = list(csv.reader(f))
        assert len(rows) > 1 and len({len(row) for row in rows}) == 1, table


def check_variable(folder):
    """A run with a variable step is exported like any other; its events stand where they were located."""
    bodies = [{"name": "floor", "type": "static", "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
              {"name": "ball", "position": [0, 0, 1.5], "shapes": [{"sphere": {"radius": 0.5}}]}]
    scene = {"step": {"variable": "impacts"}, "duration": 1, "bodies": bodies}
    (folder / "drop.json").write_text(json.dumps(scene), encoding="utf-8")
    tool(folder, "run", "drop.json", "--record", "drop.abut")
    for form in ("drop.csv", "drop.npz", "drop.glb"):
        tool(folder, "export", "drop.abut", form)
    tool(folder, "export", "drop.abut", "events.csv", "--table", "events")
    rows = (folder / "events.csv").read_text(encoding="utf-8").splitlines()
    assert ",impact" in rows[1], rows
    assert abs(float(rows[1].split(",")[1]) - math.sqrt(2 / 9.81)) < 1e-12, rows


def check_arrays(folder):
    tool(folder, "export", "all.abut", "all.npz")
    with zipfile.ZipFile(folder / "all.npz") as archive:
        assert archive.testzip() is None
        content = archive.read("position.npy")
    assert content[:8] == b"\x93NUMPY\x01\x00"
    size = struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10:10 + size].decode())
    assert header == {"descr": "<f8", "fortran_order": False, "shape": (51, len(BODIES), 3)}, header
    assert len(content) == 10 + size + 51 * len(BODIES) * 24


def check_gltf(folder):
    tool(folder, "export", "all.abut", "all.glb")
    if shutil.which("node") is None or not (WEB / "node_modules" / "gltf-validator").exists():
        print(f"skipped: no node, or no gltf-validator; npm --prefix {WEB} ci brings it")
        return 77
    run = subprocess.run(["node", "-e", VALIDATE, folder / "all.glb", WEB], stdout=subprocess.PIPE, check=True)
    issues = json.loads(run.stdout)["issues"]
    for message in issues["messages"]:
        print(message)
    print(f"glTF: {issues['numErrors']} errors, {issues['numWarnings']} warnings")
    return 0 if issues["numErrors"] == 0 and issues["numWarnings"] == 0 else 1


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scene = {"step": 0.02, "duration": 1, "bodies": BODIES}
        (folder / "all.json").write_text(json.dumps(scene), encoding="utf-8")
        tool(folder, "run", "all.json", "--record", "all.abut")
        check_tables(folder)
        check_arrays(folder)
        check_variable(folder)
        return check_gltf(folder)


os.umask(0o022)
sys.exit(main())
