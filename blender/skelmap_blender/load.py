# SPDX-License-Identifier: GPL-3.0-or-later
"""The import of files: meshes, the animations that fit them, and animations onto an armature of the scene."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace

import bpy
import numpy as np
import skelmap

from . import action, material, mesh, rig
from .space import Change, conjugate, matrices_of, product, rotate

USUAL_RATE = 30.0
# The most frames per second of a scene.
MAX_RATE = 32767
# The most transforms of bones of an action: those of 34,000 frames of 490 bones.
MAX_TRANSFORMS = 1 << 24
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
    # Whether times of keys follow the frame rate of the scene. Otherwise a frame of the file is one of the scene, which gets the rate and
    # the range of the first action.
    scene_rate: bool = False
    # Whether a track that stands still gets one key.
    reduce: bool = True
    strips: bool = False
    # Whether animations play on any mesh, also on one that they do not fit.
    any_fit: bool = False
    smoothing: bool = True
    # Whether images are looked for, as `skelmap convert` finds them.
    textures: bool = True
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


@dataclass
class Model:
    """An open mesh, and what its neighbours tell of it."""

    mesh: skelmap.Mesh
    set: skelmap.Set | None = None

    @property
    def textures(self) -> skelmap.Textures | None:
        return self.set.textures if self.set else None

    @property
    def bones(self):
        """Names and parents of bones that the file does not have."""
        bones = self.set.bones if self.set and not self.mesh.bone_names else None
        return bones if bones and len(bones) == self.mesh.bone_count else None


@dataclass
class Motion:
    """An open animation, and the name under which it plays, if that is not in the file."""

    animation: skelmap.Animation
    name: str | None = None


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
    `progress` is called with the steps that are done and all of them; when it returns `False`, the import ends and leaves nothing.
    Options may be named: `load("fox.psk", scale=0.01)`.

    Raises `LoadError` if a file cannot be read, before anything is made.
    """
    return drained(loading(paths, replace(options or Options(), **changes), armature), progress)


def load_set(own: skelmap.Set, options: Options | None = None, *, progress: Callable[[int, int], bool] | None = None, **changes) -> Result:
    """Imports a mesh of `skelmap.sets` with its animations, textures and names of bones. The level of detail is that of the sets."""
    return drained(loading_set(own, replace(options or Options(), **changes)), progress)


def drained(steps: Steps, progress) -> Result:
    """Does all steps."""
    while True:
        try:
            done, count = next(steps)
        except StopIteration as end:
            return end.value
        if progress is not None and progress(done, count) is False:
            steps.close()
            raise LoadError("stopped: nothing was imported")


# An import yields what is done and how many steps there are, and returns its result. Closed before its end, it leaves nothing.
Steps = Generator[tuple[int, int], None, Result]


def loading(paths, options: Options, armature) -> Steps:
    """The steps of `load`."""
    paths = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    meshes, motions, notes = [], [], []
    for path in paths:
        asset = opened(path, lambda path=path: skelmap.open(absolute(path), lod=options.lod))
        if isinstance(asset, skelmap.Mesh):
            meshes.append(asset)
        else:
            motions.append(Motion(asset))
    models = [Model(mesh) for mesh in meshes]
    # The files near a mesh tell its textures, and of 0 A.D. the names of its bones.
    addresses = [mesh.address for mesh in meshes if mesh.address and (options.textures or mesh.format == "pyrogenesis.pmd")]
    if addresses:
        try:
            sets = skelmap.sets(addresses, lod=options.lod)
        except (OSError, ValueError) as error:
            notes.append(f"textures are not looked for: {error}")
        else:
            by_address = {own.address: own for own in sets}
            models = [Model(mesh, by_address.get(mesh.address)) for mesh in meshes]
            notes += sets.faults
    return (yield from made_of(models, motions, options, armature, notes))


def loading_set(own: skelmap.Set, options: Options) -> Steps:
    """The steps of `load_set`."""
    first = opened(own.address, own.open)
    notes = [own.note] if own.note else []
    if not isinstance(first, skelmap.Mesh):
        return (yield from made_of([], [Motion(first)], options, None, notes))
    motions, files = [], own.open_animations()
    for animation in own.animations:
        try:
            motions.append(Motion(next(files), animation.names[0] if animation.names else None))
        except (OSError, ValueError) as error:
            notes.append(f"left out: {error}")
    # Which animations belong to the mesh is decided.
    return (yield from made_of([Model(first, own)], motions, replace(options, any_fit=True), None, notes))


