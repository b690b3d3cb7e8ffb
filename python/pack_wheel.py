#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Packs a folder with the built package as a wheel: pack_wheel.py FOLDER OUTPUT. Prints its path.

A wheel is a zip with three files of metadata (PEP 427); equal input gives equal bytes.
"""
import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def main():
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    version = re.search(r"project\(abut VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    tag = f"{python}-{python}-{platform}"
    info = f"abut-{version}.dist-info"
    files = {f"abut/{p.name}": p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file()}
    if not any(name.endswith(sysconfig.get_config_var("EXT_SUFFIX")) for name in files):
        sys.exit(f"pack_wheel: {folder} has no module for this interpreter; build it with scripts/wheel")
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: abut\nVersion: {version}\nSummary: Rigid-body contact, from shapes to forces\n"
        f"License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n").encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: abut\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    output.mkdir(exist_ok=True)
    path = output / f"abut-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
    print(path)


main()
