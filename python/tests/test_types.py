"""What type checkers know, and what a notebook shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import build
import pytest
import skelmap
import ueformat_files
from support import opened, parsed


def complaints(tmp_path: Path, *programs: list[str]) -> list[list[str]]:
    """What mypy says of each program."""
    pytest.importorskip("mypy")
    for number, lines in enumerate(programs):
        (tmp_path / f"program{number}.py").write_text("\n".join(["import skelmap", *lines, ""]))
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", tmp_path], capture_output=True, text=True, cwd=tmp_path)
    return [re.findall(rf"^program{number}\.py:.*error: (.*?)  \[", done.stdout, re.M) for number in range(len(programs))]


def test_a_misspelt_name_is_found_by_a_type_checker(tmp_path: Path) -> None:
    mesh = 'mesh = skelmap.open("a.psk", kind=skelmap.Mesh)'
    walk = ['for item in skelmap.walk("."):', "    asset = item.open()", "    if isinstance(asset, skelmap.Mesh):"]
    good, narrowed, option, of_many, of_any, narrowed_badly = complaints(
        tmp_path,
        [mesh, 'mesh.to_gltf("a.glb", metres=1.0, up="-z")', "mesh.skin().shape"],
        [*walk, "        asset.positions"],
        [mesh, 'mesh.to_gltf("a.glb", meters=1)'],
        ['skelmap.convert_to("out", "in", colours="none")'],
        ['skelmap.open("a.psk").to_glft("a.glb")'],
        [*walk, "        asset.psitions"],
    )
    assert (good, narrowed) == ([], [])
    assert option == ['Unexpected keyword argument "meters" for "to_gltf" of "Mesh"; did you mean "metres"?']
    assert len(of_many) == 1
    assert len(of_any) == len(get_args(skelmap.AnyAsset))
    assert len(narrowed_badly) == 3


def test_the_class_of_any_asset_is_one_of_the_union() -> None:
    classes = get_args(skelmap.AnyAsset)
    names = ["fox.psk", "fox.psa", "fox.pmd", "fox_walk.psa", "officer_walk.gsa"]
    corpus = Path(__file__).parents[2] / "corpus"
    made: list[ueformat_files.Content] = [ueformat_files.random_model(10), ueformat_files.random_animation(10)]
    made.append(ueformat_files.random_poses(10))
    assets = [opened(corpus / name) for name in names] + [parsed(ueformat_files.write(own)) for own in made]
    assert [type(asset) for asset in assets] == list(classes)


def test_the_options_are_those_of_rust(corpus: Path, tmp_path: Path) -> None:
    """An unknown option is refused by the native part, whose message names those that exist."""
    with pytest.raises(TypeError) as caught:
        opened(corpus / "fox.psk").to_gltf(tmp_path / "a.glb", colours="none")
    expected = set(re.findall("`([a-z_0-9]+)`", str(caught.value))) - {"colours"}
    assert set(get_type_hints(skelmap.GltfOptions)) == expected


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (skelmap.Mesh, ["fox.psk", "fox.pmd"], ["fox.psa", "officer_walk.gsa"]),
        (skelmap.Animation, ["fox.psa", "fox_walk.psa", "officer_walk.gsa"], ["fox.psk"]),
        (skelmap.actorx.Psa, ["fox.psa"], ["fox_walk.psa", "fox.psk"]),
    ],
)
def test_a_kind_that_is_asked_for_is_what_opens(corpus: Path, kind: type[skelmap.Asset], good: list[str], bad: list[str]) -> None:
    for name in good:
        assert isinstance(skelmap.open(corpus / name, kind=kind), kind)
        assert isinstance(skelmap.parse((corpus / name).read_bytes(), kind=kind), kind)
    for name in bad:
        with pytest.raises(ValueError, match=rf"{name}: (mesh|animation) of the format .*, expected skelmap\.[a-zA-Z]"):
            skelmap.open(corpus / name, kind=kind)
        with pytest.raises(ValueError, match="these bytes: "):
            skelmap.parse((corpus / name).read_bytes(), kind=kind)


@pytest.mark.parametrize("kind", [int, "mesh", 1])
def test_a_kind_is_a_class_of_assets(corpus: Path, kind: Any) -> None:
    with pytest.raises(TypeError, match=r"expected skelmap\.Mesh"):
        skelmap.open(corpus / "fox.psk", kind=kind)


def test_a_sequence_is_bound_by_name_or_index(corpus: Path) -> None:
    mesh, animation = opened(corpus / "fox.psk"), opened(corpus / "fox.psa")
    assert mesh.bind(animation, "IDLE").sequence is animation["idle"]
    assert mesh.bind(animation, 1).sequence is animation[1]
    assert mesh.bind(animation).sequence is animation[0]
    with pytest.raises(KeyError):
        mesh.bind(animation, "run")


def test_sequences_of_one_name_are_counted_and_listed_alike() -> None:
    animation = parsed(build.psa([b"Root"], [(b"Walk", 1, 30), (b"walk", 2, 30), (b"Run", 3, 30)]))
    assert list(animation) == ["Walk", "walk", "Run"]
    assert len(animation) == len(list(animation)) == 3
    assert (len(animation.sequences), list(animation.sequences)) == (2, ["Walk", "Run"])
    assert animation["WALK"].frame_count == 1


def test_a_notebook_shows_what_it_gets(corpus: Path) -> None:
    mesh, animation = opened(corpus / "fox.psk"), opened(corpus / "fox.psa")
    binding, walk = mesh.bind(animation, "walk"), animation["walk"]
    assert "<th>frames</th><td>30</td>" in walk._repr_html_()
    assert "<th>walk</th><td>30 frames</td>" in animation.sequences._repr_html_()
    assert "<th>can_play</th><td>True</td>" in binding.match._repr_html_()
    assert binding._repr_html_() == walk._repr_html_() + binding.match._repr_html_()
    assert "<th>rows</th><td>9</td>" in skelmap.catalog(corpus)._repr_html_()
    named = parsed(build.psa([b"Root"], [(b"<b>", 1, 30)]))
    assert "<b>" not in named.sequences._repr_html_() + named[0]._repr_html_()
