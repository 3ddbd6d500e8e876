# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures: made of the bones of a file, or those that are in the scene already."""

from __future__ import annotations

import json
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from .space import Change, conjugate, left, matrices_of, product, right, rotate, rotations_of

# The most bytes of a name in Blender.
MAX_NAME = 63
# What is farther away is no place: its square is no number in 32 bits.
MAX_PLACE = 1e18
MIN_LENGTH = 1e-4
# The cosine of 3 degrees.
NEARLY = 0.9986
# What tells later imports how an armature was made.
PROPERTY = "skelmap"


def unique(names):
    """Names as Blender keeps them, each once: a number follows a repeated one."""
    taken: set[str] = set()
    next_of: dict[str, int] = {}
    out = []
    for name in names:
        base = cut(name.rstrip() or "bone", MAX_NAME)
        new = base
        while new in taken:
            next_of[base] = next_of.get(base, 0) + 1
            end = f".{next_of[base]:03d}"
            new = cut(base, MAX_NAME - len(end)) + end
        taken.add(new)
        out.append(new)
    return out


def cut(text: str, size: int) -> str:
    """The first bytes of a text, without a part of a character."""
    return text.encode()[:size].decode(errors="ignore")


@dataclass
class Rig:
    """An armature object, its bones in the order of the file, and what poses need."""

    object: bpy.types.Object
    names: list[str]
    parents: list[int]
    change: Change
    # How the axes of each bone are turned from those of the file, in its own space.
    turns: np.ndarray
    # At rest relative to the parent, as Blender has it: the axes of a bone are not always square, by 1e-4.
    rest_rotations: np.ndarray
    rest_translations: np.ndarray
    rest_axes: np.ndarray

    def parent_turns(self):
        """For each bone, how the axes of its parent are turned."""
        parents = np.array(self.parents)
        return np.where((parents >= 0)[:, None], self.turns[parents], np.array([0.0, 0.0, 0.0, 1.0]))

    def to_basis(self):
        """What makes the channels of pose bones of transforms of the file.

        Matrices for locations (bones, 3, 4), for rotations (bones, 4, 4) and for scales (bones, 3, 3), and whether the last are exact.
        """
        change = self.change
        back, inverse = conjugate(self.parent_turns()), conjugate(self.rest_rotations)
        signs = np.eye(4)
        signs[:3, :3] = change.axes * (-1 if change.is_mirror else 1)
        rotations = left(inverse) @ left(back) @ right(self.turns) @ signs
        locations = np.empty((len(self.parents), 3, 4))
        straight = np.linalg.inv(self.rest_axes)
        locations[:, :, :3] = straight @ matrices_of(back) @ (change.axes * change.scale)
        locations[:, :, 3] = -np.einsum("bij,bj->bi", straight, self.rest_translations)
        # Scales along axes stay such where the axes only change places.
        places = np.abs(matrices_of(conjugate(self.turns)))
        is_aligned = np.abs(places - np.round(places)).max((1, 2)) < 1e-3
        places = np.where(is_aligned[:, None, None], np.round(places), np.eye(3))
        return locations, rotations, places @ np.abs(change.axes), is_aligned


def rest_of(armature, names):
    """Of bones in this order, as Blender has them: rotations, translations and axes relative to the parent, the parents, and rotations in
    the model.
    """
    bones = armature.data.bones
    world = np.empty((len(bones), 16), np.float32)
    bones.foreach_get("matrix_local", world.ravel())
    # Column by column.
    world = world.reshape(-1, 4, 4).swapaxes(1, 2).astype(np.float64)
    index = {bone.name: at for at, bone in enumerate(bones)}
    above = [index[bone.parent.name] if bone.parent else -1 for bone in bones]
    local = world.copy()
    has = np.array(above) >= 0
    local[has] = np.linalg.inv(world[np.array(above)[has]]) @ world[has]
    order = [index[name] for name in names]
    place = {at: number for number, at in enumerate(order)}
    parents = [place.get(above[at], -1) for at in order]
    return rotations_of(local)[order], local[order, :3, 3], local[order, :3, :3], parents, rotations_of(world)[order]


def lengths_of(place, parents):
    """The length of each bone: the distance to its nearest child, and for others a part of the size."""
    size = float(np.ptp(place, axis=0).max(initial=0)) or 1.0
    length = np.zeros(len(parents))
    for bone, parent in enumerate(parents):
        if parent >= 0:
            distance = np.linalg.norm(place[bone] - place[parent])
            if distance > size * 0.01 and (length[parent] == 0 or distance < length[parent]):
                length[parent] = distance
    # A short bone far from the origin has a poor direction in 32 bits.
    length[length < size * 0.02] = size * 0.02
    return length


def turns_of(world, parents, towards_children: bool):
    """For each bone the rotation, in its own space, from its axes to those that it gets: y to its only or its nearest child."""
    turns = np.zeros((len(parents), 4))
    turns[:, 3] = 1
    if not towards_children:
        return turns
    place = world[:, :3, 3]
    axes = rotations_of(normalised(world))
    nearest: dict[int, tuple[float, int]] = {}
    for bone, parent in enumerate(parents):
        if parent >= 0:
            distance = float(np.linalg.norm(place[bone] - place[parent]))
            if distance > 0 and (parent not in nearest or distance < nearest[parent][0]):
                nearest[parent] = (distance, bone)
    for bone in range(len(parents)):
        if bone in nearest:
            direction = place[nearest[bone][1]] - place[bone]
            direction = rotate(conjugate(axes[bone]), direction / np.linalg.norm(direction))
            # An axis that nearly points there is taken as it is: then also scales along axes are exact.
            axis = np.zeros(3)
            axis[np.abs(direction).argmax()] = np.sign(direction[np.abs(direction).argmax()])
            turns[bone] = between(np.array([0.0, 1.0, 0.0]), axis if direction @ axis > NEARLY else direction)
        elif parents[bone] >= 0:
            # A bone at an end goes on as its parent does.
            onwards = rotate(product(axes[parents[bone]], turns[parents[bone]]), np.array([0.0, 1.0, 0.0]))
            turns[bone] = between(np.array([0.0, 1.0, 0.0]), rotate(conjugate(axes[bone]), onwards))
    return turns


