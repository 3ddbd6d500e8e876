"""UEFormat: models (``.uemodel``), animations (``.ueanim``) and lists of poses (``.uepose``) of CUE4Parse, FModel and FortnitePorting.

Versions 0 to 10. Values are as stored: from version 8 on left-handed with z up, before it right-handed; lengths are in Unreal units,
usually centimetres. Rotations are quaternions x, y, z, w, relative to the parent bone. Most files are compressed (gzip or Zstandard):
:func:`skelmap.open` unpacks them into memory, in every mode, and all arrays lie there.

Keys are sparse: a track has a key only for a frame in which its value changes. :meth:`Sequence.sample` holds a value until the last frame
before the next key, as the writer compared frames.

>>> import struct, skelmap
>>> def text(name):
...     return struct.pack("<i", len(name)) + name
>>> def section(name, data):
...     return text(name) + struct.pack("<i", len(data)) + data
>>> metadata = struct.pack("<if", 31, 30) + text(b"") + struct.pack("<BBi", 0, 0, 0)
>>> keys = struct.pack("<i", 2) + struct.pack("<i3f", 0, 0, 0, 0) + struct.pack("<i3f", 30, 0, 0, 8)
>>> tracks = struct.pack("<i", 1) + text(b"root") + keys + struct.pack("<ii", 0, 0)
>>> body = struct.pack("<i", 2) + section(b"METADATA", metadata) + section(b"TRACKS", tracks)
>>> head = b"UEFORMAT" + text(b"UEANIM") + b"\\x0a" + text(b"Jump") + text(b"/Game/Jump") + b"\\0"
>>> jump = skelmap.parse(head + body, kind=skelmap.ueformat.Animation)
>>> jump.tracks[0].positions["frame"].tolist()
[0, 30]
>>> jump["jump"].sample([0, 29, 29.5, 30], unit="frames")[:, 0, 2].tolist()
[0.0, 0.0, 4.0, 8.0]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _animation, _arrays, _native
from ._animation import Sequence
from ._arrays import Floats, Indices, Part, Records
from ._asset import Asset
from ._mesh import Mesh

Colors = np.ndarray[tuple[int, int], np.dtype[np.uint8]]
"""Red, green, blue, alpha of each vertex: (vertices, 4) uint8."""

SIGNED_NORMAL = _arrays.record(16, ("binormal_sign", "<f4"), ("normal", "<f4", (3,)))
"""A normal of version 1 and later. The binormal is the sign, 1 or -1, times normal x tangent."""

INFLUENCE = _arrays.record(10, ("bone", "<u2"), ("vertex", "<i4"), ("weight", "<f4"))
"""How much a bone moves a vertex."""

MORPH_DELTA = _arrays.record(28, ("position", "<f4", (3,)), ("normal", "<f4", (3,)), ("vertex", "<u4"))
"""How a morph target moves one vertex."""

VECTOR_KEY = _arrays.record(16, ("frame", "<i4"), ("value", "<f4", (3,)))
"""A position or a scale in a frame."""

ROTATION_KEY = _arrays.record(20, ("frame", "<i4"), ("value", "<f4", (4,)))
"""A rotation in a frame."""

CURVE_KEY = _arrays.record(8, ("frame", "<i4"), ("value", "<f4"))
"""A value of a curve in a frame. Several keys may have one frame, which may lie outside of the frames of the animation."""

CURVE_INFLUENCE = _arrays.record(8, ("curve", "<i4"), ("influence", "<f4"))
"""A value of a curve in a pose. ``curve`` is an index of :attr:`Pose.curves`."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of detail: its name and its counts. Identify a level by its index, because two may have one name."""

    name: str
    """Such as ``LOD0``; empty before version 4."""
    vertex_count: int
    face_count: int
    influence_count: int
    uv_set_count: int
    color_set_count: int
    material_count: int
    morph_count: int


@dataclass(frozen=True, slots=True)
class Material:
    """A material and its triangles. Not checked against the indices."""

    name: str
    """The name of the slot, which may be empty, and which others may have too."""
    path: str | None
    """The path of the asset, which may be empty; ``None`` before version 6."""
    first_index: int
    """The first of its indices: ``first_index // 3`` is its first triangle."""
    face_count: int


@dataclass(frozen=True, slots=True, eq=False)
class Bones:
    """The bones of a model with their bind pose, relative to the parent. The arrays are copies: names lie between the bones in the file."""

    names: tuple[str, ...]
    parents: npt.NDArray[np.int32]
    """The parent of each bone as stored, -1 for a root: (bones,) int32. :attr:`skelmap.Mesh.parents` has the parents that count."""
    positions: Floats
    """(bones, 3) float32."""
    rotations: Floats
    """Quaternions x, y, z, w: (bones, 4) float32."""
    scales: Floats | None
    """(bones, 3) float32; ``None`` in a file without scales: only some files of version 10 have them."""


