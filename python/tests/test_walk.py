"""A walk finds the assets of files, folders and archives in a fixed order, and opens them."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skelmap
from support import CORPUS, SAMPLES, TEST_CORPUS, address, command, has_header_alone, lies_in, maps_of, on_linux, opened

WAYS: list[Callable[[Path], Any]] = [str, Path, lambda path: [path], lambda path: iter((path,))]


@pytest.mark.parametrize("folder", [CORPUS, TEST_CORPUS, *([SAMPLES] if SAMPLES else [])], ids=lambda folder: folder.name)
def test_the_items_are_those_that_the_command_lists(folder: Path) -> None:
    rows = [json.loads(line) for line in command("ls", "--format", "jsonl", folder).stdout.splitlines()]
    items = list(skelmap.walk(folder))
    assert [(item.path, item.entry) for item in items] == [(row["path"], row["entry"]) for row in rows]
    for item, row in zip(items, rows, strict=True):
        if row["error"] is None and has_header_alone(row):
            assert item.nbytes == row["bytes"]
        elif row["error"] is None:
            asset = item.open()
            assert (asset.format, asset.nbytes) == (row["format"], row["bytes"])
            assert asset.address == item.address
            assert item.nbytes == row["bytes"]
        else:
            with pytest.raises((skelmap.FormatError, OSError)) as caught:
                item.open()
            if isinstance(caught.value, skelmap.FormatError):
                error = caught.value
                assert (error.kind, error.section, error.offset) == tuple(row["error"][key] for key in ("kind", "section", "offset"))
                assert error.path == item.address


def test_an_item_says_where_it_is(corpus: Path) -> None:
    items = {item.address: item for item in skelmap.walk(corpus)}
    loose = items[f"{corpus}/fox.psk"]
    assert (loose.path, loose.entry) == (f"{corpus}/fox.psk", None)
    assert loose.nbytes == (corpus / "fox.psk").stat().st_size
    entry = items[f"{corpus}/fox.pyromod!/art/meshes/skeletal/fox.pmd"]
    assert (entry.path, entry.entry) == (f"{corpus}/fox.pyromod", "art/meshes/skeletal/fox.pmd")
    with zipfile.ZipFile(corpus / "fox.pyromod") as file:
        assert entry.nbytes == file.getinfo("art/meshes/skeletal/fox.pmd").file_size
        assert entry.open().data.tobytes() == file.read("art/meshes/skeletal/fox.pmd")
    assert repr(entry) == f"<skelmap.Item {entry.address!r}>"


def test_the_address_of_an_item_opens_the_same_asset(corpus: Path, test_corpus: Path) -> None:
    for item in skelmap.walk([corpus, test_corpus / "archive"]):
        try:
            asset = item.open()
        except skelmap.FormatError:
            continue
        if "twice" not in item.path:
            assert opened(item.address).data.tobytes() == asset.data.tobytes()


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entries_of_archives_have_the_content_that_python_wrote(corpus: Path, tmp_path: Path, method: int) -> None:
    contents = {f"art/{index}/{path.name}": path.read_bytes() for index, path in enumerate(sorted(corpus.glob("fox*.p*")))}
    contents = {name: content for name, content in contents.items() if not name.endswith(".pyromod")}
    with zipfile.ZipFile(tmp_path / "mod.zip", "w", method) as file:
        for name, content in contents.items():
            file.writestr(name, content)
        file.writestr("readme.txt", "no asset")
    found = {item.entry: item.open().data.tobytes() for item in skelmap.walk(tmp_path)}
    assert found == contents


@pytest.mark.parametrize("make", WAYS)
def test_paths_may_be_one_or_many(corpus: Path, make: Callable[[Path], Any]) -> None:
    assert len(list(skelmap.walk(make(corpus)))) == 9


def test_a_walk_of_nothing_is_empty(tmp_path: Path) -> None:
    assert list(skelmap.walk([])) == []
    assert list(skelmap.walk(tmp_path)) == []


def test_a_path_that_does_not_exist_fails_when_it_is_opened(tmp_path: Path) -> None:
    (item,) = skelmap.walk(tmp_path / "none.psk")
    assert (item.path, item.nbytes) == (f"{tmp_path}/none.psk", 0)
    with pytest.raises(FileNotFoundError) as caught:
        item.open()
    assert (caught.value.errno, caught.value.strerror) == (2, "No such file or directory")
    assert caught.value.filename == f"{tmp_path}/none.psk"


def test_a_file_that_is_gone_since_the_walk_is_not_found(corpus: Path, tmp_path: Path) -> None:
    shutil.copy(corpus / "fox.psk", tmp_path)
    (item,) = skelmap.walk(tmp_path)
    (tmp_path / "fox.psk").unlink()
    with pytest.raises(FileNotFoundError) as caught:
        item.open()
    assert caught.value.filename == f"{tmp_path}/fox.psk"


def test_a_named_file_that_is_no_asset_is_an_item_and_one_in_a_folder_is_none(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("no asset")
    assert list(skelmap.walk(tmp_path)) == []
    (item,) = skelmap.walk(tmp_path / "readme.txt")
    with pytest.raises(skelmap.FormatError):
        item.open()


def test_a_walk_can_be_stopped_and_taken_up_again(corpus: Path) -> None:
    everything = [item.address for item in skelmap.walk(corpus)]
    items = skelmap.walk(corpus)
    first = [next(items).address for _ in range(4)]
    assert first + [item.address for item in items] == everything
    assert list(items) == []
    with pytest.raises(StopIteration):
        next(items)


@on_linux
def test_an_archive_stays_mapped_as_long_as_an_item_lives(corpus: Path, tmp_path: Path) -> None:
    archive = tmp_path / "mod.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(corpus / "fox.pmd", "fox.pmd")
        file.write(corpus / "fox_walk.psa", "fox_walk.psa")
    items = list(skelmap.walk(archive))
    assert len(maps_of(archive)) == 1
    last = items.pop()
    del items
    gc.collect()
    assert len(maps_of(archive)) == 1
    assert last.open().nbytes == (corpus / "fox_walk.psa").stat().st_size
    archive.unlink()
    assert last.open().nbytes == (corpus / "fox_walk.psa").stat().st_size
    del last
    gc.collect()
    assert maps_of(archive) == []


@on_linux
def test_mapped_items_share_the_map_of_their_archive(corpus: Path, tmp_path: Path) -> None:
    archive = tmp_path / "mod.zip"
    shutil.copy(corpus / "fox.pyromod", archive)
    assets = [item.open() for item in skelmap.walk(archive, mode="map")]
    assert len(maps_of(archive)) == 1
    assert all(lies_in(asset.data, archive) for asset in assets)
    copies = [item.open() for item in skelmap.walk(archive, mode="read")]
    assert not any(lies_in(asset.data, archive) for asset in copies)
    assert [asset.data.tobytes() for asset in assets] == [asset.data.tobytes() for asset in copies]


def test_items_keep_mode_and_choices(test_corpus: Path) -> None:
    path = test_corpus / "pyrogenesis/damaged/trailing.psa"
    (strict,), (tolerant,) = skelmap.walk(path), skelmap.walk(path, engine=True, mode="map")
    with pytest.raises(skelmap.FormatError):
        strict.open()
    asset = tolerant.open()
    assert asset.mode == "map"
    assert [quirk.code for quirk in asset.quirks] == ["trailing-bytes"]


def test_an_item_can_be_opened_often(corpus: Path) -> None:
    (item,) = skelmap.walk(corpus / "fox.psk")
    one, other = item.open(), item.open()
    assert one is not other
    assert isinstance(one, skelmap.Mesh)
    assert isinstance(other, skelmap.Mesh)
    assert address(one.positions) != address(other.positions)
    one.close()
    assert np.isfinite(other.positions).all()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are text there")
def test_names_that_are_no_text_are_found_and_opened(corpus: Path, tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\xe9.psk"
    shutil.copy(os.fsencode(corpus / "fox.psk"), path)
    (item,) = skelmap.walk(tmp_path)
    assert item.path == os.fsdecode(path)
    assert item.open().address == os.fsdecode(path)
    assert opened(os.fsdecode(path)).bone_count == 23
    table = skelmap.catalog(os.fsdecode(path))
    assert (len(table), table.bad) == (1, 0)
    with pytest.raises(FileNotFoundError) as caught:
        opened(os.fsdecode(path) + "x")
    assert caught.value.filename is not None


def test_a_path_may_have_the_separator_of_entries_in_its_name(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mod.zip!"
    folder.mkdir()
    shutil.copy(corpus / "fox.psk", folder)
    assert opened(folder / "fox.psk").bone_count == 23
    assert [item.entry for item in skelmap.walk(folder)] == [None]
