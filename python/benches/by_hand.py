"""The work without the package: what a user of NumPy would write."""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

KEY = np.dtype([("translation", "<f4", (3,)), ("rotation", "<f4", (4,)), ("time", "<f4")])
CHUNK = struct.Struct("<20s3i")


def keys_by_hand(path: Path) -> npt.NDArray[np.void]:
    """The keys of an ActorX animation by `np.fromfile`, after a walk over the headers of the chunks."""
    # Without a buffer, because each header would fill it.
    with path.open("rb", buffering=0) as file:
        while header := file.read(CHUNK.size):
            name, _, size, count = CHUNK.unpack(header)
            if name.startswith(b"ANIMKEYS"):
                return np.fromfile(file, KEY, count)
            file.seek(size * count, os.SEEK_CUR)
    raise ValueError(f"{path}: no keys")


def keys_of_bytes(path: Path) -> npt.NDArray[np.void]:
    """The keys of an ActorX animation by `np.frombuffer`, after the whole file was read: fewer system calls, for many small files."""
    content, offset = path.read_bytes(), 0
    while offset < len(content):
        name, _, size, count = CHUNK.unpack_from(content, offset)
        offset += CHUNK.size
        if name.startswith(b"ANIMKEYS"):
            return np.frombuffer(content, KEY, count, offset)
        offset += size * count
    raise ValueError(f"{path}: no keys")


Component: TypeAlias = npt.NDArray[np.float32]


class SamplerByHand:
    """Poses at many times by NumPy, tuned.

    The keys lie component by component, so all operations have long rows. 256 times are computed at once, so what is computed on the way
    fits into the cache. The time to arrange the keys is not measured.
    """

    def __init__(self, keys: npt.NDArray[Any], rate: float) -> None:
        self.rate = np.float64(rate)
        self.last = len(keys) - 1
        self.translations: Component = np.ascontiguousarray(np.moveaxis(keys["translation"], -1, 0))
        self.rotations: Component = np.ascontiguousarray(np.moveaxis(keys["rotation"], -1, 0))

    def sample(self, times: npt.NDArray[np.float64]) -> Component:
        """Translations, rotations and scales: (times, tracks, 10)."""
        out = np.empty((len(times), self.rotations.shape[2], 10), np.float32)
        for first in range(0, len(times), 256):
            self.fill(times[first : first + 256], out[first : first + 256])
        return out

    def fill(self, times: npt.NDArray[np.float64], out: Component) -> None:
        positions = np.clip(times * self.rate, 0, self.last)
        first = positions.astype(np.intp)
        second = np.minimum(first + 1, self.last)
        weight = (positions - first).astype(np.float32)[:, None]
        a, b = self.translations[:, first], self.translations[:, second]
        b -= a
        b *= weight
        b += a
        out[..., :3] = np.moveaxis(b, 0, -1)
        a, b = self.rotations[:, first], self.rotations[:, second]
        dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
        angle = np.arccos(np.minimum(np.abs(dot), np.float32(1)))
        sine = np.sin(angle)
        # Near 0, the sines are as the angles.
        is_near = sine < 1e-3
        np.copyto(sine, 1, where=is_near)
        rest = 1 - weight
        to_a, to_b = np.sin(rest * angle) / sine, np.sin(weight * angle) / sine
        np.copyto(to_a, rest, where=is_near)
        np.copyto(to_b, weight, where=is_near)
        # The shorter way.
        np.copysign(to_b, dot, out=to_b)
        a *= to_a
        b *= to_b
        a += b
        a /= np.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3])
        out[..., 3:7] = np.moveaxis(a, 0, -1)
        out[..., 7:] = 1


def sample_plainly(keys: npt.NDArray[Any], rate: float, times: npt.NDArray[np.float64]) -> Component:
    """The same as it comes to mind first: an array operation for each step of the formula."""
    positions = np.clip(times * rate, 0, len(keys) - 1)
    first = positions.astype(np.intp)
    second = np.minimum(first + 1, len(keys) - 1)
    weight = (positions - first).astype(np.float32)[:, None, None]
    translations, rotations = keys["translation"], keys["rotation"]
    a, b = rotations[first], rotations[second]
    dot = (a * b).sum(axis=-1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0, 1))
    sine = np.sin(angle)
    is_near = sine < 1e-3
    divisor = np.where(is_near, 1, sine)
    to_a = np.where(is_near, 1 - weight, np.sin((1 - weight) * angle) / divisor)
    to_b = np.where(is_near, weight, np.sin(weight * angle) / divisor)
    rotation = to_a * a + to_b * b
    rotation /= np.linalg.norm(rotation, axis=-1, keepdims=True)
    translation = translations[first] * (1 - weight) + translations[second] * weight
    return np.concatenate([translation, rotation, np.ones_like(translation)], axis=-1)