def absolute(path) -> str:
    """The path from the root on: the current folder may change, and the armature keeps the address."""
    address = bpy.path.abspath(os.fspath(path))
    return address if "://" in address else os.path.abspath(address)


def opened(path, function):
    try:
        return function()
    except OSError as error:
        raise LoadError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise LoadError(str(error)) from error


# What an import makes, users first.
KINDS = ("objects", "meshes", "armatures", "actions", "materials", "images")


def made_of(models, motions, options: Options, armature, notes) -> Steps:
    """The objects and actions of open files. If it fails or is stopped, nothing is half there."""
    before = {kind: set(getattr(bpy.data, kind)) for kind in KINDS}
    try:
        return (yield from make(models, motions, options, armature, notes))
    except BaseException:
        for kind in KINDS:
            for own in set(getattr(bpy.data, kind)) - before[kind]:
                getattr(bpy.data, kind).remove(own)
        raise


def make(models, motions, options: Options, armature, notes) -> Steps:
    if armature is not None and armature.library and not models:
        raise LoadError(f"{armature.name} is linked from another file: make it local first")
    result, collection = Result(notes=notes), collection_in_view()
    if bpy.context.mode != "OBJECT" and bpy.ops.object.mode_set.poll():
        bpy.ops.object.mode_set(mode="OBJECT")
    sequences = [(own, motion) for motion in motions for own in motion.animation.sequence_list if is_wanted(own, motion, options)]
    if motions and not sequences:
        result.notes.append("no sequence has one of these names" if options.sequences else "the animations have no sequence")
    counter = Counter(len(models) + len(sequences))
    if not models and armature is not None:
        # The mesh of an armature says more than its bones: what a side-car takes from it, and what a track does not have.
        own = mesh_of(armature)
        if own is not None:
            made = rig.found(armature, lambda scale: Change(own.space, scale or options.scale), own.bone_count)
            if made is not None:
                check_rest(made, own, result.notes)
                yield from add_bound([(own, made)], sequences, options, result, counter)
                return finish(result, options)
        else:
            result.notes.append(f"{armature.name}: its mesh is not known, so that bones are moved by their names alone")
    targets = []
    for model in models:
        yield counter.next()
        targets.append((model.mesh, add_mesh(model, options, collection, result)))
    if models:
        yield from add_bound(targets, sequences, options, result, counter)
    else:
        for motion in motions:
            own = [sequence for sequence, of in sequences if of is motion]
            yield from add_alone(motion, own, options, armature, collection, result, counter)
    return finish(result, options)


@dataclass
class Counter:
    """How far an import is."""

    count: int
    done: int = 0

    def next(self) -> tuple[int, int]:
        self.done += 1
        return self.done - 1, self.count


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


def is_wanted(sequence, motion: Motion, options: Options) -> bool:
    """By its name, or by that under which an actor plays it."""
    names = {(sequence.name or "").lower(), (motion.name or "").lower()}
    return not options.sequences or not names.isdisjoint(name.lower() for name in options.sequences)


def name_of(asset) -> str:
    # Blender has UTF-8 alone.
    return (asset.stem or "model").encode(errors="replace").decode()


def named(names, count: int) -> list[str]:
    """Names of bones, or numbers where a format has none."""
    return names or [f"bone_{number}" for number in range(count)]


@np.errstate(invalid="ignore", over="ignore")
def add_mesh(model: Model, options: Options, collection, result: Result):
    own = model.mesh
    name, change = name_of(own), Change(own.space, options.scale)
    made = None
    if own.bone_count:
        names, parents = own.bone_names, own.parents or [-1] * own.bone_count
        if model.bones:
            names, parents = zip(*((bone.name, -1 if bone.parent is None else bone.parent) for bone in model.bones), strict=True)
        world = own.model_matrices()
        made = rig.make(name, named(names, own.bone_count), parents, world, change, options, collection, result.notes)
        made.object[ADDRESS] = material.printable(own.address or "")
        result.armatures.append(made.object)
    textures = opened(name, lambda: model.textures) if options.textures else None
    if textures:
        result.notes += textures.faults
    dressing = material.Dressing(own, name, textures, bool(model.set and model.set.is_transparent), options)
    result.meshes.append(mesh.make(own, name, made, change, options, collection, dressing, result.notes))
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


