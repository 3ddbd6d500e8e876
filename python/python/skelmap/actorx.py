"""Unreal ActorX: meshes (``.psk``, ``.pskx``) and animations (``.psa``).

The space is right-handed with z up; lengths are in units of the file, usually centimetres. Rotations are quaternions x, y, z, w. The arrays
have what the file stores: of all bones but the first, that is the conjugate of the rotation that :meth:`Sequence.sample` gives.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from . import _arrays, _native
from ._animation import Animation, Sequence
from ._arrays import Floats, Records
from ._asset import of_kind, reopen
from ._edit import PsaEdit, PskEdit
from ._mesh import Mesh

WEDGE = _arrays.record(16, ("point_index", "<u4"), ("uv", "<f4", (2,)), ("material", "u1"), ("reserved", "u1"), ("padding", "<u2"))
"""A wedge: a corner of faces. With at most 65,536 points, the high half of ``point_index`` may be garbage."""

FACE16 = _arrays.record(12, ("wedges", "<u2", (3,)), ("material", "u1"), ("aux_material", "u1"), ("smoothing_groups", "<u4"))
"""A face with 16-bit indices of wedges."""

FACE32 = _arrays.record(18, ("wedges", "<u4", (3,)), ("material", "u1"), ("aux_material", "u1"), ("smoothing_groups", "<u4"))
"""A face with 32-bit indices of wedges."""

MATERIAL = _arrays.record(
    88,
    ("name", "S64"),
    ("texture_index", "<i4"),
    ("poly_flags", "<u4"),
    ("aux_material", "<i4"),
    ("aux_flags", "<u4"),
    ("lod_bias", "<i4"),
    ("lod_style", "<i4"),
)
"""A material slot."""

BONE = _arrays.record(
    120,
    ("name", "S64"),
    ("flags", "<u4"),
    ("child_count", "<i4"),
    ("parent_index", "<i4"),
    ("rotation", "<f4", (4,)),
    ("translation", "<f4", (3,)),
    ("length", "<f4"),
    ("size", "<f4", (3,)),
)
"""A bone with its bind pose, relative to the parent."""

INFLUENCE = _arrays.record(12, ("weight", "<f4"), ("point_index", "<i4"), ("bone_index", "<i4"))
"""How much a bone moves a point."""

COLOR = _arrays.record(4, ("rgba", "u1", (4,)))
"""A vertex colour, one for each wedge."""

MORPH_INFO = _arrays.record(68, ("name", "S64"), ("vertex_count", "<i4"))
"""A morph target: its name and its number of deltas."""

MORPH_DELTA = _arrays.record(28, ("position", "<f4", (3,)), ("tangent_z", "<f4", (3,)), ("point_index", "<i4"))
"""How a morph target moves one point. Unlike all other vectors, y is not mirrored."""

SOCKET = _arrays.record(
    164,
    ("name", "S64"),
    ("bone_name", "S64"),
    ("location", "<f4", (3,)),
    ("pitch", "<f4"),
    ("yaw", "<f4"),
    ("roll", "<f4"),
    ("scale", "<f4", (3,)),
)
"""An attachment socket, relative to its bone; angles in degrees."""

INFO = _arrays.record(
    168,
    ("name", "S64"),
    ("group", "S64"),
    ("total_bones", "<i4"),
    ("root_include", "<i4"),
    ("key_compression_style", "<i4"),
    ("key_quotum", "<i4"),
    ("key_reduction", "<f4"),
    ("track_time", "<f4"),
    ("rate", "<f4"),
    ("start_bone", "<i4"),
    ("first_raw_frame", "<i4"),
    ("raw_frame_count", "<i4"),
)
"""A sequence as stored. :class:`skelmap.Sequence` has the values that count."""

KEY = _arrays.record(32, ("translation", "<f4", (3,)), ("rotation", "<f4", (4,)), ("time", "<f4"))
"""One bone in one frame, relative to the parent. The rate of the sequence gives the time of a key, not ``time``. The rotations of all bones
but the first are stored as conjugates of those that :meth:`skelmap.Sequence.sample` gives."""

SCALE_KEY = _arrays.record(16, ("scale", "<f4", (3,)), ("time", "<f4"))
"""The scale of one bone in one frame."""


class Psk(Mesh, format="actorx.psk"):
    """A mesh (``.psk``, ``.pskx``). Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    >>> import skelmap
    >>> fox = skelmap.open("corpus/fox.psk")
    >>> fox.points.shape, fox.points.dtype.str, fox.points.flags.writeable
    ((398, 3), '<f4', False)
    """

    __slots__ = ()

    @property
    def points(self) -> Floats:
        """Positions, in units of the file: (points, 3) float32, in place."""
        return self._vectors("points", 3)

    @property
    def positions(self) -> Floats:
        """The same as :attr:`points`."""
        return self.points

    @property
    def wedges(self) -> Records:
        """Corners of faces, of type :data:`WEDGE`: (wedges,), in place."""
        return self._records("wedges", WEDGE)

    @property
    def faces(self) -> Records:
        """Triangles, of type :data:`FACE16` or :data:`FACE32`, as the file has them: (faces,), in place."""
        kind = FACE32 if self._part("faces")[2] == FACE32.itemsize else FACE16
        return self._records("faces", kind)

    @property
    def materials(self) -> Records:
        """Material slots, of type :data:`MATERIAL`: (materials,), in place."""
        return self._records("materials", MATERIAL)

    @property
    def bones(self) -> Records:
        """Bones with their bind pose, of type :data:`BONE`: (bones,), in place."""
        return self._records("bones", BONE)

    @property
    def influences(self) -> Records:
        """Influences in no particular order, of type :data:`INFLUENCE`: (influences,), in place."""
        return self._records("influences", INFLUENCE)

    @property
    def colors(self) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]] | None:
        """Vertex colours, red, green, blue, alpha: (wedges, 4) uint8, in place; ``None`` without colours."""
        part = self._part("colors")
        if part[1] == 0:
            return None
        return np.ndarray((part[1], 4), np.dtype("u1"), self._whole, part[0], (part[2], 1))

    @property
    def normals(self) -> Floats | None:
        """Normals, one for each point: (points, 3) float32, in place; ``None`` without normals."""
        return self._vectors("normals", 3) if self._part("normals")[1] else None

    @property
    def tangents(self) -> Floats | None:
        """Tangents, one for each point: (points, 4) float32, in place; ``None`` without tangents."""
        return self._vectors("tangents", 4) if self._part("tangents")[1] else None

    @property
    def uv_sets(self) -> list[Floats]:
        """For each UV set (wedges, 2) float32, in place: that of the wedges, then the further sets. v counts from the top."""
        wedges = self.wedges
        first: list[Floats] = [wedges["uv"]] if len(wedges) else []
        return first + [_arrays.vectors(self._whole, part, 2) for name, part in self._file.parts() if name == "uvs"]

    @property
    def morph_infos(self) -> Records:
        """Morph targets, of type :data:`MORPH_INFO`: (targets,), in place."""
        return self._records("morph_infos", MORPH_INFO)

    @property
    def morph_deltas(self) -> Records:
        """The deltas of all morph targets, one after the other, of type :data:`MORPH_DELTA`: (deltas,), in place."""
        return self._records("morph_deltas", MORPH_DELTA)

    @property
    def morphs(self) -> list[tuple[str, Records]]:
        """For each morph target its name and its deltas, of type :data:`MORPH_DELTA`, in place."""
        return [(name, _arrays.view(self._whole, part, MORPH_DELTA)) for name, part in self._file.morphs()]

    @property
    def sockets(self) -> Records:
        """Attachment sockets, of type :data:`SOCKET`: (sockets,), in place."""
        return self._records("sockets", SOCKET)

    def edit(self) -> PskEdit:
        """An edit of the mesh: names of bones and materials, scale, chunks. All other bytes stay.

        >>> import skelmap
        >>> fox = skelmap.open("corpus/fox.psk", kind=skelmap.actorx.Psk)
        >>> fox.edit().to_bytes() == fox.data.tobytes()  # nothing was asked
        True
        """
        return PskEdit(self)


class Psa(Animation, format="actorx.psa"):
    """An animation (``.psa``): sequences by name or index. Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    >>> import skelmap
    >>> fox = skelmap.open("corpus/fox.psa")
    >>> list(fox)
    ['walk', 'idle']
    >>> fox["walk"].track("head")["rotation"].shape
    (30, 4)
    """

    __slots__ = ()
    _key = KEY
    _scale_key = SCALE_KEY

    @property
    def bones(self) -> Records:
        """Bones, of type :data:`BONE`: (bones,), in place. Only the names are reliable in an animation."""
        return self._records("bones", BONE)

    @property
    def infos(self) -> Records:
        """Sequences as stored, of type :data:`INFO`: (sequences,), in place."""
        return self._records("infos", INFO)

    @property
    def keys(self) -> Records:
        """The keys of all sequences, of type :data:`KEY`: (keys,), in place. :attr:`Sequence.keys` has those of one."""
        return self._records("keys", KEY)

    @property
    def scale_keys(self) -> Records:
        """The scale keys of all sequences, of type :data:`SCALE_KEY`: (scale keys,), in place."""
        return self._records("scale_keys", SCALE_KEY)

    def edit(self) -> PsaEdit:
        """An edit of the animation: sequences, their names, rates and frames, and bones. All other bytes stay.

        >>> import skelmap
        >>> fox = skelmap.open("corpus/fox.psa", kind=skelmap.actorx.Psa)
        >>> list(skelmap.parse(fox.edit().keep(["idle"]).to_bytes(), kind=skelmap.Animation))
        ['idle']
        """
        return PsaEdit(self)

    def split(self, folder: str | os.PathLike[str], *, force: bool = False) -> list[Path]:
        """Writes a file for each sequence, with all bones and the lines of the side-car (``.config``) that are about it.

        :func:`skelmap.merge` of all of them, in this order, is the way back. Names that collide are numbered. Each file appears when it is
        complete; after an error, those before it are there.

        Args:
            folder: The folder to write to. It is made if it does not exist.
            force: Whether files that exist are replaced. The file that was opened is not.

        Returns:
            The files, in the order of the sequences.
        """
        return _native.split(self._file, folder, force, self.mode)


def merge(
    animations: Iterable[Psa | str | os.PathLike[str]],
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    number: bool = False,
    copy_shared: bool = False,
) -> dict[str, int]:
    """Makes one animation of several, and one side-car (``.config``) of theirs. The files appear when both are complete.

    The first animation gives the chunks and the bones. Animations with the same bones give their keys as they are; of others, tracks are
    found by name, and bones without a track get the rest pose of the first animation.

    Args:
        animations: ActorX animations, or their paths and addresses.
        path: The file to write, which is none of the animations.
        force: Whether files that exist are replaced.
        number: Whether sequences whose name an earlier one has are numbered; otherwise such a name is an error.
        copy_shared: Whether each of several sequences that share frames gets its own copy.

    Returns:
        What was written, added and left out: ``bytes``, ``files``, ``sequences``, ``frames``, ``bones``, ``numbered_sequences``,
        ``dropped_tracks`` (without a bone of the first animation), ``filled_tracks`` (of the rest pose), and others.

    Raises:
        FormatError: A file is damaged.
        ValueError: There is no animation, one is no ActorX animation or has no bone of the first, or two sequences have one name.
        FileExistsError: The file exists. Any other ``OSError`` that the system gives.

    >>> import skelmap, tempfile
    >>> fox = skelmap.open("corpus/fox.psa", kind=skelmap.actorx.Psa)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     files = fox.split(folder)
    ...     skelmap.merge(files, f"{folder}/all.psa")["sequences"]
    ...     skelmap.open(f"{folder}/all.psa").data.tobytes() == fox.data.tobytes()
    2
    True
    """
    if isinstance(animations, str | bytes | os.PathLike):
        raise TypeError("animations are one path, expected a list of animations or paths")
    opened = [own if isinstance(own, Psa) else reopen(os.fspath(own), "read", (False, False, None, 0)) for own in animations]
    files = [of_kind(own, Psa) for own in opened]
    report: dict[str, int] = json.loads(_native.merge([(own._file, own.mode) for own in files], path, force, number, copy_shared))
    return report


__all__ = [
    "BONE",
    "COLOR",
    "FACE16",
    "FACE32",
    "INFLUENCE",
    "INFO",
    "KEY",
    "MATERIAL",
    "MORPH_DELTA",
    "MORPH_INFO",
    "SCALE_KEY",
    "SOCKET",
    "WEDGE",
    "Psa",
    "PsaEdit",
    "Psk",
    "PskEdit",
    "Sequence",
    "merge",
]
