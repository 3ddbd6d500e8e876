"""Meshes of all families: skinning, and animations bound to their bones."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
import numpy.typing as npt

from . import _arrays, _gltf, _native
from ._animation import Animation, Sequence, Times, Unit, Wrap, evaluate
from ._arrays import Floats, Indices
from ._asset import Asset, Choices, Mode
from ._gltf import GltfOptions
from ._results import Attachment, Match, Surface

if TYPE_CHECKING:
    import trimesh


class Binding:
    """A sequence, bound to the bones of a mesh. Made by :meth:`Mesh.bind`."""

    __slots__ = ("_mesh", "_native", "match", "sequence")

    match: Match
    """How the bones match."""
    sequence: Sequence
    """The sequence."""

    def __init__(self, mesh: Mesh, sequence: Sequence, config: bytes | None) -> None:
        animation = sequence.animation
        self._native = _native.Binding(mesh._file, animation._file, sequence.index, config, animation.mode)
        found, verdict, can_play, bones = self._native.found()
        self.match = Match(verdict=verdict, can_play=can_play, bones=tuple(bones), **json.loads(found))  # type: ignore[arg-type]
        self.sequence = sequence
        self._mesh = mesh

    def __repr__(self) -> str:
        return f"<skelmap.Binding {self.sequence.name!r} {self.match.verdict}>"

    def _repr_html_(self) -> str:
        return f"{self.sequence._repr_html_()}{self.match._repr_html_()}"

    def sample(
        self,
        t: Times,
        *,
        unit: Unit = "seconds",
        wrap: Wrap = "clamp",
        matrices: bool = False,
        out: Floats | None = None,
    ) -> Floats:
        """The pose of the mesh at some times: as :meth:`Sequence.sample`, for each bone of the mesh.

        What has no track stays in the bind pose.
        """

        def rows(times: npt.NDArray[np.float64]) -> _native.Memory:
            return self._native.sample(times, unit == "frames", wrap, matrices)

        return evaluate(rows, t, (self._mesh.bone_count, 16 if matrices else 10), matrices, unit, out)

    def skin(self, t: Times, *, unit: Unit = "seconds", wrap: Wrap = "clamp", influences: int = 32) -> Floats:
        """The positions of all points at some times: the shape of ``t``, then (points, 3) float32. As :meth:`Mesh.skin`."""
        return self._mesh.skin(self.sample(t, unit=unit, wrap=wrap), influences=influences)


def _to_sequences(motion: Animation | Sequence) -> list[Sequence]:
    if isinstance(motion, Sequence):
        return [motion]
    if not isinstance(motion, Animation):
        raise TypeError(f"expected an animation or a sequence, not {type(motion).__name__}")
    return motion.sequence_list


class Mesh(Asset, format="mesh"):
    """A mesh of any family."""

    __slots__ = ("_rigs",)
    _rigs: dict[int, _native.Rig]

    def __init__(self, file: _native.File, mode: Mode, choices: Choices) -> None:
        super().__init__(file, mode, choices)
        self._rigs = {}

    @property
    def positions(self) -> Floats:
        """Positions of points: (points, 3) float32, in place."""
        raise NotImplementedError

    @property
    def normals(self) -> Floats | None:
        """Normals, one for each point: (points, 3) float32, in place; ``None`` without normals."""
        raise NotImplementedError

    @property
    def uv_sets(self) -> list[Floats]:
        """For each UV set (vertices, 2) float32, in place."""
        raise NotImplementedError

    @property
    def material_names(self) -> list[str]:
        """The names of the materials."""
        return self._file.materials()

    @property
    def surfaces(self) -> list[Surface]:
        """For each material, how its faces are drawn."""
        return [Surface(*surface) for surface in self._file.surfaces()]

    @property
    def attachments(self) -> list[Attachment]:
        """Sockets or prop points."""
        return [Attachment(*attachment) for attachment in self._file.attachments()]

    def to_png(self, size: int = 256) -> bytes:
        """A picture of the mesh at rest: the bytes of a PNG file with ``size`` by ``size`` pixels (1 to 4096) and no background.

        >>> import skelmap
        >>> skelmap.open("corpus/fox.psk").to_png(64)[:4]
        b'\\x89PNG'
        """
        return _native.draw(self._file, size)

    def _repr_png_(self) -> bytes | None:
        return None if self.closed else self._picture()

    def _picture(self) -> bytes | None:
        try:
            return self.to_png()
        except (MemoryError, ValueError):
            return None  # A mesh without a finite point has no picture, and a notebook shows the counts alone.

    def _repr_html_(self) -> str:
        table = super()._repr_html_()
        picture = None if self.closed else self._picture()
        if picture is None:
            return table
        address = base64.b64encode(picture).decode()
        return f'<img src="data:image/png;base64,{address}" width="256" height="256" alt="">{table}'

    def to_triangles(self) -> Indices:
        """Triangles as three indices of vertices: (triangles, 3) uint32, a copy. Not checked against the vertices."""
        return _arrays.indices(self._file.triangles(), -1, 3)

    def to_vertex_points(self) -> Indices:
        """The point of each vertex: (vertices,) uint32, a copy. A vertex whose point does not exist has point 0."""
        return _arrays.indices(self._file.vertex_points(), -1)

    def _rig(self, influences: int = 4) -> _native.Rig:
        if not 1 <= influences <= 32:
            raise ValueError(f"influences is {influences}, expected 1 to 32")
        file, rigs = self._file, self._rigs
        if influences not in rigs:
            rigs[influences] = _native.Rig(file, influences)
        return rigs[influences]

    def close(self) -> None:
        super().close()
        self._rigs = {}

    def to_influences(self, width: int = 4) -> tuple[Indices, Floats]:
        """The bones that move each point, and their weights: (points, width) uint32 and float32, copies.

        The strongest are kept, and their weights add up to 1; :meth:`count_weaker_influences` tells how many are left out. Points with
        fewer have bone 0 with weight 0. The index after the last bone is the model.
        """
        bones, weights, own = self._rig(width).influences()
        found = _arrays.indices(bones, -1, own), _arrays.floats(weights, -1, own)
        if own == width:
            return found
        beside = ((0, 0), (0, width - own))
        return np.pad(found[0], beside), np.pad(found[1], beside)

    def count_weaker_influences(self, width: int = 4) -> int:
        """The number of influences that a table of this width leaves out, because each of their points has ``width`` stronger ones.

        >>> import skelmap
        >>> skelmap.open("corpus/fox.psk").count_weaker_influences()
        0
        """
        return self._rig(width).weaker()

    @property
    def bind_pose(self) -> Floats:
        """The transform of each bone at rest: (bones, 10) float32, as :meth:`Sequence.sample` gives them; a copy."""
        return _arrays.floats(self._rig().bind_pose(), -1, 10)

    @property
    def inverse_bind(self) -> Floats:
        """For each bone the matrix from points to the space of the bone at rest: (bones, 4, 4) float32, a copy."""
        return _arrays.floats(self._rig().inverse_bind(), -1, 4, 4).swapaxes(-1, -2)

    def bind(self, motion: Animation | Sequence, sequence: str | int = 0, *, config: bytes | None = None) -> Binding:
        """Binds a sequence to the bones of the mesh.

        An animation that does not fit is no error: bones without a track stay in the bind pose. ``binding.match`` says whether it can play.

        Args:
            motion: The sequence, or an animation.
            sequence: The name or the index of a sequence of the animation; the first by default.
            config: The bytes of a side-car (``.config``): a text file that says which tracks of an ActorX animation come from the mesh. By
                default, the file beside the animation with the same name, if there is one.

        >>> import skelmap
        >>> fox, animation = skelmap.open("corpus/fox.psk"), skelmap.open("corpus/fox.psa")
        >>> binding = fox.bind(animation, "walk")
        >>> binding.match.verdict, binding.skin([0.0, 0.5]).shape
        ('exact', (2, 398, 3))
        """
        if isinstance(motion, Animation):
            if not motion.sequence_list:
                raise ValueError("this animation has no sequence")
            motion = motion[sequence]
        elif not isinstance(motion, Sequence):
            raise TypeError(f"expected an animation or a sequence, not {type(motion).__name__}")
        return Binding(self, motion, config)

    def match(self, motion: Animation | Sequence) -> Match:
        """How the bones of an animation match those of the mesh."""
        return self.bind(motion).match

    def skin(self, poses: npt.ArrayLike | None = None, *, normals: bool = False, influences: int = 32) -> Floats:
        """The positions of all points in some poses.

        Args:
            poses: (..., bones, 10) float32, as :meth:`Binding.sample` gives them; by default the bind pose.
            normals: Whether the result has normals in the place of positions.
            influences: The most bones that move a point, 1 to 32; by default all. The strongest are kept: GPUs often take 4 or 8, and
                :meth:`count_weaker_influences` tells how many are then left out.

        Returns:
            The first axes of ``poses``, then (points, 3) float32.

        Raises:
            ValueError: The poses have another shape, or normals are asked of a mesh without any.
        """
        rig = self._rig(influences)
        poses, leading = self._to_poses(poses)
        if normals and self.normals is None:
            raise ValueError("this mesh has no normals")
        memory = rig.normals(poses) if normals else rig.positions(poses)
        return _arrays.floats(memory, *leading, len(self.positions), 3)

    def model_matrices(self, poses: npt.ArrayLike | None = None) -> Floats:
        """The place of each bone in the model, in some poses: (..., bones, 4, 4) float32."""
        rig = self._rig()
        poses, leading = self._to_poses(poses)
        return _arrays.floats(rig.model_matrices(poses), *leading, rig.bone_count, 4, 4).swapaxes(-1, -2)

    def _to_poses(self, poses: npt.ArrayLike | None) -> tuple[Floats, tuple[int, ...]]:
        """The poses in one row, and the shape that they had."""
        given = self.bind_pose if poses is None else np.asarray(poses, dtype=np.float32)
        bones = self._rig().bone_count
        if given.shape[-2:] != (bones, 10):
            raise ValueError(f"poses have the shape {given.shape}, expected (..., {bones}, 10)")
        leading = given.shape[:-2]
        count = int(np.prod(leading))
        return np.ascontiguousarray(given).reshape(count, bones, 10), leading

    def to_gltf(
        self,
        path: str | os.PathLike[str],
        animations: Animation | Sequence | Iterable[Animation | Sequence] = (),
        **options: Unpack[GltfOptions],
    ) -> dict[str, float]:
        """Writes the mesh with animations as glTF: ``.glb``, or ``.gltf`` with a ``.bin`` beside it.

        The file appears when it is complete. The command ``skelmap convert`` also finds textures and the animations that fit.

        Args:
            path: The file to write. A file that exists is replaced.
            animations: Animations or single sequences.
            options: Those of :class:`skelmap.GltfOptions`, by name: ``metres=1.0``.

        Returns:
            What was written, left out, computed or not matched.
        """
        bound: list[_native.Binding] = []
        for motion in [animations] if isinstance(animations, Animation | Sequence) else animations:
            bound += (self.bind(sequence)._native for sequence in _to_sequences(motion))
        return _gltf.write(self._file, bound, [], path, options)

    def to_trimesh(self) -> trimesh.Trimesh:
        """The mesh at rest as a ``trimesh.Trimesh``, in the space of the file. Needs the package ``trimesh``.

        It has a vertex for each corner with its own texture coordinate. As trimesh expects it, faces are counterclockwise seen from
        outside, and v counts from the bottom of an image.

        >>> import skelmap
        >>> bool(skelmap.open("corpus/fox.psk", kind=skelmap.Mesh).to_trimesh().volume > 0)
        True
        """
        import trimesh

        vertices = self.skin()[self.to_vertex_points()]
        triangles = self.to_triangles()
        triangles = triangles[(triangles < len(vertices)).all(axis=1)]
        outwards, from_top = self._file.conventions()
        if not outwards:
            triangles = triangles[:, ::-1]
        visual = None
        uv_sets = self.uv_sets
        # A file of UEFormat does not promise a coordinate for each vertex.
        if uv_sets and len(uv_sets[0]) == len(vertices):
            uvs = np.array(uv_sets[0])
            if from_top:
                uvs[:, 1] = 1 - uvs[:, 1]
            texture: Any = import_module("trimesh.visual.texture")
            visual = texture.TextureVisuals(uv=uvs)
        return trimesh.Trimesh(vertices=vertices, faces=triangles, visual=visual, process=False)
