# SPDX-License-Identifier: GPL-3.0-or-later
"""What people click: File > Import, drag and drop, and `bpy.ops.skelmap.load` for scripts."""

from __future__ import annotations

import os

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ImportHelper

from .load import LoadError, Options, load

EXTENSIONS = (".psk", ".pskx", ".psa", ".pmd", ".gsa", ".uemodel", ".ueanim", ".uepose")


class SKELMAP_OT_load(bpy.types.Operator, ImportHelper):
    """Import skeletal meshes and animations: Unreal (PSK, PSA, UEFormat), 0 A.D. (PMD, PSA), SWAT 3 (GSA)"""

    bl_idname = "skelmap.load"
    bl_label = "Import skeletal meshes and animations"
    bl_options = {"REGISTER", "UNDO", "PRESET"}  # noqa: RUF012

    filename_ext = ""
    filter_glob: StringProperty(default=";".join(f"*{own}" for own in EXTENSIONS), options={"HIDDEN"})
    files: CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})

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
    smoothing: BoolProperty(name="Smoothing groups", description="Edges between smoothing groups are sharp", default=True)
    reuse_materials: BoolProperty(name="Reuse materials", description="Materials that are there are used again, by name", default=True)
    attachments: BoolProperty(name="Sockets", description="An empty for each socket or prop point", default=True)
    lod: IntProperty(name="Level of detail", description="Of UEFormat models, counted from 0, the finest", default=0, min=0)

    def paths(self) -> list[str]:
        names = [own.name for own in self.files if own.name]
        if names:
            return [os.path.join(self.directory, name) for name in names]
        return [self.filepath] if self.filepath else []

    def execute(self, context):
        paths = self.paths()
        if not paths:
            self.report({"ERROR"}, "No file is chosen")
            return {"CANCELLED"}
        names = tuple(own.strip() for own in self.sequences.split(",") if own.strip())
        options = Options(
            scale=self.scale,
            towards_children=self.towards_children,
            bone_length=self.bone_length,
            sequences=names,
            prefix=self.prefix,
            scene_rate=self.scene_rate,
            set_scene=not self.scene_rate,
            reduce=self.reduce,
            strips=self.strips,
            any_fit=self.any_fit,
            smoothing=self.smoothing,
            reuse_materials=self.reuse_materials,
            attachments=self.attachments,
            lod=self.lod,
        )
        active = context.active_object
        if active is not None and active.type == "MESH":
            active = active.find_armature()
        armature = active if active is not None and active.type == "ARMATURE" else None
        manager = context.window_manager

        def progress(done: int, count: int) -> bool:
            manager.progress_update(done / max(count, 1))
            return True

        manager.progress_begin(0.0, 1.0)
        try:
            result = load(paths, options, armature=armature, progress=progress)
        except LoadError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            manager.progress_end()
        for note in result.notes[:20]:
            self.report({"WARNING"}, note)
        self.report({"INFO"}, f"{len(result.meshes)} meshes, {len(result.actions)} actions")
        return {"FINISHED"} if result.meshes or result.actions or result.armatures else {"CANCELLED"}

    def invoke(self, context, event):
        # Files that were dropped are known already.
        if self.directory and any(own.name for own in self.files):
            return context.window_manager.invoke_props_dialog(self)
        return ImportHelper.invoke(self, context, event)


class SKELMAP_FH_load(bpy.types.FileHandler):
    """Files that are dropped onto a view."""

    bl_idname = "SKELMAP_FH_load"
    bl_label = "Skeletal meshes and animations"
    bl_import_operator = "skelmap.load"
    bl_file_extensions = ";".join(EXTENSIONS)

    @classmethod
    def poll_drop(cls, context):
        return context.area is not None and context.area.type in {"VIEW_3D", "OUTLINER"}


def menu(self, context) -> None:
    self.layout.operator(SKELMAP_OT_load.bl_idname, text="Skeletal mesh, animation (.psk .psa .pmd .gsa .uemodel)")


CLASSES = (SKELMAP_OT_load, SKELMAP_FH_load)


def register() -> None:
    for own in CLASSES:
        bpy.utils.register_class(own)
    bpy.types.TOPBAR_MT_file_import.append(menu)


def unregister() -> None:
    bpy.types.TOPBAR_MT_file_import.remove(menu)
    for own in reversed(CLASSES):
        bpy.utils.unregister_class(own)
