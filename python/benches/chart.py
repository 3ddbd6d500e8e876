"""Draws benches/chart.svg from the figures of `run.py --json benches/results.json`, in the style of the charts of the library.

python benches/chart.py [FILE]
"""

from __future__ import annotations

import json
import math
import runpy
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent

LIBRARY: dict[str, Any] = runpy.run_path(str(FOLDER.parents[1] / "benches" / "chart.py"))
"""The program that draws the charts of the library."""

LEAST, MOST = 0.6, 3_000.0
"""The ratios at both ends of the scale."""


def place(ratio: float) -> float:
    """The x of a ratio, on a logarithmic scale."""
    left, right = LIBRARY["LEFT"], LIBRARY["RIGHT"]
    share: float = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    return float(left + (right - left) * share)


def spell_time(seconds: float) -> str:
    """A time with three digits."""
    for unit, factor in (("µs", 1e6), ("ms", 1e3)):
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def draw(rows: list[dict[str, Any]]) -> str:
    """The chart of the rows that have a title."""
    shown, places = [], []
    for row in rows:
        ratio = row["ratio"][0]
        times = f"{spell_time(row['seconds'])} : {spell_time(row['reference'])}"
        shown.append((row["chart"], f"against {row['against']}", LIBRARY["spell"](ratio), times))
        places.append((place(1), place(ratio)))
    grid = [(place(10**power), f"{10**power:,}×" if power else "as fast") for power in range(4)]  # noqa: RUF001
    label = "How many times as fast as the reference the Python package is"
    drawn: str = LIBRARY["draw"]("Python: times as fast as the reference", label, shown, places, grid)
    return drawn


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "results.json"
    rows = json.loads(source.read_text(encoding="utf-8"))["rows"]
    (FOLDER / "chart.svg").write_text(draw([row for row in rows if row["chart"]]), encoding="utf-8")


if __name__ == "__main__":
    main()
