"""SWAT 3: animations (``.gsa``). The format is undocumented in part: the space of the rotations is not known."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index as to_index
from typing import Literal

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._animation import Animation, Sequence
from ._arrays import Floats, Records

HEAD = _arrays.record(40, ("origin", "<f4", (3,)), ("rotation", "<f4", (4,)), ("root_offset", "<f4", (3,)))
"""The first part of a frame: the place of the figure."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in a frame, such as a sound that begins."""

    frame: int
    kind: Literal["sound", "itemsound", "other"]
    value: str


class Gsa(Animation, format="swat3.gsa"):
    """An animation (``.gsa``) of one sequence without a name. Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    >>> import skelmap
    >>> walk = skelmap.open("corpus/officer_walk.gsa")
    >>> walk.rotation(0).shape, walk.events[0].kind
    ((22, 4), 'sound')
    """

    __slots__ = ()

    @property
    def animated_ids(self) -> npt.NDArray[np.uint16]:
        """The id of the bone that each rotation of a frame turns: (rotations,) uint16, in place."""
        offset, count, stride = self._part("animated_ids")
        return np.ndarray((count,), np.dtype("<u2"), self._whole, offset, (stride,))

    @property
    def rotations(self) -> Floats | None:
        """The rotations of all frames, x, y, z, w: (frames, rotations, 4) float32, in place.

        ``None`` where frames differ in length because of their events: :meth:`rotation` has those of one frame, and
        :meth:`Sequence.sample` those of any.
        """
        part = self._find("rotations")
        if part is None:
            return None
        offset, frames, stride = part
        tracks = self.sequence_list[0].track_count
        return np.ndarray((frames, tracks, 4), np.dtype("<f4"), self._whole, offset, (stride, 16, 4))

    @property
    def heads(self) -> Records | None:
        """The places of the figure, of type :data:`HEAD`: (frames,), in place; ``None`` as for :attr:`rotations`."""
        part = self._find("heads")
        return None if part is None else _arrays.view(self._whole, part, HEAD)

    def rotation(self, frame: int) -> Floats:
        """The rotations of a frame: (rotations, 4) float32, in place. O(frames before) where frames differ in length."""
        frame, count = to_index(frame), self.sequence_list[0].frame_count
        if not -count <= frame < count:
            raise IndexError(f"there is no frame {frame}: the animation has {count}")
        part = self._file.rotations_of(frame % count)
        assert part is not None
        return _arrays.vectors(self._whole, part, 4)

    @property
    def events(self) -> list[Event]:
        """The events, in the order of the frames."""
        return [Event(frame, kind, value) for frame, kind, value in self._file.events()]  # type: ignore[arg-type]


__all__ = ["HEAD", "Event", "Gsa", "Sequence"]
