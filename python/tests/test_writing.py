"""Arrays become meshes and animations of 0 A.D.: the bytes are read by hand, with ``struct`` alone."""

from __future__ import annotations

import os
import struct
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skelmap
from skelmap.pyrogenesis import STATE, write_psa
from support import on_linux, opened

CORNERS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
IDENTITY = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
ROOT = skelmap.Attachment("root", rotation=(0, 0, 0, -1))


def write(path: Path, positions: Any = CORNERS, triangles: Any = ((0, 1, 2),), **others: Any) -> dict[str, int]:
    return skelmap.write_pmd(path, positions, triangles, **others)


class Reader:
    """Reads numbers one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values

    def count(self) -> int:
        number: int = self.take("I")[0]
        return number


def read_pmd(data: bytes) -> dict[str, Any]:
    """All values of a mesh of version 4, whose size is the one that it states."""
    reader = Reader(data)
    assert reader.take("4sII") == (b"PSMD", 4, len(data) - 12)
    vertices, sets = reader.count(), reader.count()
    rows = [reader.take(f"6f{2 * sets}f4B4f") for _ in range(vertices)]
    triangles = [reader.take("3H") for _ in range(reader.count())]
    bones = [reader.take("7f") for _ in range(reader.count())]
    props: list[tuple[Any, ...]] = []
    for _ in range(reader.count()):
        name: bytes = reader.take(f"{reader.count()}s")[0]
        props.append((name, *reader.take("7fB")))
    assert reader.at == len(data)
    end = 6 + 2 * sets
    return {
        "positions": [row[:3] for row in rows],
        "normals": [row[3:6] for row in rows],
        "uvs": [row[6:end] for row in rows],
        "bones_of": [row[end : end + 4] for row in rows],
        "weights": [row[end + 4 :] for row in rows],
        "triangles": triangles,
        "bones": bones,
        "props": props,
    }


def test_a_mesh_has_the_numbers_of_the_arrays(tmp_path: Path) -> None:
    uvs = [[[0.0, 0.25], [1.0, 0.5], [0.5, 1.0]], [[0.125, 0.0], [0.0, 0.0], [1.0, 1.0]]]
    report = write(
        tmp_path / "a.pmd",
        normals=[[0, 0, -1], [0, 1, 0], [1, 0, 0]],
        uvs=uvs,
        joints=[[0, 1], [1, 0], [2, 0]],
        weights=[[0.75, 0.25], [1, 0], [1, 0]],
        bones=[IDENTITY, [1, 2, 3, 0, 0.6, 0, 0.8]],
        props=[skelmap.Attachment("hand", 1, (4, 5, 6), (1, 0, 0, 0)), ROOT],
    )
    found = read_pmd((tmp_path / "a.pmd").read_bytes())
    assert found["positions"] == [tuple(row) for row in CORNERS]
    assert found["normals"] == [(0, 0, -1), (0, 1, 0), (1, 0, 0)]
    assert found["uvs"] == [(0, 0.25, 0.125, 0), (1, 0.5, 0, 0), (0.5, 1, 1, 1)]
    assert found["bones_of"] == [(0, 1, 255, 255), (1, 255, 255, 255), (2, 255, 255, 255)]
    assert found["weights"] == [(0.75, 0.25, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0)]
    assert found["triangles"] == [(0, 1, 2)]
    assert found["bones"] == [tuple(IDENTITY), (1, 2, 3, 0, np.float32(0.6), 0, np.float32(0.8))]
    # The root comes first, wherever it was.
    assert found["props"] == [(b"root", 0, 0, 0, 0, 0, 0, -1, 255), (b"hand", 4, 5, 6, 1, 0, 0, 0, 1)]
    counts = {"vertices": 3, "triangles": 1, "bones": 2, "props": 2}
    assert {name: number for name, number in report.items() if number} == counts


def test_what_is_not_given_is_computed_and_counted(tmp_path: Path) -> None:
    report = write(tmp_path / "a.pmd", [*CORNERS, [5, 5, 5]], normals=[[0, 0, 0], [0, 3, 0], [0, 0, -1], [0, 0, 0]])
    found = read_pmd((tmp_path / "a.pmd").read_bytes())
    # The last vertex is in no triangle: it gets the normal that the game's converter gives.
    assert found["normals"] == [(0, 0, -1), (0, 1, 0), (0, 0, -1), (1, 0, 0)]
    assert found["uvs"] == [(0, 0)] * 4
    assert found["bones_of"] == [(255,) * 4] * 4
    assert found["props"] == [(b"root", 0, 0, 0, 0, 0, 0, 1, 255)]
    expected = {"computed_normals": 2, "normalized_normals": 1, "vertices_without_uvs": 4, "has_new_root": True}
    assert {name: report[name] for name in expected} == expected


def test_influences_are_cut_and_counted_as_the_game_needs_them(tmp_path: Path) -> None:
    joints = [[0, 1, 2, 3, 4, 0], [0, 0, 1, 255, 3, 3], [0] * 6, [4, 3, 0, 0, 0, 0]]
    weights = [[1, 2, 3, 4, 5, 0], [0.25, 0.25, 0.5, 9, 9, 9], [0] * 6, [0.9995, 0.0005, 0, 0, 0, 0]]
    report = write(tmp_path / "a.pmd", np.zeros((4, 3)), np.zeros((0, 3), int), joints=joints, weights=weights, bones=[IDENTITY] * 5)
    found = read_pmd((tmp_path / "a.pmd").read_bytes())
    assert found["bones_of"] == [(4, 3, 2, 1), (0, 1, 255, 255), (5, 255, 255, 255), (4, 255, 255, 255)]
    np.testing.assert_allclose(found["weights"][0], np.array([5, 4, 3, 2]) / 14, rtol=1e-6)
    assert found["weights"][1:] == [(0.5, 0.5, 0, 0), (1, 0, 0, 0), (1, 0, 0, 0)]
    expected = {"cut_vertices": 1, "renormalized_vertices": 1, "unmoved_vertices": 1, "weak_influences": 1}
    assert {name: report[name] for name in expected} == expected


def test_a_mesh_of_the_game_that_is_read_and_written_is_the_same_file(corpus: Path, tmp_path: Path) -> None:
    fox = opened(corpus / "fox.pmd")
    vertices = fox.vertices
    report = write(
        tmp_path / "a.pmd",
        fox.positions,
        fox.faces,
        normals=fox.normals,
        uvs=fox.uv_sets,
        joints=vertices["bones"],
        weights=vertices["weights"],
        bones=fox.bones,
        props=fox.attachments,
    )
    assert (report["vertices"], report["has_new_root"], report["cut_vertices"]) == (605, False, 0)
    written, original = (tmp_path / "a.pmd").read_bytes(), (corpus / "fox.pmd").read_bytes()
    assert read_pmd(written)["positions"] == [tuple(row) for row in fox.positions.tolist()]
    assert written == original
    # What skinning needs gives the same mesh, too.
    joints, weights = fox.to_influences()
    write(
        tmp_path / "b.pmd",
        fox.positions,
        fox.to_triangles(),
        normals=fox.normals,
        uvs=np.stack(fox.uv_sets),
        joints=joints,
        weights=weights,
        bones=fox.bind_pose,
        props=fox.attachments,
    )
    again = opened(tmp_path / "b.pmd")
    np.testing.assert_allclose(again.skin(), fox.skin(), atol=1e-6)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", ">f4", "i1", "i8", "u2"])
def test_numbers_of_any_type_and_layout_are_taken(tmp_path: Path, kind: str) -> None:
    rows = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 10]], dtype=kind)
    layouts = [rows, np.asfortranarray(rows), np.repeat(rows, 2, axis=0)[::2], rows.tolist(), rows[::-1][::-1]]
    for positions in layouts:
        write(tmp_path / "a.pmd", positions, force=True)
        assert read_pmd((tmp_path / "a.pmd").read_bytes())["positions"] == [(1, 2, 3), (4, 5, 6), (7, 8, 10)]
    rows.setflags(write=False)
    write(tmp_path / "b.pmd", rows)


@pytest.mark.parametrize("kind", ["u1", "i2", ">u4", "i8", "u8"])
def test_indices_of_any_integer_type_are_taken(tmp_path: Path, kind: str) -> None:
    write(tmp_path / "a.pmd", triangles=np.array([[0, 2, 1]], dtype=kind))
    assert read_pmd((tmp_path / "a.pmd").read_bytes())["triangles"] == [(0, 2, 1)]


SKIN: dict[str, Any] = {"joints": [[0]] * 3, "weights": [[1.0]] * 3, "bones": [IDENTITY]}
WRONG_VALUES: list[tuple[dict[str, Any], str]] = [
    ({"positions": [[0, 0]] * 3}, r"positions has the shape \(3, 2\), expected \(vertices, 3\)"),
    ({"positions": np.zeros((3, 3, 1))}, r"expected \(vertices, 3\)"),
    ({"positions": np.full((3, 3), np.nan)}, "vertex 0 has a number that is not finite"),
    ({"positions": [[0, 0, 0], [0, np.inf, 0], [0, 0, 0]]}, "vertex 1"),
    ({"positions": np.full((3, 3), 1e300)}, "vertex 0 has a number that is not finite"),
    ({"positions": np.full((3, 3), 2**24 + 1)}, "integers that a float32 cannot hold"),
    ({"triangles": [[0, 1]]}, r"triangles has the shape \(1, 2\), expected \(triangles, 3\)"),
    ({"triangles": [[0, 1, 3]]}, "triangle 0 names 3, and there are 3"),
    ({"triangles": [[0, 1, -1]]}, "index -1"),
    ({"triangles": [[0, 1, 2**32]]}, "index 4294967296"),
    ({"normals": [[0, 0, 1]]}, r"normals has the shape \(1, 3\), expected \(3, 3\)"),
    ({"normals": np.full((3, 3), np.nan)}, "vertex 0"),
    ({"uvs": [[0, 0]]}, r"each set of uvs has the shape \(1, 2\), expected \(3, 2\)"),
    ({"uvs": np.zeros((9, 3, 2))}, "9 UV sets: the limit is 8"),
    ({"uvs": np.zeros(3)}, "uvs has the shape"),
    ({"uvs": np.full((3, 2), np.inf)}, "vertex 0"),
    ({"joints": [[0]] * 3}, "belong together"),
    ({"weights": [[0]] * 3}, "belong together"),
    ({"joints": [[0]] * 3, "weights": [[1]] * 3}, "it has no bones"),
    ({"bones": [IDENTITY]}, "it has no influences"),
    (SKIN | {"joints": [[0]] * 2}, r"joints has the shape \(2, 1\), expected \(3, influences\)"),
    (SKIN | {"joints": np.zeros((3, 0), int)}, "expected 1 to 256 influences"),
    (SKIN | {"weights": [[1.0, 0.0]] * 3}, r"weights has the shape \(3, 2\), expected \(3, 1\)"),
    (SKIN | {"joints": [[0], [2], [0]]}, "vertex 1 names 2, and there are 1"),
    (SKIN | {"joints": [[0], [-1], [0]]}, "index -1"),
    (SKIN | {"weights": [[1], [1], [np.nan]]}, "vertex 2 has the weight NaN"),
    (SKIN | {"weights": [[1], [-0.5], [1]]}, "vertex 1 has the weight -0.5"),
    (SKIN | {"weights": [[1], [np.inf], [1]]}, "vertex 1 has the weight inf"),
    (SKIN | {"bones": [[0] * 6]}, r"bones has the shape \(1, 6\), expected \(bones, 7\)"),
    (SKIN | {"bones": [[0] * 7]}, "bone 0 has a rotation of length 0"),
    (SKIN | {"bones": [[0, 0, np.nan, 0, 0, 0, 1]]}, "bone 0 has a number that is not finite"),
    (SKIN | {"bones": [[*IDENTITY, 1, 1, 2]]}, "scale other than 1"),
    (SKIN | {"bones": [[*IDENTITY, 1, 1, np.nan]]}, "scale other than 1"),
    (SKIN | {"bones": [IDENTITY] * 192}, "192 bones: the limit is 191"),
    ({"props": [skelmap.Attachment("x", 0)]}, "prop point 1 names 0, and there are 0"),
    ({"props": [skelmap.Attachment("x", -1)]}, "prop point 0 has the bone -1"),
    ({"props": [skelmap.Attachment("x", 256)]}, "prop point 0 names 256"),
    ({"props": [skelmap.Attachment("x", rotation=(0, 0, 0, 2))]}, "rotation of length 2"),
    ({"props": [skelmap.Attachment("x", scale=(2, 1, 1))]}, "scale other than 1"),
    ({"props": [skelmap.Attachment("x" * 256)]}, "256 bytes in the name of a prop point: the limit is 255"),
    ({"props": [skelmap.Attachment("x")] * 4097}, "4097 prop points: the limit is 4096"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG_VALUES)
def test_a_mesh_that_cannot_be_is_a_value_error_and_no_file(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        write(tmp_path / "a.pmd", **arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("positions", [["a"] * 3] * 3),
        ("positions", np.zeros((3, 3), bool)),
        ("positions", np.zeros((3, 3), complex)),
        ("positions", np.full((3, 3), None)),
        ("triangles", [[0.0, 1.0, 2.0]]),
        ("triangles", [[True, False, True]]),
        ("normals", np.zeros((3, 3), "M8[s]")),
        ("uvs", np.zeros((3, 2), bool)),
        ("joints", [[0.0]] * 3),
        ("weights", [["1"]] * 3),
        ("bones", np.zeros(1, [("translation", "f4", 3), ("rotation", "f4", 4), ("time", "f4")])),
        ("props", [("root", None)]),
        ("props", 3),
        ("force", "yes"),
    ],
)
def test_an_array_of_another_type_is_a_type_error(tmp_path: Path, name: str, value: Any) -> None:
    with pytest.raises(TypeError):
        write(tmp_path / "a.pmd", **(SKIN | {name: value}))
    assert list(tmp_path.iterdir()) == []


def test_a_giant_shape_of_few_bytes_costs_no_memory(tmp_path: Path) -> None:
    """Such arrays are checked before they are converted: a copy would have terabytes."""
    corner, index = np.zeros(3, "f4"), np.zeros(3, "u2")
    giant = (2**40, 3)
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: write(tmp_path / "a.pmd", np.broadcast_to(corner, giant)), "1099511627776 vertices: the limit is 65535"),
        (lambda: write(tmp_path / "a.pmd", triangles=np.broadcast_to(index, giant)), "triangles: the limit is"),
        (lambda: write(tmp_path / "a.pmd", normals=np.broadcast_to(corner, giant)), r"normals has the shape"),
        (lambda: write(tmp_path / "a.pmd", uvs=np.broadcast_to(corner[:2], (2**30, 3, 2))), "UV sets: the limit is 8"),
        (lambda: write(tmp_path / "a.pmd", **(SKIN | {"joints": np.broadcast_to(index[:1], (3, 2**40))})), "1 to 256 influences"),
        (lambda: write(tmp_path / "a.pmd", bones=np.broadcast_to(np.array(IDENTITY), (2**40, 7))), "bones: the limit is 191"),
        (lambda: write_psa(tmp_path / "a.psa", np.broadcast_to(np.array(IDENTITY), (1, 2**40, 7))), "bones: the limit is 191"),
        (lambda: write_psa(tmp_path / "a.psa", np.broadcast_to(np.array(IDENTITY), (2**40, 1, 7))), "frames: the limit is 524288"),
    ]
    for call, message in calls:
        with pytest.raises(ValueError, match=message):
            call()
    assert list(tmp_path.iterdir()) == []


def test_the_largest_mesh_is_written(tmp_path: Path) -> None:
    positions = np.random.default_rng(1).normal(size=(65_535, 3)).astype("f4")
    triangles = np.arange(65_535).reshape(-1, 3)
    joints = (np.arange(65_535) % 191)[:, None]
    report = write(tmp_path / "a.pmd", positions, triangles, joints=joints, weights=np.ones_like(joints), bones=[IDENTITY] * 191)
    assert (report["vertices"], report["bones"], report["has_many_bones"]) == (65_535, 191, True)
    mesh = opened(tmp_path / "a.pmd")
    assert np.array_equal(mesh.positions, positions)
    assert np.array_equal(mesh.faces, triangles)
    assert np.array_equal(mesh.vertices["bones"][:, 0], joints[:, 0])
    with pytest.raises(ValueError, match="65536 vertices"):
        write(tmp_path / "b.pmd", np.zeros((65_536, 3)))


def test_a_file_that_exists_is_replaced_by_force_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.pmd"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError, match="force=True") as caught:
        write(path)
    assert (caught.value.errno, caught.value.filename, path.read_bytes()) == (17, str(path), b"old")
    with pytest.raises(ValueError, match="not finite"):
        write(path, np.full((3, 3), np.nan), force=True)
    assert path.read_bytes() == b"old"
    write(path, force=True)
    assert len(read_pmd(path.read_bytes())["positions"]) == 3
    assert [one.name for one in tmp_path.iterdir()] == ["a.pmd"]


def test_a_mapped_mesh_can_be_replaced_by_its_own_arrays(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.pmd"
    path.write_bytes((corpus / "fox.pmd").read_bytes())
    mesh = opened(path, mode="map")
    before = np.array(mesh.positions)
    write(path, mesh.positions, mesh.faces[:1], force=True)
    assert np.array_equal(mesh.positions, before)
    assert len(opened(path).faces) == 1


def test_the_name_of_a_file_says_what_it_is(tmp_path: Path) -> None:
    for name in ("a", "a.psk", "pmd"):
        with pytest.raises(ValueError, match=r"expected a name in \.pmd"):
            write(tmp_path / name)
        with pytest.raises(ValueError, match=r"expected a name in \.psa"):
            write_psa(tmp_path / name, [[IDENTITY]])
    write(tmp_path / "A.PMD")
    skelmap.write_pmd(str(tmp_path / "b.pmd"), CORNERS, [[0, 1, 2]])
    write(tmp_path / "new" / "folder" / "a.pmd")
    with pytest.raises(NotADirectoryError) as caught:
        write(tmp_path / "b.pmd" / "a.pmd")
    assert caught.value.filename == str(tmp_path / "b.pmd" / "a.pmd")
    (tmp_path / "folder.pmd").mkdir()
    with pytest.raises(OSError, match="not a regular file"):
        write(tmp_path / "folder.pmd", force=True)


@on_linux
@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_a_folder_that_cannot_be_written_to_is_a_permission_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError):
        write(tmp_path / "a.pmd")


def read_psa(data: bytes) -> tuple[bytes, float, list[tuple[float, ...]], int]:
    """Name, length of a frame, states and the number of bones of an animation, whose size is the one that it states."""
    reader = Reader(data)
    assert reader.take("4sII") == (b"PSSA", 1, len(data) - 12)
    name: bytes = reader.take(f"{reader.count()}s")[0]
    length: float = reader.take("f")[0]
    bones, frames = reader.take("II")
    rows = [reader.take("7f") for _ in range(bones * frames)]
    assert reader.at == len(data)
    return name, length, rows, bones


def test_an_animation_has_the_numbers_of_the_arrays(tmp_path: Path) -> None:
    states = np.zeros((3, 2, 7))
    states[..., :3] = np.arange(18).reshape(3, 2, 3)
    states[..., 6] = -1
    assert write_psa(tmp_path / "a.psa", states, rate=12.5, name="gehen ä") == {"frames": 3, "bones": 2}
    name, length, rows, bones = read_psa((tmp_path / "a.psa").read_bytes())
    assert (name.decode(), length, bones) == ("gehen ä", 80.0, 2)
    assert rows == [tuple(row) for row in states.reshape(6, 7).tolist()]


def test_an_animation_of_the_game_that_is_read_and_written_is_the_same_file(corpus: Path, tmp_path: Path) -> None:
    original = (corpus / "fox_walk.psa").read_bytes()
    walk = opened(corpus / "fox_walk.psa")[0]
    name = read_psa(original)[0].decode()
    write_psa(tmp_path / "a.psa", walk.keys, rate=walk.rate, name=name)
    assert (tmp_path / "a.psa").read_bytes() == original
    # 30 frames per second are those of the game, to the bit.
    write_psa(tmp_path / "b.psa", walk.sample(np.arange(30), unit="frames"))
    assert read_psa((tmp_path / "b.psa").read_bytes())[1] == struct.unpack("<f", b"\x55\x55\x05\x42")[0]
    np.testing.assert_allclose(opened(tmp_path / "b.psa").states["translation"], opened(corpus / "fox_walk.psa").states["translation"])


@pytest.mark.parametrize(
    ("states", "options", "message"),
    [
        (np.zeros((2, 7)), {}, r"states has the shape \(2, 7\), expected \(frames, bones, 7\)"),
        (np.zeros((1, 1, 8)), {}, "expected"),
        (np.zeros((0, 1, 7)), {}, "0 states are not one or more frames of 1 bones"),
        (np.zeros((1, 0, 7)), {}, "not one or more frames of 0 bones"),
        ([[[0] * 7]], {}, "rotation of length 0"),
        ([[[np.nan] * 7]], {}, "bone 0 has a number that is not finite"),
        ([[[0, 0, 1e300, 0, 0, 0, 1]]], {}, "bone 0 has a number that is not finite"),
        ([[[*IDENTITY, 1, 1, 0]]], {}, "scale other than 1"),
        ([[IDENTITY]], {"rate": 0}, "rate is 0, expected a finite number above 0"),
        ([[IDENTITY]], {"rate": float("nan")}, "rate is nan"),
        ([[IDENTITY]], {"rate": -1}, "rate is -1"),
        ([[IDENTITY]], {"rate": 1e300}, "a frame of 0 ms"),
        ([[IDENTITY]], {"rate": 1e-300}, "a frame of inf ms"),
        ([[IDENTITY]], {"name": "x" * 256}, "256 bytes in the name"),
    ],
)
def test_an_animation_that_cannot_be_is_a_value_error_and_no_file(
    tmp_path: Path, states: Any, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        write_psa(tmp_path / "a.psa", states, **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("states", "options"),
    [([[["a"] * 7]], {}), (np.zeros(1, STATE), {}), ([[IDENTITY]], {"rate": "30"}), ([[IDENTITY]], {"name": b"x"}), (None, {})],
)
def test_an_animation_of_another_type_is_an_error(tmp_path: Path, states: Any, options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        write_psa(tmp_path / "a.psa", states, **options)
    assert list(tmp_path.iterdir()) == []


def test_threads_write_files_at_once_and_one_file_is_one_of_theirs(tmp_path: Path) -> None:
    rows = [np.full((2_000, 3), float(number)) for number in range(8)]
    triangles = np.arange(1_998).reshape(-1, 3)
    barrier = threading.Barrier(8)

    def work(number: int) -> None:
        barrier.wait()
        for turn in range(5):
            write(tmp_path / f"{number}.pmd", rows[number], triangles, force=turn > 0)
            write(tmp_path / "all.pmd", rows[number], triangles, force=True)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    for number in range(8):
        assert (opened(tmp_path / f"{number}.pmd").positions == number).all()
    of_one = opened(tmp_path / "all.pmd").positions
    assert (of_one == of_one[0, 0]).all()
    assert sorted(one.name for one in tmp_path.iterdir()) == [*(f"{number}.pmd" for number in range(8)), "all.pmd"]
