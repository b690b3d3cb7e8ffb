#!/usr/bin/env python3
"""Public headers have no data member of a fixed-size vectorisable Eigen type.

Such members change alignment and layout with the user's compiler flags, so that the user and the
library would disagree about the type. usage: no_aligned_members.py INCLUDE_DIR
"""
import pathlib
import re
import sys

# Sizes that are a multiple of 16 bytes.
TYPE = (r"(?:Eigen::)?(?:Vector[24]d|Vector4f|RowVector[24]d|Matrix[24]d|Matrix[24]f|Quaternion[df]|"
        r"(?:Isometry|Affine)[23][df]|Projective3[df]|AngleAxisd|AlignedBox2d|Array[24]d)")
MEMBER = re.compile(
    r"(?:^|.*[{;])\s*(?:mutable\s+)?(?:const\s+)?(?:std::(?:array|vector|optional)<\s*)?" + TYPE +
    r"\s*(?:,\s*\w+\s*>|>)?\s+\w+(?:\s*[,=][^()]*|\{[^}]*\})?;")

for text, member in (("  Eigen::Quaterniond rotation_;", True), ("  Eigen::Vector4d v{0, 0, 0, 0};", True),
                     ("  Eigen::Vector3d v_;", False), ("  Eigen::Isometry3d getTransform() const;", False),
                     ("  std::array<Eigen::Isometry3d, 4> poses_;", True),
                     ("struct X { Eigen::Quaterniond q_; };", True)):
    assert bool(MEMBER.match(text)) == member, f"the guard is broken for: {text}"

found = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.hpp")):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if MEMBER.match(line.split("//")[0].rstrip()):
            found += 1
            print(f"{path}:{number}: {line.strip()}: layout depends on the user's flags. Remedy: store "
                  "Pose, Quat or Vec3 of abut/math/types.hpp and convert in the accessor.")
sys.exit(1 if found else 0)
