"""Sampling and skinning in NumPy, in 64-bit floats, as the references describe them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]


def unit(rotations: npt.ArrayLike, instead: tuple[float, ...] = (0, 0, 0, 1)) -> Doubles:
    """Rotations of unit length; another, usually the identity, for one without direction."""
    given = np.asarray(rotations, dtype=np.float64)
    lengths = np.linalg.norm(given, axis=-1, keepdims=True)
    has_direction = lengths > 1e-19
    found: Doubles = np.where(has_direction, given / np.where(has_direction, lengths, 1), np.array(instead, dtype=np.float64))
    return found


def conjugate(rotations: Doubles) -> Doubles:
    found: Doubles = rotations * np.array([-1.0, -1, -1, 1])
    return found


def conjugate_all_but_first(rotations: Doubles) -> Doubles:
    """The rotations of ActorX, ``(..., bones, 4)``, as those of a chain of column vectors (actorx.md, 5)."""
    found = conjugate(rotations)
    found[..., :1, :] = rotations[..., :1, :]
    return found


def slerp(first: Doubles, second: Doubles, weight: float) -> Doubles:
    """The shorter way on the arc between rotations. One without direction does not count."""
    first, second = unit(first, (0, 0, 0, 0)), unit(second, (0, 0, 0, 0))
    cosine: Any = np.sum(first * second, axis=-1, keepdims=True)
    second = np.where(cosine < 0, -second, second)
    angle = np.arccos(np.clip(np.abs(cosine), 0, 1))
    sine = np.sin(angle)
    straight = sine < 1e-9
    sine = np.where(straight, 1, sine)
    a = np.where(straight, 1 - weight, np.sin((1 - weight) * angle) / sine)
    b = np.where(straight, weight, np.sin(weight * angle) / sine)
    return unit(a * first + b * second)


def sample(translations: Doubles, rotations: Doubles, scales: Doubles | None, position: float, wrap: str) -> Doubles:
    """Transforms (tracks, 10) at a position in frames, of keys (frames, tracks, 3), (frames, tracks, 4) and (frames, tracks, 3)."""
    count = len(translations)
    position = min(max(position, 0), count - 1) if wrap == "clamp" else position % count
    first = int(position)
    weight = position - first
    second = (first + 1) % count if wrap == "loop" else min(first + 1, count - 1)

    def blend(values: Doubles) -> Doubles:
        found: Doubles = values[first] + (values[second] - values[first]) * weight if weight else values[first]
        return found

    rotation = slerp(rotations[first], rotations[second], weight) if weight else unit(rotations[first])
    scale = np.ones_like(translations[0]) if scales is None else blend(scales)
    return np.concatenate([blend(translations), rotation, scale], axis=-1)


def matrices(transforms: npt.ArrayLike) -> Doubles:
    """(..., 10) as matrices (..., 4, 4) for column vectors."""
    given: Any = np.asarray(transforms, dtype=np.float64)
    x, y, z, w = np.moveaxis(given[..., 3:7], -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    found = np.zeros((*given.shape[:-1], 4, 4))
    found[..., :3, :3] = np.moveaxis(np.array(rows), (0, 1), (-2, -1)) * given[..., None, 7:10]
    found[..., :3, 3] = given[..., :3]
    found[..., 3, 3] = 1
    return found


def model_matrices(pose: npt.ArrayLike, parents: list[int]) -> Doubles:
    """The place of each bone in the model, for a pose (bones, 10) relative to parents, -1 for a root."""
    local = matrices(pose)
    found: dict[int, Doubles] = {}

    def place(bone: int) -> Doubles:
        if bone not in found:
            found[bone] = local[bone] if parents[bone] < 0 else place(parents[bone]) @ local[bone]
        return found[bone]

    return np.array([place(bone) for bone in range(len(local))]).reshape(-1, 4, 4)


def skin(points: npt.ArrayLike, weights: Doubles, bind: Doubles, posed: Doubles) -> Doubles:
    """Linear blend skinning: points (points, 3), weights (points, bones), places of bones (bones, 4, 4) at rest and posed."""
    moves = posed @ np.linalg.inv(bind)
    blended = np.einsum("pb,bij->pij", weights, moves)
    homogeneous = np.concatenate([np.asarray(points, dtype=np.float64), np.ones((len(weights), 1))], axis=1)
    moved: Doubles = np.einsum("pij,pj->pi", blended, homogeneous)[:, :3]
    return moved


def turn(blended: Doubles, normals: npt.ArrayLike) -> Doubles:
    """Normals turned by matrices (points, 4, 4), of unit length."""
    turned = np.einsum("pij,pj->pi", blended[:, :3, :3], np.asarray(normals, dtype=np.float64))
    found: Doubles = turned / np.linalg.norm(turned, axis=1, keepdims=True)
    return found
