# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes: points, faces, materials, texture coordinates, colours, normals, weights, shape keys and places for attachments."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from .rig import Rig, unique
from .space import Change, conjugate, product, rotate


def faces_of(mesh, change: Change, notes):
    """Faces as Blender takes them, with the number of each in the file: corners (faces, 3) and their points (faces, 3)."""
    points, triangles = mesh.to_vertex_points().astype(np.int64), mesh.to_triangles().astype(np.int64)
    sound = (triangles < len(points)).all(1)
    corners = np.where(triangles < len(points), triangles, 0)
    outwards, _ = mesh._file.conventions()
    # A mirror turns faces inside out.
    if outwards == change.is_mirror:
        corners = corners[:, ::-1]
    if not len(corners) or not len(points):
        corners = corners[:0]
        return corners, corners, np.zeros(0, np.int64)
    by_point = points[corners]
    sound &= (by_point[:, 0] != by_point[:, 1]) & (by_point[:, 1] != by_point[:, 2]) & (by_point[:, 2] != by_point[:, 0])
    # Blender has one face for three points: the second of a pair, often the back of a cloth, is left out.
    triples = np.sort(by_point, 1)
    # A face with points that do not exist comes after a sound one.
    order = np.lexsort((~sound, *triples.T))
    triples = triples[order]
    single = np.ones(len(sound), bool)
    single[order[1:]] = (triples[1:] != triples[:-1]).any(1)
    kept = np.flatnonzero(sound & single)
    if len(kept) < len(corners):
        flat = int((~sound).sum())
        notes.append(f"{len(corners) - len(kept)} of {len(corners)} faces left out: {flat} without an area, the rest a second time")
    return corners[kept], by_point[kept], kept


def make(mesh, name: str, rig: Rig | None, change: Change, options, collection, dressing, notes):
    """A mesh object of an open file. `rig`: the armature that moves it. `dressing`: its materials."""
    data = bpy.data.meshes.new(name)
    object = bpy.data.objects.new(name, data)
    # Vertices of old files of 0 A.D. are relative to bones.
    places = np.array(mesh.skin() if mesh.format == "pyrogenesis.pmd" and mesh.bone_count else mesh.positions, np.float64)
    broken = ~np.isfinite(places).all(1)
    if broken.any():
        places[broken] = 0
        notes.append(f"{int(broken.sum())} points are no numbers: they are at 0")
    places = change.points(places)
    corners, by_point, kept = faces_of(mesh, change, notes)
    count = len(kept)
    data.vertices.add(len(places))
    data.vertices.foreach_set("co", places.astype(np.float32).ravel())
    data.loops.add(3 * count)
    data.loops.foreach_set("vertex_index", by_point.astype(np.int32).ravel())
    data.polygons.add(count)
    data.polygons.foreach_set("loop_start", np.arange(0, 3 * count, 3, dtype=np.int32))
    dressing.add(data, kept)
    add_corners(mesh, data, corners, notes)
    data.update(calc_edges=True)
    if count:
        data.shade_smooth()
        add_normals(mesh, data, change, by_point, kept, options)
    if rig is not None:
        add_weights(mesh, object, rig)
        modifier = object.modifiers.new("Armature", "ARMATURE")
        modifier.object = rig.object
        object.parent = rig.object
    add_shape_keys(mesh, object, places, change)
    if options.attachments:
        add_attachments(mesh, object, rig, change, collection)
    collection.objects.link(object)
    return object


def add_corners(mesh, data, corners, notes) -> None:
    """Texture coordinates and colours."""
    _, from_top = mesh._file.conventions()
    for number, uv in enumerate(mesh.uv_sets):
        values = np.zeros((int(corners.max(initial=-1)) + 1, 2), np.float32)
        values[: len(uv)] = uv[: len(values)]
        values = values[corners].reshape(-1, 2)
        if from_top:
            values[:, 1] = 1 - values[:, 1]
        broken = ~np.isfinite(values)
        if broken.any():
            values[broken] = 0
            notes.append(f"{int(broken.any(1).sum())} texture coordinates are no numbers: they are 0")
        layer = data.uv_layers.new(name="UVMap" if number == 0 else f"UV{number}", do_init=False)
        if layer is not None:  # Blender has eight at most.
            layer.uv.foreach_set("vector", np.ascontiguousarray(values).ravel())
    colors = getattr(mesh, "colors", None)
    if colors is not None and len(corners) and len(colors) > corners.max():
        layer = data.color_attributes.new("Color", "BYTE_COLOR", "CORNER")
        values = np.asarray(colors)[corners].reshape(-1, 4) / np.float32(255)
        layer.data.foreach_set("color_srgb", values.astype(np.float32).ravel())


