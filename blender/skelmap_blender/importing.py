# SPDX-License-Identifier: GPL-3.0-or-later
"""What all imports have in common for people: the options, progress, Escape, and messages."""

from __future__ import annotations

import time
from dataclasses import fields

import bpy
from bpy.props import BoolProperty, FloatProperty, StringProperty

from .load import LoadError, Options, Steps

# The options that have a property of their name.
CHOICES = {own.name for own in fields(Options)} - {"sequences", "first_frame"}
# How long a step of an import may keep people waiting, in seconds.
STEP = 0.05


class Importing:
    """What imports have in common: how files become objects, and Escape, which stops them."""

    scale: FloatProperty(
        name="Scale", description="Units of Blender in a unit of the file, of meshes and animations", default=1.0, min=1e-6, max=1e6
    )
    towards_children: BoolProperty(
        name="Bones towards children",
        description="Bones point to their children in place of the axes of the file; animations are turned with them",
    )
    bone_length: FloatProperty(
        name="Bone length", description="In units of the file; 0: the distance to the nearest child", default=0.0, min=0.0, max=1e6
    )
    sequences: StringProperty(name="Sequences", description="Names with commas between; empty for all")
    prefix: StringProperty(name="Prefix", description="The start of the names of actions")
    scene_rate: BoolProperty(
        name="Rate of the scene",
        description="Keys keep their times at the frame rate of the scene; otherwise the scene gets that of the file",
    )
    reduce: BoolProperty(
        name="One key where still", description="A bone that does not move has one key, and not one in each frame", default=True
    )
    strips: BoolProperty(name="NLA strips", description="A muted strip for each action")
    any_fit: BoolProperty(name="Any animation", description="Also animations that do not fit the mesh")
    textures: BoolProperty(
        name="Textures",
        description="Images with the names of materials, and those that a mod names, as skelmap convert finds them",
        default=True,
    )
    smoothing: BoolProperty(name="Smoothing groups", description="Edges between smoothing groups are sharp", default=True)
    reuse_materials: BoolProperty(name="Reuse materials", description="Materials that are there are used again, by name", default=True)
    attachments: BoolProperty(name="Sockets", description="An empty for each socket or prop point", default=True)

    def to_options(self) -> Options:
        chosen = {name: getattr(self, name) for name in CHOICES if hasattr(self, name)}
        return Options(**chosen, sequences=tuple(own.strip() for own in self.sequences.split(",") if own.strip()))

    def start(self, context, steps: Steps):
        """A script waits for the end. For people, the steps are those of a timer, so that Escape is heard."""
        self.steps = steps
        context.window_manager.progress_begin(0.0, 1.0)
        options = self.options
        if bpy.app.background or context.window is None or not options.is_invoke or options.is_repeat or options.is_repeat_last:
            while (done := self.go(context)) is None:
                pass
            return done
        self.timer = context.window_manager.event_timer_add(0.01, window=context.window)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC":
            self.steps.close()
            self.report({"WARNING"}, "Stopped: nothing was imported")
            return self.end(context, {"CANCELLED"})
        if event.type == "TIMER":
            until = time.monotonic() + STEP
            while time.monotonic() < until:
                done = self.go(context)
                if done is not None:
                    return done
        return {"RUNNING_MODAL"}

    def cancel(self, context) -> None:
        """Another file is opened, or Blender ends."""
        self.steps.close()
        self.end(context, None)

    def go(self, context):
        """Does a step; what the operator returns when it was the last one."""
        try:
            done, count = next(self.steps)
        except StopIteration as end:
            return self.end(context, self.tell(end.value))
        except LoadError as error:
            self.report({"ERROR"}, str(error))
            return self.end(context, {"CANCELLED"})
        except BaseException:
            self.end(context, None)
            raise
        context.window_manager.progress_update(done / max(count, 1))
        return None

    def end(self, context, done):
        context.window_manager.progress_end()
        if getattr(self, "timer", None) is not None:
            context.window_manager.event_timer_remove(self.timer)
            self.timer = None
        return done

    def tell(self, result):
        for note in result.notes[:20]:
            self.report({"WARNING"}, note)
        self.report({"INFO"}, f"{len(result.meshes)} meshes, {len(result.actions)} actions")
        return {"FINISHED"} if result.meshes or result.actions or result.armatures else {"CANCELLED"}
