"""Compares vertices and triangles of meshes in which a vertex may be there once or several times, and triangles in another order."""

import numpy as np


def first_same(rows, others, what):
    """For each row the first of the others that differs by 1 at most."""
    found = []
    for row in rows:
        away = np.abs(others - row).max(axis=1)
        assert away.min() <= 1, f"{what}: the nearest vertex differs by {away.min():.3g} tolerances"
        found.append((away <= 1).argmax())
    return np.array(found)


def triangles(faces, numbers):
    """All triangles, each from its smallest corner on."""
    return sorted(min((a, b, c), (b, c, a), (c, a, b)) for a, b, c in numbers[faces].tolist())
