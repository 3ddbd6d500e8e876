"""A reader of SWAT 3 animations in plain ``struct``: it tries every place at which the skeleton can end (swat3.md, 6)."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass

MAGIC = bytes.fromhex("cfd009a82a1fd21187490020afe636ee")


@dataclass
class Frame:
    offset: int
    """The byte at which the frame begins; its rotations follow 40 bytes later."""
    head: tuple[float, ...]
    rotations: list[tuple[float, ...]]
    events: list[bytes]


@dataclass
class Gsa:
    ids_at: int
    ids: list[int]
    tracks: int
    frames: list[Frame]


def read_gsa(data: bytes) -> Gsa:
    """The only animation that the bytes can be."""
    assert data[:16] == MAGIC
    begin = 22 if data[16:22] == MAGIC[10:] else 16
    minor, major = data[begin], data[begin + 1]
    assert (major, minor) in ((4, 1), (4, 2))
    words = minor - 1
    for count in (words, *(other for other in range(3) if other != words)):
        found = _search(data, begin + 8, count, minor == 1, count != words)
        if found:
            assert len(found) == 1, f"{len(found)} places fit"
            return found[0]
    raise AssertionError("no place fits")


def _search(data: bytes, skeleton: int, words: int, without_events: bool, must_be_unit: bool) -> list[Gsa]:
    found: list[Gsa] = []
    at = data.find(b"\xff\xff", skeleton)
    while at != -1:
        if at + 6 <= len(data):
            (count,) = struct.unpack_from("<H", data, at + 2)
            if count <= 1024 and at + 6 + 2 * count <= len(data):
                ids = list(struct.unpack_from(f"<{count}H", data, at + 4))
                (frames,) = struct.unpack_from("<H", data, at + 4 + 2 * count)
                if len(set(ids)) == count and all(id < 1024 for id in ids) and frames:
                    first = at + 6 + 2 * count
                    most = min(1024, (at - skeleton) // 4)
                    for tracks in [count] if count else range(1, most + 1):
                        if len(data) - first < frames * (40 + 16 * tracks + 2 * words):
                            break
                        own = _frames(data, first, frames, tracks, words, without_events)
                        is_weak = must_be_unit or (not count and frames == 1)
                        if own is not None and not (is_weak and not _are_unit(own)):
                            found.append(Gsa(at + 4, ids, tracks, own))
        at = data.find(b"\xff\xff", at + 1)
    if len(found) > 1:
        found = [gsa for gsa in found if _are_unit(gsa.frames)]
    return found


def _are_unit(frames: list[Frame]) -> bool:
    rotations = [rotation for frame in frames for rotation in (frame.head[3:7], *frame.rotations)]
    return all(math.isfinite(sum(rotation)) and abs(sum(value * value for value in rotation) - 1) <= 0.02 for rotation in rotations)


def _frames(data: bytes, at: int, count: int, tracks: int, words: int, without_events: bool) -> list[Frame] | None:
    """The frames, if they end where the file ends."""
    frames: list[Frame] = []
    for _ in range(count):
        if at + 40 + 16 * tracks + 2 * words > len(data):
            return None
        offset = at
        head = struct.unpack_from("<10f", data, at)
        rotations = [struct.unpack_from("<4f", data, at + 40 + 16 * track) for track in range(tracks)]
        at += 40 + 16 * tracks
        counts = struct.unpack_from(f"<{words}H", data, at)
        at += 2 * words
        if len(set(counts)) > 1 or (without_events and any(counts)):
            return None
        events: list[bytes] = []
        for _ in range(counts[0] if counts else 0):
            if at + 2 > len(data):
                return None
            (length,) = struct.unpack_from("<H", data, at)
            name = data[at + 2 : at + 2 + length]
            if not name or len(name) != length or name[-1] or any(byte < 0x20 or byte == 0x7F for byte in name[:-1]):
                return None
            events.append(name[:-1])
            at += 2 + length
        frames.append(Frame(offset, head, rotations, events))
    return frames if at == len(data) else None
