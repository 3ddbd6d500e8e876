#!/usr/bin/env python3
"""Draws benches/chart.svg and benches/memory.svg from the tables of benches/README.md. Needs Python 3.8 and nothing else.

    python3 benches/chart.py

The table under "What the chart shows" names the rows of chart.svg and their benchmarks. The other tables have the figures. The table
under "The worst inputs" has the rows of memory.svg.
"""

import math
import re
import textwrap
from html import escape
from pathlib import Path

FOLDER = Path(__file__).resolve().parent

WIDTH, ROW, TOP, BOTTOM = 860, 44, 62, 34
# Where the scale begins and ends, and the ratios at both ends. The scale is logarithmic.
LEFT, RIGHT, LEAST, MOST = 318, 690, 0.4, 40_000.0

STYLE = """
    .card { fill: #ffffff; stroke: #d0d7de }
    text { fill: #1f2328; font: 14px system-ui, "Segoe UI", Helvetica, Arial, sans-serif }
    .small { fill: #59636e; font-size: 12px }
    .title { font-size: 16px; font-weight: 600 }
    .value { font-weight: 600 }
    .grid { stroke: #d0d7de }
    .one { stroke: #59636e; stroke-dasharray: 4 3 }
    .bar { stroke: #0969da; stroke-width: 6; stroke-linecap: round }
    .dot { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #3d444d }
      text { fill: #f0f6fc }
      .small { fill: #9198a1 }
      .grid { stroke: #3d444d }
      .one { stroke: #9198a1 }
      .bar { stroke: #4493f8 }
      .dot { fill: #4493f8 }
    }
"""


def tables(text):
    """Every table as its heading and its rows, in lists of cells."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in block.splitlines()]
        yield lines[0], lines[2:]


def figures(text):
    """By the name of a benchmark: its time, the time of the reference, and how many times as fast it is."""
    found = {}
    for heading, rows in tables(text):
        if "ratio" not in heading:
            continue
        for name, time, against, reference, ratio, _, target, _ in (row for row in rows if len(row) == 8):
            if against:
                ratio = float(ratio.split()[0])
                found[name] = time, reference, 1 / ratio if target.startswith("≤") else ratio
    return found


def place(ratio):
    """The x of a ratio."""
    return LEFT + (RIGHT - LEFT) * math.log(ratio / LEAST) / math.log(MOST / LEAST)


def spell(ratio):
    """A ratio for people: three digits, and no more than two after the point."""
    if ratio >= 100:
        return f"{float(f'{ratio:.3g}'):,.0f}×"
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.2f}×"


def plain(cell):
    return escape(cell.replace("`", ""))


def draw(title, label, rows, places, grid):
    """A chart: a bar from the first place to the second for each row (name, note, value, note of the value)."""
    end = TOP + ROW * len(rows)
    height = end + BOTTOM
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        f"  <title>{label}</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
        f'  <text class="title" x="20" y="32">{title}</text>',
    ]
    for index, (x, text) in enumerate(grid):
        style = "grid" if index else "one"
        out.append(f'  <line class="{style}" x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{end}"/>')
        out.append(f'  <text class="small" x="{x:.1f}" y="{end + 18}" text-anchor="middle">{text}</text>')
    for at, ((name, note, value, value_note), (first, last)) in enumerate(zip(rows, places)):
        y = TOP + ROW * at + ROW / 2
        out += [
            f'  <text x="20" y="{y - 3:.1f}">{plain(name)}</text>',
            f'  <text class="small" x="20" y="{y + 13:.1f}">{plain(note)}</text>',
            f'  <line class="bar" x1="{first:.1f}" y1="{y:.1f}" x2="{last:.1f}" y2="{y:.1f}"/>',
            f'  <circle class="dot" cx="{last:.1f}" cy="{y:.1f}" r="7"/>',
            f'  <text class="value" x="{WIDTH - 20}" y="{y - 3:.1f}" text-anchor="end">{value}</text>',
            f'  <text class="small" x="{WIDTH - 20}" y="{y + 13:.1f}" text-anchor="end">{value_note}</text>',
        ]
    return "\n".join([*out, "</svg>"]) + "\n"


def ratios(text):
    """The times of benchmarks against those of their references, on a logarithmic scale."""
    rows = next(rows for heading, rows in tables(text) if heading[0] == "row of the chart")
    measured = figures(text)
    found, places = [], []
    for title, against, benchmark in rows:
        time, reference, ratio = measured[benchmark]
        found.append((title, f"against {against}", spell(ratio), f"{plain(time)} : {plain(reference)}"))
        places.append((place(1), place(ratio)))
    grid = [(place(10**power), f"{10**power:,}×" if power else "as fast") for power in range(0, 5)]
    return draw("Times as fast as the reference", "How many times as fast as the reference skelmap is", found, places, grid)


def memory(text):
    """The most memory of operations, for each byte of the worst input."""
    rows = next(rows for heading, rows in tables(text) if heading[-1] == "memory for each byte")
    most = max(float(multiple) for *_, multiple in rows)
    step = next(step for step in (0.5, 1, 2, 5, 10) if most <= 6 * step)
    last = math.ceil(most / step)
    x = lambda multiple: LEFT + (RIGHT - LEFT) * multiple / (last * step)
    found = []
    for operation, input, least, multiple in rows:
        name, *more = textwrap.wrap(plain(operation), 34)
        found.append((name, " ".join([*more, input]), f"{float(multiple):.2f}", f"and {least}" if least else ""))
    places = [(x(0), x(float(multiple))) for *_, multiple in rows]
    grid = [(x(at * step), f"{at * step:g}") for at in range(last + 1)]
    label = "How much memory operations use for each byte of the worst input"
    return draw("Bytes of memory for each byte of the worst input", label, found, places, grid)


def main():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    (FOLDER / "chart.svg").write_text(ratios(text), encoding="utf-8")
    (FOLDER / "memory.svg").write_text(memory(text), encoding="utf-8")


if __name__ == "__main__":
    main()
