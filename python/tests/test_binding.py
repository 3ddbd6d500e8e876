"""Bones of animation and mesh are matched, and side-cars say what an animation does not move."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

import build
import numpy as np
import pytest
import skelmap
from support import opened, parsed

ALL = [b"root", b"arm", b"hand", b"leg"]


def mesh_of(*names: bytes) -> Any:
    """A mesh whose bones hang on one another, each with another place."""
    bones = [build.bone(name, max(0, index - 1), translation=(index, 0.5, 0)) for index, name in enumerate(names)]
    return parsed(build.psk(np.zeros((3, 3)), bones))


def animation_of(*names: bytes) -> Any:
    return parsed(build.psa(names, [(b"walk", 4, 10)]))


def summary(match: skelmap.Match) -> tuple[str, int, int, int, bool]:
    return match.verdict, match.matched, match.missing, match.extra, match.by_name


@pytest.mark.parametrize(
    ("mesh", "animation", "expected"),
    [
        (ALL, ALL, ("exact", 4, 0, 0, True)),
        (ALL, ALL[::-1], ("exact", 4, 0, 0, True)),
        (ALL, [name.upper() for name in ALL], ("exact", 4, 0, 0, True)),
        (ALL, [name + b"  " for name in ALL], ("exact", 4, 0, 0, True)),
        (ALL, ALL[:2], ("fits", 2, 2, 0, True)),
        (ALL[:2], ALL, ("fits", 2, 0, 2, True)),
        (ALL, [b"root", b"arm", b"tail"], ("in-part", 2, 2, 1, True)),
        (ALL, [b"root", b"tail", b"ear", b"nose"], ("hardly", 1, 3, 3, True)),
        (ALL, [b"tail", b"ear"], ("not", 0, 4, 2, True)),
    ],
)
def test_bones_match_by_name(mesh: list[bytes], animation: list[bytes], expected: tuple[Any, ...]) -> None:
    one, other = mesh_of(*mesh), animation_of(*animation)
    match = one.match(other)
    assert summary(match) == expected
    names = [name.strip().lower() for name in mesh]
    assert match.bones == tuple(names.index(name) if (name := raw.strip().lower()) in names else None for raw in animation)
    assert skelmap.match(one, other) == one.match(other[0]) == one.bind(other).match == match


def test_duplicate_names_match_in_their_order() -> None:
    match = mesh_of(b"root", b"toe", b"toe").match(animation_of(b"toe", b"root", b"TOE", b"toe"))
    assert match.bones == (1, 0, 2, None)
    assert summary(match) == ("fits", 3, 0, 1, True)


def test_an_animation_in_which_all_bones_hang_on_the_first_has_no_hierarchy() -> None:
    match = mesh_of(*ALL).match(animation_of(*ALL))
    assert (match.is_flat, match.reparented) == (True, 0)


def test_bones_without_names_match_by_their_number(corpus: Path) -> None:
    mesh = opened(corpus / "fox.pmd")
    same, other = parsed(build.states(2, 23)), parsed(build.states(2, 22))
    assert summary(mesh.match(same)) == ("same-count", 23, 0, 0, False)
    assert summary(mesh.match(other)) == ("not", 0, 23, 22, False)
    assert mesh.match(same).bones == ()
    # All bones are at one place: that is no fox.
    assert (mesh.match(same).length_change or 0.0) > 0.01
    walk = mesh.match(opened(corpus / "fox_walk.psa"))
    assert (walk.verdict, walk.by_name) == ("fits", False)


def test_animations_of_another_family_move_nothing(corpus: Path) -> None:
    mesh = opened(corpus / "fox.psk")
    for name in ("fox_walk.psa", "officer_walk.gsa"):
        binding = mesh.bind(opened(corpus / name))
        assert summary(binding.match)[:2] == ("not", 0)
        np.testing.assert_array_equal(binding.sample(0.1), mesh.bind_pose)


def test_each_bone_moves_with_the_track_of_its_name_and_others_stay_at_rest() -> None:
    mesh, animation = mesh_of(*ALL), animation_of(b"LEG", b"tail", b"root", b"hand")
    binding = mesh.bind(animation["walk"])
    for t, unit in ((0.0, "seconds"), (0.17, "seconds"), ([0.1, 0.33], "seconds"), (2.4, "frames")):
        found, tracks = binding.sample(t, unit=unit), animation["walk"].sample(t, unit=unit)
        for bone, track in ((0, 2), (2, 3), (3, 0)):
            np.testing.assert_array_equal(found[..., bone, :], tracks[..., track, :])
        np.testing.assert_array_equal(found[..., 1, :], np.broadcast_to(mesh.bind_pose[1], found[..., 1, :].shape))


def test_a_bound_sample_has_matrices_and_out_too(corpus: Path) -> None:
    mesh, animation = opened(corpus / "fox.psk"), opened(corpus / "fox.psa")
    binding = mesh.bind(animation["idle"])
    times = [[0.1, 0.2], [0.3, 0.4]]
    expected = animation["idle"].sample(times, matrices=True)
    out = np.zeros((2, 2, 23, 4, 4), np.float32)
    assert binding.sample(times, matrices=True, out=out) is out
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(binding.sample(times, matrices=True), expected)


def test_the_first_sequence_of_an_animation_is_bound(corpus: Path) -> None:
    mesh, animation = opened(corpus / "fox.psk"), opened(corpus / "fox.psa")
    assert mesh.bind(animation).sequence.name == "walk"
    assert repr(mesh.bind(animation)) == "<skelmap.Binding 'walk' exact>"


def test_an_animation_without_sequences_is_a_value_error(corpus: Path) -> None:
    mesh, animation = opened(corpus / "fox.psk"), parsed(build.psa([b"root"], []))
    with pytest.raises(ValueError, match="no sequence"):
        mesh.bind(animation)


CONFIG = b"[AnimSet]\r\nbAnimRotationOnly=1\r\n[UseTranslationBoneNames]\r\nHAND\r\n[RemoveTracks]\r\nwalk.3=rot\r\n"


def expected_of_config(mesh: Any, tracks: Any) -> Any:
    """What the lines of the side-car above say (actorx.md, 6.1)."""
    found, bind = tracks.copy(), mesh.bind_pose
    found[..., 1, :3], found[..., 3, :3] = bind[1, :3], bind[3, :3]
    found[..., 3, 3:7] = bind[3, 3:7]
    return found


def test_a_side_car_takes_parts_from_the_mesh() -> None:
    mesh, animation = mesh_of(*ALL), animation_of(*ALL)
    tracks = animation[0].sample([0.05, 0.2])
    np.testing.assert_array_equal(mesh.bind(animation, config=CONFIG).sample([0.05, 0.2]), expected_of_config(mesh, tracks))
    np.testing.assert_array_equal(mesh.bind(animation).sample([0.05, 0.2]), tracks)
    np.testing.assert_array_equal(mesh.bind(animation, config=b"").sample([0.05, 0.2]), tracks)


def test_removed_tracks_belong_to_their_sequence() -> None:
    mesh = mesh_of(*ALL)
    animation = parsed(build.psa(ALL, [(b"a.b", 2, 10), (b"c", 2, 10)]))
    config = b"[RemoveTracks]\nA.B.1=all\n"
    found = mesh.bind(animation["a.b"], config=config).sample(0.0)
    np.testing.assert_array_equal(found[1], mesh.bind_pose[1])
    np.testing.assert_array_equal(np.delete(found, 1, 0), np.delete(animation["a.b"].sample(0.0), 1, 0))
    np.testing.assert_array_equal(mesh.bind(animation["c"], config=config).sample(0.0), animation["c"].sample(0.0))


def test_bones_that_the_side_car_forces_are_stronger_than_those_that_it_excepts() -> None:
    mesh, animation = mesh_of(*ALL), animation_of(*ALL)
    config = b"[ForceMeshTranslationBoneNames]\nHand\n[UseTranslationBoneNames]\nhand\n"
    found, tracks = mesh.bind(animation, config=config).sample(0.0), animation[0].sample(0.0)
    np.testing.assert_array_equal(found[2, :3], mesh.bind_pose[2, :3])
    np.testing.assert_array_equal(found[2, 3:], tracks[2, 3:])
    np.testing.assert_array_equal(np.delete(found, 2, 0), np.delete(tracks, 2, 0))


@pytest.mark.parametrize("extension", ["config", "CONFIG", "Config"])
def test_the_side_car_beside_an_animation_is_found(tmp_path: Path, extension: str) -> None:
    mesh, animation = mesh_of(*ALL), build.psa(ALL, [(b"walk", 4, 10)])
    (tmp_path / "walk.psa").write_bytes(animation)
    (tmp_path / f"walk.{extension}").write_bytes(CONFIG)
    animation_file = opened(tmp_path / "walk.psa")
    tracks = animation_file[0].sample(0.05)
    np.testing.assert_array_equal(mesh.bind(animation_file).sample(0.05), expected_of_config(mesh, tracks))
    np.testing.assert_array_equal(mesh.bind(animation_file[0]).sample(0.05), expected_of_config(mesh, tracks))
    np.testing.assert_array_equal(mesh.bind(animation_file, config=b"").sample(0.05), tracks)


@pytest.mark.parametrize("mode", ["read", "map", "lease"])
def test_the_side_car_beside_an_entry_is_found(tmp_path: Path, mode: Any) -> None:
    mesh = mesh_of(*ALL)
    with zipfile.ZipFile(tmp_path / "mod.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("art/walk.psa", build.psa(ALL, [(b"walk", 4, 10)]))
        file.writestr("art/walk.config", CONFIG)
    animation_file = opened(f"{tmp_path}/mod.zip!/art/walk.psa", mode=mode)
    np.testing.assert_array_equal(mesh.bind(animation_file).sample(0.05), expected_of_config(mesh, animation_file[0].sample(0.05)))


def test_the_side_car_of_the_corpus_is_found(corpus: Path, tmp_path: Path) -> None:
    text = (corpus / "fox.config").read_text()
    mesh = opened(corpus / "fox.psk")
    beside = opened(corpus / "fox.psa")
    shutil.copy(corpus / "fox.psa", tmp_path)
    alone = opened(tmp_path / "fox.psa")
    for name in ("walk", "idle"):
        expected = mesh.bind(alone[name], config=text.encode()).sample([0.1, 0.7])
        np.testing.assert_array_equal(mesh.bind(beside[name]).sample([0.1, 0.7]), expected)


def test_a_side_car_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "walk.psa").write_bytes(build.psa(ALL, [(b"walk", 4, 10)]))
    (tmp_path / "walk.config").mkdir()
    with pytest.raises(OSError, match=r"walk\.config"):
        mesh_of(*ALL).bind(opened(tmp_path / "walk.psa"))


def test_a_real_side_car_keeps_dummies_from_the_mesh(samples: Path) -> None:
    folder = samples / "actorx/survarium"
    mesh = opened(folder / "SK_Male_HazmatArmorMK1_01.psk")
    animation = opened(folder / "M1_GAZ-69_Driver_Aim_Offsets_Center.psa")
    lines = (folder / "M1_GAZ-69_Driver_Aim_Offsets_Center.config").read_text().splitlines()
    removed = [int(line.split("=")[0].rsplit(".", 1)[1]) for line in lines if line.endswith("=all")]
    assert removed
    binding = mesh.bind(animation)
    found, bare = binding.sample(0.3), mesh.bind(animation, config=b"").sample(0.3)
    taken = {bone for track in removed if (bone := binding.match.bones[track]) is not None}
    for bone in range(mesh.bone_count):
        np.testing.assert_array_equal(found[bone], mesh.bind_pose[bone] if bone in taken else bare[bone])
    assert any(not np.array_equal(bare[bone], mesh.bind_pose[bone]) for bone in taken)
