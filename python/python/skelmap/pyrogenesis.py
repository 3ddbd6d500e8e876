"""Pyrogenesis (0 A.D.): meshes (``.pmd``) and animations (``.psa``, which is another format than that of Unreal).

The space is left-handed with y up; lengths are in metres. Bones have neither names nor parents: their states are relative to the model.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._animation import Animation, Sequence
from ._arrays import Floats, Records
from ._mesh import Mesh
from ._write import write_pmd, write_psa

STATE = _arrays.record(28, ("translation", "<f4", (3,)), ("rotation", "<f4", (4,)))
"""The state of a bone in model space: in a frame, or in the bind pose."""


@lru_cache(maxsize=64)
def vertex(uv_sets: int) -> np.dtype[np.void]:
    """The type of a vertex with so many UV sets. Bone 255 and all after it in ``bones`` mean no bone."""
    return _arrays.record(
        44 + 8 * uv_sets,
        ("position", "<f4", (3,)),
        ("normal", "<f4", (3,)),
        ("uv", "<f4", (uv_sets, 2)),
        ("bones", "u1", (4,)),
        ("weights", "<f4", (4,)),
    )


class Pmd(Mesh, format="pyrogenesis.pmd"):
    """A mesh (``.pmd``, versions 1 to 4). Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    >>> import skelmap
    >>> fox = skelmap.open("corpus/fox.pmd")
    >>> fox.vertices["uv"].shape, fox.faces.dtype.str
    ((605, 1, 2), '<u2')
    """

    __slots__ = ()

    @property
    def vertices(self) -> Records:
        """Vertices, of type :func:`vertex`: (vertices,), in place. v counts from the bottom."""
        _, count, stride = self._part("vertices")
        # A file without vertices may state any number of UV sets.
        uv_sets = (stride - 44) // 8 if count else 0
        return self._records("vertices", vertex(uv_sets))

    @property
    def positions(self) -> Floats:
        """Positions, in metres: (vertices, 3) float32, in place. In versions 1 and 2, they are relative to the bones."""
        positions: Floats = self.vertices["position"]
        return positions

    @property
    def normals(self) -> Floats:
        """Normals: (vertices, 3) float32, in place."""
        normals: Floats = self.vertices["normal"]
        return normals

    @property
    def faces(self) -> npt.NDArray[np.uint16]:
        """Triangles, as three indices of vertices: (faces, 3) uint16, in place."""
        offset, count, stride = self._part("faces")
        return np.ndarray((count, 3), np.dtype("<u2"), self._whole, offset, (stride, 2))

    @property
    def bones(self) -> Records:
        """The bind pose, of type :data:`STATE`: (bones,), in place."""
        return self._records("bones", STATE)

    @property
    def uv_sets(self) -> list[Floats]:
        """For each UV set (vertices, 2) float32, in place. v counts from the bottom."""
        uvs: Floats = self.vertices["uv"]
        return [uvs[:, index] for index in range(uvs.shape[1])]


class Psa(Animation, format="pyrogenesis.psa"):
    """An animation (``.psa``) of one sequence. Made by :func:`skelmap.open` and :func:`skelmap.parse`.

    >>> import skelmap
    >>> walk = skelmap.open("corpus/fox_walk.psa")
    >>> walk.states.shape, walk[0].keys.shape, walk[0].frame_count
    ((690,), (30, 23), 30)
    """

    __slots__ = ()
    _key = STATE

    @property
    def states(self) -> Records:
        """The states of all bones, frame after frame, of type :data:`STATE`: (frames * bones,), in place."""
        return self._records("states", STATE)

    @property
    def keys(self) -> Records:
        """The same as :attr:`states`."""
        return self.states


__all__ = ["STATE", "Pmd", "Psa", "Sequence", "vertex", "write_pmd", "write_psa"]
