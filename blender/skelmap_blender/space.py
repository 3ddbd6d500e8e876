# SPDX-License-Identifier: GPL-3.0-or-later
"""From the space of a file to that of Blender: right-handed, z up. Quaternions are x, y, z, w, as in files."""

from __future__ import annotations

import numpy as np


def product(a, b):
    """The rotation `b`, then `a`: (..., 4)."""
    ax, ay, az, aw = np.moveaxis(a, -1, 0)
    bx, by, bz, bw = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
            aw * bw - ax * bx - ay * by - az * bz,
        ],
        -1,
    )


def left(a):
    """For rotations (n, 4) the matrices (n, 4, 4) with `left(a) @ b == product(a, b)`."""
    x, y, z, w = np.moveaxis(a, -1, 0)
    return np.stack([w, -z, y, x, z, w, -x, y, -y, x, w, z, -x, -y, -z, w], -1).reshape(-1, 4, 4)


def right(b):
    """For rotations (n, 4) the matrices (n, 4, 4) with `right(b) @ a == product(a, b)`."""
    x, y, z, w = np.moveaxis(b, -1, 0)
    return np.stack([w, z, -y, x, -z, w, x, y, y, -x, w, z, -x, -y, -z, w], -1).reshape(-1, 4, 4)


def conjugate(q):
    return q * np.array([-1, -1, -1, 1], q.dtype)


def rotate(q, v):
    """Vectors (..., 3), turned by rotations (..., 4)."""
    twice = 2 * np.cross(q[..., :3], v)
    return v + q[..., 3:] * twice + np.cross(q[..., :3], twice)


def rotations_of(matrices):
    """The rotations of matrices (n, 4, 4) without scale, by the largest component (Shepperd)."""
    m = np.asarray(matrices, np.float64)
    diagonal = np.stack([m[:, 0, 0], m[:, 1, 1], m[:, 2, 2], m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]], -1)
    best = diagonal.argmax(-1)
    q = np.empty((len(m), 4))
    for i, (j, k) in ((0, (1, 2)), (1, (2, 0)), (2, (0, 1))):
        own = best == i
        q[own, i] = 1 - diagonal[own, 3] + 2 * m[own, i, i]
        q[own, j] = m[own, j, i] + m[own, i, j]
        q[own, k] = m[own, k, i] + m[own, i, k]
        q[own, 3] = m[own, k, j] - m[own, j, k]
    own = best == 3
    q[own, 0] = m[own, 2, 1] - m[own, 1, 2]
    q[own, 1] = m[own, 0, 2] - m[own, 2, 0]
    q[own, 2] = m[own, 1, 0] - m[own, 0, 1]
    q[own, 3] = 1 + diagonal[own, 3]
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def matrices_of(rotations):
    """The matrices (n, 3, 3) of rotations (n, 4)."""
    return np.stack([rotate(rotations, axis) for axis in np.eye(3)[:, None]], -1)


class Change:
    """The change from the space of a file to that of Blender."""

    def __init__(self, space, scale: float) -> None:
        up = "xyz".index(space.up) if space is not None else 2
        is_left = space is not None and space.handedness == "left"
        # Which axis of the file each axis of Blender is. With x up, the axes take turns; with y up, y and z change places.
        order = {0: (1, 2, 0), 1: (0, 2, 1), 2: (0, 1, 2)}[up]
        axes = np.eye(3)[list(order)]
        if space is not None and space.up_sign < 0:
            axes = np.diag([1.0, -1.0, -1.0]) @ axes
        if (np.linalg.det(axes) < 0) != is_left:
            axes = np.diag([1.0, -1.0, 1.0]) @ axes
        self.axes = axes
        self.is_mirror = is_left
        self.scale = scale

    def points(self, points):
        return (np.asarray(points, np.float64) @ self.axes.T) * self.scale

    def directions(self, directions):
        return np.asarray(directions, np.float64) @ self.axes.T

    def rotations(self, rotations):
        """A mirror turns the other way."""
        q = np.array(rotations, np.float64)
        q[..., :3] = q[..., :3] @ self.axes.T * (-1 if self.is_mirror else 1)
        return q

    def scales(self, scales):
        return np.asarray(scales, np.float64) @ np.abs(self.axes).T

    def matrices(self, matrices):
        """Matrices (n, 4, 4) of places in the model."""
        m = np.array(matrices, np.float64)
        m[:, :3, :3] = self.axes @ m[:, :3, :3] @ self.axes.T
        m[:, :3, 3] = self.points(m[:, :3, 3])
        return m
