"""The records of the formats as NumPy types, and arrays in the memory of a file."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ._native import Memory

Part: TypeAlias = tuple[int, int, int]
"""The byte of the first record, the number of records, and the bytes from one to the next."""

Records: TypeAlias = npt.NDArray[np.void]
"""A structured array, in the memory of the file and read-only."""

Floats: TypeAlias = npt.NDArray[np.float32]
"""An array of 32-bit floats."""

Indices: TypeAlias = npt.NDArray[np.uint32]
"""An array of indices."""


def fold(name: str) -> str:
    """A name in the form to compare by: the formats ignore the case of ASCII letters, and of no others."""
    return name.translate(_TO_LOWER)


_TO_LOWER = {letter: letter + 32 for letter in range(ord("A"), ord("Z") + 1)}


def record(size: int, *fields: tuple[Any, ...]) -> np.dtype[np.void]:
    """The type of a record without padding, whose size is that of the format."""
    kind = np.dtype(list(fields))
    assert kind.itemsize == size, (kind.itemsize, size)
    return kind


def view(whole: npt.NDArray[np.uint8], part: Part, kind: np.dtype[np.void]) -> Records:
    """Records in the memory of a file."""
    offset, count, stride = part
    return np.ndarray((count,), kind, whole, offset, (stride,))


def vectors(whole: npt.NDArray[np.uint8], part: Part, width: int) -> Floats:
    """Vectors of 32-bit floats in the memory of a file, of shape (count, width)."""
    offset, count, stride = part
    return np.ndarray((count, width), np.dtype("<f4"), whole, offset, (stride, 4))


def floats(memory: Memory, *shape: int) -> Floats:
    """Floats that were computed. Nobody else has them, so they are writable."""
    values: Floats = np.asarray(memory)
    return values.reshape(shape)


def indices(memory: Memory, *shape: int) -> Indices:
    """Indices that were computed."""
    values: Indices = np.asarray(memory)
    return values.reshape(shape)