def add_normals(mesh, data, change: Change, by_point, kept, options) -> None:
    normals = mesh.normals
    if normals is not None and len(normals) == len(data.vertices):
        own = change.directions(normals)
        if np.isfinite(own).all():
            data.normals_split_custom_set_from_vertices(own.tolist())
    elif mesh.format == "actorx.psk" and options.smoothing:
        groups = mesh.faces["smoothing_groups"][kept].astype(np.int64)
        if len(np.unique(groups)) > 1:
            edges = np.empty(by_point.size, np.int32)
            data.loops.foreach_get("edge_index", edges)
            common = np.full(len(data.edges), -1, np.int64)
            np.bitwise_and.at(common, edges, np.repeat(groups, 3))
            sharp = data.attributes.new("sharp_edge", "BOOLEAN", "EDGE")
            sharp.data.foreach_set("value", common == 0)


def add_weights(mesh, object, rig: Rig) -> None:
    """There is no `foreach_set` for groups: all points of a bone at once, then the weights of a point at once."""
    names = rig.names
    for name in names:
        object.vertex_groups.new(name=name)
    bones, weights = mesh.to_influences(32)
    used = (weights > 0) & (bones < len(names))
    weights = np.minimum(weights, 1)
    bones, weights, used = (own[:, : max(1, int(used.sum(1).max(initial=0)))] for own in (bones, weights, used))
    order = np.argsort(np.where(used, bones, 1 << 30), axis=1, kind="stable")
    bones, weights, used = (np.take_along_axis(own, order, 1) for own in (bones, weights, used))
    rows, columns = np.nonzero(used)
    flat = bones[rows, columns]
    by_bone = np.argsort(flat, kind="stable")
    cuts = np.searchsorted(flat[by_bone], np.arange(len(names) + 1))
    for bone in range(len(names)):
        own = rows[by_bone[cuts[bone] : cuts[bone + 1]]]
        if len(own):
            object.vertex_groups[bone].add(own.tolist(), 1.0, "REPLACE")
    count = used.sum(1)
    vertices = object.data.vertices
    for point in np.flatnonzero((count > 1) | ((count == 1) & (weights[:, 0] < 1))).tolist():
        vertices[point].groups.foreach_set("weight", weights[point, : count[point]])


def add_shape_keys(mesh, object, places, change: Change) -> None:
    morphs = getattr(mesh, "morphs", [])
    if not morphs:
        return
    object.shape_key_add(name="Basis", from_mix=False)
    is_psk = mesh.format == "actorx.psk"
    names = unique([name for name, _ in morphs])
    for name, (_, deltas) in zip(names, morphs, strict=True):
        points = deltas["point_index" if is_psk else "vertex"].astype(np.int64)
        inside = (points >= 0) & (points < len(places))
        own = np.asarray(deltas["position"][inside], np.float64)
        if is_psk:
            # Unlike all other vectors of the file.
            own = own * (1, -1, 1)
        moved = np.array(places)
        np.add.at(moved, points[inside], change.points(own))
        key = object.shape_key_add(name=name, from_mix=False)
        key.data.foreach_set("co", np.where(np.isfinite(moved), moved, places).astype(np.float32).ravel())
        key.value = 0.0


def add_attachments(mesh, object, rig: Rig | None, change: Change, collection) -> None:
    """Empties on their bones, with the axes of the file."""
    for place in mesh.attachments:
        empty = bpy.data.objects.new(place.name or "attachment", None)
        empty.empty_display_size = max(object.dimensions.length * 0.02, 1e-3)
        collection.objects.link(empty)
        location = change.points(np.array([place.translation]))[0]
        rotation = change.rotations(np.array([place.rotation]))[0]
        scale = change.scales(np.array([place.scale]))[0]
        empty.parent = rig.object if rig is not None else object
        if rig is not None and place.bone is not None and place.bone < len(rig.names):
            name = rig.names[place.bone]
            back = conjugate(rig.turns[place.bone])
            location, rotation = rotate(back, location), product(back, rotation)
            empty.parent_type, empty.parent_bone = "BONE", name
            # What hangs on a bone hangs on its tail.
            length = rig.object.data.bones[name].length
            empty.matrix_parent_inverse = Matrix.Translation((0.0, -length, 0.0))
        x, y, z, w = rotation
        empty.rotation_mode = "QUATERNION"
        empty.matrix_basis = Matrix.LocRotScale(Vector(location), Quaternion((w, x, y, z)), Vector(scale))
