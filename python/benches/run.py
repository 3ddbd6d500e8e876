"""Measures the Python package against what one would use without it, and prints a table in Markdown.

    python benches/run.py --samples DIR [--archive public.zip] [--json benches/results.json]

DIR has real files: ActorX animations in `actorx` and Pyrogenesis animations in `pyrogenesis`, in any folders. The sides of a row take
turns, round after round. A time is the median over the rounds, for one call. The ratio is the median of the ratios of the rounds, with
quartiles. The garbage collector is on, as in every program.

Needs NumPy and the package. What else a row needs (`psk_psa_py`, Polars, the archive) is optional: a note says which rows are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
import skelmap
from by_hand import SamplerByHand, keys_by_hand, keys_of_bytes, sample_plainly
from measure import HEADING, Side, Table, spell_size

MODES: tuple[skelmap.Mode, ...] = ("read", "map", "lease") if sys.platform == "linux" else ("read", "map")

PSK_PSA_PY = "0.0.4"
"""The version of `psk_psa_py` that the goal names."""


def actorx_animations(samples: Path) -> list[Path]:
    """The different animations of Unreal in a folder that have keys, and that a walk over the chunks reads."""
    found = {}
    for path in sorted(samples.rglob("*.psa")):
        with suppress(skelmap.FormatError, ValueError, struct.error):
            animation = skelmap.open(path)
            if isinstance(animation, skelmap.actorx.Psa) and animation.keys.size and len(keys_by_hand(path)) == len(animation.keys):
                found.setdefault(path.read_bytes(), path)
    if not found:
        raise SystemExit(f"{samples}: no animations of ActorX")
    return list(found.values())


def opens(table: Table, paths: list[Path]) -> None:
    """Opens many files, all different, and gets all keys of each."""

    def by_package(mode: skelmap.Mode) -> int:
        return sum(len(skelmap.open(path, mode).keys) for path in paths)

    def by_hand() -> int:
        return sum(len(keys_of_bytes(path)) for path in paths)

    assert by_package("read") == by_package("map") == by_hand()
    what = f"open {len(paths)} PSAs and get all keys"
    names: dict[str, str] = {mode: f"{what}, `{mode}`" for mode in MODES}
    sides: dict[str, Side] = {mode: lambda mode=mode: by_package(mode) for mode in MODES}  # type: ignore[misc]
    sides["`struct` and `np.frombuffer` by hand"] = by_hand
    table.add(names, sides, target=1, rounds=101)
    table.note(f"The {len(paths)} files are different real files ({spell_size(sum(map(os.path.getsize, paths)))} together).")
    try:
        if metadata.version("psk_psa_py") != PSK_PSA_PY:
            table.note(f"`psk_psa_py` is of another version than {PSK_PSA_PY}.")
        reader: Any = import_module("psk_psa_py.psa.reader")
    except ImportError:
        table.note("Without the package `psk_psa_py`, there are no rows of it.")
        return

    def by_reference() -> int:
        total = 0
        for path in paths:
            with path.open("rb") as file:
                total += len(reader.read_psa(file).keys)
        return total

    assert by_reference() == by_hand()
    del sides["`struct` and `np.frombuffer` by hand"]
    sides[f"psk_psa_py {PSK_PSA_PY}"] = by_reference
    table.add(names, sides, target=20, charts={"read": what}, rounds=15)


def repeated(path: Path, times: int, folder: Path) -> Path:
    """A copy of an animation with the keys of its only sequence so many times."""
    content, animation = path.read_bytes(), skelmap.open(path)
    infos, keys = animation.infos, animation.keys
    start = keys.ctypes.data - animation.data.ctypes.data
    head = bytearray(content[:start])
    struct.pack_into("<i", head, infos.ctypes.data - animation.data.ctypes.data + 164, int(infos[0]["raw_frame_count"]) * times)
    struct.pack_into("<i", head, start - 4, len(keys) * times)
    target = folder / f"{times}.psa"
    with target.open("wb") as file:
        file.write(head)
        for _ in range(times):
            file.write(content[start : start + keys.nbytes])
    return target


def by_size(paths: list[Path], folder: Path) -> list[Path]:
    """Files of growing size: real ones of about 14 kB to 1.1 MB, then the largest with its keys repeated."""
    single = [path for path in paths if len(skelmap.open(path)) == 1]
    size = os.path.getsize
    chosen = [min(single, key=lambda path: abs(size(path) - wanted)) for wanted in (14_000, 108_000, 393_000)]
    largest = max(single, key=size)
    each = skelmap.open(largest).keys.nbytes
    made = [repeated(largest, round(wanted / each), folder) for wanted in (4_300_000, 256_000_000)]
    return sorted({*chosen, largest}, key=size) + made


def views(table: Table, files: list[Path]) -> None:
    """Opens a file and gets its keys."""
    for path in files:
        size = os.path.getsize(path)
        assert np.array_equal(skelmap.open(path).keys.view("u1"), keys_by_hand(path).view("u1"))
        sides: dict[str, Side] = {mode: lambda mode=mode, path=path: skelmap.open(path, mode).keys for mode in MODES}  # type: ignore[misc]
        sides["`np.fromfile`, a dtype by hand"] = lambda path=path: keys_by_hand(path)  # type: ignore[misc]
        names: dict[str, str] = {mode: f"open and view {spell_size(size)}, `{mode}`" for mode in MODES}
        # Short turns: what the machine does besides changes within milliseconds.
        rounds = 201 if size < 10_000_000 else 21
        charted = ("read",) if size < 1_000_000 else MODES[:2]
        charts: dict[str, str] = {mode: f"open {spell_size(size)} and view its keys, {mode}" for mode in charted if size >= 100_000}
        table.add(names, sides, target=1 if size >= 100_000 else None, charts=charts, rounds=rounds, least=0.001)


def sums(table: Table, files: list[Path]) -> None:
    """Sums all keys in the memory of the file, and in a copy."""
    for path in [file for file in files if os.path.getsize(file) > 1_000_000]:
        shown = spell_size(os.path.getsize(path))
        for mode in MODES[:2]:
            keys = skelmap.open(path, mode).keys
            floats, copied = keys.view("<f4"), np.array(keys).view("<f4")
            assert np.shares_memory(floats, keys)
            assert np.array_equal(floats, copied, equal_nan=True)
            sides: dict[str, Side] = {mode: floats.sum, "a copied array": copied.sum}
            charts = {"read": f"sum {shown} of keys"}
            table.add(f"sum all keys of {shown}, `{mode}`", sides, target=0.9, charts=charts, rounds=101, least=0.001)
    path = next(file for file in files if os.path.getsize(file) > 1_000_000)
    shown = spell_size(os.path.getsize(path))
    keys = skelmap.open(path).keys
    for field in ("rotation", "translation"):
        view, packed = keys[field], np.ascontiguousarray(keys[field])
        assert np.shares_memory(view, keys)
        sides = {"view": lambda view=view: view.sum(axis=0), "a packed copy of the field": lambda packed=packed: packed.sum(axis=0)}  # type: ignore[misc]
        table.add(f"sum each component of {field}, {shown}", sides, target=0.9, rounds=101, least=0.001)
    view, packed = keys["rotation"], np.ascontiguousarray(keys["rotation"])
    sides = {"view": view.sum, "a packed copy of the field": packed.sum}
    table.add(f"sum all components of rotation in one number, {shown}", sides, rounds=101, least=0.001)
    table.note(
        "All components of one field in one number: NumPy adds four numbers at a time where records lie between, and takes a packed copy "
        "as one row. To make this copy takes as long as the sum over the view. `np.ones(n, np.float32) @ keys[field]` is fast over both."
    )


def samples_of_poses(table: Table, samples: Path) -> None:
    """Samples 1,000 poses of 58 bones at random times."""
    found = animations_with(58, samples)
    sequence = next(found, None)
    if sequence is None:
        table.note("Without an animation of 58 bones in a folder `pyrogenesis`, there are no rows of poses.")
        return
    rate = sequence.rate
    assert rate is not None
    times = np.random.default_rng(58).uniform(0, (sequence.frame_count - 1) / rate, 1000)
    keys = np.array(sequence.keys)
    by_hand = SamplerByHand(keys, rate)
    poses = sequence.sample(times)
    np.testing.assert_allclose(poses, by_hand.sample(times), rtol=0, atol=1e-6)
    np.testing.assert_allclose(poses, sample_plainly(keys, rate, times), rtol=0, atol=1e-6)
    out = np.empty_like(poses)
    assert np.array_equal(sequence.sample(times, out=out), poses)
    what = "sample 1,000 poses of 58 bones"
    plain: Side = lambda: sample_plainly(keys, rate, times)  # noqa: E731
    sides: dict[str, Side] = {"new": lambda: sequence.sample(times), "NumPy, a step a line": plain}
    table.add(what, sides, target=20, charts={"new": what}, rounds=101, least=0.001)
    sides = {
        "new": lambda: sequence.sample(times),
        "out": lambda: sequence.sample(times, out=out),
        "NumPy, tuned": lambda: by_hand.sample(times),
    }
    table.add({"new": what, "out": f"{what}, `out=`"}, sides, target=20, charts={"new": what}, rounds=101, least=0.001)
    table.note(
        "The poses by NumPy: a step of the formula a line, over (1000, 58, 4); and tuned, component by component and 256 times at once, so "
        "that the cache has room. All give the same values."
    )


def animations_with(bones: int, samples: Path) -> Iterator[skelmap.Sequence]:
    """The sequences of Pyrogenesis animations with so many bones, the longest ones first."""
    for path in sorted(samples.joinpath("pyrogenesis").rglob("*.psa"), key=os.path.getsize, reverse=True):
        try:
            animation = skelmap.open(path)
        except skelmap.FormatError:
            continue
        if animation.format == "pyrogenesis.psa" and animation[0].track_count == bones:
            yield animation[0]


def command() -> list[str]:
    """The command: the native one where it is built, else the script of the package."""
    built = Path(__file__).resolve().parents[2] / "target" / "release" / "skelmap"
    script = Path(sys.executable).with_name("skelmap")
    if built.exists():
        return [str(built)]
    return [str(script)] if script.exists() else [sys.executable, "-m", "skelmap"]


def catalogues(table: Table, archive: Path | None, folder: Path) -> None:
    """A table of all models of an archive."""
    if archive is None:
        table.note("Without `--archive`, there is no row of a catalogue.")
        return
    try:
        polars: Any = import_module("polars")
    except ImportError:
        table.note("Without the package `polars`, there is no row of a catalogue.")
        return
    parquet, program = folder / "models.parquet", command()

    def by_package() -> Any:
        return polars.DataFrame(skelmap.catalog(archive))

    def by_command() -> Any:
        subprocess.run([*program, "catalog", str(archive), "-o", str(parquet)], check=True, stderr=subprocess.DEVNULL)
        frame = polars.read_parquet(parquet)
        parquet.unlink()
        return frame

    rows = by_package()
    assert rows.equals(by_command())
    reference = "the command's Parquet, read by Polars"
    what = f"catalogue of {len(rows):,} models to Polars"
    table.add(what, {"package": by_package, reference: by_command}, target=1, charts={"package": what}, rounds=21)
    native = program[0].endswith(os.path.join("release", "skelmap"))
    table.note("The command is the native one." if native else "The command is the script that comes with the package.")


def copies(files: list[Path]) -> int:
    """The number of copies of key data between the bytes of the file and the arrays: 0, or the assertion fails."""
    for path in files:
        for mode in MODES:
            animation = skelmap.open(path, mode)
            first = animation.data.ctypes.data
            last = first + animation.nbytes
            sequence = animation[0]
            arrays = [animation.keys, sequence.keys, sequence.keys["rotation"], sequence.track(0)["translation"]]
            for array in arrays:
                low, high = np.lib.array_utils.byte_bounds(array)
                assert first <= low <= high <= last
                assert not array.flags.owndata
                assert not array.flags.writeable
            assert arrays[0].tobytes() == path.read_bytes()[arrays[0].ctypes.data - first :][: arrays[0].nbytes]
            if mode == "map" and sys.platform == "linux":
                assert lies_in_map(first, path), "the bytes are those of the page cache"
    return 0


def lies_in_map(address: int, path: Path) -> bool:
    """Whether an address lies in a map of a file."""
    for mapped in Path("/proc/self/maps").read_text().splitlines():
        bounds, *_, name = mapped.split(maxsplit=5)
        first, last = (int(bound, 16) for bound in bounds.split("-"))
        if first <= address < last:
            return Path(name) == path.resolve()
    return False


def machine() -> dict[str, str]:
    """What was measured with, and where."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = (text.partition(":")[2].strip() for text in info.read_text().splitlines() if text.startswith("model name"))
        processor = next(models, processor)
    return {
        "processor": processor,
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "NumPy": np.__version__,
        "skelmap": skelmap.__version__,
        "date": date.today().isoformat(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    samples = os.environ.get("SKELMAP_SAMPLES")
    archive = os.environ.get("SKELMAP_ARCHIVE")
    parser.add_argument("--samples", type=Path, default=samples, help="a folder of real files; SKELMAP_SAMPLES by default")
    parser.add_argument("--archive", type=Path, default=archive, help="an archive with many models; SKELMAP_ARCHIVE by default")
    parser.add_argument("--json", type=Path, help="where to write the figures, for chart.py")
    parser.add_argument("--only", nargs="*", choices=["opens", "views", "sums", "poses", "catalog", "copies"], help="some of the rows")
    arguments = parser.parse_args()
    if arguments.samples is None:
        parser.error("--samples or SKELMAP_SAMPLES is needed: a folder with real files")
    wanted = set(arguments.only or ["opens", "views", "sums", "poses", "catalog", "copies"])

    table = Table()
    about = machine()
    print(", ".join(f"{name}: {value}" for name, value in about.items()), end="\n\n")
    print(HEADING)
    with tempfile.TemporaryDirectory(prefix="skelmap-bench-") as name:
        folder = Path(name)
        paths = actorx_animations(arguments.samples)
        if "opens" in wanted:
            opens(table, paths)
        files = by_size(paths, folder)
        if "views" in wanted:
            views(table, files)
        if "sums" in wanted:
            sums(table, files)
        if "poses" in wanted:
            samples_of_poses(table, arguments.samples)
        if "catalog" in wanted:
            catalogues(table, arguments.archive, folder)
        if "copies" in wanted:
            print(f"| copies of key data on the way, of {len(files)} files | {copies(files)} | | | | 0 | yes |")
    print("\n" + "\n".join(f"* {note}" for note in table.notes))
    if arguments.json:
        found = {"machine": about, "rows": [asdict(row) for row in table.rows], "notes": table.notes}
        arguments.json.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
