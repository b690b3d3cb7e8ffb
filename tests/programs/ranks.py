#!/usr/bin/env python3
"""mpirun -n K abut run and hash give what one process gives: ranks.py TOOL SCENES [--kills N | --networks | --scenes].
Exits 77 where there is no mpirun, or the tool was built without MPI. --kills N does nothing but kill a
rank of two, three or four, N times, each at another moment. --networks runs the standard scenes with
ranks in two network namespaces, which talk over TCP alone; for root, with ip of iproute2. --scenes [PART ...] runs all
scenes (those with PART in their names) on 1, 2, 3, 4 and 7 ranks, and refuses no scene but for what its file holds."""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TOOL, SCENES = sys.argv[1], sys.argv[2]
QUICK = {"standard_f_towers.json": 12, "standard_a_pyramid.json": 6, "standard_c_mixed.json": 4,
         # Islands are divided: the exact scheme, joints in both schemes.
         "standard_d_tower.json": 12, "billiard_break.json": 60, "ragdoll_stairs.json": 12, "gears.json": 30}
failures = []


def expect(holds, what):
    print(("ok    " if holds else "FAILS ") + what, flush=True)
    if not holds:
        failures.append(what)


def start(ranks, *arguments, **more):
    command = [TOOL, *arguments]
    if ranks > 1:
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks), *command]
    environment = dict(os.environ, OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_btl_vader_single_copy_mechanism="none")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, **more)


def run(ranks, *arguments):
    process = start(ranks, *arguments)
    out, err = process.communicate(timeout=900)
    return process.returncode, out, err


def facts(summary):
    """The summary without how fast it was."""
    lines = [re.sub(r", [^,]* steps/s", "", line) for line in summary.splitlines()]
    return [line for line in lines if not re.match(r"  (time|recording|checkpoint) ", line)]


def has_ranks():
    if shutil.which("mpirun") is None:
        return False
    code, out, err = run(2, "hash", os.path.join(SCENES, "standard_a_pyramid.json"), "--steps", "0")
    return code == 0 and len(out.split()) == 1  # Without MPI both processes print.


def same_summaries():
    for name, steps in QUICK.items():
        scene = os.path.join(SCENES, name)
        _, expected, _ = run(1, "run", scene, "--steps", str(steps))
        for ranks in (2, 3):
            _, got, complaint = run(ranks, "run", scene, "--steps", str(steps))
            expect(facts(got) == facts(expected), f"{name}: {steps} steps on {ranks} ranks")
            if facts(got) != facts(expected):
                print(expected, got, complaint)


def same_files(folder):
    scene = os.path.join(SCENES, "standard_f_towers.json")
    one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
    for ranks, to in ((1, one), (2, two)):
        run(ranks, "run", scene, "--steps", "6", "--record", to + ".abut", "--checkpoint", to + ".abck")
    for suffix in (".abut", ".abck"):
        same = open(one + suffix, "rb").read() == open(two + suffix, "rb").read()
        expect(same, f"{suffix} of two ranks is that of one, byte for byte")
    _, expected, _ = run(1, "hash", scene, "--steps", "10")
    _, out, _ = run(3, "run", scene, "--steps", "10", "--resume", two + ".abck")
    expect(expected.strip() in out, "a checkpoint of two ranks goes on on three")


