"""Arrays lie in the memory of the file, keep it alive, and cannot be written to."""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import shutil
import signal
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import build
import naive
import numpy as np
import pytest
import skelmap
from support import Array, address, lies_in, maps_of, on_linux, opened, parsed, public_names, run_python

ASSETS = ("fox.psk", "fox.psa", "fox.pmd", "fox_walk.psa", "officer_walk.gsa")


def arrays_of(asset: Any) -> dict[str, Array]:
    """All arrays without a copy that an asset has, by name."""
    computed = ("bind_pose", "inverse_bind")
    names = [name for name in public_names(asset) if not name.startswith("to_") and name not in computed]
    found: dict[str, Array] = {}
    for name in names:
        value = getattr(asset, name)
        if isinstance(value, np.ndarray):
            found[name] = value
        elif name == "uv_sets":
            found |= {f"uv_sets[{index}]": array for index, array in enumerate(value)}
    if isinstance(asset, skelmap.swat3.Gsa):
        found["rotation(0)"] = asset.rotation(0)
    elif isinstance(asset, skelmap.Animation):
        for sequence in asset.sequence_list:
            found[f"{sequence.name}.keys"] = sequence.keys
            found[f"{sequence.name}.track"] = sequence.track(1)
    fields = {f"{name}[{field}]": array[field] for name, array in found.items() for field in array.dtype.names or ()}
    return {name: array for name, array in (found | fields).items() if array.size}


@pytest.fixture(params=ASSETS)
def path(request: pytest.FixtureRequest, corpus: Path, tmp_path: Path) -> Path:
    """A file that belongs to the test."""
    name: str = request.param
    copy = tmp_path / name
    shutil.copy(corpus / name, copy)
    return copy


@on_linux
def test_all_arrays_of_a_mapped_file_lie_in_its_map(path: Path) -> None:
    asset = opened(path, mode="map")
    arrays = arrays_of(asset)
    assert len(arrays) >= 2
    assert len(maps_of(path)) == 1
    outside = [name for name, array in arrays.items() if not lies_in(array, path)]
    assert outside == []


@on_linux
def test_the_bytes_of_a_mapped_file_are_those_of_its_map(path: Path) -> None:
    asset = opened(path, mode="map")
    assert address(asset.data) == maps_of(path)[0][0]
    assert asset.data.tobytes() == path.read_bytes()


@on_linux
@pytest.mark.parametrize("mode", ["read", "lease"])
def test_a_small_file_that_is_read_has_no_map(path: Path, mode: Any) -> None:
    asset = opened(path, mode=mode)
    assert maps_of(path) == []
    assert asset.data.tobytes() == path.read_bytes()


@pytest.mark.parametrize("mode", ["read", "lease", "map"])
def test_no_array_owns_its_data_or_can_be_written_to(path: Path, mode: Any) -> None:
    asset = opened(path, mode=mode)
    for name, array in arrays_of(asset).items():
        assert not array.flags.owndata, name
        assert not array.flags.writeable, name
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        with pytest.raises(ValueError, match="read-only"):
            array[...] = array
        bases: list[Any] = [array.base]
        while type(bases[-1]) is np.ndarray:
            with pytest.raises(ValueError, match="WRITEABLE"):
                bases[-1].setflags(write=True)
            bases.append(bases[-1].base)
        assert bases[-1] is not None, name
        buffer: Any = array
        with pytest.raises((TypeError, BufferError, ValueError)):
            ctypes.c_char.from_buffer(buffer)


@pytest.mark.parametrize("mode", ["read", "lease", "map"])
def test_arrays_outlive_the_asset_that_they_come_from(path: Path, mode: Any) -> None:
    asset = opened(path, mode=mode)
    arrays = arrays_of(asset)
    before = {name: array.tobytes() for name, array in arrays.items()}
    asset.close()
    del asset
    path.unlink()
    gc.collect()
    assert {name: array.tobytes() for name, array in arrays.items()} == before


@on_linux
def test_the_map_ends_with_the_last_array(path: Path) -> None:
    with opened(path, mode="map") as asset:
        arrays = list(arrays_of(asset).values())
    del asset
    gc.collect()
    while arrays:
        assert len(maps_of(path)) == 1
        arrays.pop()
    gc.collect()
    assert maps_of(path) == []


