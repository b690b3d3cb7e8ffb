#!/usr/bin/env python3
"""The ways to consume Abut, each built and run from a folder outside the tree.

    packages_test.py WAY SOURCE BUILD     WAY: static, shared, parent, flags, debian

Prints what it does; exit code 77 (skipped) where a tool is missing.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
HOSTILE = "-Ofast -march=native -ffast-math -mfma -funsafe-math-optimizations -ffp-contract=fast"


def run(*command, **options):
    print("+", *command, flush=True)
    result = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        print(result.stdout[-6000:])
        sys.exit(f"packages_test: {command[0]} failed with {result.returncode}")
    return result.stdout


def configure(source, build, *options):
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", *launcher, *options)
    return run("cmake", "--build", build)


def build_abut(source, build, *options):
    """Library, io and hybrid of the tree, without tests; not optimised, which changes no bit and takes a third of the time."""
    configure(source, build, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG", "-DABUT_PRECOMPILE=ON",
              "-DABUT_BUILD_TESTS=OFF", "-DABUT_BUILD_EXAMPLES=OFF", *options)


def components_of(prefix):
    found = sorted(p.name for p in prefix.rglob("abut_*.cmake") if "-" not in p.name)
    return [name[len("abut_"):-len(".cmake")] for name in found]


def moved(prefix):
    """The installed tree elsewhere: it must not remember where it was."""
    elsewhere = prefix.with_name(prefix.name + "-moved")
    shutil.rmtree(elsewhere, ignore_errors=True)
    prefix.rename(elsewhere)
    return elsewhere


def use_cmake(prefix, work, scene, flags=""):
    """find_package; returns what the program prints."""
    components = components_of(prefix)
    print("components:", ", ".join(components))
    build = work / "consumer"
    configure(HERE / "consumer", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DWANTED={';'.join(components)}",
              f"-DCMAKE_CXX_FLAGS={flags}")
    return run(build / "consumer", scene, cwd=work)


def use_pkg_config(prefix, work, scene):
    if not shutil.which("pkg-config"):
        print("no pkg-config: that way is left out")
        return None
    path = next(prefix.rglob("abut.pc")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(path))
    names = ["abut"] + [f"abut-{c}" for c in components_of(prefix) if c != "core"]
    flags = run("pkg-config", "--cflags", "--libs", *reversed(names), env=environment).split()
    defines = [f"-DWITH_{c.upper()}" for c in components_of(prefix) if c != "core"]
    run("g++", *defines, HERE / "consumer/main.cpp", "-o", work / "by_pkg_config", *flags, f"-Wl,-rpath,{path.parent}")
    return run(work / "by_pkg_config", scene, cwd=work)


PROGRAM = """
import abut
world = abut.World()
world.add_body(abut.Plane([0, 0, 1]), type="static")
for i in range(5):
    world.add_body(abut.Box(half_extents=[0.5, 0.375, 0.25]), position=[0.0625 * i, 0, 1.0 + 1.25 * i], angular_velocity=[0.5 * i, 1, 0])
world.step(1 / 120, count=240)
print(f"{world.hash():016x}")
"""


def has_python():
    pybind = any(pathlib.Path(p, "cmake/pybind11").is_dir() for p in ("/usr/share", "/usr/lib"))
    return pybind and subprocess.run(["/usr/bin/python3", "-c", "import numpy"], capture_output=True).returncode == 0


def use_python(folder, work):
    """The same world from Python; returns its hash."""
    return run("/usr/bin/python3", "-c", PROGRAM, cwd=work, env=dict(os.environ, PYTHONPATH=str(folder))).strip()


def scenes_of(source):
    return source / "scenes" / "capsule_spin.json"


def expected(build, work):
    """What the program prints with the tree's own library."""
    eigen = ["-isystem", "/usr/include/eigen3"]
    source = next(p for p in HERE.parents if (p / "include/abut").is_dir())
    run("g++", "-std=c++20", "-O1", f"-I{source}/include", *eigen, HERE / "consumer/main.cpp", build / "libabut.a",
        "-o", work / "expected")
    return run(work / "expected")


def expect(what, got, wanted):
    if got is not None and got != wanted:
        sys.exit(f"packages_test: {what}: got {got!r}, expected {wanted!r}")
    print(f"{what}: the same bits ({wanted.strip()})", flush=True)


