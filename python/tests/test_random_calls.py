"""Random changes of files and random calls end with a result or with a documented exception, never with a panic or a crash."""

from __future__ import annotations

import contextlib
import dataclasses
import math
import struct
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import skelmap
import ueformat_files
from hypothesis import given, note
from hypothesis import strategies as st
from support import CORPUS, TEST_CORPUS, manifest, parsed, public_names

DOCUMENTED = (ValueError, KeyError, IndexError, TypeError, MemoryError)
"""`FormatError` is a `ValueError`. A panic of Rust is none of these, and no `Exception` either."""

SMALL = 64 << 10
OF_CORPUS = [path.read_bytes() for path in sorted(CORPUS.iterdir()) if path.suffix in (".psk", ".psa", ".pmd", ".gsa")]
MADE: list[ueformat_files.Content] = [
    *(ueformat_files.random_model(version) for version in (0, 3, 5, 9, 10)),
    ueformat_files.random_model(10, has_scales=True),
    *(ueformat_files.random_animation(version) for version in (0, 7, 10)),
    *(ueformat_files.random_poses(version) for version in (9, 10)),
]
OF_UEFORMAT = [ueformat_files.write(own) for own in MADE] + [ueformat_files.write(own, is_gzip=True) for own in MADE[-6:]]
SEEDS = OF_CORPUS + [data for name in manifest() if len(data := (TEST_CORPUS / name).read_bytes()) <= SMALL] + OF_UEFORMAT

