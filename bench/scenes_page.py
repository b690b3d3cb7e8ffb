#!/ usr / bin / env python3
"""A page with plots of what bench_scenes measured: scenes_page.py FIGURES.json PAGE.html."""
import html
import json
import math
import pathlib
import sys

COLOURS = ["#1f6f8b", "#d1495b", "#8d96a3", "#66a182", "#edae49", "#6a4c93"]


def bars(title, unit, scenes, engines, value):
    """Bars of each scene, one an engine, on a logarithmic scale."""
    found = [value(scenes[s][e]) for s in scenes for e in engines if e in scenes[s]]
    found = [v for v in found if v > 0]
    if not found:
        return ""
    low, high = math.floor(math.log10(min(found))), math.ceil(math.log10(max(found)) + 1e-9)
    height, wide = 220, 12
    group = wide * len(engines) + 16
    y = lambda v: height * (1 - (math.log10(v) - low) / max(1, high - low))
    out = [f"<h2>{html.escape(title)} [{unit}]</h2>",
           f'<svg width="{70 + group * len(scenes)}" height="{height + 60}" role="img">']
    for decade in range(low, high + 1):
        at = 20 + y(10.0 ** decade)
        out.append(f'<line x1="60" x2="{60 + group * len(scenes)}" y1="{at}" y2="{at}" stroke="#ddd"/>'
                   f'<text x="54" y="{at + 4}" text-anchor="end">{10.0 ** decade:g}</text>')
    for i, s in enumerate(scenes):
        for k, e in enumerate(engines):
            v = value(scenes[s][e]) if e in scenes[s] else 0
            if v > 0:
                top = 20 + y(v)
                out.append(f'<rect x="{66 + i * group + k * wide}" y="{top}" width="{wide - 2}" '
                           f'height="{max(1, 20 + height - top)}" fill="{COLOURS[k % len(COLOURS)]}">'
                           f"<title>{html.escape(e)}: {v:.4g} {unit}</title></rect>")
        out.append(f'<text x="{66 + i * group + group / 2 - 12}" y="{height + 40}">{s}</text>')
    return "".join(out) + "</svg>"


def lines(points):
    """Time against the number of bodies, both logarithmic."""
    if not points:
        return ""
    width, height = 460, 260
    xs, ys = [math.log10(p["bodies"]) for p in points], [math.log10(max(p["ms"], 1e-3)) for p in points]
    x0, x1, y0, y1 = math.floor(min(xs)), math.ceil(max(xs)), math.floor(min(ys)), math.ceil(max(ys))
    place = lambda x, y: (60 + width * (x - x0) / max(1, x1 - x0), 20 + height * (1 - (y - y0) / max(1, y1 - y0)))
    out = [f'<h2>Time of a step against bodies [ms]</h2><svg width="{width + 90}" height="{height + 60}" role="img">']
    for k in range(x0, x1 + 1):
        x, y = place(k, y0)
        out.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle">{10 ** k}</text>')
    for k in range(y0, y1 + 1):
        x, y = place(x0, k)
        out.append(f'<text x="54" y="{y + 4}" text-anchor="end">{10.0 ** k:g}</text>'
                   f'<line x1="60" x2="{60 + width}" y1="{y}" y2="{y}" stroke="#ddd"/>')
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in map(place, xs, ys))
    out.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[0]}" stroke-width="2"/>')
    out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="4" fill="{COLOURS[0]}"/>' for a, b in map(place, xs, ys)]
    return "".join(out) + "</svg>"


def main():
    figures = json.loads(pathlib.Path(sys.argv[1]).read_text())
    scenes, engines, titles = {}, [], {}
    for f in (f for f in figures if "scene" in f):
        scenes.setdefault(f["scene"], {})[f["engine"]] = f
        titles[f["scene"]] = f["title"]
        if f["engine"] not in engines:
            engines.append(f["engine"])
    key = " ".join(f'<span style="color:{COLOURS[i % len(COLOURS)]}">&#9632; {html.escape(e)}</span>'
                   for i, e in enumerate(engines))
    rows = "".join(
        f"<tr><td>{s}</td><td>{html.escape(titles[s])}</td><td>{html.escape(e)}</td><td>{f['ms']:.3f}</td>"
        f"<td>{f['deepest']:.3g}</td><td>{f['mean']:.3g}</td><td>{f['drift']:.3g}</td><td>{f['gained']:.1e}</td>"
        f"<td>{f['hash'] if f['hash'].strip('0') else ''}</td></tr>"
        for s in scenes for e, f in scenes[s].items())
    page = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Abut: scenes</title>
<style>body{
  {
  font:
    15px sans - serif;
  margin:
    2em;
    max - width : 70em
  }
}
svg text {
  { font - size : 12px }
}
td, th{{padding : 2px 8px;
text - align : right
}
}
</ style><h1> Scenes</ h1><p>{key}</ p>{bars("Time of a step", "ms", scenes, engines, lambda f
                                             : f["ms"])} {
    bars("Deepest overlap over the run", "mm", scenes, engines, lambda f
         : f["deepest"])} {bars("Energy gained, as a part of it", "1", scenes, engines, lambda f
                                : f["gained"])} {lines([f for f in figures if "bodies" in f])
}
<h2>Figures</h2><table><tr><th></th><th>scene</th><th>engine</th><th>ms a step</th><th>deepest mm</th><th>mean mm</th>
<th>drift mm</th><th>gained</th><th>hash</th></tr>{rows}</table></html>
"""
    pathlib.Path(sys.argv[2]).write_text(page)


main()
