"""Every field of every record is what an independent reader reads."""

from __future__ import annotations

import struct
import tracemalloc
from pathlib import Path

import naive
import numpy as np
import pytest
import skelmap
from skelmap import actorx, pyrogenesis, swat3
from support import (
    SAMPLES,
    address,
    as_array,
    assert_records,
    assert_same,
    each_good,
    good_files,
    manifest,
    opened,
    parsed,
    sample_files,
)
from support import TEST_CORPUS as CORPUS
from ueformat_files import is_compressed


def place(asset: skelmap.Asset, array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> int:
    """The byte of the file at which an array begins."""
    return address(array) - address(asset.data)


def assert_psk(path: Path) -> None:
    mesh, expected = opened(path), naive.read_psk(path.read_bytes())
    assert type(mesh) is actorx.Psk
    for name in ("wedges", "faces", "materials", "bones", "influences", "morph_infos", "morph_deltas", "sockets"):
        array, rows = getattr(mesh, name), expected[name]
        assert_records(array, rows, (path, name))
        assert not rows.count or place(mesh, array) == rows.offset, (path, name)
    assert_same(mesh.points, as_array(expected["points"]["point"], "3f"), path)
    assert np.shares_memory(mesh.positions, mesh.points) == (mesh.points.size > 0)
    for array, name, field, kind in (
        (mesh.normals, "normals", "point", "3f"),
        (mesh.tangents, "tangents", "tangent", "4f"),
        (mesh.colors, "colors", "rgba", "4B"),
    ):
        rows = expected[name]
        assert (array is None) == (rows.count == 0), (path, name)
        if array is not None:
            assert_same(array, as_array(rows[field], kind), (path, name))
            assert place(mesh, array) == rows.offset
    further = [rows for name, rows in expected.items() if name.startswith("uvs")]
    sets = [expected["wedges"]["uv"]] * (expected["wedges"].count > 0) + [rows["uv"] for rows in further]
    assert len(mesh.uv_sets) == len(sets), path
    for array, values in zip(mesh.uv_sets, sets, strict=True):
        assert_same(array, as_array(values, "2f"), path)


def assert_psa(path: Path) -> None:
    animation, expected = opened(path), naive.read_psa(path.read_bytes())
    assert type(animation) is actorx.Psa
    for name in ("bones", "infos", "keys", "scale_keys"):
        array, rows = getattr(animation, name), expected.parts[name]
        assert_records(array, rows, (path, name))
        assert not rows.count or place(animation, array) == rows.offset, (path, name)
    assert len(animation) == len(expected.sequences)
    tracks = expected.parts["bones"].count
    for index, own in enumerate(expected.sequences):
        found = animation[index]
        assert (found.name, found.frame_count, found.track_count) == (own.name, own.frames, tracks), path
        assert found.rate == (own.rate if 0 < own.rate < float("inf") else None), path
        whole = animation.keys[own.first_key : own.first_key + own.frames * tracks]
        assert found.keys.shape == (own.frames, tracks)
        assert_same(found.keys.reshape(-1)["translation"], whole["translation"], path)
        if whole.size:
            assert address(found.keys) == address(whole), path
        scales = found.scale_keys
        if own.first_scale_key is None or own.frames == 0:
            assert scales is None, path
        else:
            assert scales is not None
            assert scales.shape == (own.frames, tracks), path
            assert address(scales) == address(animation.scale_keys[own.first_scale_key :]), path


def assert_pmd(path: Path) -> None:
    mesh, expected = opened(path), naive.read_pmd(path.read_bytes())
    assert type(mesh) is pyrogenesis.Pmd
    vertices, uv_sets = mesh.vertices, expected.uv_sets if expected.vertices.count else 0
    for name, kind in expected.vertices.spec:
        values = as_array(expected.vertices[name], kind)
        if name == "uv":
            if not len(vertices):
                continue
            values = values.reshape(expected.vertices.count, uv_sets, 2)
        assert_same(vertices[name], values, (path, name))
    assert not len(vertices) or place(mesh, vertices) == expected.vertices.offset
    assert_same(mesh.positions, as_array(expected.vertices["position"], "3f"), path)
    assert_same(mesh.normals, as_array(expected.vertices["normal"], "3f"), path)
    assert_same(mesh.faces, as_array(expected.faces, "3H"), path)
    assert not expected.faces or place(mesh, mesh.faces) == expected.faces_at
    assert_records(mesh.bones, expected.bones, path)
    assert not expected.bones.count or place(mesh, mesh.bones) == expected.bones.offset
    if expected.vertices.count:
        assert len(mesh.uv_sets) == uv_sets
        for index, array in enumerate(mesh.uv_sets):
            assert_same(array, as_array([uv[2 * index : 2 * index + 2] for uv in expected.vertices["uv"]], "2f"), path)
    assert_same(mesh.to_triangles(), as_array(expected.faces, "3I"), path)
    assert_same(mesh.to_vertex_points(), np.arange(expected.vertices.count, dtype="<u4"), path)


def assert_states(path: Path) -> None:
    animation, expected = opened(path), naive.read_states(path.read_bytes())
    assert type(animation) is pyrogenesis.Psa
    assert_records(animation.states, expected.states, path)
    assert_records(animation.keys, expected.states, path)
    (sequence,) = animation.sequence_list
    assert sequence.name == naive.text(expected.name.replace(b"\0", b"\1")).replace("\1", "\0")
    assert sequence.track_count == expected.bones
    assert sequence.rate == 1000 / expected.frame_ms
    # Without bones there are no bytes of frames.
    assert sequence.frame_count == (expected.frames if expected.bones else 0)
    assert sequence.keys.shape == (sequence.frame_count, expected.bones)
    if expected.states.count:
        assert place(animation, sequence.keys) == place(animation, animation.states) == expected.states.offset


def assert_gsa(path: Path) -> None:
    animation, expected = opened(path), naive.read_gsa(path.read_bytes())
    assert type(animation) is swat3.Gsa
    assert_same(animation.animated_ids, as_array(expected.ids, "H"), path)
    assert not expected.ids or place(animation, animation.animated_ids) == expected.ids_at
    (sequence,) = animation.sequence_list
    assert (sequence.frame_count, sequence.track_count) == (len(expected.frames), expected.tracks)
    # The game ignores the rate of the file.
    assert (sequence.rate, sequence.name) == (10, "")
    for index, frame in enumerate(expected.frames):
        for asked in (index, index - len(expected.frames)):
            rotations = animation.rotation(asked)
            assert_same(rotations, as_array(frame.rotations, "4f"), (path, asked))
            assert not rotations.size or place(animation, rotations) == frame.offset + 40
    sizes = {after.offset - before.offset for before, after in zip(expected.frames, expected.frames[1:], strict=False)}
    ends = {len(path.read_bytes()) - expected.frames[-1].offset}
    if len(sizes | ends) == 1:
        all_rotations = np.array([frame.rotations for frame in expected.frames], dtype="<f4").reshape(-1, expected.tracks, 4)
        assert animation.rotations is not None
        assert animation.heads is not None
        assert_same(animation.rotations, all_rotations, path)
        assert_same(sequence.keys, all_rotations, path)
        heads = naive.Rows(naive.HEAD, 0, 0, {})
        heads.table = {
            "origin": [frame.head[:3] for frame in expected.frames],
            "rotation": [frame.head[3:7] for frame in expected.frames],
            "root_offset": [frame.head[7:] for frame in expected.frames],
        }
        assert_records(animation.heads, heads, path)
        assert place(animation, animation.heads) == expected.frames[0].offset
    else:
        assert animation.rotations is None
        assert animation.heads is None
        with pytest.raises(ValueError, match="differ in length"):
            _ = sequence.keys
    events = [(index, event) for index, frame in enumerate(expected.frames) for event in frame.events]
    assert [event.frame for event in animation.events] == [frame for frame, _ in events]
    for event, (_, raw) in zip(animation.events, events, strict=True):
        whole = naive.text(raw)
        kind, _, value = whole.partition("=")
        if kind in ("sound", "itemsound") and "=" in whole:
            assert (event.kind, event.value) == (kind, value), path
        else:
            assert (event.kind, event.value) == ("other", whole), path


CHECKS = {
    "actorx.psk": assert_psk,
    "actorx.psa": assert_psa,
    "pyrogenesis.pmd": assert_pmd,
    "pyrogenesis.psa": assert_states,
    "swat3.gsa": assert_gsa,
}


@each_good("actorx.psk")
def test_an_actorx_mesh_has_the_values_of_the_naive_reader(path: Path) -> None:
    assert_psk(path)


@each_good("actorx.psa")
def test_an_actorx_animation_has_the_values_of_the_naive_reader(path: Path) -> None:
    assert_psa(path)


@each_good("pyrogenesis.pmd")
def test_a_pyrogenesis_mesh_has_the_values_of_the_naive_reader(path: Path) -> None:
    assert_pmd(path)


@each_good("pyrogenesis.pmd")
def test_prop_points_are_attachments(path: Path) -> None:
    mesh, expected = opened(path), naive.read_pmd(path.read_bytes())
    props = expected.props
    if expected.version <= 2:
        # The engine adds this point, at the model.
        props = [*props, ("root", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), 255)]
    found = mesh.attachments
    assert [prop.name for prop in found] == [name for name, *_ in props], path
    for prop, (_, translation, rotation, bone) in zip(found, props, strict=True):
        assert_same(np.array([*prop.translation, *prop.rotation]), np.array([*translation, *rotation]), path)
        assert prop.bone == (bone if bone < expected.bones.count else None), path
        assert list(prop.scale) == [1.0, 1.0, 1.0]


