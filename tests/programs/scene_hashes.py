#!/usr/bin/env python3
"""The hash of every scene in scenes/ is the same for shuffled bodies, materials and keys.
Arguments: the tool, the folder of scenes."""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

TOOL, SCENES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SEED = 20261115


def steps_for(scene):
    """Enough for contacts to begin, short enough for scenes of thousands of bodies."""
    return "1" if "standard" in scene.get("name", "") or len(scene["bodies"]) > 200 else "10"


def shuffled(value, rng):
    """Keys in another order, everywhere; lists as they were, since their order has a meaning."""
    if isinstance(value, dict):
        items = [(key, shuffled(v, rng)) for key, v in value.items()]
        rng.shuffle(items)
        return dict(items)
    if isinstance(value, list):
        return [shuffled(v, rng) for v in value]
    return value


def hash_of(path, steps):
    run = subprocess.run([TOOL, "hash", path, "--steps", steps], check=True, stdout=subprocess.PIPE, text=True)
    return run.stdout.splitlines()[-1]


def main():
    rng = random.Random(SEED)
    scenes = sorted(SCENES.glob("*.json"))
    different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "scenes"
        shutil.copytree(SCENES, folder)
        for path in scenes:
            scene = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(scene["step"], dict) and scene["step"]["variable"] == "compliant":
                # The integrator's bits are the machine's own, and the tool says so.
                assert subprocess.run([TOOL, "hash", path], stderr=subprocess.DEVNULL).returncode == 2, path
                continue
            steps = steps_for(scene)
            other = shuffled(scene, rng)
            rng.shuffle(other["bodies"])
            (folder / path.name).write_text(json.dumps(other), encoding="utf-8")
            before, after = hash_of(path, steps), hash_of(folder / path.name, steps)
            if before != after:
                different += 1
                print(f"{path.name}: {before}, with shuffled bodies {after} (seed {SEED})")
    print(f"{len(scenes) - different} of {len(scenes)} scenes have the same hash when shuffled")
    return 0 if scenes and different == 0 else 1


sys.exit(main())
