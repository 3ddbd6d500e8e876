"""Meshes and animations of 0 A.D. from arrays."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from . import _native
from ._arrays import Floats, Indices
from ._results import Attachment

Array: TypeAlias = npt.NDArray[Any]

FLOATS = "fiu"
"""The kinds of types that become floats. Booleans and complex numbers do not."""
INTEGERS = "iu"

MAX_INFLUENCES = 256
"""The most influences of a vertex that are looked at, of which the strongest four are kept."""

MAX_PROPS = 4096
"""The limit of the native part: no more are taken from an iterable than show that there are too many."""


def write_pmd(
    path: str | os.PathLike[str],
    positions: npt.ArrayLike,
    triangles: npt.ArrayLike,
    *,
    normals: npt.ArrayLike | None = None,
    uvs: npt.ArrayLike | Iterable[npt.ArrayLike] | None = None,
    joints: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    bones: npt.ArrayLike | None = None,
    props: Iterable[Attachment] = (),
    force: bool = False,
) -> dict[str, int]:
    """Writes arrays as a mesh of 0 A.D. (``.pmd``, version 4).

    The arrays are in the space of the game: left-handed, y up, metres, v = 0 at the bottom of the image. They are what
    :class:`skelmap.pyrogenesis.Pmd` gives: a mesh that is read and written is the same file. Floats and integers of any size are
    converted to float32; integers that a float32 cannot hold are an error. The file appears when it is complete.

    Args:
        path: The file to write, with a name in ``.pmd``.
        positions: (vertices, 3).
        triangles: Three indices of vertices each, counterclockwise seen from outside: (triangles, 3) integers. (The cross product of the
            first two edges points inwards, because the space is left-handed.)
        normals: (vertices, 3). Without them, and where a normal is zero, the normal is computed from the triangles.
        uvs: (vertices, 2), or several sets: (sets, vertices, 2), or a list of arrays. Without them, there is one set of zeros.
        joints: For each vertex the bones that move it: (vertices, influences) integers. The number of bones stands for the model itself.
            Bone 255 ends the list of a vertex, as in the field ``bones`` of :attr:`Pmd.vertices`.
        weights: The weights of ``joints``: (vertices, influences). Weights of 0 are left out. The strongest four are kept, those below
            0.001 are left out, and the sum becomes 1.
        bones: The bind pose, relative to the model: an array of type :data:`STATE`, or (bones, 7): translation x, y, z and rotation x, y,
            z, w. With (bones, 10), the last three are the scale, which has to be 1. Bones need ``joints`` and ``weights``, and these need
            bones.
        props: Prop points. ``root``, which the game expects first, is put there, and added if there is none.
        force: Whether a file that exists is replaced.

    Returns:
        What was written, computed, cut and added: ``vertices``, ``triangles``, ``bones``, ``props``, ``computed_normals``,
        ``normalized_normals``, ``vertices_without_uvs``, ``cut_vertices`` (more than four influences), ``weak_influences``,
        ``renormalized_vertices``, ``unmoved_vertices`` (without influences: they follow the model), ``has_new_root``, ``has_many_bones``
        (releases before 28 draw at most 63).

    Raises:
        ValueError: An array has another shape, a number is not finite, an index does not exist, a rotation does not have length 1, or the
            mesh has more than the game can hold (65,535 vertices, 191 bones, 8 UV sets).
        TypeError: An array has another type.
        FileExistsError: The file exists. Any other ``OSError`` that the system gives.

    >>> import skelmap, tempfile
    >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = skelmap.write_pmd(f"{folder}/one.pmd", corners, [[0, 1, 2]])
    ...     skelmap.open(f"{folder}/one.pmd", kind=skelmap.Mesh).normals[0].tolist(), report["computed_normals"]
    ([0.0, 0.0, -1.0], 3)
    """
    target = _target(path, ".pmd")
    points = _checked("positions", positions, FLOATS, ("vertices", 3))
    faces = _checked("triangles", triangles, INTEGERS, ("triangles", 3))
    sets = _uv_sets(uvs)
    pose = _states("bones", np.zeros((0, 7)) if bones is None else bones, ("bones",))
    listed = list(islice(props, MAX_PROPS + 1))
    vertices = len(points)
    # Before anything is converted: an array of two numbers can have the shape of a giant one.
    _native.check_mesh_counts(vertices, len(faces), len(pose), len(sets), len(listed))
    influences = None
    if joints is not None or weights is not None:
        if joints is None or weights is None:
            raise ValueError("joints and weights belong together: give both")
        own = _checked("joints", joints, INTEGERS, (vertices, "influences"))
        if not 1 <= own.shape[1] <= MAX_INFLUENCES:
            raise ValueError(f"joints has the shape {own.shape}, expected 1 to {MAX_INFLUENCES} influences")
        parts = _checked("weights", weights, FLOATS, own.shape)
        influences = _to_indices("joints", own), _to_floats("weights", parts), own.shape[1]
    report: dict[str, int] = json.loads(
        _native.write_pmd(
            target,
            force,
            _to_floats("positions", points),
            _to_indices("triangles", faces),
            None if normals is None else _to_floats("normals", _checked("normals", normals, FLOATS, (vertices, 3))),
            [_to_floats("uvs", _checked("each set of uvs", one, FLOATS, (vertices, 2))) for one in sets],
            influences,
            _to_rows("bones", pose),
            _to_props(listed),
        )
    )
    return report


def write_psa(
    path: str | os.PathLike[str],
    states: npt.ArrayLike,
    *,
    rate: float = 30.0,
    name: str = "",
    force: bool = False,
) -> dict[str, int]:
    """Writes arrays as an animation of 0 A.D. (``.psa`` of Pyrogenesis, version 1).

    The states are relative to the model, in the space of the game, as :meth:`skelmap.Sequence.sample` gives them for an animation of the
    game. The file appears when it is complete.

    Args:
        path: The file to write, with a name in ``.psa``.
        states: The state of each bone in each frame: an array of type :data:`STATE` of shape (frames, bones), or (frames, bones, 7):
            translation x, y, z and rotation x, y, z, w. With (frames, bones, 10), the last three are the scale, which has to be 1.
        rate: Frames per second. Animations of the game have 30.
        name: A name, which the game does not use.
        force: Whether a file that exists is replaced.

    Returns:
        The numbers of ``frames`` and ``bones``.

    Raises:
        ValueError: The states have another shape, no frame or no bone, more than 191 bones or 524,288 frames, a number that is not finite,
            or a rotation whose length is not 1.
        TypeError: The states have another type.
        FileExistsError: The file exists. Any other ``OSError`` that the system gives.

    >>> import skelmap, tempfile
    >>> walk = skelmap.open("corpus/fox_walk.psa", kind=skelmap.Animation)[0]
    >>> slow = walk.sample([frame / 2 for frame in range(60)], unit="frames", wrap="loop")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     skelmap.pyrogenesis.write_psa(f"{folder}/slow.psa", slow)
    {'frames': 60, 'bones': 23}
    """
    target = _target(path, ".psa")
    given = _states("states", states, ("frames", "bones"))
    frames, bones = given.shape[:2]
    if not isinstance(rate, int | float):
        raise TypeError(f"rate is {rate!r}, expected a number")
    if not (math.isfinite(rate) and rate > 0):
        raise ValueError(f"rate is {rate}, expected a finite number above 0")
    _native.check_animation_counts(frames, bones)
    written = _native.write_psa(target, force, _to_rows("states", given), bones, 1000 / rate, name)
    return {"frames": written, "bones": bones}


def _target(path: str | os.PathLike[str], extension: str) -> Path:
    target = Path(path)
    if target.suffix.lower() != extension:
        raise ValueError(f"{target}: expected a name in {extension}")
    return target


def _shape_text(shape: tuple[int | str, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


def _checked(name: str, value: object, kinds: str, shape: tuple[int | str, ...]) -> Array:
    """The array of an argument, as it is, if its type is of these kinds and its shape is this one. A text is an axis of any length."""
    array: Array = np.asarray(value)
    if array.dtype.kind not in kinds:
        what = "integers" if kinds == INTEGERS else "numbers"
        raise TypeError(f"{name} has the type {array.dtype}, expected {what} of the shape {_shape_text(shape)}")
    is_same = (isinstance(wanted, str) or wanted == own for wanted, own in zip(shape, array.shape, strict=False))
    if array.ndim != len(shape) or not all(is_same):
        raise ValueError(f"{name} has the shape {array.shape}, expected {_shape_text(shape)}")
    return array


def _to_floats(name: str, array: Array) -> Floats:
    """Numbers as float32. Floats are rounded; integers are not."""
    if array.dtype.kind in INTEGERS and array.size and max(int(array.max()), -int(array.min())) > 1 << 24:
        raise ValueError(f"{name} has integers that a float32 cannot hold: give floats")
    with np.errstate(over="ignore", invalid="ignore"):
        return np.ascontiguousarray(array, dtype=np.float32)


def _to_indices(name: str, array: Array) -> Indices:
    """Indices as uint32. The native part checks whether what they name exists."""
    if array.size:
        for value in (int(array.min()), int(array.max())):
            if not 0 <= value <= 0xFFFFFFFF:
                raise ValueError(f"{name} has the index {value}, which does not exist")
    return np.ascontiguousarray(array, dtype=np.uint32)


def _uv_sets(uvs: npt.ArrayLike | Iterable[npt.ArrayLike] | None) -> Array | list[Any]:
    """The sets, which are not looked at."""
    if uvs is None:
        return []
    if isinstance(uvs, list | tuple):
        sets: list[Any] = list(uvs)  # pyright: ignore[reportUnknownArgumentType]
        if all(np.ndim(one) == 2 for one in sets[:9]):
            return sets
    array: Array = np.asarray(uvs)
    if array.ndim == 2:
        return array[np.newaxis]
    if array.ndim != 3:
        raise ValueError(f"uvs has the shape {array.shape}, expected (vertices, 2) or (sets, vertices, 2)")
    return array


def _states(name: str, value: object, leading: tuple[str, ...]) -> Array:
    """States of bones, as they are: a structured array, or rows of 7 or 10 numbers."""
    array: Array = np.asarray(value)
    if array.dtype.names is not None:
        if array.dtype.names != ("translation", "rotation") or array.ndim != len(leading):
            expected = f"skelmap.pyrogenesis.STATE of the shape {_shape_text(leading)}"
            raise TypeError(f"{name} has the type {array.dtype} and the shape {array.shape}, expected {expected}")
        return array
    if array.ndim != len(leading) + 1 or array.shape[-1] not in (7, 10):
        raise ValueError(f"{name} has the shape {array.shape}, expected {_shape_text((*leading, 7))}: translation, rotation x, y, z, w")
    return _checked(name, array, FLOATS, (*leading, "numbers"))


def _to_rows(name: str, states: Array) -> Floats:
    """States of bones as rows of seven floats."""
    if states.dtype.names is not None:
        return _to_floats(name, np.concatenate([states["translation"], states["rotation"]], axis=-1))
    if states.shape[-1] == 10 and not (np.abs(states[..., 7:].astype(np.float64) - 1) <= 1e-3).all():
        raise ValueError(f"{name} has a scale other than 1, which the format cannot hold")
    return _to_floats(name, states[..., :7])


def _to_props(props: list[Attachment]) -> tuple[list[str], list[int | None], Floats]:
    rows: list[tuple[float, ...]] = []
    for index, prop in enumerate(props):
        if not isinstance(prop, Attachment):
            raise TypeError(f"prop point {index} is {type(prop).__name__}, expected skelmap.Attachment")
        if len(prop.translation) != 3 or len(prop.rotation) != 4:
            raise ValueError(f"prop point {index}: expected a translation x, y, z and a rotation x, y, z, w")
        if any(abs(value - 1) > 1e-3 for value in prop.scale):
            raise ValueError(f"prop point {index} has a scale other than 1, which the format cannot hold")
        if prop.bone is not None and prop.bone < 0:
            raise ValueError(f"prop point {index} has the bone {prop.bone}, expected None or an index")
        rows.append((*prop.translation, *prop.rotation))
    array = _checked("props", np.array(rows, dtype=None).reshape(len(rows), 7), FLOATS, (len(rows), 7))
    return [prop.name for prop in props], [prop.bone for prop in props], _to_floats("props", array)
