# SPDX-License-Identifier: GPL-3.0-or-later
"""Actions of sequences: a curve for each channel of each bone, with one key where nothing moves."""

from __future__ import annotations

import bpy
import numpy as np

from .rig import Rig

LINEAR = bpy.types.Keyframe.bl_rna.properties["interpolation"].enum_items["LINEAR"].value
VECTOR = bpy.types.Keyframe.bl_rna.properties["handle_left_type"].enum_items["VECTOR"].value
CHANNELS = (
    [("rotation_quaternion", part) for part in range(4)]
    + [("location", part) for part in range(3)]
    + [("scale", part) for part in range(3)]
)
# The values of a bone that nothing moves.
AT_REST = np.array([1, 0, 0, 0, 0, 0, 0, 1, 1, 1], np.float32)
# Channels without the scale.
WITHOUT_SCALE = 7
# Changes up to this do not move a bone: of a quaternion, of a scale, and of a place as a part of the size.
STILL = 1e-6
# The most transforms that are changed at a time: as many as a cache holds.
MAX_BLOCK = 1 << 15


def has_slots() -> bool:
    return bpy.app.version >= (4, 4, 0)


def curves_of(action):
    if has_slots():
        return action.layers[0].strips[0].channelbags[0].fcurves
    return action.fcurves


def pattern_of(rig: Rig, width: int):
    """An action with a curve of one key for each channel of each bone. A copy costs microseconds a curve; each new curve is compared with
    all before it.
    """
    action = bpy.data.actions.new(".skelmap")
    bag = None
    if has_slots():
        slot = action.slots.new("OBJECT", rig.object.name)
        bag = action.layers.new("Layer").strips.new(type="KEYFRAME").channelbag(slot, ensure=True)
    for name in rig.names:
        base = f'pose.bones["{bpy.utils.escape_identifier(name)}"].'
        group = bag.groups.new(name) if bag else None
        for path, part in CHANNELS[:width]:
            if bag:
                curve = bag.fcurves.new(base + path, index=part)
                curve.group = group
            else:
                curve = action.fcurves.new(base + path, index=part, action_group=name)
            points = curve.keyframe_points
            points.add(1)
            points[0].interpolation = "LINEAR"
            points[0].handle_left_type = points[0].handle_right_type = "VECTOR"
    return action


def continuous(rotations) -> None:
    """Gives rotations (bones, 4, frames) the signs with which curves of components do not jump."""
    flips = np.empty((len(rotations), rotations.shape[2]), bool)
    flips[:, 0] = rotations[:, 3, 0] < 0
    flips[:, 1:] = np.einsum("bcf,bcf->bf", rotations[..., 1:], rotations[..., :-1]) < 0
    if flips.any():
        rotations *= np.where(np.logical_xor.accumulate(flips, 1), -1.0, 1.0)[:, None]


