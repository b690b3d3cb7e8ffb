#!/usr/bin/env python3
"""Every path that CONTRIBUTING.md names exists: a board of pointers must not point nowhere."""
import re

from common import ROOT, Report

BOARD = "CONTRIBUTING.md"


def named_paths(line):
    """Paths in backticks: `src/x.cpp`, `io/read_*.cpp`, `scripts/check --quick`, `tests/<stage>/`."""
    for quoted in re.findall(r"`([^`]+)`", line):
        word = quoted.split()[0]
        if "/" not in word or word.startswith(("<", "-", "http")) or word == "build/":
            continue  # What is built is not there in a fresh clone.
        yield word, re.sub(r"<[^>]*>", "*", word).rstrip("/")


def main():
    report = Report("paths in " + BOARD)
    count = 0
    for number, line in enumerate((ROOT / BOARD).read_text().splitlines(), 1):
        for word, pattern in named_paths(line):
            count += 1
            if not any(ROOT.glob(pattern)):
                report.fail(BOARD, number, f"there is no {word}", "name the file that is there now")
    report.finish(f"{count} paths")


main()
