"""Samples are the keys at the times of frames, and blends of two keys between them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Literal

import build
import naive
import numpy as np
import poses
import pytest
from support import each_good, format_of, opened, parsed, sample_files

WRAPS: list[Literal["clamp", "loop"]] = ["clamp", "loop"]


class Expected:
    """The keys of a sequence, as the naive readers read them, in 64-bit floats."""

    translations: poses.Doubles
    rotations: poses.Doubles
    scales: poses.Doubles | None = None
    rate: float

    def __init__(self, path: Path, index: int = 0) -> None:
        data, format = path.read_bytes(), format_of(path)
        if format == "actorx.psa":
            psa = naive.read_psa(data)
            own, bones = psa.sequences[index], psa.parts["bones"].count
            shape = (own.frames, bones, -1)
            keys = slice(own.first_key, own.first_key + own.frames * bones)
            self.translations = np.array(psa.parts["keys"]["translation"][keys]).reshape(shape)
            self.rotations = poses.conjugate_all_but_first(np.array(psa.parts["keys"]["rotation"][keys]).reshape(shape))
            if own.first_scale_key is not None:
                scales = slice(own.first_scale_key, own.first_scale_key + own.frames * bones)
                self.scales = np.array(psa.parts["scale_keys"]["scale"][scales]).reshape(shape)
            self.rate = own.rate
        elif format == "pyrogenesis.psa":
            states = naive.read_states(data)
            self.translations = np.array(states.states["translation"]).reshape(states.frames, states.bones, -1)
            self.rotations = np.array(states.states["rotation"]).reshape(states.frames, states.bones, -1)
            self.rate = 1000 / states.frame_ms
        else:
            frames = naive.read_gsa(data).frames
            self.rotations = np.array([frame.rotations for frame in frames])
            self.translations = np.zeros((*self.rotations.shape[:2], 3))
            self.rate = 10

    def at(self, position: float, wrap: str) -> poses.Doubles:
        return poses.sample(self.translations, self.rotations, self.scales, position, wrap)


def is_sound(expected: Expected) -> bool:
    """Whether all numbers are finite, which arithmetic in 64 bits needs to be that in 32 bits."""
    return bool(np.isfinite(expected.translations).all() and np.isfinite(expected.rotations).all()) and expected.translations.size > 0


def assert_samples(path: Path, most_sequences: int = 3) -> int:
    """Compares samples at frames, between frames and outside of them, in all ways to ask. Returns the number of sequences."""
    animation, compared = opened(path), 0
    for sequence in animation.sequence_list[:most_sequences]:
        if sequence.frame_count == 0 or sequence.track_count == 0:
            continue
        expected = Expected(path, sequence.index)
        if not is_sound(expected):
            continue
        compared += 1
        count = sequence.frame_count
        positions = [0.0, count - 1, count // 2, 0.25, (count - 1) / 3, count - 1.5, count - 0.25, count, count + 0.5, 2.5 * count, -0.5]
        for wrap in WRAPS:
            wanted = np.array([expected.at(position, wrap) for position in positions])
            size = max(1.0, float(np.abs(wanted[..., :3]).max()))
            found = sequence.sample(positions, unit="frames", wrap=wrap)
            assert found.dtype == np.float32
            assert found.shape == wanted.shape
            np.testing.assert_allclose(found[..., :3], wanted[..., :3], atol=2e-6 * size, err_msg=str(path))
            np.testing.assert_allclose(found[..., 3:7], wanted[..., 3:7], atol=4e-6, err_msg=str(path))
            np.testing.assert_allclose(found[..., 7:], wanted[..., 7:], rtol=2e-6, err_msg=str(path))
            whole = sequence.sample(positions, unit="frames", wrap=wrap, matrices=True)
            matrices = poses.matrices(wanted)
            np.testing.assert_allclose(whole[..., :3, :3], matrices[..., :3, :3], atol=2e-5, rtol=2e-5, err_msg=str(path))
            np.testing.assert_array_equal(whole[..., :3, 3], found[..., :3])
            np.testing.assert_array_equal(whole[..., 3, :], np.broadcast_to([0, 0, 0, 1], whole[..., 3, :].shape))
            if sequence.rate is not None:
                # A time may be a rounding beside the frame, where the same rotation can have another sign.
                seconds = sequence.sample(np.array(positions[:7]) / expected.rate, wrap=wrap)
                np.testing.assert_allclose(poses.matrices(seconds), matrices[:7], atol=3e-5 * size, err_msg=str(path))
    return compared


@each_good("actorx.psa")
def test_samples_of_actorx_are_blends_of_keys(path: Path) -> None:
    assert_samples(path)


@each_good("pyrogenesis.psa")
def test_samples_of_pyrogenesis_are_blends_of_keys(path: Path) -> None:
    assert_samples(path)


@each_good("swat3.gsa")
def test_samples_of_swat_are_blends_of_keys(path: Path) -> None:
    assert_samples(path)


def test_samples_of_real_files_are_blends_of_keys(samples: Path) -> None:
    files = [path for format in ("actorx.psa", "pyrogenesis.psa", "swat3.gsa") for path in sample_files(format)]
    assert sum(assert_samples(path, 1) for path in files[::2]) > 20, samples


@pytest.mark.parametrize("name", ["fox.psa", "fox_walk.psa", "officer_walk.gsa"])
def test_samples_at_the_times_of_frames_are_the_keys(corpus: Path, name: str) -> None:
    path = corpus / name
    sequence, expected = opened(path)[0], Expected(path)
    rotations = expected.rotations.astype(np.float32)
    found = sequence.sample(np.arange(sequence.frame_count), unit="frames")
    np.testing.assert_array_equal(found[..., :3], expected.translations.astype(np.float32))
    np.testing.assert_allclose(found[..., 3:7], rotations, atol=2e-7)
    np.testing.assert_array_equal(found[..., 7:], 1)
    # A time in seconds may be a rounding beside the frame.
    np.testing.assert_allclose(sequence.sample(sequence.times), found, atol=2e-6)


def test_all_rotations_of_actorx_but_the_first_are_conjugated(corpus: Path) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    stored, found = walk.keys["rotation"][0], walk.sample(0.0)[:, 3:7]
    np.testing.assert_allclose(found[0], stored[0], atol=2e-7)
    np.testing.assert_allclose(found[1:], stored[1:] * [-1, -1, -1, 1], atol=2e-7)
    assert (np.abs(stored[:, :3]).max(axis=1) > 0.01).sum() > 5


def test_scale_keys_are_blended_on_the_line(test_corpus: Path) -> None:
    for name in ("scale_keys.psa", "scale_keys_partial.psa"):
        path = test_corpus / "actorx/anim" / name
        animation = opened(path)
        scaled = [sequence for sequence in animation.sequence_list if sequence.scale_keys is not None]
        assert scaled
        for sequence in scaled:
            scales = Expected(path, sequence.index).scales
            assert scales is not None
            np.testing.assert_array_equal(sequence.sample(1, unit="frames")[:, 7:], scales[1].astype(np.float32))
            np.testing.assert_allclose(sequence.sample(0.25, unit="frames")[:, 7:], scales[0] * 0.75 + scales[1] * 0.25, rtol=1e-6)
    given = np.ones((2, 4), dtype=np.float32)
    given[1] = 3
    sequence = parsed(build.psa([b"root"], [(b"a", 2, 1)], scales=given))[0]
    assert sequence.sample([0, 0.25, 1])[:, 0, 7:].tolist() == [[1] * 3, [1.5] * 3, [3] * 3]


def test_rotations_go_the_shorter_way_and_have_unit_length() -> None:
    half = np.sqrt(0.5)
    keys = np.zeros((4, 8), dtype="<f4")
    # The second key is the rotation by 90 degrees with the other sign; the fourth has twice the length.
    keys[:, 3:7] = [[0, 0, 0, 1], [0, 0, -half, -half], [0, 0, 0, 1], [0, 0, 2 * half, 2 * half]]
    animation = parsed(build.psa([b"root"], [(b"a", 2, 1), (b"b", 2, 1)], keys))
    quarter = [0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]
    np.testing.assert_allclose(animation["a"].sample(0.5)[0, 3:7], quarter, atol=1e-6)
    np.testing.assert_allclose(animation["b"].sample(0.5)[0, 3:7], quarter, atol=1e-6)
    np.testing.assert_allclose(animation["b"].sample(1.0)[0, 3:7], [0, 0, half, half], atol=1e-6)


def test_a_rotation_without_direction_is_the_identity() -> None:
    animation = parsed(build.psa([b"root"], [(b"a", 2, 1)], np.zeros((2, 8), dtype="<f4")))
    assert animation[0].sample([0, 0.5])[:, 0, 3:7].tolist() == [[0, 0, 0, 1]] * 2


def test_clamp_stays_and_loop_blends_into_the_first_frame() -> None:
    keys = np.zeros((3, 8), dtype="<f4")
    keys[:, 0], keys[:, 6] = [10, 20, 40], 1
    sequence = parsed(build.psa([b"root"], [(b"a", 3, 2)], keys))[0]
    times = [-1, 0, 0.25, 1, 1.25, 1.5, 2.25, 100]
    assert sequence.sample(times)[:, 0, 0].tolist() == [10, 10, 15, 40, 40, 40, 40, 40]
    assert sequence.sample(times, wrap="loop")[:, 0, 0].tolist() == [20, 10, 15, 40, 25, 10, 30, 40]
    # A time before the start goes back from the end.
    assert sequence.sample(-0.25, wrap="loop")[0, 0] == 25
    # The last frame is the first one again.
    assert sequence.sample(times, wrap="closed")[:, 0, 0].tolist() == [10, 10, 15, 10, 15, 20, 15, 10]


def test_the_shape_of_the_result_begins_with_that_of_the_times(corpus: Path) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    one = walk.sample(0.3)
    assert one.shape == (23, 10)
    for times, shape in (
        (0.3, ()),
        ([0.3], (1,)),
        (np.full((2, 3), 0.3), (2, 3)),
        (np.full((2, 0), 0.3), (2, 0)),
        ((), (0,)),
        ([[[0.3]]], (1, 1, 1)),
    ):
        for matrices, rest in ((False, (23, 10)), (True, (23, 4, 4))):
            found = walk.sample(times, matrices=matrices)
            assert found.shape == (*shape, *rest)
            assert np.array_equal(found, np.broadcast_to(walk.sample(0.3, matrices=matrices), found.shape))


def test_times_are_taken_in_their_own_order(corpus: Path) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    times = np.random.default_rng(2).uniform(-0.5, 1.5, size=(7, 5))
    found = walk.sample(times)
    for index in np.ndindex(times.shape):
        np.testing.assert_array_equal(found[index], walk.sample(times[index]))
    np.testing.assert_array_equal(walk.sample(times.T), found.swapaxes(0, 1))
    np.testing.assert_array_equal(walk.sample(times[::2, ::-1]), found[::2, ::-1])


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.int8, np.uint64, ">f8"])
def test_times_may_have_any_type_of_numbers(corpus: Path, kind: Any) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    np.testing.assert_array_equal(walk.sample(np.array([0, 1], dtype=kind), unit="frames"), walk.sample([0.0, 1.0], unit="frames"))


def test_more_times_than_one_block_have_each_its_own_row(corpus: Path) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    times = np.linspace(0, 1, 5_003)
    found = walk.sample(times)
    out = np.empty_like(found)
    assert walk.sample(times, out=out) is out
    np.testing.assert_array_equal(out, found)
    for index in (0, 1, 284, 285, 2_501, 5_002):
        np.testing.assert_array_equal(found[index], walk.sample(times[index]))


@pytest.mark.parametrize("matrices", [False, True])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,), (3, 0)])
def test_out_is_filled_and_returned(corpus: Path, shape: tuple[int, ...], matrices: bool) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    times = np.random.default_rng(3).uniform(0, 1, size=shape)
    expected = walk.sample(times, matrices=matrices)
    out = np.full(expected.shape, np.nan, dtype=np.float32)
    assert walk.sample(times, matrices=matrices, out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_out_need_not_be_contiguous(corpus: Path) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    times = [0.1, 0.5, 0.9]
    expected = walk.sample(times)
    whole = np.full((6, 25, 12), 7, dtype=np.float32)
    for part in (whole[::2, 1:-1, 1:-1], whole[::-2, :23, :10], np.empty((3, 23, 10), dtype=np.float32, order="F")):
        assert walk.sample(times, out=part) is part
        np.testing.assert_array_equal(part, expected)
        part[...] = 7
        assert (whole == 7).all(), "nothing beside the part was written"


def test_an_out_whose_axes_of_times_are_apart_is_filled_or_refused(corpus: Path) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    times = np.random.default_rng(4).uniform(0, 1, size=(2, 3))
    out = np.full((3, 2, 23, 10), 7, dtype=np.float32).swapaxes(0, 1)
    with pytest.raises(ValueError, match="axes"):
        walk.sample(times, out=out)
    assert (out == 7).all()


@pytest.mark.parametrize(
    "out",
    [
        np.empty((3, 23, 9), np.float32),
        np.empty((4, 23, 10), np.float32),
        np.empty((23, 10), np.float32),
        np.empty((3, 23, 4, 4), np.float32),
        np.empty((3, 23, 10), np.float64),
        np.empty((3, 23, 10), np.int32),
        np.empty((3, 23, 10), ">f4"),
    ],
)
def test_an_out_of_another_shape_or_type_is_a_value_error(corpus: Path, out: Any) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    with pytest.raises(ValueError, match="out has the shape"):
        walk.sample([0.1, 0.2, 0.3], out=out)


def test_an_out_that_is_read_only_is_a_value_error(corpus: Path) -> None:
    walk = opened(corpus / "fox.psa")["walk"]
    out = np.zeros((3, 23, 10), np.float32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        walk.sample([0.1, 0.2, 0.3], out=out)
    assert not out.any()


def test_a_sequence_without_frames_cannot_be_sampled(test_corpus: Path) -> None:
    sequence = opened(test_corpus / "actorx/anim/negative_frames.psa")["Run"]
    with pytest.raises(ValueError, match="no frames"):
        sequence.sample(0)


def test_a_file_without_bones_has_samples_without_tracks() -> None:
    keyless = build.chunk(b"ANIMHEAD") + build.chunk(b"BONENAMES", 120, 0)
    keyless += build.chunk(b"ANIMINFO", 168, 1, build.info(b"a", 3, 30, 0)) + build.chunk(b"ANIMKEYS", 32, 0)
    sequence = parsed(keyless)[0]
    assert (sequence.frame_count, sequence.track_count) == (0, 0)
    with pytest.raises(ValueError, match="no frames"):
        sequence.sample([0, 1], unit="frames")


def oracles(samples: Path, kind: str) -> list[dict[str, str]]:
    """The outputs of the engine that its index names."""
    with (samples / "pyrogenesis/oracle/INDEX.tsv").open(newline="") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["kind"] == kind]


def test_poses_are_those_of_the_engine(samples: Path) -> None:
    rows = oracles(samples, "pose")
    assert len(rows) >= 10
    for row in rows:
        sequence = opened(samples / "pyrogenesis" / row["inputs"])[0]
        times = np.array([float(time) for time in row["times_ms(f32 repr)"].split(",")])
        # The engine stores matrices column by column.
        engine = np.fromfile(samples / "pyrogenesis/oracle" / row["out"], "<f4").reshape(len(times), -1, 4, 4).swapaxes(-1, -2)
        if row["loop"] == "1":
            found = sequence.sample(times / 1000, wrap="loop", matrices=True)
        else:
            # The time of the engine starts over in a single play, too.
            assert sequence.rate is not None
            found = sequence.sample(times / 1000 * sequence.rate % sequence.frame_count, unit="frames", matrices=True)
        # The engine does not normalise its blends: between keys, they are a little shorter.
        np.testing.assert_allclose(found, engine, atol=2e-4 * max(1, float(np.abs(engine).max())), err_msg=row["out"])