class Writer:
    """Makes the actions of one armature."""

    def __init__(self, rig: Rig, options) -> None:
        self.rig, self.options = rig, options
        self.patterns: dict[int, bpy.types.Action] = {}
        self.matrices = rig.to_basis()
        self.notes: list[str] = []
        size = float(np.abs(rig.rest_translations).max(initial=0.0)) or 1.0
        self.limits = np.array([STILL] * 4 + [STILL * size] * 3 + [STILL] * 3)[None, :]

    def add(self, name: str, poses, rate: float):
        """An action of poses (frames, bones, 10) in the space of the file."""
        options, count = self.options, len(poses)
        scales = poses[..., 7:]
        width = len(CHANNELS) if max(scales.max(initial=1) - 1, 1 - scales.min(initial=1)) > STILL else WITHOUT_SCALE
        uneven = np.ptp(scales, axis=2).max(0) > STILL * 10 if width == len(CHANNELS) else np.zeros(len(self.rig.names), bool)
        lost = int((uneven & ~self.matrices[3]).sum())
        if lost:
            self.notes.append(f"{name}: {lost} bones scale along axes that they do not have when they point to their children")
        render = bpy.context.scene.render
        step = render.fps / render.fps_base / rate if options.scene_rate else 1.0
        times = (options.first_frame + np.arange(count) * step).astype(np.float32)
        if width not in self.patterns:
            self.patterns[width] = pattern_of(self.rig, width)
        action = self.patterns[width].copy()
        action.name = options.prefix + (name or "animation")
        action.use_fake_user = True
        action["skelmap_rate"] = rate
        action.use_frame_range = True
        action.frame_start, action.frame_end = float(times[0]), float(times[-1])
        curves = iter(curves_of(action))
        bones = len(self.rig.names)
        block = max(1, MAX_BLOCK // count)
        fill, lost = filler(times), 0
        for start in range(0, bones, block):
            values = self.values_of(poses, slice(start, start + block))[:, :width]
            broken = ~np.isfinite(values)
            if broken.any():
                lost += int(broken.any((1, 2)).sum())
                values = np.where(broken, AT_REST[None, :width, None], values)
            moves = np.ptp(values, axis=2) > self.limits[:, :width]
            # A quaternion is one value.
            moves[:, :4] = moves[:, :4].any(1, keepdims=True)
            if not options.reduce:
                moves[:] = True
            values, moves = values.reshape(-1, count), moves.ravel().tolist()
            for own, is_moving, curve in zip(values, moves, curves, strict=False):
                fill(curve, own, is_moving)
        if lost:
            self.notes.append(f"{name}: keys of {lost} bones are no numbers: those keys are at rest")
        return action

    def values_of(self, poses, bones: slice):
        """The values of all channels of some bones: (bones, channels, frames)."""
        locations, rotations, scales, _ = self.matrices
        own = np.ascontiguousarray(poses[:, bones].transpose(1, 2, 0), np.float64)
        rotation = rotations[bones] @ own[:, 3:7]
        continuous(rotation)
        values = np.empty(own.shape, np.float32)
        values[:, 0], values[:, 1:4] = rotation[:, 3], rotation[:, :3]
        values[:, 4:7] = locations[bones, :, :3] @ own[:, :3] + locations[bones, :, 3:]
        values[:, 7:] = scales[bones] @ own[:, 7:]
        return values

    def close(self) -> None:
        for action in self.patterns.values():
            bpy.data.actions.remove(action)
        self.patterns = {}


def filler(times):
    """A function that gives a curve of one key its keys at these times."""
    count = len(times)
    pairs = np.empty((count, 2), np.float32)
    pairs[:, 0] = times
    flat, first = pairs.reshape(-1), pairs[0]
    # One byte for each enum: Blender's own type, which it copies at once. With 32 bits, it goes key by key.
    linear, vector = np.full(count, LINEAR, np.uint8), np.full(count, VECTOR, np.uint8)

    def fill(curve, values, is_moving: bool) -> None:
        points = curve.keyframe_points
        if not is_moving or count == 1:
            # One key, and never none: an action must take back what another one moved.
            pairs[0, 1] = values[0]
            points.foreach_set("co", first)
        else:
            pairs[:, 1] = values
            points.add(count - 1)
            points.foreach_set("co", flat)
            points.foreach_set("interpolation", linear)
            points.foreach_set("handle_left_type", vector)
            points.foreach_set("handle_right_type", vector)
        if hasattr(points, "handles_recalc"):
            points.handles_recalc()
        else:
            curve.update()

    return fill


def play(object, action) -> None:
    """Assigns an action, and its slot."""
    data = object.animation_data_create()
    data.action = action
    if has_slots() and action.slots:
        data.action_slot = action.slots[0]


def stash(object, action, first_frame: float) -> None:
    """Adds a muted strip of an action."""
    data = object.animation_data_create()
    track = data.nla_tracks.new()
    track.name, track.mute = action.name, True
    strip = track.strips.new(action.name, int(first_frame), action)
    if has_slots() and action.slots:
        strip.action_slot = action.slots[0]
