#!/usr/bin/env python3
"""Instructions of a step of three scenes: counts.py PROGRAM FILE [--write].

The program brings a scene to step 150 and saves it; from there 1 and 3 steps are counted by callgrind, whose difference
is what two steps take once memory is there. FILE holds "scene count" lines, as --write leaves them; a count that is off by
more than 3 %, either way, fails: a gain is to be written down, so that it is not lost again unseen.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SCENES = {"b": 77e6, "c": 55e6, "e": 65e6}  # And what they are to come to.
TOLERANCE = 0.03


def count(program, scene, steps, state):
    command = ["valgrind", "--tool=callgrind", "--toggle-collect=abut::*World::step(double)",
               "--callgrind-out-file=/dev/null", program, scene, str(steps), "count", state]
    out = subprocess.run(command, text=True, capture_output=True, check=True)
    return int(re.search(r"I\s+refs:\s+([\d,]+)", out.stderr).group(1).replace(",", ""))


def main():
    program, file = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which("valgrind"):
        sys.exit("counts: no valgrind; install it")
    known = dict(line.split() for line in file.read_text().splitlines()) if file.exists() else {}
    writes = "--write" in sys.argv[3:]
    hold, lines = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for scene, aim in SCENES.items():
            state = f"{folder}/{scene}"
            subprocess.run([program, scene, "150", "save", state], check=True, stdout=subprocess.DEVNULL)
            now = (count(program, scene, 3, state) - count(program, scene, 1, state)) // 2
            before = int(known.get(scene, now))
            holds = writes or abs(now / before - 1) <= TOLERANCE
            hold += holds
            lines.append(f"{scene} {now}\n")
            print(f"{scene}  {now / 1e6:8.1f} M instructions a step, {now / before - 1:+.1%} of {before / 1e6:.1f} M, "
                  f"aim {aim / 1e6:.0f} M {'reached' if now <= aim else 'not reached'}: "
                  f"{'holds' if holds else 'FAILS'}", flush=True)
    if writes:
        file.write_text("".join(lines))
    print(f"{hold} of {len(SCENES)} bars hold")
    sys.exit(0 if hold == len(SCENES) else 1)


main()
