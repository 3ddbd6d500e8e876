#!/usr/bin/env python3
"""Measures how time and memory of the command grow with archives and models, and draws benches/growth.svg. Needs Python 3.8 and Linux.

    cargo build --release
    python3 benches/growth.py --folder DIR     # 10 minutes, Python 3.9; DIR gets up to 6 GB, which are removed; prints the tables
    python3 benches/growth.py                  # draws the chart from the tables of benches/README.md

Times are those that processors spent, so that what else the machine does is not in them. Memory is what a process has beside the pages of
files (`RssAnon`), at its most, read all the time: the maps of files are not in it.
"""

import argparse
import math
import os
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

from chart import FOLDER, STYLE, plain, tables

ENTRIES = [10**4, 10**5, 10**6]
SIZES = [10**3, 10**4, 10**5, 10**6, 10**7, 10**8]

# What the command does with an archive of many entries. An extraction and a conversion write a file for each.
OF_ARCHIVES = {
    "ls": ["ls", "{archive}"],
    "ls --format csv": ["ls", "--format", "csv", "{archive}"],
    "catalog .csv": ["catalog", "{archive}", "-o", "{out}/rows.csv"],
    "catalog .parquet": ["catalog", "{archive}", "-o", "{out}/rows.parquet"],
    "check": ["check", "{archive}"],
    "extract": ["extract", "{archive}", "-o", "{out}/files"],
    "convert": ["convert", "{archive}", "-o", "{out}/glb", "--format", "jsonl"],
}

# What the command does with one model.
OF_MODELS = {
    "ls": ["ls", "{model}"],
    "check": ["check", "{model}"],
    "convert": ["convert", "{model}", "-o", "{out}/a.glb"],
}


def animation(size):
    """An ActorX animation of about so many bytes: one sequence of one bone that turns."""
    frames = max((size - 440) // 32, 1)
    chunk = lambda name, width=0, count=0: struct.pack("<20sIii", name, 0, width, count)
    bone = struct.pack("<64sIii11f", b"root", 0, 0, 0, 0, 0, 0, 1, *[0] * 7)
    info = struct.pack("<64s64s4i3f3i", b"walk", b"None", 1, 0, 0, frames, 0, frames, 30, 0, 0, frames)
    yield chunk(b"ANIMHEAD") + chunk(b"BONENAMES", 120, 1) + bone + chunk(b"ANIMINFO", 168, 1) + info
    yield chunk(b"ANIMKEYS", 32, frames)
    block = b"".join(struct.pack("<8f", 0, 0, 0, 0, 0, math.sin(at), math.cos(at), 1) for at in range(1000))
    for at in range(0, frames, 1000):
        yield block[: 32 * min(1000, frames - at)]


def crc32(data):
    import zlib

    return zlib.crc32(data)


def write_archive(path, count):
    """An archive of so many small animations, stored, with an end in the form of ZIP64."""
    body = b"".join(animation(600))
    common = struct.pack("<HHHHHIII", 20, 0, 0, 0, 0x21, crc32(body), len(body), len(body))
    directory, at = bytearray(), 0
    with open(path, "wb") as file:
        for index in range(count):
            name = b"art/%04d/walk-%07d.psa" % (index // 1000, index)
            local = b"PK\x03\x04" + common + struct.pack("<HH", len(name), 0) + name
            directory += b"PK\x01\x02\x14\0" + common + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, at) + name
            file.write(local + body)
            at += len(local) + len(body)
        file.write(directory)
        end = struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(directory), at)
        file.write(b"PK\x06\x06" + end + struct.pack("<4sIQI", b"PK\x06\x07", 0, at + len(directory), 1))
        file.write(b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, len(directory), at, 0))


