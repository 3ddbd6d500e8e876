"""UEFormat: every value is what a naive reader reads, at every version, compressed or not, and all that meshes and animations can do."""

from __future__ import annotations

import gc
import inspect
import json
import pickle
import zlib
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np
import poses
import pytest
import rigs
import skelmap
import ueformat_files as files
from skelmap import ueformat
from support import Array, address, assert_same, each_good, lies_in, maps_of, on_linux, opened, parsed, sample_files

VERSIONS = range(11)
MODELS = [
    *(files.random_model(version) for version in VERSIONS),
    files.random_model(10, has_scales=True),
    files.random_model(9, bones=0),
    files.Model(10),
]
ANIMATIONS = [*(files.random_animation(version) for version in VERSIONS), files.Animation(9), files.Animation(10, frames=5, rate=0)]
POSES = [files.random_poses(9), files.random_poses(10), files.Poses(10)]


def name_of(own: files.Content) -> str:
    return f"{type(own).__name__}-{own.version}"


def assert_in_place(asset: skelmap.Asset, array: Array) -> None:
    """The array lies in the bytes of the file."""
    if array.size:
        assert not array.flags.writeable
        assert address(asset.data) <= address(array) < address(asset.data) + asset.nbytes


def assert_view(asset: skelmap.Asset, array: Array | None, expected: Array, about: object) -> None:
    """The values are those that are expected, and lie in the file; no values are ``None`` where the class says so."""
    if array is None:
        assert len(expected) == 0, about
    else:
        assert_same(array, expected, about)
        assert_in_place(asset, array)


def assert_head(asset: Any, own: files.Content) -> None:
    assert (asset.version, asset.name, asset.path) == (own.version, own.name, own.path)


