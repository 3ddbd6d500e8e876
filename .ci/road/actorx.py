"""Reads PSK and PSA files by psk_psa_py, and poses their meshes."""

import pathlib
from collections import Counter

import numpy as np
from psk_psa_py.psk.reader import read_psk_from_file


def name(bone):
    return bone.name.decode("cp1252").rstrip("\0 ").lower()


def matrix(rotation, translation):
    x, y, z, w = rotation
    found = np.eye(4)
    found[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    found[:3, 3] = translation
    return found


def worlds(bones, keys):
    """The matrix of each bone. Rotations of all bones but the root are stored conjugated."""
    found = []
    for index, (bone, key) in enumerate(zip(bones, keys, strict=True)):
        turn, place = key.rotation, key.location
        sign = -1 if index else 1
        rotation = np.array([sign * turn.x, sign * turn.y, sign * turn.z, turn.w])
        local = matrix(rotation / np.linalg.norm(rotation), (place.x, place.y, place.z))
        found.append(found[bone.parent_index] @ local if index else local)
    return np.array(found)


class Mesh:
    def __init__(self, path):
        self.psk = read_psk_from_file(str(path))
        self.rest = worlds(self.psk.bones, self.psk.bones)
        faces = sorted(self.psk.faces, key=lambda face: face.material_index)
        corners = [[self.psk.wedges[wedge] for wedge in face.wedge_indices] for face in faces]
        self.points = np.array([[wedge.point_index for wedge in face] for face in corners])
        self.uvs = np.array([[(wedge.u, wedge.v) for wedge in face] for face in corners])

    def posed(self, matrices):
        """The places of the corners of each triangle."""
        moves = matrices @ np.linalg.inv(self.rest)
        points = np.array([(point.x, point.y, point.z, 1) for point in self.psk.points])
        sums, totals = np.zeros((len(points), 3)), np.zeros(len(points))
        for weight in self.psk.weights:
            sums[weight.point_index] += weight.weight * (moves[weight.bone_index] @ points[weight.point_index])[:3]
            totals[weight.point_index] += weight.weight
        lost = totals == 0
        sums[lost], totals[lost] = (points[lost] @ moves[0].T)[:, :3], 1
        return (sums / totals[:, None])[self.points]

    def many(self):
        """The corners whose points have more than four influences, of which the strongest four come back."""
        counts = Counter(weight.point_index for weight in self.psk.weights)
        return np.isin(self.points, [point for point, count in counts.items() if count > 4])

    def parents(self):
        """The name of each bone, and that of its parent."""
        return {name(bone): name(self.psk.bones[bone.parent_index]) for bone in self.psk.bones}

    def at(self, reader, sequence, frame):
        """The matrices at a frame. A bone without a track rests."""
        tracks = {name(bone): index for index, bone in reversed(list(enumerate(reader.bones)))}
        keys = reader.read_sequence_keys(sequence)[frame * len(reader.bones) :]
        own = [keys[tracks[name(bone)]] if name(bone) in tracks else bone for bone in self.psk.bones]
        return worlds(self.psk.bones, own)


def animation_beside(path):
    """fox.psk and fox.psa, skPigMesh.psk and skPigAnims.psa."""
    path = pathlib.Path(path)
    return path.with_name(path.stem.removesuffix("Mesh") + "Anims.psa" if path.stem.endswith("Mesh") else path.stem + ".psa")


def frames_of(info):
    """The first, the middle and the last frame of a sequence."""
    return sorted({0, info.frame_count // 2, info.frame_count - 1})
