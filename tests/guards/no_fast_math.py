#!/usr/bin/env python3
"""A compilation with -ffast-math stops with the library's own #error; without it, it does not.

usage: no_fast_math.py COMPILER SOURCE_DIR EIGEN_INCLUDE
Covers every source file that computes: all that include the arithmetic types.
"""
import pathlib
import subprocess
import sys

compiler, root, eigen = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
base = [compiler, "-std=c++20", "-fsyntax-only", "-I", root / "include", "-I", root / "src",
        "-isystem", eigen]


def compile_file(path, *flags):
    return subprocess.run([*base, *flags, "-x", "c++", path], capture_output=True, text=True)


failures = []
for header in ("src/core/check.hpp", "src/math/vec3.hpp"):
    plain = compile_file(root / header)
    if plain.returncode != 0:
        failures.append(f"{header}: does not compile alone:\n{plain.stderr}")
    for flag in ("-ffast-math", "-Ofast", "-ffinite-math-only"):
        fast = compile_file(root / header, flag)
        if fast.returncode == 0 or "Abut must not be compiled with" not in fast.stderr:
            failures.append(f"{header}: compiles with {flag}. Remedy: keep the #error in src/core/check.hpp"
                            " and its include in src/math/vec3.hpp.")
print("\n".join(failures))
sys.exit(1 if failures else 0)
