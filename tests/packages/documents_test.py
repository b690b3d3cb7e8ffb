#!/usr/bin/env python3
"""Every block of code in README and the guide is compiled or run: documents_test.py SOURCE BUILD

C++ blocks with main() are programs, and are run; others are bodies of a function. Python blocks are
run where the module has been built (scripts/wheel). Shell blocks are left alone.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
PRELUDE = "#include <abut/abut.hpp>\n#include <cstdio>\n#include <memory>\n"


def blocks(source):
    for path in [source / "README.md", *sorted((source / "docs" / "guide").glob("*.md"))]:
        text = path.read_text()
        for match in BLOCK.finditer(text):
            yield path.relative_to(source), text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def fail(where, result):
    print(result.stdout[-4000:])
    sys.exit(f"documents_test: {where} does not work")


def run(where, command, **options):
    result = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        fail(where, result)


def compile_block(source, build, work, where, code):
    is_program = "int main(" in code
    if not is_program:
        code = PRELUDE + "void body();\nvoid body() {\n" + code + "}\nint main() { body(); }\n"
    (work / "block.cpp").write_text(code)
    libraries = [build / "libabut.a"]
    if "abut/io/" in code:
        libraries = [build / "io/libabut_io.a"]
        hybrid = build / "hybrid/libabut_hybrid.a"
        if hybrid.exists():
            libraries += [hybrid] + [f"-lsundials_{n}" for n in ("cvode", "nvecserial", "sunmatrixdense", "sunlinsoldense",
                                                                 "sunlinsolspgmr", "sunnonlinsolfixedpoint")]
        libraries += [build / "libabut.a", "-lfmt", "-ltinyxml2", "-lzstd", "-lz", "-pthread"]
    run(where, ["g++", "-std=c++20", "-Wall", "-Wextra", f"-I{source}/include", "-isystem", "/usr/include/eigen3",
                work / "block.cpp", "-o", work / "block", *libraries])
    run(where, [work / "block"], cwd=work)


def main():
    source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    module = source / "build-python" / "python"
    counts = {"cpp": 0, "python": 0}
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        (work / "scenes").symlink_to(source / "scenes")
        for path, line, language, code in blocks(source):
            where = f"{path}:{line}"
            if language == "cpp":
                compile_block(source, build, work, where, code)
            elif language == "python" and any(module.glob("abut/_abut*.so")):
                run(where, ["/usr/bin/python3", "-c", code], cwd=work, env=dict(os.environ, PYTHONPATH=str(module)))
            else:
                continue
            counts[language] += 1
            print(f"{where}: ok", flush=True)
    print(f"documents_test: {counts['cpp']} blocks of C++, {counts['python']} of Python")
    if counts["cpp"] < 8:
        sys.exit("documents_test: fewer blocks than there are; is the pattern right?")


main()
