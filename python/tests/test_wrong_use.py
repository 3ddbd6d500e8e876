"""Closed handles and arguments of other types are exceptions that say what is wrong."""

from __future__ import annotations

import inspect
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import skelmap
from support import CORPUS, opened, parsed, public_names

FILES = ["fox.psk", "fox.psa", "fox.pmd", "fox_walk.psa", "officer_walk.gsa"]
OF_A_CLOSED_ASSET = {"closed", "mode"}


@pytest.mark.parametrize("name", FILES)
def test_all_that_a_closed_asset_has_is_a_value_error(name: str, tmp_path: Path) -> None:
    asset = opened(CORPUS / name)
    asset.close()
    assert asset.closed
    arguments: dict[str, tuple[Any, ...]] = {
        "bind": (opened(CORPUS / "fox.psa"),),
        "match": (opened(CORPUS / "fox.psa"),),
        "rotation": (0,),
        "split": (tmp_path / "a",),
        "to_gltf": (tmp_path / "a.glb",),
    }
    names = set(public_names(asset)) - OF_A_CLOSED_ASSET - {"close"}
    assert len(names) > 15

    def call(attribute: str) -> None:
        getattr(asset, attribute)(*arguments.get(attribute, ()))

    for attribute in sorted(names):
        with pytest.raises(ValueError, match="closed"):
            call(attribute)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", FILES)
def test_a_closed_asset_says_so_and_can_be_closed_again(name: str) -> None:
    asset = opened(CORPUS / name)
    assert not asset.closed
    asset.close()
    asset.close()
    kind = asset.__class__
    assert repr(asset) == f"<closed {kind.__module__}.{kind.__qualname__}>"
    assert asset._repr_html_() == f"&lt;closed {kind.__module__}.{kind.__qualname__}&gt;"
    with pytest.raises(ValueError, match="closed"), asset:
        pass


def test_the_end_of_a_with_block_closes_whatever_happens() -> None:
    seen: list[Any] = []

    def fail() -> None:
        with opened(CORPUS / "fox.psa") as animation:
            seen.append(animation)
            assert not animation.closed
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fail()
    assert seen[0].closed


