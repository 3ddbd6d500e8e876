"""Measures sides that take turns, and spells the rows of a table."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Side: TypeAlias = Callable[[], object]


@dataclass
class Row:
    """A row of the table."""

    name: str
    seconds: float
    against: str
    reference: float
    ratio: tuple[float, float, float]
    """How many times as fast as the reference: the median and the quartiles."""
    target: float | None
    """The ratio that is asked."""
    chart: str | None
    """The title in the chart; none for a row that the chart does not have."""


def measure(sides: Mapping[str, Side], rounds: int, least: float = 0.002) -> dict[str, list[float]]:
    """The seconds of a call of each side, in each round. A side is called until the calls take `least` seconds."""

    def seconds(side: Side, calls: int) -> float:
        start = time.perf_counter()
        for _ in range(calls):
            side()
        return (time.perf_counter() - start) / calls

    calls = {}
    for name, side in sides.items():
        side()
        calls[name] = max(1, round(least / max(min(seconds(side, 1) for _ in range(3)), 1e-9)))
    found: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            found[name].append(seconds(side, calls[name]))
    return found


class Table:
    """The rows and notes, as they come."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.notes: list[str] = []

    def add(
        self,
        names: str | Mapping[str, str],
        sides: Mapping[str, Side],
        *,
        target: float | None = None,
        charts: Mapping[str, str] | None = None,
        rounds: int = 41,
        least: float = 0.002,
    ) -> None:
        """Measures sides, of which the last one is the reference. By the other sides, `names` has the names of their rows, and `charts` the
        titles in the chart."""
        *ours, against = sides
        names = {ours[0]: names} if isinstance(names, str) else names
        found = measure(sides, rounds, least)
        for side in ours:
            ratios = [theirs / own for own, theirs in zip(found[side], found[against], strict=True)]
            low, middle, high = statistics.quantiles(ratios, n=4)
            seconds, reference = statistics.median(found[side]), statistics.median(found[against])
            row = Row(names[side], seconds, against, reference, (middle, low, high), target, (charts or {}).get(side))
            self.rows.append(row)
            print(line(row), flush=True)

    def note(self, text: str) -> None:
        self.notes.append(text)


HEADING = "| work | time | against | time | ratio | asked | met |\n|---|--:|---|--:|--:|--:|---|"


def line(row: Row) -> str:
    """A row in Markdown."""
    middle, low, high = (spell_ratio(ratio) for ratio in row.ratio)
    asked = "" if row.target is None else f"≥ {row.target:g}"
    met = "" if row.target is None else "yes" if row.ratio[0] >= row.target else "no"
    ours, theirs = spell_time(row.seconds), spell_time(row.reference)
    return f"| {row.name} | {ours} | {row.against} | {theirs} | {middle} ({low}–{high}) | {asked} | {met} |"  # noqa: RUF001


def spell_ratio(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.1f}" if ratio >= 10 else f"{ratio:.2f}"


def spell_time(seconds: float) -> str:
    for unit, factor in (("µs", 1e6), ("ms", 1e3)):
        if seconds * factor < 1000:
            return f"{seconds * factor:.1f} {unit}"
    return f"{seconds:.2f} s"


def spell_size(size: int) -> str:
    return f"{size / 1e3:.0f} kB" if size < 1e6 else f"{size / 1e6:.1f} MB" if size < 1e8 else f"{size / 1e6:.0f} MB"
