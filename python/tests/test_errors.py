"""Errors are the exceptions that Python programs expect, with their attributes."""

from __future__ import annotations

import copy
import errno
import os
import pickle
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
import skelmap
from support import CORPUS, TEST_CORPUS, command, manifest, on_linux, opened, parsed

# The content of a file decides its format, so a file of another one than its name says may be good.
BAD = [name for name, file in manifest().items() if file["expect"].get("error", {"kind": "other-format"})["kind"] != "other-format"]
MODES: list[Any] = ["read", "map", "lease"]


@pytest.mark.parametrize("name", BAD)
def test_a_damaged_file_is_a_format_error_with_kind_section_and_offset(name: str) -> None:
    expected = manifest()[name]["expect"]["error"]
    path = TEST_CORPUS / name
    calls: list[tuple[Any, str | None]] = [(lambda mode=mode: opened(path, mode=mode), str(path)) for mode in MODES]
    calls += [(lambda: parsed(path.read_bytes()), None), (lambda: next(skelmap.walk(path)).open(), str(path))]
    if path.read_bytes().startswith(b"PK"):
        # A walk looks into an archive.
        del calls[-1]
    for call, shown in calls:
        with pytest.raises(skelmap.FormatError) as caught:
            call()
        error = caught.value
        assert (error.kind, error.section, error.offset) == (expected["kind"], expected["section"] or "no name", expected["offset"])
        assert error.path == shown
        assert isinstance(error, ValueError)
        assert error.message
        assert error.message in str(error)
        assert str(error).startswith(f"{path}: " if shown else error.message)
        assert skelmap.explain(error.kind).startswith(f"{error.kind} (")


def test_a_message_says_the_place_once() -> None:
    for name in BAD:
        expected = manifest()[name]["expect"]["error"]
        with pytest.raises(skelmap.FormatError) as caught:
            parsed((TEST_CORPUS / name).read_bytes())
        shown = str(caught.value)
        if expected["section"] != "file":
            assert len(re.findall(rf"\bbyte {expected['offset']}\b", shown)) == 1, shown
            assert expected["section"] in shown


def test_messages_are_those_of_the_command() -> None:
    path = TEST_CORPUS / "actorx/damaged/overrun.psk"
    with pytest.raises(skelmap.FormatError) as caught:
        opened(path)
    assert caught.value.message in command("info", path).stderr


def test_a_format_error_is_pickled_and_copied_whole() -> None:
    with pytest.raises(skelmap.FormatError) as caught:
        opened(TEST_CORPUS / "actorx/damaged/overrun.psk")
    error = caught.value
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is skelmap.FormatError
        for name in ("message", "kind", "section", "offset", "path", "args"):
            assert getattr(again, name) == getattr(error, name)
        assert str(again) == str(error)


def test_a_format_error_can_be_made_by_a_program() -> None:
    error = skelmap.FormatError("mine")
    assert str(error) == "mine"
    assert (error.section, error.offset, error.path) == (None, None, None)


@pytest.mark.parametrize("mode", MODES)
def test_a_missing_file_is_a_file_not_found_error(tmp_path: Path, mode: Any) -> None:
    path = tmp_path / "none.psk"
    for given in (path, str(path)):
        with pytest.raises(FileNotFoundError) as caught:
            opened(given, mode=mode)
        error = caught.value
        assert (error.errno, error.filename) == (errno.ENOENT, str(path))
        assert error.strerror == os.strerror(errno.ENOENT)
        assert str(error) == f"[Errno 2] No such file or directory: '{path}'"


@pytest.mark.parametrize("mode", MODES)
def test_a_missing_entry_is_a_file_not_found_error(mode: Any) -> None:
    address = f"{CORPUS}/fox.pyromod!/art/none.pmd"
    with pytest.raises(FileNotFoundError) as caught:
        opened(address, mode=mode)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, address)
    (item,) = skelmap.walk(address)
    with pytest.raises(FileNotFoundError) as caught:
        item.open()
    assert caught.value.filename == address


def test_an_entry_of_a_missing_archive_is_a_file_not_found_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        opened(f"{tmp_path}/none.zip!/a.psk")
    assert caught.value.filename == f"{tmp_path}/none.zip!/a.psk"


@pytest.mark.parametrize("mode", MODES)
def test_a_folder_is_an_is_a_directory_error(tmp_path: Path, mode: Any) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        opened(tmp_path, mode=mode)
    assert str(tmp_path) in str(caught.value)