def merged_parts(folder):
    """Parts of a run that was killed become a recording of the frames that all ranks wrote."""
    scene, to = os.path.join(SCENES, "standard_f_towers.json"), os.path.join(folder, "parts.abut")
    process = start(2, "run", scene, "--steps", "100000", "--record", to, start_new_session=True)
    until = time.time() + 120
    while not (os.path.exists(to + ".part1") and os.path.getsize(to + ".part1") > 200000) and time.time() < until:
        time.sleep(0.05)
    children = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "100000"], capture_output=True, text=True)
    os.kill(int(children.stdout.split()[-1]), signal.SIGKILL)
    process.communicate(timeout=60)
    code, out, _ = run(1, "merge", to)
    found = re.match(r"(\d+) frames of 2 ranks, of a run that was interrupted", out)
    frames = int(found.group(1)) if found else 0
    with open(scene) as file:
        every = json.load(file)["record"]["every"]
    run(1, "run", scene, "--steps", str(every * max(frames - 1, 0)), "--record", to + ".one")
    same = code == 0 and frames > 1 and os.path.exists(to)
    if same:
        one, merged = open(to + ".one", "rb").read(), open(to, "rb").read()
        # The end of a run is a block of its own, of at least 32 bytes.
        same = one.startswith(merged) and 32 < len(one) - len(merged) < 100
    expect(same, f"{frames} frames of a run whose rank died are those of one process, merged")


def driven(folder):
    """Towers with belts on them, a press of little force, a sensor that flies through; in both schemes."""
    cube, row = [{"box": {"size": [0.2, 0.2, 0.2]}}], {"count": 8, "step": [0.4, 0, 0]}
    scene = {"step": 1 / 120, "duration": 1, "bodies": [
        {"name": "floor", "type": "static", "position": [0, 0, -1], "shapes": [{"box": {"size": [20, 20, 2]}}]},
        {"name": "lower", "position": [0, 0, 0.1], "shapes": cube, "repeat": row},
        {"name": "belt", "position": [0, 0.01, 0.3], "shapes": cube, "repeat": row, "surfaceVelocity": [0.3, 0.1, 0]},
        {"name": "ball", "position": [0.1, 0.3, 0.4], "linearVelocity": [1, -3, 0], "shapes": [{"sphere": {"radius": 0.08}}], "repeat": row},
        {"name": "press", "type": "kinematic", "shapes": cube, "mass": 2.0, "position": [-0.22, 0.02, 0.12],
         "linearVelocity": [2.0, 0, 0], "maxForce": [20, None, None]},
        {"name": "eye", "sensor": True, "shapes": cube, "position": [3, 0, 0.2], "linearVelocity": [-9, 0, 0], "gravityScale": 0.0}]}
    for scheme in ("realTime", "exact"):
        scene["solver"] = {"scheme": scheme}
        path = os.path.join(folder, f"driven_{scheme}.json")
        with open(path, "w") as file:
            json.dump(scene, file)
        yield path


def same_driven(folder):
    for scene in driven(folder):
        _, expected, complaint = run(1, "run", scene, "--steps", "8")
        expect(expected, f"{os.path.basename(scene)} runs on one rank {complaint}")
        for ranks in (2, 3, 4, 7):
            _, got, complaint = run(ranks, "run", scene, "--steps", "8")
            same = got and facts(got) == facts(expected)
            expect(same, f"{os.path.basename(scene)}: 8 steps on {ranks} ranks")
            if not same:
                print(expected, got, complaint)


def refusals():
    for name in sorted(os.listdir(SCENES)):
        path = os.path.join(SCENES, name)
        if not name.endswith(".json") or not refusal_of(json.load(open(path))):
            continue
        code, out, err = run(2, "run", path)
        expect(code == 2 and not out and refusal_of(json.load(open(path))) in err and err.count("abut:") == 1,
               f"{name} is refused, once")
        break
    code, out, err = run(2, "check", os.path.join(SCENES, "gears.json"))
    expect(code == 1 and "works on one rank" in err, "what is not for ranks is refused")
    code, out, err = run(2, "run", "nowhere.json")
    expect(code == 2 and err.count("nowhere.json") >= 1, "a scene that is not there is an error on all ranks")


def one_rank_cannot_begin():
    """What only one rank cannot do ends all, with that rank's reason."""
    scene = os.path.join(SCENES, "gears.json")
    command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", TOOL, "run", scene, "--steps", "2", ":",
               "-n", "1", TOOL, "run", scene, "--steps", "2", "--checkpoint", "/nowhere/at/all.abck"]
    got = subprocess.run(command, capture_output=True, text=True, timeout=300)
    expect(got.returncode == 2 and not got.stdout and "rank 2 of 3" in got.stderr and "all.abck" in got.stderr,
           "a rank that cannot write its checkpoint ends all, and says why")