def run(program, line):
    """Seconds of processors, and the most bytes of memory."""
    process = subprocess.Popen([program, *line], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most, status = 0, open(f"/proc/{process.pid}/status", "rb", buffering=0)
    with status:
        while True:
            ended, code, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                break
            status.seek(0)
            text = status.read()
            at = text.find(b"RssAnon:")
            if at >= 0:
                most = max(most, int(text[at + 8 : text.find(b"kB", at)]) * 1024)
            time.sleep(0.0002)
    process.returncode = os.waitstatus_to_exitcode(code)
    assert process.returncode in (0, 1), line
    return usage.ru_utime + usage.ru_stime, most


def measure(program, line, rounds):
    """The median time and the most memory of some runs."""
    results = []
    for _ in range(rounds):
        shutil.rmtree(line["out"], ignore_errors=True)
        os.mkdir(line["out"])
        results.append(run(program, [word.format(**line) for word in line["command"]]))
    return sorted(seconds for seconds, _ in results)[rounds // 2], max(memory for _, memory in results)


def spell_time(seconds):
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.1f} ms"


def measure_all(program, folder, most):
    out = str(folder / "out")
    print("| command | " + " | ".join(f"{count:,} entries" for count in ENTRIES if count <= most) + " | µs an entry | memory beyond the map | under 64 MiB |")
    print("|---|" + "--:|" * (len([count for count in ENTRIES if count <= most]) + 2) + "---|")
    rows = {name: [] for name in OF_ARCHIVES}
    for count in ENTRIES:
        if count > most:
            continue
        archive = folder / "many.zip"
        write_archive(archive, count)
        for name, command in OF_ARCHIVES.items():
            rounds = 5 if count < 10**6 and name not in ("extract", "convert") else 3 if count < 10**5 else 1
            if count == 10**6 and name not in ("extract", "convert"):
                rounds = 3
            found = measure(program, {"command": command, "archive": str(archive), "out": out}, rounds)
            print(name, count, found, file=sys.stderr)
            rows[name].append((count, *found))
        shutil.rmtree(out)
        archive.unlink()
    for name, found in rows.items():
        times = [spell_time(seconds) for _, seconds, _ in found]
        each = " : ".join(f"{seconds / count * 1e6:.2f}" for count, seconds, _ in found)
        memory = " : ".join(f"{memory / 2**20:.1f}" for _, _, memory in found)
        met = "yes" if found[-1][2] <= 64 * 2**20 else "no"
        cells = times + [""] * (len([count for count in ENTRIES if count <= most]) - len(times))
        print(f"| `{name}` | " + " | ".join(cells) + f" | {each} | {memory} MiB | {met} |")
    print("\n| model | " + " | ".join(f"`{name}` | memory" for name in OF_MODELS) + " |")
    print("|---|" + "--:|--:|" * len(OF_MODELS))
    for size in SIZES:
        model = folder / "model.psa"
        with open(model, "wb") as file:
            for part in animation(size):
                file.write(part)
        cells = []
        for name, command in OF_MODELS.items():
            seconds, memory = measure(program, {"command": command, "model": str(model), "out": out}, 9)
            cells += [spell_time(seconds), f"{memory / 2**20:.1f} MiB"]
        print(f"| {size:,} bytes | " + " | ".join(cells) + " |")
        model.unlink()
    shutil.rmtree(out)


# The chart: panels one above the other, with both axes logarithmic.
WIDTH, PANEL, LEFT, RIGHT, TOP, GAP = 860, 200, 80, 690, 62, 84
COLOURS = ["#0969da", "#cf222e", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#57606a"]


def seconds_of(text):
    number, unit = text.split()
    return float(number) / {"s": 1, "ms": 1e3}[unit]


def series(text):
    """For each panel: its title, by the name of a command the points, and the units of both axes."""
    found = list(tables(text))
    heading, rows = next(table for table in found if table[0][-1] == "under 64 MiB")
    counts = [int(cell.split()[0].replace(",", "")) for cell in heading if cell.endswith(" entries")]
    times, memories = {}, {}
    for name, *cells in rows:
        times[name] = [(count, seconds_of(cell)) for count, cell in zip(counts, cells) if cell]
        memories[name] = list(zip(counts, (float(cell) for cell in cells[len(counts) + 1].split(" MiB")[0].split(" : "))))
    heading, rows = next(table for table in found if table[0][0] == "model")
    names = heading[1::2]
    sizes = [int(row[0].split()[0].replace(",", "")) for row in rows]
    models = {name: [(size, seconds_of(row[1 + 2 * at])) for size, row in zip(sizes, rows)] for at, name in enumerate(names)}
    for_each = lambda lines, unit: {name: [(count, value * unit / count) for count, value in line] for name, line in lines.items()}
    return [
        ("Microseconds for each entry of an archive", for_each(times, 1e6), "entries", "µs"),
        ("Bytes of memory beyond the map for each entry", for_each(memories, 2**20), "entries", "B"),
        ("Memory beyond the map for an archive", memories, "entries", "MiB"),
        ("Seconds for one animation, by its bytes", models, "bytes", "s"),
    ]


def panel(title, lines, unit, top):
    points = [point for line in lines.values() for point in line]
    lows = [min(axis) for axis in zip(*points)]
    highs = [max(axis) for axis in zip(*points)]
    first, last = (math.floor(math.log10(max(low, 1e-6))) for low in lows), (math.ceil(math.log10(high)) for high in highs)
    (x0, y0), (x1, y1) = list(first), list(last)
    x = lambda value: LEFT + (RIGHT - LEFT) * (math.log10(value) - x0) / max(x1 - x0, 1)
    y = lambda value: top + PANEL * (1 - (math.log10(max(value, 10**y0)) - y0) / max(y1 - y0, 1))
    out = [f'  <text class="title" x="20" y="{top - 24}">{title}</text>']
    for power in range(x0, x1 + 1):
        at = x(10**power)
        out.append(f'  <line class="grid" x1="{at:.1f}" y1="{top}" x2="{at:.1f}" y2="{top + PANEL}"/>')
        out.append(f'  <text class="small" x="{at:.1f}" y="{top + PANEL + 18}" text-anchor="middle">{10**power:,} {unit[0]}</text>')
    for power in range(y0, y1 + 1):
        at = y(10.0**power)
        out.append(f'  <line class="grid" x1="{LEFT}" y1="{at:.1f}" x2="{RIGHT}" y2="{at:.1f}"/>')
        out.append(f'  <text class="small" x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10.0**power:g} {unit[1]}</text>')
    if unit[1] == "MiB" and 10**y0 < 64 < 10**y1:
        out.append(f'  <line class="one" x1="{LEFT}" y1="{y(64):.1f}" x2="{RIGHT}" y2="{y(64):.1f}"/>')
        out.append(f'  <text class="small" x="{LEFT + 6}" y="{y(64) - 5:.1f}">64 MiB</text>')
    # The names of lines that end close to each other are moved apart.
    ends = sorted((y(line[-1][1]), name) for name, line in lines.items())
    for at in range(1, len(ends)):
        ends[at] = (max(ends[at][0], ends[at - 1][0] + 15), ends[at][1])
    places = {name: place for place, name in ends}
    for colour, (name, line) in zip(COLOURS, lines.items()):
        path = " ".join(f"{x(count):.1f},{y(value):.1f}" for count, value in line)
        out.append(f'  <polyline points="{path}" style="fill: none; stroke: {colour}; stroke-width: 2.5"/>')
        out += [f'  <circle cx="{x(count):.1f}" cy="{y(value):.1f}" r="4" style="fill: {colour}"/>' for count, value in line]
        out.append(f'  <text x="{RIGHT + 12}" y="{places[name] + 4:.1f}" style="fill: {colour}">{plain(name)}</text>')
    return out


def draw(text):
    panels = series(text)
    height = TOP + len(panels) * (PANEL + GAP)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        "  <title>How time and memory grow with the entries of an archive and the bytes of a model</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>',
    ]
    for at, (title, lines, across, up) in enumerate(panels):
        out += panel(title, lines, (across, up), TOP + at * (PANEL + GAP))
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, help="measure; large files are written here, and removed")
    parser.add_argument("--program", default=str(FOLDER.parent / "target/release/skelmap"))
    parser.add_argument("--most", type=int, default=10**6, help="the most entries")
    arguments = parser.parse_args()
    if arguments.folder:
        measure_all(arguments.program, arguments.folder, arguments.most)
    else:
        (FOLDER / "growth.svg").write_text(draw((FOLDER / "README.md").read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
