#!/usr/bin/env python3
"""Reads what gcov counted in a build folder: a table of lines and branches by folder of src/, and
build folder/uncovered.txt with every line and branch of the library that no test took."""
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def read(build):
    """{file: {line: [count, [(count, is a throw) of branches]]}} over all object files."""
    files = collections.defaultdict(dict)
    notes = sorted(pathlib.Path(build).resolve().glob("CMakeFiles/abut.dir/**/*.gcno"))
    with tempfile.TemporaryDirectory() as folder:
        for note in notes:
            if not note.with_suffix(".gcda").exists():
                continue
            subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--object-directory", str(note.parent),
                            str(note)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
            for result in pathlib.Path(folder).glob("*.gz"):
                with gzip.open(result) as stream:
                    add(json.load(stream), files)
                result.unlink()
    return files


def add(data, files):
    base = pathlib.Path(data["current_working_directory"])
    for entry in data["files"]:
        path = (base / entry["file"]).resolve()
        if not path.is_relative_to(ROOT) or path.relative_to(ROOT).parts[0] not in ("src", "include"):
            continue
        lines = files[str(path.relative_to(ROOT))]
        for line in entry["lines"]:
            branches = [b["count"] for b in line["branches"] if not b["throw"]]
            known = lines.setdefault(line["line_number"], [0, []])
            known[0] += line["count"]
            if len(known[1]) < len(branches):
                known[1] += [0] * (len(branches) - len(known[1]))
            for i, count in enumerate(branches):
                known[1][i] += count


def main():
    build = sys.argv[1]
    files = read(build)
    table = collections.defaultdict(lambda: [0, 0, 0, 0])
    with open(pathlib.Path(build) / "uncovered.txt", "w") as out:
        for name in sorted(files):
            parts = pathlib.Path(name).parts
            row = table[parts[1] if parts[0] == "src" else "include"]
            source = (ROOT / name).read_text().splitlines()
            for number, (count, branches) in sorted(files[name].items()):
                row[0] += 1
                row[1] += count > 0
                row[2] += len(branches)
                row[3] += sum(b > 0 for b in branches)
                text = source[number - 1].strip() if number <= len(source) else ""
                if count == 0:
                    out.write(f"{name}:{number}: line not run: {text}\n")
                elif branches and 0 in branches:
                    out.write(f"{name}:{number}: {branches.count(0)} of {len(branches)} branches not taken: {text}\n")
    print("| folder | lines | run | branches | taken |\n|---|---|---|---|---|")
    total = [sum(row[k] for row in table.values()) for k in range(4)]
    for name, row in [*sorted(table.items()), ("all", total)]:
        share = lambda part, whole: f"{100.0 * part / whole:.1f} %" if whole else "-"
        print(f"| {name} | {row[0]} | {share(row[1], row[0])} | {row[2]} | {share(row[3], row[2])} |")
    print(f"what was not run: {build}/uncovered.txt")


main()
