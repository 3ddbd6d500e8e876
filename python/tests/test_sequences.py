"""An animation is a mapping from names to sequences, and a list of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import build
import numpy as np
import pytest
import skelmap
from support import opened, parsed

BONES = [b"Root", b"Arm", b"HAND"]


def animation_of(*names: bytes) -> skelmap.actorx.Psa:
    """An animation whose sequences have 1, 2, 3 and so on frames."""
    animation = parsed(build.psa(BONES, [(name, index + 1, 30) for index, name in enumerate(names)]))
    assert isinstance(animation, skelmap.actorx.Psa)
    return animation


@pytest.fixture
def animation() -> skelmap.actorx.Psa:
    return animation_of(b"Walk", b"Run", b"Jump Up")


@pytest.mark.parametrize("name", ["Walk", "walk", "WALK", "wAlK"])
def test_a_sequence_is_found_by_its_name_in_any_ascii_case(animation: skelmap.actorx.Psa, name: str) -> None:
    assert animation[name] is animation.sequences[name] is animation[0]
    assert animation[name].name == "Walk"
    assert name in animation
    assert name in animation.sequences
    assert animation.sequences.get(name) is animation[0]


@pytest.mark.parametrize("name", ["", "Walk ", " Walk", "Wal", "Jump", "Walk\0", "0"])
def test_another_name_is_no_sequence(animation: skelmap.actorx.Psa, name: str) -> None:
    assert name not in animation
    assert name not in animation.sequences
    assert animation.sequences.get(name) is None
    with pytest.raises(KeyError) as caught:
        animation[name]
    assert caught.value.args == (name,)


def test_letters_beyond_ascii_keep_their_case() -> None:
    # KELVIN SIGN is a K in lower case for Unicode, and none for ASCII.
    animation = animation_of("Épée".encode(), b"walk")
    assert "Épée" in animation
    assert "ÉPÉE" not in animation
    assert "wal\N{KELVIN SIGN}" not in animation


def test_sequences_that_differ_beyond_ascii_only_are_two() -> None:
    animation = animation_of("é".encode(), "É".encode())
    assert [animation["é"].frame_count, animation["É"].frame_count] == [1, 2]
    assert list(animation.sequences) == ["é", "É"]


@pytest.mark.parametrize(("index", "name"), [(0, "Walk"), (1, "Run"), (2, "Jump Up"), (-1, "Jump Up"), (-3, "Walk"), (True, "Run")])
def test_a_sequence_is_found_by_its_index(animation: skelmap.actorx.Psa, index: int, name: str) -> None:
    assert animation[index].name == name
    assert animation[np.int64(index)].name == name  # type: ignore[index]
    assert animation.sequence_list[index].index == index % 3


@pytest.mark.parametrize("index", [3, -4, 10**6, -(10**6), 2**31, 2**63, -(2**63), 2**64, 10**100])
def test_an_index_that_does_not_exist_is_an_index_error(animation: skelmap.actorx.Psa, index: int) -> None:
    with pytest.raises(IndexError):
        animation[index]


@pytest.mark.parametrize("key", [None, 1.0, b"Walk", ("Walk",), ["Walk"], object()])
def test_a_key_that_is_neither_name_nor_index_is_a_type_error(animation: skelmap.actorx.Psa, key: Any) -> None:
    with pytest.raises(TypeError):
        animation[key]
    assert key not in animation.sequences


def test_the_sequences_are_a_mapping(animation: skelmap.actorx.Psa) -> None:
    sequences = animation.sequences
    assert isinstance(sequences, Mapping)
    assert list(sequences) == list(sequences.keys()) == ["Walk", "Run", "Jump Up"]
    assert [sequence.frame_count for sequence in sequences.values()] == [1, 2, 3]
    assert dict(sequences.items())["Run"].index == 1
    assert len(sequences) == 3


def test_an_animation_iterates_over_names_and_counts_sequences(animation: skelmap.actorx.Psa) -> None:
    assert list(animation) == ["Walk", "Run", "Jump Up"]
    assert len(animation) == 3
    assert [animation[name].name for name in animation] == list(animation)


def test_the_first_of_duplicate_names_is_found_and_all_are_in_the_list() -> None:
    animation = animation_of(b"Walk", b"Run", b"WALK", b"walk", b"Run")
    assert animation["wALK"].index == 0
    assert animation["run"].index == 1
    assert list(animation.sequences) == ["Walk", "Run"]
    assert len(animation.sequences) == 2
    assert len(animation) == 5
    assert [sequence.name for sequence in animation.sequence_list] == ["Walk", "Run", "WALK", "walk", "Run"]
    assert [animation[index].frame_count for index in range(5)] == [1, 2, 3, 4, 5]


def test_the_list_of_sequences_is_a_copy(animation: skelmap.actorx.Psa) -> None:
    animation.sequence_list.clear()
    assert len(animation.sequence_list) == 3


def test_an_animation_may_have_no_sequence() -> None:
    animation = animation_of()
    assert (len(animation), list(animation), animation.sequence_list) == (0, [], [])
    with pytest.raises(IndexError):
        animation[0]


def test_a_pyrogenesis_animation_has_one_sequence_by_index_and_by_its_name() -> None:
    named, nameless = parsed(build.states(3, 2, name=b"God Knows")), parsed(build.states(3, 2))
    assert list(named) == ["God Knows"]
    assert named["god knows"].frame_count == named[0].frame_count == named[-1].frame_count == 3
    assert list(nameless) == [""]
    assert nameless[0].name == ""


@pytest.mark.parametrize("bone", ["Arm", "arm", "ARM", "aRM", "Arm  "])
def test_a_track_is_found_by_the_name_of_its_bone_in_any_ascii_case(animation: skelmap.actorx.Psa, bone: str) -> None:
    sequence = animation["Jump Up"]
    assert sequence.find(bone) == 1
    keys = build.random_keys(18).reshape(6, 3, 8)[3:]
    assert sequence.track(bone)["rotation"].tolist() == keys[:, 1, 3:7].tolist()
    assert sequence.track(bone)["translation"].tolist() == keys[:, 1, :3].tolist()
    assert sequence.track(bone)["time"].tolist() == keys[:, 1, 7].tolist()


def test_spaces_at_the_end_of_a_name_do_not_count() -> None:
    animation = parsed(build.psa([b"Root", b"Arm    "], [(b"Walk   ", 2, 30)]))
    assert animation["walk"].find("arm") == 1


def test_the_first_of_bones_with_the_same_name_is_found() -> None:
    animation = parsed(build.psa([b"Root", b"Arm", b"ARM"], [(b"Walk", 2, 30)]))
    assert animation[0].find("arm") == 1


def test_letters_beyond_ascii_of_bones_keep_their_case() -> None:
    animation = parsed(build.psa([b"Root", "Épaule".encode(), b"neck"], [(b"Walk", 2, 30)]))
    assert animation[0].find("ÉPAULE") == 1
    for bone in ("épaule", "nec\N{KELVIN SIGN}"):
        with pytest.raises(KeyError):
            animation[0].find(bone)


@pytest.mark.parametrize("bone", ["", "Leg", "Root\0", " Root"])
def test_a_bone_that_does_not_exist_is_a_key_error(animation: skelmap.actorx.Psa, bone: str) -> None:
    for call in (animation[0].track, animation[0].find):
        with pytest.raises(KeyError) as caught:
            call(bone)
        assert caught.value.args == (bone,)


@pytest.mark.parametrize("track", [3, -4, 2**31, 2**63, 10**100, -(10**100)])
def test_a_track_that_does_not_exist_is_an_index_error(animation: skelmap.actorx.Psa, track: int) -> None:
    with pytest.raises(IndexError):
        animation[0].track(track)


@pytest.mark.parametrize("track", [None, 1.5, [0], slice(0, 1), b"Root"])
def test_a_track_that_is_neither_name_nor_index_is_a_type_error(animation: skelmap.actorx.Psa, track: Any) -> None:
    with pytest.raises(TypeError):
        animation[0].track(track)


@pytest.mark.parametrize("bone", [None, 0, b"Root", 1.5])
def test_a_name_of_a_bone_that_is_no_text_is_a_type_error(animation: skelmap.actorx.Psa, bone: Any) -> None:
    with pytest.raises(TypeError):
        animation[0].find(bone)


def test_bones_without_names_are_no_tracks(corpus: Path) -> None:
    for name in ("fox_walk.psa", "officer_walk.gsa"):
        sequence = opened(corpus / name)[0]
        with pytest.raises(KeyError):
            sequence.find("root")


def test_times_and_duration_follow_from_the_rate() -> None:
    sequence = parsed(build.psa(BONES, [(b"a", 5, 12.5)]))[0]
    assert sequence.rate == 12.5
    assert sequence.duration == 0.4
    assert sequence.times.dtype == np.float64
    assert sequence.times.tolist() == [frame / 12.5 for frame in range(5)]


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf")])
def test_without_a_rate_frames_have_no_times(rate: float) -> None:
    sequence = parsed(build.psa(BONES, [(b"a", 5, rate)]))[0]
    assert sequence.rate is None
    assert sequence.duration is None
    with pytest.raises(ValueError, match="rate"):
        _ = sequence.times
    with pytest.raises(ValueError, match="rate"):
        sequence.sample(0)
    assert sequence.sample(0, unit="frames").shape == (3, 10)


def test_a_sequence_knows_its_animation(animation: skelmap.actorx.Psa) -> None:
    assert animation[1].animation is animation
    assert (animation[1].index, animation[1].frame_count, animation[1].track_count) == (1, 2, 3)
    assert repr(animation[1]) == "<skelmap.Sequence 'Run' frames=2 tracks=3 rate=30.0>"


def test_ten_thousand_sequences_are_found_by_name() -> None:
    animation = parsed(build.psa([b"Root"], [(b"s%d" % index, 1, 30) for index in range(10_000)]))
    assert len(animation) == 10_000
    assert [animation[f"S{index}"].index for index in range(10_000)] == list(range(10_000))