def check_tool(prefix):
    tool = prefix / "bin" / "abut"
    if not tool.exists():
        return
    scene = prefix / "share/abut/scenes/capsule_spin.json"
    print(run(tool, "hash", scene, "--steps", "10").strip())
    script = prefix / "share/bash-completion/completions/abut"
    words = run("bash", "-c", f"source {script}; COMP_WORDS=(abut re); COMP_CWORD=1; _abut; echo ${{COMPREPLY[@]}}",
                env=dict(os.environ, PATH=f"{tool.parent}:{os.environ['PATH']}"))
    if words.split() != ["report", "replay"]:
        sys.exit(f"packages_test: completion of re: {words!r}")


def way_static(source, build, work):
    prefix = work / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    prefix = moved(prefix)
    for p in prefix.rglob("*.cmake"):
        if str(build) in p.read_text() or str(source) in p.read_text():
            sys.exit(f"packages_test: {p} names the folder it was built in")
    check_tool(prefix)
    expect("find_package", use_cmake(prefix, work, scenes_of(source)), expected(build, work))
    expect("pkg-config", use_pkg_config(prefix, work, scenes_of(source)), expected(build, work))


def way_shared(source, build, work):
    own = build / "packages" / "shared-build"
    build_abut(source, own, "-DBUILD_SHARED_LIBS=ON")
    prefix = work / "prefix"
    run("cmake", "--install", own, "--prefix", prefix)
    prefix = moved(prefix)
    check_tool(prefix)
    expect("shared find_package", use_cmake(prefix, work, scenes_of(source)), expected(build, work))
    expect("shared pkg-config", use_pkg_config(prefix, work, scenes_of(source)), expected(build, work))


def way_parent(source, build, work):
    own = work / "build"
    configure(HERE / "parent", own, "-DABUT_PRECOMPILE=ON", f"-DABUT_SOURCE={source}", f"-DCONSUMER={HERE / 'consumer'}")
    expect("FetchContent", run(own / "consumer"), expected(build, work))
    run("cmake", "--install", own, "--prefix", work / "prefix")
    installed = [str(p.relative_to(work / "prefix")) for p in (work / "prefix").rglob("*") if p.is_file()]
    if installed != ["bin/consumer"]:
        sys.exit(f"packages_test: the parent installs {installed}")
    commands = (own / "build.ninja").read_text()
    if "-march" in commands:
        sys.exit("packages_test: flags that nobody gave")


def way_flags(source, build, work):
    """A parent's flags that would change bits are taken back from Abut's own objects."""
    own = work / "build"
    configure(HERE / "parent", own, "-DABUT_PRECOMPILE=ON", f"-DABUT_SOURCE={source}", f"-DCONSUMER={HERE / 'consumer'}",
              f"-DCMAKE_CXX_FLAGS={HOSTILE}")
    expect("hostile flags", run(own / "consumer"), expected(build, work))
    library = next(own.rglob("libabut.a"))
    run(sys.executable, source / "tests/guards/no_fma.py", library)


def way_debian(source, build, work):
    for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps"):
        if not shutil.which(tool):
            print(f"skipped: no {tool}; scripts/setup installs it")
            sys.exit(77)
    own = build / "packages" / "shared-build"
    python = has_python()
    build_abut(source, own, "-DBUILD_SHARED_LIBS=ON", *(["-DABUT_BUILD_PYTHON=ON"] if python else []))
    run("cpack", "-G", "DEB", "-B", work / "debs", cwd=own)
    root = work / "root"
    names = []
    for deb in sorted((work / "debs").glob("*.deb")):
        names.append(re.match("[a-z0-9-]*", deb.name).group(0))
        print(run("dpkg-deb", "--field", deb, "Package", "Version", "Depends").strip())
        run("dpkg-deb", "--extract", deb, root)
    wanted = {"libabut", "libabut-dev", "abut"} | ({"python3-abut"} if python else set())
    if set(names) != wanted:
        sys.exit(f"packages_test: packages {names}, expected {sorted(wanted)}")
    expect("Debian packages", use_cmake(root / "usr", work, scenes_of(source)), expected(build, work))
    check_tool(root / "usr")
    if python:
        expect("Debian's Python", use_python(root / "usr/lib/python3/dist-packages", work), expected(build, work).split()[0])


def main():
    way, source, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    os.environ.setdefault("CCACHE_BASEDIR", str(source))
    os.environ.setdefault("CCACHE_NOHASHDIR", "1")
    # A folder outside the tree, under a name that shows where something is remembered.
    outside = pathlib.Path(tempfile.mkdtemp(prefix="abut-outside-"))
    try:
        {"static": way_static, "shared": way_shared, "parent": way_parent, "flags": way_flags,
         "debian": way_debian}[way](source, build, outside)
    finally:
        shutil.rmtree(outside, ignore_errors=True)
    print(f"packages_test: {way} ok")


main()