def test_a_closed_animation_is_no_mapping() -> None:
    animation = opened(CORPUS / "fox.psa")
    animation.close()
    calls: list[Callable[[], object]] = [
        lambda: len(animation),
        lambda: list(animation),
        lambda: animation["walk"],
        lambda: animation[0],
        lambda: "walk" in animation,
        lambda: bool(animation),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()


def test_sequences_and_bindings_of_closed_files_are_value_errors_or_work() -> None:
    mesh, animation = opened(CORPUS / "fox.psk"), opened(CORPUS / "fox.psa")
    walk, binding = animation["walk"], mesh.bind(animation)
    expected, keys = binding.skin(0.2), walk.keys
    animation.close()
    calls: list[Callable[[], object]] = [
        lambda: walk.keys,
        lambda: walk.track("head"),
        lambda: walk.track(0),
        lambda: walk.sample(0),
        lambda: walk.find("head"),
        lambda: mesh.bind(walk),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="closed"):
            call()
    assert (walk.name, walk.frame_count, walk.animation) == ("walk", 30, animation)
    assert walk.times.shape == (30,)
    assert keys["time"].size == 690
    # The binding has the file of the animation for itself.
    assert np.array_equal(binding.skin(0.2), expected)
    mesh.close()
    with pytest.raises(ValueError, match="closed"):
        binding.skin(0.2)
    with pytest.raises(ValueError, match="closed"):
        binding.sample(0.2)


@pytest.mark.parametrize("value", [None, 3, 1.5, [], {}, object(), np.zeros(2), print], ids=repr)
def test_a_path_of_another_type_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        opened(value)
    with pytest.raises(TypeError):
        skelmap.walk([value])
    with pytest.raises(TypeError):
        skelmap.catalog([value])


@pytest.mark.parametrize("value", [None, 3, 1.5, object(), b"bytes", np.zeros(2)], ids=repr)
def test_paths_of_another_type_are_a_type_error(value: Any, tmp_path: Path) -> None:
    calls: list[Callable[[], object]] = [
        lambda: list(skelmap.walk(value)),
        lambda: skelmap.catalog(value),
        lambda: skelmap.catalog_to(tmp_path / "a.csv", value),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [None, 3, 1.5, [], object()], ids=repr)
def test_a_file_to_write_of_another_type_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        skelmap.catalog_to(value, CORPUS)
    with pytest.raises(TypeError):
        opened(CORPUS / "fox.psk").to_gltf(value)


@pytest.mark.parametrize("value", [None, 3, 1.5, "text", [], {}, object()], ids=repr)
def test_data_without_a_buffer_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        parsed(value)


@pytest.mark.parametrize("value", ["", "READ", "mmap", "read "])
def test_a_mode_that_does_not_exist_is_a_value_error(value: Any, tmp_path: Path) -> None:
    calls: list[Callable[[], object]] = [
        lambda: opened(CORPUS / "fox.psk", value),
        lambda: opened(b"", mode=value),
        lambda: skelmap.walk(CORPUS, mode=value),
        lambda: skelmap.catalog(CORPUS, mode=value),
        lambda: skelmap.catalog_to(tmp_path / "a.csv", CORPUS, mode=value),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="expected 'read', 'lease' or 'map'"):
            call()


@pytest.mark.parametrize("option", ["engine", "trailing_zeros", "gsa_layout"])
@pytest.mark.parametrize("value", [3, 1.5, [], object()], ids=repr)
def test_a_choice_of_another_type_is_a_type_error_that_names_it(option: str, value: Any) -> None:
    path = CORPUS / "fox.psk"
    calls: list[tuple[Callable[..., object], Any]] = [
        (skelmap.open, path),
        (skelmap.parse, path.read_bytes()),
        (skelmap.walk, path),
        (skelmap.catalog, path),
    ]
    for call, given in calls:
        with pytest.raises(TypeError, match=option):
            call(given, **{option: value})


@pytest.mark.parametrize("value", [(0, 1), (2, 1), (1, 0), (-1, 2), (1, -2), (2**64, 2**64), (2**70, 2**71)])
def test_a_shard_that_does_not_exist_is_a_value_error(value: Any) -> None:
    with pytest.raises(ValueError, match="shard"):
        skelmap.catalog(CORPUS, shard=value)


@pytest.mark.parametrize("value", [3, "1/2", (1,), (1, 2, 3), (1.0, 2), ("1", "2"), [], object()], ids=repr)
def test_a_shard_of_another_type_is_a_type_error_that_names_it(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="shard"):
        skelmap.catalog(CORPUS, shard=value)


@pytest.mark.parametrize("value", [0, -1, -(2**70)])
def test_a_number_of_threads_below_one_is_a_value_error(value: int) -> None:
    with pytest.raises(ValueError, match="jobs"):
        skelmap.catalog(CORPUS, jobs=value)


@pytest.mark.parametrize("value", [10_000, 2**31, 2**62])
def test_a_huge_number_of_threads_is_no_danger(value: int) -> None:
    assert len(skelmap.catalog(CORPUS, jobs=value)) == 9


@pytest.mark.parametrize("value", ["2", 1.5, [], object(), 2**70], ids=repr)
def test_a_number_of_threads_of_another_type_is_an_error_that_names_it(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="jobs"):
        skelmap.catalog(CORPUS, jobs=value)


@pytest.mark.parametrize("value", ["", "bone", "Asset"])
def test_rows_for_something_else_are_a_value_error(value: Any) -> None:
    with pytest.raises(ValueError, match="expected 'asset' or 'sequence'"):
        skelmap.catalog(CORPUS, per=value)


@pytest.mark.parametrize("value", [None, 3, "walk", [], object(), b"walk"], ids=repr)
def test_a_motion_of_another_type_is_a_type_error(value: Any) -> None:
    mesh = opened(CORPUS / "fox.psk")
    for call in (mesh.bind, mesh.match, partial(skelmap.match, mesh)):
        with pytest.raises(TypeError):
            call(value)


def test_a_mesh_is_no_motion_and_an_animation_no_mesh() -> None:
    mesh, animation = opened(CORPUS / "fox.psk"), opened(CORPUS / "fox.psa")
    for call in (lambda: mesh.bind(mesh), lambda: skelmap.match(animation, mesh), lambda: skelmap.match(animation, animation)):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize("value", [3, "text", [], object(), bytearray()], ids=repr)
def test_a_side_car_of_another_type_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        opened(CORPUS / "fox.psk").bind(opened(CORPUS / "fox.psa"), config=value)


@pytest.mark.parametrize("value", [None, "now", {}, object(), 1j, [[1], [1, 2]], np.datetime64("2020-01-01"), np.array(["a"])], ids=repr)
def test_times_that_are_no_numbers_are_an_error(value: Any) -> None:
    walk = opened(CORPUS / "fox.psa")["walk"]
    with pytest.raises((TypeError, ValueError)):
        walk.sample(value)


def test_a_time_beyond_all_floats_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="large"):
        opened(CORPUS / "fox.psa")["walk"].sample(10**400)


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), 1e300, -1e300, 2**62, 5e-324])
@pytest.mark.parametrize("wrap", ["clamp", "loop"])
@pytest.mark.parametrize("unit", ["seconds", "frames"])
def test_any_finite_or_infinite_time_has_a_sound_pose(value: float, wrap: Any, unit: Any) -> None:
    found = opened(CORPUS / "fox.psa")["walk"].sample(value, wrap=wrap, unit=unit)
    assert np.isfinite(found).all()
    np.testing.assert_allclose(np.linalg.norm(found[:, 3:7], axis=1), 1, atol=1e-5)


