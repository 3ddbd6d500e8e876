"""The command comes with the package."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import build
import pytest
import skelmap
from support import CORPUS, TEST_CORPUS, command, on_linux


def test_the_version_is_that_of_the_package() -> None:
    result = command("--version")
    assert (result.returncode, result.stdout) == (0, f"skelmap {skelmap.__version__}\n")
    assert skelmap.__version__ == metadata.version("skelmap")


def test_the_script_does_what_the_module_does() -> None:
    (script,) = (entry for entry in metadata.entry_points(group="console_scripts") if entry.name == "skelmap")
    assert script.value == "skelmap._command:main"
    path = Path(sys.executable).with_name("skelmap")
    if not path.exists():
        pytest.skip("the scripts of this environment are in another folder")
    by_script = subprocess.run([path, "ls", CORPUS], capture_output=True, text=True, check=True)
    assert by_script.stdout == command("ls", CORPUS).stdout


def test_the_corpus_is_listed() -> None:
    result = command("ls", "--format", "json", CORPUS)
    assert (result.returncode, result.stderr) == (0, "")
    rows = json.loads(result.stdout)
    assert [(row["path"], row["entry"]) for row in rows] == [(item.path, item.entry) for item in skelmap.walk(CORPUS)]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["check", CORPUS / "fox.psk"], 0),
        (["check", TEST_CORPUS / "actorx/mesh/face_wedge.psk"], 1),
        (["info", TEST_CORPUS / "actorx/damaged/overrun.psk"], 1),
        (["info", CORPUS / "none.psk"], 3),
        (["nonsense"], 2),
        (["ls"], 2),
        ([], 2),
        (["ls", "--unknown", CORPUS], 2),
        (["--help"], 0),
    ],
)
def test_the_exit_status_is_passed_on(arguments: list[str | Path], status: int) -> None:
    result = command(*arguments)
    assert result.returncode == status, result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr or status == 0


def test_messages_name_the_command() -> None:
    assert "Usage: skelmap" in command("--help").stdout
    assert command("ls", "--unknown").stderr.count("skelmap") >= 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there")
def test_arguments_that_are_no_text_reach_the_command(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff.psk"
    with open(path, "wb") as file:
        file.write((CORPUS / "fox.psk").read_bytes())
    result = subprocess.run([os.fsencode(sys.executable), b"-m", b"skelmap", b"check", path], capture_output=True, check=False)
    assert result.returncode == 0, result.stderr


def test_standard_input_and_output_are_those_of_the_process() -> None:
    line = [sys.executable, "-m", "skelmap", "check", "/dev/stdin"]
    if not Path("/dev/stdin").exists():
        pytest.skip("this system has no /dev/stdin")
    result = subprocess.run(line, input=(CORPUS / "fox.psk").read_bytes(), capture_output=True, check=False)
    assert result.returncode == 0, result.stderr


@on_linux
def test_a_reader_that_goes_away_is_no_traceback() -> None:
    line = [sys.executable, "-m", "skelmap", "dump", str(CORPUS / "fox.psa"), "--what", "keys"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(30)
    assert "Traceback" not in errors
    assert "panicked" not in errors


@on_linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_command_at_once(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "large.psa"
    build.write_sparse_psa(path, 1 << 33)
    code = "from skelmap._command import main; print('begun', flush=True); main()"
    line = [sys.executable, "-c", code, "check", str(path)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.6)
        sent = time.monotonic()
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
        assert time.monotonic() - sent < 2
    assert process.returncode == -number
    assert "Traceback" not in errors


@on_linux
def test_ctrl_c_removes_the_file_that_the_command_writes(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "skelmap", "catalog", *[str(CORPUS / "fox.psk")] * 20_000, "-o", str(tmp_path / "a.parquet"), "--extent"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 10
        while not any(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode in (130, 0), errors
    if process.returncode == 130:
        assert [path.name for path in tmp_path.iterdir() if path.name == "a.parquet"] == []


def test_the_command_may_be_called_again_in_one_process() -> None:
    code = """
import sys
from skelmap import _native
print([_native.run_command(["skelmap", *arguments]) for arguments in (["explain", "empty"], ["nonsense"], ["explain", "empty"])])
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "[0, 2, 0]"
