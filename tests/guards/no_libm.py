#!/usr/bin/env python3
"""The library needs no function of the C mathematics library but sqrt and floor.

The others give other bits on other machines. usage: no_libm.py LIBRARY [NM]
       no_libm.py --self-test COMPILER   (a file that calls sin must be found out)
"""
import os
import re
import subprocess
import sys
import tempfile

NAMES = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp10 exp2 expm1
fabs fdim fma fmax fmaximum fmin fminimum fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma lgamma_r
llrint llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter nexttoward pow pow10
remainder remquo rint round roundeven scalb scalbln scalbn significand sin sincos sinh tan tanh tgamma
trunc y0 y1 yn floor sqrt
""".split()
ALLOWED = {"sqrt", "floor"}
# Suffixes of the float and long double versions; glibc's finite-only entries; its vector versions.
FORBIDDEN = ({n + s for n in NAMES for s in ("", "f", "l", "f128")} - ALLOWED) | {
    f"__{n}{s}_finite" for n in NAMES for s in ("", "f", "l")
}
VECTOR = re.compile(r"_ZGV\w+")


def forbidden_symbols(path, nm="nm"):
    out = subprocess.run([nm, "-A", "-u", path], check=True, capture_output=True, text=True).stdout
    found = []
    for line in out.splitlines():
        where, _, symbol = line.rpartition(" ")
        name = symbol.split("@")[0]
        if name in FORBIDDEN or VECTOR.match(name):
            found.append((where.split()[0].rstrip(":"), name))
    return found


def self_test(compiler):
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "probe.cpp"), os.path.join(folder, "probe.o")
        with open(source, "w") as f:
            f.write("#include <cmath>\ndouble f(double x) { return std::sin(x) + std::fmax(x, 1.0); }\n")
        subprocess.run([compiler, "-O2", "-c", source, "-o", binary], check=True)
        names = {name for _, name in forbidden_symbols(binary)}
    if names != {"sin", "fmax"}:
        sys.exit(f"the guard is blind: expected to find sin and fmax, found {names or 'nothing'}")


def main():
    if sys.argv[1] == "--self-test":
        return self_test(sys.argv[2])
    found = forbidden_symbols(*sys.argv[1:3])
    for where, name in found:
        print(f"{where}: calls {name}, whose bits differ between machines. "
              "Remedy: src/math (sinCos, atan2Of, acosOf, minOf, maxOf), or a comparison.")
    sys.exit(1 if found else 0)


main()