@on_linux
def test_many_handles_leave_neither_maps_nor_open_files(path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(2_000):
        assert opened(path, mode="map").data.size
    gc.collect()
    assert maps_of(path) == []
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_track_strides_over_the_keys_of_its_sequence(corpus: Path) -> None:
    path = corpus / "fox.psa"
    animation, expected = opened(path), naive.read_psa(path.read_bytes())
    bones = [naive.text(name) for name in expected.parts["bones"]["name"]]
    for own in expected.sequences:
        sequence = animation[own.name]
        for index, bone in enumerate(bones):
            track = sequence.track(bone)
            assert track.strides == (32 * len(bones),)
            assert address(track) == address(animation.data) + expected.parts["keys"].offset + 32 * (own.first_key + index)
            rotations = expected.parts["keys"]["rotation"][own.first_key + index :: len(bones)][: own.frames]
            assert track["rotation"].tolist() == [list(rotation) for rotation in rotations]
            assert address(sequence.track(index)) == address(track)


@on_linux
@pytest.mark.parametrize("name", ["fox.psk", "fox.psa", "fox.pmd"])
@pytest.mark.parametrize("length", range(1, 5))
def test_entries_lie_in_the_map_of_their_archive_at_any_address(corpus: Path, tmp_path: Path, name: str, length: int) -> None:
    archive, entry = tmp_path / "mod.zip", "x" * length + Path(name).suffix
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr(entry, (corpus / name).read_bytes())
    asset = opened(f"{archive}!/{entry}", mode="map")
    # The local header has 30 bytes, then comes the name.
    assert (address(asset.data) - maps_of(archive)[0][0]) == 30 + len(entry)
    assert address(asset.data) % 4 == (30 + len(entry)) % 4
    loose = opened(corpus / name)
    for (own, array), (other, expected) in zip(arrays_of(asset).items(), arrays_of(loose).items(), strict=True):
        assert own == other
        assert lies_in(array, archive), own
        assert array.tobytes() == expected.tobytes(), own
        assert not array.flags.writeable
    if isinstance(asset, skelmap.Animation):
        assert np.array_equal(asset[0].sample([0.1, 0.2]), loose[0].sample([0.1, 0.2]))
    else:
        assert np.array_equal(asset.skin(), loose.skin())


@on_linux
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_entries_that_are_read_do_not_keep_the_archive_mapped(corpus: Path, tmp_path: Path, method: int) -> None:
    archive = tmp_path / "mod.zip"
    with zipfile.ZipFile(archive, "w", method) as file:
        file.write(corpus / "fox.psk", "art/fox.psk")
    asset = opened(f"{archive}!/art/fox.psk")
    assert maps_of(archive) == []
    assert asset.data.tobytes() == (corpus / "fox.psk").read_bytes()


def test_a_file_that_was_read_may_be_truncated(path: Path) -> None:
    asset = opened(path, mode="read")
    content = path.read_bytes()
    os.truncate(path, 0)
    assert asset.data.tobytes() == content
    again = parsed(content)
    for (name, array), expected in zip(arrays_of(asset).items(), arrays_of(again).values(), strict=True):
        assert array.tobytes() == expected.tobytes(), name
    assert asset.check() == again.check()


def large_psa(path: Path) -> bytes:
    """A file that is large enough to be mapped under a lease."""
    content = build.psa([b"root", b"arm"], [(b"walk", 70_000, 30)])
    assert len(content) > 2 << 20
    path.write_bytes(content)
    return content


@on_linux
def test_a_leased_file_keeps_its_content_when_another_process_truncates_it(tmp_path: Path) -> None:
    import fcntl

    path = tmp_path / "large.psa"
    content = large_psa(path)
    with path.open("rb") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError:
            pytest.skip("the file system of the temporary folder has no leases")
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    animation = opened(path, mode="lease")
    keys, mapped = animation["walk"].keys, maps_of(path)
    assert lies_in(keys, path)
    assert run_python("import os, sys; os.truncate(sys.argv[1], 0)", path).returncode == 0
    assert path.stat().st_size == 0
    assert maps_of(path) != mapped
    offset = naive.read_psa(content).parts["keys"].offset
    assert keys.tobytes() == content[offset : offset + keys.nbytes]
    assert animation.data.tobytes() == content


@on_linux
def test_a_mapped_file_that_is_truncated_ends_the_process_as_documented(tmp_path: Path) -> None:
    path = tmp_path / "large.psa"
    large_psa(path)
    code = "import skelmap, sys, os; a = skelmap.open(sys.argv[1], mode='map'); os.truncate(sys.argv[1], 0); a.data.sum()"
    assert run_python(code, path).returncode == -signal.SIGBUS


def test_bytes_are_parsed_in_place(corpus: Path) -> None:
    content = (corpus / "fox.psk").read_bytes()
    begin = address(np.frombuffer(content, np.uint8))
    counted = sys.getrefcount(content)
    mesh = parsed(content)
    assert address(mesh.data) == begin
    assert sys.getrefcount(content) > counted
    points = mesh.points
    expected = points.tobytes()
    del mesh, content
    gc.collect()
    assert points.tobytes() == expected
    del points


def test_bytes_are_given_up_with_the_last_array(corpus: Path) -> None:
    content = (corpus / "fox.psk").read_bytes()
    counted = sys.getrefcount(content)
    mesh = parsed(content)
    points = mesh.points
    del mesh
    gc.collect()
    assert sys.getrefcount(content) > counted
    del points
    gc.collect()
    assert sys.getrefcount(content) == counted


BUFFERS: list[Callable[[bytes], Any]] = [
    bytearray,
    lambda data: np.frombuffer(data, np.uint8).copy(),
    lambda data: memoryview(bytearray(data)),
]


@pytest.mark.parametrize("make", BUFFERS)
def test_buffers_that_can_change_are_copied(corpus: Path, make: Callable[[bytes], Any]) -> None:
    content = (corpus / "fox.psa").read_bytes()
    buffer = make(content)
    animation = parsed(buffer)
    memoryview(buffer).cast("B")[:] = bytes(len(content))
    assert animation.data.tobytes() == content
    if isinstance(buffer, bytearray):
        # Nobody holds the buffer, so it can be resized.
        buffer.clear()


def test_a_buffer_that_is_not_contiguous_is_copied(corpus: Path) -> None:
    content = (corpus / "fox.psa").read_bytes()
    spread = np.frombuffer(content, np.uint8).repeat(3)[1::3]
    assert not spread.flags.c_contiguous
    assert parsed(spread).data.tobytes() == content
    assert parsed(memoryview(content[::-1])[::-1]).data.tobytes() == content


def test_buffers_of_wider_elements_are_taken_as_bytes(corpus: Path) -> None:
    content = (corpus / "fox.psa").read_bytes()
    assert len(content) % 4 == 0
    assert parsed(np.frombuffer(content, "<u4")).data.tobytes() == content


def test_a_map_of_python_is_parsed(corpus: Path) -> None:
    with (corpus / "fox.psa").open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        animation = parsed(whole)
        assert list(animation) == ["walk", "idle"]


def test_open_takes_bytes_as_parse_does(corpus: Path) -> None:
    content = (corpus / "fox.psk").read_bytes()
    mesh = opened(content)
    assert address(mesh.data) == address(np.frombuffer(content, np.uint8))
    assert mesh.address is None


def test_what_is_computed_is_new_and_writable(corpus: Path) -> None:
    mesh, animation = opened(corpus / "fox.psk"), opened(corpus / "fox.psa")
    arrays = [mesh.skin(), mesh.bind_pose, mesh.inverse_bind, mesh.to_triangles(), mesh.to_vertex_points(), *mesh.to_influences()]
    arrays += [animation[0].sample(0.1), animation[0].sample(0.1, matrices=True), mesh.bind(animation).sample(0.1)]
    for array in arrays:
        array[...] = 7
        assert (array == 7).all()
    assert mesh.data.tobytes() == (corpus / "fox.psk").read_bytes()
    assert not (mesh.bind_pose == 7).all()
    assert not (mesh.inverse_bind == 7).all()


def test_an_array_that_was_computed_outlives_its_asset(corpus: Path) -> None:
    mesh = opened(corpus / "fox.psk")
    skinned = mesh.skin()
    expected = skinned.copy()
    mesh.close()
    del mesh
    gc.collect()
    assert np.array_equal(skinned, expected)
