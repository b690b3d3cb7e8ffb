"""What the checks share: the list of tracked files, code without comments, and how to complain."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CXX = (".hpp", ".cpp")


def tracked(*folders, suffixes=None):
    """Tracked and new files (not ignored ones) below the folders, as paths relative to the root."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *folders],
        cwd=ROOT, check=True, capture_output=True).stdout.decode()
    paths = sorted({pathlib.PurePosixPath(p) for p in listing.split("\0") if p})
    return [p for p in paths
            if (suffixes is None or p.suffix in suffixes) and (ROOT / p).is_file()]


_TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)


def code_lines(path):
    """(number, code, line) with comments and the insides of strings blanked out of `code`."""
    text = (ROOT / path).read_text()

    def blank(match):
        token = match.group(0)
        if token[0] == "/":
            return re.sub(r"[^\n]", " ", token)
        # A digit separator, as in 1'000'000, is no character literal: too short to matter.
        return token[0] + " " * (len(token) - 2) + token[-1]

    code = re.sub(r'(?m)^(\s*#\s*include\b.*)$', lambda m: m.group(1).replace('"', "\x01"), text)
    code = _TOKENS.sub(blank, code).replace("\x01", '"')
    return [(number, stripped, line) for number, (stripped, line)
            in enumerate(zip(code.splitlines(), text.splitlines()), 1)]


class Report:
    """Collects failures as file:line, what, remedy."""

    def __init__(self, name):
        self.name = name
        self.count = 0

    def fail(self, path, line, what, remedy):
        self.count += 1
        print(f"{path}:{line}: {what}. Remedy: {remedy}")

    def finish(self, summary):
        state = "ok" if self.count == 0 else f"{self.count} FAILED"
        print(f"check {self.name}: {state} ({summary})")
        sys.exit(1 if self.count else 0)