def assert_model(mesh: Any, own: files.Model, lod: int = 0) -> None:
    assert type(mesh) is ueformat.Model
    assert_head(mesh, own)
    assert mesh.skeleton_path == own.skeleton_path
    for found, level in zip(mesh.levels, own.levels, strict=True):
        counts = (len(level.positions), len(level.indices) // 3, len(level.influences), len(level.uvs), len(level.colors))
        assert astuple(found) == (level.name, *counts, len(level.materials), len(level.morphs))
    assert mesh.lod == max(0, min(lod, len(own.levels) - 1))
    level = own.levels[mesh.lod] if own.levels else files.Level(signs=np.zeros(0, "<f4"))
    assert_view(mesh, mesh.positions, level.positions, "positions")
    assert_view(mesh, mesh.normals, level.normals, "normals")
    assert_view(mesh, mesh.tangents, level.tangents, "tangents")
    assert (mesh.normals is None) == (len(level.normals) == 0)
    assert (mesh.tangents is None) == (len(level.tangents) == 0)
    if level.signs is None or not len(level.signs):
        assert mesh.binormal_signs is None
        assert mesh.signed_normals is None
    else:
        assert_view(mesh, mesh.binormal_signs, level.signs, "signs")
        assert mesh.signed_normals is not None
        assert_view(mesh, mesh.signed_normals["normal"], level.normals, "signed normals")
        assert mesh.signed_normals.dtype == ueformat.SIGNED_NORMAL
    assert_view(mesh, mesh.indices, level.indices, "indices")
    faces = level.indices[: len(level.indices) // 3 * 3].reshape(-1, 3)
    assert_view(mesh, mesh.faces, faces, "faces")
    assert_same(mesh.to_triangles(), faces)
    assert mesh.uv_set_names == [name for name, _ in level.uvs]
    for array, (_, uvs) in zip(mesh.uv_sets, level.uvs, strict=True):
        assert_view(mesh, array, uvs, "uvs")
    for (own_name, found_colors), (name, colors) in zip(mesh.color_sets, level.colors, strict=True):
        assert own_name == name
        assert_view(mesh, found_colors, colors, "colors")
    assert (mesh.colors is None) == (not any(len(colors) for _, colors in level.colors))
    assert_records(mesh, mesh.influences, level.influences, ueformat.INFLUENCE)
    assert [(one.name, one.path, one.first_index, one.face_count) for one in mesh.materials] == level.materials
    assert mesh.material_names == [name for name, *_ in level.materials]
    for (name, deltas), (expected_name, expected_deltas) in zip(mesh.morphs, level.morphs, strict=True):
        assert name == expected_name
        assert_records(mesh, deltas, expected_deltas, ueformat.MORPH_DELTA)
    bones = mesh.to_bones()
    assert list(bones.names) == own.bones == (mesh.bone_names or [])
    assert_same(bones.parents, own.parents)
    assert_same(bones.positions, own.bind[:, :3])
    assert_same(bones.rotations, own.bind[:, 3:])
    assert (bones.scales is None) == (own.scales is None)
    if bones.scales is not None and own.scales is not None:
        assert_same(bones.scales, own.scales)
    assert [(one.name, one.bone, (*one.position, *one.rotation, *one.scale)) for one in mesh.sockets] == own.sockets
    assert [(one.source, one.target, one.name) for one in mesh.virtual_bones] == own.virtual_bones
    for hull, (name, corners, indices) in zip(mesh.hulls, own.hulls, strict=True):
        assert hull.name == name
        assert_view(mesh, hull.vertices, corners, "hull")
        assert_view(mesh, hull.indices, indices, "hull")
        assert hull.faces.shape == (len(indices) // 3, 3)
    summary = mesh.summary
    numbers = {"bones": len(own.bones), "points": len(level.positions), "faces": len(faces)}
    numbers |= {"materials": len(level.materials), "uv_sets": len(level.uvs)}
    assert {name: summary[name] for name in numbers} == numbers


def assert_records(asset: skelmap.Asset, array: Array, expected: Array, kind: np.dtype[np.void]) -> None:
    assert array.dtype == kind == expected.dtype
    assert array.shape == expected.shape
    for name in kind.names or ():
        assert_same(array[name], expected[name], name)
    assert_in_place(asset, array)


def assert_animation(animation: Any, own: files.Animation) -> None:
    assert type(animation) is ueformat.Animation
    assert_head(animation, own)
    assert animation.declared_frame_count == own.frames
    assert_same(np.array([animation.stored_rate], "<f4"), np.array([own.rate], "<f4"))
    assert animation.base_path == own.base_path
    assert (animation.additive_type, animation.base_type, animation.base_frame) == own.additive
    for track, (name, positions, rotations, scales) in zip(animation.tracks, own.tracks, strict=True):
        assert track.name == name
        assert_records(animation, track.positions, positions, ueformat.VECTOR_KEY)
        assert_records(animation, track.rotations, rotations, ueformat.ROTATION_KEY)
        assert_records(animation, track.scales, scales, ueformat.VECTOR_KEY)
    for curve, (name, keys) in zip(animation.curves, own.curves, strict=True):
        assert curve.name == name
        assert_records(animation, curve.keys, keys, ueformat.CURVE_KEY)
    (sequence,) = animation.sequence_list
    frames = min(max(own.frames, 0), 1 << 20)
    assert (sequence.name, sequence.frame_count, sequence.track_count) == (own.name, frames, len(own.tracks))
    assert sequence.rate == (np.float32(own.rate) if 0 < own.rate < np.inf else None)
    assert sequence.scale_keys is None
    with pytest.raises(ValueError, match="sparse"):
        _ = sequence.keys


def assert_poses(asset: Any, own: files.Poses) -> None:
    assert type(asset) is ueformat.Pose
    assert_head(asset, own)
    assert asset.curves == own.curves
    assert list(asset) == [name for name, *_ in own.poses]
    for index, (found, (name, bones, values, influences)) in enumerate(zip(asset.poses, own.poses, strict=True)):
        assert (found.name, found.bone_names) == (name, tuple(bones))
        assert_same(found.to_differences(), values)
        assert_records(asset, found.influences, influences, ueformat.CURVE_INFLUENCE)
        sequence = asset[index]
        assert (sequence.frame_count, sequence.track_count, sequence.rate, sequence.duration) == (1, len(bones), None, None)
        sampled = sequence.sample(0, unit="frames")
        np.testing.assert_allclose(sampled[:, :3], values[:, :3], atol=1e-6)
        np.testing.assert_allclose(sampled[:, 3:7], poses.unit(values[:, 3:7]), atol=1e-6)
        assert (sampled[:, 7:] == 1).all()
        for bone in bones:
            assert bones[sequence.find(bone.upper())].lower() == bone.lower()
        with pytest.raises(ValueError, match="names"):
            _ = sequence.keys


def assert_asset(asset: Any, own: files.Content, lod: int = 0) -> None:
    if isinstance(own, files.Model):
        assert_model(asset, own, lod)
    elif isinstance(own, files.Animation):
        assert_animation(asset, own)
    else:
        assert_poses(asset, own)


@pytest.mark.parametrize("own", [*MODELS, *ANIMATIONS, *POSES], ids=name_of)
@pytest.mark.parametrize("is_gzip", [False, True], ids=["plain", "gzip"])
def test_all_values_are_those_that_were_written(own: files.Content, is_gzip: bool, tmp_path: Path) -> None:
    content = files.write(own, is_gzip=is_gzip)
    path = tmp_path / "file.bin"
    path.write_bytes(content)
    for asset in (parsed(content), *(opened(path, mode) for mode in ("read", "map", "lease"))):
        assert_asset(asset, own)
        assert_asset(asset, files.read(asset.data.tobytes()))
        assert asset.data.tobytes() == files.write(own)
        assert [finding for finding in asset.check() if finding.severity == "error"] == []
        assert asset.nbytes == len(files.write(own))


@pytest.mark.parametrize("format", ["ueformat.uemodel", "ueformat.ueanim", "ueformat.uepose"])
def test_real_files_have_the_values_of_the_naive_reader(samples: Path, format: str) -> None:
    paths = sample_files(format)
    assert paths, f"no file of {format} in {samples}"
    for path in paths:
        asset = opened(path)
        assert asset.format == format
        assert_asset(asset, files.read(asset.data.tobytes()))


@each_good("ueformat.uemodel")
def test_a_model_has_the_values_of_the_naive_reader(path: Path) -> None:
    mesh = opened(path)
    assert_model(mesh, files.read(mesh.data.tobytes()))  # type: ignore[arg-type]


@each_good("ueformat.ueanim")
def test_an_animation_has_the_values_of_the_naive_reader(path: Path) -> None:
    animation = opened(path)
    assert_animation(animation, files.read(animation.data.tobytes()))  # type: ignore[arg-type]


@each_good("ueformat.uepose")
def test_a_list_of_poses_has_the_values_of_the_naive_reader(path: Path) -> None:
    asset = opened(path)
    assert_poses(asset, files.read(asset.data.tobytes()))  # type: ignore[arg-type]


def assert_column(array: Array, expected: dict[str, Any], about: object) -> None:
    """The number of rows, the first and last row, and the checksum of the packed values."""
    packed = np.ascontiguousarray(array)
    assert len(array) == expected["count"], about
    assert zlib.crc32(packed.tobytes()) == expected["crc32"], about
    if len(array):
        assert np.atleast_1d(packed[0]).tolist() == expected["first"], about
        assert np.atleast_1d(packed[-1]).tolist() == expected["last"], about


def assert_expected_model(path: Path, content: dict[str, Any]) -> None:
    count = len(content["lods"])
    assert len(opened(path).levels) == count
    for lod, level in enumerate(content["lods"]):
        mesh = opened(path, lod=lod)
        empty = np.zeros((0, 3), "<f4")
        assert_column(mesh.positions, level["vertices"], path)
        if mesh.version == 0:
            assert mesh.normals is not None
            assert len(mesh.normals) == level["normals"]["count"]
        elif mesh.signed_normals is not None:
            assert_column(mesh.signed_normals.view("<f4").reshape(-1, 4), level["normals"], path)
        assert_column(empty if mesh.tangents is None else mesh.tangents, level["tangents"], path)
        assert_column(mesh.indices, level["indices"], path)
        for uvs, expected in zip(mesh.uv_sets, level["uvs"], strict=True):
            assert_column(uvs, expected, path)
        for (_, colors), expected in zip(mesh.color_sets, level["colors"], strict=True):
            assert_column(colors, expected, path)
        materials = [(one["name"], one["first_index"], one["num_faces"]) for one in level["materials"]]
        assert [(one.name, one.first_index, one.face_count) for one in mesh.materials] == materials
        for field, name in (("bone", "bones"), ("vertex", "vertices"), ("weight", "weights")):
            assert_column(mesh.influences[field], level["weights"][name], (path, name))
        for (name, deltas), expected in zip(mesh.morphs, level["morphs"], strict=True):
            assert name == expected["name"]
            for field, key in (("position", "positions"), ("normal", "normals"), ("vertex", "vertices")):
                assert_column(deltas[field], expected[key], (path, name))
    skeleton, bones = content["skeleton"], opened(path).to_bones()
    if skeleton is None:
        assert bones.names == ()
    else:
        assert list(bones.names) == skeleton["names"]
        assert bones.parents.tolist() == skeleton["parents"]
        assert_column(bones.positions, skeleton["positions"], path)
        assert_column(bones.rotations, skeleton["rotations"], path)


def assert_expected_animation(path: Path, content: dict[str, Any]) -> None:
    animation = opened(path)
    assert animation.declared_frame_count == content["num_frames"]
    assert animation.stored_rate == content["fps"]
    for track, expected in zip(animation.tracks, content["tracks"], strict=True):
        assert track.name == expected["name"]
        for part in ("positions", "rotations", "scales"):
            keys = getattr(track, part)
            assert_column(keys["frame"], expected[part]["frames"], (path, track.name))
            assert_column(keys["value"], expected[part]["values"], (path, track.name))
    for curve, expected in zip(animation.curves, content["curves"], strict=True):
        assert curve.name == expected["name"]
        assert_column(curve.keys["frame"], expected["frames"], (path, curve.name))
        assert_column(curve.keys["value"], expected["values"], (path, curve.name))


def assert_expected_poses(path: Path, content: dict[str, Any]) -> None:
    asset = opened(path)
    assert asset.curves == content["curves"]
    for pose, expected in zip(asset.poses, content["poses"], strict=True):
        assert (pose.name, list(pose.bone_names)) == (expected["name"], expected["bones"])
        assert_column(pose.to_differences(), expected["values"], (path, pose.name))
        assert_column(pose.influences["curve"], expected["curve_indices"], (path, pose.name))
        assert_column(pose.influences["influence"], expected["influences"], (path, pose.name))


def test_real_files_have_the_values_that_their_makers_put_in(samples: Path) -> None:
    checks = {"UEMODEL": assert_expected_model, "UEANIM": assert_expected_animation, "UEPOSE": assert_expected_poses}
    count = 0
    for listed in sorted((samples / "ueformat").glob("*.expected.json")):
        expected = json.loads(listed.read_text())
        path = listed.with_name(expected["file"])
        asset = opened(path)
        assert (asset.version, asset.name) == (expected["version"], expected["object_name"])
        assert asset.path == (expected["object_path"] or "")
        checks[expected["identifier"]](path, expected["content"])
        count += 1
    assert count > 10


def test_damaged_files_open_or_are_format_errors(samples: Path) -> None:
    for path in sorted((samples / "ueformat" / "damaged").glob("*.ue*")):
        caught: skelmap.FormatError | None = None
        try:
            asset = opened(path)
            asset.check()
            repr(asset)
        except skelmap.FormatError as error:
            caught = error
        assert caught is None or (caught.kind and caught.path == str(path))


@pytest.mark.parametrize("lod", [0, 1, 2, 10**30])
@pytest.mark.parametrize("version", [0, 4, 9, 10])
def test_a_level_of_detail_is_that_of_all_arrays(lod: int, version: int, tmp_path: Path) -> None:
    own = files.random_model(version)
    path = tmp_path / "fox.uemodel"
    path.write_bytes(files.write(own))
    level = own.levels[min(lod, len(own.levels) - 1)]
    (item,) = skelmap.walk(path, lod=lod)
    ways: list[Any] = [parsed(path.read_bytes(), lod=lod), opened(path, lod=lod), item.open()]
    for mesh in [*ways, pickle.loads(pickle.dumps(opened(path, lod=lod)))]:
        assert_model(mesh, own, min(lod, 100))
        assert f"points={len(level.positions)}" in repr(mesh)
        assert mesh.skin().shape == (len(level.positions), 3)
        assert mesh.to_vertex_points().tolist() == list(range(len(level.positions)))
        assert len(mesh.to_influences()[0]) == len(level.positions)
        report = mesh.to_gltf(tmp_path / "fox.glb", keep_degenerate=True)
        assert report["triangles"] == len(level.indices) // 3
        assert mesh.to_png(16)


def test_a_level_is_a_number_from_0_on() -> None:
    content = files.write(files.random_model(10))
    for wrong in (-1, -(10**30)):
        with pytest.raises(ValueError, match="lod is -1"):
            parsed(content, lod=wrong)
    other: Any
    for other in (1.0, "1", None, True):
        with pytest.raises(TypeError, match="lod is"):
            parsed(content, lod=other)
    assert parsed(content, lod=np.int64(1)).lod == 1


def test_files_of_other_formats_have_one_level(corpus: Path) -> None:
    assert np.array_equal(opened(corpus / "fox.psk", lod=3).points, opened(corpus / "fox.psk").points)
    assert opened(corpus / "fox.psa", lod=3)["walk"].frame_count == 30


def test_convert_to_takes_a_level_of_detail(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "fox.uemodel").write_bytes(files.write(files.random_model(10)))
    sizes: list[int] = []
    for lod in (0, 1, 7):
        assert skelmap.convert_to(tmp_path / f"out{lod}", folder, lod=lod, keep_degenerate=True).written == 1
        (output,) = (tmp_path / f"out{lod}").rglob("*.glb")
        sizes.append(output.stat().st_size)
    assert sizes[0] > sizes[1]
    with pytest.raises(ValueError, match="lod is -1"):
        skelmap.convert_to(tmp_path / "none", folder, lod=-1)


def sample_sparse(own: files.Animation, position: float) -> poses.Doubles:
    """The transforms of all tracks: a value is held until the last frame before the next key."""
    position = min(max(position, 0), own.frames - 1)
    first = int(position)
    weight = position - first
    found = np.zeros((len(own.tracks), 10))
    found[:, 6:] = 1

    def at(keys: Array, frame: int) -> Array:
        before = keys[keys["frame"] <= frame]
        value: Array = (before[-1] if len(before) else keys[0])["value"].astype(np.float64)
        return value

    for row, (_, positions, rotations, scales) in zip(found, own.tracks, strict=True):
        for keys, part in ((positions, slice(0, 3)), (scales, slice(7, 10))):
            if len(keys):
                row[part] = at(keys, first) * (1 - weight) + at(keys, min(first + 1, own.frames - 1)) * weight
        if len(rotations):
            row[3:7] = poses.slerp(at(rotations, first)[None], at(rotations, min(first + 1, own.frames - 1))[None], weight)[0]
    return found


@pytest.mark.parametrize("own", [files.random_animation(version) for version in (0, 6, 7, 10)], ids=name_of)
def test_samples_hold_a_value_until_the_last_frame_before_the_next_key(own: files.Animation) -> None:
    animation = parsed(files.write(own))
    (sequence,) = animation.sequence_list
    times = [0, 0.5, 1, 2.25, 3, 4.75, 7.5, 8, 8.5, 100]
    expected = np.array([sample_sparse(own, time) for time in times])
    found = sequence.sample(times, unit="frames")
    rotations = (found[..., 3:7] * expected[..., 3:7]).sum(axis=-1)
    np.testing.assert_allclose(np.abs(rotations), 1, atol=1e-5)
    for part in (slice(0, 3), slice(7, 10)):
        np.testing.assert_allclose(found[..., part], expected[..., part], atol=1e-5)
    np.testing.assert_allclose(sequence.sample(np.array(times) / 24), found, atol=1e-5)
    whole = animation.to_keys()
    assert whole.shape == (own.frames, len(own.tracks), 10)
    assert np.array_equal(whole, sequence.sample(range(own.frames), unit="frames"))
    assert whole.flags.writeable
    with pytest.raises(ValueError, match="sparse"):
        sequence.track("root")
    assert animation.tracks[sequence.find("SPINE")].name == "spine"


def test_a_clip_whose_frames_are_far_more_than_its_keys_is_written_by_its_keys(tmp_path: Path) -> None:
    own = files.random_animation(10)
    own.tracks = [(f"bone{index}", *own.tracks[0][1:]) for index in range(200)]
    own.frames = 2**31 - 1
    animation = parsed(files.write(own))
    assert animation.declared_frame_count == own.frames
    (sequence,) = animation.sequence_list
    assert sequence.frame_count == 1 << 20
    assert "frames-unlikely" in {quirk.code for quirk in animation.quirks}
    with pytest.raises(ValueError, match="far more memory than the keys"):
        animation.to_keys()
    assert sequence.sample([0, 1e9], unit="frames").shape == (2, 200, 10)
    # glTF has the keys that are stored.
    report = animation.to_gltf(tmp_path / "a.glb")
    assert (report["animations"], report["clips_beyond_limits"]) == (1, 0)
    assert (tmp_path / "a.glb").stat().st_size < 1_000_000


@pytest.mark.parametrize("version", VERSIONS)
def test_a_model_is_skinned_as_numpy_does_it(version: int) -> None:
    own = files.random_model(version, has_scales=version == 10)
    level = own.levels[0]
    bind = np.ones((len(own.bones), 10))
    bind[:, :7] = own.bind
    if own.scales is not None:
        bind[:, 7:] = own.scales
    influences = [list[tuple[int, float]]() for _ in range(len(level.positions))]
    for bone, vertex, weight in level.influences.tolist():
        influences[int(vertex)].append((int(bone), float(weight)))
    rig = rigs.Rig(level.positions.astype(np.float64), level.normals, bind, own.parents.tolist(), influences)
    mesh = parsed(files.write(own))
    np.testing.assert_allclose(mesh.bind_pose, bind, atol=1e-5)
    pose = rigs.random_pose(bind, version)
    np.testing.assert_allclose(mesh.skin(pose.astype(np.float32)), rig.skin(pose), atol=1e-3)
    np.testing.assert_allclose(mesh.model_matrices(pose.astype(np.float32)), rig.places(pose)[:-1], atol=1e-3)
    assert mesh.skin(normals=True).shape == (len(level.positions), 3)


@pytest.mark.parametrize("version", [7, 8, 10])
def test_an_animation_is_bound_by_names_in_any_case(version: int) -> None:
    model, own = files.random_model(version), files.random_animation(version)
    mesh, animation = parsed(files.write(model)), parsed(files.write(own))
    binding = mesh.bind(animation, "walk")
    assert binding.match.matched == 3
    assert binding.match.bones == (3, 1, 0, None)
    assert skelmap.match(mesh, animation) == binding.match
    found, sampled = binding.sample(3, unit="frames"), animation[0].sample(3, unit="frames")
    np.testing.assert_allclose(found[[3, 1, 0]], sampled[:3], atol=1e-6)
    np.testing.assert_allclose(found[[2, 4]], mesh.bind_pose[[2, 4]], atol=1e-6)
    assert binding.skin([0, 0.1]).shape == (2, 12, 3)


def test_an_animation_of_another_space_moves_a_model() -> None:
    mesh, model = parsed(files.write(files.random_model(10))), files.random_animation(10)
    # Before version 8, y is negated.
    tracks: list[tuple[str, Array, Array, Array]] = []
    for name, positions, rotations, scales in model.tracks:
        positions, rotations = positions.copy(), rotations.copy()
        positions["value"][:, 1] *= -1
        rotations["value"] *= np.array([-1, 1, -1, 1], "<f4")
        tracks.append((name, positions, rotations, scales))
    old = replace(model, version=7, path="", tracks=tracks)
    found, expected = (mesh.bind(parsed(files.write(own))).sample(2, unit="frames") for own in (old, model))
    np.testing.assert_allclose(found[:, [0, 1, 2, 7, 8, 9]], expected[:, [0, 1, 2, 7, 8, 9]], atol=1e-5)
    np.testing.assert_allclose(np.abs((found[:, 3:7] * expected[:, 3:7]).sum(axis=1)), 1, atol=1e-5)


def test_a_pose_is_added_to_the_bind_pose_of_a_mesh() -> None:
    own, mesh = files.random_poses(10), parsed(files.write(files.random_model(10, has_scales=True)))
    asset = parsed(files.write(own))
    for name, bones, values, _ in own.poses:
        found, expected = mesh.bind(asset, name).sample(0, unit="frames"), mesh.bind_pose
        for bone, row in zip(bones, values, strict=True):
            index = mesh.bone_names.index(bone)
            expected[index, :3] += row[:3]
            matrices = poses.matrices(np.array([[0, 0, 0, *turn, 1, 1, 1] for turn in (expected[index, 3:7], row[3:7])]))
            local = poses.matrices(np.array([[0, 0, 0, *found[index, 3:7], 1, 1, 1]]))[0]
            assert any(np.allclose(local, product, atol=1e-5) for product in (matrices[0] @ matrices[1], matrices[1] @ matrices[0]))
            expected[index, 3:7] = found[index, 3:7]
        np.testing.assert_allclose(found, expected, atol=1e-5)
        assert mesh.bind(asset, name).skin(0, unit="frames").shape == (12, 3)


def test_models_and_animations_become_gltf(tmp_path: Path) -> None:
    mesh, animation = parsed(files.write(files.random_model(10))), parsed(files.write(files.random_animation(10)))
    report = mesh.to_gltf(tmp_path / "fox.glb", animation, keep_degenerate=True)
    assert report["triangles"] == 12
    assert (tmp_path / "fox.glb").read_bytes()[:4] == b"glTF"
    animation.to_gltf(tmp_path / "walk.glb")
    parsed(files.write(files.random_poses(10))).to_gltf(tmp_path / "poses.glb")
    static = parsed(files.write(files.random_model(9, bones=0)))
    assert static.to_gltf(tmp_path / "static.gltf", keep_degenerate=True)["triangles"] == 12
    assert static.to_trimesh().faces.shape == (12, 3)


def test_sockets_are_attachments_of_bones() -> None:
    for version, y in ((7, -2.0), (8, 2.0)):
        mesh = parsed(files.write(files.random_model(version)))
        hand, lost = mesh.attachments
        assert (hand.name, hand.bone, hand.translation, hand.scale) == ("Hand", 3, (1, 2, 3), (1, y, 1))
        assert (lost.name, lost.bone) == ("Lost", None)


@pytest.mark.parametrize("version", VERSIONS)
def test_the_space_is_that_of_the_version(version: int) -> None:
    expected = skelmap.Space("left" if version >= 8 else "right", "z", 1.0, None)
    assert parsed(files.write(files.random_model(version))).space == expected
    assert parsed(files.write(files.random_animation(version))).space == expected


def arrays_of(asset: Any) -> list[Array]:
    """All arrays in place, also those in lists."""
    if isinstance(asset, ueformat.Model):
        arrays: list[Any] = [asset.positions, asset.normals, asset.signed_normals, asset.binormal_signs, asset.tangents, asset.indices]
        arrays += [asset.faces, asset.influences, asset.colors, *asset.uv_sets, *(colors for _, colors in asset.color_sets)]
        arrays += [deltas for _, deltas in asset.morphs]
        arrays += [part for hull in asset.hulls for part in (hull.vertices, hull.indices, hull.faces)]
    elif isinstance(asset, ueformat.Animation):
        arrays = [part for track in asset.tracks for part in (track.positions, track.rotations, track.scales)]
        arrays += [curve.keys for curve in asset.curves]
    else:
        arrays = [pose.influences for pose in asset.poses]
    return [array for array in [*arrays, asset.data] if array.size]


ONE_OF_EACH: list[files.Content] = [files.random_model(10), files.random_animation(10), files.random_poses(10)]


@on_linux
@pytest.mark.parametrize("own", ONE_OF_EACH, ids=name_of)
def test_arrays_of_a_mapped_file_lie_in_its_map_and_outlive_the_asset(own: files.Content, tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(files.write(own))
    asset = opened(path, mode="map")
    arrays = arrays_of(asset)
    assert len(arrays) > 1
    for array in arrays:
        assert lies_in(array, path)
        with pytest.raises(ValueError, match="read-only"):
            array[...] = array
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    before = [array.tobytes() for array in arrays]
    asset.close()
    del asset
    assert [array.tobytes() for array in arrays] == before


@on_linux
@pytest.mark.parametrize("own", ONE_OF_EACH, ids=name_of)
def test_the_map_ends_with_the_last_array(own: files.Content, tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(files.write(own))
    arrays = arrays_of(opened(path, mode="map"))
    gc.collect()
    assert len(maps_of(path)) == 1
    arrays.clear()
    gc.collect()
    assert maps_of(path) == []


@on_linux
@pytest.mark.parametrize("own", ONE_OF_EACH, ids=name_of)
def test_a_compressed_file_is_unpacked_into_memory(own: files.Content, tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(files.write(own, is_gzip=True))
    asset = opened(path, mode="map")
    assert maps_of(path) == []
    before = [array.tobytes() for array in arrays_of(asset)]
    arrays = arrays_of(asset)
    path.write_bytes(b"")
    del asset
    assert [array.tobytes() for array in arrays] == before


def test_a_compressed_file_that_is_damaged_is_a_format_error() -> None:
    content = files.write(files.random_model(10), is_gzip=True)
    header = files.read_header(content)
    cut = content[:-40]
    wrong = bytearray(content)
    wrong[-6] ^= 1
    # The flag is followed by the name of the compression, then by the two sizes.
    sizes = header.body + 8
    bomb = content[:sizes] + (2**31 - 1).to_bytes(4, "little") + content[sizes + 4 :]
    longer = content[:sizes] + (1 + int.from_bytes(content[sizes : sizes + 4], "little")).to_bytes(4, "little") + content[sizes + 4 :]
    oodle = content[: header.body] + files.text("Oodle") + content[header.body + 8 :]
    kinds: list[str] = []
    for damaged in (cut, bytes(wrong), bomb, longer, oodle):
        with pytest.raises(skelmap.FormatError) as caught:
            parsed(damaged)
        kinds.append(caught.value.kind)
    assert kinds[1:] == ["compressed-data", "unpacked-limit", "unpacked-size", "compression"]


def test_a_row_of_a_compressed_file_has_what_its_header_says(tmp_path: Path) -> None:
    # pyarrow needs a newer NumPy than the oldest that is promised.
    pytest.importorskip("pyarrow", exc_type=ImportError)
    for name, own in zip(("fox.uemodel", "walk.ueanim", "faces.uepose"), ONE_OF_EACH, strict=True):
        (tmp_path / name).write_bytes(files.write(own, is_gzip=True))
        (tmp_path / f"plain_{name}").write_bytes(files.write(own))
    rows = {Path(row["path"]).name: row for row in skelmap.catalog(tmp_path).to_pyarrow().to_pylist()}
    for name in ("fox.uemodel", "walk.ueanim", "faces.uepose"):
        packed, plain, asset = rows[name], rows[f"plain_{name}"], opened(tmp_path / name)
        assert packed["quirks"] == ["compressed"]
        assert asset.quirks == []
        assert packed["format"] == plain["format"] == asset.format
        assert all(packed[count] is None for count in asset.summary)
        assert asset.summary == {count: plain[count] for count in asset.summary}
        assert packed["bytes"] == (tmp_path / name).stat().st_size


@pytest.mark.parametrize("own", ONE_OF_EACH, ids=name_of)
def test_an_asset_is_shown_pickled_and_closed(own: files.Content, tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(files.write(own, is_gzip=True))
    asset = opened(path)
    again = pickle.loads(pickle.dumps(asset))
    assert type(again) is type(asset)
    assert again.summary == asset.summary
    assert repr(asset).startswith(f"<skelmap.ueformat.{type(asset).__name__} 'file.bin' bones=")
    assert "<table>" in asset._repr_html_()
    asset.close()
    for name in ("version", "name", "path", "summary"):
        with pytest.raises(ValueError, match="closed"):
            getattr(asset, name)
    assert "closed" in repr(asset)


def test_all_public_names_are_documented_and_cannot_be_replaced() -> None:
    for name in ueformat.__all__:
        thing = getattr(ueformat, name)
        if isinstance(thing, type):
            assert inspect.getdoc(thing), name
            for member_name, member in inspect.getmembers(thing):
                if not member_name.startswith("_") and not inspect.ismemberdescriptor(member):
                    assert inspect.getdoc(member), (name, member_name)
    for own in ONE_OF_EACH:
        asset = parsed(files.write(own))
        for attribute in ("mine", "version", "name", "curves", "lod"):
            with pytest.raises(AttributeError):
                setattr(asset, attribute, 1)
    for kind in (ueformat.Model, ueformat.Animation, ueformat.Pose):
        make: Any = kind
        with pytest.raises(TypeError):
            make()


def test_what_is_computed_is_new_and_writable() -> None:
    mesh, poses_file = parsed(files.write(files.random_model(10, has_scales=True))), parsed(files.write(files.random_poses(10)))

    def arrays() -> list[Array]:
        bones = mesh.to_bones()
        return [bones.parents, bones.positions, bones.rotations, bones.scales, *(pose.to_differences() for pose in poses_file.poses)]

    before = [array.copy() for array in arrays()]
    for array in arrays():
        array[...] = 7
    for array, expected in zip(arrays(), before, strict=True):
        assert_same(array, expected)
    (pose, *_) = poses_file.poses
    pose.to_differences()[...] = 7
    assert not (pose.to_differences() == 7).any()
    assert repr(pose) == "<skelmap.ueformat.NamedPose 'Happy' bones=2 influences=2>"


def test_names_that_are_not_utf_8_are_shown() -> None:
    own = files.random_animation(10)
    own.name = "x"
    content = files.write(own).replace(files.text("x"), files.text(b"\xe4"), 1)
    assert parsed(content).name == "ä"


def test_no_model_is_no_animation() -> None:
    content = files.write(files.random_model(10))
    with pytest.raises(ValueError, match=r"mesh of the format ueformat\.uemodel, expected skelmap\.ueformat\.Animation"):
        skelmap.parse(content, kind=ueformat.Animation)
    assert isinstance(skelmap.parse(content, kind=skelmap.Mesh), ueformat.Model)