def add_bound(targets, sequences, options: Options, result: Result, counter: Counter) -> Iterator[tuple[int, int]]:
    """Actions of sequences, of each mesh that they fit."""
    writers = [(own, action.Writer(made, options)) for own, made in targets if made is not None]
    for sequence, motion in sequences:
        yield counter.next()
        what = motion.name or sequence.name or name_of(sequence.animation)
        why = unplayable(sequence, max((own.bone_count for own, _ in writers), default=0))
        if why:
            result.notes.append(f"{what}: {why}")
            continue
        is_used = False
        for own, writer in writers:
            binding = own.bind(sequence)
            if not binding.match.matched or not (options.any_fit or binding.match.can_play):
                continue
            is_used = True
            poses = binding.sample(np.arange(sequence.frame_count), unit="frames")
            if not own.parents:
                poses = relative_to(writer.rig.parents, poses)
            made = writer.add(what, poses, sequence.rate or USUAL_RATE)
            result.notes += writer.notes
            writer.notes = []
            result.actions.append((writer.rig.object, made))
            if binding.match.verdict not in ("exact", "fits"):
                missing, extra = binding.match.missing, binding.match.extra
                lost = f"{missing} bones of the mesh and {extra} of the animation have no partner"
                result.notes.append(f"{what}: {lost if missing or extra else 'made for a skeleton of other lengths'}")
        if not is_used:
            result.notes.append(f"{what}: fits none of these meshes")
    for _, writer in writers:
        writer.close()


def unplayable(sequence, bones: int) -> str | None:
    """Why there can be no action of a sequence."""
    frames = sequence.frame_count
    if not frames:
        return "no frames"
    # A small file can state any number of frames.
    if frames * max(bones, sequence.track_count) > MAX_TRANSFORMS:
        return f"{frames} frames are too many: left out"
    return None


def relative_to(parents, poses):
    """Poses in the model (frames, bones, 10) of bones without parents, relative to these parents. Such formats have no scales."""
    parents = np.array(parents)
    has = parents >= 0
    if not has.any():
        return poses
    out = np.array(poses, np.float64)
    back, above = conjugate(out[:, parents[has], 3:7]), out[:, parents[has], :3]
    place, rotation = out[:, has, :3], out[:, has, 3:7]
    local = np.array(out)
    local[:, has, :3] = rotate(back, place - above)
    local[:, has, 3:7] = product(back, rotation)
    return local


def add_alone(
    motion: Motion, sequences, options: Options, armature, collection, result: Result, counter: Counter
) -> Iterator[tuple[int, int]]:
    """Actions of an animation without a mesh: of an armature of the scene, or of one of its own bones."""
    if not sequences:
        return
    animation = motion.animation
    sequences = [own for own in sequences if own.track_count]
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
        yield counter.next()
        what = motion.name or sequence.name or name_of(animation)
        why = unplayable(sequence, len(target.names))
        if why:
            result.notes.append(f"{what}: {why}")
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
    return named(sequence.animation._bone_names_of(sequence.index), sequence.track_count)


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
    of_parent, change, pose = target.parent_turns(), target.change, np.ones((len(target.names), 10))
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
    world = local.copy()
    parents = rig.without_circles(parents)
    for bone in rig.in_order(parents):
        if parents[bone] >= 0:
            world[bone] = world[parents[bone]] @ local[bone]
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
    if result.actions and not options.scene_rate:
        scene, first = bpy.context.scene, result.actions[0][1]
        rate = float(first["skelmap_rate"])
        if 1 <= rate <= MAX_RATE:
            scene.render.fps = max(1, round(rate))
            scene.render.fps_base = scene.render.fps / rate
        scene.frame_start, scene.frame_end = int(first.frame_start), max(int(first.frame_start), round(first.frame_end))
        scene.frame_current = scene.frame_start
    return result
