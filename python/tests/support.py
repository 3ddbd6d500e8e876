"""What several modules need: the lists of files, comparison with records of the naive reader, processes, addresses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import naive
import numpy as np
import numpy.typing as npt
import pytest
import skelmap

REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS = REPOSITORY / "corpus"
TEST_CORPUS = REPOSITORY / "tests" / "corpus"
SAMPLES = Path(os.environ["SKELMAP_SAMPLES"]) if os.environ.get("SKELMAP_SAMPLES") else None

Array = npt.NDArray[Any]

OF_THE_MOD = {"sound-missing", "weights-still"}
"""What the command finds in one file by the other files of the mod."""

FORMATS = {
    b"ACTRHEAD": "actorx.psk",
    b"ANIMHEAD": "actorx.psa",
    b"PSMD": "pyrogenesis.pmd",
    b"PSSA": "pyrogenesis.psa",
    b"\xcf\xd0\x09\xa8": "swat3.gsa",
    b"UEFORMAT\x07\0\0\0UEMODEL": "ueformat.uemodel",
    b"UEFORMAT\x06\0\0\0UEANIM": "ueformat.ueanim",
    b"UEFORMAT\x06\0\0\0UEPOSE": "ueformat.uepose",
}

SUFFIXES = (".psk", ".pskx", ".psa", ".pmd", ".gsa", ".uemodel", ".ueanim", ".uepose")


def to_convert() -> list[Path]:
    """The files of the two corpora, without animations of a million frames: each takes seconds with each of the meshes that it fits."""
    folders = [CORPUS, *(path for path in sorted(TEST_CORPUS.iterdir()) if path.is_dir() and path.name != "ueformat")]
    files = sorted(path for path in (TEST_CORPUS / "ueformat").rglob("*.ue*") if not path.name.startswith("frames_max"))
    return folders + files


def opened(*arguments: Any, **named: Any) -> Any:
    """An asset of any class: the tests look for attributes by their names, and give arguments that no type checker accepts."""
    return skelmap.open(*arguments, **named)


def parsed(*arguments: Any, **named: Any) -> Any:
    """As :func:`opened`, of bytes."""
    return skelmap.parse(*arguments, **named)


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="the test asks Linux about maps, leases or signals")


@cache
def manifest() -> dict[str, dict[str, Any]]:
    """What the test corpus says that a reader must say: by the name of the file. It was written by hand."""
    files: list[dict[str, Any]] = json.loads((TEST_CORPUS / "MANIFEST.json").read_text())["files"]
    return {file["file"]: file for file in files}


def format_of(path: Path) -> str | None:
    """The format that the first bytes say."""
    first = path.read_bytes()[:19]
    return next((name for magic, name in FORMATS.items() if first.startswith(magic)), None)


@cache
def good_files(format: str) -> list[Path]:
    """All files of the two corpora that a reader must accept."""
    files = [path for path in sorted(CORPUS.iterdir()) if path.suffix in SUFFIXES]
    files += [TEST_CORPUS / name for name, file in manifest().items() if "ok" in file["expect"]]
    return [path for path in files if format_of(path) == format]


@cache
def sample_files(format: str) -> list[Path]:
    """The real files of a format. Those that are damaged on purpose are in a folder of their own."""
    if SAMPLES is None:
        return []
    files = sorted(path for path in SAMPLES.rglob("*") if path.suffix in SUFFIXES)
    return [path for path in files if not {"hostile", "damaged"} & {*path.parts} and format_of(path) == format]


def each_good(format: str) -> pytest.MarkDecorator:
    """Runs a test for every good file of a format."""
    return pytest.mark.parametrize("path", good_files(format), ids=lambda path: path.relative_to(REPOSITORY).as_posix())


_KINDS = {"f": "<f4", "i": "<i4", "I": "<u4", "H": "<u2", "B": "|u1"}


def as_array(values: list[Any], kind: str) -> Array:
    """Values of the naive reader as the array that a program expects."""
    if kind.endswith("s"):
        return np.array(values, dtype=f"S{kind[:-1]}")
    width, kind = kind[:-1], kind[-1]
    return np.array(values, dtype=_KINDS[kind]).reshape((len(values), int(width)) if width else (len(values),))


def assert_same(actual: Array, expected: Array, about: object = "") -> None:
    """Equal shapes, types and values; -0 is not 0, and NaN is NaN."""
    np.testing.assert_array_equal(actual, expected, err_msg=str(about), strict=True)
    if expected.dtype.kind == "f":
        there = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(actual[there]), np.signbit(expected[there]), err_msg=str(about))


def assert_records(actual: Array, rows: naive.Rows, about: object = "") -> None:
    """Every field of every record is what the naive reader read, and lies where that reader read it."""
    assert actual.dtype.names == tuple(name for name, _ in rows.spec), about
    assert actual.dtype.itemsize == naive.size_of(rows.spec), about
    for name, kind in rows.spec:
        assert_same(actual[name], as_array(rows[name], kind), (about, name))


def has_header_alone(row: dict[str, Any]) -> bool:
    """Whether a row has only what the header of a compressed file says: its counts are empty, and its quirk says so."""
    is_packed = "compressed" in row["quirks"]
    assert not is_packed or all(row[name] is None for name in ("bones", "points", "faces", "sequences", "frames"))
    return is_packed


def public_names(thing: Any) -> list[str]:
    """The names of what an object has for programs."""
    return [name for name in dir(thing.__class__) if not name.startswith("_")]


def address(array: Array) -> int:
    """Where the first byte of an array is in the memory of the process."""
    place: int = array.__array_interface__["data"][0]
    return place


def maps_of(path: Path) -> list[tuple[int, int]]:
    """The parts of the memory of this process that are maps of a file, as Linux lists them."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    found = [re.match(r"([0-9a-f]+)-([0-9a-f]+) .* (/.*)$", line) for line in lines]
    places = [(int(one[1], 16), int(one[2], 16)) for one in found if one and one[3] == str(path.resolve())]
    return places


def lies_in(array: Array, path: Path) -> bool:
    """Whether all bytes of an array lie in a map of a file."""
    # NumPy 1 has the function elsewhere.
    byte_bounds: Any = getattr(np, "byte_bounds", None) or np.lib.array_utils.byte_bounds
    low, high = byte_bounds(array)
    return any(begin <= low and high <= end for begin, end in maps_of(path))


def command(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs the command in a process of its own."""
    line = [sys.executable, "-m", "skelmap", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, cwd=cwd, timeout=60, check=False)


def run_python(code: str, *arguments: str | Path, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs a program in a process of its own."""
    line = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=timeout, check=False)
