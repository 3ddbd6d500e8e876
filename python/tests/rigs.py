"""Bones and influences of meshes as the naive readers read them, for skinning in NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import naive
import numpy as np
import poses
from support import format_of


def actorx_parents(stored: list[int]) -> list[int]:
    """The parent of each bone, -1 for a root; each cycle is cut at its lowest bone (actorx.md, 3.6)."""
    count = len(stored)
    parents = [parent if 0 <= parent < count and parent != bone else -1 for bone, parent in enumerate(stored)]
    for bone in range(count):
        seen, at = [bone], parents[bone]
        while at >= 0 and at not in seen:
            seen.append(at)
            at = parents[at]
        if at == bone and bone == min(seen):
            parents[bone] = -1
    return parents


@dataclass
class Rig:
    """What skinning needs, in 64-bit floats."""

    points: poses.Doubles
    normals: poses.Doubles | None
    bind: poses.Doubles
    """(bones, 10), as :meth:`skelmap.Mesh.bind_pose` has it."""
    parents: list[int]
    influences: list[list[tuple[int, float]]]
    """For each point its bones and weights; the index after the last bone is the model."""
    is_bind_relative: bool = False

    @classmethod
    def read(cls, path: Path) -> Rig:
        return cls.of_pmd(path) if format_of(path) == "pyrogenesis.pmd" else cls.of_psk(path)

    @classmethod
    def of_psk(cls, path: Path) -> Rig:
        parts = naive.read_psk(path.read_bytes())
        bones, count = parts["bones"], parts["points"].count
        bind = np.ones((bones.count, 10))
        bind[:, :3] = np.array(bones["translation"]).reshape(-1, 3)
        bind[:, 3:7] = poses.unit(poses.conjugate_all_but_first(np.array(bones["rotation"]).reshape(-1, 4)))
        influences = [list[tuple[int, float]]() for _ in range(count)]
        own = parts["influences"]
        for weight, point, bone in zip(own["weight"], own["point_index"], own["bone_index"], strict=True):
            if 0 <= point < count and 0 <= bone < bones.count:
                influences[int(point)].append((bone, weight))
        normals = np.array(parts["normals"]["point"]) if parts["normals"].count else None
        points = np.array(parts["points"]["point"]).reshape(-1, 3)
        return cls(points, normals, bind, actorx_parents(bones["parent_index"]), influences)

    @classmethod
    def of_pmd(cls, path: Path) -> Rig:
        pmd = naive.read_pmd(path.read_bytes())
        count = pmd.bones.count
        bind = np.ones((count, 10))
        bind[:, :3] = np.array(pmd.bones["translation"]).reshape(-1, 3)
        bind[:, 3:7] = poses.unit(np.array(pmd.bones["rotation"]).reshape(-1, 4))
        influences = list[list[tuple[int, float]]]()
        for bones, weights in zip(pmd.vertices["bones"], pmd.vertices["weights"], strict=True):
            used = bones.index(255) if 255 in bones else 4
            row = [(bone, weight if used > 1 else 1.0) for bone, weight in list(zip(bones, weights, strict=True))[:used]]
            influences.append([(bone, weight) for bone, weight in row if bone <= count])
        vertices = [np.array(pmd.vertices[name]).reshape(-1, 3) for name in ("position", "normal")]
        return cls(vertices[0], vertices[1], bind, [-1] * count, influences, pmd.version <= 2 and count > 0)

    @property
    def is_sound(self) -> bool:
        """Whether arithmetic with the values has a result that does not depend on the way of rounding."""
        parts = [self.points, self.bind] + ([] if self.normals is None else [self.normals])
        return all(bool(np.isfinite(part).all()) for part in parts)

    def rows(self, width: int) -> list[list[tuple[int, float]]]:
        """For each point its strongest influences, merged, the strongest first, with a sum of 1."""
        rows: list[list[tuple[int, float]]] = []
        for influences in self.influences:
            merged: dict[int, float] = {}
            for bone, weight in influences:
                if weight > 0 and math.isfinite(weight):
                    merged[bone] = merged.get(bone, 0) + weight
            kept = sorted(merged.items(), key=lambda pair: (-pair[1], pair[0]))[:width] or [(0, 1.0)]
            total = sum(weight for _, weight in kept)
            rows.append([(bone, weight / total) for bone, weight in kept])
        return rows

    def weights(self, width: int) -> poses.Doubles:
        """(points, bones + 1): the last column is the model."""
        found = np.zeros((len(self.points), len(self.bind) + 1))
        for point, row in enumerate(self.rows(width)):
            for bone, weight in row:
                found[point, bone] = weight
        return found

    def places(self, pose: poses.Doubles) -> poses.Doubles:
        """The place of each bone in the model, and the identity for the model itself: (bones + 1, 4, 4)."""
        return np.concatenate([poses.model_matrices(pose, self.parents), np.eye(4)[None]])

    def rest(self) -> poses.Doubles:
        """Positions in model space."""
        if not self.is_bind_relative:
            return self.points
        found = np.zeros_like(self.points)
        places = self.places(self.bind)
        for point, row in enumerate(self.influences):
            for bone, weight in row:
                found[point] += weight * (places[bone] @ [*self.points[point], 1])[:3]
        return found

    def skin(self, pose: poses.Doubles, width: int = 4) -> poses.Doubles:
        return poses.skin(self.rest(), self.weights(width), self.places(self.bind), self.places(pose))

    def skin_normals(self, pose: poses.Doubles, width: int = 4) -> poses.Doubles:
        assert self.normals is not None
        assert not self.is_bind_relative
        moves = self.places(pose) @ np.linalg.inv(self.places(self.bind))
        return poses.turn(np.einsum("pb,bij->pij", self.weights(width), moves), self.normals)


def random_pose(bind: poses.Doubles, seed: int, with_scales: bool = False) -> poses.Doubles:
    """A pose near the bind pose."""
    source = np.random.default_rng(seed)
    pose = bind.copy()
    pose[:, :3] += source.normal(scale=0.2, size=(len(bind), 3)) * (1 + np.abs(bind[:, :3]))
    pose[:, 3:7] = poses.unit(pose[:, 3:7] + source.normal(scale=0.3, size=(len(bind), 4)))
    if with_scales:
        pose[:, 7:] = source.uniform(0.5, 2, size=(len(bind), 3))
    # The package gets 32-bit floats.
    return pose.astype(np.float32).astype(np.float64)