def test_vectors_of_attachments_are_tuples(corpus: Path) -> None:
    prop = opened(corpus / "fox.pmd").attachments[0]
    assert (type(prop.translation), type(prop.rotation), type(prop.scale)) == (tuple, tuple, tuple)
    assert prop in {prop}


@each_good("pyrogenesis.psa")
def test_a_pyrogenesis_animation_has_the_values_of_the_naive_reader(path: Path) -> None:
    assert_states(path)


@each_good("swat3.gsa")
def test_a_swat_animation_has_the_values_of_the_naive_reader(path: Path) -> None:
    assert_gsa(path)


@pytest.mark.parametrize("format", CHECKS)
def test_real_files_have_the_values_of_the_naive_reader(samples: Path, format: str) -> None:
    files = sample_files(format)
    assert files, f"no file of {format} in {samples}"
    for path in files:
        CHECKS[format](path)


def test_the_corpora_have_files_of_every_format() -> None:
    assert all(len(good_files(format)) > 10 for format in CHECKS)


@pytest.mark.parametrize("format", ["actorx.psk", "actorx.psa"])
def test_names_are_utf_8_or_else_windows_1252(format: str) -> None:
    for path in good_files(format) + (sample_files(format) if SAMPLES else []):
        data, asset = path.read_bytes(), opened(path)
        parts = naive.read_psk(data) if format == "actorx.psk" else naive.read_psa(data).parts
        expected = [naive.text(name) for name in parts["bones"]["name"]]
        names: list[str] = asset.bone_names
        assert [name.rstrip(" ") for name in names] == [name.rstrip(" ") for name in expected], path
        if format == "actorx.psk":
            materials = [naive.text(name).rstrip(" ") for name in parts["materials"]["name"]]
            assert asset.material_names == materials, path
            targets = [naive.text(name).rstrip(" ") for name in parts["morph_infos"]["name"]]
            assert [name for name, _ in asset.morphs] == targets, path


