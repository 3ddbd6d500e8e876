"""Checks and conversions that are repeated: what is done is kept, what was killed is done again, what cannot be read is said."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import skelmap
from support import CORPUS, OF_THE_MOD, TEST_CORPUS, command, on_linux, to_convert

parquet: Any = import_module("pyarrow.parquet")


def files_in(folder: Path) -> dict[str, bytes]:
    """All outputs, without the record of what was made of what."""
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".skelmap-convert"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def findings_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file, by a reader of another project."""
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
        return [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def without_mods(printed: str, format: str) -> tuple[list[Any], int]:
    """What the command prints, without what it finds in a file by the other files of the mod; and the number of such findings."""
    if format == "csv":
        lines = printed.splitlines()
        kept = [line for line in lines if not any(f",{code}," in line for code in OF_THE_MOD)]
        return kept, len(lines) - len(kept)
    rows, count = [json.loads(line) for line in printed.splitlines()], 0
    for row in rows:
        own = [finding for finding in row["findings"] if finding["code"] not in OF_THE_MOD]
        count += len(row["findings"]) - len(own)
        row["findings"] = own
    return rows, count


@pytest.mark.parametrize("level", ["note", "warning", "error"])
def test_the_findings_are_those_that_the_command_prints(tmp_path: Path, level: Any) -> None:
    for format in ("csv", "jsonl"):
        checked = skelmap.check_to(tmp_path / f"own.{format}", [CORPUS, TEST_CORPUS], level=level)
        printed = command("check", "--level", level, "--format", format, CORPUS, TEST_CORPUS)
        own = (tmp_path / f"own.{format}").read_text()
        expected, of_mods = without_mods(printed.stdout, format)
        assert without_mods(own, format) == (expected, 0)
        assert of_mods or own == printed.stdout
        last = printed.stderr.splitlines()[-1]
        numbers = [int(word) for word in last.replace(",", "").split() if word.isdigit()]
        assert [checked.assets, checked.findings + of_mods, checked.bad] == numbers, last
    skelmap.check_to(tmp_path / "own.parquet", [CORPUS, TEST_CORPUS], level=level)
    assert findings_of(tmp_path / "own.parquet") == findings_of(tmp_path / "own.csv") != []


def test_the_shards_of_a_check_have_every_finding_once(tmp_path: Path) -> None:
    skelmap.check_to(tmp_path / "all.csv", TEST_CORPUS, level="note")
    parts = [tmp_path / f"{index}.csv" for index in range(1, 4)]
    counts = [skelmap.check_to(path, TEST_CORPUS, level="note", shard=(index, 3)) for index, path in enumerate(parts, 1)]
    assert [row for path in parts for row in findings_of(path)] == findings_of(tmp_path / "all.csv")
    assert all(count.assets > 0 for count in counts)


def test_findings_that_are_there_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    assert skelmap.check_to(path, CORPUS).is_new
    before = path.read_bytes(), path.stat().st_ino
    assert skelmap.check_to(path, TEST_CORPUS) == skelmap.Checked(False, 0, 0, 0)
    assert (path.read_bytes(), path.stat().st_ino) == before
    assert os.listdir(tmp_path) == ["a.csv"]


@pytest.mark.parametrize("to", ["glb", "gltf", "obj"])
@pytest.mark.parametrize("options", [{}, {"textures": False, "yaw": 90.0, "metres": 1.0, "attachments": False, "loops": True}], ids=str)
def test_the_outputs_are_those_of_the_command(tmp_path: Path, to: Any, options: dict[str, Any]) -> None:
    flags = ["--no-textures", "--yaw=90", "--scale=1", "--no-attachments", "--loop"] if options else []
    converted = skelmap.convert_to(tmp_path / "own", CORPUS, to=to, **options)
    assert command("convert", CORPUS, "-o", tmp_path / "other", "--to", to, *flags).returncode in (0, 1)
    assert files_in(tmp_path / "own") == files_in(tmp_path / "other") != {}
    names = [name for name in files_in(tmp_path / "own") if name.endswith(to)]
    assert converted.written == len(names)


def test_animations_that_belong_to_no_mesh_are_named(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    # Bones of these files have no names, and two meshes have as many.
    for name, source in (("one.pmd", "fox.pmd"), ("two.pmd", "fox.pmd"), ("zebra.psa", "fox_walk.psa")):
        (tmp_path / "in" / name).write_bytes((CORPUS / source).read_bytes())
    done = skelmap.convert_to(tmp_path / "out", tmp_path / "in")
    assert (done.written, done.failures) == (2, ())
    assert done.unused == (str(tmp_path / "in" / "zebra.psa"),)


def test_named_animations_and_sequences_are_those_of_the_command(tmp_path: Path) -> None:
    of = {"animations": CORPUS / "fox.psa", "sequences": ["walk"], "each_clip": True}
    skelmap.convert_to(tmp_path / "own", CORPUS / "fox.psk", **of)  # type: ignore[arg-type]
    named = ("--anim", CORPUS / "fox.psa", "--sequence", "walk", "--each-clip")
    assert command("convert", CORPUS / "fox.psk", *named, "-o", tmp_path / "other").returncode == 0
    assert list(files_in(tmp_path / "own")) == ["fox@walk.glb"]
    assert files_in(tmp_path / "own") == files_in(tmp_path / "other")


def test_a_conversion_is_kept_until_its_files_or_its_options_change(tmp_path: Path) -> None:
    mesh = tmp_path / "fox.psk"
    mesh.write_bytes((CORPUS / "fox.psk").read_bytes())
    done = [skelmap.convert_to(tmp_path / "out", mesh) for _ in range(2)]
    assert [(one.written, one.kept) for one in done] == [(1, 0), (0, 1)]
    assert skelmap.convert_to(tmp_path / "out", mesh, yaw=90.0).written == 1
    os.utime(mesh, (1, 1))
    assert skelmap.convert_to(tmp_path / "out", mesh, yaw=90.0).written == 1
    # What another program has put in the place of an output is no output.
    (tmp_path / "out" / "fox.glb").write_bytes(b"mine")
    assert skelmap.convert_to(tmp_path / "out", mesh, yaw=90.0).written == 1
    # The command goes on where the call ended.
    resumed = command("convert", mesh, "-o", tmp_path / "out", "--yaw", "90", "--resume", "--format", "jsonl")
    assert json.loads(resumed.stdout)["status"] == "kept"


def test_the_shards_of_a_conversion_share_a_folder(tmp_path: Path) -> None:
    skelmap.convert_to(tmp_path / "whole", CORPUS)
    done = [skelmap.convert_to(tmp_path / "parts", CORPUS, shard=(index, 3)) for index in (3, 1, 2, 2)]
    assert files_in(tmp_path / "parts") == files_in(tmp_path / "whole")
    assert sum(one.written for one in done) == len(files_in(tmp_path / "whole"))
    assert done[3].written == 0
    assert skelmap.convert_to(tmp_path / "parts", CORPUS).written == 0


def test_an_output_that_cannot_be_made_is_listed_and_tried_again(tmp_path: Path) -> None:
    damaged = tmp_path / "in" / "fox.psk"
    damaged.parent.mkdir()
    damaged.write_bytes((CORPUS / "fox.psk").read_bytes()[:200])
    done = skelmap.convert_to(tmp_path / "out", tmp_path / "in")
    assert (done.written, done.kept, len(done.failures)) == (0, 0, 1)
    assert done.failures[0].startswith(str(damaged))
    damaged.write_bytes((CORPUS / "fox.psk").read_bytes())
    assert skelmap.convert_to(tmp_path / "out", tmp_path / "in").written == 1


def test_nothing_is_printed(tmp_path: Path) -> None:
    code = """
import skelmap, sys
skelmap.convert_to(sys.argv[1] + "/out", sys.argv[2:])
skelmap.check_to(sys.argv[1] + "/a.csv", sys.argv[2:])
"""
    line = [sys.executable, "-c", code, str(tmp_path), *map(str, to_convert()), str(tmp_path / "none.psk")]
    result = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("call", "options"),
    [
        (skelmap.convert_to, {"to": "fbx"}),
        (skelmap.convert_to, {"influences": 5}),
        (skelmap.convert_to, {"up": "w"}),
        (skelmap.convert_to, {"metres": -1.0}),
        (skelmap.convert_to, {"colors": "red"}),
        (skelmap.convert_to, {"shard": (2, 1)}),
        (skelmap.convert_to, {"unreadable": "skip"}),
        (skelmap.check_to, {"level": "all"}),
        (skelmap.check_to, {"shard": (0, 1)}),
        (skelmap.check_to, {"unreadable": "skip"}),
        (skelmap.catalog_to, {"unreadable": "skip"}),
    ],
    ids=str,
)
def test_a_wrong_option_is_a_value_error_and_leaves_nothing(tmp_path: Path, call: Any, options: dict[str, Any]) -> None:
    output = tmp_path / ("out" if call is skelmap.convert_to else "a.csv")
    with pytest.raises(ValueError, match=r"\w"):
        call(output, CORPUS, **options)
    assert os.listdir(tmp_path) == []


def test_an_unknown_option_is_a_type_error(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="colours"):
        skelmap.convert_to(tmp_path, CORPUS, colours="none")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    with pytest.raises(TypeError, match="yaw"):
        skelmap.convert_to(tmp_path, CORPUS, yaw="90")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.jsonl"])
def test_a_file_that_cannot_be_read_is_an_exception_if_the_program_says_so(tmp_path: Path, name: str) -> None:
    paths = [CORPUS, tmp_path / "none.psk"]
    for call in (skelmap.catalog_to, skelmap.check_to):
        with pytest.raises(FileNotFoundError, match=r"none\.psk"):
            call(tmp_path / name, paths, unreadable="raise")
    with pytest.raises(FileNotFoundError, match=r"none\.psk"):
        skelmap.catalog(paths, unreadable="raise")
    with pytest.raises(OSError, match=r"none\.psk"):
        skelmap.convert_to(tmp_path / "out", paths, unreadable="raise")
    assert os.listdir(tmp_path) == []
    # Damaged data is a result.
    assert skelmap.catalog_to(tmp_path / name, TEST_CORPUS, unreadable="raise").bad > 0
    assert skelmap.catalog(paths).bad == 1


KILLED = """
import skelmap, sys
print("begin", flush=True)
call = getattr(skelmap, sys.argv[1])
call(sys.argv[2], sys.argv[3:], jobs=1)
"""


@on_linux
@pytest.mark.parametrize("call", ["check_to", "convert_to"])
def test_a_process_that_is_killed_again_and_again_comes_to_the_end(tmp_path: Path, call: str) -> None:
    """Each process works a bit longer than the one before. What is complete is what a process that was never killed makes."""
    inputs = tmp_path / "in"
    inputs.mkdir()
    for index in range(300):
        (inputs / f"{index:03}.psk").write_bytes((CORPUS / "fox.psk").read_bytes())
    whole, output = (tmp_path / f"{name}{'.jsonl' if call == 'check_to' else ''}" for name in ("whole", "output"))
    getattr(skelmap, call)(whole, inputs, jobs=1)
    states: set[bool] = set()
    for step in range(40):
        with subprocess.Popen([sys.executable, "-c", KILLED, call, output, inputs], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.004 * step)
            process.kill()
        states.add(process.returncode == -signal.SIGKILL)
        if call == "convert_to":
            made = files_in(output)
            done = {name: content for name, content in made.items() if not name.endswith(".part")}
            assert all(content == (whole / name).read_bytes() for name, content in done.items())
        elif output.exists():
            assert output.read_bytes() == whole.read_bytes()
    assert True in states
    getattr(skelmap, call)(output, inputs, jobs=1)
    if call == "convert_to":
        assert files_in(output) == files_in(whole)
    else:
        assert output.read_bytes() == whole.read_bytes()
    # The unfinished files of the killed processes are gone.
    assert list(tmp_path.rglob("*.part")) == []
