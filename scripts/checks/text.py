#!/usr/bin/env python3
"""Sizes, licence lines, the versioned namespace, and nothing that belongs to one machine."""
import re

from common import CXX, ROOT, Report, tracked

# Lines: livable, and the most that is accepted.
LIMITS = {"public header": (120, 150), "header": (120, 250), "source": (300, 600), "test": (500, 500)}
SPDX = "// SPDX-License-Identifier: MIT"
# Written with brackets so that this file does not find itself.
MACHINE = re.compile(
    r"(?<![\w.}])/(?:[r]oot|[h]ome|[U]sers|[w]ork|[m]nt|[s]cratch)/\w|\.\./[s]hared\b|"
    r"\b(?:[a]rtifactory|[n]exus|[p]ypi|[n]pmjs|[r]egistry|[d]ockerhub|[s]onatype)\b(?:[.:/]|\.\w+)",
    re.IGNORECASE)


def kind(path):
    if path.parts[0] == "tests":
        return "test"
    if path.parts[0] == "include":
        return "public header"
    return "header" if path.suffix == ".hpp" else "source"


def check_sizes(files, report):
    long_files = []
    for path in files:
        lines = (ROOT / path).read_text().count("\n")
        livable, most = LIMITS[kind(path)]
        if lines > most:
            report.fail(path, most + 1, f"{lines} lines; a {kind(path)} has at most {most}",
                        "split it by what its parts do")
        elif lines > livable:
            long_files.append(f"{path} {lines}")
    return long_files


def check_namespaces(files, report):
    """Library code lies in the inline namespace of the shared libraries' version."""
    major, minor = re.search(r"project\(abut VERSION (\d+)\.(\d+)",
                             (ROOT / "CMakeLists.txt").read_text()).groups()
    wanted = f"namespace abut::inline v{major}_{minor}"
    for path in files:
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1):
            if line.startswith("namespace abut") and not re.match(wanted + r"( |::)", line):
                report.fail(path, number, f"'{line}' in the library", f"{wanted} ...")


def main():
    report = Report("sizes and text")
    cxx = tracked(suffixes=CXX)
    long_files = check_sizes(cxx, report)
    check_namespaces(tracked("include", "src", "io", "hybrid", "tbb", "mpi", suffixes=CXX), report)
    for path in cxx:
        with open(ROOT / path) as f:
            if f.readline().rstrip() != SPDX:
                report.fail(path, 1, "no SPDX line", f"start the file with {SPDX}")
    for path in tracked():
        try:
            text = (ROOT / path).read_text()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            match = MACHINE.search(line)
            if match:
                report.fail(path, number, f"'{match.group(0)}' belongs to one machine",
                            "a relative path, or nothing")
    if long_files:
        print("longer than livable: " + ", ".join(long_files))
    report.finish(f"{len(cxx)} C++ files")


main()
