#!/usr/bin/env python3
"""The folder table: which stage may include which. Data goes one way through the folders."""
import re

from common import CXX, Report, code_lines, tracked

# Stage: the stages it may include besides itself. broad_phase and narrow_phase do not know each
# other; nor do solver and narrow_phase, events and solver. What the schemes of a step have in
# common is in the stages before them.
TABLE = {
    "core": "",
    "math": "core",
    "shapes": "core math",
    "broad_phase": "core math",
    "narrow_phase": "core math shapes",
    "manifold": "core math narrow_phase",
    "dynamics": "core math shapes",
    "collision": "core math shapes broad_phase narrow_phase manifold dynamics",
    "constraints": "core math narrow_phase dynamics",
    "solver": "core math dynamics constraints",
    "ledger": "core math dynamics constraints",
    "events": "core math broad_phase narrow_phase manifold dynamics",
    "integration": "core math narrow_phase dynamics collision",
    "joints": "core math dynamics constraints solver integration",
    "scheme": "core math narrow_phase manifold dynamics collision constraints solver ledger events "
              "integration joints",
    "sleep": "core math narrow_phase manifold dynamics collision constraints solver ledger events "
             "joints",
    "state": "core math shapes narrow_phase manifold dynamics solver ledger events integration joints "
             "sleep",
    "step": "core math shapes narrow_phase manifold dynamics collision constraints solver ledger "
            "events integration joints scheme sleep state",
    "world": "core math shapes narrow_phase manifold dynamics collision constraints solver ledger "
             "events integration joints scheme sleep state step",
    "ranks": "core math broad_phase manifold dynamics joints collision integration events ledger state step world",
    "hybrid": "core math broad_phase narrow_phase dynamics constraints solver integration events state step "
              "world",
    # The public header of abut_tbb; the source is in tbb/.
    "tbb": "core",
    # The public header of abut_mpi; the source is in mpi/.
    "mpi": "core",
    # Public headers of abut_io; the sources are in io/.
    "io": "core math shapes dynamics state world ranks",
}
ALLOWED = {stage: {stage, *others.split()} for stage, others in TABLE.items()}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def stage_of(path):
    """Stage of include/abut/<stage>/... or src/<stage>/...; None for a header of the whole library."""
    parts = path.parts[2:] if path.parts[0] == "include" else path.parts[1:]
    return parts[0] if len(parts) > 1 else None


def check_file(path, report):
    public = path.parts[0] == "include"
    stage = stage_of(path)
    if stage is not None and stage not in TABLE:
        report.fail(path, 1, f"unknown stage folder '{stage}'", "add a row to scripts/checks/includes.py")
        return
    for number, code, _ in code_lines(path):
        match = INCLUDE.match(code)
        if not match:
            continue
        quoted, target = match.group(1) == '"', match.group(2)
        if public and quoted:
            report.fail(path, number, f'public header includes "{target}"',
                        "include <abut/...>, or forward-declare the internal type")
            continue
        if not quoted and not target.startswith("abut/"):
            continue
        parts = target.split("/")[0 if quoted else 1:]
        if len(parts) < 2:
            if stage is not None:
                report.fail(path, number, f"includes {target}, which is not in a stage folder",
                            "include the header of the stage, with its folder")
        elif stage is not None and parts[0] not in ALLOWED[stage]:
            report.fail(path, number, f"{stage} may not include {parts[0]}",
                        f"{stage} may include {TABLE[stage] or 'nothing else'}; move the type to the "
                        "earlier stage, or the function to the later")


def main():
    report = Report("folder table")
    files = tracked("include", "src", suffixes=CXX)
    for path in files:
        check_file(path, report)
    outside = [p for p in tracked("apps", "bench", "examples", "hybrid", "io", "mpi", "python", "tbb", suffixes=CXX)]
    for path in outside:
        for number, code, _ in code_lines(path):
            match = INCLUDE.match(code)
            if match and match.group(1) == '"' and match.group(2).split("/")[0] in set(TABLE) - {"io", "mpi", "tbb"}:
                report.fail(path, number, f'includes the internal header "{match.group(2)}"',
                            "use the public headers <abut/...>; only tests may reach into src/")
    report.finish(f"{len(files) + len(outside)} files")


main()