def between(start, end):
    """The shortest rotation from one direction to another."""
    axis, cosine = np.cross(start, end), float(start @ end)
    if cosine < -0.999999:
        return np.array([1.0, 0.0, 0.0, 0.0]) if abs(start[0]) < 0.9 else np.array([0.0, 0.0, 1.0, 0.0])
    q = np.array([*axis, 1 + cosine])
    return q / np.linalg.norm(q)


def normalised(world):
    """Places without scale. A scale of 0 leaves no axes: those of the model stand in."""
    out = np.array(world)
    sizes = np.linalg.norm(out[:, :3, :3], axis=1, keepdims=True)
    out[:, :3, :3] /= np.where(sizes > 0, sizes, 1)
    volume = np.linalg.det(out[:, :3, :3])
    out[volume < 0, :3, 2] *= -1
    out[np.abs(volume) < 1e-3, :3, :3] = np.eye(3)
    return out


def without_circles(parents):
    """The parents, but that the lowest bone of each circle is a root."""
    parents, state = list(parents), [0] * len(parents)
    for start in range(len(parents)):
        path, bone = [], start
        while bone >= 0 and state[bone] == 0:
            state[bone] = 1
            path.append(bone)
            bone = parents[bone]
        if bone >= 0 and state[bone] == 1:
            parents[min(path[path.index(bone) :])] = -1
        for own in path:
            state[own] = 2
    return parents


def in_order(parents) -> list[int]:
    """Bones, each after its parent. What is in or below a circle is left out."""
    children: list[list[int]] = [[] for _ in parents]
    for bone, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(bone)
    order = [bone for bone, parent in enumerate(parents) if parent < 0]
    for bone in order:
        order += children[bone]
    return order


def make(name: str, bone_names, parents, world, change: Change, options, collection, notes) -> Rig:
    """An armature of bones with these places in the model (bones, 4, 4), in the space of the file."""
    names = unique(bone_names)
    parents = without_circles(parents)
    world = change.matrices(world)
    broken = ~(np.abs(world) < MAX_PLACE).all((1, 2))
    if broken.any():
        world[broken] = np.eye(4)
        notes.append(f"{int(broken.sum())} bones have no place: they are at 0")
    turns = turns_of(world, parents, options.towards_children)
    data = bpy.data.armatures.new(name)
    object = bpy.data.objects.new(name, data)
    object.show_in_front = True
    collection.objects.link(object)
    activate(object)
    shown = normalised(world)
    shown[:, :3, :3] = shown[:, :3, :3] @ matrices_of(turns)
    lengths = lengths_of(world[:, :3, 3], parents)
    if options.bone_length:
        lengths[:] = options.bone_length * options.scale
    # Blender removes bones without a length, which in 32 bits depends on the place.
    lengths = np.maximum(lengths, np.maximum(MIN_LENGTH, np.abs(world[:, :3, 3]).max(1) * 1e-5))
    bpy.ops.object.mode_set(mode="EDIT")
    bones = [data.edit_bones.new(own) for own in names]
    for bone, matrix, length in zip(bones, shown.tolist(), lengths.tolist(), strict=True):
        # A bone needs a length before it gets a matrix.
        bone.tail = (0.0, length, 0.0)
        bone.matrix = Matrix(matrix)
    for bone, parent in zip(bones, parents, strict=True):
        if parent >= 0:
            bone.parent = bones[parent]
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in object.pose.bones:
        bone.rotation_mode = "QUATERNION"
    rotations, translations, local, _, axes = rest_of(object, names)
    # As Blender has them: it keeps the ends of a bone, in 32 bits, and a short bone far from the origin is turned a little.
    turns = product(conjugate(rotations_of(normalised(world))), axes)
    object[PROPERTY] = json.dumps({"scale": change.scale, "turns": dict(zip(names, turns.tolist(), strict=True))})
    return Rig(object, names, parents, change, turns, rotations, translations, local)


def found(object, change_of, bone_count: int | None = None) -> Rig | None:
    """An armature of the scene. `change_of` gives the change for a scale; with `bone_count`, the armature must have the bones that it was
    made with, which come in the order of their file.
    """
    try:
        known = json.loads(object.get(PROPERTY, "{}"))
    except (TypeError, ValueError):
        known = {}
    names = [bone.name for bone in object.data.bones]
    if bone_count is not None:
        wanted = list(known.get("turns") or {})
        if len(wanted) != bone_count or set(wanted) - set(names):
            return None
        names = wanted
    turns = np.zeros((len(names), 4))
    turns[:, 3] = 1
    if known.get("turns"):
        turns = np.array([known["turns"].get(name, (0, 0, 0, 1)) for name in names], np.float64)
    rotations, translations, local, parents, _ = rest_of(object, names)
    return Rig(object, names, parents, change_of(known.get("scale")), turns, rotations, translations, local)


def activate(object) -> None:
    view = bpy.context.view_layer
    for other in view.objects:
        other.select_set(False)
    object.select_set(True)
    view.objects.active = object