def test_morph_targets_have_their_own_deltas() -> None:
    path = CORPUS / "actorx/mesh/morphs.pskx"
    expected, mesh = naive.read_psk(path.read_bytes()), opened(path)
    assert mesh.morphs
    first = 0
    for (_, deltas), count in zip(mesh.morphs, expected["morph_infos"]["vertex_count"], strict=True):
        assert deltas["point_index"].tolist() == expected["morph_deltas"]["point_index"][first : first + count]
        assert address(deltas) == address(mesh.morph_deltas[first:])
        first += count


def test_sockets_are_attachments_in_the_space_of_the_mesh() -> None:
    path = CORPUS / "actorx/mesh/everything.pskx"
    expected, mesh = naive.read_psk(path.read_bytes()), opened(path)
    sockets, bones = expected["sockets"], [naive.text(name).lower() for name in expected["bones"]["name"]]
    assert sockets.count
    for index, found in enumerate(mesh.attachments):
        x, y, z = sockets["location"][index]
        assert found.name == naive.text(sockets["name"][index])
        assert list(found.translation) == [x, -y, z]
        assert list(found.scale) == list(sockets["scale"][index])
        bone = naive.text(sockets["bone_name"][index]).lower()
        assert found.bone == (bones.index(bone) if bone in bones else None)


