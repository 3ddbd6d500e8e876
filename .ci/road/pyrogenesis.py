"""Reads meshes and animations of 0 A.D. without `skelmap`, and compares them with the tolerances that the conversion from glTF promises."""

import struct

import numpy as np
from sets import first_same, triangles

# Of the size of the mesh: positions and translations of bones, translations of keys.
POSITION, KEY_POSITION = 1e-5, 1e-4
# In degrees: rotations of bones, and of keys.
DEGREES, KEY_DEGREES = 1e-3, 1e-2
UV, WEIGHT = 2e-6, 1e-5

STATE = np.dtype([("place", "<f4", 3), ("turn", "<f4", 4)])


class Mesh:
    def __init__(self, data, names=None):
        """`names`: prop points that are called otherwise, with the name that they get here."""
        magic, version, size, count, sets = struct.unpack_from("<4s4I", data)
        assert (magic, version, size) == (b"PSMD", 4, len(data) - 12), (magic, version, size)
        layout = [("place", "<f4", 3), ("normal", "<f4", 3), ("uvs", "<f4", 2 * sets), ("bones", "u1", 4), ("weights", "<f4", 4)]
        own = np.frombuffer(data, layout, count, 20)
        at = 20 + own.nbytes
        self.faces = np.frombuffer(data, "<u2", 3 * number(data, at), at + 4).reshape(-1, 3)
        at += 4 + self.faces.nbytes
        self.bones = np.frombuffer(data, STATE, number(data, at), at + 4)
        at += 4 + self.bones.nbytes
        self.props, count_props, at = [], number(data, at), at + 4
        for _ in range(count_props):
            start = at + 4 + number(data, at)
            name = data[at + 4 : start].decode()
            self.props.append(((names or {}).get(name, name), data[start + 28], np.frombuffer(data, STATE, 1, start)))
            at = start + 29
        assert at == len(data), f"{len(data) - at} bytes are left"
        self.props.sort(key=lambda prop: prop[:2])
        # The influence of bone 255 is none; that of a bone after the last one is the model's own.
        weights = np.zeros((count, len(self.bones) + 1))
        for bones, values in zip(own["bones"].T, own["weights"].T, strict=True):
            used = bones != 255
            np.add.at(weights, (np.flatnonzero(used), np.minimum(bones[used], len(self.bones))), values[used])
        self.size = max(1, np.ptp(own["place"], axis=0).max())
        self.parts = [part.astype(float) for part in (own["place"], own["normal"], own["uvs"], weights)]


def number(data, at):
    return struct.unpack_from("<I", data, at)[0]


def read_keys(data):
    """The milliseconds of a frame, and the states of the bones in each frame."""
    magic, version, size, name = struct.unpack_from("<4s3I", data)
    assert (magic, version, size) == (b"PSSA", 1, len(data) - 12), (magic, version, size)
    frame, bones, frames = struct.unpack_from("<fII", data, 16 + name)
    return frame, np.frombuffer(data, STATE, offset=28 + name).reshape(frames, bones)


def moved(one, other):
    return np.abs(one["place"].astype(float) - other["place"]).max(initial=0)


def turned(one, other):
    """The greatest angle between two rotations, in degrees. It comes from the chord: the arc cosine has no digits near 0."""
    one, other = (own["turn"] / np.linalg.norm(own["turn"].astype(float), axis=-1, keepdims=True) for own in (one, other))
    chord = np.minimum(np.linalg.norm(one - other, axis=-1), np.linalg.norm(one + other, axis=-1))
    return np.degrees(4 * np.arcsin(chord / 2)).max(initial=0)


def compare_meshes(name, mine, theirs, normal, but_bones=()):
    """How far positions, weights, and translations and rotations of bones and prop points are apart. Vertices are compared as sets."""
    assert mine.parts[2].shape[1] == theirs.parts[2].shape[1], f"{name}: other UV sets"
    assert len(mine.bones) == len(theirs.bones), f"{name}: {len(mine.bones)} bones, not {len(theirs.bones)}"
    limits = [POSITION * theirs.size, normal, UV, WEIGHT]
    rows, others = (np.hstack([part / limit for part, limit in zip(mesh.parts, limits, strict=True)]) for mesh in (mine, theirs))
    numbers = first_same(rows, others, f"{name}, of the new file")
    first_same(others, rows, f"{name}, of the expected file")
    assert triangles(mine.faces, numbers) == triangles(theirs.faces, first_same(others, others, name)), f"{name}: other triangles"
    assert [prop[:2] for prop in mine.props] == [prop[:2] for prop in theirs.props], f"{name}: other prop points"
    used = np.setdiff1d(np.arange(len(mine.bones)), but_bones)
    pairs = [(mine.bones[used], theirs.bones[used])] + [(one[2], other[2]) for one, other in zip(mine.props, theirs.props, strict=True)]
    place, degrees = max(moved(*pair) for pair in pairs) / theirs.size, max(turned(*pair) for pair in pairs)
    assert place <= POSITION, f"{name}: bones or prop points are {place:.2g} of the size away"
    assert degrees <= DEGREES, f"{name}: bones or prop points are turned by {degrees:.2g} degrees"
    position, _, _, weight = (np.abs(one - other[numbers]).max() for one, other in zip(mine.parts, theirs.parts, strict=True))
    return [position / theirs.size, weight, place, degrees]


def compare_keys(name, mine, theirs, size, but_bones=()):
    """How far translations and rotations of keys are apart."""
    (frame, mine), (expected, theirs) = read_keys(mine), read_keys(theirs)
    assert frame == expected, f"{name}: a frame has {frame} ms, not {expected} ms"
    assert mine.shape == theirs.shape, f"{name}: {mine.shape} frames and bones, not {theirs.shape}"
    used = np.setdiff1d(np.arange(mine.shape[1]), but_bones)
    place, degrees = moved(mine[:, used], theirs[:, used]) / size, turned(mine[:, used], theirs[:, used])
    assert place <= KEY_POSITION, f"{name}: keys are {place:.2g} of the size away"
    assert degrees <= KEY_DEGREES, f"{name}: keys are turned by {degrees:.2g} degrees"
    return [place, degrees]
