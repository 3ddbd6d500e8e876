"""Files of glTF are complete or absent, and hold the mesh and its motion."""

from __future__ import annotations

import json
import os
import stat
import struct
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import build
import numpy as np
import numpy.typing as npt
import pytest
import skelmap
from support import command, opened, parsed

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Gltf:
    """A document and its bytes, read by the rules of glTF 2.0."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        if path.suffix == ".glb":
            magic, version, length = struct.unpack_from("<4sII", data)
            assert (magic, version, length) == (b"glTF", 2, len(data))
            json_length, kind = struct.unpack_from("<I4s", data, 12)
            assert (kind, json_length % 4) == (b"JSON", 0)
            self.json: Any = json.loads(data[20 : 20 + json_length])
            binary_length, kind = struct.unpack_from("<I4s", data, 20 + json_length)
            assert (kind, 28 + json_length + binary_length) == (b"BIN\0", len(data))
            self.binary = data[28 + json_length :]
        else:
            self.json = json.loads(data)
            (buffer,) = self.json["buffers"]
            assert "/" not in buffer["uri"]
            self.binary = (path.parent / unquote(buffer["uri"])).read_bytes()
        assert self.json["asset"]["version"] == "2.0"
        assert self.json["buffers"][0]["byteLength"] <= len(self.binary)

    def array(self, index: int) -> npt.NDArray[Any]:
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        kind, width = np.dtype(TYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", kind.itemsize * width)
        return np.ndarray((accessor["count"], width), kind, self.binary, offset, (stride, kind.itemsize))

    def positions(self) -> npt.NDArray[np.float32]:
        return np.concatenate([self.array(one["attributes"]["POSITION"]) for mesh in self.json["meshes"] for one in mesh["primitives"]])


def in_gltf(points: npt.NDArray[np.float32], metres: float) -> npt.NDArray[np.float64]:
    """Points of ActorX in the space of glTF (actorx.md, 5)."""
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=1).astype(np.float64) * metres


def as_set(points: npt.NDArray[Any]) -> set[tuple[float, ...]]:
    # A sum with 0 has no -0.
    return {tuple(point) for point in (np.round(points.astype(np.float64), 4) + 0.0).tolist()}


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_a_mesh_with_its_animations_is_written(corpus: Path, tmp_path: Path, suffix: str) -> None:
    mesh, animation = opened(corpus / "fox.psk"), opened(corpus / "fox.psa")
    report = mesh.to_gltf(tmp_path / f"fox{suffix}", animation)
    assert names_in(tmp_path) == (["fox.glb"] if suffix == ".glb" else ["fox.bin", "fox.gltf"])
    written = Gltf(tmp_path / f"fox{suffix}")
    assert (report["bones"], report["triangles"], report["animations"]) == (23, 764, 2)
    assert [one["name"] for one in written.json["animations"]] == ["walk", "idle"]
    (skin,) = written.json["skins"]
    names = [written.json["nodes"][joint]["name"] for joint in skin["joints"]]
    assert names == mesh.bone_names
    assert as_set(written.positions()) == as_set(in_gltf(mesh.points, 0.01))
    triangles = sum(written.json["accessors"][one["indices"]]["count"] for one in written.json["meshes"][0]["primitives"])
    assert triangles == 3 * 764


def test_the_keys_of_an_animation_are_written(corpus: Path, tmp_path: Path) -> None:
    mesh, walk = opened(corpus / "fox.psk"), opened(corpus / "fox.psa")["walk"]
    mesh.to_gltf(tmp_path / "fox.glb", [walk])
    written = Gltf(tmp_path / "fox.glb")
    (animation,) = written.json["animations"]
    assert animation["name"] == "walk"
    joints = written.json["skins"][0]["joints"]
    samples = walk.sample(np.arange(30), unit="frames")
    compared = 0
    for channel in animation["channels"]:
        bone, path = joints.index(channel["target"]["node"]), channel["target"]["path"]
        sampler = animation["samplers"][channel["sampler"]]
        times, values = written.array(sampler["input"])[:, 0], written.array(sampler["output"])
        frames = np.round(times * 30).astype(int)
        np.testing.assert_allclose(times, frames / 30, atol=1e-6)
        if path == "rotation" and values.dtype == np.float32 and bone > 0:
            x, y, z, w = np.moveaxis(samples[frames, bone, 3:7].astype(np.float64), -1, 0)
            expected = np.stack([x, z, -y, w], axis=1)
            assert np.abs(np.sum(expected * values, axis=1)).min() > 1 - 1e-5
            compared += 1
    assert compared > 5


def test_the_file_is_that_of_the_command(corpus: Path, tmp_path: Path) -> None:
    for name in ("fox.psk", "fox.psa"):
        (tmp_path / name).write_bytes((corpus / name).read_bytes())
    result = command("convert", tmp_path / "fox.psk", "-o", tmp_path / "command.glb", "--anim", tmp_path / "fox.psa")
    assert result.returncode == 0, result.stderr
    opened(tmp_path / "fox.psk").to_gltf(tmp_path / "package.glb", opened(tmp_path / "fox.psa"))
    one, other = Gltf(tmp_path / "command.glb"), Gltf(tmp_path / "package.glb")
    assert one.binary == other.binary
    assert {key: one.json[key] for key in one.json if key != "images"}.keys() == other.json.keys()
    for key in ("accessors", "bufferViews", "skins", "animations", "nodes"):
        assert one.json[key] == other.json[key]


def test_an_animation_alone_is_a_moving_skeleton(corpus: Path, tmp_path: Path) -> None:
    for name, bones, count in (("fox.psa", 23, 2), ("fox_walk.psa", 23, 1), ("officer_walk.gsa", 22, 1)):
        report = opened(corpus / name).to_gltf(tmp_path / f"{name}.glb")
        written = Gltf(tmp_path / f"{name}.glb")
        assert (report["bones"], report["triangles"], report["animations"]) == (bones, 0, count)
        assert len(written.json["animations"]) == count
        assert "meshes" not in written.json


def test_options_change_what_is_written(corpus: Path, tmp_path: Path) -> None:
    mesh = opened(corpus / "fox.psk")
    mesh.to_gltf(tmp_path / "metres.glb", metres=1)
    assert as_set(Gltf(tmp_path / "metres.glb").positions()) == as_set(in_gltf(mesh.points, 1))
    mesh.to_gltf(tmp_path / "uv.glb", uv_sets=0)
    primitives = Gltf(tmp_path / "uv.glb").json["meshes"][0]["primitives"]
    assert not any("TEXCOORD_0" in one["attributes"] for one in primitives)
    opened(corpus / "fox.pmd").to_gltf(tmp_path / "metre.glb", metres=50)
    found = Gltf(tmp_path / "metre.glb").positions()
    stored = opened(corpus / "fox.pmd").positions
    assert as_set(found) == as_set(stored * np.array([1, 1, -1], np.float32)), "a file that says its unit keeps it"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"metres": 0}, ValueError),
        ({"metres": -1}, ValueError),
        ({"metres": float("nan")}, ValueError),
        ({"metres": "1"}, TypeError),
        ({"yaw": float("inf")}, ValueError),
        ({"up": "w"}, ValueError),
        ({"up": 3}, TypeError),
        ({"influences": 5}, ValueError),
        ({"influences": -1}, (ValueError, TypeError)),
        ({"influences": 2**70}, (ValueError, TypeError)),
        ({"uv_sets": -1}, (ValueError, TypeError)),
        ({"colors": "x"}, ValueError),
        ({"additive": None}, (ValueError, TypeError)),
        ({"morphs": "yes"}, TypeError),
        ({"unknown": 1}, TypeError),
    ],
)
def test_a_wrong_option_is_an_error_and_leaves_no_file(corpus: Path, tmp_path: Path, options: dict[str, Any], error: Any) -> None:
    with pytest.raises(error) as caught:
        opened(corpus / "fox.psk").to_gltf(tmp_path / "fox.glb", **options)
    assert next(iter(options)) in str(caught.value), "the message names the option"
    assert names_in(tmp_path) == []


@pytest.mark.parametrize("name", ["fox", "fox.obj", "fox.glb.txt", ".glb", ""])
def test_a_name_of_another_format_is_a_value_error(corpus: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="glb"):
        opened(corpus / "fox.psk").to_gltf(f"{tmp_path}/{name}")
    assert names_in(tmp_path) == []


def test_the_extension_may_have_capitals(corpus: Path, tmp_path: Path) -> None:
    opened(corpus / "fox.psk").to_gltf(tmp_path / "fox.GLB")
    assert (tmp_path / "fox.GLB").read_bytes()[:4] == b"glTF"


def test_the_binary_of_a_name_with_spaces_is_found_by_its_reference(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "my fox 100%.gltf"
    opened(corpus / "fox.psk").to_gltf(path)
    uri = json.loads(path.read_text())["buffers"][0]["uri"]
    assert " " not in uri, "a reference to a file is percent-encoded"
    assert len(Gltf(path).positions()) > 0


def test_the_folder_of_an_output_is_made(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "fox.glb"
    opened(corpus / "fox.psk").to_gltf(path)
    assert len(Gltf(path).positions()) > 0
    skelmap.catalog_to(tmp_path / "rows" / "all.parquet", corpus)
    assert (tmp_path / "rows" / "all.parquet").stat().st_size > 0


def test_a_folder_in_the_place_of_the_file_is_an_error(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "fox.glb").mkdir()
    with pytest.raises(IsADirectoryError):
        opened(corpus / "fox.psk").to_gltf(tmp_path / "fox.glb")
    assert names_in(tmp_path) == ["fox.glb"]


def test_an_error_keeps_the_file_that_was_there(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "fox.glb"
    path.write_bytes(b"before")
    with pytest.raises(ValueError, match="up"):
        opened(corpus / "fox.psk").to_gltf(path, up="w")
    assert path.read_bytes() == b"before"
    opened(corpus / "fox.psk").to_gltf(path)
    assert path.read_bytes()[:4] == b"glTF"
    assert names_in(tmp_path) == ["fox.glb"]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000, 0o027])
def test_permissions_are_those_of_any_new_file(corpus: Path, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        opened(corpus / "fox.psk").to_gltf(tmp_path / "fox.gltf")
        assert os.umask(mask) == mask, "the mask of the process stays as it was"
    finally:
        os.umask(before)
    for name in ("fox.gltf", "fox.bin"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("animations", [3, [3], "walk", [None]])
def test_something_that_is_no_animation_is_a_type_error(corpus: Path, tmp_path: Path, animations: Any) -> None:
    with pytest.raises(TypeError):
        opened(corpus / "fox.psk").to_gltf(tmp_path / "fox.glb", animations)
    assert names_in(tmp_path) == []


def test_readers_see_a_whole_file_at_all_times(corpus: Path, tmp_path: Path) -> None:
    mesh, animation, path = opened(corpus / "fox.psk"), opened(corpus / "fox.psa"), tmp_path / "fox.glb"
    mesh.to_gltf(path)
    seen, is_done = set[int](), threading.Event()

    def watch() -> None:
        while not is_done.is_set():
            data = path.read_bytes()
            seen.add(len(data) - struct.unpack_from("<I", data, 8)[0])

    thread = threading.Thread(target=watch)
    thread.start()
    for index in range(30):
        mesh.to_gltf(path, animation if index % 2 else ())
    is_done.set()
    thread.join()
    assert seen == {0}


def test_a_mesh_without_points_is_written(tmp_path: Path) -> None:
    report = parsed(build.psk(np.zeros((0, 3)), [build.bone(b"root")])).to_gltf(tmp_path / "a.glb")
    assert (report["bones"], report["triangles"]) == (1, 0)
    assert "meshes" not in Gltf(tmp_path / "a.glb").json