def traffic():
    code, out, err = run(2, "run", os.path.join(SCENES, "hopper.json"), "--steps", "4", "--traffic")
    counts = re.search(r"ranks +2; a step (\d+) messages, (\d+) bytes; .* (\d+) rounds, (\d+) reductions; (\d+) to (\d+) bodies", out)
    expect(code == 0 and counts is not None and all(int(count) > 0 for count in counts.groups()),
           "--traffic counts messages, bytes, rounds, reductions and bodies")


def same_verdicts():
    _, listed, _ = run(1, "verify", "--list")
    names = [line.split()[0] for line in listed.splitlines()][:3]
    only = [option for name in names for option in ("--only", name)]
    rows = [[re.sub(r"  \(.* s\)$", "", line) for line in run(ranks, "verify", *only)[1].splitlines()] for ranks in (1, 2)]
    expect(rows[0] == rows[1] and len(rows[0]) > 4, "verify on two ranks says what one says")


def same_tables(folder):
    study = os.path.join(SCENES, "studies", "slope.json")
    tables = []
    for ranks in (1, 3):
        tables.append(os.path.join(folder, f"table{ranks}.csv"))
        run(ranks, "sweep", study, "--table", tables[-1])
    expect(open(tables[0]).read() == open(tables[1]).read(), "a study's table of three ranks is that of one")
    expect(not [name for name in os.listdir(folder) if ".part" in name], "and nothing else is left")


def dying_rank(folder, ranks=2, wait=0.0):
    """Kills the last rank so long after the first checkpoint [s], then goes on from the one that is there."""
    scene, to = os.path.join(SCENES, "standard_f_towers.json"), os.path.join(folder, "dies.abck")
    process = start(ranks, "run", scene, "--steps", "100000", "--checkpoint", to, "--checkpoint-every", "3",
                    start_new_session=True)
    until = time.time() + 120
    while not os.path.exists(to) and time.time() < until:
        time.sleep(0.05)
    time.sleep(wait)
    children = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "checkpoint-every"], capture_output=True, text=True)
    os.kill(int(children.stdout.split()[-1]), signal.SIGKILL)
    began = time.time()
    _, complaint = process.communicate(timeout=60)
    ended = time.time() - began
    expect(process.returncode != 0 and "signal" in complaint and ended < 30,
           f"a rank of {ranks} that is killed after {wait:.2f} s ends the run with a message, {ended:.1f} s later")
    step = int(re.search(r"at step (\d+)", run(1, "run", scene, "--resume", to, "--steps", "1")[2] + " at step 0").group(1))
    _, expected, _ = run(1, "hash", scene, "--steps", str(step + 2))
    _, out, _ = run(5 - ranks, "run", scene, "--resume", to, "--steps", str(step + 2))
    expect(step > 0 and expected.strip() in out,
           f"its checkpoint (step {step}) goes on on {5 - ranks}, with the same hash")


