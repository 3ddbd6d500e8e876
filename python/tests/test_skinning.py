"""Skinning is linear blend skinning, as NumPy computes it."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Literal

import build
import naive
import numpy as np
import numpy.typing as npt
import poses
import pytest
from rigs import Rig, random_pose
from support import each_good, opened, parsed, sample_files


def size_of(values: npt.ArrayLike) -> float:
    """What errors of rounding are relative to."""
    found = np.abs(np.asarray(values))
    return max(1.0, float(found.max())) if found.size else 1.0


def assert_skins(path: Path) -> bool:
    """Compares all that a mesh computes with NumPy. False for a mesh whose numbers have no result."""
    mesh, rig = opened(path), Rig.read(path)
    bones = len(rig.bind)
    assert mesh.bind_pose.shape == (bones, 10)
    assert mesh.inverse_bind.shape == (bones, 4, 4)
    assert mesh.skin().shape == (len(rig.points), 3)
    if not rig.is_sound:
        return False
    np.testing.assert_allclose(mesh.bind_pose, rig.bind, atol=2e-6 * size_of(rig.bind), err_msg=str(path))
    places = rig.places(rig.bind)[:-1]
    size = size_of(places)
    np.testing.assert_allclose(mesh.model_matrices(), places, atol=1e-5 * size, err_msg=str(path))
    np.testing.assert_allclose(mesh.inverse_bind, np.linalg.inv(places), atol=1e-5 * size, err_msg=str(path))
    size = max(size, size_of(rig.points))
    np.testing.assert_allclose(mesh.skin(), rig.rest(), atol=2e-5 * size, err_msg=str(path))
    for width in (1, 4, 8) if len(rig.points) < 10_000 else (4,):
        pose = random_pose(rig.bind, width, with_scales=width == 8)
        assert_close = np.testing.assert_allclose
        assert_close(mesh.model_matrices(pose), rig.places(pose)[:-1], atol=1e-5 * size_of(rig.places(pose)), err_msg=str(path))
        expected = rig.skin(pose, width)
        assert_close(mesh.skin(pose, influences=width), expected, atol=3e-5 * max(size, size_of(expected)), err_msg=str(path))
    return True


@each_good("actorx.psk")
def test_meshes_of_actorx_are_skinned_as_in_numpy(path: Path) -> None:
    assert_skins(path)


@each_good("pyrogenesis.pmd")
def test_meshes_of_pyrogenesis_are_skinned_as_in_numpy(path: Path) -> None:
    assert_skins(path)


def test_real_meshes_are_skinned_as_in_numpy(samples: Path) -> None:
    files = [path for path in sample_files("actorx.psk") if path.stat().st_size < 600_000] + sample_files("pyrogenesis.pmd")[::12]
    assert sum(map(assert_skins, files)) > 10, samples


@pytest.mark.parametrize("width", [1, 2, 4, 7, 32])
def test_influences_are_the_strongest_of_each_point_and_add_up_to_one(corpus: Path, test_corpus: Path, width: int) -> None:
    odd = ["point_unweighted.psk", "weight_bone.psk", "weight_point_negative.psk", "weight_sum.psk", "weight_value.psk", "classic.psk"]
    for path in (corpus / "fox.psk", corpus / "fox.pmd", *(test_corpus / "actorx/mesh" / name for name in odd)):
        rows = Rig.read(path).rows(width)
        bones, weights = opened(path).to_influences(width)
        assert bones.dtype == np.uint32
        assert weights.dtype == np.float32
        assert bones.shape == weights.shape == (len(rows), width)
        np.testing.assert_allclose(weights.sum(axis=1), 1, atol=2e-7)
        for row, own_bones, own_weights in zip(rows, bones.tolist(), weights.tolist(), strict=True):
            rest = [0] * (len(own_bones) - len(row))
            assert own_bones == [bone for bone, _ in row] + rest
            np.testing.assert_allclose(own_weights, [weight for _, weight in row] + [0.0] * len(rest), atol=1e-6)


def test_equal_pairs_of_point_and_bone_are_added() -> None:
    bones = [build.bone(name) for name in (b"a", b"b", b"c")]
    influences = [(0.25, 0, 2), (0.25, 0, 1), (0.5, 0, 2), (0.0, 0, 0), (-1.0, 1, 0), (float("nan"), 1, 1), (2.0, 1, 2)]
    mesh = parsed(build.psk(np.zeros((2, 3)), bones, influences))
    indices, weights = mesh.to_influences(3)
    assert indices.tolist() == [[2, 1, 0], [2, 0, 0]]
    assert weights.tolist() == [[0.75, 0.25, 0], [1, 0, 0]]


def test_all_influences_move_a_point_unless_fewer_are_asked_for() -> None:
    """Six bones with the same weight, of which one moves."""
    bones = [build.bone(b"root"), *(build.bone(b"b%d" % bone, 0) for bone in range(1, 6))]
    mesh = parsed(build.psk([[0, 0, 0], [1, 2, 3]], bones, [*((1 / 6, 0, bone) for bone in range(6)), (1, 1, 0)]))
    pose = mesh.bind_pose
    pose[5, :3] += [0, 6, 0]
    np.testing.assert_allclose(mesh.skin(pose), [[0, 1, 0], [1, 2, 3]], atol=1e-6)
    np.testing.assert_allclose(mesh.skin(pose, influences=4), [[0, 0, 0], [1, 2, 3]], atol=1e-6)
    assert [mesh.count_weaker_influences(width) for width in (1, 4, 6, 32)] == [5, 2, 0, 0]


def test_a_point_without_influences_follows_the_first_bone() -> None:
    bones = [build.bone(b"root"), build.bone(b"arm", 0, translation=(1, 0, 0))]
    mesh = parsed(build.psk([[0, 0, 0], [1, 2, 3], [4, 5, 6]], bones, [(1, 0, 1)]))
    pose = mesh.bind_pose
    pose[0, :3] += [10, 0, 0]
    assert mesh.skin(pose).tolist() == [[10, 0, 0], [11, 2, 3], [14, 5, 6]]
    pose = mesh.bind_pose
    pose[1, :3] += [0, 7, 0]
    assert mesh.skin(pose).tolist() == [[0, 7, 0], [1, 2, 3], [4, 5, 6]]


def test_a_mesh_without_bones_stays_where_it_is() -> None:
    mesh = parsed(build.psk([[0, 0, 0], [1, 2, 3], [4, 5, 6]]))
    assert mesh.bone_count == 0
    assert mesh.skin().tolist() == mesh.points.tolist()
    assert mesh.skin(np.zeros((5, 0, 10))).shape == (5, 3, 3)
    bones, weights = mesh.to_influences()
    assert (bones.tolist(), weights.tolist()) == ([[0] * 4] * 3, [[1, 0, 0, 0]] * 3)


def test_normals_turn_with_their_bones(test_corpus: Path) -> None:
    for path in (test_corpus / "actorx/mesh/everything.pskx", test_corpus / "pyrogenesis/pmd/skinned.pmd"):
        mesh, rig = opened(path), Rig.read(path)
        assert rig.normals is not None
        for seed in range(3):
            pose = random_pose(rig.bind, seed)
            found = mesh.skin(pose, normals=True)
            np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
            np.testing.assert_allclose(found, rig.skin_normals(pose), atol=1e-5)


def test_normals_of_a_mesh_without_any_are_a_value_error(corpus: Path) -> None:
    mesh = opened(corpus / "fox.psk")
    assert mesh.normals is None
    with pytest.raises(ValueError, match="no normals"):
        mesh.skin(normals=True)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,), (2, 0)])
def test_the_shape_of_the_result_begins_with_that_of_the_poses(corpus: Path, shape: tuple[int, ...]) -> None:
    mesh = opened(corpus / "fox.psk")
    bind = mesh.bind_pose.astype(np.float64)
    seeds = np.arange(int(np.prod(shape))).reshape(shape)
    given = np.empty((*shape, 23, 10))
    for index in np.ndindex(shape):
        given[index] = random_pose(bind, int(seeds[index]))
    skinned, matrices = mesh.skin(given), mesh.model_matrices(given)
    assert skinned.shape == (*shape, 398, 3)
    assert matrices.shape == (*shape, 23, 4, 4)
    for index in np.ndindex(shape):
        np.testing.assert_array_equal(skinned[index], mesh.skin(given[index]))
        np.testing.assert_array_equal(matrices[index], mesh.model_matrices(given[index]))
    np.testing.assert_array_equal(mesh.skin(given.astype(">f4")), skinned)
    np.testing.assert_array_equal(mesh.skin(np.asfortranarray(given)), skinned)
    np.testing.assert_array_equal(mesh.skin(given.tolist()) if given.size else skinned, skinned)


@pytest.mark.parametrize("shape", [(23,), (10,), (22, 10), (24, 10), (23, 9), (10, 23), (23, 10, 1), (2, 23, 16)])
def test_poses_of_another_shape_are_a_value_error(corpus: Path, shape: tuple[int, ...]) -> None:
    mesh = opened(corpus / "fox.psk")
    for call in (mesh.skin, mesh.model_matrices):
        with pytest.raises(ValueError, match="poses have the shape"):
            call(np.zeros(shape))


@pytest.mark.parametrize("influences", [0, -1, 33, 2**64, -(2**64)])
def test_influences_beyond_the_bounds_are_a_value_error(corpus: Path, influences: int) -> None:
    mesh = opened(corpus / "fox.psk")
    with pytest.raises(ValueError, match="expected 1 to 32"):
        mesh.skin(influences=influences)
    with pytest.raises(ValueError, match="expected 1 to 32"):
        mesh.to_influences(influences)


def test_a_bound_sequence_moves_the_mesh_as_in_numpy(corpus: Path) -> None:
    mesh, rig = opened(corpus / "fox.psk"), Rig.read(corpus / "fox.psk")
    for sequence in opened(corpus / "fox.psa").sequence_list:
        binding = mesh.bind(sequence)
        times = [0.0, 0.011, 0.5, 0.99, 2.3]
        wraps: tuple[Literal["clamp", "loop"], ...] = ("clamp", "loop")
        for wrap in wraps:
            given = sequence.sample(times, wrap=wrap).astype(np.float64)
            np.testing.assert_array_equal(binding.sample(times, wrap=wrap), given)
            expected = np.array([rig.skin(pose) for pose in given])
            found = binding.skin(times, wrap=wrap)
            np.testing.assert_allclose(found, expected, atol=1e-5 * size_of(expected))
            assert np.abs(found - mesh.points).max() > 1
        assert binding.skin(3.5, unit="frames").shape == (398, 3)
        np.testing.assert_array_equal(binding.skin(3.5, unit="frames"), mesh.skin(binding.sample(3.5, unit="frames")))


def test_states_of_pyrogenesis_move_a_mesh_as_in_numpy(corpus: Path) -> None:
    mesh, rig = opened(corpus / "fox.pmd"), Rig.read(corpus / "fox.pmd")
    walk = opened(corpus / "fox_walk.psa")
    binding = mesh.bind(walk)
    assert binding.sequence.animation is walk
    for pose, found in zip(walk[0].sample([0, 0.4]).astype(np.float64), binding.skin([0, 0.4]), strict=True):
        np.testing.assert_allclose(found, rig.skin(pose), atol=2e-6)
        normals = mesh.skin(pose, normals=True)
        np.testing.assert_allclose(normals, rig.skin_normals(pose), atol=1e-5)


def engine(samples: Path, name: str) -> npt.NDArray[np.float32]:
    return np.fromfile(samples / "pyrogenesis/oracle" / name, "<f4")


def rows(samples: Path, kind: str) -> list[dict[str, str]]:
    with (samples / "pyrogenesis/oracle/INDEX.tsv").open(newline="") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["kind"] == kind]


def test_skinned_vertices_are_those_of_the_engine(samples: Path) -> None:
    found = rows(samples, "skin")
    assert len(found) >= 4
    for row in found:
        mesh, animation = (opened(samples / "pyrogenesis" / name) for name in row["inputs"].split(" + "))
        values = engine(samples, row["out"]).reshape(-1, 6)
        binding = mesh.bind(animation)
        # All that the engine asks: as many bones. Some of its inputs change distances, so that they are of two skeletons.
        assert binding.match.verdict in {"fits", "same-count"}
        assert (binding.match.missing, binding.match.extra) == (0, 0)
        time = float(row["times_ms(f32 repr)"]) / 1000
        positions = binding.skin(time, wrap="loop")
        # The engine does not normalise blends of rotations and weights.
        np.testing.assert_allclose(positions, values[:, :3], atol=2e-4 * size_of(values), err_msg=row["out"])
        normals = mesh.skin(binding.sample(time, wrap="loop"), normals=True)
        lengths = np.linalg.norm(values[:, 3:], axis=1, keepdims=True)
        there = lengths[:, 0] > 0.5
        np.testing.assert_allclose(
            normals[there], (values[:, 3:] / np.where(lengths > 0, lengths, 1))[there], atol=1e-3, err_msg=row["out"]
        )


def test_vertices_at_rest_are_those_of_the_engine(samples: Path) -> None:
    found = rows(samples, "rest")
    assert len(found) >= 2
    for row in found:
        path = samples / "pyrogenesis" / row["inputs"]
        mesh, naive_mesh = opened(path), naive.read_pmd(path.read_bytes())
        values, vertices, bones = engine(samples, row["out"]), naive_mesh.vertices.count, naive_mesh.bones.count
        at_rest = values[: 6 * vertices].reshape(-1, 6)
        np.testing.assert_allclose(mesh.skin(), at_rest[:, :3], atol=2e-6 * size_of(at_rest), err_msg=row["out"])
        inverse = values[6 * vertices :][: 16 * bones].reshape(-1, 4, 4).swapaxes(-1, -2)
        np.testing.assert_allclose(mesh.inverse_bind, inverse, atol=2e-6 * size_of(inverse), err_msg=row["out"])


def test_trimesh_has_the_vertices_triangles_and_coordinates(corpus: Path) -> None:
    path = corpus / "fox.psk"
    parts, found = naive.read_psk(path.read_bytes()), opened(path).to_trimesh()
    points, wedges = np.array(parts["points"]["point"]), parts["wedges"]
    visual: Any = found.visual
    np.testing.assert_allclose(found.vertices, points[wedges["point_index"]], atol=2e-5)
    assert found.faces.tolist() == [list(face)[::-1] for face in parts["faces"]["wedges"]]
    stored = np.array(wedges["uv"], dtype=np.float32)
    np.testing.assert_array_equal(visual.uv, np.stack([stored[:, 0], 1 - stored[:, 1]], axis=1))


@pytest.mark.parametrize("name", ["fox.psk", "fox.pmd"])
def test_trimesh_faces_outwards_and_has_the_coordinates_of_the_glb(corpus: Path, name: str, tmp_path: Path) -> None:
    """The volume is positive, and trimesh's own reader of glTF gives the same volume and the same coordinates at the same places."""
    mesh = opened(corpus / name)
    found = mesh.to_trimesh()
    mesh.to_gltf(tmp_path / "fox.glb", metres=1.0, keep_unused=True)
    trimesh: Any = pytest.importorskip("trimesh")
    loaded: list[Any] = list(trimesh.load_scene(tmp_path / "fox.glb", process=False).geometry.values())
    assert found.volume > 0
    assert sum(part.volume for part in loaded) == pytest.approx(found.volume, rel=1e-4)

    def corners(*parts: Any) -> Any:
        """The coordinates of the corners of all triangles, sorted."""
        return np.sort(np.concatenate([part.visual.uv[part.faces].reshape(-1, 2) for part in parts]), axis=0)

    np.testing.assert_allclose(corners(*loaded), corners(found), atol=1e-5)


def test_trimesh_agrees_with_the_stored_normals(test_corpus: Path) -> None:
    mesh = opened(test_corpus.parents[1] / "corpus" / "fox.pmd")
    found = mesh.to_trimesh()
    normals = mesh.normals[found.faces].mean(axis=1)
    agree = (found.face_normals * normals).sum(axis=1) > 0
    assert agree.mean() > 0.95


def test_trimesh_gets_no_triangle_whose_vertex_does_not_exist(test_corpus: Path) -> None:
    path = test_corpus / "actorx/mesh/face_wedge.psk"
    parts = naive.read_psk(path.read_bytes())
    good = [list(face)[::-1] for face in parts["faces"]["wedges"] if max(face) < parts["wedges"].count]
    assert len(good) < parts["faces"].count
    assert opened(path).to_trimesh().faces.tolist() == good


def test_poses_helper_turns_x_to_y() -> None:
    """The reference of this module itself: a quarter turn about z, then a step."""
    half = np.sqrt(0.5)
    matrix = poses.matrices([1, 2, 3, 0, 0, half, half, 2, 1, 1])
    np.testing.assert_allclose(matrix @ [1, 0, 0, 1], [1, 4, 3, 1], atol=1e-12)