@pytest.mark.parametrize("mode", MODES)
def test_a_folder_is_an_error_with_number_and_name(tmp_path: Path, mode: Any) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        opened(tmp_path, mode=mode)
    assert (caught.value.errno, caught.value.filename) == (errno.EISDIR, str(tmp_path))


def test_a_file_in_the_place_of_a_folder_is_a_not_a_directory_error() -> None:
    with pytest.raises(NotADirectoryError) as caught:
        opened(CORPUS / "fox.psk" / "a.psk")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOTDIR, str(CORPUS / "fox.psk" / "a.psk"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may read every file")
@pytest.mark.parametrize("mode", MODES)
def test_a_file_of_others_is_a_permission_error(tmp_path: Path, mode: Any) -> None:
    path = tmp_path / "a.psk"
    path.write_bytes((CORPUS / "fox.psk").read_bytes())
    path.chmod(0)
    with pytest.raises(PermissionError) as caught:
        opened(path, mode=mode)
    assert (caught.value.errno, caught.value.filename) == (errno.EACCES, str(path))
    (item,) = skelmap.walk(path)
    with pytest.raises(PermissionError) as caught:
        item.open()
    assert str(path) in str(caught.value)


@on_linux
def test_too_long_a_name_is_the_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="too long") as caught:
        opened(tmp_path / ("x" * 300 + ".psk"))
    assert caught.value.errno == errno.ENAMETOOLONG


@on_linux
def test_too_many_open_links_are_the_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a.psk").symlink_to(tmp_path / "a.psk")
    with pytest.raises(OSError, match="symbolic") as caught:
        opened(tmp_path / "a.psk")
    assert caught.value.errno == errno.ELOOP


def test_a_zero_byte_in_a_path_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"NUL|null"):
        opened("a\0b.psk")


@on_linux
def test_a_device_cannot_be_mapped() -> None:
    with pytest.raises((ValueError, OSError), match="/dev/null"):
        opened("/dev/null", mode="map")
    with pytest.raises(skelmap.FormatError) as caught:
        opened("/dev/null")
    assert caught.value.kind == "empty"


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_file_is_a_format_error(tmp_path: Path, mode: Any) -> None:
    (tmp_path / "a.psk").touch()
    with pytest.raises(skelmap.FormatError) as caught:
        opened(tmp_path / "a.psk", mode=mode)
    assert (caught.value.kind, caught.value.section, caught.value.offset) == ("empty", "file", 0)


@pytest.mark.parametrize("mode", MODES)
def test_a_damaged_archive_is_a_format_error_without_a_section(tmp_path: Path, mode: Any) -> None:
    data = (CORPUS / "fox.pyromod").read_bytes()
    (tmp_path / "mod.zip").write_bytes(data[: len(data) // 2])
    address = f"{tmp_path}/mod.zip!/art/meshes/skeletal/fox.pmd"
    with pytest.raises(skelmap.FormatError) as caught:
        opened(address, mode=mode)
    error = caught.value
    assert error.kind.startswith("zip-")
    assert (error.section, error.offset, error.path) == (None, None, address)
    assert skelmap.explain(error.kind)


def test_a_damaged_entry_is_a_format_error_with_its_address(tmp_path: Path) -> None:
    content = (CORPUS / "fox.psk").read_bytes()
    with zipfile.ZipFile(tmp_path / "mod.zip", "w") as file:
        file.writestr("a.psk", content[:5_000])
    address = f"{tmp_path}/mod.zip!/a.psk"
    with pytest.raises(skelmap.FormatError) as caught:
        opened(address)
    with pytest.raises(skelmap.FormatError) as of_bytes:
        parsed(content[:5_000])
    assert caught.value.path == address
    assert (caught.value.kind, caught.value.offset) == (of_bytes.value.kind, of_bytes.value.offset)


def test_an_encrypted_entry_is_a_format_error(test_corpus: Path) -> None:
    path = test_corpus / "archive/foreign/infozip_encrypted.zip"
    with zipfile.ZipFile(path) as file:
        name = next(entry.filename for entry in file.infolist() if entry.flag_bits & 1)
    with pytest.raises(skelmap.FormatError) as caught:
        opened(f"{path}!/{name}")
    assert caught.value.kind == "zip-unsupported"
    assert "encrypted" in caught.value.message
