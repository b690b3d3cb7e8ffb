#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/guide/gallery.md: gallery.py NAME=TIME ... A picture and the scene's own words for each."""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
COLUMNS = 2

head = """# Gallery

Scenes that come with Abut, as their pages show them: `abut report scenes/NAME.json` makes the page, `abut view scenes/NAME.json` runs it live. Orange arrows are contact forces, violet ones impulses of
impacts. `scripts/gallery` makes this page.

"""
cells = []
for item in sys.argv[1:]:
    name = item.partition("=")[0]
    if not (ROOT / f"docs/images/gallery/{name}.jpg").exists():
        continue
    scene = json.loads((ROOT / f"scenes/{name}.json").read_text())
    words = scene.get("description", "").replace("|", "\\|").strip()
    cells.append((f"![{name}](../images/gallery/{name}.jpg)", f"**{name}**. {words}"))
rows = ["| | |", "|---|---|"]
for i in range(0, len(cells), COLUMNS):
    group = cells[i:i + COLUMNS] + [("", "")] * (COLUMNS - len(cells[i:i + COLUMNS]))
    rows += ["| " + " | ".join(c[k] for c in group) + " |" for k in (0, 1)]
(ROOT / "docs/guide/gallery.md").write_text(head + "\n".join(rows) + "\n")
print(f"docs/guide/gallery.md: {len(cells)} scenes")