@each_good("actorx.psk")
def test_triangles_and_points_of_wedges_are_those_of_the_naive_reader(path: Path) -> None:
    expected, mesh = naive.read_psk(path.read_bytes()), opened(path)
    assert_same(mesh.to_triangles(), as_array(expected["faces"]["wedges"], "3I"), path)
    points = expected["points"].count
    indices = [index & 0xFFFF if points <= 65_536 else index for index in expected["wedges"]["point_index"]]
    # A wedge without a point has the first.
    assert mesh.to_vertex_points().tolist() == [index if index < points else 0 for index in indices], path


@each_good("actorx.psk")
def test_parents_are_those_of_the_reference(path: Path) -> None:
    stored, mesh = naive.read_psk(path.read_bytes())["bones"]["parent_index"], opened(path)
    expected = [
        -1 if parent < 0 or parent == bone or parent >= len(stored) or bone == parent == 0 else parent for bone, parent in enumerate(stored)
    ]
    assert mesh.parents == expected, path


@pytest.mark.parametrize("name", [name for name, file in manifest().items() if "ok" in file["expect"]])
def test_counts_are_those_that_the_corpus_states(name: str) -> None:
    expected = manifest()[name]["expect"]["ok"]
    asset = opened(CORPUS / name)
    assert asset.format == expected["format"]
    summary = asset.summary
    assert summary.keys() == expected.keys() - {"format", "quirks", "findings"}
    for key, count in summary.items():
        assert count == (expected[key] if expected[key] is None else pytest.approx(expected[key], rel=1e-9)), key
    assert asset.bone_count == (expected["bones"] or 0)
    content = (CORPUS / name).read_bytes()
    assert manifest()[name]["bytes"] == len(content)
    assert asset.nbytes == asset.data.size
    if is_compressed(content):
        assert asset.data.tobytes() != content
    else:
        assert asset.data.tobytes() == content


@pytest.mark.parametrize(("format", "up"), [("actorx.psk", "z"), ("actorx.psa", "z"), ("pyrogenesis.pmd", "y"), ("pyrogenesis.psa", "y")])
def test_the_space_is_that_of_the_reference(format: str, up: str) -> None:
    hand, metres = ("right", None) if format.startswith("actorx") else ("left", 1.0)
    assert opened(good_files(format)[0]).space == skelmap.Space(hand, up, 1.0, metres)  # type: ignore[arg-type]


def test_the_space_of_a_swat_animation_is_not_known(corpus: Path) -> None:
    assert opened(corpus / "officer_walk.gsa").space is None


@pytest.mark.parametrize("count", [0, 1, 2**20, 2**27, 2**31, 2**32 - 1])
def test_a_mesh_without_vertices_costs_nothing_whatever_uv_sets_it_states(count: int) -> None:
    payload = struct.pack("<5I", 0, count, 0, 0, 0)
    mesh = parsed(b"PSMD" + struct.pack("<II", 4, len(payload)) + payload)
    tracemalloc.start()
    try:
        assert (len(mesh.vertices), mesh.positions.shape, mesh.normals.shape, mesh.skin().shape) == (0, (0, 3), (0, 3), (0, 3))
        assert all(uvs.shape == (0, 2) for uvs in mesh.uv_sets)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