NUMBERS = [0, 1, -1, 2, 3, 4, 255, 256, 65_535, 65_536, 2**31 - 1, -(2**31), 2**24]
FLOATS = [0.0, -0.0, 1.0, -1.0, math.nan, math.inf, -math.inf, 1e-45, 3.4e38, 1e-20]
WORDS = [struct.pack("<i", number) for number in NUMBERS] + [struct.pack("<f", number) for number in FLOATS]


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A file of the corpora with some changes."""
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 6))):
        if not data:
            break
        at = draw(st.integers(0, len(data) - 1))
        match draw(st.integers(0, 5)):
            case 0:
                del data[at:]
            case 1:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case 2:
                # Most fields lie at multiples of four.
                at -= at % 4
                data[at : at + 4] = draw(st.sampled_from(WORDS))
            case 3:
                other = draw(st.sampled_from(SEEDS))
                begin = draw(st.integers(0, len(other)))
                part = other[begin : begin + draw(st.integers(0, 400))]
                data[at : at + draw(st.integers(0, len(part)))] = part
            case 4:
                del data[at : at + draw(st.integers(1, 200))]
            case _:
                data[at:at] = bytes(draw(st.integers(1, 64)))
    return bytes(data)


numbers = st.one_of(st.integers(-40, 40), st.sampled_from([*NUMBERS, 2**63, -(2**63), 2**64, 10**40]), st.floats())
anything = st.one_of(
    st.none(),
    st.booleans(),
    numbers,
    st.text(max_size=5),
    st.binary(max_size=5),
    st.lists(numbers, max_size=3),
    st.sampled_from([object(), {}, (), np.float32(2), np.zeros((2, 2)), np.array(["x"]), slice(0, 1)]),
)
times = st.one_of(numbers, st.lists(st.floats(), max_size=4), st.sampled_from([np.zeros((2, 3)), np.array([0.5, 1e300]), np.zeros((0, 2))]))
poses_shapes = st.one_of(st.tuples(st.integers(0, 6), st.just(10)), st.tuples(st.integers(0, 2), st.integers(0, 6), st.just(10)))


def draw_sample(draw: Any, tracks: int) -> dict[str, Any]:
    """Arguments of `sample`, right ones most of the time."""
    found: dict[str, Any] = {"unit": draw(st.sampled_from(["seconds", "frames", "frames", "x"]))}
    found["wrap"] = draw(st.sampled_from(["clamp", "loop", "loop", None]))
    if draw(st.booleans()):
        found["matrices"] = draw(st.sampled_from([True, False, "x"]))
    if draw(st.integers(0, 4)) == 0:
        found["out"] = draw(
            st.sampled_from([np.empty((tracks, 10), np.float32), np.empty((2, tracks, 4, 4), np.float32), np.empty(3), None])
        )
    return found


def attributes_of(asset: skelmap.Asset) -> list[str]:
    names = [name for name in public_names(asset) if name not in ("close", "to_gltf", "bind", "match", "rotation")]
    counts = asset.summary
    if (counts["uv_sets"] or 0) > 1_000:
        # A list as long as a file says is the subject of another test.
        names = [name for name in names if name not in ("uv_sets", "to_trimesh")]
    return names


class Caller:
    """Draws calls and makes them."""

    def __init__(self, draw: Any, folder: Path) -> None:
        self.draw: Any = draw
        self.folder = folder

    def attempt(self, about: str, call: Callable[[], object]) -> None:
        note(about)
        # Values beyond 32 bits are a warning of NumPy.
        with contextlib.suppress(*DOCUMENTED), np.errstate(all="ignore"):
            touch(call())

    def attribute(self, asset: Any) -> None:
        name = self.draw(st.sampled_from(attributes_of(asset)))
        if name == "to_trimesh":
            return

        def call() -> object:
            value = getattr(asset, name)
            return value() if callable(value) else value

        self.attempt(f".{name}", call)

    def of_animation(self, animation: skelmap.Animation) -> None:
        key: Any = self.draw(st.one_of(anything, st.integers(-3, 3)))
        self.attempt(f"[{key!r}]", lambda: animation[key])
        self.attempt(f"{key!r} in", lambda: key in animation)
        self.attempt(f".sequences.get({key!r})", lambda: animation.sequences.get(key))
        listed = animation.sequence_list
        if listed:
            self.of_sequence(self.draw(st.sampled_from(listed)))
        if isinstance(animation, skelmap.swat3.Gsa):
            self.attempt(f".rotation({key!r})", lambda: animation.rotation(key))
        if len(listed) < 100 and self.draw(st.integers(0, 3)) == 0:
            self.attempt(".to_gltf", lambda: animation.to_gltf(self.folder / "a.glb", additive="local"))

    def of_sequence(self, sequence: skelmap.Sequence) -> None:
        for name in ("keys", "scale_keys", "times", "duration", "animation"):
            self.attempt(f".{name}", partial(getattr, sequence, name))
        which: Any = self.draw(st.one_of(anything, st.integers(-5, 5), st.sampled_from(sequence.animation.bone_names or [""])))
        self.attempt(f".track({which!r})", lambda: sequence.track(which))
        self.attempt(f".find({which!r})", lambda: sequence.find(which))
        t, options = self.draw(st.one_of(times, anything)), draw_sample(self.draw, sequence.track_count)

        def call() -> None:
            found = sequence.sample(t, **options)
            assert found.dtype == np.float32
            assert found.shape[: np.ndim(t)] == np.shape(t)

        self.attempt(f".sample({t!r}, {options})", call)

    def of_mesh(self, mesh: skelmap.Mesh) -> None:
        influences, shape = self.draw(st.one_of(st.integers(-1, 33), anything)), self.draw(poses_shapes)
        poses = np.ones(shape, np.float32)
        wrong = self.draw(anything)
        self.attempt(f".skin({shape})", lambda: mesh.skin(poses, normals=bool(shape[0] % 2), influences=influences))
        self.attempt(f".skin({wrong!r})", lambda: mesh.skin(wrong))
        self.attempt(".skin()", lambda: mesh.skin(influences=influences))
        self.attempt(f".model_matrices({shape})", lambda: mesh.model_matrices(poses))
        self.attempt(f".to_influences({influences!r})", lambda: mesh.to_influences(influences))
        self.attempt(f".bind({wrong!r})", lambda: mesh.bind(wrong))
        other = parsed(self.draw(st.sampled_from(SEEDS[:2] + OF_UEFORMAT)))
        if isinstance(other, skelmap.Animation):
            self.bound(mesh, other)
        if self.draw(st.integers(0, 3)) == 0:
            up = self.draw(st.sampled_from([None, "x", "-y", "z", "w"]))
            self.attempt(".to_gltf", lambda: mesh.to_gltf(self.folder / "a.glb", up=up, morphs=True, colors="paint"))

    def bound(self, mesh: skelmap.Mesh, motion: skelmap.Animation) -> None:
        config = self.draw(st.one_of(st.none(), st.binary(max_size=60), st.just(b"[AnimSet]\nbAnimRotationOnly=1\n")))

        def call() -> None:
            binding = mesh.bind(motion, config=config)
            binding.sample(0.1)
            touch(binding.skin([0.1, 0.2], unit="frames"))

        self.attempt(f".bind(..., config={config!r})", call)


def touch(value: Any) -> None:
    """Reads every byte of arrays, which would crash if they lay outside of the file."""
    if type(value) is np.ndarray:
        value.tobytes()
    elif type(value) in (list, tuple):
        for item in value:
            touch(item)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            touch(getattr(value, field.name))
    elif isinstance(value, skelmap.ueformat.NamedPose):
        touch([value.influences, value.to_differences()])


def make_calls(draw: Any, asset: Any, folder: Path) -> None:
    caller = Caller(draw, folder)
    repr(asset)
    asset._repr_html_()
    for _ in range(draw(st.integers(1, 4))):
        caller.attribute(asset)
        if isinstance(asset, skelmap.Animation):
            caller.of_animation(asset)
        elif isinstance(asset, skelmap.Mesh):
            caller.of_mesh(asset)
    if draw(st.booleans()):
        asset.close()


def assert_whole(error: skelmap.FormatError, content: bytes) -> None:
    """The error says what is wrong, and where in the bytes; in those of the unpacked file, if the file is compressed."""
    assert error.kind
    assert error.section is not None
    assert error.offset is not None
    assert error.offset >= 0
    assert error.offset <= len(content) or ueformat_files.is_compressed(content)
    assert str(error)
    assert error.path is None


@given(st.data())
def test_changed_files_and_random_calls_end_with_documented_exceptions(data: st.DataObject) -> None:
    content = data.draw(damaged())
    options: dict[str, Any] = {"engine": data.draw(st.booleans()), "trailing_zeros": data.draw(st.booleans())}
    options["lod"] = data.draw(st.sampled_from([0, 0, 1, 2, 2**40]))
    try:
        asset = parsed(content, **options)
    except skelmap.FormatError as error:
        assert_whole(error, content)
        return
    assert asset.data.tobytes() == content or ueformat_files.is_compressed(content)
    with tempfile.TemporaryDirectory() as folder:
        make_calls(data.draw, asset, Path(folder))


@given(st.data())
def test_two_changed_files_can_be_bound(data: st.DataObject) -> None:
    first, second = data.draw(damaged()), data.draw(damaged())
    try:
        mesh, motion = parsed(first), parsed(second)
    except skelmap.FormatError:
        return
    if isinstance(mesh, skelmap.Mesh) and isinstance(motion, skelmap.Animation):
        with tempfile.TemporaryDirectory() as folder:
            Caller(data.draw, Path(folder)).bound(mesh, motion)


@given(st.data())
def test_archives_with_changes_end_with_documented_exceptions(data: st.DataObject) -> None:
    content = bytearray(
        (CORPUS / "fox.pyromod").read_bytes() if data.draw(st.booleans()) else (TEST_CORPUS / "archive/mod.zip").read_bytes()
    )
    for _ in range(data.draw(st.integers(1, 6))):
        # Most of what matters is in the directory at the end.
        at = data.draw(st.one_of(st.integers(max(0, len(content) - 600), len(content) - 1), st.integers(0, len(content) - 1)))
        if data.draw(st.booleans()):
            content[at] = data.draw(st.integers(0, 255))
        else:
            content[at : at + 4] = data.draw(st.sampled_from(WORDS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mod.zip"
        path.write_bytes(content)
        table = skelmap.catalog(folder, extent=True, content_hash=True)
        assert len(table) == table.assets
        mode: Any = data.draw(st.sampled_from(["read", "map", "lease"]))
        for item in skelmap.walk(folder, mode=mode):
            try:
                asset = item.open()
            except (skelmap.FormatError, FileNotFoundError):
                continue
            touch(asset.data)
            asset.check()


@given(st.binary(max_size=200))
def test_any_bytes_are_an_asset_or_a_format_error(content: bytes) -> None:
    try:
        parsed(content).check()
    except skelmap.FormatError as error:
        assert_whole(error, content)
