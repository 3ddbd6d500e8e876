# SPDX-License-Identifier: GPL-3.0-or-later
"""The import of files: meshes, the animations that fit them, and animations onto an armature of the scene."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import bpy
import numpy as np
import skelmap

from . import action, mesh, rig
from .space import Change, conjugate, matrices_of, product, rotate

USUAL_RATE = 30.0
# The most frames per second of a scene.
MAX_RATE = 32767
# The property of an armature that names the file of its mesh.
ADDRESS = "skelmap_mesh"


@dataclass(frozen=True)
class Options:
    """How files become objects."""

    # Units of Blender in a unit of the file: of meshes and animations alike.
    scale: float = 1.0
    # Whether bones point to their children. Animations are turned with them.
    towards_children: bool = False
    # The length of all bones in units of the file; 0 for the distance to the nearest child.
    bone_length: float = 0.0
    # Names of sequences, in any case; none for all.
    sequences: tuple[str, ...] = ()
    prefix: str = ""
    first_frame: float = 0.0
    # Whether times of keys follow the frame rate of the scene; otherwise a frame of the file is one of the scene.
    scene_rate: bool = False
    # Whether the scene gets the rate and the range of the first action.
    set_scene: bool = True
    # Whether a track that stands still gets one key.
    reduce: bool = True
    strips: bool = False
    # Whether animations play on any mesh, also on one that they do not fit.
    any_fit: bool = False
    smoothing: bool = True
    reuse_materials: bool = True
    attachments: bool = True
    lod: int = 0


@dataclass
class Result:
    """What was made."""

    armatures: list = field(default_factory=list)
    meshes: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    # What did not go as people may expect.
    notes: list[str] = field(default_factory=list)


class LoadError(Exception):
    """Nothing was imported."""


def load(
    paths: str | os.PathLike | Iterable[str | os.PathLike],
    options: Options | None = None,
    *,
    armature=None,
    progress: Callable[[int, int], bool] | None = None,
    **changes,
) -> Result:
    """Imports files and addresses of entries (`mod.zip!/art/fox.psk`) of all families.

    Animations become actions of each mesh that they fit, of `armature` without a mesh, or of an armature of their own bones.
    `progress` is called with the steps that are done and all of them; when it returns `False`, nothing more is made. Options may be
    named: `load("fox.psk", scale=0.01)`.

    Raises `LoadError` if a file cannot be read, before anything is made.
    """
    options = replace(options or Options(), **changes)
    paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    meshes, animations = [], []
    for path in paths:
        try:
            asset = skelmap.open(bpy.path.abspath(os.fspath(path)), lod=options.lod)
        except OSError as error:
            raise LoadError(f"{path}: {error.strerror or error}") from error
        except ValueError as error:
            raise LoadError(str(error)) from error
        (meshes if isinstance(asset, skelmap.Mesh) else animations).append(asset)
    before = {kind: set(getattr(bpy.data, kind)) for kind in KINDS}
    try:
        # What is no number in a file is none here.
        with np.errstate(invalid="ignore", over="ignore"):
            return made_of(meshes, animations, options, armature, progress)
    except Exception:
        # Nothing is half there.
        for kind in KINDS:
            for own in set(getattr(bpy.data, kind)) - before[kind]:
                getattr(bpy.data, kind).remove(own)
        raise


# What an import makes, users first.
KINDS = ("objects", "meshes", "armatures", "actions", "materials")


def made_of(meshes, animations, options: Options, armature, progress) -> Result:
    """The objects and actions of open files."""
    result, collection = Result(), collection_in_view()
    if bpy.context.mode != "OBJECT" and bpy.ops.object.mode_set.poll():
        bpy.ops.object.mode_set(mode="OBJECT")
    sequences = [own for animation in animations for own in animation.sequence_list if is_wanted(own, options)]
    if animations and not sequences:
        result.notes.append("no sequence has one of these names" if options.sequences else "the animations have no sequence")
    if not meshes and armature is not None:
        # The mesh of an armature says more than its bones: what a side-car takes from it, and what a track does not have.
        own = mesh_of(armature)
        if own is not None:
            steps = Steps(len(sequences), progress)
            made = rig.found(armature, lambda scale: Change(own.space, scale or options.scale), bone_names(own, own.bone_count))
            if made is not None:
                check_rest(made, own, result.notes)
                add_bound([(own, made)], sequences, options, result, steps)
                return finish(result, options)
        else:
            result.notes.append(f"{armature.name}: its mesh is not known, so that bones are moved by their names alone")
    steps = Steps(len(meshes) + len(sequences), progress)
    targets = []
    for own in meshes:
        if not steps.go():
            return result
        targets.append((own, add_mesh(own, options, collection, result)))
    if not meshes:
        for animation in animations:
            own = [sequence for sequence in sequences if sequence.animation is animation]
            add_alone(animation, own, options, armature, collection, result, steps)
    else:
        add_bound(targets, sequences, options, result, steps)
    return finish(result, options)


def collection_in_view():
    """The active collection, or that of the scene where the active one is not in the view: objects must be there to be edited."""
    active = bpy.context.view_layer.active_layer_collection
    if (
        active.exclude
        or active.hide_viewport
        or active.collection.hide_viewport
        or active.collection.library
        or active.collection.override_library
    ):
        return bpy.context.scene.collection
    return active.collection


class Steps:
    """How far an import is."""

    def __init__(self, count: int, progress) -> None:
        self.count, self.done, self.progress = count, 0, progress

    def go(self) -> bool:
        self.done += 1
        return self.progress is None or self.progress(self.done, self.count) is not False


def is_wanted(sequence, options: Options) -> bool:
    return not options.sequences or sequence.name.lower() in {name.lower() for name in options.sequences}


def name_of(asset) -> str:
    address = asset.address or "model"
    name = os.path.splitext(os.path.basename(address.replace("!/", "/")))[0] or "model"
    # Blender has UTF-8 alone.
    return name.encode(errors="replace").decode()


def bone_names(asset, count: int) -> list[str]:
    return asset.bone_names or [f"bone_{number}" for number in range(count)]


def add_mesh(own, options: Options, collection, result: Result):
    name, change = name_of(own), Change(own.space, options.scale)
    made = None
    if own.bone_count:
        parents = own.parents or [-1] * own.bone_count
        world = own.model_matrices()
        made = rig.make(name, bone_names(own, own.bone_count), parents, world, change, options, collection, result.notes)
        made.object[ADDRESS] = os.fsencode(own.address or "").decode(errors="replace")
        result.armatures.append(made.object)
    result.meshes.append(mesh.make(own, name, made, change, options, collection, result.notes))
    return made


def mesh_of(armature):
    """The file that an armature was made of, if it is still there and has its bones."""
    try:
        own = skelmap.open(armature.get(ADDRESS) or "", kind=skelmap.Mesh)
    except (OSError, TypeError, ValueError):
        return None
    return own if own.bone_count else None


def check_rest(made, own, notes) -> None:
    """Whether the bones are where the file has them."""
    world = made.change.matrices(own.model_matrices())[:, :3, 3]
    bones = made.object.data.bones
    heads = np.array([bones[name].head_local for name in made.names])
    size = float(np.ptp(world, axis=0).max(initial=0)) or 1.0
    if not np.abs(heads - world).max(initial=0) < size * 1e-3:
        notes.append(f"{made.object.name}: its bones were moved or scaled after the import: animations do not fit them")


def add_bound(targets, sequences, options: Options, result: Result, steps: Steps) -> None:
    """Actions of sequences, of each mesh that they fit."""
    writers = [(own, action.Writer(made, options)) for own, made in targets if made is not None]
    for sequence in sequences:
        if not steps.go():
            break
        what = sequence.name or name_of(sequence.animation)
        if not sequence.frame_count:
            result.notes.append(f"{what}: no frames")
            continue
        is_used = False
        for own, writer in writers:
            binding = own.bind(sequence)
            if not (options.any_fit or binding.match.can_play):
                continue
            is_used = True
            poses = binding.sample(np.arange(sequence.frame_count), unit="frames")
            made = writer.add(what, poses, sequence.rate or USUAL_RATE)
            result.notes += writer.notes
            writer.notes = []
            result.actions.append((writer.rig.object, made))
            if binding.match.verdict not in ("exact", "fits"):
                result.notes.append(
                    f"{what}: {binding.match.missing} bones of the mesh and {binding.match.extra} of the animation have no partner"
                )
        if not is_used:
            result.notes.append(f"{what}: fits none of these meshes")
    for _, writer in writers:
        writer.close()


def add_alone(animation, sequences, options: Options, armature, collection, result: Result, steps: Steps) -> None:
    """Actions of an animation without a mesh: of an armature of the scene, or of one of its own bones."""
    if not sequences:
        return
    sequences = [own for own in sequences if own.track_count] or []
    if not sequences:
        result.notes.append(f"{name_of(animation)}: no sequence moves a bone")
        return
    first = sequences[0]
    names = names_of(first)
    if armature is not None:
        target = rig.found(armature, lambda scale: Change(animation.space, scale or options.scale))
    else:
        change = Change(animation.space, options.scale)
        parents = animation.parents if animation.parents and len(animation.parents) == len(names) else [-1] * len(names)
        pose = first.sample(0.0, unit="frames") if first.frame_count else np.zeros((len(names), 10), np.float32)
        target = rig.make(name_of(animation), names, parents, places_of(pose, parents), change, options, collection, result.notes)
        result.armatures.append(target.object)
    writer = action.Writer(target, options)
    for sequence in sequences:
        if not steps.go():
            break
        what = sequence.name or name_of(animation)
        if not sequence.frame_count:
            result.notes.append(f"{what}: no frames")
            continue
        # Each pose of a list has bones of its own.
        own_names = names_of(sequence)
        tracks = dict(enumerate(range(len(names)))) if armature is None and own_names == names else tracks_of(target.names, own_names)
        used = set(tracks.values())
        if not used:
            result.notes.append(f"{what}: no bone of {target.object.name} has a name of its tracks")
            continue
        lost = [name for track, name in enumerate(own_names) if track not in used]
        if lost:
            result.notes.append(f"{what}: {len(lost)} tracks have no bone: {', '.join(lost[:3])}{', ...' if len(lost) > 3 else ''}")
        own = sequence.sample(np.arange(sequence.frame_count), unit="frames")
        poses = np.broadcast_to(resting(target), (len(own), len(target.names), 10)).copy()
        for bone, track in tracks.items():
            poses[:, bone] = own[:, track]
        result.actions.append((target.object, writer.add(what, poses, sequence.rate or USUAL_RATE)))
    writer.close()


def names_of(sequence) -> list[str]:
    """The names of the bones of its tracks."""
    return sequence.animation._bone_names_of(sequence.index) or [f"bone_{number}" for number in range(sequence.track_count)]


def tracks_of(bones, names) -> dict[int, int]:
    """The track of each bone of an armature, by name."""
    exact, of_name = {}, {}
    for track, name in enumerate(rig.unique(names)):
        exact.setdefault(name, track)
        of_name.setdefault(name.lower(), track)
    found = ((bone, exact.get(name, of_name.get(name.lower()))) for bone, name in enumerate(bones))
    return {bone: track for bone, track in found if track is not None}


def resting(target) -> np.ndarray:
    """The pose of an armature at rest, in the space of the file, without the turns of its bones."""
    parents = np.array(target.parents)
    of_parent = np.where((parents >= 0)[:, None], target.turns[parents], np.array([0.0, 0.0, 0.0, 1.0]))
    change, pose = target.change, np.ones((len(target.names), 10))
    translations = rotate(of_parent, target.rest_translations)
    rotations = product(product(of_parent, target.rest_rotations), conjugate(target.turns))
    pose[:, :3] = translations / change.scale @ change.axes
    pose[:, 3:7] = rotations
    pose[:, 3:6] = rotations[:, :3] @ change.axes * (-1 if change.is_mirror else 1)
    return pose


def places_of(pose, parents) -> np.ndarray:
    """The places of bones in the model, of transforms relative to their parents."""
    count = len(parents)
    local = np.broadcast_to(np.eye(4), (count, 4, 4)).copy()
    local[:, :3, :3] = matrices_of(np.asarray(pose[:, 3:7], np.float64))
    local[:, :3, 3] = pose[:, :3]
    world, done = local.copy(), [False] * count
    parents = rig.without_circles(parents)
    for start in range(count):
        path = []
        bone = start
        while bone >= 0 and not done[bone]:
            path.append(bone)
            bone = parents[bone]
        for own in reversed(path):
            if parents[own] >= 0:
                world[own] = world[parents[own]] @ local[own]
            done[own] = True
    return world


def finish(result: Result, options: Options) -> Result:
    """The first action of each armature plays, and the scene shows it."""
    seen = set()
    for object, own in result.actions:
        if options.strips:
            action.stash(object, own, options.first_frame)
        if object.name not in seen:
            seen.add(object.name)
            action.play(object, own)
    if result.actions and options.set_scene:
        scene, first = bpy.context.scene, result.actions[0][1]
        rate = float(first["skelmap_rate"])
        if not options.scene_rate and 1 <= rate <= MAX_RATE:
            scene.render.fps = max(1, round(rate))
            scene.render.fps_base = scene.render.fps / rate
        scene.frame_start, scene.frame_end = int(first.frame_start), max(int(first.frame_start), round(first.frame_end))
        scene.frame_current = scene.frame_start
    return result