def networks(folder):
    """Two namespaces joined by a pair of virtual devices; mpirun starts ranks in the second as on another machine."""
    agent = os.path.join(folder, "agent")
    with open(agent, "w") as file:
        file.write('#!/bin/sh\nshift\nexec ip netns exec abut_b unshare --uts sh -c "hostname abutb; $*"\n')
    os.chmod(agent, 0o755)
    setup = ["netns add abut_a", "netns add abut_b", "link add abut_a netns abut_a type veth peer name abut_b netns abut_b",
             *(f"-n {n} addr add 10.77.0.{i}/24 dev {n}" for i, n in ((1, "abut_a"), (2, "abut_b"))),
             *(f"-n {n} link set {d} up" for n in ("abut_a", "abut_b") for d in (n, "lo"))]
    try:
        for command in setup:
            subprocess.run(["ip", *command.split()], check=True)
        for name in sorted(os.listdir(SCENES)):
            if not name.startswith("standard_"):
                continue
            scene, steps = os.path.join(SCENES, name), "8"
            expected = run(1, "hash", scene, "--steps", steps)[1].split()
            for here, there in ((1, 1), (1, 2), (3, 4)):
                command = ["ip", "netns", "exec", "abut_a", "mpirun", "--allow-run-as-root", "--mca", "plm_rsh_agent", agent,
                           "--mca", "oob_tcp_if_include", "10.77.0.0/24", "--mca", "btl", "tcp,self", "--mca",
                           "btl_tcp_if_include", "10.77.0.0/24", "--mca", "mpi_yield_when_idle", "1", "--host",
                           f"10.77.0.1:{here},10.77.0.2:{there}", "-n", str(here + there), TOOL, "hash", scene, "--steps", steps]
                got = subprocess.run(command, capture_output=True, text=True, timeout=600)
                expect(got.stdout.split() == expected, f"{name}: {steps} steps on {here} and {there} ranks of two networks")
                if got.stdout.split() != expected:
                    print(got.stdout, got.stderr)
    finally:
        for name in ("abut_a", "abut_b"):
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)


def refusal_of(scene):
    """What a scene is refused for on several ranks, by what its file holds; None if it is not."""
    return "variable step" if isinstance(scene["step"], dict) else None


def all_scenes(only):
    """Summaries on 2, 3, 4 and 7 ranks; on 3 also the recording and the checkpoint, byte for byte."""
    for name in sorted(os.listdir(SCENES)):
        if not name.endswith(".json") or not any(part in name for part in only):
            continue
        scene, steps = os.path.join(SCENES, name), "12"
        with open(scene) as file:
            refused = refusal_of(json.load(file))
        if refused:
            code, got, complaint = run(2, "run", scene, "--steps", steps)
            expect(code == 2 and not got and refused in complaint and complaint.count("abut:") == 1,
                   f"{name} is refused once, for: {refused}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            files = {ranks: [os.path.join(folder, f"{ranks}.{kind}") for kind in ("abut", "abck")] for ranks in (1, 3)}
            save = {ranks: ["--record", record, "--checkpoint", checkpoint] for ranks, (record, checkpoint) in files.items()}
            code, expected, complaint = run(1, "run", scene, "--steps", steps, *save[1])
            for ranks in (2, 3, 4, 7):
                other, got, complaints = run(ranks, "run", scene, "--steps", steps, *save.get(ranks, []))
                same = facts(got) == facts(expected) and other == code and got
                expect(same, f"{name}: {steps} steps on {ranks} ranks")
                if not same:
                    print(code, expected, complaint, other, got, complaints)
            for one, three in zip(files[1], files[3]):
                same = os.path.exists(three) and open(one, "rb").read() == open(three, "rb").read()
                expect(same, f"{name}: {one.rsplit('.', 1)[1]} of three ranks is that of one")


def main():
    if not has_ranks():
        print("skipped: no mpirun, or a tool without MPI; scripts/setup mpi installs it")
        return 77
    if "--kills" in sys.argv:
        moments = random.Random(18)
        for i in range(int(sys.argv[sys.argv.index("--kills") + 1])):
            with tempfile.TemporaryDirectory() as folder:
                dying_rank(folder, 2 + i % 3, moments.uniform(0.0, 3.0))
        print(f"{len(failures)} failed")
        return 1 if failures else 0
    if "--scenes" in sys.argv:
        all_scenes(sys.argv[sys.argv.index("--scenes") + 1:] or [""])
        print(f"{len(failures)} failed")
        return 1 if failures else 0
    if "--networks" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            networks(folder)
        print(f"{len(failures)} failed")
        return 1 if failures else 0
    same_summaries()
    refusals()
    one_rank_cannot_begin()
    traffic()
    same_verdicts()
    with tempfile.TemporaryDirectory() as folder:
        same_files(folder)
        same_tables(folder)
        same_driven(folder)
        merged_parts(folder)
        dying_rank(folder)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


sys.exit(main())
