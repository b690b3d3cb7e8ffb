#!/usr/bin/env python3
"""The library contains no fused multiply-add: it rounds once where a*b+c rounds twice.

usage: no_fma.py LIBRARY [OBJDUMP]
       no_fma.py --self-test COMPILER   (a file with an explicit FMA must be found out)
"""
import os
import re
import subprocess
import sys
import tempfile

# x86: vfmadd231sd, vfmaddsub..., vfnmsub...; aarch64: fmadd, fmsub, fnmadd, fnmsub, fmla, fmls.
FUSED = re.compile(r"\t(v?fn?m(?:add|sub)\w*|fml[as]\w*)\s")


def fused_instructions(path, objdump="objdump"):
    out = subprocess.Popen([objdump, "-d", "-C", "--no-show-raw-insn", path],
                           stdout=subprocess.PIPE, text=True)
    member, function, found = path, "?", []
    for line in out.stdout:
        if line.endswith(">:\n"):
            function = line.split("<", 1)[1][:-3]
        elif ":     file format" in line:
            member = line.split(":", 1)[0]
        elif match := FUSED.search(line):
            found.append((member, function, match.group(1)))
    if out.wait() != 0:
        sys.exit(f"{objdump} failed on {path}")
    return found


def self_test(compiler):
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "probe.cpp"), os.path.join(folder, "probe.o")
        with open(source, "w") as f:
            f.write("double f(double a, double b, double c) { return __builtin_fma(a, b, c); }\n")
        subprocess.run([compiler, "-O2", "-mfma", "-c", source, "-o", binary], check=True)
        if not fused_instructions(binary):
            sys.exit("the guard is blind: it did not find an explicit fused multiply-add")


def main():
    if sys.argv[1] == "--self-test":
        return self_test(sys.argv[2])
    found = fused_instructions(*sys.argv[1:3])
    for member, function, instruction in found[:20]:
        print(f"{member}: {function}: {instruction}. Remedy: compile the target with "
              "abut_deterministic() (-ffp-contract=off) and -mno-fma.")
    sys.exit(1 if found else 0)


main()