@pytest.mark.parametrize(
    ("option", "value"), [("unit", "second"), ("unit", ""), ("wrap", "once"), ("wrap", ""), ("unit", None), ("wrap", None)]
)
def test_a_way_to_sample_that_does_not_exist_is_an_error_that_names_it(option: str, value: Any) -> None:
    mesh, animation = opened(CORPUS / "fox.psk"), opened(CORPUS / "fox.psa")
    for call in (animation["walk"].sample, mesh.bind(animation).sample, mesh.bind(animation).skin):
        with pytest.raises((ValueError, TypeError), match=option):
            call(0.1, **{option: value})


@pytest.mark.parametrize("value", [[], [0.0], "text", 3, object(), memoryview(bytearray(4))], ids=repr)
def test_an_out_that_is_no_array_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        opened(CORPUS / "fox.psa")["walk"].sample(0.1, out=value)


@pytest.mark.parametrize("value", ["4", 1.5, None, [], object()], ids=repr)
def test_influences_of_another_type_are_a_type_error(value: Any) -> None:
    mesh = opened(CORPUS / "fox.psk")
    with pytest.raises(TypeError):
        mesh.skin(influences=value)
    with pytest.raises(TypeError):
        mesh.to_influences(value)


@pytest.mark.parametrize("value", ["text", {}, object(), 1j, [[1], [1, 2]]], ids=repr)
def test_poses_that_are_no_numbers_are_an_error(value: Any) -> None:
    mesh = opened(CORPUS / "fox.psk")
    for call in (mesh.skin, mesh.model_matrices):
        with pytest.raises((TypeError, ValueError)):
            call(value)


@pytest.mark.parametrize("frame", [12, 13, 2**31, 2**63, 2**64, 10**100, -13, -(2**63), -(10**100)])
def test_a_frame_of_swat_that_does_not_exist_is_an_index_error(frame: int) -> None:
    animation = opened(CORPUS / "officer_walk.gsa")
    assert animation[0].frame_count == 12
    with pytest.raises(IndexError):
        animation.rotation(frame)


@pytest.mark.parametrize("frame", [None, "0", 0.0, [0], object()], ids=repr)
def test_a_frame_of_another_type_is_a_type_error(frame: Any) -> None:
    with pytest.raises(TypeError):
        opened(CORPUS / "officer_walk.gsa").rotation(frame)


@pytest.mark.parametrize("value", [None, 3, b"weight-sum", [], object()], ids=repr)
def test_a_code_of_another_type_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError):
        skelmap.explain(value)


@pytest.mark.parametrize("name", FILES)
def test_what_an_asset_has_cannot_be_replaced(name: str) -> None:
    asset = opened(CORPUS / name)
    for attribute in ("mine", "format", "address", "bone_count", "summary"):
        with pytest.raises(AttributeError):
            setattr(asset, attribute, 1)


@pytest.mark.parametrize(
    "make",
    [skelmap.Asset, skelmap.Mesh, skelmap.Animation, skelmap.actorx.Psk, skelmap.Table, skelmap.Item, skelmap.Sequence, skelmap.Binding],
)
def test_classes_that_functions_make_are_not_made_without_them(make: Any) -> None:
    with pytest.raises(TypeError):
        make()


def test_all_public_names_are_there_and_documented() -> None:
    for name in skelmap.__all__:
        thing = getattr(skelmap, name)
        if name not in ("__version__", "Mode"):
            assert inspect.getdoc(thing), name
    for kind in (skelmap.Asset, skelmap.Mesh, skelmap.Animation, skelmap.Sequence, skelmap.Binding, skelmap.Item, skelmap.Table):
        for name, member in inspect.getmembers(kind):
            if not name.startswith("_") and not inspect.ismemberdescriptor(member):
                assert inspect.getdoc(member), (kind, name)


def test_a_file_may_be_replaced_while_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "a.psk"
    shutil.copy(CORPUS / "fox.psk", path)
    mesh = opened(path, mode="map")
    other = tmp_path / "b.psk"
    other.write_bytes(b"something else")
    other.replace(path)
    assert mesh.data.tobytes() == (CORPUS / "fox.psk").read_bytes()
    with pytest.raises(skelmap.FormatError):
        opened(path)
