"""Makes small files of the formats, with values that the tests choose."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def chunk(id: bytes, size: int = 0, count: int = 0, body: bytes = b"") -> bytes:
    return struct.pack("<20sIii", id, 0, size, count) + body


def bone(name: bytes, parent: int = 0, rotation: Iterable[float] = (0, 0, 0, 1), translation: Iterable[float] = (0, 0, 0)) -> bytes:
    return struct.pack("<64sIii11f", name, 0, 0, parent, *rotation, *translation, 0, 0, 0, 0)


def info(name: bytes, frames: int, rate: float, first: int, bones: int = 0, root_include: int = 0) -> bytes:
    return struct.pack("<64s64s4i3f3i", name, b"None", bones, root_include, 0, frames * bones, 0, frames, rate, 0, first, frames)


def psa(
    bones: Sequence[bytes],
    sequences: Sequence[tuple[bytes, int, float]],
    keys: Floats | None = None,
    scales: Floats | None = None,
) -> bytes:
    """An animation: the names of its bones, and name, frames and rate of its sequences."""
    total = sum(frames for _, frames, _ in sequences)
    infos: list[bytes] = []
    first = 0
    for name, frames, rate in sequences:
        infos.append(info(name, frames, rate, first, len(bones)))
        first += frames
    rows = random_keys(total * len(bones)) if keys is None else keys
    data = chunk(b"ANIMHEAD") + chunk(b"BONENAMES", 120, len(bones), b"".join(map(bone, bones)))
    data += chunk(b"ANIMINFO", 168, len(infos), b"".join(infos)) + chunk(b"ANIMKEYS", 32, len(rows), rows.tobytes())
    return data if scales is None else data + chunk(b"SCALEKEYS", 16, len(scales), scales.tobytes())


def random_keys(count: int, seed: int = 1) -> Floats:
    """Keys of eight floats, whose rotations have unit length."""
    source = np.random.default_rng(seed)
    keys = source.normal(size=(count, 8)).astype("<f4")
    keys[:, 3:7] /= np.linalg.norm(keys[:, 3:7], axis=1, keepdims=True)
    return keys


def write_sparse_psa(path: Path, size: int) -> int:
    """An animation of one bone whose keys are zeros that take no room on the disk. Returns the number of frames."""
    frames = size // 32
    head = chunk(b"ANIMHEAD") + chunk(b"BONENAMES", 120, 1, bone(b"root"))
    head += chunk(b"ANIMINFO", 168, 1, info(b"zeros", frames, 30, 0, 1)) + chunk(b"ANIMKEYS", 32, frames)
    with path.open("wb") as file:
        file.write(head)
        file.truncate(len(head) + 32 * frames)
    return frames


def psk(
    points: npt.ArrayLike,
    bones: Sequence[bytes] = (),
    influences: Sequence[tuple[float, int, int]] = (),
    normals: npt.ArrayLike | None = None,
) -> bytes:
    """A mesh of triangles, three points each, with a wedge for each point. ``bones`` are records of :func:`bone`."""
    rows: Any = np.asarray(points, dtype="<f4").reshape(-1, 3)
    count = len(rows)
    wedges = b"".join(struct.pack("<I2fBBH", index, 0, 0, 0, 0, 0) for index in range(count))
    faces = b"".join(struct.pack("<3HBBI", index, index + 1, index + 2, 0, 0, 1) for index in range(0, count - 2, 3))
    data = chunk(b"ACTRHEAD") + chunk(b"PNTS0000", 12, count, rows.tobytes()) + chunk(b"VTXW0000", 16, count, wedges)
    data += chunk(b"FACE0000", 12, len(faces) // 12, faces)
    data += chunk(b"MATT0000", 88, 1, struct.pack("<64siIiIii", b"skin", 0, 0, 0, 0, 0, 0))
    data += chunk(b"REFSKELT", 120, len(bones), b"".join(bones))
    data += chunk(b"RAWWEIGHTS", 12, len(influences), b"".join(struct.pack("<fii", *one) for one in influences))
    if normals is not None:
        data += chunk(b"VTXNORMS", 12, count, np.asarray(normals, dtype="<f4").tobytes())
    return data


def states(frames: int, bones: int, frame_ms: float = 100, seed: int = 1, name: bytes = b"") -> bytes:
    """A Pyrogenesis animation."""
    rows = np.ascontiguousarray(random_keys(frames * bones, seed)[:, :7])
    payload = struct.pack("<I", len(name)) + name + struct.pack("<fII", frame_ms, bones, frames) + rows.tobytes()
    return b"PSSA" + struct.pack("<II", 1, len(payload)) + payload
