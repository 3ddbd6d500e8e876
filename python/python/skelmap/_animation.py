"""Animations of all families: their sequences, keys and samples."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from operator import index as to_index
from typing import Any, ClassVar, Literal, TypeAlias, Unpack

import numpy as np
import numpy.typing as npt

from . import _arrays, _gltf, _native
from ._arrays import Floats, Part, Records
from ._asset import Asset, Choices, Mode
from ._gltf import GltfOptions
from ._results import to_html

Wrap: TypeAlias = Literal["clamp", "loop", "closed"]
"""What follows the last frame: it stays (``"clamp"``), it blends into the first (``"loop"``), or it is the first again (``"closed"``)."""

Unit: TypeAlias = Literal["seconds", "frames"]
"""What times are: seconds, or positions in frames (1.5 is halfway between frames 1 and 2)."""

Times: TypeAlias = float | npt.ArrayLike
"""One time, or an array of times of any shape."""


class Sequence:
    """One sequence of an animation. Its arrays keep the bytes alive; all else needs the file, until :meth:`Asset.close`."""

    __slots__ = ("_animation", "_keys", "_scales", "frame_count", "index", "name", "rate", "track_count")

    index: int
    """The index in the file."""
    name: str
    """The name; empty for a format without names."""
    frame_count: int
    """The number of frames in the file."""
    track_count: int
    """The number of tracks: of keys in a frame."""
    rate: float | None
    """Frames per second; ``None`` if the file has no positive number."""

    def __init__(
        self,
        animation: Animation,
        index: int,
        name: str | None,
        frame_count: int,
        track_count: int,
        rate: float | None,
        keys: Part | None,
        scales: Part | None,
    ) -> None:
        self._animation = animation
        self.index = index
        self.name = name or ""
        self.frame_count = frame_count
        self.track_count = track_count
        self.rate = rate
        self._keys = keys
        self._scales = scales

    def __repr__(self) -> str:
        return f"<skelmap.Sequence {self.name!r} frames={self.frame_count} tracks={self.track_count} rate={self.rate}>"

    def _repr_html_(self) -> str:
        counts = {"frames": self.frame_count, "tracks": self.track_count, "rate": self.rate, "duration": self.duration}
        return to_html(f"skelmap.Sequence {self.name!r}", counts)

    @property
    def animation(self) -> Animation:
        """The file."""
        return self._animation

    @property
    def duration(self) -> float | None:
        """Seconds of one turn of a loop: frames divided by rate; ``None`` without a rate."""
        return None if self.rate is None else self.frame_count / self.rate

    @property
    def times(self) -> npt.NDArray[np.float64]:
        """The seconds of each frame: (frames,) float64.

        Raises:
            ValueError: The file has no rate.
        """
        if self.rate is None:
            raise ValueError("this sequence has no rate, so its frames have no times")
        return np.arange(self.frame_count) / self.rate

    @property
    def keys(self) -> npt.NDArray[Any]:
        """The keys, a row for each frame: (frames, tracks), in place and read-only.

        Of type :data:`skelmap.actorx.KEY` (relative to the parent bone) or :data:`skelmap.pyrogenesis.STATE` (relative to the model).
        For SWAT 3, (frames, tracks, 4) float32: rotations. The rotations of all ActorX bones but the first are stored as conjugates;
        :meth:`sample` gives them as they turn.

        Raises:
            ValueError: The frames of a SWAT 3 animation differ in length; :meth:`skelmap.swat3.Gsa.rotation` has those of one frame. Or the
                keys are sparse, as in UEFormat: :attr:`skelmap.ueformat.Animation.tracks` has them.
        """
        if self._keys is not None and self._animation._key is not None:
            keys = _arrays.view(self._animation._whole, self._keys, self._animation._key)
            return keys.reshape(self.frame_count, self.track_count)
        rotations: npt.NDArray[Any] | None = getattr(self._animation, "rotations", None)
        if rotations is None:
            raise ValueError(self._animation._why_no_keys)
        return rotations

    @property
    def scale_keys(self) -> Records | None:
        """The scale keys, of type :data:`skelmap.actorx.SCALE_KEY`: (frames, tracks), in place; ``None`` without any."""
        if self._scales is None or self._animation._scale_key is None:
            return None
        scales = _arrays.view(self._animation._whole, self._scales, self._animation._scale_key)
        return scales.reshape(-1, self.track_count)

    def find(self, bone: str) -> int:
        """The track of a bone, by its name in any ASCII case.

        Raises:
            KeyError: No bone has this name.
        """
        if not isinstance(bone, str):
            raise TypeError(f"expected the name of a bone, not {type(bone).__name__}")
        names = self._animation._bone_names_of(self.index)
        if names is None:
            raise KeyError("bones of this format have no names; give the index of a track")
        wanted = _arrays.fold(bone.rstrip(" "))
        for track, name in enumerate(names):
            if _arrays.fold(name.rstrip(" ")) == wanted:
                return track
        raise KeyError(bone)

    def track(self, bone: str | int) -> npt.NDArray[Any]:
        """The keys of one track: (frames,), in place, with a stride of a frame.

        Args:
            bone: The name of a bone, or the index of a track.

        Raises:
            KeyError: No bone has this name, or the format has no names.
            IndexError: There is no such track.
            ValueError: As for :attr:`keys`.
        """
        track = self.find(bone) if isinstance(bone, str) else to_index(bone)
        if not -self.track_count <= track < self.track_count:
            raise IndexError(f"there is no track {track}: the sequence has {self.track_count}")
        return self.keys[:, track]

    def sample(
        self,
        t: Times,
        *,
        unit: Unit = "seconds",
        wrap: Wrap = "clamp",
        matrices: bool = False,
        out: Floats | None = None,
    ) -> Floats:
        """The transforms of all tracks at some times, blended between frames.

        Translation and scale are blended linearly, rotations spherically (slerp), the shorter way. Rotations have unit length. Transforms
        are relative to the parent bone (ActorX) or to the model (Pyrogenesis), as the keys are. A time that is not a number is 0.

        Args:
            t: One time, or an array of times of any shape.
            unit: ``"seconds"``, or ``"frames"``: 1.5 is halfway between frames 1 and 2.
            wrap: ``"clamp"``: before the first frame and after the last one nothing moves. ``"loop"``: the last frame blends into the
                first over the length of a frame, so that ``t = duration`` is ``t = 0`` again. ``"closed"``: the last frame is the first
                one again, as in most loops of Unreal.
            matrices: Whether the result has matrices in the place of ten floats.
            out: A float32 array of the shape of the result, to be filled.

        Returns:
            The shape of ``t``, then (tracks, 10) float32: translation x, y, z, rotation x, y, z, w, scale x, y, z. With ``matrices``
            (tracks, 4, 4): ``m[:3, 3]`` is the translation.

        Raises:
            ValueError: The sequence has no frames, or no rate (``unit="frames"`` needs none).

        >>> import skelmap
        >>> walk = skelmap.open("corpus/fox.psa")["walk"]
        >>> walk.sample(0.5).shape, walk.sample([0.0, 0.5, 1.0]).shape
        ((23, 10), (3, 23, 10))
        """

        def rows(times: npt.NDArray[np.float64]) -> _native.Memory:
            return _native.sample(self._animation._file, self.index, times, unit == "frames", wrap, matrices)

        return evaluate(rows, t, (self.track_count, 16 if matrices else 10), matrices, unit, out)


def evaluate(
    rows: Callable[[npt.NDArray[np.float64]], _native.Memory],
    t: Times,
    shape: tuple[int, ...],
    matrices: bool,
    unit: Unit,
    out: Floats | None,
) -> Floats:
    """Computes rows for all times, in blocks if an array is to be filled."""
    if unit not in ("seconds", "frames"):
        raise ValueError(f"unit is {unit!r}, expected 'seconds' or 'frames'")
    times = np.asarray(t)
    if times.dtype.kind == "O":
        raise ValueError("times are objects, or integers too large for a float; expected numbers")
    if times.dtype.kind not in "fiu":
        raise TypeError(f"times are {times.dtype}, expected numbers")
    times = times.astype(np.float64)
    flat = np.ascontiguousarray(times).reshape(-1)

    def shaped(memory: _native.Memory, leading: tuple[int, ...]) -> Floats:
        values = _arrays.floats(memory, *leading, *shape)
        if matrices:
            return values.reshape(*leading, shape[0], 4, 4).swapaxes(-1, -2)
        return values

    if out is None:
        return shaped(rows(flat), times.shape)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is {type(out).__name__}, expected an array")
    expected = (*times.shape, shape[0], 4, 4) if matrices else (*times.shape, *shape)
    if out.shape != expected or out.dtype != np.float32:
        raise ValueError(f"out has the shape {out.shape} of {out.dtype}, expected {expected} of float32")
    target = out.reshape(-1, *expected[times.ndim :])
    if not np.shares_memory(target, out) and out.size:
        raise ValueError("out must be an array whose first axes can be joined")
    # A block is large enough for all threads, and fits into a cache.
    block = max(1, (1 << 21) // max(1, int(np.prod(shape)) * 4))
    for first in range(0, len(flat), block):
        part = flat[first : first + block]
        target[first : first + block] = shaped(rows(part), part.shape)
    return out


class Sequences(Mapping[str, Sequence]):
    """The sequences of an animation, by name in any ASCII case. Of two with the same name, the first."""

    __slots__ = ("_by_name", "_list")

    def __init__(self, sequences: list[Sequence]) -> None:
        self._list = sequences
        self._by_name: dict[str, Sequence] = {}
        for sequence in sequences:
            self._by_name.setdefault(_arrays.fold(sequence.name), sequence)

    def __getitem__(self, name: str | int) -> Sequence:
        if isinstance(name, str):
            try:
                return self._by_name[_arrays.fold(name)]
            except KeyError:
                raise KeyError(name) from None
        return self._list[name]

    def __iter__(self) -> Iterator[str]:
        return (sequence.name for sequence in self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __repr__(self) -> str:
        return f"<skelmap.Sequences {list(self)}>"

    def _repr_html_(self) -> str:
        return to_html("skelmap.Sequences", {name: f"{sequence.frame_count} frames" for name, sequence in self.items()})

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _arrays.fold(name) in self._by_name


class Animation(Asset, format="animation"):
    """An animation of any family: its sequences by name or index.

    It counts and names every sequence, in file order. Of two sequences with one name, the name finds the first. :attr:`sequences` is a
    mapping, in which a name occurs once.
    """

    __slots__ = ("_sequences",)
    _key: ClassVar[np.dtype[np.void] | None] = None
    _scale_key: ClassVar[np.dtype[np.void] | None] = None
    _why_no_keys: ClassVar[str] = "the frames differ in length, so they are no array; `sample` works, and `rotation` has those of one frame"
    _sequences: Sequences | None

    def __init__(self, file: _native.File, mode: Mode, choices: Choices) -> None:
        super().__init__(file, mode, choices)
        self._sequences = None

    def _bone_names_of(self, index: int) -> list[str] | None:
        """The bones of the tracks of a sequence."""
        return self.bone_names

    @property
    def sequences(self) -> Sequences:
        """The sequences, as a mapping from names. O(sequences) the first time."""
        file = self._file
        sequences = self._sequences
        if sequences is None:
            found = (Sequence(self, index, *values) for index, values in enumerate(_native.sequences(file)))
            sequences = self._sequences = Sequences(list(found))
        return sequences

    @property
    def sequence_list(self) -> list[Sequence]:
        """All sequences, in file order."""
        return list(self.sequences._list)

    def __getitem__(self, name: str | int) -> Sequence:
        """A sequence by name, in any ASCII case, or by index."""
        return self.sequences[name]

    def __contains__(self, name: object) -> bool:
        return name in self.sequences

    def __iter__(self) -> Iterator[str]:
        return (sequence.name for sequence in self.sequences._list)

    def __len__(self) -> int:
        return len(self.sequences._list)

    def close(self) -> None:
        super().close()
        self._sequences = None

    def to_gltf(self, path: str | os.PathLike[str], **options: Unpack[GltfOptions]) -> dict[str, float]:
        """Writes the skeleton with its motion as glTF. As :meth:`Mesh.to_gltf`, without a mesh."""
        free = [(self._file, sequence.index) for sequence in self.sequence_list]
        return _gltf.write(None, [], free, path, options)
