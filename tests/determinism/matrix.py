#!/usr/bin/env python3
"""One answer everywhere: a star of builds and runs around one golden file.

Called by scripts/determinism --matrix. Prints a line for each cell and the table last; exit status 0
only if every cell that can run here agrees. A cell that cannot run is named with its reason and does
not count. Words choose cells. What a cell said is kept in build-matrix: one that agreed with this
golden file on these sources is not run again, unless --again is given, so that the star can be run
cell by cell and goes on where it was interrupted. --write puts what was said of the present golden
file and sources into docs/reliability.md."""
import functools
import hashlib
import json
import os
import pathlib
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = (ROOT / "tests/determinism/golden.txt").read_bytes()
# What goes into the golden program, and what besides into the tests that are cells.
PROGRAM = ("CMakeLists.txt", "CMakePresets.json", "cmake", "include", "src", "scenes", "io/core", "io/mesh", "io/recording", "io/run",
           "io/scene", "tests/determinism", "tests/support")
TESTS = ("hybrid", "tbb", "tests/CMakeLists.txt", "tests/unit", "tests/scenario", "tests/regression", "tests/faults", "tests/programs")
NO_SOURCES = ("matrix.py", "golden.txt", "classes.py")


@functools.cache
def identity(folders):
    """The golden file and sources, as one number: what an answer is an answer to."""
    digest = hashlib.sha256(GOLDEN)
    for name in folders:
        top = ROOT / name
        for path in sorted(p for p in ([top] if top.is_file() else top.rglob("*")) if p.is_file()):
            if path.name in NO_SOURCES or "__pycache__" in path.parts:
                continue
            content = path.read_bytes()
            digest.update(f"{path.relative_to(ROOT)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


class CannotRun(Exception):
    """Why a cell has no answer here."""


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def agrees(output):
    if output == GOLDEN:
        return None
    for number, (mine, golden) in enumerate(zip(output.splitlines(), GOLDEN.splitlines()), 1):
        if mine != golden:
            return f"line {number}: {mine.decode(errors='replace')}, golden {golden.decode()}"
    return f"{len(output.splitlines())} lines, golden has {len(GOLDEN.splitlines())}"


def has_cpu(flag):
    try:
        return re.search(rf"\b{flag}\b", pathlib.Path("/proc/cpuinfo").read_text()) is not None
    except OSError:
        return False


def leg(name, compiler=None, cpu=None):
    """A build of its own, by scripts/determinism --leg."""
    def cell():
        if compiler and not shutil.which(compiler):
            raise CannotRun(f"no {compiler}; scripts/setup matrix installs what Debian has")
        if cpu and not has_cpu(cpu):
            raise CannotRun(f"this CPU has no {cpu}")
        if cpu and platform.machine() != "x86_64":
            raise CannotRun("not an x86-64 machine")
        done = run(["scripts/determinism", "--leg", name])
        lines = done.stdout.decode(errors="replace").strip().splitlines()
        return None if done.returncode == 0 else " / ".join(lines[-4:])
    return cell


@functools.cache
def baseline_program():
    """The golden program of gcc -O3, as new as its sources: that of scripts/build where it has one."""
    if (ROOT / "build/golden").exists():
        made = run(["ninja", "-C", "build", "golden"])
        if made.returncode != 0:
            raise CannotRun("build/golden cannot be built")
        return ROOT / "build/golden"
    run(["scripts/determinism", "--leg", "gcc-O3"])
    return ROOT / "build-gcc-O3/golden"


def baseline(prefix=(), **environment):
    """The gcc -O3 build in another environment."""
    def cell():
        if prefix and not shutil.which(prefix[0]):
            raise CannotRun(f"no {prefix[0]}")
        program = baseline_program()
        done = run([*prefix, str(program)], env={**os.environ, **environment})
        return agrees(done.stdout) if done.returncode == 0 else f"exit status {done.returncode}: {done.stdout[-200:]!r}"
    return cell


def locale_with_comma():
    """A locale whose decimal point is a comma, made for this run."""
    def cell():
        with tempfile.TemporaryDirectory() as folder:
            made = run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"])
            if not pathlib.Path(folder, "de_DE.UTF-8").exists():
                raise CannotRun("localedef: " + made.stdout.decode(errors="replace").strip()[-80:])
            return baseline(LOCPATH=folder, LC_ALL="de_DE.UTF-8")()
    return cell


def rows_agree(output, skip=""):
    """Whether rows of the matrix's scenes are all there and those of the golden file."""
    wanted = [line for line in GOLDEN.decode().splitlines() if line.startswith("matrix/")]
    if skip:
        wanted = [line for line in wanted if skip not in line]
    rows = output.decode(errors="replace").splitlines()
    for mine, golden in zip(rows, wanted):
        if mine != golden:
            return f"{mine}, golden {golden}"
    return None if rows == wanted and wanted else f"{len(rows)} rows, golden has {len(wanted)}"


def variant(name, numbers=(1,), skip=""):
    """The scenes of the matrix built or run in another way (golden_matrix.hpp)."""
    def cell():
        for number in numbers:
            done = run([str(baseline_program()), name, str(number)])
            fault = rows_agree(done.stdout, skip)
            if done.returncode != 0 or fault:
                return f"{name} {number}: " + (fault or f"exit status {done.returncode}")
        return None
    return cell


def program_of(leg_name):
    """The command that runs the golden program of a leg that was built."""
    if leg_name == "here":
        return [str(baseline_program())]
    path = ROOT / f"build-{leg_name}" / ("golden.js" if leg_name == "wasm" else "golden")
    if not path.exists():
        raise CannotRun(f"leg {leg_name} is not built")
    runner = {"aarch64": ["qemu-aarch64"], "wasm": ["node", "--no-experimental-fetch"]}
    return runner.get(leg_name, []) + [str(path)]


def carried(saver, loader):
    """Snapshots of one machine, gone on from on another, each a process of its own."""
    def cell():
        with tempfile.TemporaryFile() as snapshots:
            saved = subprocess.run([*program_of(saver), "save"], cwd=ROOT, stdout=snapshots)
            if saved.returncode != 0:
                return f"saving: exit status {saved.returncode}"
            snapshots.seek(0)
            loaded = run([*program_of(loader), "load"], stdin=snapshots)
        return rows_agree(loaded.stdout) if loaded.returncode == 0 else f"exit status {loaded.returncode}: {loaded.stdout[-200:]!r}"
    return cell


def tests(pattern):
    """Tests of scripts/build that compare hashes bit for bit."""
    def cell():
        done = run(["ctest", "--test-dir", "build", "-R", pattern, "--no-tests=error", "--timeout", "3600"])
        text = done.stdout.decode(errors="replace")
        if "No tests were found" in text:
            return f"no test matches {pattern}"
        return None if done.returncode == 0 else "failed: " + ", ".join(re.findall(r"\d+ - (\S+)", text))
    cell.sources = PROGRAM + TESTS
    return cell


CELLS = [
    ("build", "gcc 12 -O3", leg("gcc-O3")),
    ("build", "gcc 12 -O0, assertions", leg("gcc-O0")),
    ("build", "gcc 12 -O2", leg("gcc-O2")),
    ("build", "gcc 12 -O3, link-time optimisation", leg("gcc-lto")),
    ("build", "clang 14 -O3", leg("clang-O3")),
    ("build", "clang 14 -O3, x86-64-v3", leg("clang-O3-v3", cpu="avx2")),
    ("build", "clang 14 -O3, x86-64-v4", leg("clang-O3-v4", cpu="avx512vl")),
    ("build", "clang 14 -O1, address and undefined sanitizers", leg("clang-sanitize")),
    ("build", "clang 16 -O3", leg("clang-16", compiler="clang++-16")),
    ("build", "clang 19 -O3", leg("clang-19", compiler="clang++-19")),
    ("build", "gcc 12 -O3, aarch64 (qemu-user)", leg("aarch64", compiler="aarch64-linux-gnu-g++")),
    ("build", "emscripten, WebAssembly (node)", leg("wasm", compiler="em++")),
    ("run", "addresses not shuffled", baseline(("setarch", "-R"))),
    ("run", "memory filled with 0xa5 when given and freed", baseline(MALLOC_PERTURB_="165")),
    ("run", "one arena, no memory mapped", baseline(MALLOC_ARENA_MAX="1", MALLOC_MMAP_MAX_="0")),
    ("run", "locale with a decimal comma", locale_with_comma()),
    ("run", "FMA and AVX2 hidden from the C library", baseline(GLIBC_TUNABLES="glibc.cpu.hwcaps=-FMA,-AVX2,-AVX2_Usable,-FMA_Usable")),
    ("run", "a CPU without AVX and FMA (qemu-user, Nehalem)", baseline(("qemu-x86_64", "-cpu", "Nehalem"))),
    ("run", "1, 2, 3, 8 threads", variant("threads", (1, 2, 3, 8))),
    ("run", "chunks of work in 3 other orders", variant("shuffled", (1, 2, 3))),
    ("run", "20 orders of insertion", variant("order", range(1, 21))),
    ("run", "other ids in the same order", variant("ids")),
    ("run", "500 bodies far away", variant("far", skip=", books")),
    ("run", "saved, restored in another process", carried("here", "here")),
    ("run", "saved on x86-64, restored on aarch64", carried("here", "aarch64")),
    ("run", "saved on aarch64, restored on x86-64", carried("aarch64", "here")),
    ("run", "saved on x86-64, restored in WebAssembly", carried("here", "wasm")),
    ("run", "saved in WebAssembly, restored on x86-64", carried("wasm", "here")),
    ("run", "threads, shuffled chunks: tests", tests("^(Threads|Scenes/Threads|.*/Threads|Stages)\\.")),
    ("run", "rows in batches of one, of four, shuffled: tests", tests("^Grouping\\.")),
    ("run", "orders of insertion, far changes: tests", tests("OrderOfInsertion|TwentyOrders|OrderOfBodies|AnyOrderOfBodies|FarAwayChange|InsertionOrder")),
    ("run", "saved and restored: tests", tests("RestoredWorldGoesOn|ARestoredHeap|^snapshot_resume$")),
    ("run", "rounding modes, flush to zero, unmasked exceptions", tests("FloatEnvironment")),
]


KEPT = ROOT / "build-matrix/results.json"
DOCUMENT = ROOT / "docs/reliability.md"
MARKS = ("<!-- matrix: begin -->\n", "<!-- matrix: end -->\n")


def kept():
    """All that cells said, by name: [identity, fault, answer, seconds of processors]."""
    try:
        return json.loads(KEPT.read_text())["cells"]
    except (OSError, ValueError, KeyError):
        return {}


def identity_for(cell):
    return identity(getattr(cell, "sources", PROGRAM))


def answer_of(name, cell):
    """What a cell said of the present golden file and sources, as (fault, answer), or nothing."""
    said = kept().get(name)
    return tuple(said[1:3]) if said and said[0] == identity_for(cell) else None


def keep(name, cell, fault, answer, seconds):
    cells = kept()
    # A leg that was built before costs less: its greatest cost is what it takes from nothing.
    cost = max(seconds, cells[name][3] if name in cells else 0.0)
    cells[name] = [identity_for(cell), fault, answer, cost]
    KEPT.parent.mkdir(exist_ok=True)
    new = KEPT.with_suffix(".new")
    new.write_text(json.dumps({"cells": cells}, indent=1))
    new.replace(KEPT)


def computing():
    """Seconds of processors that children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def table(results):
    lines = ["| | cell | answer |\n", "|---|---|---|\n"]
    lines += [f"| {kind} | {name} | {answer} |\n" for kind, name, _, answer in results]
    counted = [fault for _, _, fault, _ in results if fault != ""]
    agreeing = sum(fault is None for fault in counted)
    return "".join(lines), agreeing, len(counted)


def write():
    """The table of all cells into the document."""
    results = [(kind, name, *(answer_of(name, cell) or ("", "not run"))) for kind, name, cell in CELLS]
    text, agreeing, counted = table(results)
    page = DOCUMENT.read_text()
    before, rest = page.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    digest = hashlib.sha256(GOLDEN).hexdigest()[:12]
    cost = sum(said[3] for name, said in kept().items() if name in {cell[1] for cell in CELLS}) / 60.0
    said = (f"{agreeing} of {counted} cells agree, of {len(CELLS)} that there are (golden file {digest}; all of them together take "
            f"{cost:.0f} minutes of one processor).\n\n")
    DOCUMENT.write_text(before + MARKS[0] + said + text + MARKS[1] + after)
    print(f"{DOCUMENT.relative_to(ROOT)}: {agreeing} of {counted} cells agree, of {len(CELLS)}")
    return 0 if agreeing == counted else 1


def ask(name, cell):
    """What a cell says now, as (fault, answer, seconds of processors)."""
    before = computing()
    try:
        fault = cell()
        answer = "agrees" if fault is None else "DIFFERS: " + fault
    except CannotRun as reason:
        fault, answer = "", f"not run: {reason}"
    seconds = computing() - before
    keep(name, cell, fault, answer, seconds)
    return fault, answer, seconds


def main():
    again = "--again" in sys.argv
    wanted = [word for word in sys.argv[1:] if word != "--again"]
    if "--write" in wanted:
        return write()
    results = []
    for kind, name, cell in CELLS:
        if wanted and not any(w in f"{kind} {name}" for w in wanted):
            continue
        start = time.monotonic()
        said = answer_of(name, cell)
        if said and said[0] is None and not again:
            fault, answer, how = *said, "before"
        else:
            fault, answer, seconds = ask(name, cell)
            how = f"{time.monotonic() - start:.0f} s, {seconds:.0f} s of processors"
        results.append((kind, name, fault, answer))
        print(f"{kind:5} {name:52} {answer} ({how})", flush=True)
    text, agreeing, counted = table(results)
    print("\n" + text + f"{agreeing} of {counted} cells agree")
    return 0 if counted and agreeing == counted else 1


sys.exit(main())
