#!/usr/bin/env python3
"""Draws a few commands and what they print, for the first page of the site. Needs Python 3.8 and nothing else.

    cargo build --release && python3 docs/site/terminal.py target/release/skelmap terminal.svg

A line that is longer than the picture ends in an ellipsis.
"""

import os
import pty
import re
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SESSION = [
    "skelmap ls corpus",
    "skelmap match corpus/fox.psk corpus",
    "skelmap gsa events corpus",
    "skelmap check tests/corpus/actorx/mesh/point_nan.psk",
]

COLUMNS, SIZE, LINE, EDGE, BAR = 112, 13, 18, 18, 34
# The width of a character of the usual monospaced fonts. `textLength` gives this width to any font.
ADVANCE = SIZE * 0.602

STYLE = """
    .window { fill: #16191f; stroke: #3d444d }
    text { fill: #d6dae0; font: 13px "DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace; white-space: pre }
    .prompt { fill: #6cb6ff }
    .command { fill: #ffffff; font-weight: bold }
    .c31 { fill: #ff7b72; font-weight: bold }
    .c33 { fill: #e3b341; font-weight: bold }
    .c2 { fill: #8b949e }
    .c1, .c36 { fill: #ffffff; font-weight: bold }
"""


def run(program, line):
    """What a command prints on a terminal, as lines."""
    words = [program, *line.split()[1:]]
    terminal, end = pty.openpty()
    environment = {**os.environ, "CLICOLOR_FORCE": "1", "COLUMNS": str(COLUMNS)}
    done = subprocess.run(words, cwd=ROOT, env=environment, stdout=end, stderr=subprocess.PIPE, check=False)
    os.close(end)
    shown = b""
    with open(terminal, "rb", buffering=0) as file:
        try:
            while piece := file.read(1 << 16):
                shown += piece
        except OSError:
            pass
    return (shown + done.stderr).decode().splitlines()


def pieces(line):
    """A line as pairs of a style and a text, at most COLUMNS characters in all."""
    parts = re.split(r"\x1b\[(\d*)m", line)
    texts = list(zip(["0", *parts[1::2]], parts[0::2]))
    left = COLUMNS if sum(len(text) for _, text in texts) <= COLUMNS else COLUMNS - 1
    for style, text in texts:
        if text[:left]:
            yield ("" if style in ("", "0") else f"c{style}"), text[:left]
        left = max(0, left - len(text))
    if sum(len(text) for _, text in texts) > COLUMNS:
        yield "", "…"


def draw(line, y):
    """One line of pairs of a class and a text."""
    at = EDGE
    for style, text in line:
        width = len(text) * ADVANCE
        name = f' class="{style}"' if style else ""
        if text.strip():
            yield f'  <text{name} x="{at:.1f}" y="{y}" textLength="{width:.1f}" xml:space="preserve">{escape(text)}</text>'
        at += width


def main():
    program, picture = sys.argv[1:]
    lines = []
    for command in SESSION:
        lines += [[]] if lines else []
        lines.append([("prompt", "$ "), ("command", command)])
        lines += [list(pieces(line)) for line in run(program, command)]

    width = round(COLUMNS * ADVANCE + 2 * EDGE)
    height = BAR + LINE * len(lines) + EDGE
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        "  <title>The command skelmap in a terminal</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="window" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
    ]
    for at, colour in enumerate(["#ff5f57", "#febc2e", "#28c840"]):
        out.append(f'  <circle cx="{EDGE + 5 + 18 * at}" cy="17" r="5.5" fill="{colour}"/>')
    for at, line in enumerate(lines):
        out += draw(line, BAR + LINE * at + SIZE)
    out.append("</svg>")
    Path(picture).write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