@dataclass(frozen=True, slots=True)
class Socket:
    """An attachment socket as stored, relative to its bone. :attr:`skelmap.Mesh.attachments` has the index of the bone."""

    name: str
    bone: str
    """The name of the bone, which may not exist."""
    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]
    scale: tuple[float, float, float]
    """As stored: before version 8, y is negated by a fault of the writer."""


@dataclass(frozen=True, slots=True)
class VirtualBone:
    """A bone that follows ``target``, relative to ``source``."""

    source: str
    target: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Hull:
    """A convex hull for collisions."""

    name: str
    """``None`` (the word) where it has none."""
    vertices: Floats
    """Corners: (corners, 3) float32, in place."""
    indices: Indices
    """Three corners for each triangle: (indices,) uint32, in place. Not checked against the corners."""

    @property
    def faces(self) -> Indices:
        """Triangles as three indices of corners: (faces, 3) uint32, in place."""
        return _to_faces(self.indices)


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """The keys of a bone, only for frames in which its value changes. A part without keys is that of the bind pose."""

    name: str
    """The name of the bone."""
    positions: Records
    """Positions, of type :data:`VECTOR_KEY`: (keys,), in place."""
    rotations: Records
    """Rotations, of type :data:`ROTATION_KEY`: (keys,), in place."""
    scales: Records
    """Scales, of type :data:`VECTOR_KEY`: (keys,), in place."""


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The keys of a curve: of a morph target, or of anything."""

    name: str
    keys: Records
    """Of type :data:`CURVE_KEY`: (keys,), in place."""


class NamedPose:
    """A pose of a list: differences to the reference pose, and values of curves. Made by :attr:`Pose.poses`."""

    __slots__ = ("_values", "bone_names", "influences", "name")

    name: str
    bone_names: tuple[str, ...]
    """The bones that the pose moves."""
    influences: Records
    """Values of curves, of type :data:`CURVE_INFLUENCE`: (influences,), in place."""

    def __init__(self, name: str, bones: list[str], values: _native.Memory, influences: Records) -> None:
        self.name = name
        self.bone_names = tuple(bones)
        self.influences = influences
        self._values = values

    def to_differences(self) -> Floats:
        """For each bone the differences as stored: (bones, 10) float32, a copy; position, rotation x, y, z, w, scale, where 0 is none."""
        return _arrays.floats(self._values, -1, 10).copy()

    def __repr__(self) -> str:
        return f"<skelmap.ueformat.NamedPose {self.name!r} bones={len(self.bone_names)} influences={len(self.influences)}>"


def _to_faces(indices: Indices) -> Indices:
    count = len(indices) // 3
    return indices[: 3 * count].reshape(count, 3)


class _UeAsset(Asset):
    """What the files of all three kinds have."""

    __slots__ = ()

    @property
    def version(self) -> int:
        """The version of the file: 0 to 10."""
        return _native.ue_head(self._file)[0]

    @property
    def name(self) -> str:
        """The name of the object; may be empty."""
        return _native.ue_head(self._file)[1]

    @property
    def path(self) -> str:
        """The path of the asset, such as ``/Game/Fox``; empty before version 10."""
        return _native.ue_head(self._file)[2]

    def _view(self, part: Part, kind: np.dtype[np.void]) -> Records:
        return _arrays.view(self._whole, part, kind)

    def _indices(self, part: Part) -> Indices:
        offset, count, stride = part
        return np.ndarray((count,), np.dtype("<u4"), self._whole, offset, (stride,))


class Model(_UeAsset, Mesh, format="ueformat.uemodel"):
    """A model (``.uemodel``): levels of detail, bones, sockets, hulls. Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    All arrays are those of one level of detail: ``skelmap.open(address, lod=1)`` opens the second. All lists of a level count in its one
    list of vertices; the file does not promise that they have one length. A static mesh has no bones, a skeleton no levels.
    """

    __slots__ = ()

    @property
    def levels(self) -> list[Level]:
        """The levels of detail in file order. Usually the first is the finest."""
        return [Level(name, *counts) for name, counts in _native.ue_levels(self._file)]

    @property
    def lod(self) -> int:
        """The index of the level of detail that the arrays show: the one that was asked for, or the last one; 0 without levels."""
        return max(0, min(self._choices[3], len(_native.ue_levels(self._file)) - 1))

    @property
    def skeleton_path(self) -> str:
        """The path of the skeleton asset; empty before version 7 and where it is not known."""
        return _native.ue_skeleton_path(self._file)

    @property
    def positions(self) -> Floats:
        """Positions of the vertices: (vertices, 3) float32, in place."""
        return self._vectors("positions", 3)

    @property
    def signed_normals(self) -> Records | None:
        """Normals with signs, of type :data:`SIGNED_NORMAL`: (normals,), in place; ``None`` in version 0 and without normals."""
        part = self._find("signed_normals")
        return None if part is None else self._view(part, SIGNED_NORMAL)

    @property
    def normals(self) -> Floats | None:
        """Normals, one for each vertex: (normals, 3) float32, in place; ``None`` without normals. NaN occurs."""
        return self._vectors("normals", 3) if self._part("normals")[1] else None

    @property
    def binormal_signs(self) -> Floats | None:
        """The signs of the binormals, 1 or -1, one for each normal: (normals,) float32, in place; ``None`` as :attr:`signed_normals`."""
        signed = self.signed_normals
        if signed is None:
            return None
        signs: Floats = signed["binormal_sign"]
        return signs

    @property
    def tangents(self) -> Floats | None:
        """Tangents, one for each vertex: (tangents, 3) float32, in place; ``None`` without tangents."""
        return self._vectors("tangents", 3) if self._part("tangents")[1] else None

    @property
    def indices(self) -> Indices:
        """Three indices of vertices for each triangle: (indices,) uint32, in place. Not checked against the vertices."""
        return self._indices(self._part("indices"))

    @property
    def faces(self) -> Indices:
        """Triangles, as three indices of vertices: (faces, 3) uint32, in place. Not checked against the vertices."""
        return _to_faces(self.indices)

    @property
    def uv_sets(self) -> list[Floats]:
        """For each UV set (vertices, 2) float32, in place. v counts from the top, before version 8 from the bottom."""
        return [_arrays.vectors(self._whole, part, 2) for _, part in _native.ue_uv_sets(self._file)]

    @property
    def uv_set_names(self) -> list[str | None]:
        """The name of each UV set, such as ``UV0``; ``None`` before version 10."""
        return [name for name, _ in _native.ue_uv_sets(self._file)]

    @property
    def color_sets(self) -> list[tuple[str | None, Colors]]:
        """For each set of colours its name, such as ``COL0``, and its colours: (vertices, 4) uint8, in place.

        The name is ``None`` before version 2.
        """
        sets = _native.ue_color_sets(self._file)
        return [(name, np.ndarray((count, 4), np.dtype("u1"), self._whole, at, (step, 1))) for name, (at, count, step) in sets]

    @property
    def colors(self) -> Colors | None:
        """The first set of colours, red, green, blue, alpha: (vertices, 4) uint8, in place; ``None`` without colours."""
        return next((colors for _, colors in self.color_sets if len(colors)), None)

    @property
    def influences(self) -> Records:
        """Influences in file order, of type :data:`INFLUENCE`: (influences,), in place."""
        return self._records("influences", INFLUENCE)

    @property
    def materials(self) -> list[Material]:
        """The materials with their triangles. A triangle that several have is one of the first."""
        return [Material(*material) for material in _native.ue_materials(self._file)]

    @property
    def morphs(self) -> list[tuple[str, Records]]:
        """For each morph target its name and its deltas, of type :data:`MORPH_DELTA`, in place."""
        return [(name, self._view(part, MORPH_DELTA)) for name, part in self._file.morphs()]

    def to_bones(self) -> Bones:
        """The bones with their bind pose, copied."""
        names, parents, positions, rotations, scales = _native.ue_bones(self._file)
        return Bones(
            tuple(names),
            np.asarray(parents),
            _arrays.floats(positions, -1, 3),
            _arrays.floats(rotations, -1, 4),
            None if scales is None else _arrays.floats(scales, -1, 3),
        )

    @property
    def sockets(self) -> list[Socket]:
        """The attachment sockets, as stored."""
        return [Socket(name, bone, *place) for name, bone, place in _native.ue_sockets(self._file)]

    @property
    def virtual_bones(self) -> list[VirtualBone]:
        """The virtual bones."""
        return [VirtualBone(*bone) for bone in _native.ue_virtual_bones(self._file)]

    @property
    def hulls(self) -> list[Hull]:
        """The convex hulls for collisions."""
        hulls = _native.ue_hulls(self._file)
        return [Hull(name, _arrays.vectors(self._whole, corners, 3), self._indices(indices)) for name, corners, indices in hulls]


class Animation(_UeAsset, _animation.Animation, format="ueformat.ueanim"):
    """An animation (``.ueanim``) of one sequence with sparse keys. Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    :attr:`tracks` has the keys as stored, :meth:`Sequence.sample` the transforms at any times, and :meth:`to_keys` those of all frames.
    """

    __slots__ = ()
    _why_no_keys = "the keys are sparse, so they are no array of frames; `sample` works, and the animation has `tracks` and `to_keys`"

    @property
    def tracks(self) -> list[Track]:
        """The keys of each bone, in file order. ``animation.tracks[animation[0].find("head")]`` is the track of a bone."""
        found: list[Track] = []
        for name, positions, rotations, scales in _native.ue_tracks(self._file):
            vectors = (self._view(part, VECTOR_KEY) for part in (positions, scales))
            found.append(Track(name, next(vectors), self._view(rotations, ROTATION_KEY), next(vectors)))
        return found

    @property
    def curves(self) -> list[Curve]:
        """The curves, in file order."""
        return [Curve(name, self._view(part, CURVE_KEY)) for name, part in _native.ue_curves(self._file)]

    def to_keys(self) -> Floats:
        """The transforms of all tracks in all frames: (frames, tracks, 10) float32, a copy, as :meth:`Sequence.sample` gives them.

        Raises:
            ValueError: The frames would take far more memory than the keys in the file: its number of frames is probably damaged.
        """
        sequence = self.sequence_list[0]
        if _native.is_inflated(self._file, 0):
            frames = f"{sequence.frame_count} frames of {sequence.track_count} tracks"
            raise ValueError(f"{frames} would take far more memory than the keys in the file; `sample` gives the frames that are asked for")
        return sequence.sample(np.arange(sequence.frame_count), unit="frames")

    @property
    def declared_frame_count(self) -> int:
        """The number of frames as stored: any number. :attr:`Sequence.frame_count` is the one that counts: 0 to 1,048,576."""
        return _native.ue_metadata(self._file)[0]

    @property
    def stored_rate(self) -> float:
        """Frames per second as stored: any number. :attr:`Sequence.rate` is the one that counts."""
        return _native.ue_metadata(self._file)[1]

    @property
    def additive_type(self) -> int:
        """What the asset says of differences: 0 none, 1 in local space, 2 rotations in the space of the mesh; 0 before version 7.

        The writer usually adds the base pose, so that the keys are absolute all the same.
        """
        return _native.ue_metadata(self._file)[2]

    @property
    def base_type(self) -> int:
        """The base of the differences: 0 none, 1 the reference pose, 2 an animation that is scaled, 3 a frame of an animation, 4 a frame of
        the animation itself; 0 before version 7."""
        return _native.ue_metadata(self._file)[3]

    @property
    def base_frame(self) -> int:
        """The frame of the base; 0 before version 7."""
        return _native.ue_metadata(self._file)[4]

    @property
    def base_path(self) -> str:
        """The path of the reference pose; empty before version 7."""
        return _native.ue_metadata(self._file)[5]


class Pose(_UeAsset, _animation.Animation, format="ueformat.uepose"):
    """A list of poses (``.uepose``): differences to the reference pose. Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    Each pose is a sequence of one frame, without a rate. Its :meth:`Sequence.sample` has the differences of the bones that it moves; a
    binding adds them to the bind pose of the mesh: ``mesh.bind(poses, "smile").skin(0, unit="frames")``. Scales are left out there.
    :attr:`bone_names` are the bones of the first pose, because each pose has its own.
    """

    __slots__ = ()
    _why_no_keys = "the bones of a pose are no array, because their names lie between them; `sample` works, and the file has `poses`"

    @property
    def poses(self) -> list[NamedPose]:
        """The poses, in file order."""
        found = _native.ue_poses(self._file)
        return [NamedPose(name, bones, values, self._view(part, CURVE_INFLUENCE)) for name, bones, values, part in found]

    @property
    def curves(self) -> list[str]:
        """The names of the curves, in file order."""
        return _native.ue_pose_curves(self._file)

    def _bone_names_of(self, index: int) -> list[str] | None:
        return _native.ue_pose_bones(self._file, index)


__all__ = [
    "CURVE_INFLUENCE",
    "CURVE_KEY",
    "INFLUENCE",
    "MORPH_DELTA",
    "ROTATION_KEY",
    "SIGNED_NORMAL",
    "VECTOR_KEY",
    "Animation",
    "Bones",
    "Curve",
    "Hull",
    "Level",
    "Material",
    "Model",
    "NamedPose",
    "Pose",
    "Sequence",
    "Socket",
    "Track",
    "VirtualBone",
]
