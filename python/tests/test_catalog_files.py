"""A file of rows is complete or absent, whatever ends the process, and one that is there is left alone."""

from __future__ import annotations

import csv
import json
import os
import signal
import stat
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import skelmap
from support import CORPUS, TEST_CORPUS, command, on_linux, run_python

pl: Any = import_module("polars")
parquet: Any = import_module("pyarrow.parquet")
pa: Any = import_module("pyarrow")

FORMATS = ["parquet", "csv", "jsonl"]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file, by a reader of another project."""
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        return rows
    with path.open(newline="") as file:
        return list(csv.DictReader(file)) if path.suffix == ".csv" else [json.loads(line) for line in file]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("options", [{}, {"per": "sequence"}, {"extent": True, "content_hash": True}, {"shard": (2, 3)}], ids=str)
def test_the_file_is_that_of_the_command(tmp_path: Path, format: str, options: dict[str, Any]) -> None:
    own, other = tmp_path / f"own.{format}", tmp_path / f"other.{format}"
    written = skelmap.catalog_to(own, [CORPUS, TEST_CORPUS], **options)
    # A program gets all files; people ask for those that are hidden.
    flags = ["--hidden", "--no-ignore", "--follow"]
    flags += [flag for key, value in options.items() for flag in _flag(key, value)]
    assert command("catalog", CORPUS, TEST_CORPUS, "-o", other, *flags).returncode in (0, 1)
    if format == "parquet":
        assert parquet.read_table(own).equals(parquet.read_table(other))
    else:
        assert own.read_bytes() == other.read_bytes()
    table = skelmap.catalog([CORPUS, TEST_CORPUS], **options)
    assert written == skelmap.Written(True, table.assets, len(table), table.bad)
    assert len(rows_of(own)) == len(table) > 0
    assert names_in(tmp_path) == [other.name, own.name]


def _flag(key: str, value: Any) -> list[str]:
    name = "--" + key.replace("_", "-")
    return [name] if value is True else [name, value if isinstance(value, str) else "{}/{}".format(*value)]


@pytest.mark.parametrize("format", FORMATS)
def test_a_table_in_memory_and_a_file_have_the_same_rows(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"a.{format}"
    skelmap.catalog_to(path, CORPUS)
    expected = pa.table(skelmap.catalog(CORPUS))
    if format == "parquet":
        found = parquet.read_table(path)
        assert found.select(expected.column_names).cast(expected.schema).equals(expected)
    else:
        assert [str(row["path"]) for row in rows_of(path)] == expected["path"].to_pylist()


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_that_is_there_is_left_alone(tmp_path: Path, format: str) -> None:
    path = tmp_path / f"a.{format}"
    assert skelmap.catalog_to(path, CORPUS).is_new
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino
    calls: list[int] = []
    again = skelmap.catalog_to(path, TEST_CORPUS, progress=lambda done, total: calls.append(done))
    assert again == skelmap.Written(False, 0, 0, 0)
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before
    assert calls == []
    assert names_in(tmp_path) == [path.name]


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "text.csv").write_text("mine")
    (tmp_path / "link.csv").symlink_to(tmp_path / "text.csv")
    for name in ("text.csv", "link.csv"):
        assert not skelmap.catalog_to(tmp_path / name, CORPUS).is_new
    assert (tmp_path / "text.csv").read_text() == "mine"


def test_what_is_no_file_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "none")
    for name in ("folder.csv", "link.csv"):
        with pytest.raises(OSError, match="not a regular file"):
            skelmap.catalog_to(tmp_path / name, CORPUS)
    assert names_in(tmp_path) == ["folder.csv", "link.csv"]


@pytest.mark.parametrize("name", ["a", "a.txt", "a.csv.gz", "parquet", ".csv"])
def test_a_name_of_another_format_is_a_value_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="parquet"):
        skelmap.catalog_to(tmp_path / name, CORPUS)
    assert names_in(tmp_path) == []


def test_a_file_in_the_place_of_the_folder_is_an_error_with_the_name_of_the_output(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    path = tmp_path / "file" / "a.csv"
    with pytest.raises(NotADirectoryError) as caught:
        skelmap.catalog_to(path, CORPUS)
    assert caught.value.filename == str(path)
    assert names_in(tmp_path) == ["file"]


@pytest.mark.parametrize("options", [{"shard": (3, 2)}, {"per": "bone"}, {"mode": "fast"}, {"jobs": 0}, {"gsa_layout": "x"}], ids=str)
def test_a_wrong_option_leaves_no_file(tmp_path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        skelmap.catalog_to(tmp_path / "a.csv", CORPUS, **options)
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_permissions_are_those_of_any_new_file(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        skelmap.catalog_to(tmp_path / "a.parquet", CORPUS)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.parquet").stat().st_mode) == 0o666 & ~mask


def test_of_many_processes_one_writes_the_file(tmp_path: Path) -> None:
    code = "import skelmap, sys; print(int(skelmap.catalog_to(sys.argv[1], [sys.argv[2]] * 5_000, extent=True).is_new))"
    line = [sys.executable, "-c", code, str(tmp_path / "a.jsonl"), str(CORPUS / "fox.psk")]
    processes = [subprocess.Popen(line, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    told = [process.communicate(timeout=60)[0].strip() for process in processes]
    assert sorted(told) == ["0", "0", "0", "1"]
    assert len(rows_of(tmp_path / "a.jsonl")) == 5_000
    assert names_in(tmp_path) == ["a.jsonl"]


WRITE = """
import skelmap, sys
print("begin", flush=True)
skelmap.catalog_to(sys.argv[1], [sys.argv[2]] * int(sys.argv[3]), extent=True)
print("end", flush=True)
"""


def kill_after(seconds: float | None, path: Path, count: int) -> tuple[str, float]:
    """Kills a process that writes a file, so many seconds after it began. Returns what it said, and how long it worked."""
    line = [sys.executable, "-c", WRITE, str(path), str(CORPUS / "fox.psk"), str(count)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        begin = time.monotonic()
        if seconds is not None:
            time.sleep(seconds)
            process.kill()
        told = process.stdout.read()
    return told, time.monotonic() - begin


@on_linux
@pytest.mark.parametrize("format", FORMATS)
def test_a_process_that_is_killed_leaves_a_complete_file_or_none(tmp_path: Path, format: str) -> None:
    path, count = tmp_path / f"a.{format}", 3_000
    told, length = kill_after(None, path, count)
    assert told == "end\n"
    whole = path.read_bytes()
    path.unlink()
    states: set[bool] = set()
    for step in range(7):
        told, _ = kill_after(min(length, 0.5) * step / 5, path, count)
        states.add(path.exists())
        if path.exists():
            assert path.read_bytes() == whole
            path.unlink()
        else:
            assert told == ""
    assert False in states
    # What a killed process left beside is no obstacle.
    assert skelmap.catalog_to(path, [CORPUS / "fox.psk"] * count, extent=True).is_new
    assert path.read_bytes() == whole


@on_linux
def test_ctrl_c_leaves_neither_the_file_nor_a_part_of_it(tmp_path: Path) -> None:
    line = [sys.executable, "-c", WRITE, str(tmp_path / "a.parquet"), str(CORPUS / "fox.psk"), "300000"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begin\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        told, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    assert told == ""
    assert names_in(tmp_path) == []


def test_a_full_disk_is_an_os_error_and_leaves_nothing(tmp_path: Path) -> None:
    code = """
import resource, signal, sys, skelmap, os
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    skelmap.catalog_to(sys.argv[1], [sys.argv[2]] * 20_000)
except OSError as error:
    print(error.errno, error.filename)
print(os.listdir(os.path.dirname(sys.argv[1])))
"""
    result = run_python(code, tmp_path / "a.jsonl", CORPUS / "fox.psk")
    assert result.stdout == f"27 {tmp_path}/a.jsonl\n[]\n", result.stderr
